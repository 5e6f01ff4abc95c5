//! The Othello endpoints.

use axum::extract::{FromRequestParts, RawQuery, State as Extract};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use othello::notation::Read;

use super::access::Caller;
use super::answer::JsonAnswer;
use super::extract::JsonBody;
use super::negotiate::{AcceptsJson, AnalysisForm};
use super::openapi::{AnalysisProblems, PositionProblems, QueryProblems, SearchQueryProblems};
use super::stream::{self, Asked, RecordId};
use super::{State, analysis, conditional};
use crate::pool::ClientId;
use crate::service::Arrival;
use crate::wire::analysis::{AnalysisRequest, Part};
use crate::wire::analysis_reply::{AnalysisReply, RowReply};
use crate::wire::moves::{self, LegalMovesReply, PlayReply};
use crate::wire::problem::{FieldError, Problem};
use crate::wire::query_string;
use crate::wire::schema::{AnalysisBody, PlayRequest, PositionRequest};

/// Analyse a position
///
/// The best move, the value of every asked move, and how sure the answer is. The answer comes within `limits.time_ms`;
/// leaving the connection cancels the search.
///
/// As `text/event-stream` or `application/x-ndjson` the answer is told as the search goes on: a full snapshot
/// (`"final": false`) after every finished iteration, then exactly one last record, which is the result
/// (`"final": true`) or a problem body. Events are called `snapshot`, `result` and `problem`. As `text/csv` one line a
/// move, best first.
#[utoipa::path(post, path = "/v1/othello/analysis", tag = "othello", operation_id = "analyse",
    request_body = AnalysisBody,
    responses((status = 200, description = "The analysis.", content(
        (AnalysisReply = "application/json"),
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
    let request = AnalysisRequest::parse(&json, state.service().limits()).map_err(Problem::from_errors)?;
    answer_analysis(request, arrival, form, asked, RecordId::default(), &state).await
}

/// Analyse a position in a URL
///
/// The same question as the body of the `POST`, with the members of `limits` beside the others and commas in lists: for
/// `EventSource`, links and caches. A stream that comes back with the `Last-Event-ID` of a last record gets 204, so that
/// `EventSource` stops; with another one the ids go on from there. Proven and deterministic answers carry a weak `ETag`.
#[utoipa::path(get, path = "/v1/othello/analysis", tag = "othello", operation_id = "analyse_by_query",
    params(
        ("moves" = Option<String>, Query, description = "Moves from the standard start, or from `board`.", example = "f5d6c3d3c4"),
        ("board" = Option<String>, Query, description = "One character a cell; needs `side_to_move`."),
        ("text" = Option<String>, Query, description = "One pasted text; goes with no other parameter of a position."),
        ("side_to_move" = Option<String>, Query, description = "`black` or `white`; only with `board`."),
        ("size" = Option<u8>, Query, description = "4, 6 or 8."),
        ("goal" = Option<String>, Query, description = "What is asked."),
        ("count" = Option<u8>, Query, description = "How many moves to value; only with goal `top_n`."),
        ("only" = Option<String>, Query, description = "Legal moves to consider, separated by commas."),
        ("avoid" = Option<String>, Query, description = "Legal moves to leave out, separated by commas."),
        ("time_ms" = Option<u64>, Query, description = "Milliseconds to the answer."),
        ("depth" = Option<u8>, Query, description = "Deepest iteration, plies.", example = 6),
        ("nodes" = Option<u64>, Query, description = "Most positions to visit."),
        ("exact_from_empties" = Option<u8>, Query, description = "From this many empties on, go for the exact score."),
        ("selectivity_percent" = Option<u8>, Query, description = "Least confidence of estimates."),
        ("empties" = Option<String>, Query, description = "Who owns empty squares at the end."),
        ("level" = Option<u8>, Query, description = "A playing strength instead of depth and the like."),
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
            (AnalysisReply = "application/json"),
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
    let request =
        AnalysisRequest::parse_query(query.as_deref().unwrap_or_default(), state.service().limits());
    let request = request.map_err(Problem::from_errors)?;
    let response = answer_analysis(request, arrival, form, asked, before, &state).await?;
    Ok(conditional::unless_known(&headers, response))
}

/// Answers in the form asked for.
async fn answer_analysis(
    mut request: AnalysisRequest,
    arrival: Arrival,
    form: AnalysisForm,
    asked: Asked,
    before: RecordId,
    state: &State,
) -> Result<Response, Problem> {
    if form == AnalysisForm::Csv {
        request.include.push(Part::Rows);
    }
    let running = state.service().begin_analysis(request, arrival)?;
    analysis::answer(running, form, asked, before, state).await
}

impl analysis::Reply for AnalysisReply {
    fn lasting_meaning(&self) -> Option<String> {
        self.lasting_meaning()
    }

    fn csv(&self) -> String {
        RowReply::to_csv(self.rows.as_deref().unwrap_or_default())
    }
}

/// Legal moves of a position
///
/// With the discs each turns and the board after it.
#[utoipa::path(post, path = "/v1/othello/legal-moves", tag = "othello", operation_id = "legal_moves",
    request_body = PositionRequest,
    responses((status = 200, description = "The legal moves.", body = LegalMovesReply), PositionProblems))]
