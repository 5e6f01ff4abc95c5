//! Schemas of the requests, written by hand from the same tables that the reader uses: derived ones would not know the
//! forms a position may have.

use std::borrow::Cow;

use serde_json::{Value, json};
use utoipa::openapi::schema::{
    AdditionalProperties, ArrayBuilder, ObjectBuilder, OneOfBuilder, Schema, Type,
};
use utoipa::openapi::{Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

use super::analysis::{CLASSES, EMPTIES, GOALS, LIMIT_FIELDS, PARTS};
use super::limits::{LimitName, Limits, SELECTIVITIES};
use super::position::SIDES;

type Property = RefOr<Schema>;

/// The body of a request that is a position and nothing else.
pub struct PositionRequest;

/// The body of an analysis request.
pub struct AnalysisBody;

/// The schemas of all request bodies, under these limits.
pub fn requests(limits: &Limits) -> Vec<(String, Property)> {
    vec![
        ("PositionRequest".to_owned(), closed(position_fields()).into()),
        ("AnalysisRequest".to_owned(), closed([position_fields(), analysis_fields(limits)].concat()).into()),
        (
            "AnalysisLimits".to_owned(),
            closed(LIMIT_FIELDS.map(|limit| limit_field(limit, limits)).to_vec()).into(),
        ),
    ]
}

impl PartialSchema for PositionRequest {
    fn schema() -> Property {
        closed(position_fields()).into()
    }
}

impl ToSchema for PositionRequest {
    fn name() -> Cow<'static, str> {
        "PositionRequest".into()
    }
}

impl PartialSchema for AnalysisBody {
    fn schema() -> Property {
        let limits = Limits::for_threads(1);
        closed([position_fields(), analysis_fields(&limits)].concat()).into()
    }
}

impl ToSchema for AnalysisBody {
    fn name() -> Cow<'static, str> {
        "AnalysisRequest".into()
    }
}

