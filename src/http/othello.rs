//! The Othello endpoints.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::net::SocketAddr;
use std::sync::LazyLock;

use axum::Json;
use axum::extract::{ConnectInfo, FromRequestParts, RawQuery, State as Extract};
use axum::http::request::Parts;
use othello::notation::Read;

use super::State;
use super::extract::JsonBody;
use super::negotiate::AcceptsJson;
use super::openapi::{AnalysisProblems, PositionProblems, QueryProblems};
use crate::pool::ClientId;
use crate::service::Arrival;
use crate::wire::analysis::AnalysisRequest;
use crate::wire::analysis_reply::AnalysisReply;
use crate::wire::moves::{self, LegalMovesReply, PlayReply};
use crate::wire::problem::{FieldError, Problem};
use crate::wire::schema::{AnalysisBody, PlayRequest, PositionRequest};

/// Analyse a position
///
/// The best move, the value of every asked move, and how sure the answer is. The answer comes within `limits.time_ms`;
/// leaving the connection cancels the search.
#[utoipa::path(post, path = "/v1/othello/analysis", tag = "othello", operation_id = "analyse",
    request_body = AnalysisBody,
    responses((status = 200, description = "The analysis.", body = AnalysisReply), AnalysisProblems))]
pub(super) async fn analyse(
    _: AcceptsJson,
    Extract(state): Extract<State>,
    client: Client,
    JsonBody(json): JsonBody,
) -> Result<Json<AnalysisReply>, Problem> {
    let arrival = Arrival { at: state.service().pool().now(), client: client.0 };
    let request = AnalysisRequest::parse(&json, state.service().limits()).map_err(Problem::from_errors)?;
    state.service().analyze(request, arrival).await.map(Json)
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
) -> Result<Json<LegalMovesReply>, Problem> {
    let read = moves::read_position(&json).map_err(Problem::from_errors)?;
    Ok(Json(state.service().legal_moves(&read)))
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
) -> Result<Json<LegalMovesReply>, Problem> {
    let json = moves::from_query(query.as_deref().unwrap_or_default());
    let read: Result<Read, Vec<FieldError>> =
        json.map_err(|error| vec![error]).and_then(|json| moves::read_position(&json));
    Ok(Json(state.service().legal_moves(&read.map_err(Problem::from_errors)?)))
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
) -> Result<Json<PlayReply>, Problem> {
    let read = moves::read_play(&json).map_err(Problem::from_errors)?;
    Ok(Json(state.service().play(&read)))
}

/// Who asks, as far as fairness is concerned: the address at the other end of the connection, ports left out. All callers
/// are one where the accept loop tells no addresses.
pub(super) struct Client(pub(super) ClientId);

/// Keyed anew in every process, so that nobody can choose addresses that share a number.
static KEY: LazyLock<RandomState> = LazyLock::new(RandomState::new);

impl<S: Sync> FromRequestParts<S> for Client {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        Ok(Self(ClientId(peer.map_or(0, |ConnectInfo(address)| KEY.hash_one(address.ip())))))
    }
}
