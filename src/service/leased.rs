//! A search that takes its table when it is first worked on, so that waiting requests hold no memory.

use std::sync::{Arc, OnceLock};

use othello::query::{Query, Snapshot};
use othello::search::root::OthelloSearch;
use othello::search::table::Table;
use searchkit::control::Control;
use searchkit::search::{Leave, Search};

use super::bank::{Bank, Lease};
use crate::wire::analysis::Repeatability;

/// An analysis on its way through the pool.
pub struct LeasedSearch {
    query: Query,
    bank: Arc<Bank>,
    repeatability: Repeatability,
    // The search is dropped before its table goes back.
    begun: OnceLock<(OthelloSearch, Lease)>,
}

impl LeasedSearch {
    /// A search that has not begun.
    pub fn new(query: Query, bank: Arc<Bank>, repeatability: Repeatability) -> Self {
        Self { query, bank, repeatability, begun: OnceLock::new() }
    }

    fn search(&self) -> &OthelloSearch {
        let (search, _) = self.begun.get_or_init(|| {
            let lease = match self.repeatability {
                Repeatability::Usual => self.bank.lend(),
                Repeatability::Deterministic => Bank::deterministic(),
            };
            (OthelloSearch::new(self.query.clone(), lease.table()), lease)
        });
        search
    }
}

impl Search for LeasedSearch {
    type Snapshot = Snapshot;

    fn width(&self) -> usize {
        // The search itself knows better how many threads it can use; the pool only needs a bound.
        let moves = self.query.root_moves.unwrap_or_else(|| self.query.position.moves()).count_ones();
        self.query.threads.min(usize::try_from(moves).unwrap_or(1)).max(1)
    }

    fn work(&self, control: &Control<'_>) -> Leave {
        self.search().work(control)
    }

    fn snapshot(&self) -> Snapshot {
        match self.begun.get() {
            Some((search, _)) => search.snapshot(),
            // Legal moves without values: what a search knows before it has begun, for which it needs no table worth the
            // name.
            None => OthelloSearch::new(self.query.clone(), Arc::new(Table::new(0))).snapshot(),
        }
    }
}
