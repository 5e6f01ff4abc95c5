//! A position with colours and a board size: what the world outside the search talks about.

use std::fmt;

use crate::board::{Board, Size};
use crate::square::{Move, Square};

/// The two colours. Black moves first in the standard start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Color {
    /// Black, the first mover.
    Black,
    /// White.
    White,
}

impl Color {
    /// The other colour.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Black => "black",
            Self::White => "white",
        })
    }
}

/// Whether the game goes on, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// The side to move has a legal move.
    InProgress,
    /// Only the other side has a legal move.
    MustPass,
    /// Neither side has a legal move.
    Finished,
}

/// Who owns the squares that are empty when the game ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum EmptiesRule {
    /// The winner (half each in a draw): tournament rules, WTHOR, FFO.
    #[default]
    Winner,
    /// Nobody: only discs on the board count.
    Nobody,
}

impl EmptiesRule {
    /// Final score in discs for the side with `own` discs against `other`, with `empties` squares empty:
    /// -64..=64.
    pub const fn score(self, own: i32, other: i32, empties: i32) -> i32 {
        let margin = own - other;
        match self {
            Self::Winner => margin + margin.signum() * empties,
            Self::Nobody => margin,
        }
    }
}

/// A board of some size with the colour of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    board: Board,
    side: Color,
    size: Size,
}

/// A move that the rules do not allow here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum IllegalMove {
    /// The square lies outside a board of this size.
    #[error("{0} is not on the board")]
    OffBoard(Square),
    /// A disc lies there already.
    #[error("{0} is occupied")]
    Occupied(Square),
    /// The disc would turn nothing.
    #[error("{0} turns no disc")]
    TurnsNothing(Square),
    /// A pass while a legal move exists.
    #[error("a pass is only allowed when there is no legal move")]
    PassWithMoves,
    /// Neither side can move.
    #[error("the game is over")]
    GameOver,
}

impl Position {
    /// The standard start, black to move.
    pub const fn start(size: Size) -> Self {
        Self { board: Board::start(size), side: Color::Black, size }
    }

    /// A position from its discs. `None` when the colours overlap or a disc lies outside the board.
    pub const fn new(size: Size, black: u64, white: u64, side: Color) -> Option<Self> {
        if black & white != 0 || (black | white) & !size.cells() != 0 {
            return None;
        }
        let board = match side {
            Color::Black => Board { player: black, opponent: white },
            Color::White => Board { player: white, opponent: black },
        };
        Some(Self { board, side, size })
    }

    /// The discs seen from the side to move.
    pub const fn board(self) -> Board {
        self.board
    }

    /// The side to move.
    pub const fn side(self) -> Color {
        self.side
    }

    /// The size of the board.
    pub const fn size(self) -> Size {
        self.size
    }

    /// The discs of one colour.
    pub fn discs(self, color: Color) -> u64 {
        if color == self.side { self.board.player } else { self.board.opponent }
    }

    /// The empty cells.
    pub const fn empty(self) -> u64 {
        self.size.cells() & !self.board.occupied()
    }

    /// The cells on which the side to move may place a disc.
    pub fn moves(self) -> u64 {
        self.board.moves(self.size)
    }

    /// Whether the game goes on.
    pub fn status(self) -> Status {
        if self.moves() != 0 {
            Status::InProgress
        } else if self.board.pass().moves(self.size) != 0 {
            Status::MustPass
        } else {
            Status::Finished
        }
    }

    /// The discs that a disc on `square` would turn; 0 when that move is illegal.
    pub fn flips(self, square: Square) -> u64 {
        if square.bit() & self.empty() == 0 { 0 } else { self.board.flips(square) }
    }

    /// The position after one move.
    ///
    /// # Errors
    /// When the rules do not allow the move here.
    pub fn play(self, mv: Move) -> Result<Self, IllegalMove> {
        let board = match (mv, self.status()) {
            (_, Status::Finished) => return Err(IllegalMove::GameOver),
            (Move::Pass, Status::InProgress) => return Err(IllegalMove::PassWithMoves),
            (Move::Pass, Status::MustPass) => self.board.pass(),
            (Move::Place(square), _) => {
                if square.bit() & self.size.cells() == 0 {
                    return Err(IllegalMove::OffBoard(square));
                }
                if square.bit() & self.board.occupied() != 0 {
                    return Err(IllegalMove::Occupied(square));
                }
                let flips = self.board.flips(square);
                if flips == 0 {
                    return Err(IllegalMove::TurnsNothing(square));
                }
                self.board.after(square.bit(), flips)
            }
        };
        Ok(Self { board, side: self.side.other(), size: self.size })
    }

    /// Disc difference for the side to move if the game ended now, under this rule for empty squares.
    pub const fn final_score(self, rule: EmptiesRule) -> i32 {
        let own = self.board.player.count_ones() as i32;
        let other = self.board.opponent.count_ones() as i32;
        rule.score(own, other, self.empty().count_ones() as i32)
    }
}
