//! An analysis: from the request as read through the pool to the reply.

use std::time::Duration;

use othello::evaluation::network::loaded;
use othello::level;
use othello::position::{Color, EmptiesRule, Position, Status};
use othello::query::{Bound, Query, RootMove, Score, Snapshot, Statistics, Value};
use othello::square::Move;
use othello::symmetry::Symmetry;
use searchkit::stop::StopReason;

use super::Service;
use super::answers::{Keepable, Question};
use super::begin::Terms;
use super::leased::Othello;
use super::running::{Running, Source, Telling, Times};
use crate::pool::{self, ClientId, Failure, Refusal};
use crate::wire::analysis::{AnalysisRequest, Class, Part, Repeatability};
use crate::wire::analysis_reply::{
    AnalysisReply, CutoffsReply, EngineNameReply, LimitsApplied, MoveReply, RowReply, ScoreReply,
    ScoringReply, SearchReply, TableReply,
};
use crate::wire::position_reply::{PositionReply, assumed, names, result};
use crate::wire::problem::{Problem, ProblemCode};
use crate::wire::strength::LevelRequest;

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

/// A request for an analysis, as it is answered.
pub struct OthelloTelling {
    request: AnalysisRequest,
    /// From the canonical orientation, which is searched, to that of the request.
    back: Symmetry,
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
        let (query, back) = query(&request);
        if request.read.position.status() == Status::Finished {
            let reply = finished_game(&request, self.elapsed(arrival));
            return Ok(Running::known(OthelloTelling { request, back }, Ok(reply), Source::Rules));
        }
        let question = Question { query, repeatability: request.repeatability };
        let terms =
            Terms { class: request.class, time_ms: request.time_ms, threads: request.threads, arrival };
        self.begin::<Othello, _>(&self.othello, question, OthelloTelling { request, back }, terms)
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
        // Before the first iteration there is no value to tell.
        (snapshot.depth > 0).then(|| reply(&self.request, &self.turned_back(snapshot), None, &times))
    }

    fn at_last(
        &self,
        snapshot: &Snapshot,
        stopped: Option<StopReason>,
        times: Times,
    ) -> Result<AnalysisReply, Problem> {
        let reason = ended_by(snapshot.stop_reason, stopped);
        may_be_told(reason, self.request.repeatability, self.request.time_ms)?;
        Ok(reply(&self.request, &self.turned_back(snapshot), Some(reason), &times))
    }
}

impl OthelloTelling {
    fn turned_back(&self, snapshot: &Snapshot) -> Snapshot {
        snapshot.seen_through(self.back, self.request.read.position.size(), self.request.goal)
    }
}

fn finished_game(request: &AnalysisRequest, times: Times) -> AnalysisReply {
    let nothing = Snapshot {
        moves: Vec::new(),
        depth: 0,
        selectivity: othello::query::Selectivity::Full,
        complete: true,
        statistics: Statistics::default(),
        table_fill_permille: 0,
        stop_reason: Some(StopReason::NoMove),
    };
    AnalysisReply {
        score: Some(ScoreReply::finished(
            request.read.position.final_score(request.empties),
            request.read.position,
        )),
        result: result(request.read.position, request.empties),
        ..reply(request, &nothing, Some(StopReason::NoMove), &times)
    }
}

/// The part of a request's time that the search gets; the rest is for the way back.
pub(super) const fn search_ms(time_ms: u64) -> u64 {
    const MOST_KEPT_MS: u64 = 30;
    let share = time_ms / 10;
    time_ms - if share < MOST_KEPT_MS { share } else { MOST_KEPT_MS }
}

pub(super) const fn pool_class(class: Class) -> pool::Class {
    match class {
        Class::Interactive => pool::Class::Interactive,
        Class::Batch => pool::Class::Batch,
    }
}

/// The question in its canonical orientation, black to move (colours mean nothing to a search), and the way back from
/// there.
fn query(request: &AnalysisRequest) -> (Query, Symmetry) {
    let position = request.read.position;
    let size = position.size();
    let (board, there) = Symmetry::canonical(position.board(), size);
    let query = Query {
        position: Position::new(size, board.player, board.opponent, Color::Black)
            .expect("a symmetry keeps discs apart and on the board"),
        goal: request.goal,
        root_moves: request.root_moves.map(|moves| there.set(moves, size)),
        depth: request.depth,
        nodes: request.nodes,
        exact_from_empties: request.exact_from_empties,
        selectivity: request.selectivity,
        empties_rule: request.empties,
        threads: request.threads,
    };
    (query, there.inverse())
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

/// A reply without a reason is one of a search that goes on.
fn reply(
    request: &AnalysisRequest,
    snapshot: &Snapshot,
    reason: Option<StopReason>,
    times: &Times,
) -> AnalysisReply {
    let ordered = played_first(request, snapshot);
    let best = ordered.first();
    let mut position = PositionReply::from(&request.read);
    if request.include.contains(&Part::Position) {
        position.rows = Some(othello::notation::print::board_rows(request.read.position));
    }
    AnalysisReply {
        position,
        is_final: reason.is_some(),
        best_move: best.map(|best| best.mv.to_string()),
        score: best.and_then(|best| best.score).map(|score| ScoreReply::new(score, request.read.position)),
        principal_variation: best.map(|best| names(&best.principal_variation)).unwrap_or_default(),
        moves: moves(request, snapshot, &ordered),
        result: None,
        search: search(request, snapshot, reason, times),
        scoring: ScoringReply {
            unit: "discs",
            point_of_view: "side_to_move",
            empties: match request.empties {
                EmptiesRule::Winner => "winner",
                EmptiesRule::Nobody => "nobody",
            },
        },
        assumed: assumed(&request.read),
        engine: EngineNameReply {
            name: env!("CARGO_PKG_NAME"),
            version: env!("CARGO_PKG_VERSION"),
            evaluation: loaded::id().to_owned(),
        },
        rows: request.include.contains(&Part::Rows).then(|| rows(request, snapshot, &ordered, times)),
    }
}

/// The moves best first, but for the choice of a level, which comes before them.
fn played_first<'s>(request: &AnalysisRequest, snapshot: &'s Snapshot) -> Vec<&'s RootMove> {
    let mut ordered: Vec<&RootMove> = snapshot.moves.iter().collect();
    let choice = request.level.and_then(|LevelRequest { level, seed }| {
        level::strength(level).choose(request.read.position, &snapshot.moves, seed)
    });
    if let Some(at) = ordered.iter().position(|root| Some(root.mv) == choice) {
        ordered[..=at].rotate_right(1);
    }
    ordered
}

