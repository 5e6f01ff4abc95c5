//! The answer to a comparison request, as JSON and as CSV.

use std::fmt::Write;

use othello::evaluation::network::loaded;
use othello::lab::{EndScore, Row, Rows};
use searchkit::stop::StopReason;
use serde::Serialize;
use utoipa::ToSchema;

use super::analysis_reply::{EngineNameReply, StopReasonReply};
use super::comparison::ComparisonRequest;
use super::position_reply::{AssumptionReply, PositionReply, assumed};
use super::technique::ConfigurationReply;
use super::times::{Times, search_ms};

/// The answer to a comparison request.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ComparisonReply {
    /// The position as understood.
    pub position: PositionReply,
    /// One row for each depth and configuration, by depth, then in the order asked. Rows that were not finished in time
    /// are there too, with `null` for everything that is not known.
    pub rows: Vec<ComparisonRowReply>,
    /// The configurations as understood, every switch filled in.
    pub configurations: Vec<ConfigurationReply>,
    /// What the comparison did.
    pub search: ComparisonSearchReply,
    /// How scores, depths and nodes are to be read.
    pub scoring: ComparisonScoringReply,
    /// What the request left open.
    pub assumed: Vec<AssumptionReply>,
    /// What answered.
    pub engine: EngineNameReply,
}

/// One configuration searched to one depth.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ComparisonRow)]
pub struct ComparisonRowReply {
    /// Name of the configuration.
    #[schema(example = "verified_null_move")]
    pub configuration: String,
    /// Depth in plies.
    pub depth: u8,
    /// Value for the side to move, in the unit of the configuration; `null` when the row was not finished.
    pub score: Option<i32>,
    /// The best move, the first in order among equals; `pass` when the side must pass, `null` when the game is over or
    /// the row was not finished.
    #[schema(example = "c5")]
    pub best_move: Option<String>,
    /// Positions visited, the root not counted.
    pub nodes: Option<u64>,
    /// Returns caused by a null move.
    pub null_cuts: Option<u64>,
    /// Verification rounds begun.
    pub verifications: Option<u64>,
    /// Beta cuts by a move that had been reduced at first.
    pub lmr_cuts: Option<u64>,
    /// Reduced moves searched again in full.
    pub re_searches: Option<u64>,
    /// Forced passes among the nodes.
    pub passes: Option<u64>,
    /// Null-move searches made.
    pub null_tries: Option<u64>,
    /// Moves searched shallower at first.
    pub lmr_reduced: Option<u64>,
    /// Beta cuts by a real move.
    pub beta_cuts: Option<u64>,
    /// Of these, by the first move tried.
    pub first_move_cuts: Option<u64>,
    /// Positions answered from the table.
    pub table_hits: Option<u64>,
    /// Cuts by a proven bound from stable discs.
    pub stability_cuts: Option<u64>,
    /// Milliseconds this row took.
    pub elapsed_ms: Option<u64>,
    /// Whether score and move are those of the plain exact search with the same leaf and end score at the same depth
    /// (`plain` for the named configurations); `null` when that row was not asked, or either was not finished.
    pub agrees_with_plain: Option<AgreementReply>,
    /// Whether the score is that of a full-width search to this depth by the way it was found: no null move and no
    /// reduction was allowed.
    pub exact_for_depth: bool,
}

/// Whether a row says what its reference says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Agreement)]
pub struct AgreementReply {
    /// Same score.
    pub score: bool,
    /// Same best move.
    #[serde(rename = "move")]
    pub best_move: bool,
}

/// What a comparison did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ComparisonSearch)]
pub struct ComparisonSearchReply {
    /// Whether every row is finished.
    pub complete: bool,
    /// Rows that are.
    pub rows_finished: usize,
    /// Positions visited in finished rows.
    pub nodes: u64,
    /// Milliseconds from the arrival of the request.
    pub elapsed_ms: u64,
    /// Milliseconds of it spent waiting for a thread.
    pub queued_ms: u64,
    /// Why it ended: `depth` when every row is finished.
    pub stop_reason: StopReasonReply,
    /// The limits that applied, defaults included.
    pub limits_applied: ComparisonLimitsApplied,
}

/// The limits that applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct ComparisonLimitsApplied {
    /// Milliseconds from the arrival of the request to the answer.
    pub time_ms: u64,
    /// The part of it that the searches had, waiting included.
    pub search_ms: u64,
    /// Most threads; each works on one row at a time.
    pub threads: usize,
}

/// How scores, depths and nodes are to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ComparisonScoring)]
pub struct ComparisonScoringReply {
    /// Always `side_to_move`.
    #[schema(example = "side_to_move")]
    pub point_of_view: &'static str,
    /// Who owns empty squares at the end: always `nobody`, as the founding texts count.
    #[schema(example = "nobody")]
    pub empties: &'static str,
    /// What one ply is: always `disc` (a disc placed; a pass is free).
    #[schema(example = "disc")]
    pub ply: &'static str,
    /// What counts as a node: always `visit` (every visit of a position, repeated and null-move searches included, the
    /// root not).
    #[schema(example = "visit")]
    pub node: &'static str,
    /// The score of a won game where only the winner counts.
    #[schema(example = 1_048_576)]
    pub win: i32,
}

