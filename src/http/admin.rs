//! The admin listener's router: probes for orchestrators, counters for Prometheus. It never shares a port with the
//! public service.

use axum::Router;
use axum::extract::State as Extract;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::middleware::from_fn;
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use super::{State, exposition, finish, request_id};
use crate::wire::problem::{Problem, ProblemCode};
use crate::wire::service_info::StateReply;

/// `/live`, `/ready`, `/startup`, `/metrics`.
pub fn admin_router(state: State) -> Router {
    Router::new()
        .route("/live", get(live))
        .route("/ready", get(ready))
        .route("/startup", get(startup))
        .route("/metrics", get(metrics))
        .layer(from_fn(finish::finish))
        .layer(from_fn(request_id::identify))
        .with_state(state)
}

/// The process answers. Says nothing about load or readiness: restarting a busy process helps nobody.
async fn live() -> StatusCode {
    StatusCode::NO_CONTENT
}

/// Whether work may be sent here: false only while starting or draining, never because of load.
async fn ready(Extract(state): Extract<State>) -> Response {
    let detail = match state.service().lifecycle().state() {
        StateReply::Ready => return StatusCode::NO_CONTENT.into_response(),
        StateReply::Starting => return still_starting(),
        StateReply::Draining => "the process is finishing its work before it exits",
    };
    Problem::new(ProblemCode::Draining, detail).into_response()
}

/// Whether the start is over.
async fn startup(Extract(state): Extract<State>) -> Response {
    match state.service().lifecycle().state() {
        StateReply::Starting => still_starting(),
        StateReply::Ready | StateReply::Draining => StatusCode::NO_CONTENT.into_response(),
    }
}

fn still_starting() -> Response {
    const AGAIN_MS: u64 = 1_000;
    Problem::new(ProblemCode::Overloaded, "the process is still starting")
        .retry_after_ms(AGAIN_MS)
        .into_response()
}

async fn metrics(Extract(state): Extract<State>) -> Response {
    ([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], exposition::all(&state)).into_response()
}
