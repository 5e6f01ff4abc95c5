//! A Gomoku position in a request: the forms it may have.

use gomoku::color::Color;
use gomoku::notation::{
    Coding, Format, NotationError, Place as NotationPlace, Read, Reason, Terms, board, moves, read_text,
};
use gomoku::point::{Point, RowOne, Size};
use gomoku::position::Position;
use gomoku::rules::Rule;

use crate::wire::json::Json;
use crate::wire::limits::Range;
use crate::wire::position::read_coding;
use crate::wire::position_reply::AssumptionReply;
use crate::wire::problem::FieldCode;
use crate::wire::query_string::QueryFields;
use crate::wire::reader::{Members, Place, quoted};

/// The fields that give a position. They stand beside the other fields of a request.
pub const POSITION_FIELDS: [&str; 8] =
    ["moves", "board", "text", "coding", "side_to_move", "size", "rule", "row_one"];

/// How the fields of a position alone stand in a URL.
pub const IN_A_URL: QueryFields = QueryFields {
    texts: &["moves", "board", "text", "side_to_move", "rule", "row_one"],
    numbers: &["size"],
    limits: &[],
    lists: &[],
    flags: &[],
};

/// The names of the two sides.
pub const SIDES: [(&str, Color); 2] = [("black", Color::Black), ("white", Color::White)];

/// The names of the two ways to number rows.
pub const ROW_ONE: [(&str, RowOne); 2] = [("top", RowOne::Top), ("bottom", RowOne::Bottom)];

/// Rules that people ask for and that this service does not play.
const OTHER_RULES: [&str; 5] = ["caro", "connect6", "ninuki", "omok", "pente"];

/// A position as a request gave it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GomokuRead {
    /// The position, with its moves if there were any.
    pub read: Read,
    /// How the request, and so its reply, numbers rows.
    pub row_one: RowOne,
    /// What the request left open.
    pub assumed: Vec<AssumptionReply>,
}

impl GomokuRead {
    /// The position, after all moves.
    pub const fn position(&self) -> &Position {
        &self.read.position
    }

    /// A point by name, as this request numbers rows.
    pub fn name(&self, point: Point) -> String {
        point.name(self.read.position.size(), self.row_one)
    }

    /// Points by name.
    pub fn names(&self, points: &[Point]) -> Vec<String> {
        points.iter().map(|&point| self.name(point)).collect()
    }
}

/// Reads the position that a request gives. `None` when a fault was noted.
pub fn read(members: &Members<'_>) -> Option<GomokuRead> {
    // All of them are read before the first fault ends this, so that all faults are told in one answer.
    let (rule, row_one, size) = (read_rule(members), read_row_one(members), read_size(members));
    let side = members.get("side_to_move").map(|place| (place.one_of(&SIDES), place));
    if side.as_ref().is_some_and(|(side, _)| side.is_none()) {
        return None;
    }
    let side = side.and_then(|(side, _)| side);
    let (rule, row_one, size) = (rule?, row_one?, size?);
    let mut assumed = Vec::new();
    if rule.is_none() {
        let message = "no rule is given: freestyle is taken, by which five or more in a row win".to_owned();
        assumed.push(AssumptionReply { code: "rule", message });
    }
    let terms = Terms { rule: rule.unwrap_or_default(), row_one };
    let asked = Asked { terms, size, side };
    let read = match (members.get("text"), members.get("board"), members.get("moves")) {
        (Some(text), ..) => asked.text(members, &text),
        (None, Some(board), moves) => {
            let before = asked.board(members, &board, &mut assumed)?;
            match moves {
                Some(moves) => {
                    asked.moves(&moves, &before.position).map(|read| Read { format: before.format, ..read })
                }
                None => Some(before),
            }
        }
        (None, None, Some(moves)) => {
            refuse(
                members,
                &["coding", "side_to_move"],
                "only goes with `board`; with `moves` alone, black moves first",
            )?;
            asked.moves(&moves, &Position::empty(size.unwrap_or_default(), terms.rule))
        }
        (None, None, None) => {
            members.refuse(FieldCode::MissingField, "give the position as `moves`, `board` or `text`");
            None
        }
    }?;
    Some(GomokuRead { read, row_one, assumed })
}

