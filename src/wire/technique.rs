//! Configurations of the pruning lab: the named ones, and free ones with every switch of [`Technique`].

use othello::lab::{EndScore, LateMoveReduction, Leaf, Method, NullMove, Ordering, RootReduction, Technique};
use serde::Serialize;
use utoipa::ToSchema;

use super::json::Json;
use super::limits::Range;
use super::nearest::nearest;
use super::problem::FieldCode;
use super::reader::{Members, Place, quoted};

/// The fields of a free configuration.
pub const TECHNIQUE_FIELDS: [&str; 13] = [
    "name",
    "base",
    "method",
    "leaf",
    "end_score",
    "ordering",
    "null_move",
    "late_move_reduction",
    "root_reduction",
    "killers",
    "history",
    "table",
    "stability",
];

/// The fields of `null_move`.
pub const NULL_MOVE_FIELDS: [&str; 3] = ["reduction", "min_depth", "verified"];

/// The fields of `late_move_reduction`.
pub const LATE_MOVE_FIELDS: [&str; 4] = ["reduction", "min_depth", "first_index", "min_ply"];

/// Names of the methods.
pub const METHODS: [(&str, Method); 2] = [("minimax", Method::Minimax), ("alpha_beta", Method::AlphaBeta)];

/// Names of the leaf values.
pub const LEAVES: [(&str, Leaf); 3] = [
    ("disc_difference", Leaf::DiscDifference),
    ("weights_and_mobility", Leaf::WeightsAndMobility),
    ("terms", Leaf::Terms),
];

/// Names of the values of finished games.
pub const END_SCORES: [(&str, EndScore); 2] = [("winner", EndScore::Winner), ("discs", EndScore::Discs)];

/// Names of the move orderings.
pub const ORDERINGS: [(&str, Ordering); 4] = [
    ("index", Ordering::Index),
    ("weights", Ordering::Weights),
    ("fewest_flips", Ordering::FewestFlips),
    ("mobility", Ordering::Mobility),
];

/// Names of what happens to late root moves.
pub const ROOT_REDUCTIONS: [(&str, RootReduction); 3] = [
    ("never", RootReduction::Never),
    ("reduce", RootReduction::Reduce),
    ("reduce_and_repeat", RootReduction::ReduceAndRepeat),
];

/// Most plies that a technique may take off.
pub const REDUCTIONS: Range = Range { default: None, min: 1, max: 8 };
/// Depths, places in the order and plies from which a technique may apply.
pub const FROM: Range = Range { default: None, min: 0, max: 60 };
/// Plies from which late moves may be reduced; root moves have a switch of their own.
pub const FROM_PLY: Range = Range { default: None, min: 1, max: 60 };

/// Longest name of a free configuration.
pub const LONGEST_NAME: usize = 40;

/// Reads one configuration: a name, or an object. `index` is its place in the list, which names it when it has no
/// name of its own.
pub fn read(place: &Place<'_>, index: usize) -> Option<(String, Technique)> {
    match place.json {
        Json::String(name) => read_named(place, name).map(|technique| (name.clone(), technique)),
        Json::Object(_) => read_free(place, index),
        other => {
            let message = format!("a name or an object is expected, not {}", other.kind());
            place.refuse(FieldCode::WrongType, message);
            None
        }
    }
}

fn read_named(place: &Place<'_>, name: &str) -> Option<Technique> {
    let found = Technique::NAMED.iter().find(|(known, _)| *known == name);
    if found.is_none() {
        let known = Technique::NAMED.map(|(known, _)| known);
        let hint = match nearest(name, known) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("known are {}", known.join(", ")),
        };
        place.refuse(FieldCode::NotOneOf, format!("there is no configuration {}; {hint}", quoted(name)));
    }
    found.map(|&(_, technique)| technique)
}

