//! Sees every request come and go: a span around it, one log line and the counters after it.

use std::time::Instant;

use axum::extract::{MatchedPath, Request, State as Extract};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::Response;
use tracing::{Instrument, Span};

use super::State;
use super::access::Caller;
use super::request_id::RequestId;
#[cfg(feature = "otlp")]
use super::traces;

/// The route label of requests that matched none. Their own paths are the callers' invention and would make as many
/// time series.
const UNMATCHED: &str = "unmatched";

/// Gives each request its id, wraps it in a span, and counts and logs its answer.
pub(super) async fn observe(Extract(state): Extract<State>, mut request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let method = request.method().clone();
    let matched = request.extensions().get::<MatchedPath>().cloned();
    let route = matched.as_ref().map_or(UNMATCHED, MatchedPath::as_str);
    let id = RequestId::give(&mut request);
    let span = span(&id, &method, route);
    #[cfg(feature = "otlp")]
    traces::begun(&span, request.headers(), &method, route);
    let _in_flight = state.metrics().begin();
    let mut response = next.run(request).instrument(span.clone()).await;
    let elapsed = begun.elapsed();
    state.metrics().answered(route, &method, response.status(), elapsed);
    #[cfg(feature = "otlp")]
    traces::answered(&span, response.status());
    span.in_scope(|| {
        let status = response.status().as_u16();
        let elapsed_ms = elapsed.as_secs_f64() * 1e3;
        let caller = response.extensions().get::<Caller>();
        let key = caller.and_then(|caller| caller.key.as_deref());
        tracing::info!(status, elapsed_ms, key, "request answered");
    });
    id.put(&mut response);
    response
}

/// The span that a request is answered in. Every line of the log that is written in it carries these fields.
#[cfg(not(feature = "otlp"))]
fn span(id: &RequestId, method: &Method, route: &str) -> Span {
    tracing::info_span!("request", request_id = id.as_str(), %method, route)
}

/// The same with what only a span can be told at its beginning: its name and its kind in traces.
#[cfg(feature = "otlp")]
fn span(id: &RequestId, method: &Method, route: &str) -> Span {
    let name = format!("{method} {route}");
    tracing::info_span!("request", otel.name = name, otel.kind = "server", request_id = id.as_str(), %method, route)
}
