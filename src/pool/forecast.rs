//! How long a newcomer would wait: the arithmetic behind admission and `Retry-After`. Pure.
//!
//! The forecast plays the queue forward: workers become free at expected times, waiting jobs take them in order,
//! each for its expected run. A job that its time bounds is expected to use the share of it that such jobs of its class
//! used lately (1 for searches that run to their deadline, little for endgames that are solved early); a job
//! that something else bounds runs as long as such jobs did lately, and no further than its deadline.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::Duration;

use super::submission::{Class, Ends, PerClass};

/// Weight of the newest job in the running means: about the last dozen jobs count.
const NEWEST_WEIGHT: f64 = 1.0 / 8.0;

/// Expected run of a job that its time does not bound before any was seen: the default time limit of the service.
const FIRST_GUESS: Duration = Duration::from_secs(1);

/// The forecast looks no further: far deadlines must not overflow its arithmetic.
const HORIZON: Duration = Duration::from_secs(24 * 60 * 60);

/// What recent jobs of each class did.
#[derive(Debug)]
pub(super) struct Experience {
    /// Mean share of the time up to the deadline that jobs bounded by it used, 0..=1.
    share: PerClass<f64>,
    /// Mean run of jobs that end by themselves, in seconds.
    run_s: PerClass<f64>,
}

/// A job as the forecast sees it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Load {
    pub(super) class: Class,
    pub(super) deadline: Option<Duration>,
    pub(super) ends: Ends,
}

impl Load {
    /// The time that bounds it, from `now` on.
    fn allotted(self, now: Duration) -> Option<Duration> {
        self.deadline.filter(|_| self.ends == Ends::AtDeadline).map(|deadline| deadline.saturating_sub(now))
    }
}

impl Experience {
    pub(super) fn new() -> Self {
        let run_s = FIRST_GUESS.as_secs_f64();
        Self {
            share: PerClass { interactive: 1.0, batch: 1.0 },
            run_s: PerClass { interactive: run_s, batch: run_s },
        }
    }

    /// Takes in a job that ran from `start` to `end`.
    pub(super) fn learn(&mut self, load: Load, start: Duration, end: Duration) {
        let ran_s = end.saturating_sub(start).as_secs_f64();
        let (mean, newest) = match load.allotted(start) {
            // A job that began at its deadline says nothing about shares.
            Some(Duration::ZERO) => return,
            Some(allotted) => (self.share.of_mut(load.class), (ran_s / allotted.as_secs_f64()).min(1.0)),
            None => (self.run_s.of_mut(load.class), ran_s),
        };
        *mean += NEWEST_WEIGHT * (newest - *mean);
    }

    /// When a job that is (still) running at `now` is expected to end.
    pub(super) fn expected_end(&self, load: Load, now: Duration) -> Duration {
        now + match load.allotted(now) {
            Some(allotted) => allotted.min(HORIZON).mul_f64(*self.share.of(load.class)),
            None => {
                let run = Duration::from_secs_f64(*self.run_s.of(load.class));
                load.deadline.map_or(run, |deadline| run.min(deadline.saturating_sub(now)))
            }
        }
    }

    /// When a newcomer behind the jobs `ahead` is expected to begin, given when each worker becomes free.
    pub(super) fn expected_start(
        &self,
        free_at: &[Duration],
        ahead: impl IntoIterator<Item = Load>,
    ) -> Duration {
        let mut free: BinaryHeap<Reverse<Duration>> = free_at.iter().copied().map(Reverse).collect();
        for load in ahead {
            if let Some(mut worker) = free.peek_mut() {
                worker.0 = self.expected_end(load, worker.0);
            }
        }
        free.peek().map_or(Duration::MAX, |worker| worker.0)
    }
}
