//! An analysis under way, whatever the game: full replies as the search goes on, then exactly one last word.

use std::hash::Hash;
use std::time::Duration;

use searchkit::stop::StopReason;

use super::analyze::failed;
use super::answers::{Flight, Keepable};
use super::traced::SearchSpan;
use crate::pool::Failure;
use crate::wire::problem::Problem;
use crate::wire::times::{Times, millis};

/// One request that knows how its game's snapshots are told to the one who asked.
pub trait Telling: Send + 'static {
    /// What the engine is asked.
    type Query: Hash + Eq + Clone + Send + Sync + 'static;
    /// What the engine shows, in the canonical orientation.
    type Snapshot: Keepable;
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

/// Where an answer comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The position alone says it all.
    Rules,
    /// It was found for an earlier request.
    Kept,
    /// From a search that ran already for somebody else.
    Shared,
    /// From a search of its own.
    Searched,
}

/// Hands in a search for a request; a second time for one whose shared search never began.
pub(super) type Submit<T> = Box<dyn FnOnce() -> Result<Search<T>, Problem> + Send>;

type Search<T> = Flight<<T as Telling>::Query, <T as Telling>::Snapshot>;

/// An analysis under way. Dropping it takes the interest in the search away.
pub struct Running<T: Telling> {
    telling: T,
    arrived: Duration,
    source: Source,
    state: State<T>,
}

enum State<T: Telling> {
    /// A search, and how to begin one's own if this is another's that fails for want of time.
    Searching(Search<T>, Option<Submit<T>>, SearchSpan),
    /// The last word was known at once.
    Known(Result<T::Reply, Problem>),
    /// The last word has been told.
    Over,
}

impl<T: Telling> Running<T> {
    /// A search for a request that had arrived at this reading of the pool's clock. `own` begins another search, in case
    /// this one runs for somebody else whose time ends sooner.
    pub(super) fn searching(
        telling: T,
        search: Search<T>,
        own: Option<Submit<T>>,
        arrived: Duration,
    ) -> Self {
        let source = if own.is_some() { Source::Shared } else { Source::Searched };
        let state = State::Searching(search, own, SearchSpan::begin(source));
        Self { telling, arrived, source, state }
    }

    /// An answer that needs no search.
    pub(super) fn known(telling: T, reply: Result<T::Reply, Problem>, source: Source) -> Self {
        Self { telling, arrived: Duration::ZERO, source, state: State::Known(reply) }
    }

    /// Where the answer comes from.
    pub fn source(&self) -> Source {
        self.source
    }

    /// The next step; `None` after the last word. What a slow caller misses is skipped: each snapshot is a whole answer.
    /// Dropping this future loses nothing.
    pub async fn next(&mut self) -> Option<Record<T::Reply>> {
        loop {
            if let State::Searching(search, ..) = &mut self.state {
                while let Some(snapshot) = search.next().await {
                    if let Some(reply) = self.telling.so_far(&snapshot, times(search, self.arrived)) {
                        return Some(Record::Snapshot(reply));
                    }
                }
            }
            if !self.begun_anew().await {
                return self.last().await.map(|last| last.map_or_else(Record::Problem, Record::Result));
            }
        }
    }

    /// The last word.
    ///
    /// # Errors
    /// The problem to answer with, when there is no answer.
    pub async fn finished(mut self) -> Result<T::Reply, Problem> {
        while self.begun_anew().await {}
        self.last().await.expect("nobody has taken the last word: this is the only handle")
    }

    /// Waits for the end of the search. When it is another's whose time ran out in the queue, while there may still be
    /// some for this request, begins another one and returns true.
    async fn begun_anew(&mut self) -> bool {
        let State::Searching(search, own, _) = &mut self.state else { return false };
        if !matches!(search.ticket().finished().await, Err(Failure::ExpiredInQueue { .. })) {
            return false;
        }
        let Some(own) = own.take() else { return false };
        self.source = Source::Searched;
        self.state = match own() {
            Ok(search) => State::Searching(search, None, SearchSpan::begin(Source::Searched)),
            Err(problem) => State::Known(Err(problem)),
        };
        true
    }

    async fn last(&mut self) -> Option<Result<T::Reply, Problem>> {
        if let State::Searching(search, _, span) = &mut self.state {
            let finished = search.ticket().finished().await;
            let times = times(search, self.arrived);
            let last = finished.map_err(failed).and_then(|finished| {
                search.keep(&finished.snapshot, times.ran_ms);
                self.telling.at_last(&finished.snapshot, finished.stopped, times)
            });
            span.end(&times, &last);
            self.state = State::Over;
            return Some(last);
        }
        match std::mem::replace(&mut self.state, State::Over) {
            State::Known(last) => Some(last),
            State::Searching(..) | State::Over => None,
        }
    }
}