/// An object with these fields, none of them required by itself, and no others.
fn closed(fields: Vec<(&'static str, Property)>) -> Schema {
    let object =
        fields.into_iter().fold(ObjectBuilder::new().schema_type(Type::Object), |object, (name, schema)| {
            object.property(name, schema)
        });
    Schema::Object(object.additional_properties(Some(AdditionalProperties::FreeForm(false))).build())
}

fn position_fields() -> Vec<(&'static str, Property)> {
    vec![
        ("moves", moves()),
        ("board", board()),
        (
            "text",
            text("One pasted text: a transcript, a board with or without a side to move, an OBF line, or two bitboards. \
                  Goes with no other position field.", json!("f5d6c3d3c4")),
        ),
        ("coding", coding()),
        ("side_to_move", names("Who is to move; required with `board`, refused without.", SIDES.map(|(name, _)| name))),
        (
            "size",
            integer("Cells along one side, for `moves` from the start of a smaller board and for `board` as bitboards.")
                .enum_values(Some([4, 6, 8]))
                .default(Some(json!(8)))
                .into(),
        ),
    ]
}

fn analysis_fields(limits: &Limits) -> Vec<(&'static str, Property)> {
    let goal = "What is asked: `best_move` (other moves may be bounds), `all_moves` (every legal move valued), `top_n` (the \
                best `count` moves valued), `win_loss_draw` (only who wins).";
    let squares = |what: &str| -> Property {
        let item = text("A square.", json!("f5"));
        Schema::Array(ArrayBuilder::new().items(item).description(Some(what)).build()).into()
    };
    let parts = names("A part of the reply.", PARTS.map(|(name, _)| name));
    vec![
        ("goal", default(names_object(goal, GOALS), json!(GOALS[0]))),
        ("count", limit_field(LimitName::Count, limits).1),
        ("only", squares("Legal moves to consider; the others are left out.")),
        ("avoid", squares("Legal moves to leave out.")),
        ("limits", Ref::from_schema_name("AnalysisLimits").into()),
        ("empties", default(names_object("Who owns empty squares at the end.", EMPTIES.map(|(name, _)| name)), json!("winner"))),
        ("threads", limit_field(LimitName::Threads, limits).1),
        (
            "deterministic",
            ObjectBuilder::new()
                .schema_type(Type::Boolean)
                .description(Some("The same bytes on every replica: one thread, a fresh table, depth or nodes instead of time, and no times in the reply."))
                .default(Some(json!(false)))
                .into(),
        ),
        ("class", default(names_object("Whose turn comes first in the queue.", CLASSES.map(|(name, _)| name)), json!("interactive"))),
        (
            "include",
            Schema::Array(ArrayBuilder::new().items(parts).description(Some("Parts of the reply that are only given on request.")).build())
                .into(),
        ),
    ]
}

fn moves() -> Property {
    let list = ArrayBuilder::new().items(text("One move.", json!("f5"))).build();
    one_of(
        "Moves from the standard start, or from `board`. Passes may be written (`pass`, `pa`, `ps`, `--`, `@@`) or left out.",
        vec![
            text("All moves in one text, any case, with or without spaces and numbers.", json!("f5d6c3d3c4")),
            Schema::Array(list).into(),
        ],
    )
}

fn board() -> Property {
    let number = || -> Property { integer("One cell, by `coding`.").into() };
    let array =
        |items: Property| -> Property { Schema::Array(ArrayBuilder::new().items(items).build()).into() };
    let bitboards = Schema::Object(
        ObjectBuilder::new()
            .schema_type(Type::Object)
            .property("black", text("Black's discs, hexadecimal.", json!("0x0000000810000000")))
            .property("white", text("White's discs, hexadecimal.", json!("0x0000001008000000")))
            .property("bit_order", names("Which bit is a1: the lowest or the highest.", ["a1_lsb", "a1_msb"]))
            .required("black")
            .required("white")
            .additional_properties(Some(AdditionalProperties::FreeForm(false)))
            .build(),
    );
    // One schema for lists of texts, numbers and lists of numbers: an empty list would fit three of them.
    let rows = one_of(
        "A row of cells.",
        vec![text("One character a cell.", json!("...WB...")), number(), array(number())],
    );
    one_of(
        "The board row by row from a1; 64, 36 or 16 cells.",
        vec![
            text(
                "One character a cell: black X x * B b # ● @ 1, white O o W w ○ 2, empty - . _ 0.",
                json!("---------------------------OX------XO---------------------------"),
            ),
            array(rows),
            bitboards.into(),
        ],
    )
}

fn coding() -> Property {
    let number = |what: &str| -> Property { integer(what).into() };
    Schema::Object(
        ObjectBuilder::new()
            .schema_type(Type::Object)
            .description(Some("Which number stands for what in a board of numbers. Left out: -1, 0, 1 are black, empty, white; 0, 1, 2 are empty, black, white."))
            .property("black", number("A black disc."))
            .property("white", number("A white disc."))
            .property("empty", number("An empty cell."))
            .required("black")
            .required("white")
            .required("empty")
            .additional_properties(Some(AdditionalProperties::FreeForm(false)))
            .build(),
    )
    .into()
}

/// A number with the range it has under these limits.
fn limit_field(limit: LimitName, limits: &Limits) -> (&'static str, Property) {
    let (row, range) = (limit.row(), limits.get(limit));
    let mut number = integer(row.what).default(range.default.map(Value::from));
    if limit == LimitName::SelectivityPercent {
        number = number.enum_values(Some(SELECTIVITIES));
    } else {
        number = number.minimum(Some(range.min as f64)).maximum(Some(range.max as f64));
    }
    (row.name, number.into())
}

fn one_of(what: &str, forms: Vec<Property>) -> Property {
    let builder = forms.into_iter().fold(OneOfBuilder::new(), |builder, form| builder.item(form));
    Schema::OneOf(builder.description(Some(what)).build()).into()
}

fn text(what: &str, example: Value) -> Property {
    ObjectBuilder::new().schema_type(Type::String).description(Some(what)).examples([example]).into()
}

fn integer(what: &str) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::Integer).description(Some(what))
}

fn names_object<const N: usize>(what: &str, names: [&'static str; N]) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String).description(Some(what)).enum_values(Some(names))
}

fn names<const N: usize>(what: &str, all: [&'static str; N]) -> Property {
    names_object(what, all).into()
}

fn default(object: ObjectBuilder, value: Value) -> Property {
    object.default(Some(value)).into()
}
