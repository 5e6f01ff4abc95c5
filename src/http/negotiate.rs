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

/// Extracted by handlers that answer with a picture: refuses callers who rule SVG out.
#[derive(Debug)]
pub struct AcceptsSvg;

impl<S: Sync> FromRequestParts<S> for AcceptsSvg {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        if accepts(&parts.headers, "image", "svg+xml") {
            Ok(Self)
        } else {
            Err(Problem::new(ProblemCode::NotAcceptable, "this path answers in image/svg+xml"))
        }
    }
}

/// `Content-Type` of a table: the first line names its columns (RFC 4180, section 3).
pub(super) const CSV: &str = "text/csv; charset=utf-8; header=present";

/// A form that an answer can have.
trait Offered: Copy + 'static {
    /// All forms with their media types, the one preferred among equals first.
    const ALL: &'static [(&'static str, Self)];
}

/// What a table is answered as; extracted by handlers that offer both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Table {
    /// `application/json`, the one preferred among equals.
    Json,
    /// `text/csv`.
    Csv,
}

impl Offered for Table {
    const ALL: &'static [(&'static str, Self)] = &[("application/json", Self::Json), ("text/csv", Self::Csv)];
}

/// What an analysis is answered as; extracted by handlers that offer all of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnalysisForm {
    /// `application/json`, the one preferred among equals: the final answer alone.
    Json,
    /// `text/event-stream`: every iteration as an event.
    Events,
    /// `application/x-ndjson`: every iteration as a line.
    Lines,
    /// `text/csv`: the final answer's moves as a table.
    Csv,
}

impl Offered for AnalysisForm {
    const ALL: &'static [(&'static str, Self)] = &[
        ("application/json", Self::Json),
        ("text/event-stream", Self::Events),
        ("application/x-ndjson", Self::Lines),
        ("text/csv", Self::Csv),
    ];
}

impl<S: Sync> FromRequestParts<S> for Table {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        most_wanted(&parts.headers)
    }
}

impl<S: Sync> FromRequestParts<S> for AnalysisForm {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        most_wanted(&parts.headers)
    }
}

/// The form that the caller wants most, or a problem that names all there are.
fn most_wanted<F: Offered>(headers: &HeaderMap) -> Result<F, Problem> {
    let wanted = |media: &str| {
        let (kind, subtype) = media.split_once('/').expect("our own media types have both parts");
        quality(headers, kind, subtype)
    };
    let mut best: Option<(f32, F)> = None;
    for &(media, form) in F::ALL {
        let quality = wanted(media);
        if quality > best.map_or(0.0, |(most, _)| most) {
            best = Some((quality, form));
        }
    }
    best.map(|(_, form)| form).ok_or_else(|| {
        let names: Vec<&str> = F::ALL.iter().map(|&(media, _)| media).collect();
        let (last, others) = names.split_last().expect("something is offered");
        let detail = format!("this path answers in {} or {last}", others.join(", "));
        Problem::new(ProblemCode::NotAcceptable, detail)
    })
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
    fn the_most_wanted_form_is_given_and_the_first_among_equals() {
        fn form<F: Offered>(accept: &'static str) -> Result<F, Problem> {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT, HeaderValue::from_static(accept));
            most_wanted(&headers)
        }
        for accept in ["text/csv", "text/csv, */*;q=0.5", "text/*, application/json;q=0.9"] {
            assert_eq!(form(accept), Ok(Table::Csv), "{accept}");
        }
        for accept in
            ["*/*", "text/csv, application/json", "application/json, text/csv;q=0.9", "text/html, */*"]
        {
            assert_eq!(form(accept), Ok(Table::Json), "{accept}");
            assert_eq!(form(accept), Ok(AnalysisForm::Json), "{accept}");
        }
        assert_eq!(form("text/event-stream"), Ok(AnalysisForm::Events));
        assert_eq!(form("application/x-ndjson, */*;q=0.1"), Ok(AnalysisForm::Lines));
        let refused = form::<AnalysisForm>("image/png").expect_err("nothing of that kind is offered");
        assert_eq!(
            refused.detail,
            "this path answers in application/json, text/event-stream, application/x-ndjson or text/csv"
        );
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
