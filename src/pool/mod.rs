//! The pool: which search runs when, and on how many threads. It is generic over [`searchkit::search::Search`] and
//! knows no game; searches of all games share its worker threads.
//!
//! ```text
//! submit -> schedule (admission, queue, seats: a pure state machine) -> workers -> job -> ticket
//! ```
//!
//! - A caller hands in a search and holds a [`Ticket`]; when the last handle is dropped, the search is cancelled.
//! - Time is read on the pool's own clock ([`Pool::now`]); deadlines are readings of it.
//! - Everything is bounded: workers, waiting jobs of each class, a client's share of them, the wait for an answer
//!   past its deadline, the time a shutdown takes.

mod core;
#[cfg(feature = "failpoints")]
mod failpoint;
mod forecast;
mod job;
mod ledger;
mod queue;
mod schedule;
mod seats;
mod shares;
mod stats;
mod submission;
mod ticket;
mod workers;

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use searchkit::clock::{Clock, MonotonicClock};
use searchkit::search::Search;

use self::core::Core;
use self::job::{Job, Posting, Watched};
use self::schedule::Rules;
use self::ticket::Interest;

pub use self::job::{Finished, Usage};
pub use self::ledger::Ledger;
pub use self::stats::{Counts, Stats};
pub use self::submission::{Class, ClientId, Ends, Failure, PerClass, Refusal, Submission};
pub use self::ticket::{Snapshots, Ticket, WeakTicket};

/// How long a drain waits for searches that were told to stop. A search obeys within a millisecond; the rest is for
/// a machine that is short of processors.
const STOP_GRACE: Duration = Duration::from_millis(500);

/// The fixed numbers of a pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// Worker threads.
    pub workers: NonZeroUsize,
    /// The most fresh jobs of each class that may wait. One client gets at most as many places as it leaves free:
    /// alone, half of them (rounded up).
    pub queue: PerClass<usize>,
    /// How long interactive work waits before batch work makes room for it.
    pub patience: Duration,
    /// How long after its deadline a search is answered whatever its workers do.
    pub margin: Duration,
}

impl Settings {
    /// The usual numbers for this many workers.
    pub fn new(workers: NonZeroUsize) -> Self {
        Self {
            workers,
            queue: PerClass { interactive: 256, batch: 1024 },
            patience: Duration::from_millis(20),
            margin: Duration::from_millis(10),
        }
    }
}

/// How a drain went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Drained {
    /// Whether all work ended by itself within the bound.
    pub in_time: bool,
    /// Threads that did not end though they were told to; they are left behind.
    pub stuck_threads: usize,
}

/// Worker threads and the searches they work on. Dropping it stops everything at once.
pub struct Pool {
    core: Arc<Core>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

impl Pool {
    /// Starts a pool on the system's monotonic clock.
    ///
    /// # Errors
    /// When the system gives no more threads.
    pub fn start(settings: Settings) -> std::io::Result<Self> {
        Self::start_with_clock(settings, Arc::new(MonotonicClock::new()))
    }

    /// Starts a pool on a given clock, which must run as fast as real time.
    ///
    /// # Errors
    /// When the system gives no more threads.
    pub fn start_with_clock(settings: Settings, clock: Arc<dyn Clock>) -> std::io::Result<Self> {
        let rules = Rules {
            workers: settings.workers.get(),
            queue: settings.queue,
            patience: settings.patience,
            margin: settings.margin,
        };
        let core = Arc::new(Core::new(rules, clock));
        let threads = workers::start(&core, rules.workers)?;
        Ok(Self { core, threads: Mutex::new(threads) })
    }

    /// The present reading of the pool's clock, on which deadlines are given.
    pub fn now(&self) -> Duration {
        self.core.now()
    }

    /// Hands a search in. It waits for its turn, and runs as long as somebody holds a handle to it. While it waits it
    /// should be small: a search takes its large memory when it is first worked on, and the pool lets go of it as
    /// soon as the last worker has left.
    ///
    /// # Errors
    /// [`Refusal`] when it is not taken in; the search is then dropped.
    pub fn submit<S: Search>(
        &self,
        search: S,
        submission: Submission,
    ) -> Result<Ticket<S::Snapshot>, Refusal> {
        let width = search.width();
        let posting = Arc::new(Posting::new(search, &submission));
        let (slot, streams, usage) = (posting.watch(), posting.streams(), posting.usage());
        let watched: Arc<dyn Watched> = Arc::clone(&posting) as Arc<dyn Watched>;
        let watched = Arc::downgrade(&watched);
        let job: Arc<dyn Job> = posting;
        let id = self.core.submit(submission, width, &job)?;
        let interest = Interest { core: Arc::clone(&self.core), job: id, watched };
        Ok(Ticket::new(interest, slot, streams, usage))
    }

    /// Writes down in `ledger` what each client's searches cost, from now on. Only the first ledger that is handed in
    /// counts.
    pub fn charge_to(&self, ledger: Arc<dyn Ledger>) {
        self.core.charge_to(ledger);
    }

    /// The pool in numbers.
    pub fn stats(&self) -> Stats {
        self.core.stats()
    }

    /// Shuts down: takes in no more work, lets what was taken in finish within `bound`, then stops the rest, whose
    /// waiters get the best snapshot (or [`Failure::Draining`] if the search never began), and ends the threads.
    /// Blocks the calling thread for at most `bound` and about a second. A second call finds nothing to do.
    pub fn drain(&self, bound: Duration) -> Drained {
        self.core.close();
        let in_time = self.core.wait_idle(bound);
        if !in_time {
            self.core.halt();
            if !self.core.wait_idle(STOP_GRACE) {
                self.core.abandon();
            }
        }
        self.core.dismiss();
        let stuck_threads = self.core.wait_dismissed(STOP_GRACE);
        let threads = std::mem::take(&mut *self.threads.lock().unwrap_or_else(PoisonError::into_inner));
        if stuck_threads == 0 {
            for thread in threads {
                // A thread's own panic was reported when it happened; there is nothing to add here.
                let _ = thread.join();
            }
        }
        Drained { in_time, stuck_threads }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.drain(Duration::ZERO);
    }
}
