//! Content negotiation: whether a caller accepts what a path can answer with.

use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::header::ACCEPT;
use axum::http::request::Parts;

use crate::wire::problem::{Problem, ProblemCode};

/// Extracted by handlers that answer in JSON: refuses callers who rule JSON out.
#[derive(Debug)]
pub struct AcceptsJson;

impl<S: Sync> FromRequestParts<S> for AcceptsJson {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        if accepts(&parts.headers, "application", "json") {
            Ok(Self)
        } else {
            Err(Problem::new(ProblemCode::NotAcceptable, "this path answers in application/json"))
        }
    }
}

/// Whether the `Accept` headers allow this media type (RFC 9110, section 12.5.1). The most specific range that matches
/// decides; a quality of 0 rules out.
fn accepts(headers: &HeaderMap, kind: &str, subtype: &str) -> bool {
    if !headers.contains_key(ACCEPT) {
        return true;
    }
    let mut best = None;
    for value in headers.get_all(ACCEPT) {
        // A header that cannot be read as text rules nothing out.
        let Ok(text) = value.to_str() else { return true };
        for range in text.split(',') {
            let mut parts = range.split(';').map(str::trim);
            let specificity = match parts.next().and_then(|range| range.split_once('/')) {
                Some((a, b)) if a.eq_ignore_ascii_case(kind) && b.eq_ignore_ascii_case(subtype) => 2,
                Some((a, "*")) if a.eq_ignore_ascii_case(kind) => 1,
                Some(("*", "*")) => 0,
                _ => continue,
            };
            let quality = parts.find_map(|part| part.strip_prefix("q=").or(part.strip_prefix("Q=")));
            let wanted = quality.is_none_or(|quality| quality.trim().parse() != Ok(0.0));
            best = best.max(Some((specificity, wanted)));
        }
    }
    best.is_some_and(|(_, wanted)| wanted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn json(accept: &'static str) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static(accept));
        accepts(&headers, "application", "json")
    }

    #[test]
    fn json_is_given_to_all_who_do_not_rule_it_out() {
        assert!(accepts(&HeaderMap::new(), "application", "json"));
        for accept in [
            "*/*",
            "application/json",
            "Application/JSON; charset=utf-8",
            "text/html, application/*;q=0.8",
            "text/html,*/*;q=0.1",
            "*/*;q=0, application/json",
        ] {
            assert!(json(accept), "{accept}");
        }
        for accept in [
            "text/html",
            "application/xml",
            "application/json;q=0, */*",
            "*/*; q=0.000",
            "",
            "application/*;q=0",
        ] {
            assert!(!json(accept), "{accept}");
        }
    }
}
