//! The swap2 opening: from the request as read through the pool to the reply.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use gomoku::search::table::Table;
use gomoku::swap2::{Swap2Query, Swap2Search, Swap2Snapshot};
use searchkit::control::Control;
use searchkit::search::{Leave, Search};

use crate::pool::Submission;
use crate::service::analyze::{ended_by, failed, pool_class, refused};
use crate::service::bank::{Bank, Lease};
use crate::service::{Arrival, Service};
use crate::wire::analysis::Repeatability;
use crate::wire::analysis_reply::EngineNameReply;
use crate::wire::gomoku::analysis_reply::GomokuScoringReply;
use crate::wire::gomoku::position_reply::GomokuPositionReply;
use crate::wire::gomoku::swap2::{Swap2Choice, Swap2Reply, Swap2Request, options};
use crate::wire::gomoku::threats::{ThreatLimitsApplied, ThreatSearchReply};
use crate::wire::problem::Problem;
use crate::wire::times::search_ms;

/// Nodes when the request gives none: what a thread searches in about half a second.
const USUAL_NODES: u64 = 200_000;

/// A swap2 search that takes its table when it is first worked on.
struct Leased {
    query: Swap2Query,
    bank: Arc<Bank>,
    // The search is dropped before its table goes back.
    begun: OnceLock<(Swap2Search, Lease<Table>)>,
}

impl Search for Leased {
    type Snapshot = Swap2Snapshot;

    fn width(&self) -> usize {
        1
    }

    fn work(&self, control: &Control<'_>) -> Leave {
        let (search, _) = self.begun.get_or_init(|| {
            let lease = self.bank.lend(Repeatability::Usual);
            (Swap2Search::new(self.query.clone(), lease.table()), lease)
        });
        search.work(control)
    }

    fn snapshot(&self) -> Swap2Snapshot {
        match self.begun.get() {
            Some((search, _)) => search.snapshot(),
            None => Swap2Search::new(self.query.clone(), Arc::new(Table::new(0))).snapshot(),
        }
    }
}

impl Service {
    /// `POST /v1/gomoku/swap2`. Dropping the future cancels the search.
    ///
    /// # Errors
    /// The problem to answer with, when there is no answer.
    pub async fn gomoku_swap2(&self, request: Swap2Request, arrival: Arrival) -> Result<Swap2Reply, Problem> {
        let submission = Submission {
            class: pool_class(request.class),
            client: arrival.client,
            deadline: Some(arrival.at + Duration::from_millis(search_ms(request.time_ms))),
            ends: self.ends(request.time_ms, request.nodes),
            threads: 1,
        };
        let position = request.read.position().clone();
        let query = Swap2Query { position, nodes: request.nodes.unwrap_or(USUAL_NODES) };
        let search = Leased { query, bank: Arc::clone(&self.bank), begun: OnceLock::new() };
        let ticket = self.pool.submit(search, submission).map_err(refused)?;
        let finished = ticket.finished().await.map_err(failed)?;
        let options = options(&request.read, &finished.snapshot);
        let best = options.first();
        let reason = ended_by(finished.snapshot.stop_reason, finished.stopped);
        Ok(Swap2Reply {
            position: GomokuPositionReply::from(&request.read),
            choice: best.map_or(Swap2Choice::TakeWhite, |best| best.choice),
            stones: best.map(|best| best.stones.clone()).unwrap_or_default(),
            options,
            search: ThreatSearchReply {
                nodes: finished.snapshot.nodes,
                elapsed_ms: self.elapsed(arrival).elapsed_ms,
                queued_ms: u64::try_from(finished.queued.as_millis()).unwrap_or(u64::MAX),
                stop_reason: reason.into(),
                limits_applied: ThreatLimitsApplied {
                    time_ms: request.time_ms,
                    search_ms: search_ms(request.time_ms),
                    nodes: Some(request.nodes.unwrap_or(USUAL_NODES)),
                },
            },
            scoring: GomokuScoringReply::LOGIT,
            assumed: request.read.assumed,
            engine: EngineNameReply::with(gomoku::evaluation::id()),
        })
    }
}
