//! A threat search: from the request as read through the pool to the reply.

use std::time::Duration;

use gomoku::threats::search::ThreatSearch;

use crate::pool::Submission;
use crate::service::analyze::{ended_by, pool_class};
use crate::service::{Arrival, Service};
use crate::wire::gomoku::threats::{ThreatRequest, ThreatsReply};
use crate::wire::problem::Problem;
use crate::wire::times::search_ms;

impl Service {
    /// `POST /v1/gomoku/threats`. Dropping the future cancels the search.
    ///
    /// # Errors
    /// The problem to answer with, when there is no answer.
    pub async fn gomoku_threats(
        &self,
        request: ThreatRequest,
        arrival: Arrival,
    ) -> Result<ThreatsReply, Problem> {
        let submission = Submission {
            class: pool_class(request.class),
            client: arrival.client,
            deadline: Some(arrival.at + Duration::from_millis(search_ms(request.time_ms))),
            ends: self.ends(request.time_ms, request.nodes),
            threads: 1,
        };
        let search = ThreatSearch::new(request.query());
        let (finished, times) = self.own_search(search, submission, arrival).await?;
        let reason = ended_by(finished.snapshot.stop_reason, finished.stopped);
        Ok(ThreatsReply::new(&request, &finished.snapshot, reason, &times))
    }
}
