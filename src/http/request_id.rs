//! Every request has an id: the caller's own when it is sane, else a new one. It comes back in a header, in problem
//! bodies and in the logs.

use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use uuid::Uuid;

static HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// The id of the request that carries it in its extensions.
#[derive(Debug, Clone)]
pub struct RequestId(HeaderValue);

impl RequestId {
    /// The id as text.
    pub fn as_str(&self) -> &str {
        self.0.to_str().expect("only visible ASCII is let in")
    }

    fn of(request: &Request) -> Self {
        match request.headers().get(&HEADER) {
            Some(value) if is_sane(value.as_bytes()) => Self(value.clone()),
            _ => {
                // Version 7 begins with the time, so ids sort as they were made.
                let id = Uuid::now_v7().to_string();
                Self(HeaderValue::try_from(id).expect("a UUID is visible ASCII"))
            }
        }
    }
}

/// Long enough for every common kind of id, too short and too plain to forge a log line with.
fn is_sane(id: &[u8]) -> bool {
    const LONGEST: usize = 128;
    (1..=LONGEST).contains(&id.len())
        && id.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_.:+/=".contains(byte))
}

/// Gives each request its id, and each answer too.
pub(super) async fn identify(mut request: Request, next: Next) -> Response {
    let id = RequestId::of(&request);
    request.extensions_mut().insert(id.clone());
    let mut response = next.run(request).await;
    response.headers_mut().insert(HEADER.clone(), id.0);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

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
