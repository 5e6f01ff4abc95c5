//! The list of root moves of one search and the order in which they are handed out.

use searchkit::stop::StopReason;

use crate::evaluation::ESTIMATE_LIMIT;
use crate::point::Point;
use crate::query::{Bound, RootMove, Score};

use super::score::{self, INFINITE, PROVEN};

/// One root move.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) point: Point,
    /// Score, how it relates to the true one, and the depth it was searched to.
    pub(super) score: Option<(i32, Bound, u8)>,
    pub(super) line: Vec<Point>,
    pub(super) nodes: u64,
    state: UnitState,
}

/// Where a root move is in the current iteration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum UnitState {
    Waiting,
    Searching,
    Done,
}

/// What a thread is given to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Task {
    /// Search for a win by threats before the next iteration, with so many nodes.
    Threats(u64),
    /// Search one root move.
    Move {
        point: Point,
        depth: u8,
        /// Scores up to this one need not be exact.
        alpha: i32,
        /// The score the move had before, to start a narrow window around.
        previous: Option<i32>,
        /// How many moves stand before it.
        index: usize,
    },
    /// Others are at work and there is nothing to do for a moment.
    Wait,
    /// The search has ended.
    Done,
}

/// Nodes of the first threat search at the root, and the share of the nodes spent so far, or of a node limit, that one may
/// cost: a search that may spend little must not spend it all on threats.
const FIRST_THREAT_NODES: u64 = 1_000;
const THREAT_SHARE: u64 = 16;

/// The root moves, the iteration they are in, and what has been decided.
#[derive(Debug)]
pub(super) struct Root {
    pub(super) entries: Vec<Entry>,
    /// How many exact values are asked.
    wanted: usize,
    /// The iteration under way.
    depth: u8,
    /// The last finished iteration.
    pub(super) completed: u8,
    deepest: u8,
    pub(super) stop_reason: Option<StopReason>,
    /// The next threat search, `None` when there will be no other.
    threat_nodes: Option<u64>,
    threats_due: bool,
    threats_running: bool,
}

impl Root {
    /// Root moves for a search of so many values, iterations and nodes; without nodes for threats when `threats` is
    /// `None`.
    pub(super) fn new(points: Vec<Point>, wanted: usize, deepest: u8, threats: Option<u64>) -> Self {
        let entry =
            |point| Entry { point, score: None, line: vec![point], nodes: 0, state: UnitState::Waiting };
        Self {
            entries: points.into_iter().map(entry).collect(),
            wanted,
            depth: 1,
            completed: 0,
            deepest,
            stop_reason: None,
            threat_nodes: threats.map(|limit| FIRST_THREAT_NODES.min(limit / THREAT_SHARE)),
            threats_due: threats.is_some(),
            threats_running: false,
        }
    }

    /// The next thing to do.
    pub(super) fn next_task(&mut self) -> Task {
        if self.stop_reason.is_some() {
            return Task::Done;
        }
        if self.threats_due {
            if self.threats_running {
                return Task::Wait;
            }
            if let Some(nodes) = self.threat_nodes {
                self.threats_running = true;
                return Task::Threats(nodes);
            }
            self.threats_due = false;
        }
        let alpha = self.alpha();
        let depth = self.depth;
        // The first move sets the window of the others, so they wait for it; when every value is asked there is no
        // window to wait for.
        let first_pending = self.entries.first().is_some_and(|first| first.state == UnitState::Searching);
        if first_pending && self.wanted < self.entries.len() {
            return Task::Wait;
        }
        let mut waiting =
            self.entries.iter_mut().enumerate().filter(|(_, entry)| entry.state == UnitState::Waiting);
        let Some((index, entry)) = waiting.next() else { return Task::Wait };
        entry.state = UnitState::Searching;
        let previous = entry.score.map(|(score, _, _)| score);
        Task::Move { point: entry.point, depth, alpha, previous, index }
    }

    /// The score a move must beat to be of interest: the worst of the asked number of values known so far.
    fn alpha(&self) -> i32 {
        let mut known: Vec<i32> = self
            .entries
            .iter()
            .filter(|entry| entry.state == UnitState::Done)
            .filter_map(|entry| entry.score)
            .filter(|&(_, bound, _)| bound == Bound::Exact)
            .map(|(score, _, _)| score)
            .collect();
        known.sort_unstable_by(|a, b| b.cmp(a));
        known.get(self.wanted.max(1) - 1).copied().unwrap_or(-INFINITE)
    }

