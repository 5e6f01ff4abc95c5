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

/// What a table is answered as; extracted by handlers that offer both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Table {
    /// `application/json`, the one preferred among equals.
    Json,
    /// `text/csv`.
    Csv,
}

impl<S: Sync> FromRequestParts<S> for Table {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let json = quality(&parts.headers, "application", "json");
        let csv = quality(&parts.headers, "text", "csv");
        if json == 0.0 && csv == 0.0 {
            let detail = "this path answers in application/json or text/csv";
            return Err(Problem::new(ProblemCode::NotAcceptable, detail));
        }
        Ok(if csv > json { Self::Csv } else { Self::Json })
    }
}

/// Whether the `Accept` headers allow this media type.
fn accepts(headers: &HeaderMap, kind: &str, subtype: &str) -> bool {
    quality(headers, kind, subtype) > 0.0
}

/// How much the `Accept` headers want this media type (RFC 9110, section 12.5.1), 0 to 1; 0 rules it out. The most
/// specific range that matches decides.
fn quality(headers: &HeaderMap, kind: &str, subtype: &str) -> f32 {
    if !headers.contains_key(ACCEPT) {
        return 1.0;
    }
    let mut best: Option<(u8, f32)> = None;
    for value in headers.get_all(ACCEPT) {
        // A header that cannot be read as text rules nothing out.
        let Ok(text) = value.to_str() else { return 1.0 };
        for range in text.split(',') {
            let mut parts = range.split(';').map(str::trim);
            let specificity = match parts.next().and_then(|range| range.split_once('/')) {
                Some((a, b)) if a.eq_ignore_ascii_case(kind) && b.eq_ignore_ascii_case(subtype) => 2,
                Some((a, "*")) if a.eq_ignore_ascii_case(kind) => 1,
                Some(("*", "*")) => 0,
                _ => continue,
            };
            let quality = parts.find_map(|part| part.strip_prefix("q=").or(part.strip_prefix("Q=")));
            // A quality that is no number is taken as none given.
            let wanted = quality.and_then(|quality| quality.trim().parse().ok()).unwrap_or(1.0_f32);
            let before = best.filter(|&(at, most)| at > specificity || (at == specificity && most >= wanted));
            best = before.or(Some((specificity, wanted)));
        }
    }
    best.map_or(0.0, |(_, wanted)| wanted)
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
    fn the_more_wanted_form_of_a_table_is_given_and_json_among_equals() {
        let preferred = |accept: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT, HeaderValue::from_static(accept));
            quality(&headers, "text", "csv") > quality(&headers, "application", "json")
        };
        for accept in ["text/csv", "text/csv, */*;q=0.5", "text/*, application/json;q=0.9"] {
            assert!(preferred(accept), "{accept}");
        }
        for accept in ["*/*", "text/csv, application/json", "application/json, text/csv;q=0.9", "text/html"] {
            assert!(!preferred(accept), "{accept}");
        }
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
