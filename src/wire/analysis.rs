//! An analysis request, read into what the engine is asked.

use othello::board::Size;
use othello::level;
use othello::notation::{Read, transcript};
use othello::position::EmptiesRule;
use othello::query::{Goal, Selectivity};
use othello::square::{Move, Square, Squares};

use super::json::Json;
use super::limits::{LimitName, Limits, Range, SELECTIVITIES, SMALL_BOARDS_EXACT_FROM};
use super::position::{self, POSITION_FIELDS};
use super::problem::{FieldCode, FieldError};
use super::query_string::QueryFields;
use super::reader::{Members, Place, document};
use super::strength::{self, ClockRequest, LevelRequest};

/// The fields of an analysis request besides those of the position.
pub const ANALYSIS_FIELDS: [&str; 13] = [
    "goal",
    "count",
    "only",
    "avoid",
    "limits",
    "level",
    "seed",
    "clock",
    "empties",
    "threads",
    "deterministic",
    "class",
    "include",
];

/// The fields of `limits`.
pub const LIMIT_FIELDS: [LimitName; 5] = [
    LimitName::TimeMs,
    LimitName::Depth,
    LimitName::Nodes,
    LimitName::ExactFromEmpties,
    LimitName::SelectivityPercent,
];

/// How the fields of a request stand in a URL.
const IN_A_URL: QueryFields = QueryFields {
    texts: &["moves", "board", "text", "side_to_move", "goal", "empties", "class"],
    numbers: &["size", "count", "threads", "level", "seed"],
    limits: &["time_ms", "depth", "nodes", "exact_from_empties", "selectivity_percent"],
    lists: &["only", "avoid", "include"],
    flags: &["deterministic"],
};

/// Names of the rules for empty squares.
pub const EMPTIES: [(&str, EmptiesRule); 2] =
    [("winner", EmptiesRule::Winner), ("nobody", EmptiesRule::Nobody)];

/// Whose turn comes first in the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// Somebody looks at a board and waits.
    Interactive,
    /// Nobody waits for this very answer.
    Batch,
}

/// Names of the classes.
pub const CLASSES: [(&str, Class); 2] = [("interactive", Class::Interactive), ("batch", Class::Batch)];

/// A part of the reply that is only given on request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The board as rows of text.
    Position,
    /// Counts of cutoffs by kind.
    Cutoffs,
    /// The moves as flat rows of numbers.
    Rows,
}

/// Names of the parts.
pub const PARTS: [(&str, Part); 3] =
    [("position", Part::Position), ("cutoffs", Part::Cutoffs), ("rows", Part::Rows)];

/// The goals that need no count.
pub const GOALS: [&str; 4] = ["best_move", "all_moves", "top_n", "win_loss_draw"];

/// Whether the same bytes must come back on every replica.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Repeatability {
    /// Times and threads may show.
    Usual,
    /// One thread, a fresh table of a fixed size, no times.
    Deterministic,
}

/// An analysis request with all defaults filled in.
#[derive(Debug, Clone)]
pub struct AnalysisRequest {
    /// The position, with its history if there was one.
    pub read: Read,
    /// What is asked.
    pub goal: Goal,
    /// The legal moves to consider; all of them when `None`.
    pub root_moves: Option<u64>,
    /// The strength to play with; depth and the like are then the level's.
    pub level: Option<LevelRequest>,
    /// Milliseconds from the arrival of the request to the answer.
    pub time_ms: u64,
    /// Deepest iteration, plies.
    pub depth: Option<u8>,
    /// Most nodes.
    pub nodes: Option<u64>,
    /// From this many empties on, go for the exact score.
    pub exact_from_empties: u8,
    /// Least confidence of estimates.
    pub selectivity: Selectivity,
    /// Who owns empty squares at the end.
    pub empties: EmptiesRule,
    /// Most threads.
    pub threads: usize,
    /// Whether the same bytes must come back everywhere.
    pub repeatability: Repeatability,
    /// Whose turn comes first.
    pub class: Class,
    /// Parts asked for.
    pub include: Vec<Part>,
}

impl AnalysisRequest {
    /// Reads a request.
    ///
    /// # Errors
    /// All faults found, each at its place.
    pub fn parse(json: &Json, limits: &Limits) -> Result<Self, Vec<FieldError>> {
        document(json, |root| read(root, limits))
    }

    /// The same, with goal, depth and the like as its level wants them.
    fn with_what_its_level_decides(mut self) -> Self {
        if let Some(LevelRequest { level, .. }) = self.level {
            let query = level::strength(level).query(self.read.position, self.goal, self.empties);
            self.goal = query.goal;
            self.depth = query.depth;
            self.exact_from_empties = query.exact_from_empties;
            self.selectivity = query.selectivity;
        }
        self
    }

    /// Reads a request from the query string of a URL: the same fields, those of `limits` beside the others, lists with
    /// commas.
    ///
    /// # Errors
    /// All faults found, each at its parameter.
    pub fn parse_query(query: &str, limits: &Limits) -> Result<Self, Vec<FieldError>> {
        let json = IN_A_URL.read(query)?;
        Self::parse(&json, limits).map_err(|errors| IN_A_URL.at_parameters(errors))
    }
}

