//! The answer to an analysis request.

use std::fmt::{self, Write};

use othello::board::Size;
use othello::position::Position;
use othello::query::{Bound, Score, Selectivity, Statistics, Value};
use othello::win_probability::win_probability;
use searchkit::stop::StopReason;
use serde::{Serialize, Serializer};
use utoipa::ToSchema;

use super::position_reply::{AssumptionReply, PositionReply, ResultReply};

/// The answer to an analysis request.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct AnalysisReply {
    /// The position as understood.
    pub position: PositionReply,
    /// Whether this is the last word; `false` only in streams.
    #[serde(rename = "final")]
    pub is_final: bool,
    /// The move to play: the head of `moves`. With a level it is the level's choice, which stands first even when it is
    /// not the best. `pass` when the side must pass, `null` when the game is over.
    #[schema(example = "f5")]
    pub best_move: Option<String>,
    /// The value of the best move; `null` when time ran out before any value was found.
    pub score: Option<ScoreReply>,
    /// The line behind it.
    #[schema(example = json!(["f4", "f6"]))]
    pub principal_variation: Vec<String>,
    /// The asked moves, best first (with a level, its choice before all others).
    pub moves: Vec<MoveReply>,
    /// How the game ended; left out while it goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    pub result: Option<ResultReply>,
    /// What the search did.
    pub search: SearchReply,
    /// How scores are to be read.
    pub scoring: ScoringReply,
    /// What the request left open.
    pub assumed: Vec<AssumptionReply>,
    /// What answered.
    pub engine: EngineNameReply,
    /// The moves as flat rows of numbers; only with `include: ["rows"]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    pub rows: Option<Vec<RowReply>>,
}

impl AnalysisReply {
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
        let meaning = (&self.position, &self.best_move, self.score, moves, self.result, &self.engine);
        Some(serde_json::to_string(&meaning).expect("a reply has text keys only"))
    }
}

/// A value with everything needed to know how sure it is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, ToSchema)]
#[schema(as = Score)]
pub struct ScoreReply {
    /// What the value means.
    pub kind: ScoreKind,
    /// Disc difference at the end for the side to move: whole when exact, two decimals for an estimate, `null` for a sign.
    #[schema(value_type = Option<f64>, minimum = -64, maximum = 64)]
    pub discs: Option<Discs>,
    /// 1, 0 or -1: the side to move wins, draws, loses; only with kind `sign`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false, minimum = -1, maximum = 1)]
    pub sign: Option<i8>,
    /// How the true value relates to the one given.
    pub bound: BoundReply,
    /// Chance that the side to move wins against its like (a draw counts half): 1, 0.5 or 0 when proven, by a fit to games of
    /// this engine for estimates on 8x8. `null` for bounds and for estimates on smaller boards.
    #[schema(minimum = 0, maximum = 1)]
    pub win_probability: Option<f64>,
    /// Plies searched; all that remain when proven.
    pub depth: u8,
    /// Confidence of the search in percent; 100 when proven.
    pub selectivity_percent: u8,
}

/// A disc difference.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Discs {
    /// Whole discs.
    Whole(i8),
    /// Hundredths of a disc.
    Hundredths(i16),
}

impl Serialize for Discs {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Self::Whole(discs) => serializer.serialize_i8(discs),
            Self::Hundredths(hundredths) => serializer.serialize_f64(f64::from(hundredths) / 100.0),
        }
    }
}

impl fmt::Display for Discs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Whole(discs) => write!(f, "{discs}"),
            Self::Hundredths(hundredths) => write!(f, "{:.2}", f64::from(hundredths) / 100.0),
        }
    }
}

impl Discs {
    /// In hundredths of a disc.
    pub fn hundredths(self) -> i32 {
        match self {
            Self::Whole(discs) => i32::from(discs) * 100,
            Self::Hundredths(hundredths) => i32::from(hundredths),
        }
    }
}

/// What a value means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ScoreKind {
    /// Proven to the end of the game.
    Exact,
    /// A heuristic estimate.
    Estimate,
    /// Proven winner only.
    Sign,
}

/// How the true value relates to the one given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Bound)]
pub enum BoundReply {
    /// Equal.
    Exact,
    /// At least the one given.
    Lower,
    /// At most the one given.
    Upper,
}

