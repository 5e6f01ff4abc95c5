//! A comparison of pruning techniques: from the request as read through the pool to the reply.

use std::time::Duration;

use othello::evaluation::network::loaded;
use othello::lab::{Comparison, Rows};

use super::Service;
use super::analyze::{Arrival, ended_by, failed, pool_class, refused};
use crate::pool::{Ends, Finished, Submission};
use crate::wire::analysis_reply::EngineNameReply;
use crate::wire::comparison::ComparisonRequest;
use crate::wire::comparison_reply::{
    ComparisonLimitsApplied, ComparisonReply, ComparisonRowReply, ComparisonScoringReply,
    ComparisonSearchReply,
};
use crate::wire::position_reply::{PositionReply, assumed};
use crate::wire::problem::Problem;
use crate::wire::technique::ConfigurationReply;
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
        let comparison = Comparison::new(request.read.position, &request.configurations, &request.depths);
        let ticket = self.pool.submit(comparison, submission).map_err(refused)?;
        let finished = ticket.finished().await.map_err(failed)?;
        let elapsed = self.pool.now().saturating_sub(arrival.at);
        Ok(reply(&request, &finished, elapsed))
    }
}

fn reply(request: &ComparisonRequest, finished: &Finished<Rows>, elapsed: Duration) -> ComparisonReply {
    let rows: Vec<ComparisonRowReply> = finished.snapshot.rows.iter().map(ComparisonRowReply::from).collect();
    let configurations =
        request.configurations.iter().map(|(name, technique)| ConfigurationReply::new(name, technique));
    ComparisonReply {
        position: PositionReply::from(&request.read),
        search: search(request, finished, elapsed, &rows),
        rows,
        configurations: configurations.collect(),
        scoring: ComparisonScoringReply::LAB,
        assumed: assumed(&request.read),
        engine: EngineNameReply {
            name: env!("CARGO_PKG_NAME"),
            version: env!("CARGO_PKG_VERSION"),
            evaluation: loaded::id().to_owned(),
        },
    }
}

fn search(
    request: &ComparisonRequest,
    finished: &Finished<Rows>,
    elapsed: Duration,
    rows: &[ComparisonRowReply],
) -> ComparisonSearchReply {
    let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    let rows_finished = rows.iter().filter(|row| row.nodes.is_some()).count();
    let reason = ended_by(finished.snapshot.stop_reason, finished.stopped);
    ComparisonSearchReply {
        complete: rows_finished == rows.len(),
        rows_finished,
        nodes: rows.iter().filter_map(|row| row.nodes).sum(),
        elapsed_ms: millis(elapsed),
        queued_ms: millis(finished.queued),
        stop_reason: reason.into(),
        limits_applied: ComparisonLimitsApplied {
            time_ms: request.time_ms,
            search_ms: search_ms(request.time_ms),
            threads: request.threads,
        },
    }
}