pub(super) async fn legal_moves(
    _: AcceptsJson,
    Extract(state): Extract<State>,
    JsonBody(json): JsonBody,
) -> Result<JsonAnswer<LegalMovesReply>, Problem> {
    let read = moves::read_position(&json).map_err(Problem::from_errors)?;
    Ok(JsonAnswer(state.service().legal_moves(&read)))
}

/// Legal moves of a position in the URL
///
/// `moves`, or `board` with `side_to_move`, or `text`, as in the body of the `POST`.
#[utoipa::path(get, path = "/v1/othello/legal-moves", tag = "othello", operation_id = "legal_moves_by_query",
    params(
        ("moves" = Option<String>, Query, description = "Moves from the standard start, or from `board`.", example = "f5d6c3d3c4"),
        ("board" = Option<String>, Query, description = "One character a cell; needs `side_to_move`."),
        ("text" = Option<String>, Query, description = "One pasted text; goes with no other parameter."),
        ("side_to_move" = Option<String>, Query, description = "`black` or `white`; only with `board`."),
        ("size" = Option<u8>, Query, description = "4, 6 or 8.", minimum = 4, maximum = 8),
    ),
    responses((status = 200, description = "The legal moves.", body = LegalMovesReply), QueryProblems))]
pub(super) async fn legal_moves_by_query(
    _: AcceptsJson,
    Extract(state): Extract<State>,
    RawQuery(query): RawQuery,
) -> Result<JsonAnswer<LegalMovesReply>, Problem> {
    let json = query_string::POSITION.read(query.as_deref().unwrap_or_default());
    let read: Result<Read, Vec<FieldError>> = json.and_then(|json| moves::read_position(&json));
    Ok(JsonAnswer(state.service().legal_moves(&read.map_err(Problem::from_errors)?)))
}

/// Play moves
///
/// The position after the moves, or which move is illegal and why.
#[utoipa::path(post, path = "/v1/othello/play", tag = "othello", operation_id = "play",
    request_body = PlayRequest,
    responses((status = 200, description = "The position after the moves.", body = PlayReply), PositionProblems))]
pub(super) async fn play(
    _: AcceptsJson,
    Extract(state): Extract<State>,
    JsonBody(json): JsonBody,
) -> Result<JsonAnswer<PlayReply>, Problem> {
    let read = moves::read_play(&json).map_err(Problem::from_errors)?;
    Ok(JsonAnswer(state.service().play(&read)))
}

/// Who asks, as far as fairness and quota are concerned.
pub(super) struct Client(pub(super) ClientId);

impl<S: Sync> FromRequestParts<S> for Client {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        // Without the layer that tells callers apart all of them are one.
        Ok(Self(parts.extensions.get::<Caller>().map_or(ClientId(0), |caller| caller.client)))
    }
}
