//! Whose address a request came from, when it came through proxies.
//!
//! Every proxy appends the address that it heard the request from. What the first of them appended is true when all
//! that follow can be trusted, and everything before it is the client's own word. So the operator says how many proxies
//! of its own stand in front, and the address is counted that many hops from the right. Without that word no header is
//! believed.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use axum::http::{HeaderMap, HeaderName};

/// How a proxy tells the addresses it heard from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ForwardedHeader {
    /// `X-Forwarded-For: client, proxy`.
    #[default]
    XForwardedFor,
    /// `Forwarded: for=client, for=proxy` (RFC 7239).
    Forwarded,
}

/// The proxies that stand in front of the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Proxies {
    /// How many of them there are; 0 believes no header.
    pub hops: u8,
    /// The one header they all write. The other one is the client's own word, and is not read.
    pub header: ForwardedHeader,
}

impl Proxies {
    /// The address that a request came from: `peer` is the other end of the connection. Where the header does not reach
    /// that far or holds no address, the nearest hop that is known takes its place: at worst all clients of one proxy
    /// share an address, and nobody gets to choose one.
    pub fn client(self, headers: &HeaderMap, peer: IpAddr) -> IpAddr {
        let mut client = peer;
        // From the right: the peer's own word first.
        for entry in self.entries(headers).iter().rev().take(usize::from(self.hops)) {
            match entry {
                Some(address) => client = *address,
                None => break,
            }
        }
        client
    }

    /// All entries of the header, in order, over however many lines they stand; `None` for what is no address.
    fn entries(self, headers: &HeaderMap) -> Vec<Option<IpAddr>> {
        let (name, read): (_, fn(&str) -> Option<IpAddr>) = match self.header {
            ForwardedHeader::XForwardedFor => (HeaderName::from_static("x-forwarded-for"), node),
            ForwardedHeader::Forwarded => (HeaderName::from_static("forwarded"), forwarded_for),
        };
        let lines = headers.get_all(name).into_iter();
        lines
            .flat_map(|line| line.to_str().unwrap_or_default().split(','))
            .map(|entry| read(entry.trim()))
            .collect()
    }
}

/// The address of one element of `Forwarded`: `for=192.0.2.1;proto=https`, `For="[2001:db8::1]:4711"`.
fn forwarded_for(element: &str) -> Option<IpAddr> {
    let mut pairs = element.split(';').filter_map(|pair| pair.trim().split_once('='));
    let (_, value) = pairs.find(|(name, _)| name.trim().eq_ignore_ascii_case("for"))?;
    let value = value.trim();
    node(value.strip_prefix('"').and_then(|value| value.strip_suffix('"')).unwrap_or(value))
}

/// An address with or without a port: proxies write both, and a port makes no new client. Anything else (`unknown`, a
/// made-up name) is none.
fn node(text: &str) -> Option<IpAddr> {
    if let Ok(address) = text.parse::<IpAddr>() {
        return Some(address);
    }
    if let Ok(socket) = text.parse::<SocketAddr>() {
        return Some(socket.ip());
    }
    text.strip_prefix('[')?.strip_suffix(']')?.parse::<Ipv6Addr>().ok().map(IpAddr::V6)
}

/// The part of an address that stands for one client. A network gives each customer at least a /64 of IPv6, so its last
/// 64 bits are the customer's to choose; an IPv4 address written as IPv6 is still that one address.
pub fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => {
            const LAST_64_BITS: u128 = u64::MAX as u128;
            IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits() & !LAST_64_BITS))
        }
        v4 => v4,
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    const PEER: &str = "10.0.0.1";

    fn client(hops: u8, header: ForwardedHeader, lines: &[&'static str]) -> String {
        let mut headers = HeaderMap::new();
        let name = match header {
            ForwardedHeader::XForwardedFor => "x-forwarded-for",
            ForwardedHeader::Forwarded => "forwarded",
        };
        for line in lines {
            headers.append(name, HeaderValue::from_static(line));
        }
        let peer = PEER.parse().expect("an address");
        Proxies { hops, header }.client(&headers, peer).to_string()
    }

    fn x(hops: u8, lines: &[&'static str]) -> String {
        client(hops, ForwardedHeader::XForwardedFor, lines)
    }

    #[test]
    fn without_trusted_hops_no_header_is_believed() {
        assert_eq!(x(0, &["1.2.3.4"]), PEER);
    }

    #[test]
    fn hops_are_counted_from_the_right_and_the_clients_own_word_is_left_out() {
        let lines = &["6.6.6.6, 1.2.3.4", "10.0.0.2"];
        assert_eq!(x(1, lines), "10.0.0.2");
        assert_eq!(x(2, lines), "1.2.3.4");
        assert_eq!(x(3, lines), "6.6.6.6", "the operator said that three are its own");
    }

    #[test]
    fn a_header_that_ends_early_gives_the_farthest_hop_that_is_known() {
        assert_eq!(x(2, &["1.2.3.4"]), "1.2.3.4");
        assert_eq!(x(2, &[]), PEER);
        assert_eq!(x(1, &["1.2.3.4, unknown"]), PEER);
        assert_eq!(x(2, &["1.2.3.4, nonsense, 10.0.0.2"]), "10.0.0.2");
    }

    #[test]
    fn ports_and_brackets_make_no_new_client() {
        for entry in ["2001:db8::7", "[2001:db8::7]", "[2001:db8::7]:4711"] {
            assert_eq!(x(1, &[entry]), "2001:db8::7", "{entry}");
        }
        assert_eq!(x(1, &["1.2.3.4:5678"]), "1.2.3.4");
        for entry in ["1.2.3.4:99999", "1.2.3", "1.2.3.4.5", "0x1.2.3.4", "_hidden", ""] {
            assert_eq!(node(entry), None, "{entry}");
        }
    }

    #[test]
    fn the_standard_header_is_read_with_its_quotes_and_pairs() {
        let header = ForwardedHeader::Forwarded;
        assert_eq!(client(1, header, &["for=1.2.3.4;proto=https;by=10.0.0.9"]), "1.2.3.4");
        assert_eq!(client(1, header, &["proto=https; For=\"[2001:db8::7]:4711\""]), "2001:db8::7");
        assert_eq!(client(1, header, &["for=_secret"]), PEER);
        assert_eq!(client(1, header, &["by=10.0.0.9"]), PEER);
    }

    #[test]
    fn the_header_that_was_not_chosen_is_not_read() {
        let mut headers = HeaderMap::new();
        headers.insert("forwarded", HeaderValue::from_static("for=1.2.3.4"));
        let proxies = Proxies { hops: 1, header: ForwardedHeader::XForwardedFor };
        assert_eq!(proxies.client(&headers, PEER.parse().expect("an address")).to_string(), PEER);
    }

    #[test]
    fn a_network_is_one_ipv4_address_or_64_bits_of_ipv6() {
        let of = |text: &str| network(text.parse().expect("an address")).to_string();
        assert_eq!(of("1.2.3.4"), "1.2.3.4");
        assert_eq!(of("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
        assert_eq!(of("::ffff:1.2.3.4"), "1.2.3.4");
    }
}
