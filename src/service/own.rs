//! A search of a request's own, waited for to its end: for questions whose answers are neither kept nor shared.

use searchkit::search::Search;

use super::Service;
use super::analyze::{Arrival, failed, refused};
use super::running::Source;
use super::traced::SearchSpan;
use crate::pool::{Finished, Submission};
use crate::wire::problem::Problem;
use crate::wire::times::{Times, millis};

impl Service {
    /// The end of this search, and what its request took. Dropping the future cancels the search.
    ///
    /// # Errors
    /// The problem to answer with, when there is no answer.
    pub(super) async fn own_search<S: Search>(
        &self,
        search: S,
        submission: Submission,
        arrival: Arrival,
    ) -> Result<(Finished<S::Snapshot>, Times), Problem> {
        let ticket = self.pool.submit(search, submission).map_err(refused)?;
        let mut span = SearchSpan::begin(Source::Searched);
        let finished = ticket.finished().await.map_err(failed);
        let (queued_ms, elapsed) = (ticket.queued_ms(), self.elapsed(arrival));
        let ran_ms = elapsed.elapsed_ms.saturating_sub(queued_ms);
        span.end(&Times { queued_ms, ran_ms, ..elapsed }, &finished);
        let finished = finished?;
        let times = Times { queued_ms: millis(finished.queued), ..elapsed };
        Ok((finished, times))
    }
}
