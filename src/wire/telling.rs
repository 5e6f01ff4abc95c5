//! What is asked of the engine for an Othello request, and how its answer is told to the one who asked: the same wherever the
//! search runs.

use othello::evaluation::network::loaded;
use othello::level;
use othello::position::{Color, EmptiesRule, Position};
use othello::query::{Bound, Query, RootMove, Score, Snapshot, Statistics, Value};
use othello::square::Move;
use othello::symmetry::Symmetry;
use searchkit::stop::StopReason;

use super::analysis::{AnalysisRequest, Part, Repeatability};
use super::analysis_reply::{
    AnalysisReply, CutoffsReply, EngineNameReply, LimitsApplied, MoveReply, RowReply, ScoreReply,
    ScoringReply, SearchReply, TableReply,
};
use super::position_reply::{PositionReply, assumed, names, result};
use super::strength::LevelRequest;
use super::times::{Times, search_ms};

/// A request for an analysis, as it is answered.
#[derive(Debug, Clone)]
pub struct OthelloTelling {
    /// What was asked.
    pub request: AnalysisRequest,
    /// From the canonical orientation, which is searched, to that of the request.
    back: Symmetry,
}

impl OthelloTelling {
    /// What the engine is asked for this request, and how its answers are told.
    pub fn new(request: AnalysisRequest) -> (Query, Self) {
        let (query, back) = query(&request);
        (query, Self { request, back })
    }

    /// The answer as of now; `None` before the first iteration, while there is no value to tell.
    pub fn so_far(&self, snapshot: &Snapshot, times: &Times) -> Option<AnalysisReply> {
        (snapshot.depth > 0).then(|| reply(&self.request, &self.turned_back(snapshot), None, times))
    }

    /// The last word of a search that ended for this reason.
    pub fn at_last(&self, snapshot: &Snapshot, reason: StopReason, times: &Times) -> AnalysisReply {
        reply(&self.request, &self.turned_back(snapshot), Some(reason), times)
    }

    /// The answer about a game that is over, which needs no search.
    pub fn finished_game(&self, times: &Times) -> AnalysisReply {
        finished_game(&self.request, times)
    }

    fn turned_back(&self, snapshot: &Snapshot) -> Snapshot {
        snapshot.seen_through(self.back, self.request.read.position.size(), self.request.goal)
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

fn finished_game(request: &AnalysisRequest, times: &Times) -> AnalysisReply {
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
        ..reply(request, &nothing, Some(StopReason::NoMove), times)
    }
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
        engine: EngineNameReply::with(loaded::id()),
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
