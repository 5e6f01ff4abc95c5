//! What a caller holds while its search waits and runs.
//!
//! Invariants:
//! - the search lives as long as somebody holds a handle to it (a [`Ticket`], a clone of one, or a [`Snapshots`]);
//!   dropping the last handle cancels it, and there is no other way to lose interest;
//! - every handle sees the same single answer;
//! - nothing here blocks, and no runtime is needed: any executor can drive these futures.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::sync::watch;

use super::core::Core;
use super::job::{Finished, Slot, Usage, Watched};
use super::queue::JobId;
use super::submission::{ClientId, Failure};

/// A handle to a search in the pool. Clones share the search; dropping the last one cancels it.
pub struct Ticket<T> {
    interest: Arc<Interest>,
    slot: watch::Receiver<Slot<T>>,
    streams: Arc<AtomicUsize>,
    usage: Arc<Usage>,
}

/// Remembers a search without keeping it alive: for tables of searches that newcomers may join.
pub struct WeakTicket<T> {
    interest: Weak<Interest>,
    slot: watch::Receiver<Slot<T>>,
    streams: Arc<AtomicUsize>,
    usage: Arc<Usage>,
}

/// The newest snapshots of a running search, one after the other; what a slow reader misses is skipped, never
/// stored. Keeps the search alive like a ticket.
pub struct Snapshots<T> {
    ticket: Ticket<T>,
    seen: u64,
}

/// Held by every handle; its end is the end of all interest in the job.
pub(super) struct Interest {
    pub(super) core: Arc<Core>,
    pub(super) job: JobId,
    /// Gone once the job is over.
    pub(super) watched: Weak<dyn Watched>,
}

impl Drop for Interest {
    fn drop(&mut self) {
        self.core.cancel(self.job);
    }
}

impl<T> Ticket<T> {
    pub(super) fn new(
        interest: Interest,
        slot: watch::Receiver<Slot<T>>,
        streams: Arc<AtomicUsize>,
        usage: Arc<Usage>,
    ) -> Self {
        Self { interest: Arc::new(interest), slot, streams, usage }
    }

    /// Waits for the answer. It comes exactly once, after a deadline, a panic and a shutdown too; asked again, it is
    /// there at once. Dropping this future loses nothing.
    ///
    /// # Errors
    /// [`Failure`] when the search never began or broke.
    pub async fn finished(&self) -> Result<Finished<T>, Failure> {
        let mut slot = self.slot.clone();
        let ended = slot.wait_for(|slot| slot.end.is_some()).await;
        // Without a sender nobody is left to answer: that would be a bug, and is reported as one.
        ended.ok().and_then(|slot| slot.end.clone()).unwrap_or(Err(Failure::Panicked))
    }

    /// The answer, if it is there.
    pub fn try_finished(&self) -> Option<Result<Finished<T>, Failure>> {
        self.slot.borrow().end.clone()
    }

    /// A stream of the search's snapshots from now on. A search that has begun shows its present one at once.
    pub fn snapshots(&self) -> Snapshots<T> {
        self.streams.fetch_add(1, Ordering::Relaxed);
        if self.usage.has_begun()
            && let Some(watched) = self.interest.watched.upgrade()
        {
            watched.publish();
        }
        Snapshots { ticket: self.clone(), seen: 0 }
    }

    /// The present reading of the pool's clock.
    pub fn now(&self) -> Duration {
        self.interest.core.now()
    }

    /// What the search costs. The record outlives ticket and search.
    pub fn usage(&self) -> &Arc<Usage> {
        &self.usage
    }

    /// Counts a part of the search to this client too: it waits for the same one. Both its turns and its quota pay.
    pub fn share(&self, client: ClientId) {
        self.usage.share(client);
        self.interest.core.join(self.interest.job, client);
    }

    /// How long the search has waited for workers, in whole milliseconds; counted when a worker takes it up.
    pub fn queued_ms(&self) -> u64 {
        u64::try_from(self.usage.queued().as_millis()).unwrap_or(u64::MAX)
    }

    /// A reference that does not keep the search alive.
    pub fn downgrade(&self) -> WeakTicket<T> {
        WeakTicket {
            interest: Arc::downgrade(&self.interest),
            slot: self.slot.clone(),
            streams: Arc::clone(&self.streams),
            usage: Arc::clone(&self.usage),
        }
    }
}

impl<T> Clone for Ticket<T> {
    fn clone(&self) -> Self {
        Self {
            interest: Arc::clone(&self.interest),
            slot: self.slot.clone(),
            streams: Arc::clone(&self.streams),
            usage: Arc::clone(&self.usage),
        }
    }
}

impl<T> WeakTicket<T> {
    /// A handle to the search, if somebody still holds one.
    pub fn upgrade(&self) -> Option<Ticket<T>> {
        let interest = self.interest.upgrade()?;
        Some(Ticket {
            interest,
            slot: self.slot.clone(),
            streams: Arc::clone(&self.streams),
            usage: Arc::clone(&self.usage),
        })
    }
}

impl<T> Snapshots<T> {
    /// The newest snapshot that this stream has not shown yet; waits for one. `None` when the search is over: the
    /// answer is then at [`ticket`](Self::ticket). Dropping this future loses nothing.
    pub async fn next(&mut self) -> Option<Arc<T>> {
        loop {
            {
                let slot = self.ticket.slot.borrow_and_update();
                if slot.end.is_some() {
                    return None;
                }
                if slot.published > self.seen {
                    self.seen = slot.published;
                    return slot.latest.clone();
                }
            }
            self.ticket.slot.changed().await.ok()?;
        }
    }

    /// The ticket of the search that this stream shows.
    pub fn ticket(&self) -> &Ticket<T> {
        &self.ticket
    }
}

impl<T> Drop for Snapshots<T> {
    fn drop(&mut self) {
        self.ticket.streams.fetch_sub(1, Ordering::Relaxed);
    }
}
