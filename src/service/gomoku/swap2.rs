//! The swap2 opening: from the request as read through the pool to the reply.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use gomoku::search::table::Table;
use gomoku::swap2::{Swap2Query, Swap2Search, Swap2Snapshot};
use searchkit::control::Control;
use searchkit::search::{Leave, Search};

use crate::pool::Submission;
use crate::service::analyze::{ended_by, pool_class};
use crate::service::bank::{Bank, Lease};
use crate::service::{Arrival, Service};
use crate::wire::analysis::Repeatability;
use crate::wire::gomoku::swap2::{Swap2Reply, Swap2Request};
use crate::wire::problem::Problem;
use crate::wire::times::search_ms;

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
        let search = Leased { query: request.query(), bank: Arc::clone(&self.bank), begun: OnceLock::new() };
        let (finished, times) = self.own_search(search, submission, arrival).await?;
        let reason = ended_by(finished.snapshot.stop_reason, finished.stopped);
        Ok(Swap2Reply::new(&request, &finished.snapshot, reason, &times))
    }
}