impl ComparisonScoringReply {
    /// The same for all comparisons.
    pub const LAB: Self = Self {
        point_of_view: "side_to_move",
        empties: "nobody",
        ply: "disc",
        node: "visit",
        win: EndScore::WIN,
    };
}

impl From<&Row> for ComparisonRowReply {
    fn from(row: &Row) -> Self {
        let outcome = row.outcome;
        let counters = outcome.map(|outcome| outcome.counters);
        let elapsed_ms = u64::try_from(row.elapsed.as_millis()).unwrap_or(u64::MAX);
        Self {
            configuration: row.configuration.clone(),
            depth: row.depth,
            score: outcome.map(|outcome| outcome.score),
            best_move: outcome.and_then(|outcome| outcome.best_move).map(|best| best.to_string()),
            nodes: counters.map(|counters| counters.nodes),
            null_cuts: counters.map(|counters| counters.null_cuts),
            verifications: counters.map(|counters| counters.verifications),
            lmr_cuts: counters.map(|counters| counters.lmr_cuts),
            re_searches: counters.map(|counters| counters.re_searches),
            passes: counters.map(|counters| counters.passes),
            null_tries: counters.map(|counters| counters.null_tries),
            lmr_reduced: counters.map(|counters| counters.lmr_reduced),
            beta_cuts: counters.map(|counters| counters.beta_cuts),
            first_move_cuts: counters.map(|counters| counters.first_move_cuts),
            table_hits: counters.map(|counters| counters.table_hits),
            stability_cuts: counters.map(|counters| counters.stability_cuts),
            elapsed_ms: outcome.map(|_| elapsed_ms),
            agrees_with_plain: row
                .agreement
                .map(|agreement| AgreementReply { score: agreement.score, best_move: agreement.best_move }),
            exact_for_depth: row.technique.is_exact_for_depth(),
        }
    }
}

impl ComparisonReply {
    /// The rows as CSV (RFC 4180, lines end in CR LF): a header, then one line a row; what is not known is an empty
    /// field.
    pub fn to_csv(&self) -> String {
        let mut csv = String::from(
            "configuration,depth,score,best_move,nodes,null_cuts,verifications,lmr_cuts,re_searches,passes,null_tries,\
             lmr_reduced,beta_cuts,first_move_cuts,table_hits,stability_cuts,elapsed_ms,score_agrees,move_agrees,\
             exact_for_depth\r\n",
        );
        for row in &self.rows {
            // Names hold nothing that CSV would have to quote: the request parser sees to it.
            let _ = write!(csv, "{},{},{},", row.configuration, row.depth, field(row.score));
            let _ = write!(csv, "{}", row.best_move.as_deref().unwrap_or_default());
            let counters = [
                row.nodes,
                row.null_cuts,
                row.verifications,
                row.lmr_cuts,
                row.re_searches,
                row.passes,
                row.null_tries,
                row.lmr_reduced,
                row.beta_cuts,
                row.first_move_cuts,
                row.table_hits,
                row.stability_cuts,
                row.elapsed_ms,
            ];
            for counter in counters {
                let _ = write!(csv, ",{}", field(counter));
            }
            let agreement = row.agrees_with_plain;
            let (score, best_move) =
                (agreement.map(|agreement| agreement.score), agreement.map(|agreement| agreement.best_move));
            let _ = write!(csv, ",{},{},{}\r\n", field(score), field(best_move), row.exact_for_depth);
        }
        csv
    }
}

fn field(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

impl ComparisonReply {
    /// The answer to this request, of a comparison that ended for this reason.
    pub fn new(request: &ComparisonRequest, snapshot: &Rows, reason: StopReason, times: &Times) -> Self {
        let rows: Vec<ComparisonRowReply> = snapshot.rows.iter().map(ComparisonRowReply::from).collect();
        let configurations =
            request.configurations.iter().map(|(name, technique)| ConfigurationReply::new(name, technique));
        let rows_finished = rows.iter().filter(|row| row.nodes.is_some()).count();
        Self {
            position: PositionReply::from(&request.read),
            search: ComparisonSearchReply {
                complete: rows_finished == rows.len(),
                rows_finished,
                nodes: rows.iter().filter_map(|row| row.nodes).sum(),
                elapsed_ms: times.elapsed_ms,
                queued_ms: times.queued_ms,
                stop_reason: reason.into(),
                limits_applied: ComparisonLimitsApplied {
                    time_ms: request.time_ms,
                    search_ms: search_ms(request.time_ms),
                    threads: request.threads,
                },
            },
            rows,
            configurations: configurations.collect(),
            scoring: ComparisonScoringReply::LAB,
            assumed: assumed(&request.read),
            engine: EngineNameReply::with(loaded::id()),
        }
    }
}