/// The numbers of `limits` as given.
#[derive(Debug, Default)]
pub(super) struct Given {
    pub(super) time_ms: Option<u64>,
    pub(super) depth: Option<u64>,
    pub(super) nodes: Option<u64>,
    pub(super) exact_from_empties: Option<u64>,
    pub(super) selectivity: Option<Selectivity>,
}

fn read(root: Place<'_>, limits: &Limits) -> Option<AnalysisRequest> {
    let known: Vec<&'static str> = POSITION_FIELDS.into_iter().chain(ANALYSIS_FIELDS).collect();
    let members = root.object(&known)?;
    let level = strength::read_level(&members, limits);
    let clock = strength::read_clock(&members, limits);
    let position = position::read(&members);
    let goal = read_goal(&members, limits);
    let given = members.get("limits").and_then(|place| read_limits(&place, limits)).unwrap_or_default();
    let empties = members.get("empties").map_or(Some(EmptiesRule::Winner), |place| place.one_of(&EMPTIES));
    let class = members.get("class").map_or(Some(Class::Interactive), |place| place.one_of(&CLASSES));
    let include = members.get("include").map_or(Some(Vec::new()), |place| read_parts(&place));
    let repeatability = read_repeatability(&members, &given);
    let nodes = read_nodes(&members, &given, limits, repeatability);
    let threads = read_threads(&members, limits, repeatability);
    let (level, clock) = (level?, clock?);
    let position = position?;
    let size = position.position.size();
    let root_moves = read_root_moves(&members, &position)?;
    let number =
        |limit: LimitName, given: Option<u64>| given.or(limits.get(limit).default).unwrap_or_default();
    let time = limits.get(LimitName::TimeMs);
    let bounded = given.depth.is_some() || given.nodes.is_some() || level.is_some();
    let default_selectivity = || {
        let percent = number(LimitName::SelectivityPercent, None);
        u8::try_from(percent).ok().and_then(Selectivity::from_percent).unwrap_or(Selectivity::P73)
    };
    let allotted = clock.map(|clock| clock_ms(clock, &position, time.max));
    let request = AnalysisRequest {
        read: position,
        goal: goal?,
        root_moves,
        level,
        time_ms: allotted.or(given.time_ms).or(if bounded { None } else { time.default }).unwrap_or(time.max),
        depth: given.depth.and_then(|depth| u8::try_from(depth).ok()),
        nodes: nodes?,
        exact_from_empties: given.exact_from_empties.map_or_else(
            || default_exact_from_empties(size, limits),
            |empties| u8::try_from(empties).unwrap_or(u8::MAX),
        ),
        selectivity: given.selectivity.unwrap_or_else(default_selectivity),
        empties: empties?,
        threads: threads?,
        repeatability: repeatability?,
        class: class?,
        include: include?,
    };
    Some(request.with_what_its_level_decides())
}

/// The time that a clock allots to this move, within the cap of the service.
fn clock_ms(clock: ClockRequest, read: &Read, most: u64) -> u64 {
    clock.allotted_ms(level::moves_to_think_about(read.position)).min(most)
}

/// From how many empties on a board of this size is solved when a request does not say.
fn default_exact_from_empties(size: Size, limits: &Limits) -> u8 {
    let range = limits.get(LimitName::ExactFromEmpties);
    let usual = range.default.unwrap_or(0);
    let empties = if size == Size::Eight { usual } else { usual.max(SMALL_BOARDS_EXACT_FROM).min(range.max) };
    u8::try_from(empties).unwrap_or(u8::MAX)
}

fn read_goal(members: &Members<'_>, limits: &Limits) -> Option<Goal> {
    let goal = match members.get("goal") {
        Some(place) => place.one_of(&GOALS.map(|name| (name, name)))?,
        None => GOALS[0],
    };
    let count = members.get("count");
    if let Some(count) = count.as_ref().filter(|_| goal != "top_n") {
        count.refuse(FieldCode::Conflict, "only goes with goal `top_n`");
        return None;
    }
    match goal {
        "best_move" => Some(Goal::BestMove),
        "all_moves" => Some(Goal::AllMoves),
        "win_loss_draw" if members.has("level") => {
            members
                .get("goal")
                .expect("it is not the default")
                .refuse(FieldCode::Conflict, "a level weighs moves by discs; it does not go with this goal");
            None
        }
        "win_loss_draw" => Some(Goal::WinLossDraw),
        _ => match count {
            Some(count) => {
                let count = count.integer(limits.get(LimitName::Count))?;
                Some(Goal::TopN(u8::try_from(count).unwrap_or(u8::MAX)))
            }
            None => {
                members.missing("count", "needed with goal `top_n`: how many of the best moves to value");
                None
            }
        },
    }
}

