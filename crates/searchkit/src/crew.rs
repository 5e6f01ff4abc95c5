//! A crew of threads for tools that have no pool: command line, benches, training.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::clock::Clock;
use crate::control::Control;
use crate::search::{Leave, Search};
use crate::stop::StopFlag;

/// Runs a search to its end on `threads` threads (at least one: the calling thread is one of them) and returns its
/// final snapshot. `on_progress` is called with the snapshot after every improvement.
pub fn run<S: Search>(
    search: &S,
    threads: usize,
    clock: &dyn Clock,
    deadline: Option<Duration>,
    stop: &StopFlag,
    on_progress: &(dyn Fn(&S::Snapshot) + Sync),
) -> S::Snapshot {
    let recall = AtomicBool::new(false);
    let report = || on_progress(&search.snapshot());
    let control = Control { stop, recall: &recall, clock, deadline, on_progress: &report };
    let helpers = threads.min(search.width()).saturating_sub(1);
    std::thread::scope(|scope| {
        for _ in 0..helpers {
            scope.spawn(|| search.work(&control));
        }
        let leave = search.work(&control);
        debug_assert_eq!(leave, Leave::Done, "nobody recalls a crew");
    });
    search.snapshot()
}
