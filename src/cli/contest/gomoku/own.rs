//! This engine as a Gomoku player, in this process.

use std::sync::Arc;
use std::time::{Duration, Instant};

use contest::player::{Fault, Player};
use gomoku::level;
use gomoku::position::Position;
use gomoku::query::{Goal, Query};
use gomoku::search::table::Table;
use gomoku::search::techniques::Techniques;
use gomoku::search::{self, GomokuSearch};
use searchkit::clock::{Clock, MonotonicClock};
use searchkit::crew;
use searchkit::level::Level;
use searchkit::stop::StopFlag;

use super::{Board, Stone};

/// How strong this engine plays. The first limit reached ends a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Strength {
    /// A level instead of depth and nodes; time still bounds it.
    pub level: Option<Level>,
    /// Which slips a level makes.
    pub seed: u64,
    /// Time a move.
    pub time: Option<Duration>,
    /// Nodes a move.
    pub nodes: Option<u64>,
    /// Depth in plies.
    pub depth: Option<u8>,
    /// Threads.
    pub threads: usize,
    /// Size of the transposition table, in MiB.
    pub table_mib: usize,
    /// What the search may use.
    pub techniques: Techniques,
}

impl Strength {
    fn query(&self, position: &Position) -> Query {
        if let Some(level) = self.level {
            return level::strength(level).query(position.clone(), Goal::BestMove);
        }
        Query {
            position: position.clone(),
            goal: Goal::BestMove,
            root_moves: None,
            depth: self.depth,
            nodes: self.nodes,
            techniques: self.techniques,
            threads: self.threads,
        }
    }
}

/// This engine at the board.
pub struct OwnPlayer {
    strength: Strength,
    table: Arc<Table>,
    clock: MonotonicClock,
    /// That of the game at hand, so that the games of a match differ.
    seed: u64,
}

impl OwnPlayer {
    /// A player of this strength with a table of its own.
    pub fn new(strength: Strength) -> Self {
        let table = Arc::new(Table::new(strength.table_mib << 20));
        let seed = strength.seed;
        Self { strength, table, clock: MonotonicClock::new(), seed }
    }
}

impl Player<Board> for OwnPlayer {
    fn begin(&mut self) -> Result<(), Fault> {
        self.table.new_generation();
        self.seed = self.seed.wrapping_add(1);
        Ok(())
    }

    fn hear(&mut self, _: &Board, _: &Stone) -> Result<(), Fault> {
        Ok(())
    }

    fn choose(&mut self, Board(position): &Board, _: Option<Instant>) -> Result<Stone, Fault> {
        let strength = &self.strength;
        // A level that slips may overlook even the only move that holds.
        let thinks = strength.level.is_none();
        if let Some(only) = search::only_move(position).filter(|_| thinks) {
            return Ok(Stone(only));
        }
        let query = strength.query(position);
        let search = GomokuSearch::new(&query, Arc::clone(&self.table));
        let deadline = strength.time.map(|time| self.clock.now() + time);
        let snapshot = crew::run(&search, query.threads, &self.clock, deadline, &StopFlag::new(), &|_| {});
        let none = || Fault::Garbled("no move in a position that has some".to_owned());
        let choice = match strength.level {
            Some(level) => level::strength(level).choose(position, &snapshot.moves, self.seed),
            None => snapshot.best_move(),
        };
        choice.map(Stone).ok_or_else(none)
    }
}
