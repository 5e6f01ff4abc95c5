//! The searches that choose moves and give labels.

use std::sync::Arc;

use othello::board::{Board, Size};
use othello::position::{Color, EmptiesRule, Position};
use othello::query::{Goal, Query, Selectivity, Value};
use othello::search::root::OthelloSearch;
use othello::search::table::Table;
use othello::square::Move;
use searchkit::clock::StoppedClock;
use searchkit::crew;
use searchkit::stop::StopFlag;

/// Table of a labelling search: small, so that a new search finds it in the cache.
const TABLE_BYTES: usize = 4 << 20;

/// How far a search goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// So many plies, without or with pruning on estimates.
    Plies(u8, Selectivity),
    /// To the end of the game.
    Exact,
}

/// The outcome of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    /// The best move.
    pub best: Move,
    /// Value for the side to move, hundredths of a disc.
    pub centidiscs: i16,
}

/// Searches one position after another on the same table.
pub struct Searcher {
    table: Arc<Table>,
}

impl Searcher {
    /// A searcher with an empty table.
    pub fn new() -> Self {
        Self { table: Arc::new(Table::new(TABLE_BYTES)) }
    }

    /// The best move and the value of a position whose side to move has a legal move.
    pub fn search(&self, board: Board, reach: Reach) -> Found {
        let position = Position::new(Size::Eight, board.player, board.opponent, Color::Black)
            .expect("a position of a game has no overlapping discs");
        let (depth, exact_from_empties, selectivity) = match reach {
            Reach::Plies(plies, selectivity) => (Some(plies), 0, selectivity),
            Reach::Exact => (None, 60, Selectivity::Full),
        };
        let query = Query {
            position,
            goal: Goal::BestMove,
            root_moves: None,
            depth,
            nodes: None,
            exact_from_empties,
            selectivity,
            empties_rule: EmptiesRule::Winner,
            threads: 1,
        };
        let search = OthelloSearch::new(query, Arc::clone(&self.table));
        let answer = crew::run(&search, 1, &StoppedClock, None, &StopFlag::new(), &|_| {});
        let first = answer.moves.first().expect("the side to move has a legal move");
        let centidiscs = match first.score.expect("a search without a limit of time gives a value").value {
            Value::Exact { discs } => i16::from(discs) * 100,
            Value::Estimate { centidiscs } => centidiscs,
            Value::Sign { .. } => unreachable!("the goal asks for a value"),
        };
        Found { best: first.mv, centidiscs }
    }
}
