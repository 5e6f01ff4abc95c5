//! The swap2 opening: request and reply.

use gomoku::color::Color;
use gomoku::query::{Bound, Score, Value};
use gomoku::swap2::{Swap2Query, Swap2Snapshot, chance, worth_to_layer};
use searchkit::stop::StopReason;
use serde::Serialize;
use utoipa::ToSchema;

use super::analysis_reply::{GomokuScoreReply, GomokuScoringReply, rounded};
use super::position::{self, GomokuRead, POSITION_FIELDS};
use super::position_reply::GomokuPositionReply;
use super::threats::{LIMIT_FIELDS, ThreatLimitsApplied, ThreatSearchReply};
use crate::wire::analysis::{CLASSES, Class};
use crate::wire::analysis_reply::EngineNameReply;
use crate::wire::json::Json;
use crate::wire::limits::{LimitName, Limits};
use crate::wire::position_reply::AssumptionReply;
use crate::wire::problem::{FieldCode, FieldError};
use crate::wire::reader::{Place, document};
use crate::wire::times::Times;

/// Nodes when the request gives none: what a thread searches in about half a second.
const USUAL_NODES: u64 = 200_000;

/// The fields of a swap2 request besides those of the position.
pub const SWAP2_FIELDS: [&str; 2] = ["limits", "class"];

/// A swap2 request with all defaults filled in.
#[derive(Debug, Clone)]
pub struct Swap2Request {
    /// No stones, three or five.
    pub read: GomokuRead,
    /// Milliseconds from the arrival of the request to the answer.
    pub time_ms: u64,
    /// Most nodes.
    pub nodes: Option<u64>,
    /// Whose turn comes first.
    pub class: Class,
}

impl Swap2Request {
    /// Reads a request.
    ///
    /// # Errors
    /// All faults found, each at its place.
    pub fn parse(json: &Json, limits: &Limits) -> Result<Self, Vec<FieldError>> {
        document(json, |root| read(root, limits))
    }

    /// What the engine is asked.
    pub fn query(&self) -> Swap2Query {
        Swap2Query { position: self.read.position().clone(), nodes: self.nodes.unwrap_or(USUAL_NODES) }
    }
}

fn read(root: Place<'_>, limits: &Limits) -> Option<Swap2Request> {
    let known: Vec<&'static str> = POSITION_FIELDS.into_iter().chain(SWAP2_FIELDS).collect();
    let members = root.object(&known)?;
    let position = position::read(&members);
    let number = |limit: LimitName| -> Option<u64> {
        let given = members.get("limits")?.object(&LIMIT_FIELDS.map(|limit| limit.row().name))?;
        given.get(limit.row().name)?.integer(limits.get(limit))
    };
    let (time_ms, nodes) = (number(LimitName::TimeMs), number(LimitName::Nodes));
    let class = members.get("class").map_or(Some(Class::Interactive), |place| place.one_of(&CLASSES));
    let read = position?;
    let stones = |color| read.position().grid().stones(color).count();
    let (black, white) = (stones(Color::Black), stones(Color::White));
    if ![(0, 0), (2, 1), (3, 2)].contains(&(black, white)) {
        let message = format!(
            "swap2 is decided with no stones, with three or with five, black first; here are {black} black and {white} white"
        );
        members.refuse(FieldCode::InvalidPosition, message);
        return None;
    }
    let time = limits.get(LimitName::TimeMs);
    Some(Swap2Request {
        read,
        time_ms: time_ms.or(if nodes.is_some() { None } else { time.default }).unwrap_or(time.max),
        nodes,
        class: class?,
    })
}

/// `POST /v1/gomoku/swap2`.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Swap2Reply {
    /// The stones as understood.
    pub position: GomokuPositionReply,
    /// What to do: the head of `options`.
    pub choice: Swap2Choice,
    /// The stones to lay, in order; empty when a colour is taken.
    #[schema(example = json!(["l6", "m6", "n5"]))]
    pub stones: Vec<String>,
    /// What can be done, best first.
    pub options: Vec<Swap2Option>,
    /// What the search did.
    pub search: ThreatSearchReply,
    /// How scores are to be read.
    pub scoring: GomokuScoringReply,
    /// What the request left open.
    pub assumed: Vec<AssumptionReply>,
    /// What answered.
    pub engine: EngineNameReply,
}

impl Swap2Reply {
    /// The answer to this request, of a search that ended for this reason.
    pub fn new(request: &Swap2Request, snapshot: &Swap2Snapshot, reason: StopReason, times: &Times) -> Self {
        let options = options(&request.read, snapshot);
        let best = options.first();
        Self {
            position: GomokuPositionReply::from(&request.read),
            choice: best.map_or(Swap2Choice::TakeWhite, |best| best.choice),
            stones: best.map(|best| best.stones.clone()).unwrap_or_default(),
            options,
            search: ThreatSearchReply::new(
                snapshot.nodes,
                reason,
                times,
                ThreatLimitsApplied::new(request.time_ms, Some(request.nodes.unwrap_or(USUAL_NODES))),
            ),
            scoring: GomokuScoringReply::LOGIT,
            assumed: request.read.assumed.clone(),
            engine: EngineNameReply::with(gomoku::evaluation::id()),
        }
    }
}

/// One thing that can be done.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Swap2Option {
    /// What.
    pub choice: Swap2Choice,
    /// The stones to lay, in order.
    pub stones: Vec<String>,
    /// Chance that the one who decides wins after it; whoever lays stones gets the colour the other leaves. `null` when time
    /// ran out before it was known.
    #[schema(minimum = 0, maximum = 1)]
    pub win_probability: Option<f64>,
    /// The value of the position after it for white, who is to move.
    pub white_score: Option<GomokuScoreReply>,
}

/// What the player who decides can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Swap2Choice {
    /// Lay the first three stones: black, white, black.
    PlaceThree,
    /// Play black.
    TakeBlack,
    /// Play white.
    TakeWhite,
    /// Add a white and a black stone, and let the other take a colour.
    PlaceTwo,
}

/// What can be done, best first; with equal or unknown chances white before black before two more stones.
fn options(read: &GomokuRead, snapshot: &Swap2Snapshot) -> Vec<Swap2Option> {
    let score = |value: Value| GomokuScoreReply::from(Score { value, bound: Bound::Exact, depth: 0 });
    let option = |choice, stones, chance: Option<f64>, value: Option<Value>| Swap2Option {
        choice,
        stones,
        win_probability: chance.map(rounded),
        white_score: value.map(score),
    };
    let stones = read.position().stones();
    let mut options = Vec::new();
    if stones > 0 {
        let white = snapshot.white;
        options.push(option(Swap2Choice::TakeWhite, Vec::new(), white.map(chance), white));
        options.push(option(
            Swap2Choice::TakeBlack,
            Vec::new(),
            white.map(|white| 1.0 - chance(white)),
            white,
        ));
    }
    if let Some(laid) = snapshot.laid.as_ref().filter(|_| stones < 5) {
        let choice = if stones == 0 { Swap2Choice::PlaceThree } else { Swap2Choice::PlaceTwo };
        options.push(option(
            choice,
            read.names(&laid.stones),
            Some(worth_to_layer(laid.white)),
            Some(laid.white),
        ));
    }
    options.sort_by(|a, b| b.win_probability.unwrap_or(0.0).total_cmp(&a.win_probability.unwrap_or(0.0)));
    options
}
