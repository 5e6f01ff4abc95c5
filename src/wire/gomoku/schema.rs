//! Schemas of the Gomoku requests, written by hand from the same tables that the readers use.

use std::borrow::Cow;

use gomoku::point::Size;
use gomoku::rules::Rule;
use serde_json::json;
use utoipa::openapi::Ref;
use utoipa::openapi::schema::{ArrayBuilder, KnownFormat, ObjectBuilder, Schema, SchemaFormat, Type};
use utoipa::{PartialSchema, ToSchema};

use super::analysis::{GOALS, LIMIT_FIELDS, PARTS};
use super::position::{ROW_ONE, SIDES};
use super::threats::{self, KINDS};
use crate::wire::analysis::CLASSES;
use crate::wire::limits::{LimitName, Limits};
use crate::wire::position_schema::{Form, Moves, SOMETHING, array, either, one_of, reference};
use crate::wire::schema::{Property, closed, default, integer, limit_field, names, names_object, text};

/// The body of a request that is a position and nothing else.
pub struct GomokuPositionRequest;

/// The body of an analysis request.
pub struct GomokuAnalysisBody;

/// The body of a play request.
pub struct GomokuPlayRequest;

/// The body of a threat request.
pub struct GomokuThreatsBody;

/// The body of a swap2 request.
pub struct GomokuSwap2Body;

/// The schemas of all Gomoku requests, under these limits.
pub fn requests(limits: &Limits) -> Vec<(String, Property)> {
    let limits_of = |fields: &[LimitName]| -> Property {
        closed(fields.iter().map(|&limit| limit_field(limit, limits))).into()
    };
    let schemas: [(&str, Property); 10] = [
        ("GomokuPositionRequest", position_request().into()),
        ("GomokuPlayRequest", play_request().into()),
        ("GomokuAnalysisRequest", analysis_request(limits).into()),
        ("GomokuAnalysisLimits", limits_of(&LIMIT_FIELDS)),
        ("GomokuThreatsRequest", threats_request().into()),
        ("GomokuSwap2Request", swap2_request().into()),
        ("GomokuThreatsLimits", limits_of(&threats::LIMIT_FIELDS)),
        ("GomokuMoves", moves()),
        ("GomokuBoard", board()),
        (
            "GomokuText",
            text("One pasted text: a board, or moves.", json!("h8i9g7")).pattern(Some(SOMETHING)).into(),
        ),
    ];
    schemas.map(|(name, schema)| (name.to_owned(), schema)).into()
}

fn position_request() -> Schema {
    one_of("gomoku position", "A position, in one of three forms.", forms(Moves::Optional), &[])
}

fn play_request() -> Schema {
    one_of("gomoku play", "Moves, and where they are played from.", forms(Moves::Needed), &[])
}

fn analysis_request(limits: &Limits) -> Schema {
    let what = "A position, in one of three forms, and what is asked about it. `level` (with `seed`) takes the place of the \
                members of `limits` but `time_ms`, and `clock` that of `time_ms`.";
    one_of("gomoku analysis", what, forms(Moves::Optional), &analysis_fields(limits))
}

fn threats_request() -> Schema {
    let kind = "Which attacks to look for: fours alone, or fours and open threes.";
    let fields = [
        ("kind", names(kind, KINDS.map(|(name, _)| name))),
        ("limits", Ref::from_schema_name("GomokuThreatsLimits").into()),
        ("class", class()),
    ];
    let mut forms = forms(Moves::Optional);
    for form in &mut forms {
        form.required.push("kind");
    }
    one_of("gomoku threats", "A position, in one of three forms, and which win to look for.", forms, &fields)
}

fn swap2_request() -> Schema {
    let fields = [("limits", Ref::from_schema_name("GomokuThreatsLimits").into()), ("class", class())];
    let what = "The stones so far, in one of three forms: none, three (black, white, black) or five (white and black more).";
    one_of("gomoku swap2", what, forms(Moves::Optional), &fields)
}

fn class() -> Property {
    let class = names_object("Whose turn comes first in the queue.", CLASSES.map(|(name, _)| name));
    default(class, json!("interactive"))
}

