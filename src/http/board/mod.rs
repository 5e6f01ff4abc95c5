//! `/`: the analysis board, a page whose files are part of the binary. It loads nothing from elsewhere, and its policy lets
//! the browser do so neither.

use axum::Router;
use axum::extract::Path;
use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG,
    REFERRER_POLICY, VARY,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use super::State;
use super::conditional::unless_known;
use crate::wire::problem::{Problem, ProblemCode};

/// One file with the forms that the build made of it.
#[derive(Debug)]
struct File {
    /// Below the site's root, with `/`.
    path: &'static str,
    /// Strong: the same for the same bytes.
    etag: &'static str,
    plain: &'static [u8],
    brotli: Option<&'static [u8]>,
    gzip: Option<&'static [u8]>,
}

mod site {
    use super::File;

    include!(concat!(env!("OUT_DIR"), "/site.rs"));
}

/// Everything from this very origin. `blob:` and `data:` are pictures that the page draws itself for a download.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
                      font-src 'self'; connect-src 'self'; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'";

/// A worker has the policy of its own script: the engine of the board's offline mode is fetched from here and compiled there.
/// The page itself may compile nothing.
const WORKER_POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

/// What `/` says in a binary that was built without the board.
const PLAIN_PAGE: &str = include_str!("plain.html");

/// Files with a hash of their content in their name never change.
const FOR_EVER: &str = "public, max-age=31536000, immutable";

/// The others are asked for again each time, and answered with 304 while they are the same.
const ASK_AGAIN: &str = "no-cache";

/// The paths of the board.
pub(super) fn router() -> Router<State> {
    Router::new()
        .route("/", get(async |headers: HeaderMap| page(&headers)))
        .route("/favicon.svg", get(async |headers: HeaderMap| named("favicon.svg", &headers)))
        .route(
            "/assets/{name}",
            get(async |Path(name): Path<String>, headers: HeaderMap| {
                named(&format!("assets/{name}"), &headers)
            }),
        )
}

fn page(headers: &HeaderMap) -> Response {
    let mut response = match find("index.html") {
        Some(file) => send(file, headers),
        None => ([(CONTENT_TYPE, "text/html; charset=utf-8"), (CACHE_CONTROL, ASK_AGAIN)], PLAIN_PAGE)
            .into_response(),
    };
    let shared = [
        (CONTENT_SECURITY_POLICY, POLICY),
        (REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ];
    for (name, value) in shared {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

fn named(path: &str, headers: &HeaderMap) -> Result<Response, Problem> {
    let missing = || Problem::new(ProblemCode::NotFound, "the board has no such file; the page is at /");
    find(path).map(|file| send(file, headers)).ok_or_else(missing)
}

fn find(path: &str) -> Option<&'static File> {
    site::FILES.iter().find(|file| file.path == path)
}

fn send(file: &File, headers: &HeaderMap) -> Response {
    let lasting = if file.path.starts_with("assets/") { FOR_EVER } else { ASK_AGAIN };
    let shared = [(ETAG, file.etag), (CACHE_CONTROL, lasting), (VARY, ACCEPT_ENCODING.as_str())];
    let (bytes, encoding) = form(file, headers);
    let mut response = (shared, [(CONTENT_TYPE, media_type(file.path))], bytes).into_response();
    if file.path.ends_with(".js") {
        response.headers_mut().insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(WORKER_POLICY));
    }
    if let Some(encoding) = encoding {
        response.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    unless_known(headers, response)
}

/// The smallest form that the caller takes.
fn form(file: &File, headers: &HeaderMap) -> (&'static [u8], Option<&'static str>) {
    let wanted = |name| takes(headers, name);
    match (file.brotli, file.gzip) {
        (Some(bytes), _) if wanted("br") => (bytes, Some("br")),
        (_, Some(bytes)) if wanted("gzip") => (bytes, Some("gzip")),
        _ => (file.plain, None),
    }
}

/// Whether the caller takes this content coding by name. A bare `*` or no header at all gets the plain file, which all take.
fn takes(headers: &HeaderMap, coding: &str) -> bool {
    let texts = headers.get_all(ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    texts.flat_map(|text| text.split(',')).any(|element| {
        let mut parts = element.split(';').map(str::trim);
        let named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case(coding));
        let quality =
            parts.find_map(|part| part.strip_prefix("q=")).and_then(|quality| quality.parse::<f32>().ok());
        named && quality.unwrap_or(1.0) > 0.0
    })
}

fn media_type(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "wasm" => "application/wasm",
        "json" => "application/json",
        _ => "application/octet-stream",
    }
}
