//! The explaining endpoints of Othello: pruning techniques side by side, and the static evaluation term by term.

use axum::extract::State as Extract;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};

use super::State;
use super::answer::JsonAnswer;
use super::extract::JsonBody;
use super::negotiate::{AcceptsJson, CSV, Table};
use super::openapi::{AnalysisProblems, PositionProblems};
use super::othello::Client;
use crate::service::Arrival;
use crate::wire::comparison::ComparisonRequest;
use crate::wire::comparison_reply::ComparisonReply;
use crate::wire::evaluation_reply::EvaluationReply;
use crate::wire::moves;
use crate::wire::problem::Problem;
use crate::wire::schema::{ComparisonBody, PositionRequest};

/// Compare pruning techniques
///
/// One position searched by several configurations side by side, with what each counted and whether it still says what
/// the plain search says. The answer comes within `limits.time_ms`; leaving the connection cancels the searches. As
/// `text/csv` one line a row.
#[utoipa::path(post, path = "/v1/othello/comparison", tag = "othello", operation_id = "compare",
    request_body = ComparisonBody,
    responses((status = 200, description = "The rows.", content(
        (ComparisonReply = "application/json"),
        (String = "text/csv"),
    )), AnalysisProblems))]
pub(super) async fn compare(
    table: Table,
    Extract(state): Extract<State>,
    client: Client,
    JsonBody(json): JsonBody,
) -> Result<Response, Problem> {
    let arrival = Arrival { at: state.service().pool().now(), client: client.0 };
    let request = ComparisonRequest::parse(&json, state.service().limits()).map_err(Problem::from_errors)?;
    let reply = state.service().compare(request, arrival).await?;
    Ok(match table {
        Table::Json => JsonAnswer(reply).into_response(),
        Table::Csv => ([(CONTENT_TYPE, CSV)], reply.to_csv()).into_response(),
    })
}

/// Explain the static evaluation
///
/// The eight terms with their weights and what each colour has of them, the engine's own estimate beside them, stable
/// discs and what they prove, regions of empty squares with their parity. Nothing is searched.
#[utoipa::path(post, path = "/v1/othello/evaluation", tag = "othello", operation_id = "evaluate",
    request_body = PositionRequest,
    responses((status = 200, description = "The evaluation.", body = EvaluationReply), PositionProblems))]
pub(super) async fn evaluate(
    _: AcceptsJson,
    Extract(state): Extract<State>,
    JsonBody(json): JsonBody,
) -> Result<JsonAnswer<EvaluationReply>, Problem> {
    let read = moves::read_position(&json).map_err(Problem::from_errors)?;
    Ok(JsonAnswer(state.service().evaluate(&read)))
}