/// Refuses these fields; `None` when one was there.
fn refuse(members: &Members<'_>, fields: &[&'static str], why: &str) -> Option<()> {
    for name in fields {
        if let Some(place) = members.get(name) {
            place.refuse(FieldCode::Conflict, why);
            return None;
        }
    }
    Some(())
}

/// The outer `None` says that a fault was noted.
fn read_rule(members: &Members<'_>) -> Option<Option<Rule>> {
    let Some(place) = members.get("rule") else { return Some(None) };
    let name = place.string()?;
    match Rule::from_name(name) {
        Ok(rule) => Some(Some(rule)),
        Err(_) => {
            let code =
                if OTHER_RULES.contains(&name) { FieldCode::NotAvailable } else { FieldCode::NotOneOf };
            let message = format!(
                "the rule {} is not supported; supported are freestyle, standard and renju",
                quoted(name)
            );
            place.refuse(code, message);
            None
        }
    }
}

fn read_row_one(members: &Members<'_>) -> Option<RowOne> {
    members.get("row_one").map_or(Some(RowOne::Top), |place| place.one_of(&ROW_ONE))
}

fn read_size(members: &Members<'_>) -> Option<Option<Size>> {
    let Some(place) = members.get("size") else { return Some(None) };
    let range = Range { default: None, min: u64::from(Size::MIN), max: u64::from(Size::MAX) };
    Some(Size::new(u8::try_from(place.integer(range)?).ok()?))
}

/// What the fields beside the position itself say.
#[derive(Debug, Clone, Copy)]
struct Asked {
    terms: Terms,
    size: Option<Size>,
    side: Option<Color>,
}

impl Asked {
    fn text(self, members: &Members<'_>, place: &Place<'_>) -> Option<Read> {
        refuse(
            members,
            &["moves", "board", "coding"],
            "does not go with `text`, which holds the whole position",
        )?;
        let read =
            noted(read_text(place.string()?, self.size.unwrap_or_default(), self.terms, self.side), place)?;
        if read.format == Format::Moves {
            refuse(
                members,
                &["side_to_move"],
                "only goes with a board; with moves alone, black moves first",
            )?;
        }
        self.same_size(members, read)
    }

    fn board(
        self,
        members: &Members<'_>,
        place: &Place<'_>,
        assumed: &mut Vec<AssumptionReply>,
    ) -> Option<Read> {
        let coding = match members.get("coding") {
            Some(coding) => {
                let [black, white, empty] = read_coding(&coding)?;
                Some(Coding { black, white, empty })
            }
            None => None,
        };
        let (cells, format) = match place.json {
            Json::String(text) => (board::read_one_text(text), Format::Board),
            Json::Array(rows) => match rows.first() {
                Some(Json::String(_)) => {
                    let texts = place.elements(rows, Place::string)?;
                    (board::read_rows(&texts), Format::Board)
                }
                Some(Json::Array(_)) => {
                    let numbers =
                        place.elements(rows, |row| row.elements(row.array()?, Place::whole_number))?;
                    (board::read_number_rows(&numbers, coding), Format::Cells)
                }
                _ => {
                    (board::read_numbers(&place.elements(rows, Place::whole_number)?, coding), Format::Cells)
                }
            },
            other => {
                let message = format!("a string or an array is expected, not {}", other.kind());
                place.refuse(FieldCode::WrongType, message);
                return None;
            }
        };
        match format {
            Format::Cells if coding.is_none() => {
                let message = "no coding is given: 0 is empty, 1 black, 2 white".to_owned();
                assumed.push(AssumptionReply { code: "coding", message });
            }
            Format::Cells => {}
            Format::Board | Format::Moves => {
                refuse(members, &["coding"], "only goes with a board of numbers")?
            }
        }
        let (size, cells) = noted(cells, place)?;
        let position = noted(board::position(size, &cells, self.terms.rule, self.side), place)?;
        self.same_size(members, Read { position, moves: Vec::new(), format })
    }

