//! A position on the wire: the forms a request may give it in, and the one form a reply echoes.

use othello::board::Size;
use othello::notation::{
    BitOrder, Coding, NotationError, Place as NotationPlace, Read, Reason, bitboards, board_text, cells,
    size_of_side, text, transcript,
};
use othello::position::{Color, Position};

use super::json::Json;
use super::limits::Range;
use super::problem::FieldCode;
use super::reader::{Members, Place};

/// The fields that give a position. They stand beside the other fields of a request.
pub const POSITION_FIELDS: [&str; 6] = ["moves", "board", "text", "coding", "side_to_move", "size"];

/// The names of the two sides.
pub const SIDES: [(&str, Color); 2] = [("black", Color::Black), ("white", Color::White)];

/// Reads the position that a request gives. `None` when a fault was noted.
pub fn read(members: &Members<'_>) -> Option<Read> {
    match (members.get("text"), members.get("board"), members.get("moves")) {
        (Some(text), ..) => read_text(members, &text),
        (None, Some(board), moves) => {
            let before = read_board(members, &board)?;
            let Some(moves) = moves else { return Some(before) };
            let played = read_moves(&moves, before.position)?;
            Some(before.followed_by(played))
        }
        (None, None, Some(moves)) => {
            for name in ["coding", "side_to_move"] {
                if let Some(place) = members.get(name) {
                    place.refuse(
                        FieldCode::Conflict,
                        "only goes with `board`; with `moves` alone, black moves first",
                    );
                    return None;
                }
            }
            let size = read_size(members)?.unwrap_or(Size::Eight);
            read_moves(&moves, Position::start(size))
        }
        (None, None, None) => {
            members.refuse(FieldCode::MissingField, "give the position as `moves`, `board` or `text`");
            None
        }
    }
}

fn read_text(members: &Members<'_>, place: &Place<'_>) -> Option<Read> {
    for name in ["moves", "board", "coding", "side_to_move", "size"] {
        if let Some(other) = members.get(name) {
            other.refuse(FieldCode::Conflict, "does not go with `text`, which holds the whole position");
            return None;
        }
    }
    noted(text::read(place.string()?), place)
}

fn read_board(members: &Members<'_>, place: &Place<'_>) -> Option<Read> {
    let side = match members.get("side_to_move") {
        Some(side) => side.one_of(&SIDES),
        None => {
            members.missing("side_to_move", "needed with `board`: `black` or `white`");
            None
        }
    };
    let size = read_size(members);
    let coding = match members.get("coding") {
        Some(coding) => {
            let [black, white, empty] = read_coding(&coding)?;
            Some(Coding { black, white, empty })
        }
        None => None,
    };
    // The board is read even when the side is missing, so that its own faults are told in the same answer.
    let assumed_side = side.unwrap_or(Color::Black);
    let read = match place.json {
        Json::String(board) => noted(board_text::read(board, assumed_side), place),
        Json::Array(rows) => read_rows(place, rows, coding, assumed_side),
        Json::Object(_) => read_bitboards(place, size?.unwrap_or(Size::Eight), assumed_side),
        other => {
            let message = format!("a string, an array or two bitboards are expected, not {}", other.kind());
            place.refuse(FieldCode::WrongType, message);
            None
        }
    }?;
    let numbers = matches!(place.json, Json::Array(rows) if !matches!(rows.first(), Some(Json::String(_))));
    if let Some(coding) = members.get("coding").filter(|_| !numbers) {
        coding.refuse(FieldCode::Conflict, "only goes with a board of numbers");
        return None;
    }
    let found = read.position.size();
    if let (Some(given), Some(said)) = (members.get("size"), size?)
        && said != found
    {
        given.refuse(
            FieldCode::Conflict,
            format!("the board has a side of {}, not {}", found.side(), said.side()),
        );
        return None;
    }
    side.map(|_| read)
}

