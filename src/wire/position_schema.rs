//! The schema of a position in a request: three forms that exclude each other, and the grammar of each text in them. It is
//! exact where a grammar can be; whether moves are legal, and discs make a board, only the reader can tell.

use serde_json::{Value, json};
use utoipa::openapi::schema::{
    ArrayBuilder, KnownFormat, ObjectBuilder, OneOfBuilder, Schema, SchemaFormat, Type,
};
use utoipa::openapi::{Ref, RefOr};

use super::position::SIDES;
use super::schema::{Property, closed, integer, names, text};

/// One way to give a position: what it is called, its fields, and which of them are needed.
pub(super) struct Form {
    pub(super) title: &'static str,
    pub(super) what: &'static str,
    pub(super) fields: Vec<(&'static str, Property)>,
    pub(super) required: Vec<&'static str>,
}

/// What a request asks of the moves in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Moves {
    /// The position is asked about; moves only tell how it came about.
    Optional,
    /// The moves are what the request is about.
    Needed,
}

/// The forms a position can have.
pub(super) fn forms(needed: Moves) -> Vec<Form> {
    let moves = || ("moves", reference("Moves"));
    vec![
        Form {
            title: "by moves",
            what: "The moves from the standard start.",
            fields: vec![moves(), ("size", size())],
            required: vec!["moves"],
        },
        Form {
            title: "by board",
            what: "A board, and moves from there.",
            fields: vec![
                ("board", reference("Board")),
                ("side_to_move", names("Who is to move on the board.", SIDES.map(|(name, _)| name))),
                ("coding", reference("Coding")),
                moves(),
                ("size", size()),
            ],
            required: match needed {
                Moves::Optional => vec!["board", "side_to_move"],
                Moves::Needed => vec!["board", "side_to_move", "moves"],
            },
        },
        Form {
            title: "by text",
            what: "One pasted text that holds the whole position.",
            fields: vec![("text", reference("PositionText"))],
            required: vec!["text"],
        },
    ]
}

