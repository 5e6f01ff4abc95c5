//! The pool in numbers, for the status endpoint and the metrics.

use std::time::Duration;

use super::submission::PerClass;

/// The pool in numbers, as of one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stats {
    /// Worker threads.
    pub workers: usize,
    /// Workers that work on a search now.
    pub busy: usize,
    /// Jobs that wait for a worker.
    pub waiting: PerClass<usize>,
    /// The most fresh jobs that may wait.
    pub waiting_bound: PerClass<usize>,
    /// For how long the job that waits longest has waited; `None` when none waits.
    pub oldest_wait: PerClass<Option<Duration>>,
    /// Jobs that have begun and have no answer yet, interrupted ones included.
    pub begun: PerClass<usize>,
    /// Whether new work is taken in.
    pub open: bool,
    /// What happened since the start.
    pub counts: Counts,
    /// Positions visited by the searches that are over, cancelled ones included, as far as they count them.
    pub nodes: u64,
}

/// What happened since the pool was started. Every admitted job is in the end counted once among `completed`,
/// `cancelled`, `expired` and `failed`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Jobs taken in.
    pub admitted: u64,
    /// Jobs refused.
    pub refused: u64,
    /// Jobs answered with a snapshot.
    pub completed: u64,
    /// Jobs whose last waiter went away first.
    pub cancelled: u64,
    /// Jobs whose deadline passed before they began.
    pub expired: u64,
    /// Jobs answered with another failure: a panic, or a shutdown before they began.
    pub failed: u64,
    /// Panics of searches; one job may see several.
    pub panics: u64,
    /// Answers given by the watchdog (or by the end of a drain) because the workers were late.
    pub overdue: u64,
    /// How often a job was left by its last worker and waited to be resumed.
    pub interrupted: u64,
}
