//! An analysis under way, whatever the game: full replies as the search goes on, then exactly one last word.

use std::time::Duration;

use searchkit::stop::StopReason;

use super::analyze::failed;
use crate::pool::{Finished, Snapshots, Ticket};
use crate::wire::problem::Problem;

/// One request that knows how its game's snapshots are told to the one who asked.
pub trait Telling: Send + 'static {
    /// What the engine shows.
    type Snapshot: Send + Sync + 'static;
    /// What the caller gets.
    type Reply: Send + 'static;

    /// The answer as of now; `None` while there is nothing worth telling.
    fn so_far(&self, snapshot: &Self::Snapshot, times: Times) -> Option<Self::Reply>;

    /// The last word. `stopped` is the pool's reason, if it ended the search.
    ///
    /// # Errors
    /// When what the search has does not make an answer to this request.
    fn at_last(
        &self,
        snapshot: &Self::Snapshot,
        stopped: Option<StopReason>,
        times: Times,
    ) -> Result<Self::Reply, Problem>;
}

/// What an answer took so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Times {
    /// Milliseconds from the arrival of the request.
    pub elapsed_ms: u64,
    /// Milliseconds of it spent waiting for a thread.
    pub queued_ms: u64,
}

impl Times {
    /// From durations, rounded down.
    pub fn new(elapsed: Duration, queued: Duration) -> Self {
        let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        Self { elapsed_ms: millis(elapsed), queued_ms: millis(queued) }
    }
}

/// One step of an analysis. There are any number of snapshots, then one of the other two.
#[derive(Debug, Clone, PartialEq)]
pub enum Record<R> {
    /// The answer as of now.
    Snapshot(R),
    /// The last word.
    Result(R),
    /// The last word when there is no answer.
    Problem(Problem),
}

/// An analysis under way. Dropping it takes the interest in the search away.
pub struct Running<T: Telling> {
    telling: T,
    arrived: Duration,
    state: State<T>,
}

enum State<T: Telling> {
    Searching(Ticket<T::Snapshot>, Option<Snapshots<T::Snapshot>>),
    /// The last word was known at once.
    Known(T::Reply),
    /// The last word has been told.
    Over,
}

impl<T: Telling> Running<T> {
    /// A search that was handed in for a request that had arrived at this reading of the pool's clock.
    pub fn searching(telling: T, ticket: Ticket<T::Snapshot>, arrived: Duration) -> Self {
        Self { telling, arrived, state: State::Searching(ticket, None) }
    }

    /// An answer that needed no search.
    pub(super) fn known(telling: T, reply: T::Reply, arrived: Duration) -> Self {
        Self { telling, arrived, state: State::Known(reply) }
    }

    /// The next step; `None` after the last word. What a slow caller misses is skipped: each snapshot is a whole answer.
    /// Dropping this future loses nothing.
    pub async fn next(&mut self) -> Option<Record<T::Reply>> {
        if let State::Searching(ticket, snapshots) = &mut self.state {
            let snapshots = snapshots.get_or_insert_with(|| ticket.snapshots());
            while let Some(snapshot) = snapshots.next().await {
                let times = Times::new(
                    ticket.now().saturating_sub(self.arrived),
                    Duration::from_millis(ticket.queued_ms()),
                );
                if let Some(reply) = self.telling.so_far(&snapshot, times) {
                    return Some(Record::Snapshot(reply));
                }
            }
        }
        self.last().await.map(|last| last.map_or_else(Record::Problem, Record::Result))
    }

    /// The last word.
    ///
    /// # Errors
    /// The problem to answer with, when there is no answer.
    pub async fn finished(mut self) -> Result<T::Reply, Problem> {
        self.last().await.expect("nobody has taken the last word: this is the only handle")
    }

    async fn last(&mut self) -> Option<Result<T::Reply, Problem>> {
        if let State::Searching(ticket, _) = &self.state {
            let finished = ticket.finished().await;
            let elapsed = ticket.now().saturating_sub(self.arrived);
            let last = finished.map_err(failed).and_then(|finished| {
                let Finished { snapshot, stopped, queued, .. } = finished;
                self.telling.at_last(&snapshot, stopped, Times::new(elapsed, queued))
            });
            self.state = State::Over;
            return Some(last);
        }
        match std::mem::replace(&mut self.state, State::Over) {
            State::Known(reply) => Some(Ok(reply)),
            State::Searching(..) | State::Over => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;
    use std::sync::atomic::{AtomicBool, Ordering};

    use searchkit::control::Control;
    use searchkit::search::{Leave, Search};

    use super::*;
    use crate::pool::{Class, ClientId, Pool, Settings, Submission};
    use crate::wire::problem::ProblemCode;

    /// Shows one step, then breaks.
    #[derive(Default)]
    struct Breaks(AtomicBool);

    impl Search for Breaks {
        type Snapshot = u32;

        fn width(&self) -> usize {
            1
        }

        fn work(&self, control: &Control<'_>) -> Leave {
            (control.on_progress)();
            while !self.0.load(Ordering::Relaxed) {
                assert!(control.interrupt().is_none(), "somebody waits for it");
            }
            panic!("on purpose")
        }

        fn snapshot(&self) -> u32 {
            // The second one who looks is told that the first was heard.
            self.0.store(true, Ordering::Relaxed);
            1
        }
    }

    struct Plain;

    impl Telling for Plain {
        type Snapshot = u32;
        type Reply = u32;

        fn so_far(&self, snapshot: &u32, _: Times) -> Option<u32> {
            Some(*snapshot)
        }

        fn at_last(&self, snapshot: &u32, _: Option<StopReason>, _: Times) -> Result<u32, Problem> {
            Ok(*snapshot)
        }
    }

    #[tokio::test]
    async fn a_search_that_breaks_ends_with_one_problem() {
        let pool = Pool::start(Settings::new(NonZeroUsize::MIN)).expect("threads");
        let submission =
            Submission { class: Class::Interactive, client: ClientId(0), deadline: None, threads: 1 };
        let ticket = pool.submit(Breaks::default(), submission).expect("room");
        let mut running = Running::searching(Plain, ticket, Duration::ZERO);
        let mut records = Vec::new();
        while let Some(record) = running.next().await {
            records.push(record);
        }
        let last = records.pop().expect("there is a last word");
        assert!(
            matches!(last, Record::Problem(ref problem) if problem.code == ProblemCode::Internal),
            "{last:?}"
        );
        assert!(records.iter().all(|record| matches!(record, Record::Snapshot(_))), "{records:?}");
        assert_eq!(running.next().await, None);
    }
}
