//! A Gomoku analysis request, read into what the engine is asked.

use gomoku::level;
use gomoku::point::Point;
use gomoku::query::Goal;
use gomoku::search;

use super::position::{self, GomokuRead, POSITION_FIELDS};
use crate::wire::analysis::{
    CLASSES, Class, Given, Repeatability, read_nodes, read_repeatability, read_threads,
};
use crate::wire::json::Json;
use crate::wire::limits::{LimitName, Limits};
use crate::wire::problem::{FieldCode, FieldError};
use crate::wire::query_string::QueryFields;
use crate::wire::reader::{Members, Place, document};
use crate::wire::strength::{self, LevelRequest};

/// The fields of an analysis request besides those of the position.
pub const ANALYSIS_FIELDS: [&str; 12] = [
    "goal",
    "count",
    "only",
    "avoid",
    "limits",
    "level",
    "seed",
    "clock",
    "threads",
    "deterministic",
    "class",
    "include",
];

/// The fields of `limits`.
pub const LIMIT_FIELDS: [LimitName; 3] = [LimitName::TimeMs, LimitName::Depth, LimitName::Nodes];

/// How the fields of a request stand in a URL.
const IN_A_URL: QueryFields = QueryFields {
    texts: &["moves", "board", "text", "side_to_move", "rule", "row_one", "goal", "class"],
    numbers: &["size", "count", "threads", "level", "seed"],
    limits: &["time_ms", "depth", "nodes"],
    lists: &["only", "avoid", "include"],
    flags: &["deterministic"],
};

/// The goals.
pub const GOALS: [&str; 3] = ["best_move", "all_moves", "top_n"];

/// A part of the reply that is only given on request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Counts of cutoffs and re-searches by kind.
    Cutoffs,
    /// The moves as flat rows of numbers.
    Rows,
}

/// Names of the parts.
pub const PARTS: [(&str, Part); 2] = [("cutoffs", Part::Cutoffs), ("rows", Part::Rows)];

/// A Gomoku analysis request with all defaults filled in.
#[derive(Debug, Clone)]
pub struct GomokuRequest {
    /// The position, with its history if there was one.
    pub read: GomokuRead,
    /// What is asked.
    pub goal: Goal,
    /// The legal moves to consider; the engine's candidates when `None`.
    pub root_moves: Option<Vec<Point>>,
    /// The strength to play with; depth and nodes are then the level's.
    pub level: Option<LevelRequest>,
    /// Milliseconds from the arrival of the request to the answer.
    pub time_ms: u64,
    /// Deepest iteration, plies.
    pub depth: Option<u8>,
    /// Most nodes.
    pub nodes: Option<u64>,
    /// Most threads.
    pub threads: usize,
    /// Whether the same bytes must come back everywhere.
    pub repeatability: Repeatability,
    /// Whose turn comes first.
    pub class: Class,
    /// Parts asked for.
    pub include: Vec<Part>,
}

