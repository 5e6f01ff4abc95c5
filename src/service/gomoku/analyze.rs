//! A Gomoku analysis: from the request as read through the pool to the reply.

use gomoku::point::Point;
use gomoku::position::Status;
use gomoku::query::{Query, RootMove, Snapshot};
use searchkit::stop::StopReason;

use crate::service::analyze::{ended_by, may_be_told};
use crate::service::answers::{Keepable, Question};
use crate::service::begin::Terms;
use crate::service::leased::Gomoku;
use crate::service::running::{Running, Source, Telling};
use crate::service::{Arrival, Service};
use crate::wire::gomoku::analysis::GomokuRequest;
use crate::wire::gomoku::analysis_reply::GomokuAnalysisReply;
use crate::wire::gomoku::telling::GomokuTelling;
use crate::wire::problem::Problem;
use crate::wire::times::Times;

impl Service {
    /// `POST /v1/gomoku/analysis`. Dropping the future takes the interest in the search away.
    ///
    /// # Errors
    /// The problem to answer with, when there is no answer.
    pub async fn gomoku_analyze(
        &self,
        request: GomokuRequest,
        arrival: Arrival,
    ) -> Result<GomokuAnalysisReply, Problem> {
        self.begin_gomoku_analysis(request, arrival)?.finished().await
    }

    /// The same, step by step. A search that nobody waits for any more is cancelled.
    ///
    /// # Errors
    /// The problem to answer with, when the search is not taken in.
    pub fn begin_gomoku_analysis(
        &self,
        request: GomokuRequest,
        arrival: Arrival,
    ) -> Result<Running<GomokuTelling>, Problem> {
        let (query, telling) = GomokuTelling::new(request);
        let request = &telling.request;
        if request.read.position().status() != Status::InProgress {
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
        self.begin::<Gomoku, _>(&self.gomoku, question, telling, terms)
    }
}

impl Keepable for Snapshot {
    fn stop_reason(&self) -> Option<StopReason> {
        self.stop_reason
    }

    fn bytes(&self) -> usize {
        let of_move = |root: &RootMove| {
            size_of::<RootMove>() + root.principal_variation.capacity() * size_of::<Point>()
        };
        size_of::<Self>() + self.moves.iter().map(of_move).sum::<usize>()
    }
}

impl Telling for GomokuTelling {
    type Query = Query;
    type Snapshot = Snapshot;
    type Reply = GomokuAnalysisReply;

    fn so_far(&self, snapshot: &Snapshot, times: Times) -> Option<GomokuAnalysisReply> {
        self.so_far(snapshot, &times)
    }

    fn at_last(
        &self,
        snapshot: &Snapshot,
        stopped: Option<StopReason>,
        times: Times,
    ) -> Result<GomokuAnalysisReply, Problem> {
        let reason = ended_by(snapshot.stop_reason, stopped);
        may_be_told(reason, self.request.repeatability, self.request.time_ms)?;
        Ok(self.at_last(snapshot, reason, &times))
    }
}