/// What a request that arrived at this reading of the clock has taken until now.
fn times<Q, S>(search: &Flight<Q, S>, arrived: Duration) -> Times
where
    Q: Hash + Eq + Clone + Send + Sync + 'static,
    S: Keepable,
{
    let (now, begun) = (search.ticket().now(), search.begun());
    Times {
        elapsed_ms: millis(now.saturating_sub(arrived)),
        queued_ms: millis(begun.saturating_sub(arrived)),
        ran_ms: millis(now.saturating_sub(begun)),
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use searchkit::control::Control;
    use searchkit::search::{Leave, Search};

    use super::*;
    use crate::pool::{Class, ClientId, Ends, Pool, Settings, Submission};
    use crate::service::answers::{AnswerCounts, Answers, Question, Share};
    use crate::wire::analysis::Repeatability;
    use crate::wire::problem::ProblemCode;

    const SUBMISSION: Submission = Submission {
        class: Class::Interactive,
        client: ClientId(0),
        deadline: None,
        ends: Ends::AtDeadline,
        threads: 1,
    };
    const QUESTION: Question<u8> = Question { query: 1, repeatability: Repeatability::Usual };

    impl Keepable for u32 {
        fn stop_reason(&self) -> Option<StopReason> {
            None
        }

        fn bytes(&self) -> usize {
            4
        }
    }

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
        type Query = u8;
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
        let answers = Answers::new(1 << 20);
        let submit = || Ok((pool.submit(Breaks::default(), SUBMISSION)?, pool.now()));
        let (search, _) =
            answers.join(QUESTION, 1_000, (Class::Interactive, ClientId(0)), submit).expect("room");
        let mut running = Running::searching(Plain, search, None, Duration::ZERO);
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

    /// Runs until it is let go, whatever it is told.
    #[derive(Clone, Default)]
    struct Holds(Arc<AtomicBool>);

    impl Search for Holds {
        type Snapshot = u32;

        fn width(&self) -> usize {
            1
        }

        fn work(&self, _: &Control<'_>) -> Leave {
            while !self.0.load(Ordering::Relaxed) {
                std::thread::yield_now();
            }
            Leave::Done
        }

        fn snapshot(&self) -> u32 {
            2
        }
    }

    #[tokio::test]
    async fn who_shares_a_search_that_expires_in_the_queue_gets_one_of_its_own() {
        let pool = Arc::new(Pool::start(Settings::new(NonZeroUsize::MIN)).expect("threads"));
        let in_ms = |ms| Submission { deadline: Some(pool.now() + Duration::from_millis(ms)), ..SUBMISSION };
        let holder = Holds::default();
        // A busy machine may take its time to give a worker the processor.
        let held = pool.submit(holder.clone(), in_ms(500)).expect("room");
        let answers = Answers::new(1 << 20);
        // The holder is expected to end at its deadline.
        let expires = in_ms(1_500);
        let join = |submission: Submission| {
            let (answers, pool) = (Arc::clone(&answers), Arc::clone(&pool));
            move || {
                let submit = || Ok((pool.submit(Holds::default(), submission)?, pool.now()));
                answers.join(QUESTION, 1_000, (Class::Interactive, ClientId(0)), submit)
            }
        };
        let (first, of_first) = join(expires)().expect("there is time");
        let (second, of_second) = join(expires)().expect("it runs already");
        assert_eq!((of_first, of_second), (Share::Own, Share::Joined));
        let own = join(in_ms(60_000));
        let again: Submit<Plain> = Box::new(move || Ok(own().expect("room").0));
        let first = Running::searching(Plain, first, None, Duration::ZERO);
        let mut second = Running::searching(Plain, second, Some(again), Duration::ZERO);
        let problem = first.finished().await.expect_err("its time ran out");
        assert_eq!(problem.code, ProblemCode::Overloaded);
        assert!(second.begun_anew().await, "its own time is not over");
        assert_eq!(answers.counts(), AnswerCounts { shared: 1, searched: 2, ..AnswerCounts::default() });
        drop(second);
        assert_eq!(pool.stats().counts.cancelled, 1);
        holder.0.store(true, Ordering::Relaxed);
        drop(held);
    }
}