impl GomokuRequest {
    /// Reads a request.
    ///
    /// # Errors
    /// All faults found, each at its place.
    pub fn parse(json: &Json, limits: &Limits) -> Result<Self, Vec<FieldError>> {
        document(json, |root| read(root, limits))
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

    /// The same, with goal, depth and nodes as its level wants them.
    fn with_what_its_level_decides(mut self) -> Self {
        if let Some(LevelRequest { level, .. }) = self.level {
            let query = level::strength(level).query(self.read.position().clone(), self.goal);
            self.goal = query.goal;
            self.depth = query.depth;
            // A deterministic request always has a limit of nodes.
            self.nodes = query.nodes.or(self.nodes);
        }
        self
    }
}

fn read(root: Place<'_>, limits: &Limits) -> Option<GomokuRequest> {
    let known: Vec<&'static str> = POSITION_FIELDS.into_iter().chain(ANALYSIS_FIELDS).collect();
    let members = root.object(&known)?;
    let level = strength::read_level(&members, limits);
    let clock = strength::read_clock(&members, limits);
    let position = position::read(&members);
    let goal = read_goal(&members, limits);
    let given = members.get("limits").and_then(|place| read_limits(&place, limits)).unwrap_or_default();
    let class = members.get("class").map_or(Some(Class::Interactive), |place| place.one_of(&CLASSES));
    let include = members.get("include").map_or(Some(Vec::new()), |place| {
        let list = place.array()?;
        list.iter().enumerate().map(|(index, json)| place.element(index, json).one_of(&PARTS)).collect()
    });
    let repeatability = read_repeatability(&members, &given);
    let nodes = read_nodes(&members, &given, limits, repeatability);
    let threads = read_threads(&members, limits, repeatability);
    let (level, clock) = (level?, clock?);
    let position = position?;
    let root_moves = read_root_moves(&members, &position)?;
    let time = limits.get(LimitName::TimeMs);
    let bounded = given.depth.is_some() || given.nodes.is_some() || level.is_some();
    let allotted =
        clock.map(|clock| clock.allotted_ms(level::moves_to_think_about(position.position())).min(time.max));
    let request = GomokuRequest {
        read: position,
        goal: goal?,
        root_moves,
        level,
        time_ms: allotted.or(given.time_ms).or(if bounded { None } else { time.default }).unwrap_or(time.max),
        depth: given.depth.and_then(|depth| u8::try_from(depth).ok()),
        nodes: nodes?,
        threads: threads?,
        repeatability: repeatability?,
        class: class?,
        include: include?,
    };
    Some(request.with_what_its_level_decides())
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
    match (goal, count) {
        ("best_move", _) => Some(Goal::BestMove),
        ("all_moves", _) => Some(Goal::AllMoves),
        (_, Some(count)) => {
            let count = count.integer(limits.get(LimitName::Count))?;
            Some(Goal::TopN(u8::try_from(count).unwrap_or(u8::MAX)))
        }
        (_, None) => {
            members.missing("count", "needed with goal `top_n`: how many of the best moves to value");
            None
        }
    }
}

/// The numbers of `limits` as far as Gomoku knows them.
pub(super) fn read_limits(place: &Place<'_>, limits: &Limits) -> Option<Given> {
    let members = place.object(&LIMIT_FIELDS.map(|limit| limit.row().name))?;
    let number =
        |limit: LimitName| members.get(limit.row().name).and_then(|place| place.integer(limits.get(limit)));
    Some(Given {
        time_ms: number(LimitName::TimeMs),
        depth: number(LimitName::Depth),
        nodes: number(LimitName::Nodes),
        ..Given::default()
    })
}

/// The root moves left by `only` and `avoid`. The outer `None` says that a fault was noted, the inner one that the
/// engine chooses its candidates.
fn read_root_moves(members: &Members<'_>, read: &GomokuRead) -> Option<Option<Vec<Point>>> {
    let only = match members.get("only") {
        Some(place) => Some(read_points(&place, read)?),
        None => None,
    };
    let avoid = match members.get("avoid") {
        Some(place) => read_points(&place, read)?,
        None => Vec::new(),
    };
    if only.is_none() && avoid.is_empty() {
        return Some(None);
    }
    let left = |points: Vec<Point>| -> Vec<Point> {
        points.into_iter().filter(|point| !avoid.contains(point)).collect()
    };
    let mut points = left(only.clone().unwrap_or_else(|| search::candidates(read.position())));
    if points.is_empty() && only.is_none() {
        points = left(read.position().legal_moves());
    }
    if points.is_empty() {
        members.refuse(FieldCode::Conflict, "`only` and `avoid` leave no legal move to consider");
        return None;
    }
    Some(Some(points))
}

fn read_points(place: &Place<'_>, read: &GomokuRead) -> Option<Vec<Point>> {
    let position = read.position();
    let point = |(index, json)| {
        let element = place.element(index, json);
        let point = position::read_point(&element, position.size(), read.row_one)?;
        if let Err(reason) = position.check(point) {
            element.refuse(FieldCode::IllegalMove, format!("{}: {reason}", read.name(point)));
            return None;
        }
        Some(point)
    };
    place.array()?.iter().enumerate().map(point).collect()
}
