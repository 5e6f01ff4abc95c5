//! A threat search: from the request as read through the pool to the reply.

use std::time::Duration;

use gomoku::threats::Verdict;
use gomoku::threats::search::{Kind, ThreatQuery, ThreatSearch, ThreatSnapshot};

use super::engine;
use crate::pool::{Finished, Submission};
use crate::service::analyze::{ended_by, failed, pool_class, refused};
use crate::service::{Arrival, Service};
use crate::wire::gomoku::position_reply::GomokuPositionReply;
use crate::wire::gomoku::threats::{
    KINDS, ThreatLimitsApplied, ThreatRequest, ThreatSearchReply, ThreatStatus, ThreatsReply,
};
use crate::wire::problem::Problem;
use crate::wire::times::{Times, search_ms};

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
            threads: 1,
        };
        let query = ThreatQuery {
            position: request.read.position().clone(),
            kind: request.kind,
            nodes: request.nodes.unwrap_or(u64::MAX),
        };
        let ticket = self.pool.submit(ThreatSearch::new(query), submission).map_err(refused)?;
        let finished = ticket.finished().await.map_err(failed)?;
        Ok(reply(&request, &finished, self.elapsed(arrival)))
    }
}

fn reply(request: &ThreatRequest, finished: &Finished<ThreatSnapshot>, times: Times) -> ThreatsReply {
    let snapshot = &finished.snapshot;
    let (status, won) = match &snapshot.answer.verdict {
        Verdict::Win { attacker_moves, line } => (ThreatStatus::Win, Some((*attacker_moves, line))),
        Verdict::None => (ThreatStatus::None, None),
        Verdict::Unknown => (ThreatStatus::Unknown, None),
    };
    let reason = ended_by(snapshot.stop_reason, finished.stopped);
    ThreatsReply {
        position: GomokuPositionReply::from(&request.read),
        kind: name(request.kind),
        status,
        proven: status != ThreatStatus::Unknown,
        winning_line: won.map(|(_, line)| request.read.names(line)),
        attacker_moves: won.map(|(moves, _)| moves),
        search: ThreatSearchReply {
            nodes: snapshot.answer.nodes,
            elapsed_ms: times.elapsed_ms,
            queued_ms: u64::try_from(finished.queued.as_millis()).unwrap_or(u64::MAX),
            stop_reason: reason.into(),
            limits_applied: ThreatLimitsApplied {
                time_ms: request.time_ms,
                search_ms: search_ms(request.time_ms),
                nodes: request.nodes,
            },
        },
        assumed: request.read.assumed.clone(),
        engine: engine(),
    }
}

fn name(kind: Kind) -> &'static str {
    KINDS.iter().find(|(_, known)| *known == kind).map(|&(name, _)| name).expect("every kind has a name")
}