    fn find(&mut self, point: Point) -> Option<&mut Entry> {
        self.entries.iter_mut().find(|entry| entry.point == point)
    }

    /// Gives a move back that was not finished.
    pub(super) fn give_back(&mut self, point: Point) {
        if let Some(entry) = self.find(point) {
            entry.state = UnitState::Waiting;
        }
    }

    pub(super) fn give_back_threats(&mut self) {
        self.threats_running = false;
    }

    /// Takes in the result of a move. True when that is news: a value, or the end of an iteration.
    pub(super) fn deliver(
        &mut self,
        point: Point,
        score: i32,
        bound: Bound,
        line: Vec<Point>,
        nodes: u64,
    ) -> bool {
        let depth = self.depth;
        if let Some(entry) = self.find(point) {
            entry.state = UnitState::Done;
            entry.nodes += nodes;
            entry.score = Some((score, bound, depth));
            if bound == Bound::Exact {
                entry.line = line;
            }
        }
        let finished = self.entries.iter().all(|entry| entry.state == UnitState::Done);
        // A move that is only shown not to be better keeps its place.
        let news = finished || bound == Bound::Exact;
        if news {
            self.sort();
        }
        if finished {
            self.finish_iteration();
        }
        news
    }

    /// Exact values of this iteration first, best first; the others keep their order. While others have yet to be searched,
    /// a lost move stands behind them: any of them may be the one that holds.
    fn sort(&mut self) {
        let open = self.entries.iter().any(|entry| entry.state != UnitState::Done);
        self.entries.sort_by_key(|entry| match entry.score {
            Some((score, Bound::Exact | Bound::Lower, _)) if entry.state == UnitState::Done => {
                (if open && score <= -PROVEN { 2 } else { 0 }, -score)
            }
            _ => (1, 0),
        });
    }

    fn finish_iteration(&mut self) {
        self.completed = self.depth;
        if self.depth >= self.deepest {
            self.stop_reason = Some(StopReason::Depth);
        } else if self.solved() {
            self.stop_reason = Some(StopReason::Solved);
        } else {
            self.depth += 1;
            for entry in &mut self.entries {
                entry.state = UnitState::Waiting;
            }
            let spent: u64 = self.entries.iter().map(|entry| entry.nodes).sum();
            self.threats_due = self.threat_nodes.is_some_and(|nodes| nodes <= spent / THREAT_SHARE);
        }
    }

    /// Whether more depth can change nothing: the best move wins or loses for certain, and when more values are asked,
    /// so do all of them.
    fn solved(&self) -> bool {
        let proven = |entry: &Entry| {
            entry.score.is_some_and(|(score, bound, _)| score.abs() >= PROVEN && bound != Bound::Upper)
        };
        self.entries.iter().take(self.wanted).all(proven)
    }

    /// Takes in the result of a threat search: a win (score and line), or none. `complete` when no larger search of
    /// the kind makes sense.
    pub(super) fn deliver_threats(&mut self, win: Option<(i32, Vec<Point>)>, nodes: u64) {
        self.threats_running = false;
        self.threats_due = false;
        self.threat_nodes = self.threat_nodes.map(|nodes| nodes * 4);
        let Some((score, line)) = win else { return };
        let Some(entry) = line.first().copied().and_then(|point| self.find(point)) else { return };
        entry.nodes += nodes;
        entry.score = Some((score, Bound::Lower, 0));
        entry.line = line;
        entry.state = UnitState::Done;
        self.threat_nodes = None;
        self.sort();
        self.stop_reason = Some(StopReason::Solved);
    }

    /// The moves as an answer shows them.
    pub(super) fn moves(&self) -> Vec<RootMove> {
        let score = |(score, bound, depth): (i32, Bound, u8)| {
            // A bound was not replayed, so it says "lost for all the search can see" and no more.
            let score = if bound == Bound::Upper { score.max(-ESTIMATE_LIMIT) } else { score };
            Score { value: score::value(score), bound, depth }
        };
        let shown = |entry: &Entry| RootMove {
            point: entry.point,
            score: entry.score.map(score),
            principal_variation: entry.line.clone(),
            nodes: entry.nodes,
        };
        self.entries.iter().map(shown).collect()
    }
}
