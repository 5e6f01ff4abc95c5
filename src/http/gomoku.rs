//! The Gomoku endpoints.

use axum::extract::{RawQuery, State as Extract};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};

use super::answer::JsonAnswer;
use super::extract::JsonBody;
use super::negotiate::{AcceptsJson, AnalysisForm};
use super::openapi::{AnalysisProblems, PositionProblems, QueryProblems, SearchQueryProblems};
use super::othello::Client;
use super::stream::{self, Asked, RecordId};
use super::{State, analysis, conditional};
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
    let request = GomokuRequest::parse(&json, state.service().limits()).map_err(Problem::from_errors)?;
    answer_analysis(request, arrival, form, asked, RecordId::default(), &state).await
}

/// Analyse a position in a URL
///
/// The same question as the body of the `POST`, as Othello's is asked in a URL: the members of `limits` beside the others,
/// commas in lists, `Last-Event-ID` of a last record answered with 204, and a weak `ETag` on proven and deterministic
/// answers.
#[utoipa::path(get, path = "/v1/gomoku/analysis", tag = "gomoku", operation_id = "gomoku_analyse_by_query",
    params(
        ("moves" = Option<String>, Query, description = "Moves from the empty board, or from `board`.", example = "h8i9g7"),
        ("board" = Option<String>, Query, description = "One character a point, row by row."),
        ("text" = Option<String>, Query, description = "One pasted text; goes with no other parameter of a position."),
        ("side_to_move" = Option<String>, Query, description = "`black` or `white`; only with `board`, where it does not follow from the stones."),
        ("size" = Option<u8>, Query, description = "Points along one side."),
        ("rule" = Option<String>, Query, description = "How a game is won, and what is forbidden."),
        ("row_one" = Option<String>, Query, description = "Which end row 1 is at."),
        ("goal" = Option<String>, Query, description = "What is asked."),
        ("count" = Option<u8>, Query, description = "How many moves to value; only with goal `top_n`."),
        ("only" = Option<String>, Query, description = "Legal points to consider, separated by commas."),
        ("avoid" = Option<String>, Query, description = "Legal points to leave out, separated by commas."),
        ("time_ms" = Option<u64>, Query, description = "Milliseconds to the answer."),
        ("depth" = Option<u8>, Query, description = "Deepest iteration, plies.", example = 4),
        ("nodes" = Option<u64>, Query, description = "Most positions to visit."),
        ("level" = Option<u8>, Query, description = "A playing strength instead of depth and nodes."),
        ("seed" = Option<u64>, Query, description = "Which slips a level makes."),
        ("threads" = Option<usize>, Query, description = "Most threads."),
        ("deterministic" = Option<bool>, Query, description = "Whether the same bytes must come back everywhere."),
        ("class" = Option<String>, Query, description = "Whose turn comes first in the queue."),
        ("include" = Option<String>, Query, description = "Parts of the reply to add, separated by commas."),
        ("Last-Event-ID" = Option<String>, Header, description = "The id of the last event heard, as `EventSource` sends it."),
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` of an earlier answer."),
    ),
    responses(
        (status = 200, description = "The analysis.", content(
            (GomokuAnalysisReply = "application/json"),
            (String = "text/event-stream"),
            (String = "application/x-ndjson"),
            (String = "text/csv"),
        )),
        (status = 204, description = "The last record of this stream was heard already."),
        (status = 304, description = "The answer is still the one that `If-None-Match` names."),
        SearchQueryProblems))]
pub(super) async fn analyse_by_query(
    form: AnalysisForm,
    Extract(state): Extract<State>,
    client: Client,
    asked: Asked,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Result<Response, Problem> {
    let arrival = Arrival { at: state.service().pool().now(), client: client.0 };
    let Some(before) = stream::goes_on_after(&headers, form) else {
        return Ok(StatusCode::NO_CONTENT.into_response());
    };
    let request = GomokuRequest::parse_query(query.as_deref().unwrap_or_default(), state.service().limits());
    let request = request.map_err(Problem::from_errors)?;
    let response = answer_analysis(request, arrival, form, asked, before, &state).await?;
    Ok(conditional::unless_known(&headers, response))
}

/// Answers in the form asked for.
async fn answer_analysis(
    mut request: GomokuRequest,
    arrival: Arrival,
    form: AnalysisForm,
    asked: Asked,
    before: RecordId,
    state: &State,
) -> Result<Response, Problem> {
    if form == AnalysisForm::Csv {
        request.include.push(Part::Rows);
    }
    let running = state.service().begin_gomoku_analysis(request, arrival)?;
    analysis::answer(running, form, asked, before, state).await
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
) -> Result<JsonAnswer<LegalMovesReply>, Problem> {
    let read = moves::read_position(&json).map_err(Problem::from_errors)?;
    Ok(JsonAnswer(state.service().gomoku_legal_moves(&read)))
}

/// Legal moves of a position in the URL
///
/// `moves`, `board` or `text` with `size`, `rule` and `row_one`, as in the body of the `POST`.
#[utoipa::path(get, path = "/v1/gomoku/legal-moves", tag = "gomoku", operation_id = "gomoku_legal_moves_by_query",
    params(
        ("moves" = Option<String>, Query, description = "Moves from the empty board, or from `board`.", example = "h8i9g7"),
        ("board" = Option<String>, Query, description = "One character a point, row by row."),
        ("text" = Option<String>, Query, description = "One pasted text; goes with no other parameter of a position."),
        ("side_to_move" = Option<String>, Query, description = "`black` or `white`; only with `board`, where it does not follow from the stones."),
        ("size" = Option<u8>, Query, description = "Points along one side."),
        ("rule" = Option<String>, Query, description = "How a game is won, and what is forbidden."),
        ("row_one" = Option<String>, Query, description = "Which end row 1 is at."),
    ),
    responses((status = 200, description = "The legal moves.", body = LegalMovesReply), QueryProblems))]
pub(super) async fn legal_moves_by_query(
    _: AcceptsJson,
    Extract(state): Extract<State>,
    RawQuery(query): RawQuery,
) -> Result<JsonAnswer<LegalMovesReply>, Problem> {
    let read = moves::read_position_query(query.as_deref().unwrap_or_default());
    Ok(JsonAnswer(state.service().gomoku_legal_moves(&read.map_err(Problem::from_errors)?)))
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
) -> Result<JsonAnswer<PlayReply>, Problem> {
    let read = moves::read_play(&json).map_err(Problem::from_errors)?;
    Ok(JsonAnswer(state.service().gomoku_play(&read)))
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
) -> Result<JsonAnswer<ThreatsReply>, Problem> {
    let arrival = Arrival { at: state.service().pool().now(), client: client.0 };
    let request = ThreatRequest::parse(&json, state.service().limits()).map_err(Problem::from_errors)?;
    state.service().gomoku_threats(request, arrival).await.map(JsonAnswer)
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
) -> Result<JsonAnswer<Swap2Reply>, Problem> {
    let arrival = Arrival { at: state.service().pool().now(), client: client.0 };
    let request = Swap2Request::parse(&json, state.service().limits()).map_err(Problem::from_errors)?;
    state.service().gomoku_swap2(request, arrival).await.map(JsonAnswer)
}
