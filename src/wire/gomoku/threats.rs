//! Threat searches: request and reply.

use gomoku::threats::Verdict;
use gomoku::threats::search::{Kind, ThreatQuery, ThreatSnapshot};
use searchkit::stop::StopReason;
use serde::Serialize;
use utoipa::ToSchema;

use super::analysis::read_limits;
use super::position::{self, GomokuRead, POSITION_FIELDS};
use super::position_reply::GomokuPositionReply;
use crate::wire::analysis::{CLASSES, Class};
use crate::wire::analysis_reply::{EngineNameReply, StopReasonReply};
use crate::wire::json::Json;
use crate::wire::limits::{LimitName, Limits};
use crate::wire::position_reply::AssumptionReply;
use crate::wire::problem::{FieldCode, FieldError};
use crate::wire::reader::{Place, document};
use crate::wire::times::{Times, search_ms};

/// The fields of a threat request besides those of the position.
pub const THREAT_FIELDS: [&str; 3] = ["kind", "limits", "class"];

/// The fields of `limits`.
pub const LIMIT_FIELDS: [LimitName; 2] = [LimitName::TimeMs, LimitName::Nodes];

/// Names of the kinds of attack.
pub const KINDS: [(&str, Kind); 2] = [("vcf", Kind::Vcf), ("vct", Kind::Vct)];

/// A threat request with all defaults filled in.
#[derive(Debug, Clone)]
pub struct ThreatRequest {
    /// The position; the side to move attacks.
    pub read: GomokuRead,
    /// The attacks to look for.
    pub kind: Kind,
    /// Milliseconds from the arrival of the request to the answer.
    pub time_ms: u64,
    /// Most nodes.
    pub nodes: Option<u64>,
    /// Whose turn comes first.
    pub class: Class,
}

impl ThreatRequest {
    /// Reads a request.
    ///
    /// # Errors
    /// All faults found, each at its place.
    pub fn parse(json: &Json, limits: &Limits) -> Result<Self, Vec<FieldError>> {
        document(json, |root| read(root, limits))
    }

    /// What the engine is asked.
    pub fn query(&self) -> ThreatQuery {
        ThreatQuery {
            position: self.read.position().clone(),
            kind: self.kind,
            nodes: self.nodes.unwrap_or(u64::MAX),
        }
    }
}

fn read(root: Place<'_>, limits: &Limits) -> Option<ThreatRequest> {
    let known: Vec<&'static str> = POSITION_FIELDS.into_iter().chain(THREAT_FIELDS).collect();
    let members = root.object(&known)?;
    let position = position::read(&members);
    let kind = match members.get("kind") {
        Some(place) => place.one_of(&KINDS),
        None => {
            members.missing(
                "kind",
                "which attacks to look for: `vcf` (fours alone) or `vct` (fours and open threes)",
            );
            None
        }
    };
    let given = members.get("limits").and_then(|place| {
        let given = read_limits(&place, limits)?;
        if given.depth.is_some() {
            place.refuse_inside("depth", FieldCode::Conflict, "a threat search is bounded by time and nodes");
        }
        Some(given)
    });
    let given = given.unwrap_or_default();
    let class = members.get("class").map_or(Some(Class::Interactive), |place| place.one_of(&CLASSES));
    let time = limits.get(LimitName::TimeMs);
    Some(ThreatRequest {
        read: position?,
        kind: kind?,
        time_ms: given
            .time_ms
            .or(if given.nodes.is_some() { None } else { time.default })
            .unwrap_or(time.max),
        nodes: given.nodes,
        class: class?,
    })
}

/// `POST /v1/gomoku/threats`.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ThreatsReply {
    /// The position as understood.
    pub position: GomokuPositionReply,
    /// The attacks looked for: `vcf` or `vct`.
    #[schema(example = "vcf")]
    pub kind: &'static str,
    /// What was found.
    pub status: ThreatStatus,
    /// Whether `status` is certain: a win that held against every legal reply, or a search that left nothing out.
    pub proven: bool,
    /// The attack against a longest defence, attacker and defender in turn, the five last; `null` without a win.
    #[schema(example = json!(["h8", "i9", "j10"]))]
    pub winning_line: Option<Vec<String>>,
    /// The attacker's moves in it; with `vcf` the fewest that fours alone need.
    #[schema(minimum = 1)]
    pub attacker_moves: Option<u16>,
    /// What the search did.
    pub search: ThreatSearchReply,
    /// What the request left open.
    pub assumed: Vec<AssumptionReply>,
    /// What answered.
    pub engine: EngineNameReply,
}

/// What a threat search found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ThreatStatus {
    /// The side to move wins.
    Win,
    /// No win of this kind exists.
    None,
    /// None was found, but longer attacks were not looked at.
    Unknown,
}

/// What a threat search did.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = ThreatSearch)]
pub struct ThreatSearchReply {
    /// Stones placed while searching.
    pub nodes: u64,
    /// Milliseconds from the arrival of the request.
    pub elapsed_ms: u64,
    /// Milliseconds of it spent waiting for a thread.
    pub queued_ms: u64,
    /// Why it ended; `depth` when the longest attacks that are looked for were looked for.
    pub stop_reason: StopReasonReply,
    /// The limits that applied.
    pub limits_applied: ThreatLimitsApplied,
}

impl ThreatSearchReply {
    /// A search that placed so many stones and ended for this reason.
    pub fn new(nodes: u64, reason: StopReason, times: &Times, limits_applied: ThreatLimitsApplied) -> Self {
        Self {
            nodes,
            elapsed_ms: times.elapsed_ms,
            queued_ms: times.queued_ms,
            stop_reason: reason.into(),
            limits_applied,
        }
    }
}

/// The limits that applied to a threat search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct ThreatLimitsApplied {
    /// Milliseconds from the arrival of the request to the answer.
    pub time_ms: u64,
    /// The part of it that the search had, waiting included.
    pub search_ms: u64,
    /// Most positions visited; left out when there was no such limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    pub nodes: Option<u64>,
}

impl ThreatLimitsApplied {
    /// The limits of a request that gives so many milliseconds, and so many positions if it bounds them.
    pub fn new(time_ms: u64, nodes: Option<u64>) -> Self {
        Self { time_ms, search_ms: search_ms(time_ms), nodes }
    }
}

impl ThreatsReply {
    /// The answer to this request, of a search that ended for this reason.
    pub fn new(
        request: &ThreatRequest,
        snapshot: &ThreatSnapshot,
        reason: StopReason,
        times: &Times,
    ) -> Self {
        let (status, won) = match &snapshot.answer.verdict {
            Verdict::Win { attacker_moves, line } => (ThreatStatus::Win, Some((*attacker_moves, line))),
            Verdict::None => (ThreatStatus::None, None),
            Verdict::Unknown => (ThreatStatus::Unknown, None),
        };
        Self {
            position: GomokuPositionReply::from(&request.read),
            kind: name(request.kind),
            status,
            proven: status != ThreatStatus::Unknown,
            winning_line: won.map(|(_, line)| request.read.names(line)),
            attacker_moves: won.map(|(moves, _)| moves),
            search: ThreatSearchReply::new(
                snapshot.answer.nodes,
                reason,
                times,
                ThreatLimitsApplied::new(request.time_ms, request.nodes),
            ),
            assumed: request.read.assumed.clone(),
            engine: EngineNameReply::with(gomoku::evaluation::id()),
        }
    }
}

fn name(kind: Kind) -> &'static str {
    KINDS.iter().find(|(_, known)| *known == kind).map(|&(name, _)| name).expect("every kind has a name")
}
