//! The one form in which every reply echoes the position it understood.

use othello::notation::{Assumption, Read, print};
use othello::openings::{self, Opening};
use othello::position::{Color, EmptiesRule, Position, Status};
use othello::square::Move;
use othello::symmetry::Symmetry;
use serde::Serialize;
use utoipa::ToSchema;

/// A position as understood.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct PositionReply {
    /// The board row by row from `a1`: `X` black, `O` white, `-` empty; 64, 36 or 16 characters.
    #[schema(example = "--------------------------XXX-----OXX------XO-------------------")]
    pub board: String,
    /// Who is to move.
    pub side_to_move: SideReply,
    /// Discs placed since the start: those on the board less four.
    pub ply: u32,
    /// Empty squares.
    pub empties: u32,
    /// Discs of each colour.
    pub discs: DiscsReply,
    /// Whether the game goes on.
    pub status: StatusReply,
    /// Names the position: equal ids are equal positions.
    pub position_id: String,
    /// Names the position up to the eight symmetries.
    pub canonical_id: String,
    /// The named opening that the game is in; `null` when it has no name.
    pub opening: Option<OpeningReply>,
    /// The form that the position was read from.
    #[schema(example = "transcript")]
    pub format: &'static str,
    /// The board as rows of text, top row first; only with `include: ["position"]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    pub rows: Option<Vec<String>>,
}

/// A colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Side)]
pub enum SideReply {
    /// The first mover.
    Black,
    /// The other side.
    White,
}

/// Discs of each colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Discs)]
pub struct DiscsReply {
    /// Black discs.
    pub black: u32,
    /// White discs.
    pub white: u32,
}

/// Whether the game goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = PositionStatus)]
pub enum StatusReply {
    /// The side to move has a legal move.
    InProgress,
    /// Only the other side has one.
    MustPass,
    /// Neither side has one.
    Finished,
}

/// A named opening.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Opening)]
pub struct OpeningReply {
    /// Its name.
    #[schema(example = "Tiger")]
    pub name: &'static str,
    /// The moves that the name stands for.
    #[schema(example = "f5d6c3d3c4")]
    pub moves: &'static str,
}

/// How a finished game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = GameResult)]
pub struct ResultReply {
    /// Who won.
    pub winner: WinnerReply,
    /// Discs on the board.
    pub discs: DiscsReply,
    /// By how many discs the winner won, under the rule for empty squares that applies (`winner` unless asked
    /// otherwise); 0 in a draw.
    pub margin: u32,
}

/// Who won.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Winner)]
pub enum WinnerReply {
    /// Black has more discs.
    Black,
    /// White has more discs.
    White,
    /// Both have as many.
    Draw,
}

/// Something that the request left open, and how it was taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Assumption)]
pub struct AssumptionReply {
    /// A stable name.
    #[schema(example = "black_to_move")]
    pub code: &'static str,
    /// The same as a sentence.
    pub message: String,
}

impl From<Color> for SideReply {
    fn from(color: Color) -> Self {
        match color {
            Color::Black => Self::Black,
            Color::White => Self::White,
        }
    }
}

impl From<Status> for StatusReply {
    fn from(status: Status) -> Self {
        match status {
            Status::InProgress => Self::InProgress,
            Status::MustPass => Self::MustPass,
            Status::Finished => Self::Finished,
        }
    }
}

impl From<&Assumption> for AssumptionReply {
    fn from(assumption: &Assumption) -> Self {
        Self { code: assumption.code(), message: assumption.to_string() }
    }
}

impl From<&Read> for PositionReply {
    fn from(read: &Read) -> Self {
        let position = read.position;
        let occupied = position.board().occupied().count_ones();
        Self {
            board: print::board(position),
            side_to_move: position.side().into(),
            ply: occupied.saturating_sub(4),
            empties: position.empty().count_ones(),
            discs: discs(position),
            status: position.status().into(),
            position_id: id(position),
            canonical_id: canonical_id(position),
            opening: opening(read).map(|Opening { name, moves }| OpeningReply { name, moves }),
            format: read.format.name(),
            rows: None,
        }
    }
}

/// What a request left open, as a reply lists it.
pub fn assumed(read: &Read) -> Vec<AssumptionReply> {
    read.assumed.iter().map(AssumptionReply::from).collect()
}

/// The result of a finished game; `None` while it goes on.
pub fn result(position: Position, rule: EmptiesRule) -> Option<ResultReply> {
    if position.status() != Status::Finished {
        return None;
    }
    let own = position.final_score(rule);
    let winner = match (own.signum(), position.side()) {
        (0, _) => WinnerReply::Draw,
        (1, Color::Black) | (-1, Color::White) => WinnerReply::Black,
        _ => WinnerReply::White,
    };
    Some(ResultReply { winner, discs: discs(position), margin: own.unsigned_abs() })
}

/// Moves by name.
pub fn names(moves: &[Move]) -> Vec<String> {
    moves.iter().map(Move::to_string).collect()
}

fn discs(position: Position) -> DiscsReply {
    DiscsReply {
        black: position.discs(Color::Black).count_ones(),
        white: position.discs(Color::White).count_ones(),
    }
}

fn opening(read: &Read) -> Option<Opening> {
    if read.moves.is_empty() {
        openings::of_position(read.position)
    } else {
        openings::of_game(read.start, &read.moves)
    }
}

/// Both bitboards, the side to move and the side length as hexadecimal digits: no two positions share it.
fn id(position: Position) -> String {
    let side = match position.side() {
        Color::Black => 'b',
        Color::White => 'a',
    };
    let (black, white) = (position.discs(Color::Black), position.discs(Color::White));
    let mut id = String::with_capacity(2 * 16 + 2);
    push_hex(&mut id, black);
    push_hex(&mut id, white);
    id.push(char::from(b'0' + position.size().side()));
    id.push(side);
    id
}

/// Appends 16 hexadecimal digits. Every answer has four such words, and `format!` takes several times as long.
fn push_hex(text: &mut String, word: u64) {
    text.extend((0..16).rev().map(|digit| {
        let value = (word >> (4 * digit) & 0xF) as u32;
        char::from_digit(value, 16).expect("four bits are one digit")
    }));
}

fn canonical_id(position: Position) -> String {
    let (size, side) = (position.size(), position.side());
    let (board, _) = Symmetry::canonical(position.board(), size);
    let (black, white) = match side {
        Color::Black => (board.player, board.opponent),
        Color::White => (board.opponent, board.player),
    };
    id(Position::new(size, black, white, side).expect("a symmetry keeps discs apart and on the board"))
}
