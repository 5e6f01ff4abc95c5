//! A search on the calling thread.

use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use searchkit::control::Control;
use searchkit::search::Search;
use searchkit::stop::StopFlag;

use crate::answer::Host;
use crate::wire::times::{Times, millis, search_ms};

/// The transposition table of a search: as large as the service's deterministic answers have theirs, so that the same
/// search visits the same positions.
pub const TABLE_BYTES: usize = 16 << 20;

/// Steps of the same depth are told no more often than this: each is a JSON text that the page draws.
const LEAST_BETWEEN: Duration = Duration::from_millis(100);

/// The time that one answer takes.
pub struct Timing<'a> {
    host: &'a Host<'a>,
    began: Duration,
    deadline: Duration,
}

impl<'a> Timing<'a> {
    /// From now on, for a request that gives so many milliseconds.
    pub fn begin(host: &'a Host<'a>, time_ms: u64) -> Self {
        let began = host.clock.now();
        Self { host, began, deadline: began + Duration::from_millis(search_ms(time_ms)) }
    }

    /// What the answer took until now. Nothing waits in a browser's queue.
    pub fn so_far(&self) -> Times {
        let elapsed_ms = millis(self.host.clock.now().saturating_sub(self.began));
        Times { elapsed_ms, queued_ms: 0, ran_ms: elapsed_ms }
    }

    /// Works on a search until it ends. Who wants it to end sooner takes the whole instance away.
    pub fn drive(&self, search: &impl Search, on_progress: &(dyn Fn() + Sync)) {
        let (stop, recall) = (StopFlag::new(), AtomicBool::new(false));
        search.work(&Control {
            stop: &stop,
            recall: &recall,
            clock: self.host.clock,
            deadline: Some(self.deadline),
            on_progress,
        });
    }
}

/// How often steps are told.
#[derive(Debug, Default)]
pub struct Pace(Mutex<Option<(u8, Duration)>>);

impl Pace {
    /// Whether a step to this depth is to be told at this reading of the clock: every new depth is, another step now and
    /// then.
    pub fn is_due(&self, depth: u8, now: Duration) -> bool {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let due = last.is_none_or(|(told, at)| told != depth || now.saturating_sub(at) >= LEAST_BETWEEN);
        if due {
            *last = Some((depth, now));
        }
        due
    }
}
