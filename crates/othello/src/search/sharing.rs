//! Nodes of the exact solver shared with idle threads: when a node's first move has not cut and somebody is idle, the
//! other moves are searched side by side ([`searchkit::split`]).

use std::sync::Arc;
use std::time::Duration;

use searchkit::split;

use crate::query::{Selectivity, Statistics};
use crate::search::endgame::Endgame;
use crate::search::ordering::Candidate;
use crate::search::worker::Worker;
use crate::square::Square;

/// Fewest empties of a node that is shared: below, searching it alone takes no longer than sharing it.
pub const FEWEST_EMPTIES: u32 = 16;
/// Longest time that an owner waits for its helpers without looking whether it must leave.
const NAP: Duration = Duration::from_millis(1);

/// The threads of one search.
pub type Crew = split::Crew<Question, Candidate, Tally>;
/// A shared node.
pub type Split = split::Split<Question, Candidate, Tally>;
/// A move of a shared node, being searched.
pub type Lease<'c> = split::Lease<'c, Question, Candidate, Tally>;

/// What is asked about every move of a shared node.
#[derive(Debug, Clone, Copy)]
pub struct Question {
    /// Whether it is worth more than this to the side to move at the node.
    alpha: i32,
    /// How sure the answer must be.
    selectivity: Selectivity,
    /// The squares of quadrants with an odd number of empties, at the node.
    odd: u64,
}

/// What the moves of a shared node have shown.
#[derive(Debug, Clone, Copy)]
pub struct Tally {
    best: i32,
    best_move: Option<Candidate>,
    /// What helpers have counted; the owner counts for itself.
    statistics: Statistics,
}

/// What became of a shared node.
pub struct Shared {
    /// The best fail-soft score, and its move.
    pub best: Option<(i32, Candidate)>,
    /// Moves that were not searched to the end because a better one was found.
    pub rest: Vec<Candidate>,
}

impl Endgame<'_, '_> {
    /// Whether a node with so many empties should be shared now.
    #[inline]
    pub(super) fn wants_help(&self, empties: u32) -> bool {
        empties >= FEWEST_EMPTIES && self.worker.crew.is_some_and(Crew::is_anybody_idle)
    }

    /// Asks of all these moves whether one is worth more than `alpha`, together with whoever is idle. `None` when this
    /// thread must leave.
    #[cold]
    pub(super) fn share(&mut self, moves: Vec<Candidate>, alpha: i32, odd: u64) -> Option<Shared> {
        let crew = self.worker.crew.expect("only a node that found idle threads is shared");
        let question = Question { alpha, selectivity: self.selectivity, odd };
        let nothing = Tally { best: i32::MIN, best_move: None, statistics: Statistics::default() };
        let opened = crew.open(self.worker.within.clone(), question, moves, nothing);
        loop {
            let seen = crew.version();
            if self.worker.must_leave() {
                opened.call_off();
            }
            if let Some(lease) = opened.lease() {
                search_for_owner(self.worker, lease);
            } else if opened.is_done() {
                break;
            } else if let Some(lease) = crew.lease(Some(opened.split())) {
                search_for_owner(self.worker, lease);
            } else {
                self.worker.nap(crew, seen, NAP);
            }
        }
        let (tally, rest) = opened.close();
        self.worker.absorb(tally.statistics);
        if self.worker.must_leave() {
            return None;
        }
        Some(Shared { best: tally.best_move.map(|candidate| (tally.best, candidate)), rest })
    }
}

/// Searches a move in a thread whose counters end up with the owner of the node anyway.
fn search_for_owner(worker: &mut Worker<'_>, lease: Lease<'_>) {
    if let Some(score) = score(worker, &lease) {
        finish(lease, score, Statistics::default());
    }
}

/// Searches a move for the owner of its node, which also gets the helper's counters. The worker is a new one.
pub fn help(mut worker: Worker<'_>, lease: Lease<'_>) -> super::leaf_cache::LeafCache {
    let score = score(&mut worker, &lease);
    let (statistics, leaf_cache) = worker.finish_with_cache();
    match score {
        Some(score) => finish(lease, score, statistics),
        None => lease.give_back(|tally| tally.statistics += statistics),
    }
    leaf_cache
}

/// The fail-soft score of a move for the side to move at the node; `None` when the thread must leave it.
fn score(worker: &mut Worker<'_>, lease: &Lease<'_>) -> Option<i32> {
    let outer = worker.within.replace(Arc::clone(lease.split()));
    let Question { alpha, selectivity, odd } = lease.split().common;
    let candidate = lease.task();
    let odd = odd ^ worker.quadrants[usize::from(candidate.square.index())];
    let score = Endgame { worker, selectivity }.zero_window(candidate.child, -alpha - 1, odd);
    worker.within = outer;
    worker.go_on_outside();
    score.map(|score| -score)
}

fn finish(lease: Lease<'_>, score: i32, statistics: Statistics) {
    let candidate = lease.task();
    let alpha = lease.split().common.alpha;
    lease.finish(|tally| {
        tally.statistics += statistics;
        if score > tally.best {
            (tally.best, tally.best_move) = (score, Some(candidate));
        }
        if score > alpha { split::Verdict::Over } else { split::Verdict::GoOn }
    });
}

impl Shared {
    /// The best score so far and its move, when this node's is added to what was known.
    pub fn better_than(&self, best: i32, best_move: Option<Square>) -> (i32, Option<Square>) {
        match self.best {
            Some((score, candidate)) if score > best => (score, Some(candidate.square)),
            _ => (best, best_move),
        }
    }
}
