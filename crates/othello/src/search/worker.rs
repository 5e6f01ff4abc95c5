//! What one thread carries through a search.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use searchkit::control::{Control, Interrupt};
use searchkit::stop::StopReason;

use crate::board::{Board, Size};
use crate::position::EmptiesRule;
use crate::query::Statistics;
use crate::search::leaf_cache::LeafCache;
use crate::search::parity::{self, Quadrants};
use crate::search::sharing::{Crew, Split};
use crate::search::table::{Entry, Table};
use crate::search::techniques::Techniques;

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
    /// What the midgame search does with.
    pub techniques: Techniques,
    /// The quadrant of every square of this board.
    pub(super) quadrants: &'static Quadrants,
    /// How many squares the board has.
    pub(super) cells: i32,
    /// This thread's own memory of positions near the leaves.
    pub(super) leaf_cache: LeafCache,
    /// The threads that nodes can be shared with, if there are any.
    pub(super) crew: Option<&'a Crew>,
    /// The innermost shared node that this thread works below.
    pub(super) within: Option<Arc<Split>>,
    control: &'a Control<'a>,
    budget: &'a NodeBudget,
    /// Node count at which the outside world is asked next.
    next_poll: u64,
    /// Node count up to which the budget has been charged.
    charged: u64,
    interrupt: Option<Interrupt>,
    /// Whether the shared node that this thread works below has turned out to be decided.
    is_called_off: bool,
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
            techniques: Techniques::USED,
            quadrants: parity::of(rules.size),
            cells: i32::from(rules.size.side()).pow(2),
            leaf_cache,
            crew: None,
            within: None,
            control,
            budget,
            next_poll,
            charged,
            interrupt: None,
            is_called_off: false,
        }
    }

    /// The same worker, as one of a crew.
    pub(super) fn in_crew(mut self, crew: &'a Crew) -> Self {
        self.crew = Some(crew);
        self
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
        if self.interrupt.is_some() || self.is_called_off {
            return None;
        }
        let left = self.budget.spend(self.statistics.nodes - self.charged);
        self.charged = self.statistics.nodes;
        if left == 0 {
            self.control.stop.request(StopReason::Nodes);
        }
        self.interrupt = self.control.interrupt();
        self.is_called_off = self.within.as_ref().is_some_and(|split| split.is_over());
        if self.interrupt.is_some() || self.is_called_off {
            self.next_poll = 0;
            return None;
        }
        self.next_poll = self.statistics.nodes + POLL_NODES.min(left);
        Some(())
    }

    /// Goes on after a shared node that has been called off, outside of it.
    pub(super) fn go_on_outside(&mut self) {
        self.is_called_off = false;
    }

    /// Whether this thread must leave what it does now, by what it has heard so far and by the shared nodes it works below.
    pub(super) fn must_leave(&mut self) -> bool {
        self.is_called_off |= self.within.as_ref().is_some_and(|split| split.is_over());
        if self.is_called_off {
            self.next_poll = 0;
        }
        self.interrupt.is_some() || self.is_called_off
    }

    /// Waits for others for at most this long, unless they have done something since `seen`, and asks the outside world.
    pub(super) fn nap(&mut self, crew: &Crew, seen: u64, at_most: Duration) {
        crew.wait(seen, at_most, self.control.clock);
        self.interrupt = self.interrupt.or_else(|| self.control.interrupt());
        if self.interrupt.is_some() {
            self.next_poll = 0;
        }
    }

    /// Adds what helpers have counted, who have charged it themselves.
    pub(super) fn absorb(&mut self, statistics: Statistics) {
        self.statistics += statistics;
        self.charged += statistics.nodes;
        self.next_poll += statistics.nodes;
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
