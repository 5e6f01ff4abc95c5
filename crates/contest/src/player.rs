//! What a player does, and how it can fail.

use std::time::Instant;

use crate::game::Game;

/// Why a player loses a game without having been beaten.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The rules do not allow its move.
    #[error("illegal move: {0}")]
    IllegalMove(String),
    /// It had not answered when its time was over.
    #[error("no answer in time")]
    TimedOut,
    /// It said something that the protocol does not allow.
    #[error("not understood: {0}")]
    Garbled(String),
    /// It could not be started, or ended in the middle of a game.
    #[error("crashed: {0}")]
    Crashed(String),
}

/// Kinds of faults, for counting them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// See [`Fault::IllegalMove`].
    IllegalMove,
    /// See [`Fault::TimedOut`].
    TimedOut,
    /// See [`Fault::Garbled`].
    Garbled,
    /// See [`Fault::Crashed`].
    Crashed,
}

impl FaultKind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::IllegalMove, Self::TimedOut, Self::Garbled, Self::Crashed];

    /// The kind's name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::IllegalMove => "illegal_moves",
            Self::TimedOut => "timeouts",
            Self::Garbled => "garbled",
            Self::Crashed => "crashes",
        }
    }
}

impl Fault {
    /// Which kind it is.
    pub const fn kind(&self) -> FaultKind {
        match self {
            Self::IllegalMove(_) => FaultKind::IllegalMove,
            Self::TimedOut => FaultKind::TimedOut,
            Self::Garbled(_) => FaultKind::Garbled,
            Self::Crashed(_) => FaultKind::Crashed,
        }
    }

    /// Whether the player can go on to another game as it is; otherwise it has to be made anew.
    pub const fn is_recoverable(&self) -> bool {
        matches!(self, Self::IllegalMove(_))
    }
}

/// One side of a game. It is told of every move, its own included, and asked for its moves.
pub trait Player<G: Game>: Send {
    /// Begins a new game from the game's start position.
    ///
    /// # Errors
    /// When the player cannot.
    fn begin(&mut self) -> Result<(), Fault>;

    /// Hears of a legal move in `position`: one of the opening, of the opponent, forced, or its own last choice.
    ///
    /// # Errors
    /// When the player cannot follow.
    fn hear(&mut self, position: &G, mv: &G::Move) -> Result<(), Fault>;

    /// Chooses a move in `position`, which it has been led to by [`hear`](Self::hear). The choice counts only after it
    /// has been heard.
    ///
    /// # Errors
    /// When there is no choice by the deadline, or none that can be read.
    fn choose(&mut self, position: &G, deadline: Option<Instant>) -> Result<G::Move, Fault>;
}
