//! The one form in which every Gomoku reply echoes the position it understood.

use gomoku::color::Color;
use gomoku::notation::board;
use gomoku::point::RowOne;
use gomoku::position::{Position, Status};
use gomoku::symmetry::Symmetry;
use serde::Serialize;
use utoipa::ToSchema;

use super::position::GomokuRead;
use crate::wire::position_reply::SideReply;

/// A Gomoku position as understood.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = GomokuPosition)]
pub struct GomokuPositionReply {
    /// The board, one text a row from the first: `X` black, `O` white, `.` empty.
    #[schema(example = json!([".....", "..X..", "..O..", ".....", "....."]))]
    pub board: Vec<String>,
    /// Points along one side.
    #[schema(minimum = 5, maximum = 20)]
    pub size: u8,
    /// `freestyle`, `standard` or `renju`.
    #[schema(example = "freestyle")]
    pub rule: &'static str,
    /// Which end of the board row 1 is at: `top` (the first row) or `bottom`.
    #[schema(example = "top")]
    pub row_one: &'static str,
    /// Who is to move.
    pub side_to_move: SideReply,
    /// Stones on the board.
    pub ply: u16,
    /// Empty points.
    pub empties: usize,
    /// Stones of each colour.
    pub stones: StonesReply,
    /// Whether the game goes on.
    pub status: GomokuStatusReply,
    /// Names the position, rule included: equal ids are equal positions.
    pub position_id: String,
    /// Names the position up to the eight symmetries.
    pub canonical_id: String,
    /// The form that the position was read from: `moves`, `board` or `cells`.
    #[schema(example = "moves")]
    pub format: &'static str,
}

/// Stones of each colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Stones)]
pub struct StonesReply {
    /// Black stones.
    pub black: usize,
    /// White stones.
    pub white: usize,
}

/// Whether a game of Gomoku goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = GomokuStatus)]
pub enum GomokuStatusReply {
    /// The side to move has a legal move.
    InProgress,
    /// Somebody has five, or no legal move is left.
    Finished,
}

/// How a finished game of Gomoku ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = GomokuResult)]
pub struct GomokuResultReply {
    /// Who won.
    pub winner: GomokuWinner,
    /// By what.
    pub reason: EndReason,
    /// The winning row, in order along its line; empty without one.
    #[schema(example = json!(["h5", "h6", "h7", "h8", "h9"]))]
    pub row: Vec<String>,
}

/// Who won a game of Gomoku.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum GomokuWinner {
    /// The first mover.
    Black,
    /// The other side.
    White,
    /// Nobody.
    Draw,
}

/// What ended a game of Gomoku.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = GomokuEnd)]
pub enum EndReason {
    /// A winning row.
    Five,
    /// The board is full.
    BoardFull,
    /// Renju: every empty point is forbidden to black, who is to move.
    NoLegalMove,
}

impl From<Color> for SideReply {
    fn from(color: Color) -> Self {
        match color {
            Color::Black => Self::Black,
            Color::White => Self::White,
        }
    }
}

impl From<Status> for GomokuStatusReply {
    fn from(status: Status) -> Self {
        match status {
            Status::InProgress => Self::InProgress,
            Status::Won(_) | Status::Draw | Status::NoLegalMove => Self::Finished,
        }
    }
}

impl From<&GomokuRead> for GomokuPositionReply {
    fn from(read: &GomokuRead) -> Self {
        let position = read.position();
        let stones = |color| position.grid().stones(color).count();
        Self {
            board: board::rows(position),
            size: position.size().get(),
            rule: position.rule().name(),
            row_one: match read.row_one {
                RowOne::Top => "top",
                RowOne::Bottom => "bottom",
            },
            side_to_move: position.side().into(),
            ply: position.stones(),
            empties: position.size().area() - usize::from(position.stones()),
            stones: StonesReply { black: stones(Color::Black), white: stones(Color::White) },
            status: position.status().into(),
            position_id: id(position),
            canonical_id: id(&Symmetry::canonical(position).0),
            format: read.read.format.name(),
        }
    }
}

/// The result of a finished game; `None` while it goes on.
pub fn result(read: &GomokuRead) -> Option<GomokuResultReply> {
    let position = read.position();
    let status = position.status();
    let reason = match status {
        Status::InProgress => return None,
        Status::Won(_) => EndReason::Five,
        Status::Draw => EndReason::BoardFull,
        Status::NoLegalMove => EndReason::NoLegalMove,
    };
    let winner = match status.winner() {
        Some(Color::Black) => GomokuWinner::Black,
        Some(Color::White) => GomokuWinner::White,
        None => GomokuWinner::Draw,
    };
    Some(GomokuResultReply { winner, reason, row: read.names(&position.winning_row().unwrap_or_default()) })
}

/// Size, rule, side to move, then four points a digit pair: no two positions share it.
fn id(position: &Position) -> String {
    let side = match position.side() {
        Color::Black => 'b',
        Color::White => 'a',
    };
    let mut id = format!("{:02x}{}{side}", position.size().get(), position.rule() as u8);
    let cells = format!("{:?}", position.grid()).replace('/', "");
    for four in cells.as_bytes().chunks(4) {
        let code = four.iter().fold(0_u8, |code, cell| {
            code << 2
                | match cell {
                    b'X' => 1,
                    b'O' => 2,
                    _ => 0,
                }
        });
        id.push_str(&format!("{code:02x}"));
    }
    id
}
