//! Schemas of the requests, written by hand from the same tables that the reader uses: derived ones would not know the
//! forms a position may have.

use std::borrow::Cow;

use othello::lab::Technique;
use serde_json::{Value, json};
use utoipa::openapi::schema::{
    AdditionalProperties, ArrayBuilder, ObjectBuilder, OneOfBuilder, Schema, Type,
};
use utoipa::openapi::{Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

use super::analysis::{CLASSES, EMPTIES, GOALS, LIMIT_FIELDS, PARTS};
use super::comparison::DEFAULT_DEPTHS;
use super::limits::{LimitName, Limits, SELECTIVITIES};
use super::position_schema::{self, Moves, forms};
use super::schema_technique::free_configuration;
use super::strength::CLOCK_FIELDS;

/// The schema of a field.
pub(super) type Property = RefOr<Schema>;

/// The body of a request that is a position and nothing else.
pub struct PositionRequest;

/// The body of an analysis request.
pub struct AnalysisBody;

/// The body of a play request.
pub struct PlayRequest;

/// The body of a comparison request.
pub struct ComparisonBody;

/// The schemas of all request bodies, under these limits.
pub fn requests(limits: &Limits) -> Vec<(String, Property)> {
    let bodies: [(&str, Schema); 8] = [
        ("PositionRequest", position_request()),
        ("PlayRequest", play_request()),
        ("AnalysisRequest", analysis_request(limits)),
        ("AnalysisLimits", closed(LIMIT_FIELDS.map(|limit| limit_field(limit, limits))).into()),
        ("AnalysisClock", clock(limits)),
        ("ComparisonRequest", comparison_request(limits)),
        ("ComparisonLimits", closed([limit_field(LimitName::TimeMs, limits)]).into()),
        ("FreeConfiguration", free_configuration().into()),
    ];
    let bodies = bodies.map(|(name, schema)| (name.to_owned(), schema.into()));
    let gomoku = super::gomoku::schema::requests(limits);
    bodies.into_iter().chain(position_schema::components()).chain(gomoku).collect()
}

fn position_request() -> Schema {
    position_schema::one_of("position", "A position, in one of three forms.", forms(Moves::Optional), &[])
}

fn play_request() -> Schema {
    position_schema::one_of("play", "Moves, and where they are played from.", forms(Moves::Needed), &[])
}

fn analysis_request(limits: &Limits) -> Schema {
    let what = "A position, in one of three forms, and what is asked about it. `level` (with `seed`) takes the place of the \
                members of `limits` but `time_ms`, and `clock` that of `time_ms`.";
    position_schema::one_of("analysis", what, forms(Moves::Optional), &analysis_fields(limits))
}

fn clock(limits: &Limits) -> Schema {
    let what = "The clock of the side to move: the engine takes its share for this move.";
    let fields = CLOCK_FIELDS.map(|limit| limit_field(limit, limits));
    let needed = LimitName::ClockRemainingMs.row().name;
    closed(fields).required(needed).description(Some(what)).into()
}

fn comparison_request(limits: &Limits) -> Schema {
    let what = "A position, in one of three forms, and what is to be compared on it.";
    position_schema::one_of("comparison", what, forms(Moves::Optional), &comparison_fields(limits))
}

impl PartialSchema for ComparisonBody {
    fn schema() -> Property {
        comparison_request(&Limits::for_threads(1)).into()
    }
}

impl ToSchema for ComparisonBody {
    fn name() -> Cow<'static, str> {
        "ComparisonRequest".into()
    }
}

impl PartialSchema for PositionRequest {
    fn schema() -> Property {
        position_request().into()
    }
}

impl ToSchema for PositionRequest {
    fn name() -> Cow<'static, str> {
        "PositionRequest".into()
    }
}

impl PartialSchema for PlayRequest {
    fn schema() -> Property {
        play_request().into()
    }
}

impl ToSchema for PlayRequest {
    fn name() -> Cow<'static, str> {
        "PlayRequest".into()
    }
}

impl PartialSchema for AnalysisBody {
    fn schema() -> Property {
        analysis_request(&Limits::for_threads(1)).into()
    }
}

impl ToSchema for AnalysisBody {
    fn name() -> Cow<'static, str> {
        "AnalysisRequest".into()
    }
}

