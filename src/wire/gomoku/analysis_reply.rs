//! The answer to a Gomoku analysis request.

use std::fmt::Write;

use gomoku::evaluation::{UNITS_PER_LOGIT, win_probability};
use gomoku::query::{Bound, Score, Statistics, Value};
use serde::Serialize;
use utoipa::ToSchema;

use super::position_reply::{GomokuPositionReply, GomokuResultReply, GomokuWinner};
use crate::wire::analysis_reply::{BoundReply, EngineNameReply, StopReasonReply, TableReply};
use crate::wire::position_reply::{AssumptionReply, SideReply};

/// The answer to a Gomoku analysis request.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct GomokuAnalysisReply {
    /// The position as understood.
    pub position: GomokuPositionReply,
    /// Whether this is the last word; `false` only in streams.
    #[serde(rename = "final")]
    pub is_final: bool,
    /// The move to play: the head of `moves`. With a level it is the level's choice, which stands first even when it is
    /// not the best. `null` when the game is over.
    #[schema(example = "h8")]
    pub best_move: Option<String>,
    /// The value of the best move; `null` when time ran out before any value was found.
    pub score: Option<GomokuScoreReply>,
    /// The line behind it.
    #[schema(example = json!(["h8", "i9"]))]
    pub principal_variation: Vec<String>,
    /// The asked moves, best first (with a level, its choice before all others).
    pub moves: Vec<GomokuMoveReply>,
    /// How the game ended; left out while it goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    pub result: Option<GomokuResultReply>,
    /// What the search did.
    pub search: GomokuSearchReply,
    /// How scores are to be read.
    pub scoring: GomokuScoringReply,
    /// What the request left open.
    pub assumed: Vec<AssumptionReply>,
    /// What answered.
    pub engine: EngineNameReply,
    /// The moves as flat rows of numbers; only with `include: ["rows"]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    pub rows: Option<Vec<GomokuRowReply>>,
}

impl GomokuAnalysisReply {
    /// What the answer says, apart from what another run of the same search may count differently; `None` when another
    /// run may also say something else, because time cut it short or its estimates came from several threads.
    pub fn lasting_meaning(&self) -> Option<String> {
        let proven =
            matches!(self.search.stop_reason, Some(StopReasonReply::Solved | StopReasonReply::NoMove));
        // Times are left out of deterministic answers, and of those alone.
        let deterministic = self.search.elapsed_ms.is_none();
        if !self.is_final || !(proven || deterministic) {
            return None;
        }
        let moves: Vec<_> = self.moves.iter().map(|entry| (&entry.mv, entry.score, entry.loss)).collect();
        let meaning = (&self.position, &self.best_move, self.score, moves, &self.result, &self.engine);
        Some(serde_json::to_string(&meaning).expect("a reply has text keys only"))
    }
}

/// A value with everything needed to know how sure it is, from the point of view of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, ToSchema)]
#[schema(as = GomokuScore)]
pub struct GomokuScoreReply {
    /// What the value means.
    pub kind: GomokuScoreKind,
    /// The winner's own moves up to and including the five; with kinds `win_in` and `loss_in` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false, minimum = 1)]
    pub moves: Option<u16>,
    /// The estimate, in 1/200 of a logit of winning; with kind `estimate` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false, minimum = -20000, maximum = 20000)]
    pub value: Option<i16>,
    /// How the true value relates to the one given. A win with bound `lower` is a win, perhaps a shorter one.
    pub bound: BoundReply,
    /// Chance that the side to move wins (a draw counts half): proven, or that of the estimate; `null` for a bound on an
    /// estimate.
    #[schema(minimum = 0, maximum = 1)]
    pub win_probability: Option<f64>,
    /// Plies searched; 0 when a threat search proved it, or the game is over.
    pub depth: u8,
}

/// What a value means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum GomokuScoreKind {
    /// The side to move wins, verified against every legal reply.
    WinIn,
    /// The side to move loses, whatever it plays.
    LossIn,
    /// A heuristic estimate.
    Estimate,
    /// The game is over.
    Exact,
}