fn analysis_fields(limits: &Limits) -> Vec<(&'static str, Property)> {
    let goal = "What is asked: `best_move` (other moves may be bounds), `all_moves` (every point near stones, or every one \
                in `only`, valued), `top_n` (the best `count` moves valued).";
    let points = |what: &str, least: usize| -> Property {
        let list = ArrayBuilder::new().items(point()).min_items(Some(least));
        Schema::Array(list.description(Some(what)).build()).into()
    };
    let parts = ArrayBuilder::new()
        .items(names("A part of the reply.", PARTS.map(|(name, _)| name)))
        .description(Some("Parts of the reply that are only given on request."));
    let deterministic = "The same bytes on every replica: one thread, a fresh table, depth or nodes instead of time, and no \
                         times in the reply.";
    vec![
        ("goal", default(names_object(goal, GOALS), json!(GOALS[0]))),
        ("count", limit_field(LimitName::Count, limits).1),
        ("only", points("Legal points to consider; the others are left out.", 1)),
        ("avoid", points("Legal points to leave out.", 0)),
        ("limits", Ref::from_schema_name("GomokuAnalysisLimits").into()),
        limit_field(LimitName::Level, limits),
        limit_field(LimitName::Seed, limits),
        ("clock", Ref::from_schema_name("AnalysisClock").into()),
        ("threads", limit_field(LimitName::Threads, limits).1),
        (
            "deterministic",
            ObjectBuilder::new()
                .schema_type(Type::Boolean)
                .description(Some(deterministic))
                .default(Some(json!(false)))
                .into(),
        ),
        ("class", class()),
        ("include", Schema::Array(parts.build()).into()),
    ]
}

/// The schemas of the query parameters of an analysis and of its position, by name.
pub fn parameters(limits: &Limits) -> Vec<(&'static str, Property)> {
    let word = |pattern: &str| -> Property {
        ObjectBuilder::new().schema_type(Type::String).pattern(Some(pattern)).into()
    };
    let list = |item: &str| word(&format!("^{item}(,{item})*$"));
    let points = || list("[a-tA-T][0-9]{1,2}");
    let [size, rule, row_one] = common();
    let of_body = analysis_fields(limits).into_iter();
    let same = of_body.filter(|(name, _)| {
        ["goal", "count", "level", "seed", "threads", "deterministic", "class"].contains(name)
    });
    let others = [
        ("moves", word(MOVES_TEXT)),
        ("board", word(&board_pattern())),
        ("text", word(SOMETHING)),
        ("side_to_move", names("Who is to move.", SIDES.map(|(name, _)| name))),
        size,
        rule,
        row_one,
        ("only", points()),
        ("avoid", points()),
        ("include", list(&format!("({})", PARTS.map(|(name, _)| name).join("|")))),
    ];
    same.chain(LIMIT_FIELDS.map(|limit| limit_field(limit, limits))).chain(others).collect()
}

