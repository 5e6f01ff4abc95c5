//! Threat search: wins by continuous fours (VCF) and by continuous threats (VCT).
//!
//! The names are the usual ones of the renju world. Both searches prove wins, and "none" from either is a proof that no
//! win by that kind of attack exists (a win with a quiet move in it may).

mod defences;
mod fours;
mod replay;
pub mod search;
mod threes;
mod verify;

use crate::point::Point;

pub(crate) use defences::against_open_four;
pub use fours::vcf;
pub(crate) use fours::{Completeness, Follow, Four, FourSearch};
pub use threes::vct;
pub(crate) use verify::Verifier;

/// What a threat search found out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The side to move wins.
    Win {
        /// Moves of the winner up to and including the five, on the longest defence.
        attacker_moves: u16,
        /// Attacker and defender in turn, the five last.
        line: Vec<Point>,
    },
    /// The search is complete: no such win exists.
    None,
    /// The budget ran out, or the attack may be longer than was looked for.
    Unknown,
}

/// The answer of a threat search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreatAnswer {
    /// The verdict.
    pub verdict: Verdict,
    /// Moves played while searching.
    pub nodes: u64,
}

/// What a threat search may spend, and how it learns that it must stop.
pub(crate) struct Budget<'a> {
    pub(crate) nodes: u64,
    pub(crate) limit: u64,
    pub(crate) stop: &'a dyn Fn() -> bool,
    stopped: bool,
}

/// Nodes between two questions whether to stop: well under a millisecond.
const POLL_NODES: u64 = 256;

impl<'a> Budget<'a> {
    pub(crate) const fn new(limit: u64, stop: &'a dyn Fn() -> bool) -> Self {
        Self { nodes: 0, limit, stop, stopped: false }
    }

    /// Counts one move; false when the search must end.
    pub(crate) fn spend(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes.is_multiple_of(POLL_NODES) && (self.stop)() {
            self.stopped = true;
        }
        !self.exhausted()
    }

    pub(crate) const fn exhausted(&self) -> bool {
        self.stopped || self.nodes >= self.limit
    }
}
