//! The static evaluation of a position, explained.

use serde::Serialize;
use utoipa::ToSchema;

use super::analysis_reply::{Discs, EngineNameReply};
use super::position_reply::{AssumptionReply, PositionReply, ResultReply};

/// `POST /v1/othello/evaluation`: what a position is worth without looking ahead, and why.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct EvaluationReply {
    /// The position as understood.
    pub position: PositionReply,
    /// The eight explained terms.
    pub terms: Vec<TermReply>,
    /// Their sum, for the side to move, held within 64 discs.
    #[schema(value_type = f64, minimum = -64, maximum = 64)]
    pub terms_total: Discs,
    /// What the engine itself estimates, for the side to move.
    pub estimate: EstimateReply,
    /// Legal moves of each colour, were it to move.
    pub legal_moves: CountsReply,
    /// Discs of each colour that touch an empty square.
    pub frontier: CountsReply,
    /// Discs that can never be turned again: proven, though some may be missing.
    pub stable: StableReply,
    /// What stable discs prove about the end of the game.
    pub bounds: BoundsReply,
    /// Regions of empty squares that touch along a side or at a corner, in the order of their first squares.
    pub regions: Vec<RegionReply>,
    /// Empty squares of each quarter of the board: top left, top right, bottom left, bottom right.
    pub quadrants: Vec<QuadrantReply>,
    /// How the game ended; `null` while it goes on.
    pub result: Option<ResultReply>,
    /// How values are to be read.
    pub scoring: EvaluationScoringReply,
    /// What the request left open.
    pub assumed: Vec<AssumptionReply>,
    /// What answered.
    pub engine: EngineNameReply,
}

/// One term.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = Term)]
pub struct TermReply {
    /// `positional`, `mobility`, `corners`, `frontier`, `material`, `parity`, `danger` or `stable`.
    #[schema(example = "mobility")]
    pub term: &'static str,
    /// What is counted, and what one of it is worth with this many empty squares.
    pub parts: Vec<TermPartReply>,
    /// What black has of it, in discs.
    #[schema(value_type = f64)]
    pub black: Discs,
    /// What white has of it, in discs.
    #[schema(value_type = f64)]
    pub white: Discs,
    /// Its share in the value for the side to move, in discs.
    #[schema(value_type = f64)]
    pub value: Discs,
}

/// One count of a term.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = TermPart)]
pub struct TermPartReply {
    /// What is counted.
    #[schema(example = "legal_moves")]
    pub part: &'static str,
    /// What one of it is worth, in discs.
    #[schema(value_type = f64)]
    pub weight: Discs,
    /// How many black has.
    pub black: i16,
    /// How many white has.
    pub white: i16,
}

/// What the engine itself estimates.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = Estimate)]
pub struct EstimateReply {
    /// Expected disc difference at the end, for the side to move.
    #[schema(value_type = f64, minimum = -64, maximum = 64)]
    pub discs: Discs,
    /// Names the evaluation that searches use.
    pub evaluation: String,
}

/// A number for each colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Counts)]
pub struct CountsReply {
    /// Of black.
    pub black: u32,
    /// Of white.
    pub white: u32,
}

/// Stable discs of each colour.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Stable)]
pub struct StableReply {
    /// Black's.
    pub black: SquaresReply,
    /// White's.
    pub white: SquaresReply,
}

/// A set of squares.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Squares)]
pub struct SquaresReply {
    /// How many.
    pub count: u32,
    /// As a bitboard, `a1` in the lowest bit and eight columns a row on every board.
    #[schema(example = "0x8100000000000081")]
    pub mask: String,
    /// By name.
    #[schema(example = json!(["a1", "h1", "a8", "h8"]))]
    pub squares: Vec<String>,
}

/// The least and greatest final disc difference that stable discs leave open, for the side to move, under either rule
/// for empty squares: twice its own less all cells, and all cells less twice the other side's. These are bounds, never a
/// value: more stable discs than the other side prove nothing by themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = StableBounds)]
pub struct BoundsReply {
    /// At least this.
    #[schema(minimum = -64, maximum = 64)]
    pub lower: i32,
    /// At most this.
    #[schema(minimum = -64, maximum = 64)]
    pub upper: i32,
}

/// A region of empty squares.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Region)]
pub struct RegionReply {
    /// How many.
    pub size: u32,
    /// Whether that is odd or even.
    pub parity: ParityReply,
    /// By name.
    pub squares: Vec<String>,
    /// How many of them black may move to now, were it to move.
    pub black_moves: u32,
    /// How many of them white may move to now, were it to move.
    pub white_moves: u32,
}

/// Odd or even.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Parity)]
pub enum ParityReply {
    /// Whoever moves there first has the last move, if both sides play it out in turn.
    Odd,
    /// Whoever moves there first leaves the last move to the other.
    Even,
}

/// The empty squares of a quarter of the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Quadrant)]
pub struct QuadrantReply {
    /// `top_left`, `top_right`, `bottom_left` or `bottom_right`.
    #[schema(example = "top_left")]
    pub quadrant: &'static str,
    /// How many.
    pub empties: u32,
    /// Whether that is odd or even.
    pub parity: ParityReply,
}

/// How values are to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = EvaluationScoring)]
pub struct EvaluationScoringReply {
    /// Always `discs`.
    #[schema(example = "discs")]
    pub unit: &'static str,
    /// Always `side_to_move`, where a field does not name a colour.
    #[schema(example = "side_to_move")]
    pub point_of_view: &'static str,
}

impl ParityReply {
    /// The parity of a number.
    pub const fn of(number: u32) -> Self {
        if number % 2 == 1 { Self::Odd } else { Self::Even }
    }
}
