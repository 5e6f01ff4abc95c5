//! A picture of a Gomoku position, read from a URL.

use gomoku::color::Color;
use gomoku::point::Point;

use super::look::{LOOK_FIELDS, Look, flag, labels};
use super::{Cell, Ground, Picture, Stone};
use crate::wire::gomoku::position::{self, GomokuRead};
use crate::wire::problem::{FieldCode, FieldError};
use crate::wire::query_string::QueryFields;
use crate::wire::reader::{Members, document};

/// The parameters of a picture in a URL.
const IN_A_URL: QueryFields = QueryFields {
    texts: &["moves", "board", "text", "side_to_move", "rule", "row_one", "theme", "last_move"],
    numbers: &["size", "width"],
    limits: &[],
    lists: &["values"],
    flags: &["coordinates", "flip", "legal"],
};

/// Reads what to draw from a query string.
///
/// # Errors
/// All faults found, each at its parameter.
pub fn read_gomoku(query: &str) -> Result<Picture, Vec<FieldError>> {
    let json = IN_A_URL.read(query)?;
    let known: Vec<&'static str> = position::POSITION_FIELDS.into_iter().chain(LOOK_FIELDS).collect();
    document(&json, |root| picture(&root.object(&known)?))
}

fn picture(members: &Members<'_>) -> Option<Picture> {
    let read = position::read(members)?;
    let look = Look::read(members)?;
    let position = read.position();
    let legal = flag(members, "legal").unwrap_or(Some(false))?;
    let stones = |color, stone| position.grid().stones(color).map(move |point| (cell(point), stone));
    Some(Picture {
        ground: Ground::Crossings,
        side: position.size().get(),
        stones: stones(Color::Black, Stone::Black).chain(stones(Color::White, Stone::White)).collect(),
        last: last(members, &read)?,
        legal: if legal { position.legal_moves().into_iter().map(cell).collect() } else { Vec::new() },
        labels: labels(members, |name| labelled(&read, name))?,
        look,
    })
}

/// The stone to mark: the one named, else the last of the moves in the request.
fn last(members: &Members<'_>, read: &GomokuRead) -> Option<Option<Cell>> {
    let Some(place) = members.get("last_move") else {
        return Some(read.read.moves.last().copied().map(cell));
    };
    let found = Point::parse(place.string()?, read.position().size(), read.row_one).ok();
    let stone = found.filter(|&point| is_taken(read, point));
    if stone.is_none() {
        place.refuse(FieldCode::InvalidPosition, "no stone stands there");
        return None;
    }
    Some(stone.map(cell))
}

fn is_taken(read: &GomokuRead, point: Point) -> bool {
    !read.position().grid().empty().any(|empty| empty == point)
}

fn labelled(read: &GomokuRead, name: &str) -> Result<Cell, String> {
    let point =
        Point::parse(name, read.position().size(), read.row_one).map_err(|error| error.to_string())?;
    if is_taken(read, point) {
        return Err(format!("{} is not an empty point of this board", read.name(point)));
    }
    Ok(cell(point))
}

fn cell(point: Point) -> Cell {
    Cell { row: point.y(), column: point.x() }
}
