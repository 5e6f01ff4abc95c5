//! Several configurations on one position, side by side, as one search that a pool can drive.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use searchkit::control::{Control, Interrupt};
use searchkit::search::{Leave, Search};
use searchkit::stop::StopReason;

use crate::lab::search::{self, Outcome};
use crate::lab::technique::Technique;
use crate::position::Position;

/// How long a thread without a row of its own waits before it looks at its control again.
const IDLE_WAIT: Duration = Duration::from_millis(1);

/// Whether a row's answer is the one of its exact reference, when that was searched too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Agreement {
    /// Same value.
    pub score: bool,
    /// Same best move.
    pub best_move: bool,
}

/// One configuration searched to one depth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Name of the configuration.
    pub configuration: String,
    /// The configuration.
    pub technique: Technique,
    /// Depth in plies.
    pub depth: u8,
    /// What the search found; `None` when it did not finish.
    pub outcome: Option<Outcome>,
    /// Time the search took.
    pub elapsed: Duration,
    /// Agreement with the plain exact search of the same values ([`Technique::is_reference_of`]) at the same depth, the
    /// one with the same ordering if it is there; `None` when there is no such row, or either did not finish.
    pub agreement: Option<Agreement>,
}

/// The comparison as of some moment: rows by depth, then in the order asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rows {
    /// One row for each configuration and depth.
    pub rows: Vec<Row>,
    /// Why the comparison ended; `None` while it runs. [`StopReason::Depth`] when every row is there.
    pub stop_reason: Option<StopReason>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Progress {
    Waiting,
    Taken,
    Finished,
}

struct State {
    rows: Rows,
    progress: Vec<Progress>,
}

/// A comparison in progress. Each row is one unit of work. A recalled thread gives its row back, and what it had
/// searched of it is lost: rows are short, and a half-searched one cannot be handed on.
pub struct Comparison {
    position: Position,
    state: Mutex<State>,
    changed: Condvar,
}

impl Comparison {
    /// A comparison of every configuration at every depth.
    pub fn new(position: Position, configurations: &[(String, Technique)], depths: &[u8]) -> Self {
        let rows: Vec<Row> = depths
            .iter()
            .flat_map(|&depth| {
                configurations.iter().map(move |(name, technique)| Row {
                    configuration: name.clone(),
                    technique: *technique,
                    depth,
                    outcome: None,
                    elapsed: Duration::ZERO,
                    agreement: None,
                })
            })
            .collect();
        let progress = vec![Progress::Waiting; rows.len()];
        let stop_reason = rows.is_empty().then_some(StopReason::Depth);
        Self {
            position,
            state: Mutex::new(State { rows: Rows { rows, stop_reason }, progress }),
            changed: Condvar::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A thread that panicked left whole rows only, so the state is still sound.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn finish_row(&self, index: usize, outcome: Outcome, elapsed: Duration) {
        let mut state = self.lock();
        state.progress[index] = Progress::Finished;
        state.rows.rows[index].outcome = Some(outcome);
        state.rows.rows[index].elapsed = elapsed;
        state.rows.mark_agreement();
        if state.progress.iter().all(|&progress| progress == Progress::Finished) {
            // Everything asked is there, even if somebody wanted to stop at this very moment.
            state.rows.stop_reason = Some(StopReason::Depth);
        }
        self.changed.notify_all();
    }

    fn leave(&self, taken: Option<usize>, interrupt: Interrupt) -> Leave {
        let mut state = self.lock();
        if let Some(index) = taken {
            state.progress[index] = Progress::Waiting;
        }
        self.changed.notify_all();
        match interrupt {
            Interrupt::Recall => Leave::Recalled,
            Interrupt::Stop(reason) => {
                state.rows.stop_reason.get_or_insert(reason);
                Leave::Done
            }
        }
    }
}

impl Rows {
    fn mark_agreement(&mut self) {
        for index in 0..self.rows.len() {
            let row = &self.rows[index];
            let exact = self.reference_of(row).and_then(|reference| reference.outcome);
            let agreement = row.outcome.zip(exact).map(|(own, exact)| Agreement {
                score: own.score == exact.score,
                best_move: own.best_move == exact.best_move,
            });
            self.rows[index].agreement = agreement;
        }
    }

    fn reference_of(&self, row: &Row) -> Option<&Row> {
        let is_reference =
            |other: &&Row| other.depth == row.depth && other.technique.is_reference_of(&row.technique);
        let same_ordering = |other: &&Row| other.technique.ordering == row.technique.ordering;
        let references = || self.rows.iter().filter(is_reference);
        references().find(same_ordering).or_else(|| references().next())
    }
}

impl Search for Comparison {
    type Snapshot = Rows;

    fn width(&self) -> usize {
        self.lock().progress.len().max(1)
    }

    fn work(&self, control: &Control<'_>) -> Leave {
        loop {
            let mut state = self.lock();
            if state.rows.stop_reason.is_some() {
                return Leave::Done;
            }
            if let Some(interrupt) = control.interrupt() {
                drop(state);
                return self.leave(None, interrupt);
            }
            let Some(index) = state.progress.iter().position(|&progress| progress == Progress::Waiting)
            else {
                drop(self.changed.wait_timeout(state, IDLE_WAIT).unwrap_or_else(PoisonError::into_inner));
                continue;
            };
            state.progress[index] = Progress::Taken;
            let (technique, depth) = (state.rows.rows[index].technique, state.rows.rows[index].depth);
            drop(state);

            let started = control.clock.now();
            match search::search(&technique, self.position, depth, &mut || control.interrupt()) {
                Ok(outcome) => {
                    self.finish_row(index, outcome, control.clock.now().saturating_sub(started));
                    (control.on_progress)();
                }
                Err(interrupt) => return self.leave(Some(index), interrupt),
            }
        }
    }

    fn snapshot(&self) -> Rows {
        self.lock().rows.clone()
    }
}
