//! What a game tells about itself.

use std::fmt::{Debug, Display};

/// One of the two sides, by who moves first in the game's start position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// Moves first (black in Othello and Gomoku).
    First,
    /// Moves second.
    Second,
}

impl Side {
    /// The other side.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// A margin of the first side, seen from this one.
    pub const fn sees(self, margin: i32) -> i32 {
        match self {
            Self::First => margin,
            Self::Second => -margin,
        }
    }
}

/// A position of a game, with everything that its rules need.
pub trait Game: Clone + Send + Sync {
    /// A move as players name it.
    type Move: Clone + PartialEq + Debug + Display + Send + Sync;

    /// The side to move. Not asked of a finished game.
    fn turn(&self) -> Side;

    /// The position after a move.
    ///
    /// # Errors
    /// Why the rules do not allow it, in words.
    fn play(&self, mv: &Self::Move) -> Result<Self, String>;

    /// What the first side has won by when the game is over: discs, or 1, 0 and -1 where only the winner counts.
    fn outcome(&self) -> Option<i32>;

    /// A move that leaves no choice and that the referee therefore makes itself, such as a forced pass.
    fn forced(&self) -> Option<Self::Move>;

    /// What the other side wins by when a side forfeits the game, at least 1.
    fn forfeit(&self) -> i32;
}
