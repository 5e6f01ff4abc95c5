//! The Gomoku endpoints.

use axum::Json;
use axum::extract::State as Extract;
use axum::response::Response;

use super::extract::JsonBody;
use super::negotiate::{AcceptsJson, AnalysisForm};
use super::openapi::{AnalysisProblems, PositionProblems};
use super::othello::Client;
use super::stream::{Asked, RecordId};
use super::{State, analysis};
use crate::service::Arrival;
use crate::wire::gomoku::analysis::{GomokuRequest, Part};
use crate::wire::gomoku::analysis_reply::{GomokuAnalysisReply, GomokuRowReply};
use crate::wire::gomoku::moves::{self, LegalMovesReply, PlayReply};
use crate::wire::gomoku::schema::{
    GomokuAnalysisBody, GomokuPlayRequest, GomokuPositionRequest, GomokuSwap2Body, GomokuThreatsBody,
};
use crate::wire::gomoku::swap2::{Swap2Reply, Swap2Request};
use crate::wire::gomoku::threats::{ThreatRequest, ThreatsReply};
use crate::wire::problem::Problem;

/// Analyse a position
///
/// The best move, the value of every asked move, and how sure the answer is: a proven win or loss with its length, or
/// an estimate. The answer comes within `limits.time_ms`; leaving the connection cancels the search.
///
/// As `text/event-stream`, `application/x-ndjson` or `text/csv` as Othello's analysis is.
#[utoipa::path(post, path = "/v1/gomoku/analysis", tag = "gomoku", operation_id = "gomoku_analyse",
    request_body = GomokuAnalysisBody,
    responses((status = 200, description = "The analysis.", content(
        (GomokuAnalysisReply = "application/json"),
        (String = "text/event-stream"),
        (String = "application/x-ndjson"),
        (String = "text/csv"),
    )), AnalysisProblems))]
pub(super) async fn analyse(
    form: AnalysisForm,
    Extract(state): Extract<State>,
    client: Client,
    asked: Asked,
    JsonBody(json): JsonBody,
) -> Result<Response, Problem> {
    let arrival = Arrival { at: state.service().pool().now(), client: client.0 };
    let mut request = GomokuRequest::parse(&json, state.service().limits()).map_err(Problem::from_errors)?;
    if form == AnalysisForm::Csv {
        request.include.push(Part::Rows);
    }
    let running = state.service().begin_gomoku_analysis(request, arrival)?;
    analysis::answer(running, form, asked, RecordId::default(), &state).await
}

impl analysis::Reply for GomokuAnalysisReply {
    fn lasting_meaning(&self) -> Option<String> {
        self.lasting_meaning()
    }

    fn csv(&self) -> String {
        GomokuRowReply::to_csv(self.rows.as_deref().unwrap_or_default())
    }
}

/// Legal moves of a position
///
/// With the points that renju forbids to black, and why.
#[utoipa::path(post, path = "/v1/gomoku/legal-moves", tag = "gomoku", operation_id = "gomoku_legal_moves",
    request_body = GomokuPositionRequest,
    responses((status = 200, description = "The legal moves.", body = LegalMovesReply), PositionProblems))]
pub(super) async fn legal_moves(
    _: AcceptsJson,
    Extract(state): Extract<State>,
    JsonBody(json): JsonBody,
) -> Result<Json<LegalMovesReply>, Problem> {
    let read = moves::read_position(&json).map_err(Problem::from_errors)?;
    Ok(Json(state.service().gomoku_legal_moves(&read)))
}

/// Play moves
///
/// The position after the moves, or which move is illegal and why.
#[utoipa::path(post, path = "/v1/gomoku/play", tag = "gomoku", operation_id = "gomoku_play",
    request_body = GomokuPlayRequest,
    responses((status = 200, description = "The position after the moves.", body = PlayReply), PositionProblems))]
pub(super) async fn play(
    _: AcceptsJson,
    Extract(state): Extract<State>,
    JsonBody(json): JsonBody,
) -> Result<Json<PlayReply>, Problem> {
    let read = moves::read_play(&json).map_err(Problem::from_errors)?;
    Ok(Json(state.service().gomoku_play(&read)))
}

/// Search for a win by threats
///
/// Whether the side to move wins by fours alone (`vcf`) or by fours and open threes (`vct`), with the line. `none` is said
/// only after a search that left nothing out.
#[utoipa::path(post, path = "/v1/gomoku/threats", tag = "gomoku", operation_id = "gomoku_threats",
    request_body = GomokuThreatsBody,
    responses((status = 200, description = "What was found.", body = ThreatsReply), AnalysisProblems))]
pub(super) async fn threats(
    _: AcceptsJson,
    Extract(state): Extract<State>,
    client: Client,
    JsonBody(json): JsonBody,
) -> Result<Json<ThreatsReply>, Problem> {
    let arrival = Arrival { at: state.service().pool().now(), client: client.0 };
    let request = ThreatRequest::parse(&json, state.service().limits()).map_err(Problem::from_errors)?;
    state.service().gomoku_threats(request, arrival).await.map(Json)
}

/// Decide a swap2 opening
///
/// With no stones: three balanced ones to lay. With three: which colour to take, or two more stones to lay. With five: which
/// colour to take. Every option comes with its chance.
#[utoipa::path(post, path = "/v1/gomoku/swap2", tag = "gomoku", operation_id = "gomoku_swap2",
    request_body = GomokuSwap2Body,
    responses((status = 200, description = "What to do, and what else could be done.", body = Swap2Reply), AnalysisProblems))]
pub(super) async fn swap2(
    _: AcceptsJson,
    Extract(state): Extract<State>,
    client: Client,
    JsonBody(json): JsonBody,
) -> Result<Json<Swap2Reply>, Problem> {
    let arrival = Arrival { at: state.service().pool().now(), client: client.0 };
    let request = Swap2Request::parse(&json, state.service().limits()).map_err(Problem::from_errors)?;
    state.service().gomoku_swap2(request, arrival).await.map(Json)
}
