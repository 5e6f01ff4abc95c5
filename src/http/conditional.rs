//! Answers that stay as they are: those that are proven or deterministic carry a weak `ETag` over what they say (RFC 9110,
//! section 8.8), so that a caller who has one already need not fetch it again.

use std::hash::{DefaultHasher, Hasher};

use axum::http::header::{
    ACCEPT, CACHE_CONTROL, CONTENT_TYPE, ETAG, HeaderMap, HeaderValue, IF_NONE_MATCH, VARY,
};
use axum::http::{HeaderName, StatusCode};
use axum::response::{IntoResponse, Response};

/// Tags a response with what it means; without a lasting meaning it stays one that may not be stored.
pub(super) fn tagged(mut response: Response, meaning: Option<String>) -> Response {
    let media = response.headers().get(CONTENT_TYPE).cloned();
    let headers = response.headers_mut();
    headers.append(VARY, HeaderValue::from_name(ACCEPT));
    let Some(meaning) = meaning else { return response };
    // The hasher has no random key: all replicas of one build agree.
    let mut hasher = DefaultHasher::new();
    hasher.write(media.as_ref().map_or(b"", |media| media.as_bytes()));
    hasher.write(meaning.as_bytes());
    let tag = format!("W/\"{:016x}\"", hasher.finish());
    headers.insert(ETAG, HeaderValue::try_from(tag).expect("hexadecimal digits are visible ASCII"));
    // It may be kept, but the next version of the engine may know better: it must be asked for every time.
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}

/// The response, or 304 without a body when the caller has that one already.
pub(super) fn unless_known(asked: &HeaderMap, response: Response) -> Response {
    let Some(tag) = response.headers().get(ETAG) else { return response };
    if !names(asked, tag) {
        return response;
    }
    let mut short = StatusCode::NOT_MODIFIED.into_response();
    let kept: [HeaderName; 3] = [ETAG, CACHE_CONTROL, VARY];
    for name in kept {
        if let Some(value) = response.headers().get(&name) {
            short.headers_mut().insert(name, value.clone());
        }
    }
    short
}

/// Whether `If-None-Match` names this tag. Weak comparison: the mark of a weak tag does not count.
fn names(asked: &HeaderMap, tag: &HeaderValue) -> bool {
    let opaque = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    let own = tag.to_str().map(opaque).unwrap_or_default();
    asked.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok()).any(|list| {
        // Our tags hold no commas, so one inside a foreign tag can only make a part that matches nothing.
        list.split(',').any(|part| part.trim() == "*" || opaque(part) == own)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(meaning: Option<&str>) -> Response {
        tagged(([(CONTENT_TYPE, "application/json")], "{}").into_response(), meaning.map(str::to_owned))
    }

    fn asked(value: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(IF_NONE_MATCH, HeaderValue::from_str(value).expect("visible ASCII"));
        headers
    }

    #[test]
    fn a_caller_who_has_the_answer_gets_a_304() {
        let tag = answer(Some("four")).headers()[ETAG].to_str().expect("ASCII").to_owned();
        assert!(tag.starts_with("W/\"") && tag.ends_with('"'), "{tag}");
        let strong = tag.trim_start_matches("W/");
        for known in [tag.as_str(), strong, "*", &format!("\"other\", {tag}")] {
            let response = unless_known(&asked(known), answer(Some("four")));
            assert_eq!(response.status(), StatusCode::NOT_MODIFIED, "{known}");
            assert_eq!(response.headers()[ETAG].to_str().expect("ASCII"), tag);
            assert_eq!(response.headers()[CACHE_CONTROL], "no-cache");
        }
        for other in ["\"other\"", "W/\"\""] {
            assert_eq!(unless_known(&asked(other), answer(Some("four"))).status(), StatusCode::OK, "{other}");
        }
    }

    #[test]
    fn another_meaning_and_another_form_have_another_tag() {
        let json = answer(Some("four")).headers()[ETAG].clone();
        assert_ne!(json, answer(Some("five")).headers()[ETAG]);
        let csv = tagged(([(CONTENT_TYPE, "text/csv")], "").into_response(), Some("four".to_owned()));
        assert_ne!(json, csv.headers()[ETAG]);
        assert!(!answer(None).headers().contains_key(ETAG));
        assert_eq!(unless_known(&asked("*"), answer(None)).status(), StatusCode::OK);
    }
}