/// One move with its value.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = GomokuMove)]
pub struct GomokuMoveReply {
    /// The point.
    #[serde(rename = "move")]
    #[schema(example = "h8")]
    pub mv: String,
    /// From 1 for the best.
    #[schema(minimum = 1)]
    pub rank: usize,
    /// Its value; `null` when the search ended before it was reached.
    pub score: Option<GomokuScoreReply>,
    /// What it loses against the best legal move, in units of the estimate; `null` when either is proven or a bound, and
    /// when `only` or `avoid` may have left the best move out.
    #[schema(minimum = 0)]
    pub loss: Option<u32>,
    /// The line behind the value, this move first.
    pub principal_variation: Vec<String>,
    /// Positions visited for it.
    pub nodes: u64,
}

/// What the search did.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = GomokuSearch)]
pub struct GomokuSearchReply {
    /// Depth of the last finished iteration, plies; 0 when a threat search decided before.
    pub depth: u8,
    /// Whether every asked value is final at the asked limits.
    pub complete: bool,
    /// Positions visited, counted once for every stone placed; those of threat searches included.
    pub nodes: u64,
    /// Of these, those of threat searches.
    pub threat_nodes: u64,
    /// Positions visited a second; left out of deterministic answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    pub nodes_per_second: Option<u64>,
    /// Milliseconds from the arrival of the request; left out of deterministic answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    pub elapsed_ms: Option<u64>,
    /// Milliseconds of it spent waiting for a thread; left out of deterministic answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    pub queued_ms: Option<u64>,
    /// Most threads that worked on it.
    pub threads: usize,
    /// Why it ended; `null` in the snapshots of a stream, whose search goes on.
    pub stop_reason: Option<StopReasonReply>,
    /// The limits that applied, defaults included; those that did not apply are left out.
    pub limits_applied: GomokuLimitsApplied,
    /// What the transposition table did.
    pub table: TableReply,
    /// Cutoffs and re-searches by kind; only with `include: ["cutoffs"]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    pub cutoffs: Option<GomokuCutoffsReply>,
}

/// The limits that applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, ToSchema)]
pub struct GomokuLimitsApplied {
    /// Milliseconds from the arrival of the request to the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    pub time_ms: Option<u64>,
    /// The part of it that the search had, waiting included.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    pub search_ms: Option<u64>,
    /// The playing strength asked for; depth and nodes are then its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false, minimum = 1, maximum = 30)]
    pub level: Option<u8>,
    /// Which slips the level makes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    pub seed: Option<u64>,
    /// Deepest iteration, plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    pub depth: Option<u8>,
    /// Most positions visited.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    pub nodes: Option<u64>,
    /// Most threads.
    pub threads: usize,
}

/// What ended subtrees early, and what was searched twice.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, ToSchema)]
#[schema(as = GomokuCutoffs)]
pub struct GomokuCutoffsReply {
    /// Positions whose moves were tried one after another.
    pub expanded: u64,
    /// A searched move was good enough.
    pub beta: u64,
    /// Of these, the first move searched.
    pub first_move: u64,
    /// `beta` as a share of `expanded`, 0 to 1; `null` without any.
    #[schema(minimum = 0, maximum = 1)]
    pub rate: Option<f64>,
    /// A bound in the table settled a position.
    pub table: u64,
    /// The patterns alone decided a position.
    pub static_verdicts: u64,
    /// The evaluation was far above what was needed.
    pub futility: u64,
    /// Quiet moves never searched because enough others had failed.
    pub pruned_moves: u64,
    /// Moves first searched at reduced depth, at every level.
    pub reduced_probes: u64,
    /// Of these, those searched again at full depth.
    pub full_depth_re_searches: u64,
    /// Moves searched again with the full window.
    pub full_window_re_searches: u64,
    /// Four-searches at leaves.
    pub leaf_four_searches: u64,
    /// Of these, those that won.
    pub leaf_four_wins: u64,
}

impl From<&Statistics> for GomokuCutoffsReply {
    fn from(statistics: &Statistics) -> Self {
        let (beta, expanded) = (statistics.cutoffs, statistics.expanded);
        Self {
            expanded,
            beta,
            first_move: statistics.first_move_cutoffs,
            rate: (expanded > 0).then(|| beta as f64 / expanded as f64),
            table: statistics.table_cutoffs,
            static_verdicts: statistics.static_verdicts,
            futility: statistics.futility_cutoffs,
            pruned_moves: statistics.pruned_moves,
            reduced_probes: statistics.reduced_probes,
            full_depth_re_searches: statistics.full_depth_re_searches,
            full_window_re_searches: statistics.full_window_re_searches,
            leaf_four_searches: statistics.leaf_four_searches,
            leaf_four_wins: statistics.leaf_four_wins,
        }
    }
}