/// One move with its value.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = AnalysedMove)]
pub struct MoveReply {
    /// The square, or `pass`.
    #[serde(rename = "move")]
    #[schema(example = "f5")]
    pub mv: String,
    /// From 1 for the best.
    #[schema(minimum = 1)]
    pub rank: usize,
    /// Its value; `null` when the search ended before it was reached.
    pub score: Option<ScoreReply>,
    /// What it loses against the best legal move, in discs; `null` when its value is a bound or no proven or estimated
    /// number of discs, and when `only` or `avoid` may have left the best move out.
    #[schema(minimum = 0)]
    pub loss: Option<f64>,
    /// The line behind the value, this move first.
    pub principal_variation: Vec<String>,
    /// Positions visited for it.
    pub nodes: u64,
}

/// What the search did.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = Search)]
pub struct SearchReply {
    /// Depth of the last finished iteration, plies.
    pub depth: u8,
    /// Confidence of the last finished iteration, percent.
    pub selectivity_percent: u8,
    /// Whether every asked value is final at the asked limits.
    pub complete: bool,
    /// Positions visited, counted once for every move or pass made.
    pub nodes: u64,
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
    pub limits_applied: LimitsApplied,
    /// What the transposition table did.
    pub table: TableReply,
    /// Cutoffs by kind; only with `include: ["cutoffs"]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    pub cutoffs: Option<CutoffsReply>,
}

/// Cutoffs by what made them. They show how well a position was ordered and how much of it was known. Cutoffs by moves
/// and by the table are not counted in the last few plies of a game, where counting would cost more than searching.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, ToSchema)]
#[schema(as = Cutoffs)]
pub struct CutoffsReply {
    /// A bound in the table settled a position.
    pub table: u64,
    /// Stable discs bound the result.
    pub stability: u64,
    /// A shallower search made a position all but decided.
    pub probcut: u64,
    /// The table knew a move that is good enough.
    pub enhanced_table: u64,
    /// A searched move was good enough.
    pub beta: u64,
    /// Of these, the first move searched.
    pub first_move: u64,
    /// `first_move` as a share of `beta`, 0 to 1: how often the first guess was right; `null` without any such cutoff.
    #[schema(minimum = 0, maximum = 1)]
    pub first_move_rate: Option<f64>,
    /// Searches repeated with a wider window or more depth.
    pub re_searches: u64,
}

impl From<&Statistics> for CutoffsReply {
    fn from(statistics: &Statistics) -> Self {
        let (beta, first_move) = (statistics.beta_cutoffs, statistics.first_move_cutoffs);
        Self {
            table: statistics.table_cutoffs,
            stability: statistics.stability_cutoffs,
            probcut: statistics.probcut_cutoffs,
            enhanced_table: statistics.etc_cutoffs,
            beta,
            first_move,
            first_move_rate: (beta > 0).then(|| first_move as f64 / beta as f64),
            re_searches: statistics.re_searches,
        }
    }
}

/// Why a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = StopReason)]
pub enum StopReasonReply {
    /// Every asked value is proven.
    Solved,
    /// The asked depth was reached.
    Depth,
    /// The node limit was reached.
    Nodes,
    /// The time was up.
    Time,
    /// Nobody waited any more.
    Cancelled,
    /// The process is shutting down.
    Draining,
    /// Only one move is legal and its value was not asked for.
    OnlyMove,
    /// The game is over.
    NoMove,
}

/// The limits that applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, ToSchema)]
pub struct LimitsApplied {
    /// Milliseconds from the arrival of the request to the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    pub time_ms: Option<u64>,
    /// The part of it that the search had, waiting included.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    pub search_ms: Option<u64>,
    /// The strength that decided the limits below.
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
    /// From this many empties on the search goes for the exact score.
    pub exact_from_empties: u8,
    /// Least confidence of estimates.
    pub selectivity_percent: u8,
    /// Most threads.
    pub threads: usize,
}

/// What the transposition table did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Table)]
pub struct TableReply {
    /// Look-ups.
    pub probes: u64,
    /// Look-ups that found the position.
    pub hits: u64,
    /// Entries written.
    pub stores: u64,
    /// Share of it used by this search, in thousandths.
    #[schema(maximum = 1000)]
    pub fill_permille: u16,
}

/// How scores are to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Scoring)]
pub struct ScoringReply {
    /// Always `discs`.
    #[schema(example = "discs")]
    pub unit: &'static str,
    /// Always `side_to_move`.
    #[schema(example = "side_to_move")]
    pub point_of_view: &'static str,
    /// Who owns empty squares at the end: `winner` or `nobody`.
    #[schema(example = "winner")]
    pub empties: &'static str,
}