fn read_rows(place: &Place<'_>, rows: &[Json], coding: Option<Coding>, side: Color) -> Option<Read> {
    match rows.first() {
        Some(Json::String(_)) => {
            let texts = place.elements(rows, Place::string)?;
            noted(board_text::read_rows(&texts, side), place)
        }
        Some(Json::Array(_)) => {
            let numbers = place.elements(rows, |row| row.elements(row.array()?, Place::whole_number))?;
            noted(cells::read_rows(&numbers, coding, side), place)
        }
        Some(_) => noted(cells::read(&place.elements(rows, Place::whole_number)?, coding, side), place),
        None => {
            place.refuse(FieldCode::InvalidPosition, "the board is empty: 64, 36 or 16 cells are needed");
            None
        }
    }
}

/// The numbers that stand for black, white and empty in a board of numbers.
pub(super) fn read_coding(place: &Place<'_>) -> Option<[i64; 3]> {
    let names = ["black", "white", "empty"];
    let members = place.object(&names)?;
    let numbers = names.map(|name| match members.get(name) {
        Some(place) => place.whole_number(),
        None => {
            members.missing(name, "a coding names all of `black`, `white` and `empty`");
            None
        }
    });
    let [black, white, empty] = numbers;
    Some([black?, white?, empty?])
}

fn read_bitboards(place: &Place<'_>, size: Size, side: Color) -> Option<Read> {
    let members = place.object(&["black", "white", "bit_order"])?;
    let word = |name| match members.get(name) {
        Some(place) => place.string(),
        None => {
            members.missing(name, "two bitboards are needed: `black` and `white`, as hexadecimal strings");
            None
        }
    };
    let (black, white) = (word("black"), word("white"));
    let order = match members.get("bit_order") {
        Some(place) => Some(place.one_of(&BitOrder::ALL.map(|order| (order.name(), order)))?),
        None => None,
    };
    let words = bitboards::Words { black: black?, white: white? };
    noted(bitboards::read(words, order, size, side), place)
}

fn read_moves(place: &Place<'_>, start: Position) -> Option<Read> {
    match place.json {
        Json::String(moves) => noted(transcript::read(moves, start), place),
        Json::Array(list) => {
            let moves = place.elements(list, Place::string)?;
            noted(transcript::read_list(&moves, start), place)
        }
        other => {
            place.refuse(
                FieldCode::WrongType,
                format!("a string or an array of strings is expected, not {}", other.kind()),
            );
            None
        }
    }
}

/// The size, if one is given. `None` when a fault was noted.
fn read_size(members: &Members<'_>) -> Option<Option<Size>> {
    let Some(place) = members.get("size") else { return Some(None) };
    let side = place.integer(Range { default: None, min: 0, max: u64::from(u8::MAX) })?;
    match size_of_side(usize::try_from(side).unwrap_or(usize::MAX)) {
        Ok(size) => Some(Some(size)),
        Err(reason) => {
            place.refuse(code(&reason), reason.to_string());
            None
        }
    }
}

/// Notes the fault of a notation at its place.
fn noted(result: Result<Read, NotationError>, place: &Place<'_>) -> Option<Read> {
    let NotationError { place: inner, reason } = match result {
        Ok(read) => return Some(read),
        Err(error) => error,
    };
    let (code, message) = (code(&reason), reason.to_string());
    match inner {
        NotationPlace::Whole | NotationPlace::Line { .. } => place.refuse(code, message),
        NotationPlace::Character(index) | NotationPlace::Item(index) => {
            place.refuse_inside(index, code, message)
        }
        NotationPlace::Within { item, index } => {
            place.refuse_inside(format_args!("{item}/{index}"), code, message)
        }
        NotationPlace::Bitboard(color) => place.refuse_inside(color, code, message),
        NotationPlace::Coding => place.refuse_at("/coding", code, message),
    }
    None
}

fn code(reason: &Reason) -> FieldCode {
    match reason {
        Reason::IllegalMove { .. } => FieldCode::IllegalMove,
        Reason::UnreadForm(_) | Reason::UnreadVariant(_) => FieldCode::NotAvailable,
        Reason::CodingNotDistinct => FieldCode::Conflict,
        _ => FieldCode::InvalidPosition,
    }
}