/// How scores are to be read.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, ToSchema)]
#[schema(as = GomokuScoring)]
pub struct GomokuScoringReply {
    /// Always `logit`: an estimate `value` stands for a chance of winning of 1 / (1 + exp(-value / units_per_logit)).
    #[schema(example = "logit")]
    pub unit: &'static str,
    /// Units of an estimate in one logit.
    #[schema(example = 200.0)]
    pub units_per_logit: f64,
    /// Always `side_to_move`.
    #[schema(example = "side_to_move")]
    pub point_of_view: &'static str,
}

impl GomokuScoringReply {
    /// The one way in which Gomoku is scored.
    pub const LOGIT: Self =
        Self { unit: "logit", units_per_logit: UNITS_PER_LOGIT, point_of_view: "side_to_move" };
}

/// One move as a flat row.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, ToSchema)]
#[schema(as = GomokuRow)]
pub struct GomokuRowReply {
    /// Row from the top, from 0.
    pub row: u8,
    /// Column from the left, from 0.
    pub col: u8,
    /// The estimate; `null` when the value is proven or not known.
    pub value: Option<i16>,
    /// Chance of winning; `null` when not known.
    pub win_probability: Option<f64>,
    /// Plies searched; `null` without a value.
    pub depth: Option<u8>,
    /// Positions visited for the move.
    pub nodes: u64,
}

impl GomokuRowReply {
    /// The columns of a table of rows.
    pub const CSV_HEADER: &'static str = "row,col,value,win_probability,depth,nodes";

    /// The rows as CSV (RFC 4180, lines ending in a line feed), one header line first. What is not known is an empty cell.
    pub fn to_csv(rows: &[Self]) -> String {
        let mut out = format!("{}\n", Self::CSV_HEADER);
        for row in rows {
            let value = row.value.map(|value| value.to_string()).unwrap_or_default();
            let chance = row.win_probability.map(|chance| chance.to_string()).unwrap_or_default();
            let depth = row.depth.map(|depth| depth.to_string()).unwrap_or_default();
            let Self { row, col, nodes, .. } = row;
            // Writing to a string cannot fail.
            let _ = writeln!(out, "{row},{col},{value},{chance},{depth},{nodes}");
        }
        out
    }
}

/// A chance to four decimals: more would only show how a machine rounds.
pub(super) fn rounded(chance: f64) -> f64 {
    (chance * 10_000.0).round() / 10_000.0
}

impl From<Score> for GomokuScoreReply {
    fn from(score: Score) -> Self {
        let exact = score.bound == Bound::Exact;
        let (kind, moves, value, chance) = match score.value {
            Value::WinIn { moves } => (GomokuScoreKind::WinIn, Some(moves), None, Some(1.0)),
            Value::LossIn { moves } => (GomokuScoreKind::LossIn, Some(moves), None, Some(0.0)),
            Value::Estimate { units } => {
                let chance = exact.then(|| rounded(win_probability(i32::from(units))));
                (GomokuScoreKind::Estimate, None, Some(units), chance)
            }
        };
        Self { kind, moves, value, bound: score.bound.into(), win_probability: chance, depth: score.depth }
    }
}

impl GomokuScoreReply {
    /// The value of a finished game for the side to move.
    pub fn finished(winner: GomokuWinner, side: SideReply) -> Self {
        let chance = match (winner, side) {
            (GomokuWinner::Draw, _) => 0.5,
            (GomokuWinner::Black, SideReply::Black) | (GomokuWinner::White, SideReply::White) => 1.0,
            (GomokuWinner::Black | GomokuWinner::White, _) => 0.0,
        };
        Self {
            kind: GomokuScoreKind::Exact,
            moves: None,
            value: None,
            bound: BoundReply::Exact,
            win_probability: Some(chance),
            depth: 0,
        }
    }
}

impl From<Bound> for BoundReply {
    fn from(bound: Bound) -> Self {
        match bound {
            Bound::Exact => Self::Exact,
            Bound::Lower => Self::Lower,
            Bound::Upper => Self::Upper,
        }
    }
}
