//! What a caller hands in with a search, and the two ways it can be told no: before admission (`Refusal`) or
//! after it (`Failure`).

use std::time::Duration;

use thiserror::Error;

/// Whose turn comes first. Work of a lower class runs on what the higher one leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Somebody looks at a board and waits.
    Interactive,
    /// Nobody waits for this very answer: reviews, lists of positions.
    Batch,
}

impl Class {
    /// Both classes, the one served first in front.
    pub const ALL: [Self; 2] = [Self::Interactive, Self::Batch];
}

/// One value for each class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PerClass<T> {
    /// The value of [`Class::Interactive`].
    pub interactive: T,
    /// The value of [`Class::Batch`].
    pub batch: T,
}

impl<T> PerClass<T> {
    /// The value of one class.
    pub fn of(&self, class: Class) -> &T {
        match class {
            Class::Interactive => &self.interactive,
            Class::Batch => &self.batch,
        }
    }

    /// The value of one class, to change it.
    pub fn of_mut(&mut self, class: Class) -> &mut T {
        match class {
            Class::Interactive => &mut self.interactive,
            Class::Batch => &mut self.batch,
        }
    }
}

/// Who asks, as far as fairness is concerned: an opaque number that the edge derives from the API key or the
/// address. Two callers that share a number share a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClientId(pub u64);

/// What is expected to end a search. Only forecasts go by it: the deadline holds either way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ends {
    /// Its deadline: it uses what time it is given.
    AtDeadline,
    /// Limits of its own (depth, nodes); the deadline is there for the case that they do not.
    ByItself,
}

/// What a caller says about a search it hands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Submission {
    /// Whose turn it takes.
    pub class: Class,
    /// Who asks.
    pub client: ClientId,
    /// When the search must end, as a reading of the pool's clock ([`Pool::now`](super::Pool::now)). Waiting counts
    /// against it. Without one the search must be bounded by limits of its own (depth, nodes).
    pub deadline: Option<Duration>,
    /// What will probably end it.
    pub ends: Ends,
    /// The most threads that may work on it at once. More than the pool or the search can use is not an error; 0
    /// means 1.
    pub threads: usize,
}

/// Why a search was not taken in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Refusal {
    /// The queue is full, this client's share of it is, or the wait would outlast the deadline.
    #[error("the pool has more work than it can start in time")]
    Overloaded {
        /// When a worker is expected to be free for the same request, from now.
        retry_after: Duration,
    },
    /// The process is shutting down and takes in no more work.
    #[error("the pool is shutting down")]
    Draining,
}

/// Why a search that was taken in has no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Failure {
    /// Its deadline passed before a worker was free for it.
    #[error("the deadline passed while the request waited for a free worker")]
    ExpiredInQueue {
        /// How long it waited.
        queued: Duration,
        /// When a worker is expected to be free for the same request, from now.
        retry_after: Duration,
    },
    /// The search panicked. This is a bug of the engine.
    #[error("the search failed unexpectedly")]
    Panicked,
    /// The process shut down before a worker was free for it.
    #[error("the process shut down before the search could begin")]
    Draining,
}
