//! A Gomoku analysis: from the request as read through the pool to the reply.
//!
//! What is searched is the one of the eight images of the position that stands for all of them; the answer is turned back.

use gomoku::level;
use gomoku::point::{Point, Size};
use gomoku::position::Status;
use gomoku::query::{Bound, Goal, Query, RootMove, Score, Snapshot, Statistics, Value};
use gomoku::search::techniques::Techniques;
use gomoku::symmetry::Symmetry;
use searchkit::stop::StopReason;

use super::engine;
use crate::service::analyze::{ended_by, may_be_told};
use crate::service::answers::{Keepable, Question};
use crate::service::begin::Terms;
use crate::service::leased::Gomoku;
use crate::service::running::{Running, Source, Telling};
use crate::service::{Arrival, Service};
use crate::wire::analysis::Repeatability;
use crate::wire::analysis_reply::TableReply;
use crate::wire::gomoku::analysis::{GomokuRequest, Part};
use crate::wire::gomoku::analysis_reply::{
    GomokuAnalysisReply, GomokuCutoffsReply, GomokuLimitsApplied, GomokuMoveReply, GomokuRowReply,
    GomokuScoreReply, GomokuScoringReply, GomokuSearchReply,
};
use crate::wire::gomoku::position_reply::{GomokuPositionReply, result};
use crate::wire::problem::Problem;
use crate::wire::strength::LevelRequest;
use crate::wire::times::{Times, search_ms};

/// A request for a Gomoku analysis, as it is answered.
pub struct GomokuTelling {
    request: GomokuRequest,
    /// What leads from the position asked about to the one that is searched.
    turned: Symmetry,
}

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
        let (query, turned) = query(&request);
        if request.read.position().status() != Status::InProgress {
            let reply = finished_game(&request, self.elapsed(arrival));
            return Ok(Running::known(GomokuTelling { request, turned }, Ok(reply), Source::Rules));
        }
        let question = Question { query, repeatability: request.repeatability };
        let terms =
            Terms { class: request.class, time_ms: request.time_ms, threads: request.threads, arrival };
        self.begin::<Gomoku, _>(&self.gomoku, question, GomokuTelling { request, turned }, terms)
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
        // Before the first iteration there is no value to tell.
        let told = || reply(&self.request, &turned_back(snapshot, self.turned, &self.request), None, times);
        (snapshot.depth > 0).then(told)
    }

    fn at_last(
        &self,
        snapshot: &Snapshot,
        stopped: Option<StopReason>,
        times: Times,
    ) -> Result<GomokuAnalysisReply, Problem> {
        let reason = ended_by(snapshot.stop_reason, stopped);
        may_be_told(reason, self.request.repeatability, self.request.time_ms)?;
        let snapshot = turned_back(snapshot, self.turned, &self.request);
        Ok(reply(&self.request, &snapshot, Some(reason), times))
    }
}

/// The question about the canonical image of the position, and the symmetry that leads to it.
fn query(request: &GomokuRequest) -> (Query, Symmetry) {
    let position = request.read.position();
    let (canonical, symmetry) = Symmetry::canonical(position);
    let turned = |points: &Vec<Point>| -> Vec<Point> {
        points.iter().map(|&point| symmetry.apply(point, position.size())).collect()
    };
    let query = Query {
        position: canonical,
        goal: request.goal,
        root_moves: request.root_moves.as_ref().map(turned),
        depth: request.depth,
        nodes: request.nodes,
        techniques: Techniques::ALL,
        threads: request.threads,
    };
    (query, symmetry)
}

/// The answer as the asked position shows it. Where all moves were valued, equal values stand by index.
fn turned_back(snapshot: &Snapshot, symmetry: Symmetry, request: &GomokuRequest) -> Snapshot {
    let (back, size) = (symmetry.inverse(), request.read.position().size());
    let turn = |point: Point| back.apply(point, size);
    let mut moves: Vec<RootMove> = snapshot
        .moves
        .iter()
        .map(|root| RootMove {
            point: turn(root.point),
            principal_variation: root.principal_variation.iter().copied().map(turn).collect(),
            ..*root
        })
        .collect();
    if request.goal == Goal::AllMoves {
        by_index_among_equals(&mut moves, size);
    }
    Snapshot { moves, ..*snapshot }
}

fn by_index_among_equals(moves: &mut [RootMove], size: Size) {
    for equal in moves.chunk_by_mut(|a, b| a.score == b.score) {
        equal.sort_by_key(|root| root.point.index(size));
    }
}

fn finished_game(request: &GomokuRequest, times: Times) -> GomokuAnalysisReply {
    let nothing = Snapshot {
        moves: Vec::new(),
        depth: 0,
        complete: true,
        statistics: Statistics::default(),
        table_fill_permille: 0,
        stop_reason: Some(StopReason::NoMove),
    };
    let result = result(&request.read);
    let side = request.read.position().side().into();
    GomokuAnalysisReply {
        score: result.as_ref().map(|result| GomokuScoreReply::finished(result.winner, side)),
        result,
        ..reply(request, &nothing, Some(StopReason::NoMove), times)
    }
}