    fn same_size(self, members: &Members<'_>, read: Read) -> Option<Read> {
        let (found, said) = (read.position.size(), self.size.unwrap_or_else(|| read.position.size()));
        if let Some(place) = members.get("size").filter(|_| said != found) {
            place.refuse(FieldCode::Conflict, format!("the board is {found}, not {said}"));
            return None;
        }
        Some(read)
    }

    fn moves(self, place: &Place<'_>, start: &Position) -> Option<Read> {
        let size = start.size();
        let placed: Vec<(NotationPlace, Point)> = match place.json {
            Json::String(text) => noted(moves::read_names(text, size, self.terms), place)?
                .into_iter()
                .map(|(index, point)| (NotationPlace::Character(index), point))
                .collect(),
            Json::Array(list) => {
                let points = place.elements(list, |element| read_point(element, size, self.terms.row_one))?;
                points
                    .into_iter()
                    .enumerate()
                    .map(|(index, point)| (NotationPlace::Item(index), point))
                    .collect()
            }
            other => {
                let message = format!("a string or an array is expected, not {}", other.kind());
                place.refuse(FieldCode::WrongType, message);
                return None;
            }
        };
        let position = noted(moves::play(start, &placed, self.terms), place)?;
        Some(Read {
            position,
            moves: placed.into_iter().map(|(_, point)| point).collect(),
            format: Format::Moves,
        })
    }
}

/// A point as a name or as column and row from 0.
pub fn read_point(place: &Place<'_>, size: Size, row_one: RowOne) -> Option<Point> {
    let refused = |message: String| {
        place.refuse(FieldCode::InvalidPosition, message);
        None
    };
    match place.json {
        Json::String(name) => {
            Point::parse(name.trim(), size, row_one).map_or_else(|error| refused(error.to_string()), Some)
        }
        Json::Array(pair) => {
            let numbers = place.elements(pair, Place::whole_number)?;
            let [x, y] = numbers[..] else {
                return refused(format!("column and row are two numbers, not {}", numbers.len()));
            };
            moves::at_column_and_row(x, y, size).map_or_else(|reason| refused(reason.to_string()), Some)
        }
        other => {
            let message = format!("a name such as `h8`, or [column, row], is expected, not {}", other.kind());
            place.refuse(FieldCode::WrongType, message);
            None
        }
    }
}

/// Notes the fault of a notation at its place.
fn noted<T>(result: Result<T, NotationError>, place: &Place<'_>) -> Option<T> {
    let NotationError { place: inner, reason } = match result {
        Ok(read) => return Some(read),
        Err(error) => error,
    };
    let message = reason.to_string();
    match (&reason, inner) {
        (Reason::SideOpen { .. }, _) => place.refuse_at("/side_to_move", FieldCode::MissingField, message),
        (Reason::CodingNotDistinct, _) => place.refuse_at("/coding", FieldCode::Conflict, message),
        (_, NotationPlace::Whole) => place.refuse(code(&reason), message),
        (_, NotationPlace::Character(index) | NotationPlace::Item(index)) => {
            place.refuse_inside(index, code(&reason), message);
        }
        (_, NotationPlace::Within { item, index }) => {
            place.refuse_inside(format_args!("{item}/{index}"), code(&reason), message);
        }
    }
    None
}

const fn code(reason: &Reason) -> FieldCode {
    match reason {
        Reason::IllegalMove { .. } => FieldCode::IllegalMove,
        _ => FieldCode::InvalidPosition,
    }
}
