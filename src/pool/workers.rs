//! The pool's threads: N workers and one watchdog. A thin shell around [`Core`]: they wait, work, and report.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use searchkit::search::Leave;

use super::core::{Assignment, Core};
use super::schedule::Return;
use super::seats::WorkerId;

/// How far workers stand back behind the other threads of the process (`nice`): sockets, probes and the watchdog need little
/// and must not wait for a search's turn to end. Together with other programs it matters only where they share a control group.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// Lets the calling thread stand back. On Linux alone this concerns a thread; elsewhere it would concern the process.
fn stand_back() {
    #[cfg(target_os = "linux")]
    // Where it is not allowed searches are as quick as ever, and answers a little later.
    let _ = rustix::process::setpriority_process(None, NICENESS);
}

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
            let life = move |core: &Core| {
                stand_back();
                work(core, WorkerId(index));
            };
            spawn(format!("search-{index}"), Box::new(life))
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