/// A request that gives a position in one of these forms beside other fields. No other fields are taken. Every form is
/// titled after the request, `whose`: generated clients name their types by titles, which must differ for that.
pub(super) fn one_of(
    whose: &str,
    what: &str,
    forms: Vec<Form>,
    others: &[(&'static str, Property)],
) -> Schema {
    let forms = forms.into_iter().map(|form| {
        let fields = form.fields.into_iter().chain(others.iter().cloned());
        let object =
            closed(fields).title(Some(format!("{whose} {}", form.title))).description(Some(form.what));
        form.required.iter().fold(object, |object, &name| object.required(name))
    });
    let builder = forms.fold(OneOfBuilder::new(), |builder, form| builder.item(form));
    Schema::OneOf(builder.description(Some(what)).build())
}

/// What the forms refer to.
pub(super) fn components() -> Vec<(String, Property)> {
    let pasted = "One pasted text: a transcript, a board with or without a side to move, an OBF line, or two bitboards.";
    let pasted = text(pasted, json!("f5d6c3d3c4")).pattern(Some(SOMETHING));
    [("Moves", moves()), ("Board", board()), ("Coding", coding()), ("PositionText", pasted.into())]
        .map(|(name, schema)| (name.to_owned(), schema))
        .into()
}

/// The side of a board.
pub(super) fn size() -> Property {
    // No default in the schema: generated clients would send it beside boards of other sizes.
    integer("Cells along one side: of the standard start, or of a board given as bitboards. Default: that of the board, or 8.")
        .enum_values(Some([4, 6, 8]))
        .into()
}

/// A square as `only` and `avoid` take it.
pub(super) fn square() -> Property {
    text("A square, column letter first.", json!("f5")).pattern(Some(r"^\s*[a-hA-H][1-8]\s*$")).into()
}

/// Moves in one text: squares, passes, numbers with full stops, white space.
const MOVES_TEXT: &str = r"^(?:\s|[0-9]+\.+|[a-hA-H][1-8]|[pP][aA][sS][sS]|[pP][aA]|[pP][sS]|--|@@)*$";

/// One move of a list.
const ONE_MOVE: &str = r"^\s*(?:[a-hA-H][1-8]|[pP][aA][sS][sS]|[pP][aA]|[pP][sS]|--|@@)\s*$";

/// A text that is not blank.
pub(super) const SOMETHING: &str = r"\S";

/// One cell, as a character class.
const CELL: &str = "[Xx*Bb#●@1OoWw○2._0-]";

/// A board in one text: cells with white space between them that means nothing, or as many characters as cells, where
/// blanks are empty and only the ends of lines mean nothing.
fn board_pattern() -> String {
    let blank = CELL.replace('[', r"[ \t");
    let cells = |cell: &str, gap: &str| {
        let counts = [64, 36, 16].map(|count| format!("(?:{cell}{gap}){{{count}}}")).join("|");
        format!("{gap}(?:{counts})")
    };
    format!("^(?:{}|{})$", cells(CELL, r"\s*"), cells(&blank, r"[\r\n]*"))
}

/// A row of a board. Its length must be that of the list, which no schema can say in short.
fn row_pattern() -> String {
    format!("^{}{{4,}}$", CELL.replace('[', r"[\s"))
}

fn moves() -> Property {
    let list = ArrayBuilder::new().items(text("One move.", json!("f5")).pattern(Some(ONE_MOVE)));
    either(
        "Moves to play in order. Passes may be written (`pass`, `pa`, `ps`, `--`, `@@`) or left out.",
        vec![
            text("All moves in one text, any case, with or without spaces and numbers.", json!("f5d6c3d3c4"))
                .pattern(Some(MOVES_TEXT))
                .into(),
            Schema::Array(list.build()).into(),
        ],
    )
}

fn board() -> Property {
    let cells = "One character a cell: black X x * B b # ● @ 1, white O o W w ○ 2, empty - . _ 0.";
    let start = json!("---------------------------OX------XO---------------------------");
    let number = || -> Property {
        integer("One cell, by `coding`.").format(Some(SchemaFormat::KnownFormat(KnownFormat::Int64))).into()
    };
    let list = |items: Property, least: usize, most: usize| {
        ArrayBuilder::new().items(items).min_items(Some(least)).max_items(Some(most))
    };
    let row = text("One character a cell.", json!("...WB...")).pattern(Some(row_pattern()));
    let row_of_numbers = Schema::Array(list(number(), 4, 8).build()).into();
    let bitboard = |what: &str, example: Value| -> Property {
        text(what, example).pattern(Some(r"^\s*(?:0[xX])?[0-9a-fA-F]{1,16}\s*$")).into()
    };
    let bitboards = closed([
        ("black", bitboard("Black's discs, hexadecimal.", json!("0x0000000810000000"))),
        ("white", bitboard("White's discs, hexadecimal.", json!("0x0000001008000000"))),
        ("bit_order", names("Which bit is a1: the lowest or the highest.", ["a1_lsb", "a1_msb"])),
    ]);
    either(
        "The board row by row from a1; 64, 36 or 16 cells.",
        vec![
            text(cells, start).pattern(Some(board_pattern())).into(),
            array(list(row.into(), 4, 8), "One text a row, as many as each has cells."),
            array(list(number(), 16, 64), "One number a cell."),
            array(list(row_of_numbers, 4, 8), "One list of numbers a row, as many as each has cells."),
            bitboards.required("black").required("white").into(),
        ],
    )
}

fn coding() -> Property {
    let object = closed([
        ("black", integer("A black disc.").into()),
        ("white", integer("A white disc.").into()),
        ("empty", integer("An empty cell.").into()),
    ]);
    let what = "Which number stands for what, three different ones; only with a board of numbers. Left out: -1, 0, 1 are \
                black, empty, white; 0, 1, 2 are empty, black, white.";
    object.description(Some(what)).required("black").required("white").required("empty").into()
}

pub(super) fn reference(name: &str) -> Property {
    Ref::from_schema_name(name).into()
}

pub(super) fn array(list: ArrayBuilder, what: &str) -> Property {
    Schema::Array(list.description(Some(what)).build()).into()
}

pub(super) fn either(what: &str, forms: Vec<Property>) -> Property {
    let builder = forms.into_iter().fold(OneOfBuilder::new(), |builder, form| builder.item(form));
    RefOr::T(Schema::OneOf(builder.description(Some(what)).build()))
}

/// The schemas of the query parameters that give a position, by name.
pub fn parameters() -> Vec<(&'static str, Property)> {
    let word = |pattern: &str| -> Property {
        ObjectBuilder::new().schema_type(Type::String).pattern(Some(pattern)).into()
    };
    vec![
        ("moves", word(MOVES_TEXT)),
        ("board", word(&board_pattern())),
        ("text", word(SOMETHING)),
        ("side_to_move", names("Who is to move.", SIDES.map(|(name, _)| name))),
        ("size", size()),
    ]
}
