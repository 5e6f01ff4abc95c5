//! What the service says about itself: engine, limits, status.

use axum::extract::State as Extract;

use super::State;
use super::access::QuotaPolicy;
use super::answer::JsonAnswer;
use super::negotiate::AcceptsJson;
use super::openapi::ReadProblems;
use crate::wire::service_info::{EngineReply, LimitsReply, QuotaReply, StatusReply};

/// What answers here
///
/// Version, evaluation, processor and games of this instance.
#[utoipa::path(get, path = "/v1/engine", tag = "service", operation_id = "engine",
    responses((status = 200, description = "What answers here.", body = EngineReply), ReadProblems))]
pub(super) async fn engine(_: AcceptsJson, Extract(state): Extract<State>) -> JsonAnswer<EngineReply> {
    JsonAnswer(state.service().engine())
}

/// Every default and cap
///
/// Values beyond a limit are refused, never capped in silence.
#[utoipa::path(get, path = "/v1/limits", tag = "service", operation_id = "limits",
    responses((status = 200, description = "The limits of this instance.", body = LimitsReply), ReadProblems))]
pub(super) async fn limits(_: AcceptsJson, Extract(state): Extract<State>) -> JsonAnswer<LimitsReply> {
    let quota = state.options().access.quota;
    let quota = quota.map(|QuotaPolicy { ms_per_s, burst_ms }| QuotaReply { ms_per_s, burst_ms });
    JsonAnswer(LimitsReply { quota, ..state.service().limits_reply() })
}

/// The load of this instance
///
/// For people and dashboards; orchestrators ask the admin listener.
#[utoipa::path(get, path = "/v1/status", tag = "service", operation_id = "status",
    responses((status = 200, description = "The load of this instance.", body = StatusReply), ReadProblems))]
pub(super) async fn status(_: AcceptsJson, Extract(state): Extract<State>) -> JsonAnswer<StatusReply> {
    JsonAnswer(state.service().status())
}