fn read_limits(place: &Place<'_>, limits: &Limits) -> Option<Given> {
    let members = place.object(&LIMIT_FIELDS.map(|limit| limit.row().name))?;
    let number = |limit: LimitName| {
        members.get(limit.row().name).and_then(|place| {
            let value = place.integer(limits.get(limit))?;
            Some((place, value))
        })
    };
    let value = |limit| number(limit).map(|(_, value)| value);
    let selectivity = number(LimitName::SelectivityPercent).and_then(|(place, percent)| {
        let found = u8::try_from(percent).ok().and_then(Selectivity::from_percent);
        if found.is_none() {
            let all = SELECTIVITIES.map(|percent| percent.to_string()).join(", ");
            place.refuse(FieldCode::NotOneOf, format!("must be one of {all}, not {percent}"));
        }
        found
    });
    Some(Given {
        time_ms: value(LimitName::TimeMs),
        depth: value(LimitName::Depth),
        nodes: value(LimitName::Nodes),
        exact_from_empties: value(LimitName::ExactFromEmpties),
        selectivity,
    })
}

fn read_parts(place: &Place<'_>) -> Option<Vec<Part>> {
    let list = place.array()?;
    list.iter().enumerate().map(|(index, json)| place.element(index, json).one_of(&PARTS)).collect()
}

pub(super) fn read_repeatability(members: &Members<'_>, given: &Given) -> Option<Repeatability> {
    let Some(place) = members.get("deterministic") else { return Some(Repeatability::Usual) };
    if !place.boolean()? {
        return Some(Repeatability::Usual);
    }
    if given.time_ms.is_some() {
        place.refuse_at(
            "/limits/time_ms",
            FieldCode::Conflict,
            "time is never the same twice: `deterministic` goes with depth, nodes or a level",
        );
        return None;
    }
    if members.has("clock") {
        place.refuse_at(
            "/clock",
            FieldCode::Conflict,
            "time is never the same twice: `deterministic` goes with depth, nodes or a level",
        );
        return None;
    }
    if given.depth.is_none() && given.nodes.is_none() && !members.has("level") {
        place.refuse(FieldCode::Conflict, "needs `limits.depth`, `limits.nodes` or a level to end by");
        return None;
    }
    Some(Repeatability::Deterministic)
}

/// The limit of nodes, which a deterministic request always has. The outer `None` says that a fault was noted.
pub(super) fn read_nodes(
    members: &Members<'_>,
    given: &Given,
    limits: &Limits,
    repeatability: Option<Repeatability>,
) -> Option<Option<u64>> {
    if repeatability != Some(Repeatability::Deterministic) {
        return Some(given.nodes);
    }
    let Range { default, max, .. } = limits.get(LimitName::DeterministicNodes);
    let nodes = given.nodes.or(default);
    if let (Some(nodes), Some(place)) = (given.nodes.filter(|&nodes| nodes > max), members.get("limits")) {
        let message = format!("must be within 1 and {max} with `deterministic`, not {nodes}");
        place.refuse_inside("nodes", FieldCode::OutOfRange, message);
        return None;
    }
    Some(nodes)
}

pub(super) fn read_threads(
    members: &Members<'_>,
    limits: &Limits,
    repeatability: Option<Repeatability>,
) -> Option<usize> {
    let range = limits.get(LimitName::Threads);
    let given = match members.get("threads") {
        Some(place) => {
            let given = place.integer(range)?;
            if given > 1 && repeatability == Some(Repeatability::Deterministic) {
                place.refuse(FieldCode::Conflict, "`deterministic` runs on one thread");
                return None;
            }
            given
        }
        // A level plays the same with the same seed, which more threads would not.
        None if repeatability == Some(Repeatability::Deterministic) || members.has("level") => 1,
        None => range.default.unwrap_or(1),
    };
    Some(usize::try_from(given).unwrap_or(usize::MAX))
}

/// The root moves left by `only` and `avoid`. The outer `None` says that a fault was noted, the inner one that all
/// moves are considered.
fn read_root_moves(members: &Members<'_>, read: &Read) -> Option<Option<u64>> {
    let legal = read.position.moves();
    let only = match members.get("only") {
        Some(place) => read_squares(&place, legal)?,
        None => legal,
    };
    let avoid = match members.get("avoid") {
        Some(place) => read_squares(&place, legal)?,
        None => 0,
    };
    let left = only & !avoid;
    if left == legal {
        return Some(None);
    }
    if left == 0 {
        members.refuse(FieldCode::Conflict, "`only` and `avoid` leave no legal move to consider");
        return None;
    }
    Some(Some(left))
}

fn read_squares(place: &Place<'_>, legal: u64) -> Option<u64> {
    let mut set = 0;
    for (index, json) in place.array()?.iter().enumerate() {
        let element = place.element(index, json);
        let text = element.string()?;
        match transcript::read_move(text) {
            Ok(Move::Place(square)) if square.bit() & legal != 0 => set |= square.bit(),
            Ok(mv) => {
                let known =
                    Squares(legal).map(|square: Square| square.to_string()).collect::<Vec<_>>().join(", ");
                element.refuse(FieldCode::IllegalMove, format!("{mv} is not legal here; legal are: {known}"));
                return None;
            }
            Err(error) => {
                element.refuse(FieldCode::InvalidPosition, error.reason.to_string());
                return None;
            }
        }
    }
    Some(set)
}
