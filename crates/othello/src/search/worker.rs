//! What one thread carries through a search.

use std::sync::atomic::{AtomicU64, Ordering};

use searchkit::control::{Control, Interrupt};
use searchkit::stop::StopReason;

use crate::board::{Board, Size};
use crate::position::EmptiesRule;
use crate::query::Statistics;
use crate::search::leaf_cache::LeafCache;
use crate::search::parity::{self, Quadrants};
use crate::search::table::{Entry, Table};

/// Nodes between two looks at the stop flag and the clock: well under a millisecond.
const POLL_NODES: u64 = 1000;

/// The nodes that one search may still spend, shared by its threads.
#[derive(Debug)]
pub struct NodeBudget {
    left: AtomicU64,
}

impl NodeBudget {
    /// A budget of so many nodes, without limit when `None`.
    pub fn new(nodes: Option<u64>) -> Self {
        Self { left: AtomicU64::new(nodes.unwrap_or(u64::MAX)) }
    }

    /// Takes `spent` nodes off and returns what is left.
    fn spend(&self, spent: u64) -> u64 {
        let take = |left: u64| if left == u64::MAX { None } else { Some(left.saturating_sub(spent)) };
        match self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take) {
            Ok(before) => before.saturating_sub(spent),
            Err(unlimited) => unlimited,
        }
    }
}

/// The rules a search plays by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rules {
    /// The size of the board.
    pub size: Size,
    /// Who owns the empty squares at the end.
    pub empties: EmptiesRule,
}

impl Rules {
    /// The empty cells of a position.
    #[inline]
    pub const fn empty(self, board: Board) -> u64 {
        self.size.cells() & !board.occupied()
    }

    /// The score of a finished game for the side to move, whole discs.
    pub const fn final_score(self, board: Board) -> i32 {
        let own = board.player.count_ones() as i32;
        let other = board.opponent.count_ones() as i32;
        self.empties.score(own, other, self.empty(board).count_ones() as i32)
    }
}

/// One thread's part in one search: the shared table, its own counters, and the way to hear that it must stop.
pub struct Worker<'a> {
    /// The table all threads of the search share.
    pub table: &'a Table,
    /// The rules of this search.
    pub rules: Rules,
    /// What this thread has counted so far.
    pub statistics: Statistics,
    /// The quadrant of every square of this board.
    pub(super) quadrants: &'static Quadrants,
    /// How many squares the board has.
    pub(super) cells: i32,
    /// This thread's own memory of positions near the leaves.
    pub(super) leaf_cache: LeafCache,
    control: &'a Control<'a>,
    budget: &'a NodeBudget,
    /// Node count at which the outside world is asked next.
    next_poll: u64,
    /// Node count up to which the budget has been charged.
    charged: u64,
    interrupt: Option<Interrupt>,
}

impl<'a> Worker<'a> {
    /// A worker at the start of its part.
    pub fn new(table: &'a Table, rules: Rules, control: &'a Control<'a>, budget: &'a NodeBudget) -> Self {
        Self::with_cache(table, rules, control, budget, LeafCache::new())
    }

    /// A worker that goes on with what an earlier one of the same search remembered.
    pub(super) fn with_cache(
        table: &'a Table,
        rules: Rules,
        control: &'a Control<'a>,
        budget: &'a NodeBudget,
        leaf_cache: LeafCache,
    ) -> Self {
        // The first look comes at once: a search that was stopped before it began does nothing.
        let (next_poll, charged) = (0, 0);
        Self {
            table,
            rules,
            statistics: Statistics::default(),
            quadrants: parity::of(rules.size),
            cells: i32::from(rules.size.side()).pow(2),
            leaf_cache,
            control,
            budget,
            next_poll,
            charged,
            interrupt: None,
        }
    }

    /// Why this worker must leave, once [`go_on`](Self::go_on) has said `None`.
    pub fn interrupt(&self) -> Option<Interrupt> {
        self.interrupt
    }

    /// Called at every position searched: `None` when the worker must leave, and from then on always, so that the
    /// whole stack unwinds by `?`. Nothing that was half searched may be stored or returned after that.
    #[inline]
    pub fn go_on(&mut self) -> Option<()> {
        if self.statistics.nodes < self.next_poll { Some(()) } else { self.poll() }
    }

    /// Charges the nodes counted since the last poll and asks the outside world.
    #[cold]
    fn poll(&mut self) -> Option<()> {
        if self.interrupt.is_some() {
            return None;
        }
        let left = self.budget.spend(self.statistics.nodes - self.charged);
        self.charged = self.statistics.nodes;
        if left == 0 {
            self.control.stop.request(StopReason::Nodes);
        }
        self.interrupt = self.control.interrupt();
        if self.interrupt.is_some() {
            self.next_poll = 0;
            return None;
        }
        self.next_poll = self.statistics.nodes + POLL_NODES.min(left);
        Some(())
    }

    /// Looks a position up in the table, and counts that.
    #[inline]
    pub fn probe(&mut self, board: Board) -> Option<Entry> {
        let entry = self.table.probe(board);
        self.statistics.table_probes += 1;
        self.statistics.table_hits += u64::from(entry.is_some());
        entry
    }

    /// Ends the part: charges what was counted since the last poll and hands the counters over.
    pub fn finish(self) -> Statistics {
        self.finish_with_cache().0
    }

    /// [`finish`](Self::finish), with what the thread remembers of positions near the leaves.
    pub(super) fn finish_with_cache(self) -> (Statistics, LeafCache) {
        self.budget.spend(self.statistics.nodes - self.charged);
        (self.statistics, self.leaf_cache)
    }
}
