//! Size and colours of a picture, and the values written on it, read from a request.

use utoipa::openapi::schema::{ObjectBuilder, Type};

use super::{Cell, Certainty, Label};
use crate::wire::limits::Range;
use crate::wire::problem::FieldCode;
use crate::wire::reader::{Members, Place, quoted};
use crate::wire::schema::{Property, names};

/// The fields of a look; each can stand in a URL beside those of the position.
pub const LOOK_FIELDS: [&str; 7] = ["width", "theme", "coordinates", "flip", "legal", "last_move", "values"];

/// Width and height of a picture in pixels.
pub const WIDTH: Range = Range { default: Some(480), min: 64, max: 2048 };

/// Names of the themes.
pub const THEMES: [(&str, Theme); 2] = [("light", Theme::Light), ("dark", Theme::Dark)];

/// Longest value in characters: a bound, a sign, two digits, a point and a digit.
const LONGEST_VALUE: usize = 6;

/// The grammar of one value: `f5:+2` is exact, `f5:+0.4` and `f5:~2` are estimates.
const VALUE: &str =
    r"[a-tA-T][0-9]{1,2}:~?[≥≤]?(?:[+\-][0-9]{1,2}(?:\.[0-9])?|0(?:\.0)?|[0-9]{1,3}%|[WL][0-9]{0,2}|=)";

/// Colours of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    /// For a light page.
    Light,
    /// For a dark page.
    Dark,
}

/// Size and colours of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// Pixels along one side.
    pub width: u16,
    /// Colours.
    pub theme: Theme,
    /// Whether columns and rows are named at the edge.
    pub coordinates: bool,
    /// Whether the board is turned by half a circle.
    pub flip: bool,
}

impl Look {
    /// Reads size and colours. `None` when a fault was noted.
    pub fn read(members: &Members<'_>) -> Option<Self> {
        let width = match members.get("width") {
            Some(place) => place.integer(WIDTH)?,
            None => WIDTH.default.unwrap_or(WIDTH.max),
        };
        let theme = match members.get("theme") {
            Some(place) => place.one_of(&THEMES)?,
            None => Theme::Light,
        };
        Some(Self {
            width: u16::try_from(width).expect("the range ends far below"),
            theme,
            coordinates: flag(members, "coordinates").unwrap_or(Some(true))?,
            flip: flag(members, "flip").unwrap_or(Some(false))?,
        })
    }
}

/// A switch: `None` when it is not given, `Some(None)` when a fault was noted.
pub(super) fn flag(members: &Members<'_>, name: &'static str) -> Option<Option<bool>> {
    members.get(name).map(|place| place.boolean())
}

/// Reads the values; `cell` names a cell that may carry one, or says why not.
pub(super) fn labels(
    members: &Members<'_>,
    cell: impl Fn(&str) -> Result<Cell, String>,
) -> Option<Vec<Label>> {
    let Some(place) = members.get("values") else { return Some(Vec::new()) };
    let mut labels: Vec<Label> = Vec::new();
    for (index, json) in place.array()?.iter().enumerate() {
        let element = place.element(index, json);
        let label = label(&element, &cell)?;
        if labels.iter().any(|other| other.cell == label.cell) {
            element.refuse(FieldCode::Conflict, "this square has a value already");
            return None;
        }
        labels.push(label);
    }
    Some(labels)
}

fn label(place: &Place<'_>, cell: impl Fn(&str) -> Result<Cell, String>) -> Option<Label> {
    let given = place.string()?;
    let Some((square, value)) = given.split_once(':') else {
        place.refuse(
            FieldCode::WrongType,
            format!("a square, `:` and a value are expected, as in `f5:+2`, not {}", quoted(given)),
        );
        return None;
    };
    let cell = match cell(square) {
        Ok(cell) => cell,
        Err(reason) => {
            place.refuse(FieldCode::InvalidPosition, reason);
            return None;
        }
    };
    let (marked, text) = match value.strip_prefix('~') {
        Some(text) => (true, text),
        None => (false, value),
    };
    let known = |symbol: char| symbol.is_ascii_digit() || "+-.≥≤WL=%".contains(symbol);
    if text.is_empty() || text.chars().count() > LONGEST_VALUE || !text.chars().all(known) {
        place.refuse(
            FieldCode::WrongType,
            format!(
                "{} is no value: at most {LONGEST_VALUE} of digits, `+ - . ≥ ≤ W L = %`, after `~` for an estimate",
                quoted(value)
            ),
        );
        return None;
    }
    let certainty = if marked || text.contains('.') { Certainty::Estimate } else { Certainty::Exact };
    Some(Label { cell, text: text.replace('-', "\u{2212}"), certainty })
}

/// The schema of each parameter of a picture, by name.
pub fn picture_parameters() -> Vec<(&'static str, Property)> {
    let word = |pattern: String| -> Property {
        ObjectBuilder::new().schema_type(Type::String).pattern(Some(pattern)).into()
    };
    let width = ObjectBuilder::new()
        .schema_type(Type::Integer)
        .minimum(Some(WIDTH.min as f64))
        .maximum(Some(WIDTH.max as f64))
        .default(WIDTH.default.map(Into::into));
    vec![
        ("width", width.into()),
        ("theme", names("Colours.", THEMES.map(|(name, _)| name))),
        ("last_move", word("^[a-tA-T][0-9]{1,2}$".to_owned())),
        ("values", word(format!("^{VALUE}(,{VALUE})*$"))),
    ]
}
