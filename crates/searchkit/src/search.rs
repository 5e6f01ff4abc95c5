//! The one trait that a search engine offers and that a pool of worker threads drives.

use crate::control::Control;

/// Why a thread came back from [`Search::work`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leave {
    /// The search has ended (finished, limit reached, or stopped): its snapshot is final and no thread is needed
    /// any more.
    Done,
    /// This thread was recalled before the end. The search needs at least one thread to come (back) to it.
    Recalled,
}

/// A search in progress, shared by the threads that work on it.
///
/// All state lives in the search itself: any number of threads may call [`work`](Search::work) at once, leave when
/// recalled and come back later, and the result does not depend on which thread did what beyond the usual
/// nondeterminism of a shared transposition table. With a single thread the result is reproducible.
pub trait Search: Send + Sync + 'static {
    /// A full answer as of now. The best so far while the search runs, the final answer when it is done.
    type Snapshot: Clone + Send + Sync + 'static;

    /// The most threads that can be of use at once, at least 1.
    fn width(&self) -> usize;

    /// Works on the search with the calling thread until the search ends or the thread is recalled. When there is
    /// nothing for this thread to do for a moment, it waits inside, still obeying `control`.
    fn work(&self, control: &Control<'_>) -> Leave;

    /// The answer so far. Callable at any time from any thread, also before the first call of `work` and while
    /// others work; it must not wait for them.
    fn snapshot(&self) -> Self::Snapshot;

    /// Positions visited so far, for the operator's counters; 0 where nobody counts. Asked when no thread is at work.
    fn nodes(&self) -> u64 {
        0
    }
}