fn read_free(place: &Place<'_>, index: usize) -> Option<(String, Technique)> {
    let members = place.object(&TECHNIQUE_FIELDS)?;
    let name = match members.get("name") {
        Some(name) => read_name(&name)?,
        None => format!("configuration_{index}"),
    };
    let base = match members.get("base") {
        Some(base) => read_named(&base, base.string()?)?,
        None => Technique::PLAIN,
    };
    let method = choice(&members, "method", &METHODS, base.method);
    let leaf = choice(&members, "leaf", &LEAVES, base.leaf);
    let end_score = choice(&members, "end_score", &END_SCORES, base.end_score);
    let ordering = choice(&members, "ordering", &ORDERINGS, base.ordering);
    let null_move = part(&members, "null_move", base.null_move, read_null_move);
    let late_moves =
        part(&members, "late_move_reduction", base.late_move_reduction, read_late_move_reduction);
    let root_reduction = choice(&members, "root_reduction", &ROOT_REDUCTIONS, base.root_reduction);
    let (killers, history) = (switch(&members, "killers"), switch(&members, "history"));
    let (table, stability) = (switch(&members, "table"), switch(&members, "stability"));
    let technique = Technique {
        method: method?,
        leaf: leaf?,
        end_score: end_score?,
        ordering: ordering?,
        null_move: null_move?,
        late_move_reduction: late_moves?,
        root_reduction: root_reduction?,
        killers: killers?,
        history: history?,
        table: table?,
        stability: stability?,
    };
    refuse_idle_switches(place, &technique)?;
    Some((name, technique))
}

/// A switch that would do nothing is a misunderstanding, and the caller should hear of it.
fn refuse_idle_switches(place: &Place<'_>, technique: &Technique) -> Option<()> {
    let refuse = |field: &str, message: &str| {
        place.refuse_inside(field, FieldCode::Conflict, message);
        None
    };
    if technique.root_reduction != RootReduction::Never && technique.late_move_reduction.is_none() {
        return refuse("root_reduction", "needs `late_move_reduction`, whose plies and places it applies to");
    }
    let prunes = !technique.is_exact_for_depth();
    if technique.method == Method::Minimax && (prunes || technique.stability) {
        let message = "`minimax` cuts nothing: null moves, reductions and stability need `alpha_beta`";
        return refuse("method", message);
    }
    if technique.stability && technique.end_score != EndScore::Discs {
        return refuse("stability", "bounds from stable discs are in discs: needs `end_score` `discs`");
    }
    Some(())
}

/// Names go into tables for people and into CSV, so they hold nothing that would need quoting there.
fn read_name(place: &Place<'_>) -> Option<String> {
    let name = place.string()?;
    let allowed = |sign: char| sign.is_ascii_alphanumeric() || " _-+.".contains(sign);
    if name.is_empty() || name.chars().count() > LONGEST_NAME || !name.chars().all(allowed) {
        let message = format!(
            "a name has 1 to {LONGEST_NAME} letters, digits, spaces or _ - + . of ASCII, not {}",
            quoted(name)
        );
        place.refuse(FieldCode::NotOneOf, message);
        return None;
    }
    Some(name.to_owned())
}

