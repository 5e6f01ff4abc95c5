//! Legal moves and play of Gomoku: requests and replies.

use gomoku::point::Point;
use gomoku::rules::renju::Forbidden;
use serde::Serialize;
use utoipa::ToSchema;

use super::position::{self, GomokuRead, POSITION_FIELDS};
use super::position_reply::{GomokuPositionReply, GomokuResultReply, GomokuStatusReply, result};
use crate::wire::json::Json;
use crate::wire::position_reply::AssumptionReply;
use crate::wire::problem::FieldError;
use crate::wire::reader::document;

/// Reads a request that is a position and nothing else.
///
/// # Errors
/// All faults found, each at its place.
pub fn read_position(json: &Json) -> Result<GomokuRead, Vec<FieldError>> {
    document(json, |root| position::read(&root.object(&POSITION_FIELDS)?))
}

/// The same from the query string of a URL.
///
/// # Errors
/// All faults found, each at its parameter.
pub fn read_position_query(query: &str) -> Result<GomokuRead, Vec<FieldError>> {
    position::IN_A_URL.read(query).and_then(|json| read_position(&json))
}

/// Reads a play request: a position with `moves`.
///
/// # Errors
/// All faults found, each at its place.
pub fn read_play(json: &Json) -> Result<GomokuRead, Vec<FieldError>> {
    document(json, |root| {
        let members = root.object(&POSITION_FIELDS)?;
        if !members.has("moves") && !members.has("text") {
            members.missing("moves", "the moves to play are needed");
            return None;
        }
        position::read(&members)
    })
}

/// `POST /v1/gomoku/legal-moves`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = GomokuLegalMovesReply)]
pub struct LegalMovesReply {
    /// The position as understood.
    pub position: GomokuPositionReply,
    /// Whether the game goes on.
    pub status: GomokuStatusReply,
    /// The points where the side to move may place a stone, row by row.
    pub moves: Vec<LegalPointReply>,
    /// Renju: the points forbidden to black, whoever is to move, with the reason. Empty under other rules.
    pub forbidden: Vec<ForbiddenReply>,
    /// How the game ended; `null` while it goes on.
    pub result: Option<GomokuResultReply>,
    /// What the request left open.
    pub assumed: Vec<AssumptionReply>,
}

/// A point where a stone may be placed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = GomokuLegalMove)]
pub struct LegalPointReply {
    /// Its name.
    #[serde(rename = "move")]
    #[schema(example = "h8")]
    pub mv: String,
    /// `row * size + col`.
    #[schema(maximum = 399)]
    pub index: usize,
    /// Row from the top, from 0.
    #[schema(maximum = 19)]
    pub row: u8,
    /// Column from the left, from 0.
    #[schema(maximum = 19)]
    pub col: u8,
}

/// A point forbidden to black.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ForbiddenPoint)]
pub struct ForbiddenReply {
    /// Its name.
    #[serde(rename = "move")]
    #[schema(example = "h8")]
    pub mv: String,
    /// Why.
    pub reason: ForbiddenReason,
}

/// Why a point is forbidden to black under renju.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ForbiddenReason {
    /// Six or more in a row.
    Overline,
    /// Two fours with one stone.
    DoubleFour,
    /// Two open threes with one stone.
    DoubleThree,
}

impl From<Forbidden> for ForbiddenReason {
    fn from(reason: Forbidden) -> Self {
        match reason {
            Forbidden::Overline => Self::Overline,
            Forbidden::DoubleFour => Self::DoubleFour,
            Forbidden::DoubleThree => Self::DoubleThree,
        }
    }
}

/// `POST /v1/gomoku/play`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = GomokuPlayReply)]
pub struct PlayReply {
    /// The position after the moves.
    pub position: GomokuPositionReply,
    /// The moves played.
    #[schema(example = json!(["h8", "i9"]))]
    pub played: Vec<String>,
    /// How the game ended; `null` while it goes on.
    pub result: Option<GomokuResultReply>,
    /// What the request left open.
    pub assumed: Vec<AssumptionReply>,
}

impl From<&GomokuRead> for LegalMovesReply {
    fn from(read: &GomokuRead) -> Self {
        let position = read.position();
        let legal = |point: Point| LegalPointReply {
            mv: read.name(point),
            index: point.index(position.size()),
            row: point.y(),
            col: point.x(),
        };
        let forbidden = position.forbidden_points().into_iter();
        Self {
            position: GomokuPositionReply::from(read),
            status: position.status().into(),
            moves: position.legal_moves().into_iter().map(legal).collect(),
            forbidden: forbidden
                .map(|(point, reason)| ForbiddenReply { mv: read.name(point), reason: reason.into() })
                .collect(),
            result: result(read),
            assumed: read.assumed.clone(),
        }
    }
}

impl From<&GomokuRead> for PlayReply {
    fn from(read: &GomokuRead) -> Self {
        Self {
            position: GomokuPositionReply::from(read),
            played: read.names(&read.read.moves),
            result: result(read),
            assumed: read.assumed.clone(),
        }
    }
}