/// An object with these fields, none of them required yet, and no others.
pub(super) fn closed(fields: impl IntoIterator<Item = (&'static str, Property)>) -> ObjectBuilder {
    let object = ObjectBuilder::new()
        .schema_type(Type::Object)
        .additional_properties(Some(AdditionalProperties::FreeForm(false)));
    fields.into_iter().fold(object, |object, (name, schema)| object.property(name, schema))
}

fn analysis_fields(limits: &Limits) -> Vec<(&'static str, Property)> {
    let goal = "What is asked: `best_move` (other moves may be bounds), `all_moves` (every legal move valued), `top_n` (the \
                best `count` moves valued), `win_loss_draw` (only who wins).";
    let squares = |what: &str, least: usize| -> Property {
        let list = ArrayBuilder::new().items(position_schema::square()).min_items(Some(least));
        Schema::Array(list.description(Some(what)).build()).into()
    };
    let parts = names("A part of the reply.", PARTS.map(|(name, _)| name));
    vec![
        ("goal", default(names_object(goal, GOALS), json!(GOALS[0]))),
        ("count", limit_field(LimitName::Count, limits).1),
        ("only", squares("Legal moves to consider; the others are left out.", 1)),
        ("avoid", squares("Legal moves to leave out.", 0)),
        ("limits", Ref::from_schema_name("AnalysisLimits").into()),
        limit_field(LimitName::Level, limits),
        limit_field(LimitName::Seed, limits),
        ("clock", Ref::from_schema_name("AnalysisClock").into()),
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

fn comparison_fields(limits: &Limits) -> Vec<(&'static str, Property)> {
    let list = |what: &str, item: Property, most: LimitName, default: Value| -> Property {
        let range = limits.get(most);
        let array = ArrayBuilder::new()
            .items(item)
            .description(Some(what))
            .min_items(usize::try_from(range.min).ok())
            .max_items(usize::try_from(range.max).ok())
            .default(Some(default))
            .build();
        Schema::Array(array).into()
    };
    let named = Technique::NAMED.map(|(name, _)| name);
    let configuration = one_of(
        "A configuration of the founding text by name, or a free one.",
        vec![names("A named configuration.", named), Ref::from_schema_name("FreeConfiguration").into()],
    );
    let (_, depth) = limit_field(LimitName::ComparisonDepth, limits);
    let class = names_object("Whose turn comes first in the queue.", CLASSES.map(|(name, _)| name));
    let what = "Depths to compare, none twice.";
    let depths = list(what, depth, LimitName::ComparisonDepths, json!(DEFAULT_DEPTHS));
    let what = "What to compare; each name once.";
    let configurations = list(what, configuration, LimitName::ComparisonConfigurations, json!(named));
    vec![
        ("depths", depths),
        ("configurations", configurations),
        ("limits", Ref::from_schema_name("ComparisonLimits").into()),
        ("threads", limit_field(LimitName::Threads, limits).1),
        ("class", default(class, json!("interactive"))),
    ]
}

/// The schemas of the query parameters of an analysis besides those of its position, by name.
pub fn analysis_parameters(limits: &Limits) -> Vec<(&'static str, Property)> {
    let list = |item: &str| -> Property {
        let pattern = format!("^{item}(,{item})*$");
        ObjectBuilder::new().schema_type(Type::String).pattern(Some(pattern)).into()
    };
    let squares = || list("[a-hA-H][1-8]");
    let of_body = analysis_fields(limits).into_iter();
    let same = of_body.filter(|(name, _)| {
        ["goal", "count", "level", "seed", "empties", "threads", "deterministic", "class"].contains(name)
    });
    let lists = [
        ("only", squares()),
        ("avoid", squares()),
        ("include", list(&format!("({})", PARTS.map(|(name, _)| name).join("|")))),
    ];
    same.chain(LIMIT_FIELDS.map(|limit| limit_field(limit, limits))).chain(lists).collect()
}

/// A value that has one of these forms.
pub(super) fn one_of(what: &str, forms: Vec<Property>) -> Property {
    let builder = forms.into_iter().fold(OneOfBuilder::new(), |builder, form| builder.item(form));
    Schema::OneOf(builder.description(Some(what)).build()).into()
}

/// A number with the range it has under these limits. Its default is told in words only: what applies when the field is left
/// out depends on the other fields (`time_ms` beside `depth`, `seed` without a level) and on the instance, while clients
/// that are generated from the document would send what the schema calls a default with every request, to every instance.
pub(super) fn limit_field(limit: LimitName, limits: &Limits) -> (&'static str, Property) {
    let (row, range) = (limit.row(), limits.get(limit));
    let what = match range.default {
        Some(default) if limit != LimitName::Threads => format!("{} Default: {default}.", row.what),
        _ => row.what.to_owned(),
    };
    let mut number = integer(&what);
    if limit == LimitName::SelectivityPercent {
        number = number.enum_values(Some(SELECTIVITIES));
    } else {
        number = number.minimum(Some(range.min as f64)).maximum(Some(range.max as f64));
    }
    (row.name, number.into())
}

pub(super) fn text(what: &str, example: Value) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String).description(Some(what)).examples([example])
}

pub(super) fn integer(what: &str) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::Integer).description(Some(what))
}

pub(super) fn names_object<const N: usize>(what: &str, names: [&'static str; N]) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String).description(Some(what)).enum_values(Some(names))
}

pub(super) fn names<const N: usize>(what: &str, all: [&'static str; N]) -> Property {
    names_object(what, all).into()
}

pub(super) fn default(object: ObjectBuilder, value: Value) -> Property {
    object.default(Some(value)).into()
}
