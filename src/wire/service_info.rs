//! Replies that describe the service itself: engine, limits, status.

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

use super::limits::{LimitName, LimitRow, Limits, ROWS, SELECTIVITIES};
use super::strength::CLOCK_FIELDS;

/// `GET /v1/engine`: what answers here.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct EngineReply {
    /// `discern`.
    #[schema(example = "discern")]
    pub name: &'static str,
    /// The version of the service.
    #[schema(example = "0.1.0")]
    pub version: &'static str,
    /// Names Othello's evaluation: answers of two instances can only agree when this does.
    pub evaluation: String,
    /// What the engine found on this machine.
    pub cpu: CpuReply,
    /// Worker threads that search.
    #[schema(minimum = 1)]
    pub threads: usize,
    /// What can be asked.
    pub games: Vec<GameReply>,
}

/// The processor as the engine sees it.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct CpuReply {
    /// The processor's architecture.
    #[schema(example = "x86_64")]
    pub architecture: &'static str,
    /// The microarchitecture level found at run time, `null` where there are none.
    #[schema(example = "x86-64-v3")]
    pub level: Option<&'static str>,
}

/// One game that can be analysed.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct GameReply {
    /// The name in paths.
    #[schema(example = "othello")]
    pub name: &'static str,
    /// Board sizes, cells along one side.
    pub sizes: Vec<u8>,
    /// Names of the rules that can be asked for; empty for a game with one set of rules.
    pub rules: Vec<&'static str>,
    /// Names the evaluation of this game.
    pub evaluation: String,
}

/// `GET /v1/limits`: every default and cap of this instance.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct LimitsReply {
    /// Numbers of an analysis request, by field name.
    pub analysis: BTreeMap<&'static str, LimitReply>,
    /// Numbers of the `clock` of an analysis request.
    pub clock: BTreeMap<&'static str, LimitReply>,
    /// Numbers of a comparison request besides `time_ms` and `threads`, which are those of an analysis.
    pub comparison: BTreeMap<&'static str, LimitReply>,
    /// Largest request body, in bytes.
    pub body_bytes: u64,
    /// Milliseconds within which a body must arrive after its headers.
    pub body_read_ms: u64,
    /// Most analyses waiting for a thread.
    pub queue: u64,
    /// What each client may use; `null` when there is no bound.
    pub quota: Option<QuotaReply>,
    /// Fields that are part of the contract but refused by this version, with the reason; there are none today.
    pub not_available: BTreeMap<&'static str, &'static str>,
}

/// The search time that each client (API key, or address without one) may use, in milliseconds of search threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Quota)]
pub struct QuotaReply {
    /// What comes back each second.
    pub ms_per_s: u64,
    /// The most that can be saved up.
    pub burst_ms: u64,
}

/// One limit.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct LimitReply {
    /// The value when a request gives none; `null` when there is no limit then.
    pub default: Option<u64>,
    /// Least value.
    pub min: u64,
    /// Greatest value; a greater one is refused, never capped in silence.
    pub max: u64,
    /// The only values allowed; left out when all between `min` and `max` are.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    pub values: Option<Vec<u64>>,
    /// What it bounds, with its unit.
    pub description: &'static str,
}

impl LimitReply {
    fn new(row: &LimitRow, limits: &Limits) -> Self {
        let range = limits.get(row.limit);
        let steps = row.limit == LimitName::SelectivityPercent;
        Self {
            default: range.default,
            min: range.min,
            max: range.max,
            values: steps.then(|| SELECTIVITIES.to_vec()),
            description: row.what,
        }
    }
}

impl From<&Limits> for LimitsReply {
    fn from(limits: &Limits) -> Self {
        let whole = [LimitName::BodyBytes, LimitName::BodyReadMs, LimitName::Queue];
        let lab =
            [LimitName::ComparisonDepth, LimitName::ComparisonDepths, LimitName::ComparisonConfigurations];
        let of_clock = |row: &&LimitRow| CLOCK_FIELDS.contains(&row.limit);
        let of_analysis =
            |row: &&LimitRow| !whole.contains(&row.limit) && !lab.contains(&row.limit) && !of_clock(row);
        let of_comparison = |row: &&LimitRow| lab.contains(&row.limit);
        let reply = |row: &LimitRow| (row.name, LimitReply::new(row, limits));
        Self {
            analysis: ROWS.iter().filter(of_analysis).map(reply).collect(),
            clock: ROWS.iter().filter(of_clock).map(reply).collect(),
            comparison: ROWS.iter().filter(of_comparison).map(reply).collect(),
            body_bytes: limits.get(LimitName::BodyBytes).max,
            body_read_ms: limits.get(LimitName::BodyReadMs).max,
            queue: limits.get(LimitName::Queue).max,
            quota: None,
            not_available: BTreeMap::new(),
        }
    }
}

/// `GET /v1/status`: the load of this instance, without secrets.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct StatusReply {
    /// Whether the instance takes work.
    pub state: StateReply,
    /// Whole seconds since the start.
    pub uptime_s: u64,
    /// What the memory budget is for.
    pub memory: MemoryReply,
    /// Worker threads.
    pub threads: ThreadsReply,
    /// Analyses that wait for one.
    pub queue: QueueReply,
}

/// The memory budget and its parts, in MiB.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Memory)]
pub struct MemoryReply {
    /// All of it.
    pub budget_mib: u64,
    /// Transposition tables.
    pub tables_mib: u64,
    /// Finished answers that are kept.
    pub answers_mib: u64,
    /// Requests that wait.
    pub queues_mib: u64,
    /// The program itself and the buffers of its connections.
    pub program_mib: u64,
}

/// Worker threads.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[schema(as = Threads)]
pub struct ThreadsReply {
    /// All of them.
    pub total: usize,
    /// Those that work on a search now.
    pub busy: usize,
}

/// Analyses that wait for a thread.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[schema(as = Queue)]
pub struct QueueReply {
    /// With class `interactive`.
    pub interactive: usize,
    /// With class `batch`.
    pub batch: usize,
    /// How long the one that waits longest has waited, milliseconds.
    pub oldest_ms: u64,
}

/// The life of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StateReply {
    /// Not yet ready for work.
    Starting,
    /// Takes work.
    Ready,
    /// Finishes its work and takes no more.
    Draining,
}