fn moves(request: &AnalysisRequest, snapshot: &Snapshot, ordered: &[&RootMove]) -> Vec<MoveReply> {
    // With some moves left out nobody knows the best one's value.
    let best = snapshot.moves.first().and_then(|best| best.score).filter(|_| request.root_moves.is_none());
    let entry = |(index, root): (usize, &&RootMove)| MoveReply {
        mv: root.mv.to_string(),
        rank: index + 1,
        score: root.score.map(|score| ScoreReply::new(score, request.read.position)),
        loss: loss(best, root.score),
        principal_variation: names(&root.principal_variation),
        nodes: root.nodes,
    };
    ordered.iter().enumerate().map(entry).collect()
}

/// What a move loses against the best one, in discs. Only values of one kind can be compared, and bounds not at all.
fn loss(best: Option<Score>, own: Option<Score>) -> Option<f64> {
    let (best, own) = (best?, own?);
    if best.bound != Bound::Exact || own.bound != Bound::Exact {
        return None;
    }
    match (best.value, own.value) {
        (Value::Exact { discs: best }, Value::Exact { discs: own }) => {
            Some(f64::from(i16::from(best) - i16::from(own)))
        }
        (Value::Estimate { centidiscs: best }, Value::Estimate { centidiscs: own }) => {
            Some(f64::from(i32::from(best) - i32::from(own)) / 100.0)
        }
        _ => None,
    }
    // A deeper look at another move can leave the head of the list a hair behind; it loses nothing all the same.
    .map(|loss| loss.max(0.0))
}

fn search(
    request: &AnalysisRequest,
    snapshot: &Snapshot,
    reason: Option<StopReason>,
    times: &Times,
) -> SearchReply {
    let timed = request.repeatability == Repeatability::Usual;
    let statistics = snapshot.statistics;
    SearchReply {
        depth: snapshot.depth,
        selectivity_percent: snapshot.selectivity.percent(),
        complete: snapshot.complete,
        nodes: statistics.nodes,
        nodes_per_second: timed.then(|| speed(statistics.nodes, times)),
        elapsed_ms: timed.then_some(times.elapsed_ms),
        queued_ms: timed.then_some(times.queued_ms),
        threads: request.threads,
        stop_reason: reason.map(Into::into),
        limits_applied: LimitsApplied {
            time_ms: timed.then_some(request.time_ms),
            search_ms: timed.then_some(search_ms(request.time_ms)),
            level: request.level.map(|asked| asked.level.number()),
            seed: request.level.map(|asked| asked.seed),
            depth: request.depth,
            nodes: request.nodes,
            exact_from_empties: request.exact_from_empties,
            selectivity_percent: request.selectivity.percent(),
            threads: request.threads,
        },
        table: TableReply {
            probes: statistics.table_probes,
            hits: statistics.table_hits,
            stores: statistics.table_stores,
            fill_permille: snapshot.table_fill_permille,
        },
        cutoffs: request.include.contains(&Part::Cutoffs).then(|| CutoffsReply::from(&statistics)),
    }
}

/// Positions a second of the time that the search ran; a search of less than a millisecond counts as one.
fn speed(nodes: u64, times: &Times) -> u64 {
    nodes.saturating_mul(1_000) / times.ran_ms.max(1)
}

fn rows(
    request: &AnalysisRequest,
    snapshot: &Snapshot,
    ordered: &[&RootMove],
    times: &Times,
) -> Vec<RowReply> {
    let timed = request.repeatability == Repeatability::Usual;
    let row = |root: &&RootMove| {
        let (row, col) = match root.mv {
            // Rows and columns are below 8.
            Move::Place(square) => (square.row() as i8, square.column() as i8),
            Move::Pass => (-1, -1),
        };
        let score = root.score.map(|score| ScoreReply::new(score, request.read.position));
        RowReply {
            row,
            col,
            score: score.and_then(|score| score.discs),
            depth: score.map(|score| score.depth),
            nodes: root.nodes,
            elapsed_ms: timed.then_some(times.elapsed_ms),
            nps: timed.then(|| speed(snapshot.statistics.nodes, times)),
        }
    };
    ordered.iter().map(row).collect()
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

    #[test]
    fn the_search_never_gets_more_than_the_request_and_always_something() {
        for (time_ms, expected) in
            [(1, 1), (9, 9), (10, 9), (100, 90), (300, 270), (1_000, 970), (60_000, 59_970)]
        {
            assert_eq!(search_ms(time_ms), expected);
        }
    }
}
