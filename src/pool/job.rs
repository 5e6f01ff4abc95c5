//! A search taken in by the pool, seen from both sides: its workers see an object without a type, its waiters see a
//! slot with the newest answer.
//!
//! Invariants:
//! - the slot's `end` is set once and never changes; after it nothing is published;
//! - nothing here takes the pool's lock, and nothing here is called with it held but `stop`.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use searchkit::clock::Clock;
use searchkit::control::Control;
use searchkit::search::{Leave, Search};
use searchkit::stop::{StopFlag, StopReason};
use tokio::sync::watch;

use super::schedule::{Meter, Verdict};
use super::submission::{ClientId, Failure, Submission};

/// The final answer of a search.
#[derive(Debug)]
pub struct Finished<T> {
    /// The search's last snapshot.
    pub snapshot: Arc<T>,
    /// The reason for which the pool ended the search, if it did and the search did not end by itself before.
    pub stopped: Option<StopReason>,
    /// How long it waited for workers.
    pub queued: Duration,
    /// Worker time, summed over its threads: what it cost.
    pub busy: Duration,
}

impl<T> Clone for Finished<T> {
    fn clone(&self) -> Self {
        Self { snapshot: Arc::clone(&self.snapshot), ..*self }
    }
}

/// What a job has cost so far. Outlives the job, so that cancelled work can be charged too.
#[derive(Debug, Default)]
pub struct Usage {
    queued_ns: AtomicU64,
    busy_ns: AtomicU64,
    begun: AtomicBool,
    settled: AtomicBool,
    /// Everybody who has asked for it, the one who handed it in first.
    payers: Mutex<Vec<ClientId>>,
}

impl Usage {
    fn of(client: ClientId) -> Self {
        Self { payers: Mutex::new(vec![client]), ..Self::default() }
    }

    /// Somebody else asks for the same search, and pays for it as well.
    pub(super) fn share(&self, client: ClientId) {
        let mut payers = self.payers();
        if !payers.contains(&client) {
            payers.push(client);
        }
    }

    /// The list is whole between any two statements.
    fn payers(&self) -> MutexGuard<'_, Vec<ClientId>> {
        self.payers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How long the job waited for workers, as known when it was last given one or answered.
    pub fn queued(&self) -> Duration {
        Duration::from_nanos(self.queued_ns.load(Ordering::Relaxed))
    }

    /// Worker time, summed over its threads. Zero until the job is answered or over.
    pub fn busy(&self) -> Duration {
        Duration::from_nanos(self.busy_ns.load(Ordering::Relaxed))
    }

    /// Whether a worker ever took the job up.
    pub fn has_begun(&self) -> bool {
        self.begun.load(Ordering::Relaxed)
    }

    /// Whether no worker is left on the job: the numbers are final.
    pub fn is_settled(&self) -> bool {
        self.settled.load(Ordering::Acquire)
    }

    fn record(&self, meter: Meter) {
        self.queued_ns.store(nanos(meter.queued), Ordering::Relaxed);
        self.busy_ns.store(nanos(meter.busy), Ordering::Relaxed);
    }
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// What the waiters of a job see.
#[derive(Debug)]
pub(super) struct Slot<T> {
    /// The newest snapshot published while streams listened.
    pub(super) latest: Option<Arc<T>>,
    /// How many snapshots were published.
    pub(super) published: u64,
    /// The one terminal answer.
    pub(super) end: Option<Result<Finished<T>, Failure>>,
}

/// A job as the workers see it.
pub(super) trait Job: Send + Sync {
    /// Works on the search with the calling thread. May panic as the search may.
    fn work(&self, recall: &AtomicBool, clock: &dyn Clock) -> Leave;
    /// Asks the search to end.
    fn stop(&self, reason: StopReason);
    /// A worker takes the job up after it has waited this long in all.
    fn begin(&self, queued: Duration);
    /// Gives the waiters their answer.
    fn answer(&self, verdict: Verdict, meter: Meter);
    /// Nobody works on the job any more.
    fn settle(&self, meter: Meter);
    /// Who is charged for the job, each for how much worker time that was not charged before.
    fn charge(&self, meter: Meter) -> (Vec<ClientId>, Duration);
    /// Positions that the search visited; asked when no worker is left on it.
    fn nodes(&self) -> u64;
}

/// A job as its waiters see it.
pub(super) trait Watched: Send + Sync {
    /// Shows the newest snapshot to the streams.
    fn publish(&self);
}

/// A search with everything that connects it to workers and waiters.
pub(super) struct Posting<S: Search> {
    search: S,
    deadline: Option<Duration>,
    /// Worker time that was charged so far, in ns.
    charged_ns: AtomicU64,
    stop: StopFlag,
    slot: watch::Sender<Slot<S::Snapshot>>,
    streams: Arc<AtomicUsize>,
    usage: Arc<Usage>,
}

impl<S: Search> Posting<S> {
    pub(super) fn new(search: S, submission: &Submission) -> Self {
        Self {
            search,
            deadline: submission.deadline,
            charged_ns: AtomicU64::new(0),
            stop: StopFlag::new(),
            slot: watch::Sender::new(Slot { latest: None, published: 0, end: None }),
            streams: Arc::default(),
            usage: Arc::new(Usage::of(submission.client)),
        }
    }

