//! A search that takes its table when it is first worked on, so that waiting requests hold no memory.

use std::sync::{Arc, OnceLock};

use searchkit::control::Control;
use searchkit::memory::{Memory, Recycled};
use searchkit::search::{Leave, Search};

use super::bank::{Bank, Lease};
use crate::wire::analysis::Repeatability;

/// A game whose positions are analysed.
pub trait Game: Send + Sync + 'static {
    /// What is asked.
    type Query: Clone + Send + Sync + 'static;
    /// What a search remembers positions in.
    type Table: Recycled;
    /// What answers.
    type Search: Search;

    /// A search for the answer to this question, with a table in which nothing is known.
    fn search(query: &Self::Query, table: Arc<Self::Table>) -> Self::Search;

    /// The most threads that a search for this question can use. The search itself knows better; the pool only needs a
    /// bound.
    fn width(query: &Self::Query) -> usize;
}

/// Othello.
pub enum Othello {}

impl Game for Othello {
    type Query = othello::query::Query;
    type Table = othello::search::table::Table;
    type Search = othello::search::root::OthelloSearch;

    fn search(query: &Self::Query, table: Arc<Self::Table>) -> Self::Search {
        Self::Search::new(query.clone(), table)
    }

    fn width(query: &Self::Query) -> usize {
        let moves = query.root_moves.unwrap_or_else(|| query.position.moves()).count_ones();
        query.threads.min(usize::try_from(moves).unwrap_or(1)).max(1)
    }
}

/// Gomoku.
pub enum Gomoku {}

impl Game for Gomoku {
    type Query = gomoku::query::Query;
    type Table = gomoku::search::table::Table;
    type Search = gomoku::search::GomokuSearch;

    fn search(query: &Self::Query, table: Arc<Self::Table>) -> Self::Search {
        Self::Search::new(query, table)
    }

    fn width(query: &Self::Query) -> usize {
        query.threads.max(1)
    }
}

/// An analysis on its way through the pool.
pub struct LeasedSearch<G: Game> {
    query: G::Query,
    bank: Arc<Bank>,
    repeatability: Repeatability,
    // The search is dropped before its table goes back.
    begun: OnceLock<(G::Search, Lease<G::Table>)>,
}

impl<G: Game> LeasedSearch<G> {
    /// A search that has not begun.
    pub fn new(query: G::Query, bank: Arc<Bank>, repeatability: Repeatability) -> Self {
        Self { query, bank, repeatability, begun: OnceLock::new() }
    }

    fn search(&self) -> &G::Search {
        let (search, _) = self.begun.get_or_init(|| {
            let lease = self.bank.lend(self.repeatability);
            (G::search(&self.query, lease.table()), lease)
        });
        search
    }
}

impl<G: Game> Search for LeasedSearch<G> {
    type Snapshot = <G::Search as Search>::Snapshot;

    fn width(&self) -> usize {
        G::width(&self.query)
    }

    fn work(&self, control: &Control<'_>) -> Leave {
        self.search().work(control)
    }

    fn nodes(&self) -> u64 {
        self.begun.get().map_or(0, |(search, _)| search.nodes())
    }

    fn snapshot(&self) -> Self::Snapshot {
        match self.begun.get() {
            Some((search, _)) => search.snapshot(),
            // Legal moves without values: what a search knows before it has begun, for which it needs no table worth the
            // name.
            None => G::search(&self.query, Arc::new(G::Table::from_memory(Memory::new(0, 1)))).snapshot(),
        }
    }
}
