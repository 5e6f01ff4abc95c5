//! Schema of a free configuration of the pruning lab, from the same tables that the reader uses.

use othello::lab::Technique;
use serde_json::{Value, json};
use utoipa::openapi::schema::{ObjectBuilder, Type};

use super::limits::Range;
use super::schema::{Property, closed, default, integer, names_object, one_of};
use super::technique::{
    END_SCORES, FROM, FROM_PLY, LEAVES, LONGEST_NAME, METHODS, ORDERINGS, REDUCTIONS, ROOT_REDUCTIONS,
};

/// A free configuration: every switch of the lab, each optional.
pub(super) fn free_configuration() -> ObjectBuilder {
    let name = ObjectBuilder::new()
        .schema_type(Type::String)
        .description(Some("Its name in the rows; `configuration_` and its place in the list when left out."))
        .pattern(Some(format!("^[A-Za-z0-9 _+.-]{{1,{LONGEST_NAME}}}$")))
        .examples([json!("ordered by mobility")]);
    let base = names_object(
        "The named configuration whose switches apply where none are given.",
        Technique::NAMED.map(|(name, _)| name),
    );
    let method =
        "Full width or pruned. `minimax` cuts nothing, so it goes with no null move, reduction or stability.";
    let leaf = "Value where the depth ends: disc difference; square weights plus twelve times mobility (disc difference \
                from ten empties down), in points; or the eight explained terms, in hundredths of a disc.";
    let end_score = "Value of a finished game: plus or minus 1048576 for the winner, or the disc difference.";
    let ordering = "Order of moves, ties by square index.";
    let root = "Whether late root moves are reduced too; needs `late_move_reduction`. Only there to show what it does.";
    closed([
        ("name", name.into()),
        ("base", default(base, json!("plain"))),
        ("method", names_object(method, METHODS.map(|(name, _)| name)).into()),
        ("leaf", names_object(leaf, LEAVES.map(|(name, _)| name)).into()),
        ("end_score", names_object(end_score, END_SCORES.map(|(name, _)| name)).into()),
        ("ordering", names_object(ordering, ORDERINGS.map(|(name, _)| name)).into()),
        ("null_move", or_null("The null move; `null` turns the base's off.", null_move())),
        (
            "late_move_reduction",
            or_null("Late move reductions; `null` turns the base's off.", late_move_reduction()),
        ),
        ("root_reduction", names_object(root, ROOT_REDUCTIONS.map(|(name, _)| name)).into()),
        ("killers", switch("Try the two moves that last cut at this ply first.")),
        ("history", switch("Order by how often a move has cut before, weighted by depth squared.")),
        ("table", switch("Remember positions.")),
        ("stability", switch("Cut by proven bounds from stable discs; needs `end_score` `discs`.")),
    ])
}

fn null_move() -> ObjectBuilder {
    closed([
        ("reduction", number("Plies taken off besides the one given away.", REDUCTIONS, Some(2))),
        ("min_depth", number("Least remaining depth, at least reduction + 1 (the default).", FROM, None)),
        ("verified", switch("Whether a real move must confirm the cut.")),
    ])
}

fn late_move_reduction() -> ObjectBuilder {
    closed([
        ("reduction", number("Plies taken off.", REDUCTIONS, Some(1))),
        (
            "min_depth",
            number("Least remaining depth, at least reduction + 1; 3 or that by default.", FROM, None),
        ),
        ("first_index", number("First place in the order that is reduced, from 0.", FROM, Some(6))),
        ("min_ply", number("Nodes nearer to the root never reduce.", FROM_PLY, Some(2))),
    ])
}

fn or_null(what: &str, schema: ObjectBuilder) -> Property {
    let null: Property = ObjectBuilder::new().schema_type(Type::Null).into();
    one_of(what, vec![schema.into(), null])
}

fn switch(what: &str) -> Property {
    default(ObjectBuilder::new().schema_type(Type::Boolean).description(Some(what)), json!(false))
}

fn number(what: &str, range: Range, value: Option<u8>) -> Property {
    integer(what)
        .minimum(Some(range.min as f64))
        .maximum(Some(range.max as f64))
        .default(value.map(Value::from))
        .into()
}
