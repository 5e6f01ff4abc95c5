//! Who may call, and how much: API keys, the addresses of callers without one, and what each has used.

mod address;
mod book;
mod keys;
mod quota;

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use axum::extract::{ConnectInfo, Request};
use axum::http::header::{AUTHORIZATION, HeaderName, WWW_AUTHENTICATE};
use axum::http::{HeaderMap, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::State;
use crate::pool::ClientId;
use crate::wire::problem::{Problem, ProblemCode};

pub use address::{ForwardedHeader, Proxies};
pub(super) use book::Book;
pub use keys::{ApiKey, KeyEntry, KeyError, KeyHash, KeyRing};
pub(super) use quota::Quota;
pub use quota::QuotaPolicy;

/// Who may call.
#[derive(Debug, Clone, Default)]
pub struct Access {
    /// The keys that are valid.
    pub keys: KeyRing,
    /// What becomes of callers without a key.
    pub anonymous: Anonymous,
    /// Which headers tell the address of a caller without a key.
    pub proxies: Proxies,
    /// What each client may use; `None` sets no bound.
    pub quota: Option<QuotaPolicy>,
}

/// What becomes of callers without a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Anonymous {
    /// They are served; their addresses tell them apart.
    #[default]
    Served,
    /// They are refused with 401.
    Refused,
}

/// Who sends a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// The client that it counts for.
    pub client: ClientId,
    /// The name of its key, if it has one.
    pub key: Option<Arc<str>>,
}

/// Clients get numbers that nobody outside can foresee: nobody can choose an address that shares one.
static NUMBERS: LazyLock<RandomState> = LazyLock::new(RandomState::new);

/// What a client is told apart by.
#[derive(Hash)]
enum Identity<'a> {
    Key(&'a str),
    Network(IpAddr),
}

impl Identity<'_> {
    fn client(&self) -> ClientId {
        ClientId(NUMBERS.hash_one(self))
    }
}

/// Paths below `/v1/` that take no worker and say what the service is: they need no quota, so that a refused client can
/// still read what its limits are.
const UNMETERED: [&str; 3] = ["/v1/engine", "/v1/limits", "/v1/status"];

/// The policy's name in the `RateLimit` headers.
const POLICY: &str = "search-time";

static RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
static RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

/// The headers of the IETF draft that a page of another origin may read as well.
pub(super) fn exposed_headers() -> [HeaderName; 2] {
    [RATE_LIMIT.clone(), RATE_LIMIT_POLICY.clone()]
}

/// Lets a request through to the routes, with its [`Caller`] among its extensions, or refuses it. The documentation is
/// open to everybody.
pub(super) async fn admit(state: &State, mut request: Request, next: Next) -> Response {
    let access = &state.options().access;
    let guarded = request.uri().path().starts_with("/v1/") && request.method() != Method::OPTIONS;
    let caller = match caller(access, &request) {
        Ok(caller) => caller,
        Err(refusal) if guarded => return refusal.into_response(),
        Err(_) => by_address(access, &request),
    };
    request.extensions_mut().insert(caller.clone());
    let metered = guarded && !UNMETERED.contains(&request.uri().path());
    let quota = state.book().quota().filter(|_| metered);
    let mut response = match quota.map(|quota| quota.admit(caller.client, state.service().pool().now())) {
        None | Some(Ok(())) => next.run(request).await,
        Some(Err(exhausted)) => used_up(exhausted.retry_after).into_response(),
    };
    if let Some(quota) = quota {
        rate_limit(response.headers_mut(), quota, caller.client, state.service().pool().now());
    }
    response.extensions_mut().insert(caller);
    response
}

/// Why a request is not let in for want of a key.
enum Refusal {
    NoKey,
    UnknownKey,
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let (problem, challenge) = match self {
            Self::NoKey => (
                Problem::new(ProblemCode::KeyRequired, "send `Authorization: Bearer` and your API key"),
                "Bearer realm=\"discern\"",
            ),
            Self::UnknownKey => (
                Problem::new(
                    ProblemCode::KeyUnknown,
                    "the API key in the Authorization header is not valid here",
                ),
                "Bearer realm=\"discern\", error=\"invalid_token\"",
            ),
        };
        let mut response = problem.into_response();
        response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static(challenge));
        response
    }
}

/// Who sends this request.
fn caller(access: &Access, request: &Request) -> Result<Caller, Refusal> {
    // Where no keys are known, the header is meant for somebody in front of us.
    let authorization = request.headers().get(AUTHORIZATION).filter(|_| !access.keys.is_empty());
    match (authorization, access.anonymous) {
        (Some(value), _) => {
            let name = bearer(value).and_then(|key| access.keys.owner(key)).ok_or(Refusal::UnknownKey)?;
            Ok(Caller { client: Identity::Key(name).client(), key: Some(name.into()) })
        }
        (None, Anonymous::Served) => Ok(by_address(access, request)),
        (None, Anonymous::Refused) => Err(Refusal::NoKey),
    }
}

/// The credentials of `Bearer` (RFC 6750); the scheme's case does not matter.
fn bearer(value: &HeaderValue) -> Option<&[u8]> {
    let (scheme, credentials) = value.as_bytes().split_at_checked("Bearer ".len())?;
    scheme.eq_ignore_ascii_case(b"Bearer ").then(|| credentials.trim_ascii())
}

/// A caller without a key. All of them are one where the accept loop tells no addresses.
fn by_address(access: &Access, request: &Request) -> Caller {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let peer = peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |ConnectInfo(address)| address.ip());
    let network = address::network(access.proxies.client(request.headers(), peer));
    Caller { client: Identity::Network(network).client(), key: None }
}

fn used_up(retry_after: Duration) -> Problem {
    let milliseconds = u64::try_from(retry_after.as_nanos().div_ceil(1_000_000)).unwrap_or(u64::MAX);
    let detail = format!("your share of search time is used up; enough comes back in {milliseconds} ms");
    Problem::new(ProblemCode::RateLimited, detail).retry_after_ms(milliseconds)
}

/// Tells a client how it stands (draft-ietf-httpapi-ratelimit-headers-11): `q` and `r` count milliseconds of search
/// threads; `t` is the time until the bucket is full, or for a refused request until the next one is let in.
fn rate_limit(headers: &mut HeaderMap, quota: &Quota, client: ClientId, now: Duration) {
    let QuotaPolicy { ms_per_s, burst_ms } = quota.policy();
    let standing = quota.standing(client, now);
    let again = match quota.retry_after(client, now) {
        Some(retry_after) => retry_after,
        None => standing.full_in,
    };
    let seconds = again.as_nanos().div_ceil(1_000_000_000);
    let window_s = burst_ms.div_ceil(ms_per_s.max(1));
    let policy = format!("\"{POLICY}\";q={burst_ms};qu=\"cpu-milliseconds\";w={window_s}");
    let state = format!("\"{POLICY}\";r={};t={seconds}", standing.remaining_ms);
    for (name, value) in [(&RATE_LIMIT_POLICY, policy), (&RATE_LIMIT, state)] {
        let value = HeaderValue::try_from(value).expect("it is made of visible ASCII");
        headers.insert(name.clone(), value);
    }
}
