//! Answers that need no search of their own: finished ones that are kept, and searches that run for somebody already.
//!
//! Both are found by the question in its canonical orientation, so that turned and mirrored questions share them. Who
//! asks, how long they wait and what parts of the reply they want is no part of it.
//!
//! Invariants:
//! - only an answer that more time would not change is kept;
//! - a search that several wait for ends early only when the last of them leaves: each holds a ticket of the pool;
//! - the lock around the flights is never taken by anybody who holds a lock of the pool.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use moka::sync::Cache;
use searchkit::stop::StopReason;

use crate::pool::{Class, ClientId, Refusal, Snapshots, Ticket, WeakTicket};
use crate::wire::analysis::Repeatability;

/// What an engine shows, as far as keeping it is concerned.
pub trait Keepable: Send + Sync + 'static {
    /// Why the search ended by itself, if it did.
    fn stop_reason(&self) -> Option<StopReason>;

    /// About how many bytes it takes in memory, at least 1.
    fn bytes(&self) -> usize;
}

/// Everything that an answer depends on, apart from time.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Question<Q> {
    /// What the engine is asked, in the canonical orientation.
    pub query: Q,
    /// Whether the same bytes must come back everywhere.
    pub repeatability: Repeatability,
}

/// A question with what makes a search for it fit for another caller.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Route<Q> {
    question: Question<Q>,
    time_ms: u64,
    class: Class,
}

/// A finished answer.
#[derive(Debug)]
pub struct Kept<S> {
    /// The last snapshot.
    pub snapshot: Arc<S>,
    /// Milliseconds that the search ran.
    pub ran_ms: u64,
}

impl<S> Clone for Kept<S> {
    fn clone(&self) -> Self {
        Self { snapshot: Arc::clone(&self.snapshot), ran_ms: self.ran_ms }
    }
}

/// How often a question was answered in which way since the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AnswerCounts {
    /// By an answer that was kept.
    pub kept: u64,
    /// By a search that ran already for somebody else.
    pub shared: u64,
    /// By a search of its own.
    pub searched: u64,
    /// Answers kept now.
    pub entries: u64,
    /// About how many bytes they take.
    pub bytes: u64,
}

impl AnswerCounts {
    /// Both together.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self {
            kept: self.kept + other.kept,
            shared: self.shared + other.shared,
            searched: self.searched + other.searched,
            entries: self.entries + other.entries,
            bytes: self.bytes + other.bytes,
        }
    }
}

/// The kept answers and the running searches of one game.
pub struct Answers<Q, S> {
    kept: Cache<Question<Q>, Kept<S>>,
    flights: Mutex<HashMap<Route<Q>, Waypoint<S>>>,
    hits: AtomicU64,
    shares: AtomicU64,
    searches: AtomicU64,
}

/// A running search that newcomers may join.
struct Waypoint<S> {
    ticket: WeakTicket<S>,
    submitted: Duration,
}

/// One caller's share in a running search.
pub struct Flight<Q, S>
where
    Q: Hash + Eq,
{
    // Dropped before the answers are told that this share is over.
    stream: Option<Snapshots<S>>,
    ticket: Option<Ticket<S>>,
    submitted: Duration,
    route: Route<Q>,
    answers: Arc<Answers<Q, S>>,
}

/// Bytes of an entry besides its snapshot: key, hash table, order of use.
const ENTRY_BYTES: usize = 512;