    pub(super) fn watch(&self) -> watch::Receiver<Slot<S::Snapshot>> {
        self.slot.subscribe()
    }

    pub(super) fn streams(&self) -> Arc<AtomicUsize> {
        Arc::clone(&self.streams)
    }

    pub(super) fn usage(&self) -> Arc<Usage> {
        Arc::clone(&self.usage)
    }
}

impl<S: Search> Job for Posting<S> {
    fn work(&self, recall: &AtomicBool, clock: &dyn Clock) -> Leave {
        #[cfg(feature = "failpoints")]
        super::failpoint::pass();
        let on_progress = || {
            // A snapshot costs a copy of every line: none is taken when nobody looks.
            if self.streams.load(Ordering::Relaxed) > 0 {
                self.publish();
            }
        };
        let control =
            Control { stop: &self.stop, recall, clock, deadline: self.deadline, on_progress: &on_progress };
        self.search.work(&control)
    }

    fn stop(&self, reason: StopReason) {
        self.stop.request(reason);
    }

    fn begin(&self, queued: Duration) {
        self.usage.queued_ns.store(nanos(queued), Ordering::Relaxed);
        self.usage.begun.store(true, Ordering::Relaxed);
    }

    fn answer(&self, verdict: Verdict, meter: Meter) {
        self.usage.record(meter);
        let end = match verdict {
            Verdict::Failed(failure) => Err(failure),
            // The watchdog may ask a search that is broken: its panic is the caller's answer, not the watchdog's end.
            Verdict::Snapshot => catch_unwind(AssertUnwindSafe(|| Arc::new(self.search.snapshot())))
                .map_err(|_| Failure::Panicked)
                .map(|snapshot| Finished {
                    snapshot,
                    stopped: self.stop.reason(),
                    queued: meter.queued,
                    busy: meter.busy,
                }),
        };
        self.slot.send_if_modified(|slot| {
            let first = slot.end.is_none();
            if first {
                slot.end = Some(end);
            }
            first
        });
    }

    fn settle(&self, meter: Meter) {
        self.usage.record(meter);
        self.usage.settled.store(true, Ordering::Release);
    }

    fn charge(&self, meter: Meter) -> (Vec<ClientId>, Duration) {
        let total = nanos(meter.busy);
        let before = self.charged_ns.fetch_max(total, Ordering::Relaxed);
        let payers = self.usage.payers().clone();
        let each = total.saturating_sub(before) / payers.len() as u64;
        (payers, Duration::from_nanos(each))
    }

    fn nodes(&self) -> u64 {
        // A search that is broken may break once more; its nodes are then not counted.
        catch_unwind(AssertUnwindSafe(|| self.search.nodes())).unwrap_or(0)
    }
}

impl<S: Search> Watched for Posting<S> {
    fn publish(&self) {
        let snapshot = Arc::new(self.search.snapshot());
        self.slot.send_if_modified(|slot| {
            let open = slot.end.is_none();
            if open {
                slot.latest = Some(snapshot);
                slot.published += 1;
            }
            open
        });
    }
}