/// What answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = EngineName)]
pub struct EngineNameReply {
    /// `discern`.
    pub name: &'static str,
    /// Version of the service.
    pub version: &'static str,
    /// Names the evaluation.
    pub evaluation: String,
}

impl EngineNameReply {
    /// This engine with the evaluation of this name.
    pub fn with(evaluation: &str) -> Self {
        Self { name: "discern", version: env!("CARGO_PKG_VERSION"), evaluation: evaluation.to_owned() }
    }
}

/// One move as a flat row: rows and columns from 0, `-1, -1` for a pass.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, ToSchema)]
#[schema(as = Row)]
pub struct RowReply {
    /// Row from the top.
    pub row: i8,
    /// Column from the left.
    pub col: i8,
    /// Value in discs.
    #[schema(value_type = Option<f64>)]
    pub score: Option<Discs>,
    /// Plies searched; `null` without a value.
    pub depth: Option<u8>,
    /// Positions visited for the move.
    pub nodes: u64,
    /// Milliseconds of the whole search; left out of deterministic answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    pub elapsed_ms: Option<u64>,
    /// Positions a second of the whole search; left out of deterministic answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    pub nps: Option<u64>,
}

impl RowReply {
    /// The columns of a table of rows.
    pub const CSV_HEADER: &'static str = "row,col,score,depth,nodes,elapsed_ms,nps";

    /// The rows as CSV (RFC 4180, lines ending in a line feed), one header line first. What is not known is an empty cell.
    pub fn to_csv(rows: &[Self]) -> String {
        let mut out = format!("{}\n", Self::CSV_HEADER);
        for row in rows {
            let score = row.score.map(|score| score.to_string()).unwrap_or_default();
            let cell = |number: Option<u64>| number.map(|number| number.to_string()).unwrap_or_default();
            let (depth, elapsed_ms, nps) =
                (cell(row.depth.map(u64::from)), cell(row.elapsed_ms), cell(row.nps));
            let Self { row, col, nodes, .. } = row;
            // Writing to a string cannot fail.
            let _ = writeln!(out, "{row},{col},{score},{depth},{nodes},{elapsed_ms},{nps}");
        }
        out
    }
}

impl ScoreReply {
    /// A value of this position.
    pub fn new(score: Score, position: Position) -> Self {
        let (kind, discs, sign) = match score.value {
            Value::Exact { discs } => (ScoreKind::Exact, Some(Discs::Whole(discs)), None),
            Value::Estimate { centidiscs } => {
                (ScoreKind::Estimate, Some(Discs::Hundredths(centidiscs)), None)
            }
            Value::Sign { sign } => (ScoreKind::Sign, None, Some(sign)),
        };
        // A bound on the value is no value of the chance, and estimates of small boards have never been calibrated.
        let known =
            score.bound == Bound::Exact && (kind != ScoreKind::Estimate || position.size() == Size::Eight);
        let chance = || win_probability(score, position.empty().count_ones());
        Self {
            kind,
            discs,
            sign,
            bound: score.bound.into(),
            win_probability: known.then(chance).map(rounded),
            depth: score.depth,
            selectivity_percent: score.selectivity.percent(),
        }
    }

    /// The value of a finished game.
    pub fn finished(discs: i32, position: Position) -> Self {
        let discs = i8::try_from(discs).expect("a board holds at most 64 discs");
        let value = Value::Exact { discs };
        Self::new(Score { value, bound: Bound::Exact, depth: 0, selectivity: Selectivity::Full }, position)
    }
}

/// A chance in thousandths, which is more than the calibration knows; an estimate is never quite certain.
fn rounded(chance: f64) -> f64 {
    if chance == 0.0 || chance == 1.0 {
        chance
    } else {
        (chance * 1_000.0).round().clamp(1.0, 999.0) / 1_000.0
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

impl From<StopReason> for StopReasonReply {
    fn from(reason: StopReason) -> Self {
        match reason {
            StopReason::Solved => Self::Solved,
            StopReason::Depth => Self::Depth,
            StopReason::Nodes => Self::Nodes,
            StopReason::Time => Self::Time,
            StopReason::Cancelled => Self::Cancelled,
            StopReason::Draining => Self::Draining,
            StopReason::OnlyMove => Self::OnlyMove,
            StopReason::NoMove => Self::NoMove,
        }
    }
}