impl<Q, S> Answers<Q, S>
where
    Q: Hash + Eq + Clone + Send + Sync + 'static,
    S: Keepable,
{
    /// Room for answers of about this many bytes altogether; with 0 none is kept.
    pub fn new(bytes: u64) -> Arc<Self> {
        let weigh = |_: &Question<Q>, kept: &Kept<S>| {
            u32::try_from(kept.snapshot.bytes() + ENTRY_BYTES).unwrap_or(u32::MAX)
        };
        Arc::new(Self {
            kept: Cache::builder().max_capacity(bytes).weigher(weigh).build(),
            flights: Mutex::default(),
            hits: AtomicU64::new(0),
            shares: AtomicU64::new(0),
            searches: AtomicU64::new(0),
        })
    }

    /// The kept answer to a question.
    pub fn known(&self, question: &Question<Q>) -> Option<Kept<S>> {
        let kept = self.kept.get(question)?;
        self.hits.fetch_add(1, Ordering::Relaxed);
        Some(kept)
    }

    /// A share in the search for this question that runs already, or in a new one that `submit` hands in. Clients that share
    /// a search share its cost.
    ///
    /// # Errors
    /// When a new search is needed and refused.
    pub fn join(
        self: &Arc<Self>,
        question: Question<Q>,
        time_ms: u64,
        (class, client): (Class, ClientId),
        submit: impl FnOnce() -> Result<(Ticket<S>, Duration), Refusal>,
    ) -> Result<(Flight<Q, S>, Share), Refusal> {
        let route = Route { question, time_ms, class };
        let mut flights = self.flights();
        let running = flights.get(&route).and_then(|known| Some((known.ticket.upgrade()?, known.submitted)));
        // One that has just ended is no longer joined: if its answer lasts it is kept.
        let running = running.filter(|(ticket, _)| ticket.try_finished().is_none());
        let (ticket, submitted, share) = match running {
            Some((ticket, submitted)) => {
                self.shares.fetch_add(1, Ordering::Relaxed);
                ticket.share(client);
                (ticket, submitted, Share::Joined)
            }
            None => {
                let (ticket, submitted) = submit()?;
                self.searches.fetch_add(1, Ordering::Relaxed);
                flights.insert(route.clone(), Waypoint { ticket: ticket.downgrade(), submitted });
                (ticket, submitted, Share::Own)
            }
        };
        drop(flights);
        let answers = Arc::clone(self);
        Ok((Flight { stream: None, ticket: Some(ticket), submitted, route, answers }, share))
    }

    /// Keeps the answer of a search that has ended, if more time would not change it.
    fn keep(&self, question: &Question<Q>, kept: Kept<S>) {
        if let Some(StopReason::Solved | StopReason::Depth | StopReason::Nodes | StopReason::OnlyMove) =
            kept.snapshot.stop_reason()
        {
            self.kept.insert(question.clone(), kept);
        }
    }

    /// The answers in numbers.
    pub fn counts(&self) -> AnswerCounts {
        AnswerCounts {
            kept: self.hits.load(Ordering::Relaxed),
            shared: self.shares.load(Ordering::Relaxed),
            searched: self.searches.load(Ordering::Relaxed),
            entries: self.kept.entry_count(),
            bytes: self.kept.weighted_size(),
        }
    }
}

impl<Q: Hash + Eq, S> Answers<Q, S> {
    /// The flights. Nothing that runs under this lock leaves them half changed.
    fn flights(&self) -> MutexGuard<'_, HashMap<Route<Q>, Waypoint<S>>> {
        self.flights.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whose search a caller waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Share {
    /// One that was handed in for this very request.
    Own,
    /// One that ran already for somebody else.
    Joined,
}

impl<Q, S> Flight<Q, S>
where
    Q: Hash + Eq + Clone + Send + Sync + 'static,
    S: Keepable,
{
    /// The search.
    pub fn ticket(&self) -> &Ticket<S> {
        self.ticket.as_ref().expect("only the drop takes the ticket out")
    }

    /// The newest snapshot that was not shown yet; `None` when the search is over. Dropping this future loses nothing.
    pub async fn next(&mut self) -> Option<Arc<S>> {
        let ticket = self.ticket.as_ref().expect("only the drop takes the ticket out");
        self.stream.get_or_insert_with(|| ticket.snapshots()).next().await
    }

    /// When a worker took the search up, as far as it is known, as a reading of the pool's clock.
    pub fn begun(&self) -> Duration {
        self.submitted + Duration::from_millis(self.ticket().queued_ms())
    }

    /// Keeps the answer for others, if it lasts.
    pub fn keep(&self, snapshot: &Arc<S>, ran_ms: u64) {
        self.answers.keep(&self.route.question, Kept { snapshot: Arc::clone(snapshot), ran_ms });
    }
}

impl<Q: Hash + Eq, S> Drop for Flight<Q, S> {
    fn drop(&mut self) {
        self.stream = None;
        self.ticket = None;
        let mut flights = self.answers.flights();
        // The last one out forgets the search; by now another one may run for the same question.
        if flights.get(&self.route).is_some_and(|known| known.ticket.upgrade().is_none()) {
            flights.remove(&self.route);
        }
    }
}
