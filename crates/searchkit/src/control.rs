//! What a thread that works on a search is handed: when to stop, when to step aside, whom to tell.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::clock::Clock;
use crate::stop::{StopFlag, StopReason};

/// Why a thread must leave the search it works on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interrupt {
    /// The whole search must end, for this reason.
    Stop(StopReason),
    /// Only this thread must leave: it is needed elsewhere. Its unfinished unit goes back to the search.
    Recall,
}

/// One thread's view of the world outside its search.
pub struct Control<'a> {
    /// Ends the whole search.
    pub stop: &'a StopFlag,
    /// Asks only this thread to leave; its unfinished work goes back to the search.
    pub recall: &'a AtomicBool,
    /// The clock that `deadline` is read on.
    pub clock: &'a dyn Clock,
    /// When the search must end, as a reading of `clock`.
    pub deadline: Option<Duration>,
    /// Called after every improvement of the search's snapshot, by the thread that made it, with no lock of the
    /// search held. It must return quickly.
    pub on_progress: &'a (dyn Fn() + Sync),
}

impl Control<'_> {
    /// Whether this thread must leave now. Cheap enough to be called about every 1,000 nodes; a search calls it at
    /// least once a millisecond. A deadline that has passed is also written into the stop flag, so that all threads
    /// see the same reason.
    pub fn interrupt(&self) -> Option<Interrupt> {
        if let Some(reason) = self.stop.reason() {
            return Some(Interrupt::Stop(reason));
        }
        if self.deadline.is_some_and(|deadline| self.clock.now() >= deadline) {
            self.stop.request(StopReason::Time);
            return self.stop.reason().map(Interrupt::Stop);
        }
        self.recall.load(Ordering::Relaxed).then_some(Interrupt::Recall)
    }
}
