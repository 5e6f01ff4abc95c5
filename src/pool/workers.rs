//! The pool's threads: N workers and one watchdog. A thin shell around [`Core`]: they wait, work, and report.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use searchkit::search::Leave;

use super::core::{Assignment, Core};
use super::schedule::Return;
use super::seats::WorkerId;

/// Starts the threads of a pool.
///
/// # Errors
/// When the system gives no more threads. Threads already started are then told to end.
pub(super) fn start(core: &Arc<Core>, workers: usize) -> std::io::Result<Vec<JoinHandle<()>>> {
    let mut threads = Vec::with_capacity(workers + 1);
    let mut spawn = |name: String, life: Box<dyn FnOnce(&Core) + Send>| {
        core.thread_begins();
        let shared = Arc::clone(core);
        let spawned = thread::Builder::new().name(name).spawn(move || {
            let _end = Ends(&shared);
            life(&shared);
        });
        spawned.map(|thread| threads.push(thread)).inspect_err(|_| core.thread_ends())
    };
    let started = (0..workers)
        .try_for_each(|index| {
            spawn(format!("search-{index}"), Box::new(move |core| work(core, WorkerId(index))))
        })
        .and_then(|()| spawn("search-watchdog".to_owned(), Box::new(Core::watch)));
    match started {
        Ok(()) => Ok(threads),
        Err(error) => {
            core.dismiss();
            Err(error)
        }
    }
}

/// Tells the core that a thread has ended, however it ended.
struct Ends<'a>(&'a Core);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.thread_ends();
    }
}

/// A worker's life: take a job, work on it, bring it back.
fn work(core: &Core, worker: WorkerId) {
    while let Some(Assignment { job, .. }) = core.next_job(worker) {
        // A search that panics has broken only itself: its state is never looked at again, and this thread holds
        // nothing of it, so the same thread goes on with the next job.
        let left = catch_unwind(AssertUnwindSafe(|| job.work(core.recall_flag(worker), core.clock())));
        core.leave(
            worker,
            match left {
                Ok(Leave::Done) => Return::Done,
                Ok(Leave::Recalled) => Return::Recalled,
                Err(_) => Return::Panicked,
            },
        );
        // The destructor of a search is foreign code too.
        let _ = catch_unwind(AssertUnwindSafe(move || drop(job)));
    }
}
