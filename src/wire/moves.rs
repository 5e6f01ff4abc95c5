//! Legal moves and play: requests and replies.

use othello::notation::Read;
use othello::notation::print::BoardText;
use othello::position::{EmptiesRule, Position, Status};
use othello::square::{Move, Square, Squares};
use serde::{Serialize, Serializer};
use utoipa::ToSchema;

use super::json::Json;
use super::position::{self, POSITION_FIELDS};
use super::position_reply::{
    AssumptionReply, PositionReply, ResultReply, SideReply, StatusReply, assumed, names, result,
};
use super::problem::FieldError;
use super::reader::document;

/// Reads a request that is a position and nothing else.
///
/// # Errors
/// All faults found, each at its place.
pub fn read_position(json: &Json) -> Result<Read, Vec<FieldError>> {
    document(json, |root| position::read(&root.object(&POSITION_FIELDS)?))
}

/// Reads a play request: a position with `moves`.
///
/// # Errors
/// All faults found, each at its place.
pub fn read_play(json: &Json) -> Result<Read, Vec<FieldError>> {
    document(json, |root| {
        let members = root.object(&POSITION_FIELDS)?;
        if !members.has("moves") && !members.has("text") {
            members.missing("moves", "the moves to play are needed");
            return None;
        }
        position::read(&members)
    })
}

/// `POST /v1/othello/legal-moves`.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct LegalMovesReply {
    /// The position as understood.
    pub position: PositionReply,
    /// Whether the game goes on; with `must_pass` the only move is `pass`, which is not listed.
    pub status: StatusReply,
    /// The squares where the side to move may place a disc, by index.
    pub moves: Vec<LegalMoveReply>,
    /// How the game ended; `null` while it goes on.
    pub result: Option<ResultReply>,
    /// What the request left open.
    pub assumed: Vec<AssumptionReply>,
}

/// One legal move.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct LegalMoveReply {
    /// The square.
    #[serde(rename = "move", serialize_with = "square_name")]
    #[schema(value_type = String, example = "f5")]
    pub mv: Square,
    /// `row * 8 + col`, on smaller boards too.
    #[schema(maximum = 63)]
    pub index: u8,
    /// Row from the top, from 0.
    #[schema(maximum = 7)]
    pub row: u8,
    /// Column from the left, from 0.
    #[schema(maximum = 7)]
    pub col: u8,
    /// The discs it turns, by index.
    #[serde(serialize_with = "square_names")]
    #[schema(value_type = Vec<String>)]
    pub flips: u64,
    /// The board after it.
    #[serde(serialize_with = "board_text")]
    #[schema(value_type = String)]
    pub board_after: Position,
    /// Who is to move after it (who may have to pass).
    pub side_after: SideReply,
}

// A position has some ten legal moves, each with a board and a list. They are written straight into the answer.

fn square_name<S: Serializer>(square: &Square, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(square.name())
}

fn square_names<S: Serializer>(squares: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(Squares(*squares).map(Square::name))
}

fn board_text<S: Serializer>(position: &Position, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(BoardText::of(*position).as_str())
}

/// `POST /v1/othello/play`.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct PlayReply {
    /// The position after the moves.
    pub position: PositionReply,
    /// The moves played, passes included.
    #[schema(example = json!(["f5", "d6"]))]
    pub played: Vec<String>,
    /// Indices in `played` of the passes that were not written.
    pub passes_added: Vec<usize>,
    /// How the game ended; `null` while it goes on.
    pub result: Option<ResultReply>,
    /// What the request left open.
    pub assumed: Vec<AssumptionReply>,
}

impl From<&Read> for LegalMovesReply {
    fn from(read: &Read) -> Self {
        let position = read.position;
        let moves = Squares(position.moves())
            .map(|square| {
                let after = position.play(Move::Place(square)).expect("the square is one of the legal moves");
                LegalMoveReply {
                    mv: square,
                    index: square.index(),
                    row: square.row(),
                    col: square.column(),
                    flips: position.flips(square),
                    board_after: after,
                    side_after: after.side().into(),
                }
            })
            .collect();
        let status: Status = position.status();
        Self {
            position: PositionReply::from(read),
            status: status.into(),
            moves,
            result: result(position, EmptiesRule::Winner),
            assumed: assumed(read),
        }
    }
}

impl From<&Read> for PlayReply {
    fn from(read: &Read) -> Self {
        Self {
            position: PositionReply::from(read),
            played: names(&read.moves),
            passes_added: read.passes_added.clone(),
            result: result(read.position, EmptiesRule::Winner),
            assumed: assumed(read),
        }
    }
}
