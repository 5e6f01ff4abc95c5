//! The admin listener's router: probes for orchestrators, counters for Prometheus. It never shares a port with the
//! public service.

use std::fmt::Write;

use axum::Router;
use axum::extract::State as Extract;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::middleware::from_fn;
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use super::access::{Book, Quota};
use super::metrics::{gauge, head};
use super::{State, finish, request_id};
use crate::pool::Stats;
use crate::service::AnswerCounts;
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
    let mut text = String::new();
    state.metrics().render(&mut text);
    let status = state.service().status();
    // Writing to a string cannot fail.
    let _ = gauge(&mut text, "discern_uptime_seconds", "Whole seconds since the start.", status.uptime_s);
    render_pool(&mut text, &state.service().pool().stats());
    // Writing to a string cannot fail.
    let _ = render_book(&mut text, state.book());
    render_answers(&mut text, &state.service().answer_counts());
    let ready = u8::from(status.state == StateReply::Ready);
    let _ = gauge(&mut text, "discern_ready", "1 while the process takes work, else 0.", ready);
    ([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response()
}

/// Who has used how much.
fn render_book(text: &mut String, book: &Book) -> std::fmt::Result {
    const USED: &str = "discern_client_search_seconds_total";
    head(text, USED, "counter", "Time of search threads by the name of the API key; empty: without a key.")?;
    for (key, used) in book.used() {
        writeln!(text, "{USED}{{key=\"{key}\"}} {}", used.as_secs_f64())?;
    }
    let clients = book.quota().map_or(0, Quota::clients);
    gauge(text, "discern_quota_clients", "Clients whose balance is remembered.", clients)
}

/// Where answers came from.
fn render_answers(text: &mut String, counts: &AnswerCounts) {
    let rows = [
        ("discern_answers_kept", "Analyses answered from kept answers since the start.", counts.kept),
        ("discern_answers_shared", "Analyses that joined a running search since the start.", counts.shared),
        ("discern_answers_searched", "Analyses that began a search since the start.", counts.searched),
        ("discern_answers_entries", "Answers kept now.", counts.entries),
        ("discern_answers_bytes", "About how many bytes the kept answers take.", counts.bytes),
    ];
    for (name, help, value) in rows {
        // Writing to a string cannot fail.
        let _ = gauge(text, name, help, value);
    }
}

/// The worker threads and what waits for them.
fn render_pool(text: &mut String, stats: &Stats) {
    let counts = stats.counts;
    let rows = [
        ("discern_pool_workers", "Worker threads.", stats.workers as u64),
        ("discern_pool_busy", "Worker threads that work on a search now.", stats.busy as u64),
        (
            "discern_pool_waiting_interactive",
            "Interactive searches that wait for a thread.",
            stats.waiting.interactive as u64,
        ),
        ("discern_pool_waiting_batch", "Batch searches that wait for a thread.", stats.waiting.batch as u64),
        ("discern_pool_admitted", "Searches taken in since the start.", counts.admitted),
        ("discern_pool_refused", "Searches refused since the start.", counts.refused),
        ("discern_pool_completed", "Searches answered since the start.", counts.completed),
        ("discern_pool_cancelled", "Searches whose callers left first, since the start.", counts.cancelled),
        (
            "discern_pool_expired",
            "Searches whose time ran out in the queue, since the start.",
            counts.expired,
        ),
        ("discern_pool_failed", "Searches that failed since the start.", counts.failed),
    ];
    for (name, help, value) in rows {
        // Writing to a string cannot fail.
        let _ = gauge(text, name, help, value);
    }
}