fn reply(
    request: &GomokuRequest,
    snapshot: &Snapshot,
    reason: Option<StopReason>,
    times: Times,
) -> GomokuAnalysisReply {
    let ordered = played_first(request, snapshot);
    let best = ordered.first();
    GomokuAnalysisReply {
        position: GomokuPositionReply::from(&request.read),
        is_final: reason.is_some(),
        best_move: best.map(|best| request.read.name(best.point)),
        score: best.and_then(|best| best.score).map(GomokuScoreReply::from),
        principal_variation: best
            .map(|best| request.read.names(&best.principal_variation))
            .unwrap_or_default(),
        moves: moves(request, snapshot, &ordered),
        result: None,
        search: search(request, snapshot, reason, times),
        scoring: GomokuScoringReply::LOGIT,
        assumed: request.read.assumed.clone(),
        engine: engine(),
        rows: request.include.contains(&Part::Rows).then(|| rows(&ordered)),
    }
}

/// The moves best first, but for the choice of a level, which comes before them.
fn played_first<'s>(request: &GomokuRequest, snapshot: &'s Snapshot) -> Vec<&'s RootMove> {
    let mut ordered: Vec<&RootMove> = snapshot.moves.iter().collect();
    let choice = request.level.and_then(|LevelRequest { level, seed }| {
        level::strength(level).choose(request.read.position(), &snapshot.moves, seed)
    });
    if let Some(at) = ordered.iter().position(|root| Some(root.point) == choice) {
        ordered[..=at].rotate_right(1);
    }
    ordered
}

fn moves(request: &GomokuRequest, snapshot: &Snapshot, ordered: &[&RootMove]) -> Vec<GomokuMoveReply> {
    // With some moves left out nobody knows the best one's value.
    let best = snapshot.moves.first().and_then(|best| best.score).filter(|_| request.root_moves.is_none());
    let entry = |(index, root): (usize, &&RootMove)| GomokuMoveReply {
        mv: request.read.name(root.point),
        rank: index + 1,
        score: root.score.map(GomokuScoreReply::from),
        loss: loss(best, root.score),
        principal_variation: request.read.names(&root.principal_variation),
        nodes: root.nodes,
    };
    ordered.iter().enumerate().map(entry).collect()
}

/// What a move loses against the best one. Only estimates can be compared, and bounds not at all.
fn loss(best: Option<Score>, own: Option<Score>) -> Option<u32> {
    let estimate = |score: Score| match score.value {
        Value::Estimate { units } if score.bound == Bound::Exact => Some(i32::from(units)),
        _ => None,
    };
    let (best, own) = (estimate(best?)?, estimate(own?)?);
    // A deeper look at another move can leave the head of the list a hair behind; it loses nothing all the same.
    Some(u32::try_from(best - own).unwrap_or(0))
}

fn search(
    request: &GomokuRequest,
    snapshot: &Snapshot,
    reason: Option<StopReason>,
    times: Times,
) -> GomokuSearchReply {
    let timed = request.repeatability == Repeatability::Usual;
    let statistics = snapshot.statistics;
    // A search of less than a millisecond counts as one.
    let ran_ms = times.ran_ms.max(1);
    GomokuSearchReply {
        depth: snapshot.depth,
        complete: snapshot.complete,
        nodes: statistics.nodes,
        threat_nodes: statistics.threat_nodes,
        nodes_per_second: timed.then(|| statistics.nodes.saturating_mul(1_000) / ran_ms),
        elapsed_ms: timed.then_some(times.elapsed_ms),
        queued_ms: timed.then_some(times.queued_ms),
        threads: request.threads,
        stop_reason: reason.map(Into::into),
        limits_applied: GomokuLimitsApplied {
            time_ms: timed.then_some(request.time_ms),
            search_ms: timed.then_some(search_ms(request.time_ms)),
            level: request.level.map(|asked| asked.level.number()),
            seed: request.level.map(|asked| asked.seed),
            depth: request.depth,
            nodes: request.nodes,
            threads: request.threads,
        },
        table: TableReply {
            probes: statistics.table_probes,
            hits: statistics.table_hits,
            stores: statistics.table_stores,
            fill_permille: snapshot.table_fill_permille,
        },
        cutoffs: request.include.contains(&Part::Cutoffs).then(|| GomokuCutoffsReply::from(&statistics)),
    }
}

fn rows(ordered: &[&RootMove]) -> Vec<GomokuRowReply> {
    let row = |root: &&RootMove| {
        let score = root.score.map(GomokuScoreReply::from);
        GomokuRowReply {
            row: root.point.y(),
            col: root.point.x(),
            value: score.and_then(|score| score.value),
            win_probability: score.and_then(|score| score.win_probability),
            depth: score.map(|score| score.depth),
            nodes: root.nodes,
        }
    };
    ordered.iter().map(row).collect()
}
