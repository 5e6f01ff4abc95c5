//! Every request has an id: the caller's own when it is sane, else a new one. It comes back in a header, in problem
//! bodies and in the logs.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use uuid::{Builder, Uuid};

static HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// The id of the request that carries it in its extensions.
#[derive(Debug, Clone)]
pub struct RequestId(HeaderValue);

impl RequestId {
    /// The id as text.
    pub fn as_str(&self) -> &str {
        self.0.to_str().expect("only visible ASCII is let in")
    }

    /// Gives a request its id.
    pub(super) fn give(request: &mut Request) -> Self {
        let id = Self::of(request);
        request.extensions_mut().insert(id.clone());
        id
    }

    /// Puts the id on the answer.
    pub(super) fn put(self, response: &mut Response) {
        response.headers_mut().insert(HEADER.clone(), self.0);
    }

    fn of(request: &Request) -> Self {
        match request.headers().get(&HEADER) {
            Some(value) if is_sane(value.as_bytes()) => Self(value.clone()),
            _ => {
                let mut text = Uuid::encode_buffer();
                let text = fresh().hyphenated().encode_lower(&mut text);
                Self(HeaderValue::from_str(text).expect("a UUID is visible ASCII"))
            }
        }
    }
}

/// A new id: a UUID of version 7, which begins with the time, so that ids sort as they were made. Nobody is kept out by them,
/// so they need to be distinct and not secret: a keyed hash of a counter does, and spares every request a question to
/// the system's random numbers.
pub(super) fn fresh() -> Uuid {
    static KEY: LazyLock<RandomState> = LazyLock::new(RandomState::new);
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let milliseconds = u64::try_from(since.as_millis()).unwrap_or(u64::MAX);
    let mut rest = [0; 10];
    // The first bits order the ids of one millisecond.
    rest[..2].copy_from_slice(&(count as u16).to_be_bytes());
    rest[2..].copy_from_slice(&KEY.hash_one(count).to_be_bytes());
    Builder::from_unix_timestamp_millis(milliseconds, &rest).into_uuid()
}

/// Long enough for every common kind of id, too short and too plain to forge a log line with.
fn is_sane(id: &[u8]) -> bool {
    const LONGEST: usize = 128;
    (1..=LONGEST).contains(&id.len())
        && id.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_.:+/=".contains(byte))
}

/// Gives each request its id, and each answer too.
pub(super) async fn identify(mut request: Request, next: Next) -> Response {
    let id = RequestId::give(&mut request);
    let mut response = next.run(request).await;
    id.put(&mut response);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_ids_are_distinct_uuids_of_version_7_that_begin_with_the_time() {
        let ids: Vec<Uuid> = (0..10_000).map(|_| fresh()).collect();
        assert!(ids.iter().all(|id| id.get_version_num() == 7 && id.get_timestamp().is_some()));
        assert_eq!(ids.iter().collect::<std::collections::HashSet<_>>().len(), ids.len());
        let seconds = |id: &Uuid| id.get_timestamp().map(|time| time.to_unix().0);
        assert!(ids.windows(2).all(|pair| seconds(&pair[0]) <= seconds(&pair[1])));
    }

    #[test]
    fn only_plain_short_ids_are_taken_over() {
        for sane in ["1", "req_01J8.Z-4", "8f14e45f-ceea-467f-a8d5-3c2b1a0f9e8d", "a/b+c=="] {
            assert!(is_sane(sane.as_bytes()), "{sane}");
        }
        for mad in ["", "a b", "a\"b", "a\u{7f}b", "é", &"x".repeat(129)] {
            assert!(!is_sane(mad.as_bytes()), "{mad}");
        }
    }
}
