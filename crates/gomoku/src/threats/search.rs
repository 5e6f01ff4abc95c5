//! A threat search as a [`Search`]: what a pool of threads drives.

use std::sync::{Mutex, PoisonError};

use searchkit::control::{Control, Interrupt};
use searchkit::search::{Leave, Search};
use searchkit::stop::StopReason;

use super::{ThreatAnswer, Verdict, vcf, vct};
use crate::Neighborhood;
use crate::board::Board;
use crate::position::{Position, Status};

/// Which attacks are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Fours alone.
    Vcf,
    /// Fours and open threes.
    Vct,
}

/// What is asked of a threat search.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ThreatQuery {
    /// The position; the side to move attacks.
    pub position: Position,
    /// The attacks to look for.
    pub kind: Kind,
    /// Most moves to play while searching, at least 1.
    pub nodes: u64,
}

/// The answer so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreatSnapshot {
    /// What was found; unknown until the search ends.
    pub answer: ThreatAnswer,
    /// Why the search ended; `None` while it runs.
    pub stop_reason: Option<StopReason>,
}

/// A search for the answer to one [`ThreatQuery`], by one thread.
pub struct ThreatSearch {
    query: ThreatQuery,
    published: Mutex<ThreatSnapshot>,
}

impl ThreatSearch {
    /// A search that has not begun. A game that is over holds no attack.
    pub fn new(query: ThreatQuery) -> Self {
        let over = query.position.status() != Status::InProgress;
        let verdict = if over { Verdict::None } else { Verdict::Unknown };
        let published = ThreatSnapshot {
            answer: ThreatAnswer { verdict, nodes: 0 },
            stop_reason: over.then_some(StopReason::NoMove),
        };
        Self { query, published: Mutex::new(published) }
    }

    fn publish(&self, snapshot: ThreatSnapshot) {
        *self.published.lock().unwrap_or_else(PoisonError::into_inner) = snapshot;
    }
}

impl Search for ThreatSearch {
    type Snapshot = ThreatSnapshot;

    fn width(&self) -> usize {
        1
    }

    /// A thread that is recalled leaves nothing behind: the search begins anew with the next one.
    fn work(&self, control: &Control<'_>) -> Leave {
        if self.snapshot().stop_reason.is_some() {
            return Leave::Done;
        }
        let mut board = Board::new(&self.query.position, Neighborhood::Square(1));
        let stop = || control.interrupt().is_some();
        let answer = match self.query.kind {
            Kind::Vcf => vcf(&mut board, self.query.nodes, &stop),
            Kind::Vct => vct(&mut board, self.query.nodes, &stop),
        };
        let found = answer.verdict != Verdict::Unknown;
        let stop_reason = match control.interrupt() {
            Some(Interrupt::Recall) if !found => return Leave::Recalled,
            Some(Interrupt::Stop(reason)) if !found => reason,
            _ if found => StopReason::Solved,
            _ if answer.nodes >= self.query.nodes => StopReason::Nodes,
            // The longest attacks that are looked for were looked for.
            _ => StopReason::Depth,
        };
        self.publish(ThreatSnapshot { answer, stop_reason: Some(stop_reason) });
        (control.on_progress)();
        Leave::Done
    }

    fn snapshot(&self) -> ThreatSnapshot {
        self.published.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
