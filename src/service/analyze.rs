//! An analysis: from the request as read through the pool to the reply.

use std::time::Duration;

use othello::position::Status;
use othello::query::{Query, RootMove, Snapshot};
use othello::square::Move;
use searchkit::stop::StopReason;

use super::Service;
use super::answers::{Keepable, Question};
use super::begin::Terms;
use super::leased::Othello;
use super::running::{Running, Source, Telling};
use crate::pool::{self, ClientId, Failure, Refusal};
use crate::wire::analysis::{AnalysisRequest, Class, Repeatability};
use crate::wire::analysis_reply::AnalysisReply;
use crate::wire::problem::{Problem, ProblemCode};
use crate::wire::telling::OthelloTelling;
use crate::wire::times::Times;

/// When to call again after a refusal without a better estimate.
const AGAIN_MS: u64 = 1_000;
/// When a draining process is replaced by another, at the usual pace of an orchestrator.
const REPLACED_MS: u64 = 2_000;

/// The moment a request had arrived whole, and who sent it.
#[derive(Debug, Clone, Copy)]
pub struct Arrival {
    /// Reading of the pool's clock.
    pub at: Duration,
    /// Who asks, for fairness between callers.
    pub client: ClientId,
}

impl Service {
    /// `POST /v1/othello/analysis`. Dropping the future takes the interest in the search away.
    ///
    /// # Errors
    /// The problem to answer with, when there is no answer.
    pub async fn analyze(
        &self,
        request: AnalysisRequest,
        arrival: Arrival,
    ) -> Result<AnalysisReply, Problem> {
        self.begin_analysis(request, arrival)?.finished().await
    }

    /// The same, step by step. A search that nobody waits for any more is cancelled.
    ///
    /// # Errors
    /// The problem to answer with, when the search is not taken in.
    pub fn begin_analysis(
        &self,
        request: AnalysisRequest,
        arrival: Arrival,
    ) -> Result<Running<OthelloTelling>, Problem> {
        let (query, telling) = OthelloTelling::new(request);
        let request = &telling.request;
        if request.read.position.status() == Status::Finished {
            let reply = telling.finished_game(&self.elapsed(arrival));
            return Ok(Running::known(telling, Ok(reply), Source::Rules));
        }
        let question = Question { query, repeatability: request.repeatability };
        let terms = Terms {
            class: request.class,
            time_ms: request.time_ms,
            own_limit: request.depth.map(u64::from).or(request.nodes),
            threads: request.threads,
            arrival,
        };
        self.begin::<Othello, _>(&self.othello, question, telling, terms)
    }
}

impl Keepable for Snapshot {
    fn stop_reason(&self) -> Option<StopReason> {
        self.stop_reason
    }

    fn bytes(&self) -> usize {
        let of_move =
            |root: &RootMove| size_of::<RootMove>() + root.principal_variation.capacity() * size_of::<Move>();
        size_of::<Self>() + self.moves.iter().map(of_move).sum::<usize>()
    }
}

impl Telling for OthelloTelling {
    type Query = Query;
    type Snapshot = Snapshot;
    type Reply = AnalysisReply;

    fn so_far(&self, snapshot: &Snapshot, times: Times) -> Option<AnalysisReply> {
        self.so_far(snapshot, &times)
    }

    fn at_last(
        &self,
        snapshot: &Snapshot,
        stopped: Option<StopReason>,
        times: Times,
    ) -> Result<AnalysisReply, Problem> {
        let reason = ended_by(snapshot.stop_reason, stopped);
        may_be_told(reason, self.request.repeatability, self.request.time_ms)?;
        Ok(self.at_last(snapshot, reason, &times))
    }
}

pub(super) const fn pool_class(class: Class) -> pool::Class {
    match class {
        Class::Interactive => pool::Class::Interactive,
        Class::Batch => pool::Class::Batch,
    }
}

pub(super) fn refused(refusal: Refusal) -> Problem {
    match refusal {
        Refusal::Overloaded { retry_after } => {
            overloaded("the queue is full, or would outlast the time given", retry_after)
        }
        Refusal::Draining => draining(),
    }
}

pub(super) fn failed(failure: Failure) -> Problem {
    match failure {
        Failure::ExpiredInQueue { queued, retry_after } => overloaded(
            &format!(
                "the time given ran out after {} ms in the queue, before a thread was free",
                queued.as_millis()
            ),
            retry_after,
        ),
        Failure::Panicked => Problem::new(ProblemCode::Internal, "the search broke; trying again is safe"),
        Failure::Draining => draining(),
    }
}

fn overloaded(detail: &str, retry_after: Duration) -> Problem {
    let milliseconds = u64::try_from(retry_after.as_millis()).unwrap_or(AGAIN_MS).max(1);
    Problem::new(ProblemCode::Overloaded, detail).retry_after_ms(milliseconds)
}

pub(super) fn draining() -> Problem {
    let detail = "this instance is shutting down and takes in no more work";
    Problem::new(ProblemCode::Draining, detail).retry_after_ms(REPLACED_MS)
}

/// Why a search ended. Its own word counts first: it may have ended by itself in the moment it was stopped.
pub(super) fn ended_by(own: Option<StopReason>, stopped: Option<StopReason>) -> StopReason {
    own.or(stopped).unwrap_or(StopReason::Time)
}

/// A deterministic answer must not depend on when the search was cut short.
pub(super) fn may_be_told(
    reason: StopReason,
    repeatability: Repeatability,
    time_ms: u64,
) -> Result<(), Problem> {
    match (repeatability, reason) {
        (Repeatability::Deterministic, StopReason::Time) => Err(unfinished(time_ms)),
        (Repeatability::Deterministic, StopReason::Draining | StopReason::Cancelled) => Err(draining()),
        _ => Ok(()),
    }
}

fn unfinished(time_ms: u64) -> Problem {
    let detail = format!(
        "the search did not end within the service's cap of {time_ms} ms, and a deterministic answer must not depend on it"
    );
    Problem::new(ProblemCode::DeterministicUnfinished, detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_failure_of_the_pool_is_a_problem_with_its_own_code() {
        let retry_after = Duration::from_millis(1_500);
        let expired = failed(Failure::ExpiredInQueue { queued: Duration::from_millis(70), retry_after });
        assert_eq!((expired.code, expired.retry_after_ms), (ProblemCode::Overloaded, Some(1_500)));
        assert!(expired.detail.contains(" 70 ms "), "{}", expired.detail);
        assert_eq!(failed(Failure::Panicked).code, ProblemCode::Internal);
        assert_eq!(failed(Failure::Draining).code, ProblemCode::Draining);
        assert_eq!(refused(Refusal::Draining).code, ProblemCode::Draining);
        assert_eq!(refused(Refusal::Overloaded { retry_after: Duration::ZERO }).retry_after_ms, Some(1));
    }
}
