//! What a client reads of the service's answers. Fields that it does not know are left: the contract may grow.

use serde::Deserialize;

/// An analysis of Othello.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Analysis {
    /// The position as understood.
    pub position: Position,
    /// Whether this is the last word.
    #[serde(rename = "final")]
    pub is_final: bool,
    /// The move to play, or `pass`; `None` when the game is over.
    pub best_move: Option<String>,
    /// Its value; `None` when time ran out before any was found.
    pub score: Option<Score>,
    /// The asked moves, best first.
    pub moves: Vec<AnalysedMove>,
    /// How the game ended; `None` while it goes on.
    pub result: Option<GameResult>,
    /// What the search did.
    pub search: Search,
    /// How scores are to be read.
    pub scoring: Scoring,
    /// What the question left open.
    pub assumed: Vec<Assumption>,
}

/// A position as understood.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Position {
    /// The board row by row from `a1`: `X` black, `O` white, `-` empty.
    pub board: String,
    /// Who is to move.
    pub side_to_move: Side,
    /// Empty squares.
    pub empties: u32,
    /// Discs of each colour.
    pub discs: Discs,
    /// Whether the game goes on.
    pub status: Status,
    /// The named opening.
    pub opening: Option<Opening>,
}

/// A colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The first mover.
    Black,
    /// The other side.
    White,
}

/// Whether the game goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The side to move has a legal move.
    InProgress,
    /// Only the other side has one.
    MustPass,
    /// Neither side has one.
    Finished,
}

/// Discs of each colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct Discs {
    /// Black discs.
    pub black: u32,
    /// White discs.
    pub white: u32,
}

/// A named opening.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Opening {
    /// Its name.
    pub name: String,
}

/// A value with everything needed to know how sure it is.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub struct Score {
    /// What the value means.
    pub kind: Kind,
    /// Disc difference at the end for the side to move; `None` for a sign.
    pub discs: Option<f64>,
    /// 1, 0 or -1; only for a sign.
    pub sign: Option<i8>,
    /// How the true value relates to the one given.
    pub bound: Bound,
}

/// What a value means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Proven to the end of the game.
    Exact,
    /// A heuristic estimate.
    Estimate,
    /// Proven winner only.
    Sign,
}

/// How the true value relates to the one given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// Equal.
    Exact,
    /// At least the one given.
    Lower,
    /// At most the one given.
    Upper,
}

/// One move with its value.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct AnalysedMove {
    /// The square, or `pass`.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its value, if it was reached.
    pub score: Option<Score>,
    /// What it loses against the best move, in discs.
    pub loss: Option<f64>,
    /// The line behind the value, this move first.
    pub principal_variation: Vec<String>,
    /// Positions visited for it.
    pub nodes: u64,
}

/// How a finished game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct GameResult {
    /// Who won.
    pub winner: Winner,
    /// Discs on the board.
    pub discs: Discs,
    /// By how many discs.
    pub margin: u32,
}

/// Who won.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Winner {
    /// Black.
    Black,
    /// White.
    White,
    /// Nobody.
    Draw,
}

/// What the search did.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Search {
    /// Depth of the last finished iteration, plies.
    pub depth: u8,
    /// Confidence of the last finished iteration, percent.
    pub selectivity_percent: u8,
    /// Positions visited.
    pub nodes: u64,
    /// Milliseconds from the arrival of the request; `None` in deterministic answers.
    pub elapsed_ms: Option<u64>,
    /// Why it ended; `None` while it goes on.
    pub stop_reason: Option<String>,
}

/// How scores are to be read.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Scoring {
    /// Who owns empty squares at the end: `winner` or `nobody`.
    pub empties: String,
}

/// Something that the question left open.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Assumption {
    /// How it was taken, as a sentence.
    pub message: String,
}

/// A problem body (RFC 9457).
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Problem {
    /// The code, from a closed list.
    pub code: String,
    /// The HTTP status.
    pub status: u16,
    /// What went wrong this time.
    pub detail: String,
    /// When to try again, in milliseconds.
    pub retry_after_ms: Option<u64>,
}
