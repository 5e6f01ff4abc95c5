//! Legal moves and play: requests and replies.

use othello::notation::{Read, print};
use othello::position::{EmptiesRule, Status};
use othello::square::{Move, Squares};
use serde::Serialize;
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
    #[serde(rename = "move")]
    #[schema(example = "f5")]
    pub mv: String,
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
    pub flips: Vec<String>,
    /// The board after it.
    pub board_after: String,
    /// Who is to move after it (who may have to pass).
    pub side_after: SideReply,
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
                    mv: square.to_string(),
                    index: square.index(),
                    row: square.row(),
                    col: square.column(),
                    flips: Squares(position.flips(square)).map(|flipped| flipped.to_string()).collect(),
                    board_after: print::board(after),
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
