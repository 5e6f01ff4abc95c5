//! Pictures of positions for other pages: an address in, an SVG document out.

use axum::extract::RawQuery;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};

use super::conditional;
use super::negotiate::AcceptsSvg;
use super::openapi::QueryProblems;
use crate::wire::picture::{Picture, draw, read_gomoku, read_othello};
use crate::wire::problem::{FieldError, Problem};

/// The picture of an address changes only when a new version draws it otherwise; a day late is early enough.
const KEPT: &str = "public, max-age=86400";

/// Picture of a position
///
/// The board as SVG, with the last move, legal moves and values as asked. `values` are those of an analysis, best first:
/// the first one is ringed. A value with a decimal point or after `~` is an estimate and drawn dotted underneath.
#[utoipa::path(get, path = "/v1/othello/board.svg", tag = "othello", operation_id = "board_picture",
    params(
        ("moves" = Option<String>, Query, description = "Moves from the standard start, or from `board`.", example = "f5d6c3d3c4"),
        ("board" = Option<String>, Query, description = "One character a cell; needs `side_to_move`."),
        ("text" = Option<String>, Query, description = "One pasted text; goes with no other form of the position."),
        ("side_to_move" = Option<String>, Query, description = "`black` or `white`; only with `board`."),
        ("size" = Option<u8>, Query, description = "Cells along one side: 4, 6 or 8.", minimum = 4, maximum = 8),
        ("width" = Option<u16>, Query, description = "Pixels along one side of the picture."),
        ("theme" = Option<String>, Query, description = "Colours for a `light` or a `dark` page."),
        ("coordinates" = Option<bool>, Query, description = "Whether columns and rows are named; true when left out."),
        ("flip" = Option<bool>, Query, description = "Whether the board is turned by half a circle."),
        ("legal" = Option<bool>, Query, description = "Whether legal moves are dotted."),
        ("last_move" = Option<String>, Query, description = "The disc to mark; that of the last of `moves` when left out."),
        ("values" = Option<String>, Query, description = "Values of empty squares, best first, separated by commas.", example = "f4:-0.4,d2:-4"),
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` of an earlier answer."),
    ),
    responses(
        (status = 200, description = "The picture.", body = String, content_type = "image/svg+xml"),
        (status = 304, description = "The picture is still the one that `If-None-Match` names."),
        QueryProblems))]
pub(super) async fn othello(
    _: AcceptsSvg,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Result<Response, Problem> {
    respond(read_othello(query.as_deref().unwrap_or_default()), &headers)
}

/// Picture of a position
///
/// The board as SVG, with the last stone, legal points and values as asked. `values` are those of an analysis, best first:
/// the first one is ringed. A value with a decimal point or after `~` is an estimate and drawn dotted underneath.
#[utoipa::path(get, path = "/v1/gomoku/board.svg", tag = "gomoku", operation_id = "gomoku_board_picture",
    params(
        ("moves" = Option<String>, Query, description = "Moves from the empty board, or from `board`.", example = "h8i9g9"),
        ("board" = Option<String>, Query, description = "One character a point, row by row."),
        ("text" = Option<String>, Query, description = "One pasted text; goes with no other form of the position."),
        ("side_to_move" = Option<String>, Query, description = "`black` or `white`, where the stones do not tell."),
        ("size" = Option<u8>, Query, description = "Points along one side.", minimum = 5, maximum = 20),
        ("rule" = Option<String>, Query, description = "`freestyle`, `standard` or `renju`."),
        ("row_one" = Option<String>, Query, description = "Which end row 1 is at: `top` or `bottom`."),
        ("width" = Option<u16>, Query, description = "Pixels along one side of the picture."),
        ("theme" = Option<String>, Query, description = "Colours for a `light` or a `dark` page."),
        ("coordinates" = Option<bool>, Query, description = "Whether columns and rows are named; true when left out."),
        ("flip" = Option<bool>, Query, description = "Whether the board is turned by half a circle."),
        ("legal" = Option<bool>, Query, description = "Whether legal points are dotted."),
        ("last_move" = Option<String>, Query, description = "The stone to mark; that of the last of `moves` when left out."),
        ("values" = Option<String>, Query, description = "Values of empty points, best first, separated by commas.", example = "e11:~44%,j6:~43%"),
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` of an earlier answer."),
    ),
    responses(
        (status = 200, description = "The picture.", body = String, content_type = "image/svg+xml"),
        (status = 304, description = "The picture is still the one that `If-None-Match` names."),
        QueryProblems))]
pub(super) async fn gomoku(
    _: AcceptsSvg,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Result<Response, Problem> {
    respond(read_gomoku(query.as_deref().unwrap_or_default()), &headers)
}

fn respond(picture: Result<Picture, Vec<FieldError>>, headers: &HeaderMap) -> Result<Response, Problem> {
    let svg = draw(&picture.map_err(Problem::from_errors)?);
    let response = ([(CONTENT_TYPE, "image/svg+xml")], svg.clone()).into_response();
    let mut response = conditional::tagged(response, Some(svg));
    let shared = [(CACHE_CONTROL, KEPT), (CONTENT_SECURITY_POLICY, "default-src 'none'")];
    for (name, value) in shared {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    Ok(conditional::unless_known(headers, response))
}
