//! A comparison of pruning techniques: from the request as read through the pool to the reply.

use std::time::Duration;

use super::Service;
use super::analyze::{Arrival, ended_by, pool_class};
use crate::pool::{Ends, Submission};
use crate::wire::comparison::ComparisonRequest;
use crate::wire::comparison_reply::ComparisonReply;
use crate::wire::problem::Problem;
use crate::wire::times::search_ms;

impl Service {
    /// `POST /v1/othello/comparison`. Dropping the future cancels the searches.
    ///
    /// # Errors
    /// The problem to answer with, when there is no answer.
    pub async fn compare(
        &self,
        request: ComparisonRequest,
        arrival: Arrival,
    ) -> Result<ComparisonReply, Problem> {
        let submission = Submission {
            class: pool_class(request.class),
            client: arrival.client,
            deadline: Some(arrival.at + Duration::from_millis(search_ms(request.time_ms))),
            // Its depths bound it, but it is given so little time that it often needs all.
            ends: Ends::AtDeadline,
            threads: request.threads,
        };
        let (finished, times) = self.own_search(request.comparison(), submission, arrival).await?;
        let reason = ended_by(finished.snapshot.stop_reason, finished.stopped);
        Ok(ComparisonReply::new(&request, &finished.snapshot, reason, &times))
    }
}
