//! This engine as a player, in this process.

use std::time::Instant;

use contest::player::{Fault, Player};
use othello::query::Goal;
use othello::square::Move;
use searchkit::stop::StopFlag;

use super::game::Othello;
use crate::cli::thinking::{Strength, Thinker};

/// This engine at the board.
pub struct OwnPlayer {
    strength: Strength,
    thinker: Thinker,
}

impl OwnPlayer {
    /// A player of this strength with a table of its own of so many MiB.
    pub fn new(strength: &Strength, table_mib: usize) -> Self {
        Self { strength: strength.clone(), thinker: Thinker::new(table_mib) }
    }
}

impl Player<Othello> for OwnPlayer {
    fn begin(&mut self) -> Result<(), Fault> {
        Ok(())
    }

    fn hear(&mut self, _: &Othello, _: &Move) -> Result<(), Fault> {
        Ok(())
    }

    fn choose(&mut self, &Othello(position): &Othello, _: Option<Instant>) -> Result<Move, Fault> {
        let thought =
            self.thinker.think(position, Goal::BestMove, &self.strength, None, &StopFlag::new(), &|_| {});
        thought.choice.ok_or_else(|| Fault::Garbled("no move in a position that has some".to_owned()))
    }
}
