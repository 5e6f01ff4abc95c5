//! `discern health`: asks the admin listener whether the service is ready. Containers without a shell use it as their
//! health check.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use clap::{Args, ValueEnum, value_parser};

use super::exit::{Exit, Failure, Outcome};
use super::output::Output;

/// What to ask, where, and how long to wait.
#[derive(Debug, Args)]
pub struct HealthArgs {
    /// Address of the admin listener; an unspecified address (0.0.0.0) is asked on loopback.
    #[arg(long, env = "DISCERN_ADMIN_LISTEN", value_name = "IP:PORT", default_value = "127.0.0.1:9090")]
    admin_listen: SocketAddr,

    /// Which question to ask.
    #[arg(long, value_enum, default_value_t = Probe::Ready)]
    probe: Probe,

    /// Longest wait for the answer, in ms.
    #[arg(long, value_name = "MS", default_value_t = 2_000, value_parser = value_parser!(u64).range(1..=60_000))]
    timeout_ms: u64,
}

/// The questions of the admin listener.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Probe {
    /// The process answers at all.
    Live,
    /// It takes requests: neither starting nor draining.
    Ready,
    /// It has started.
    Startup,
}

impl Probe {
    const fn path(self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::Ready => "ready",
            Self::Startup => "startup",
        }
    }
}

/// Asks, prints one line, and fails with code 1 when the answer is no or does not come.
pub fn run(args: &HealthArgs) -> Outcome {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::new(Exit::Internal, format!("cannot start a runtime: {error}")))?;
    let url = format!("http://{}/{}", reachable(args.admin_listen), args.probe.path());
    match runtime.block_on(status(&url, Duration::from_millis(args.timeout_ms))) {
        Ok(200..=299) => {
            Output::stdout().line("ok");
            Ok(())
        }
        Ok(status) => Err(Failure::new(Exit::Negative, format!("{url} answered {status}"))),
        Err(error) => Err(Failure::new(Exit::Negative, format!("{url} did not answer: {}", causes(&error)))),
    }
}

async fn status(url: &str, timeout: Duration) -> Result<u16, reqwest::Error> {
    // A proxy that the environment names must not answer for a listener on this machine.
    let client = reqwest::Client::builder().timeout(timeout).no_proxy().build()?;
    Ok(client.get(url).send().await?.status().as_u16())
}

/// The error with what caused it: the outermost sentence alone rarely says why.
fn causes(error: &dyn std::error::Error) -> String {
    let chain = std::iter::successors(Some(error), |error| error.source());
    chain.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

/// Where to ask a listener that is bound to this address.
fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unspecified_address_is_asked_on_loopback() {
        for (bound, asked) in [
            ("0.0.0.0:9090", "127.0.0.1:9090"),
            ("[::]:9090", "[::1]:9090"),
            ("10.1.2.3:9090", "10.1.2.3:9090"),
        ] {
            let bound: SocketAddr = bound.parse().expect("an address");
            assert_eq!(reachable(bound).to_string(), asked);
        }
    }
}
