//! A picture of an Othello position, read from a URL.

use othello::notation::Read;
use othello::position::{Color, Position};
use othello::square::{Move, Square};

use super::look::{LOOK_FIELDS, Look, flag, labels};
use super::{Cell, Ground, Picture, Stone};
use crate::wire::position;
use crate::wire::problem::{FieldCode, FieldError};
use crate::wire::query_string::{POSITION, QueryFields};
use crate::wire::reader::{Members, document};

/// The parameters of a picture in a URL.
const IN_A_URL: QueryFields = QueryFields {
    texts: &["moves", "board", "text", "side_to_move", "theme", "last_move"],
    numbers: &["size", "width"],
    lists: &["values"],
    flags: &["coordinates", "flip", "legal"],
    ..POSITION
};

/// Reads what to draw from a query string.
///
/// # Errors
/// All faults found, each at its parameter.
pub fn read_othello(query: &str) -> Result<Picture, Vec<FieldError>> {
    let json = IN_A_URL.read(query)?;
    // Neighbouring fields are allowed for the position and for the look alike.
    let known: Vec<&'static str> = position::POSITION_FIELDS.into_iter().chain(LOOK_FIELDS).collect();
    document(&json, |root| picture(&root.object(&known)?))
}

fn picture(members: &Members<'_>) -> Option<Picture> {
    let read = position::read(members)?;
    let look = Look::read(members)?;
    let position = read.position;
    let legal = flag(members, "legal").unwrap_or(Some(false))?;
    let discs = |color, stone| squares(position.discs(color)).map(move |square| (cell(square), stone));
    Some(Picture {
        ground: Ground::Squares,
        side: position.size().side(),
        stones: discs(Color::Black, Stone::Black).chain(discs(Color::White, Stone::White)).collect(),
        last: last(members, &read)?,
        legal: squares(if legal { position.moves() } else { 0 }).map(cell).collect(),
        labels: labels(members, |name| labelled(position, name))?,
        look,
    })
}

/// The disc to mark: the one named, else the last one placed by the moves of the request.
fn last(members: &Members<'_>, read: &Read) -> Option<Option<Cell>> {
    let Some(place) = members.get("last_move") else {
        let placed = read.moves.iter().rev().find_map(|played| match played {
            Move::Place(square) => Some(*square),
            Move::Pass => None,
        });
        return Some(placed.map(cell));
    };
    let found = place.string()?.parse::<Square>().ok();
    let disc = found.filter(|square| square.bit() & read.position.board().occupied() != 0);
    if disc.is_none() {
        place.refuse(FieldCode::InvalidPosition, "no disc stands there");
        return None;
    }
    Some(disc.map(cell))
}

fn labelled(position: Position, name: &str) -> Result<Cell, String> {
    let square: Square = name.parse().map_err(|_| "the value names no square".to_owned())?;
    if square.bit() & position.empty() == 0 {
        return Err(format!("{square} is not an empty square of this board"));
    }
    Ok(cell(square))
}

fn cell(square: Square) -> Cell {
    Cell { row: square.row(), column: square.column() }
}

/// The squares of a set, lowest first.
fn squares(mut bits: u64) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        let square = Square::lowest(bits)?;
        bits &= bits - 1;
        Some(square)
    })
}
