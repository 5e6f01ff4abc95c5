//! What is asked of the engine for a Gomoku request, and how its answer is told to the one who asked: the same wherever the
//! search runs.
//!
//! What is searched is the one of the eight images of the position that stands for all of them; the answer is turned back.

use gomoku::level;
use gomoku::point::{Point, Size};
use gomoku::query::{Bound, Goal, Query, RootMove, Score, Snapshot, Statistics, Value};
use gomoku::search::techniques::Techniques;
use gomoku::symmetry::Symmetry;
use searchkit::stop::StopReason;

use super::analysis::{GomokuRequest, Part};
use super::analysis_reply::{
    GomokuAnalysisReply, GomokuCutoffsReply, GomokuLimitsApplied, GomokuMoveReply, GomokuRowReply,
    GomokuScoreReply, GomokuScoringReply, GomokuSearchReply,
};
use super::position_reply::{GomokuPositionReply, result};
use crate::wire::analysis::Repeatability;
use crate::wire::analysis_reply::{EngineNameReply, TableReply};
use crate::wire::strength::LevelRequest;
use crate::wire::times::{Times, search_ms};

/// A request for a Gomoku analysis, as it is answered.
#[derive(Debug, Clone)]
pub struct GomokuTelling {
    /// What was asked.
    pub request: GomokuRequest,
    /// What leads from the position asked about to the one that is searched.
    turned: Symmetry,
}

impl GomokuTelling {
    /// What the engine is asked for this request, and how its answers are told.
    pub fn new(request: GomokuRequest) -> (Query, Self) {
        let (query, turned) = query(&request);
        (query, Self { request, turned })
    }

    /// The answer as of now; `None` before the first iteration, while there is no value to tell.
    pub fn so_far(&self, snapshot: &Snapshot, times: &Times) -> Option<GomokuAnalysisReply> {
        (snapshot.depth > 0).then(|| reply(&self.request, &self.turned_back(snapshot), None, times))
    }

    /// The last word of a search that ended for this reason.
    pub fn at_last(&self, snapshot: &Snapshot, reason: StopReason, times: &Times) -> GomokuAnalysisReply {
        reply(&self.request, &self.turned_back(snapshot), Some(reason), times)
    }

    /// The answer about a game that is over, which needs no search.
    pub fn finished_game(&self, times: &Times) -> GomokuAnalysisReply {
        finished_game(&self.request, times)
    }

    fn turned_back(&self, snapshot: &Snapshot) -> Snapshot {
        turned_back(snapshot, self.turned, &self.request)
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

fn finished_game(request: &GomokuRequest, times: &Times) -> GomokuAnalysisReply {
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
    times: &Times,
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
        engine: EngineNameReply::with(gomoku::evaluation::id()),
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
    times: &Times,
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