/// One of a list of names; the base's value when it is not given.
fn choice<T: Copy>(
    members: &Members<'_>,
    name: &'static str,
    names: &[(&'static str, T)],
    base: T,
) -> Option<T> {
    members.get(name).map_or(Some(base), |place| place.one_of(names))
}

/// Off unless given: no named configuration has one of these switches.
fn switch(members: &Members<'_>, name: &'static str) -> Option<bool> {
    members.get(name).map_or(Some(false), |place| place.boolean())
}

/// A technique with numbers of its own: the base's when it is not given, none when it is `null`. The outer `None` says
/// that a fault was noted.
fn part<T>(
    members: &Members<'_>,
    name: &'static str,
    base: Option<T>,
    read: impl Fn(&Place<'_>) -> Option<T>,
) -> Option<Option<T>> {
    match members.get(name) {
        None => Some(base),
        Some(place) if *place.json == Json::Null => Some(None),
        Some(place) => read(&place).map(Some),
    }
}

/// Unset numbers are those of the founding text.
fn read_null_move(place: &Place<'_>) -> Option<NullMove> {
    let members = place.object(&NULL_MOVE_FIELDS)?;
    let reduction = number(&members, "reduction", REDUCTIONS, 2);
    let verified = members.get("verified").map_or(Some(false), |place| place.boolean());
    let reduction = reduction?;
    let min_depth = number(&members, "min_depth", FROM, reduction + 1)?;
    refuse_too_shallow(place, reduction, min_depth)?;
    Some(NullMove { reduction, min_depth, verified: verified? })
}

fn read_late_move_reduction(place: &Place<'_>) -> Option<LateMoveReduction> {
    let members = place.object(&LATE_MOVE_FIELDS)?;
    let reduction = number(&members, "reduction", REDUCTIONS, 1);
    let first_index = number(&members, "first_index", FROM, 6);
    let min_ply = number(&members, "min_ply", FROM_PLY, 2);
    let reduction = reduction?;
    let min_depth = number(&members, "min_depth", FROM, reduction.max(2) + 1)?;
    refuse_too_shallow(place, reduction, min_depth)?;
    Some(LateMoveReduction { reduction, min_depth, first_index: first_index?, min_ply: min_ply? })
}

fn number(members: &Members<'_>, name: &'static str, range: Range, default: u8) -> Option<u8> {
    match members.get(name) {
        Some(place) => place.integer(range).and_then(|value| u8::try_from(value).ok()),
        None => Some(default),
    }
}

fn refuse_too_shallow(place: &Place<'_>, reduction: u8, min_depth: u8) -> Option<()> {
    if min_depth > reduction {
        return Some(());
    }
    let message = format!("must be at least reduction + 1, that is {}, not {min_depth}", reduction + 1);
    place.refuse_inside("min_depth", FieldCode::Conflict, message);
    None
}

/// A configuration as understood, every switch filled in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Configuration)]
pub struct ConfigurationReply {
    /// Its name in the rows.
    #[schema(example = "verified_null_move")]
    pub name: String,
    /// `minimax` or `alpha_beta`.
    #[schema(example = "alpha_beta")]
    pub method: &'static str,
    /// The value of a position where the depth ends: `disc_difference`, `weights_and_mobility` or `terms`.
    #[schema(example = "weights_and_mobility")]
    pub leaf: &'static str,
    /// The value of a finished game: `winner` (plus or minus 1048576) or `discs`.
    #[schema(example = "winner")]
    pub end_score: &'static str,
    /// The order of moves: `index`, `weights`, `fewest_flips` or `mobility`.
    #[schema(example = "weights")]
    pub ordering: &'static str,
    /// The null move; `null` when it is not used.
    pub null_move: Option<NullMoveReply>,
    /// Late move reductions; `null` when they are not used.
    pub late_move_reduction: Option<LateMoveReductionReply>,
    /// Whether late root moves are reduced: `never`, `reduce` or `reduce_and_repeat`.
    #[schema(example = "never")]
    pub root_reduction: &'static str,
    /// Whether moves that cut before at a ply are tried first.
    pub killers: bool,
    /// Whether moves that cut often are tried first.
    pub history: bool,
    /// Whether positions are remembered.
    pub table: bool,
    /// Whether proven bounds from stable discs cut.
    pub stability: bool,
    /// Unit of the scores: `points`, `discs` or `hundredths_of_a_disc`.
    #[schema(example = "points")]
    pub unit: &'static str,
    /// Whether its values are those of a full-width search to the same depth.
    pub exact_for_depth: bool,
}

/// The null move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = NullMove)]
pub struct NullMoveReply {
    /// Plies taken off besides the one given away.
    pub reduction: u8,
    /// Least remaining depth at which it is tried.
    pub min_depth: u8,
    /// Whether a real move must confirm it.
    pub verified: bool,
}

/// Late move reductions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = LateMoveReduction)]
pub struct LateMoveReductionReply {
    /// Plies taken off.
    pub reduction: u8,
    /// Least remaining depth at which moves are reduced.
    pub min_depth: u8,
    /// First place in the order that is reduced, from 0.
    pub first_index: u8,
    /// Nodes nearer to the root never reduce.
    pub min_ply: u8,
}

impl ConfigurationReply {
    /// The reply for a configuration of this name.
    pub fn new(name: &str, technique: &Technique) -> Self {
        Self {
            name: name.to_owned(),
            method: name_of(&METHODS, technique.method),
            leaf: name_of(&LEAVES, technique.leaf),
            end_score: name_of(&END_SCORES, technique.end_score),
            ordering: name_of(&ORDERINGS, technique.ordering),
            null_move: technique.null_move.map(|rule| NullMoveReply {
                reduction: rule.reduction,
                min_depth: rule.min_depth,
                verified: rule.verified,
            }),
            late_move_reduction: technique.late_move_reduction.map(|rule| LateMoveReductionReply {
                reduction: rule.reduction,
                min_depth: rule.min_depth,
                first_index: rule.first_index,
                min_ply: rule.min_ply,
            }),
            root_reduction: name_of(&ROOT_REDUCTIONS, technique.root_reduction),
            killers: technique.killers,
            history: technique.history,
            table: technique.table,
            stability: technique.stability,
            unit: match technique.leaf {
                Leaf::DiscDifference => "discs",
                Leaf::WeightsAndMobility => "points",
                Leaf::Terms => "hundredths_of_a_disc",
            },
            exact_for_depth: technique.is_exact_for_depth(),
        }
    }
}

fn name_of<T: PartialEq>(names: &[(&'static str, T)], value: T) -> &'static str {
    names.iter().find(|(_, named)| *named == value).map(|&(name, _)| name).expect("every value has a name")
}

#[cfg(test)]
mod tests {
    use super::super::reader::Errors;
    use super::*;

    fn read_text(text: &str) -> Result<(String, Technique), Vec<(String, FieldCode)>> {
        let json = Json::parse(text.as_bytes()).unwrap();
        let errors = Errors::default();
        let found = read(&Place::root(&json, &errors), 4);
        let list: Vec<_> = errors.into_list().into_iter().map(|error| (error.pointer, error.code)).collect();
        found.filter(|_| list.is_empty()).ok_or(list)
    }

    #[test]
    fn a_free_configuration_without_switches_is_the_plain_one() {
        assert_eq!(read_text("{}"), Ok(("configuration_4".to_owned(), Technique::PLAIN)));
    }

    #[test]
    fn the_named_configurations_can_be_spelled_out() {
        for (text, expected) in [
            (r#"{"null_move": {}}"#, Technique::NULL_MOVE),
            (
                r#"{"null_move": {"reduction": 2, "min_depth": 3, "verified": true}}"#,
                Technique::VERIFIED_NULL_MOVE,
            ),
            (
                r#"{"base": "verified_null_move", "late_move_reduction": {}}"#,
                Technique::VERIFIED_NULL_MOVE_LMR,
            ),
            (r#"{"base": "null_move", "null_move": null}"#, Technique::PLAIN),
        ] {
            assert_eq!(read_text(text).unwrap().1, expected, "{text}");
        }
    }

    #[test]
    fn every_switch_is_read() {
        let text = r#"{"name": "all", "method": "alpha_beta", "leaf": "terms", "end_score": "discs",
            "ordering": "mobility", "null_move": {"reduction": 3, "min_depth": 5, "verified": true},
            "late_move_reduction": {"reduction": 2, "min_depth": 4, "first_index": 3, "min_ply": 1},
            "root_reduction": "reduce", "killers": true, "history": true, "table": true, "stability": true}"#;
        let expected = Technique {
            method: Method::AlphaBeta,
            leaf: Leaf::Terms,
            end_score: EndScore::Discs,
            ordering: Ordering::Mobility,
            null_move: Some(NullMove { reduction: 3, min_depth: 5, verified: true }),
            late_move_reduction: Some(LateMoveReduction {
                reduction: 2,
                min_depth: 4,
                first_index: 3,
                min_ply: 1,
            }),
            root_reduction: RootReduction::Reduce,
            killers: true,
            history: true,
            table: true,
            stability: true,
        };
        assert_eq!(read_text(text), Ok(("all".to_owned(), expected)));
    }

    #[test]
    fn what_would_do_nothing_or_is_out_of_range_is_refused_where_it_stands() {
        for (text, pointer, code) in [
            (r#""verfied_null_move""#, "", FieldCode::NotOneOf),
            ("3", "", FieldCode::WrongType),
            (r#"{"base": "plane"}"#, "/base", FieldCode::NotOneOf),
            (r#"{"kilers": true}"#, "/kilers", FieldCode::UnknownField),
            (r#"{"killers": 1}"#, "/killers", FieldCode::WrongType),
            (r#"{"name": "a,b"}"#, "/name", FieldCode::NotOneOf),
            (r#"{"name": ""}"#, "/name", FieldCode::NotOneOf),
            (r#"{"null_move": {"reduction": 0}}"#, "/null_move/reduction", FieldCode::OutOfRange),
            (
                r#"{"null_move": {"reduction": 3, "min_depth": 3}}"#,
                "/null_move/min_depth",
                FieldCode::Conflict,
            ),
            (r#"{"null_move": true}"#, "/null_move", FieldCode::WrongType),
            (
                r#"{"late_move_reduction": {"min_ply": 0}}"#,
                "/late_move_reduction/min_ply",
                FieldCode::OutOfRange,
            ),
            (r#"{"root_reduction": "reduce"}"#, "/root_reduction", FieldCode::Conflict),
            (r#"{"method": "minimax", "null_move": {}}"#, "/method", FieldCode::Conflict),
            (r#"{"stability": true}"#, "/stability", FieldCode::Conflict),
            (r#"{"leaf": null}"#, "/leaf", FieldCode::WrongType),
        ] {
            assert_eq!(read_text(text), Err(vec![(pointer.to_owned(), code)]), "{text}");
        }
    }
}
