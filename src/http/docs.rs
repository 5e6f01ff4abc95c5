//! `/openapi.json` and `/docs`: the document, and a page to read it and try it out. The page's files are part of the
//! binary, so it works without any network, and its policy lets the browser load nothing from elsewhere.

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::Path;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use utoipa::openapi::OpenApi;
use utoipa_swagger_ui::{Config, serve};

use super::State;
use crate::wire::problem::{Problem, ProblemCode};

/// Everything from this very origin; styles also inline, which the page's own script needs.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
                      font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The paths of the documentation.
pub(super) fn router(document: &OpenApi) -> Router<State> {
    let json = Bytes::from(document.to_pretty_json().expect("a document holds only texts and numbers"));
    let config = Arc::new(
        Config::from("/openapi.json")
            .try_it_out_enabled(true)
            .display_request_duration(true)
            .validator_url("none"),
    );
    let file = move |name: String| {
        let config = config.clone();
        async move { page_file(&name, config) }
    };
    let index = file.clone();
    Router::new()
        .route(
            "/openapi.json",
            get(async move || ([(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-cache")], json)),
        )
        .route("/docs", get(async || Redirect::permanent("/docs/")))
        .route("/docs/", get(move || index("index.html".to_owned())))
        .route("/docs/{file}", get(move |Path(name): Path<String>| file(name)))
}

fn page_file(name: &str, config: Arc<Config<'static>>) -> Result<Response, Problem> {
    let file = serve(name, config).map_err(|error| {
        tracing::error!(%error, name, "a file of the documentation cannot be served");
        Problem::new(ProblemCode::Internal, "the file cannot be served")
    })?;
    let file = file
        .ok_or_else(|| Problem::new(ProblemCode::NotFound, "there is no such file; the page is at /docs/"))?;
    let headers = [
        (CONTENT_TYPE, file.content_type.as_str()),
        (CONTENT_SECURITY_POLICY, POLICY),
        (CACHE_CONTROL, "public, max-age=3600"),
    ];
    Ok((headers, file.bytes.into_owned()).into_response())
}