/// The fields that go with every form of a position.
fn common() -> [(&'static str, Property); 3] {
    let rule = "Freestyle: five or more win. Standard: exactly five. Renju: exactly five for black, who may not make an \
                overline, a double four or a double three; five or more for white.";
    let row_one = "Which end row 1 is at: the first row, or the last (as renju diagrams count).";
    [
        ("size", size()),
        ("rule", default(names_object(rule, Rule::ALL.map(Rule::name)), json!("freestyle"))),
        ("row_one", default(names_object(row_one, ROW_ONE.map(|(name, _)| name)), json!("top"))),
    ]
}

/// The forms a position can have.
fn forms(needed: Moves) -> Vec<Form> {
    let side = || {
        let what = "Who is to move on the board. Left out, it follows from the numbers of stones: as many of each, black; \
                    one black stone more, white.";
        ("side_to_move", names(what, SIDES.map(|(name, _)| name)))
    };
    let form = |title, what, fields: Vec<(&'static str, Property)>, required: &[&'static str]| Form {
        title,
        what,
        fields: fields.into_iter().chain(common()).collect(),
        required: required.to_vec(),
    };
    let moves = || ("moves", reference("GomokuMoves"));
    vec![
        form("by moves", "The moves from the empty board, black first.", vec![moves()], &["moves"]),
        form(
            "by board",
            "A board, and moves from there.",
            vec![("board", reference("GomokuBoard")), side(), ("coding", reference("Coding")), moves()],
            match needed {
                Moves::Optional => &["board"],
                Moves::Needed => &["board", "moves"],
            },
        ),
        form(
            "by text",
            "One pasted text: a board, or moves.",
            vec![("text", reference("GomokuText")), side()],
            &["text"],
        ),
    ]
}

fn size() -> Property {
    let what = format!(
        "Points along one side: of the empty board, or of the board given. Default: that of the board, or {}.",
        Size::DEFAULT.get()
    );
    integer(&what).minimum(Some(f64::from(Size::MIN))).maximum(Some(f64::from(Size::MAX))).into()
}

/// Moves in one text.
const MOVES_TEXT: &str = r"^[a-tA-T0-9.,;\s-]*$";

/// One point of a board in text.
const CELL: &str = "[Xx*Bb#●@1OoWw○2._+0-]";

fn board_pattern() -> String {
    format!(r"^\s*(?:{CELL}\s*){{25,400}}$")
}

/// A point by name, or as column and row.
const NAME: &str = r"^\s*[a-tA-T](?:0{0,2}[1-9]|0?1[0-9]|0?20)\s*$";

fn point() -> Property {
    let pair = ArrayBuilder::new()
        .items(integer("A column or row, from 0.").minimum(Some(0.0)).maximum(Some(19.0)))
        .min_items(Some(2))
        .max_items(Some(2));
    either(
        "A point.",
        vec![
            text("Column letter and row number.", json!("h8")).pattern(Some(NAME)).into(),
            array(pair, "Column and row, from 0 at the top left."),
        ],
    )
}

fn moves() -> Property {
    let list = ArrayBuilder::new().items(point());
    either(
        "Moves to play in order.",
        vec![
            text(
                "All moves in one text: `h8i9`, `h8 i9`, `1. h8 i9`, or `7,7 8,8` (columns and rows from 0).",
                json!("h8i9g7"),
            )
            .pattern(Some(MOVES_TEXT))
            .into(),
            array(list, "One point a move."),
        ],
    )
}

fn board() -> Property {
    let row = text("One character a point.", json!(".......X......."))
        .pattern(Some(format!(r"^\s*(?:{CELL}\s*){{5,20}}$")));
    let number = || -> Property {
        integer("One point, by `coding`.").format(Some(SchemaFormat::KnownFormat(KnownFormat::Int64))).into()
    };
    let list = |items: Property, least: usize, most: usize| {
        ArrayBuilder::new().items(items).min_items(Some(least)).max_items(Some(most))
    };
    let row_of_numbers = Schema::Array(list(number(), 5, 20).build()).into();
    either(
        "The board row by row from the first, as many rows as each has points: X x * B b # ● @ 1 black, O o W w ○ 2 white, \
         . - _ + 0 empty.",
        vec![
            text("All rows in one text.", json!(".....\n..X..\n..O..\n.....\n....."))
                .pattern(Some(board_pattern()))
                .into(),
            array(list(row.into(), 5, 20), "One text a row."),
            array(list(number(), 25, 400), "One number a point."),
            array(list(row_of_numbers, 5, 20), "One list of numbers a row."),
        ],
    )
}

macro_rules! body {
    ($body:ident, $name:literal, $schema:expr) => {
        impl PartialSchema for $body {
            fn schema() -> Property {
                $schema.into()
            }
        }

        impl ToSchema for $body {
            fn name() -> Cow<'static, str> {
                $name.into()
            }
        }
    };
}

body!(GomokuPositionRequest, "GomokuPositionRequest", position_request());
body!(GomokuPlayRequest, "GomokuPlayRequest", play_request());
body!(GomokuAnalysisBody, "GomokuAnalysisRequest", analysis_request(&Limits::for_threads(1)));
body!(GomokuThreatsBody, "GomokuThreatsRequest", threats_request());
body!(GomokuSwap2Body, "GomokuSwap2Request", swap2_request());
