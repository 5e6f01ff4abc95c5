//! Reads fields out of a JSON document and collects every fault with its place, instead of stopping at the first.

use std::cell::{Cell, RefCell};

use super::json::Json;
use super::limits::Range;
use super::nearest::nearest;
use super::problem::{FieldCode, FieldError};

/// Most faults one answer lists. A body of 64 KiB can hold thousands, and nobody reads more than a few.
const MOST_ERRORS: usize = 20;

/// The faults found so far.
#[derive(Debug, Default)]
pub struct Errors {
    list: RefCell<Vec<FieldError>>,
    // Kept besides the list, which stops growing at its bound.
    any: Cell<bool>,
}

impl Errors {
    /// Notes a fault.
    pub fn push(&self, pointer: impl Into<String>, code: FieldCode, message: impl Into<String>) {
        self.any.set(true);
        let mut list = self.list.borrow_mut();
        if list.len() < MOST_ERRORS {
            list.push(FieldError { pointer: pointer.into(), code, message: message.into() });
        }
    }

    /// Whether further faults would not be listed any more.
    fn is_full(&self) -> bool {
        self.list.borrow().len() >= MOST_ERRORS
    }

    /// Whether no fault was found.
    pub fn is_empty(&self) -> bool {
        !self.any.get()
    }

    /// The faults, in the order found.
    pub fn into_list(self) -> Vec<FieldError> {
        self.list.into_inner()
    }
}

/// What `read` makes of a whole document. It reads as much as there is, so that all faults are told in one answer; what it
/// returns counts only when none was noted.
///
/// # Errors
/// All faults found, each at its place.
pub fn document<T>(json: &Json, read: impl FnOnce(Place<'_>) -> Option<T>) -> Result<T, Vec<FieldError>> {
    let errors = Errors::default();
    match read(Place::root(json, &errors)) {
        Some(whole) if errors.is_empty() => Ok(whole),
        _ => Err(errors.into_list()),
    }
}

/// A value in a document, with its place.
#[derive(Debug)]
pub struct Place<'a> {
    /// The value.
    pub json: &'a Json,
    /// JSON Pointer to it.
    pub pointer: String,
    errors: &'a Errors,
}

/// An object whose member names have been checked.
#[derive(Debug)]
pub struct Members<'a> {
    members: &'a [(String, Json)],
    pointer: String,
    errors: &'a Errors,
}

impl<'a> Place<'a> {
    /// The whole document.
    pub fn root(json: &'a Json, errors: &'a Errors) -> Self {
        Self { json, pointer: String::new(), errors }
    }

    /// Notes a fault at this place.
    pub fn refuse(&self, code: FieldCode, message: impl Into<String>) {
        self.errors.push(self.pointer.clone(), code, message);
    }

    /// Notes a fault at the element or member `inner` of this place.
    pub fn refuse_inside(&self, inner: impl std::fmt::Display, code: FieldCode, message: impl Into<String>) {
        self.errors.push(format!("{}/{inner}", self.pointer), code, message);
    }

    /// Notes a fault at another place of the same document.
    pub fn refuse_at(&self, pointer: &str, code: FieldCode, message: impl Into<String>) {
        self.errors.push(pointer, code, message);
    }

    fn wrong_type<T>(&self, expected: &str) -> Option<T> {
        let hint = if *self.json == Json::Null { "; leave the field out instead" } else { "" };
        self.refuse(FieldCode::WrongType, format!("{expected} is expected, not {}{hint}", self.json.kind()));
        None
    }

    /// The members of an object, whose names must all be among `known` and be given once.
    pub fn object(&self, known: &[&'static str]) -> Option<Members<'a>> {
        let Json::Object(members) = self.json else { return self.wrong_type("an object") };
        for (index, (name, _)) in members.iter().enumerate() {
            // Every name is compared with those before it and with the known ones: a body full of strangers would cost
            // far more than its answer says.
            if self.errors.is_full() {
                break;
            }
            let place = || format!("{}/{}", self.pointer, escape(name));
            if members[..index].iter().any(|(earlier, _)| earlier == name) {
                self.errors.push(place(), FieldCode::DuplicateField, "the field is given more than once");
            } else if !known.contains(&name.as_str()) {
                self.errors.push(place(), FieldCode::UnknownField, unknown(name, known));
            }
        }
        Some(Members { members, pointer: self.pointer.clone(), errors: self.errors })
    }

    /// Whether this is an object with a member of this name. Notes no fault.
    pub fn has_member(&self, name: &str) -> bool {
        matches!(self.json, Json::Object(members) if members.iter().any(|(member, _)| member == name))
    }

    /// A text.
    pub fn string(&self) -> Option<&'a str> {
        match self.json {
            Json::String(text) => Some(text),
            _ => self.wrong_type("a string"),
        }
    }

    /// A truth value.
    pub fn boolean(&self) -> Option<bool> {
        match self.json {
            Json::Bool(value) => Some(*value),
            _ => self.wrong_type("true or false"),
        }
    }

    /// A list.
    pub fn array(&self) -> Option<&'a [Json]> {
        match self.json {
            Json::Array(elements) => Some(elements),
            _ => self.wrong_type("an array"),
        }
    }

    /// A whole number within a range.
    pub fn integer(&self, range: Range) -> Option<u64> {
        let Range { min, max, .. } = range;
        let Json::Number(number) = self.json else { return self.wrong_type("a whole number") };
        if number.as_f64().is_some_and(|float| float.fract() != 0.0) {
            self.refuse(FieldCode::WrongType, format!("a whole number is expected, not {number}"));
            return None;
        }
        match self.json.as_integer().and_then(|value| u64::try_from(value).ok()) {
            Some(value) if (min..=max).contains(&value) => Some(value),
            _ => {
                self.refuse(FieldCode::OutOfRange, format!("must be within {min} and {max}, not {number}"));
                None
            }
        }
    }

    /// One of a closed list of names.
    pub fn one_of<T: Copy>(&self, names: &[(&'static str, T)]) -> Option<T> {
        let text = self.string()?;
        let found = names.iter().find(|(name, _)| *name == text).map(|&(_, value)| value);
        if found.is_none() {
            let all: Vec<String> = names.iter().map(|(name, _)| format!("`{name}`")).collect();
            self.refuse(
                FieldCode::NotOneOf,
                format!("must be one of {}, not {}", all.join(", "), quoted(text)),
            );
        }
        found
    }

    /// A whole number of any size; which ones mean something is for the notation to say.
    pub fn whole_number(&self) -> Option<i64> {
        let found = self.json.as_integer();
        if found.is_none() {
            self.refuse(
                FieldCode::WrongType,
                format!("a whole number is expected, not {}", self.json.kind()),
            );
        }
        found
    }

    /// All elements of a list, each read by the same reader; `None` at the first that cannot be read.
    pub fn elements<T>(&self, list: &'a [Json], read: impl Fn(&Place<'a>) -> Option<T>) -> Option<Vec<T>> {
        list.iter().enumerate().map(|(index, json)| read(&self.element(index, json))).collect()
    }

    /// The element at `index` of a list, with its place.
    pub fn element(&self, index: usize, json: &'a Json) -> Place<'a> {
        Place { json, pointer: format!("{}/{index}", self.pointer), errors: self.errors }
    }
}

impl<'a> Members<'a> {
    /// The member of this name, if it is given.
    pub fn get(&self, name: &'static str) -> Option<Place<'a>> {
        let (_, json) = self.members.iter().find(|(member, _)| member == name)?;
        Some(Place { json, pointer: format!("{}/{name}", self.pointer), errors: self.errors })
    }

    /// Whether a member of this name is given.
    pub fn has(&self, name: &str) -> bool {
        self.members.iter().any(|(member, _)| member == name)
    }

    /// Notes that a member is missing.
    pub fn missing(&self, name: &'static str, message: impl Into<String>) {
        self.errors.push(format!("{}/{name}", self.pointer), FieldCode::MissingField, message);
    }

    /// Notes a fault of the object as a whole.
    pub fn refuse(&self, code: FieldCode, message: impl Into<String>) {
        self.errors.push(self.pointer.clone(), code, message);
    }
}

/// What is said of a name that is none of the known ones.
pub(super) fn unknown(name: &str, known: &[&'static str]) -> String {
    match nearest(name, known.iter().copied()) {
        Some(meant) => format!("there is no field {}; did you mean `{meant}`?", quoted(name)),
        None => format!("there is no field {}; known here are {}", quoted(name), known.join(", ")),
    }
}

/// A member name inside a JSON Pointer (RFC 6901).
fn escape(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// A caller's text, fit to be repeated in a sentence: short, and without control characters.
pub fn quoted(text: &str) -> String {
    format!("`{}`", shortened(text).escape_debug())
}

fn shortened(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(body: &str, read: impl Fn(Place<'_>)) -> Vec<(String, FieldCode, String)> {
        let json = Json::parse(body.as_bytes()).unwrap();
        let errors = Errors::default();
        read(Place::root(&json, &errors));
        errors.into_list().into_iter().map(|error| (error.pointer, error.code, error.message)).collect()
    }

    #[test]
    fn all_faults_of_an_object_are_collected_with_their_places() {
        let found = faults(r#"{"detph": 3, "a/b": 1, "depth": 99, "depth": 2, "time_ms": "5"}"#, |place| {
            let members = place.object(&["depth", "time_ms"]).unwrap();
            let range = Range { default: None, min: 1, max: 60 };
            assert_eq!(members.get("depth").unwrap().integer(range), None);
            assert_eq!(members.get("time_ms").unwrap().integer(range), None);
        });
        let shown: Vec<_> = found
            .iter()
            .map(|(pointer, code, message)| (pointer.as_str(), *code, message.as_str()))
            .collect();
        assert_eq!(
            shown,
            [
                ("/detph", FieldCode::UnknownField, "there is no field `detph`; did you mean `depth`?"),
                ("/a~1b", FieldCode::UnknownField, "there is no field `a/b`; known here are depth, time_ms"),
                ("/depth", FieldCode::DuplicateField, "the field is given more than once"),
                ("/depth", FieldCode::OutOfRange, "must be within 1 and 60, not 99"),
                ("/time_ms", FieldCode::WrongType, "a whole number is expected, not a string"),
            ]
        );
    }

    #[test]
    fn numbers_that_are_no_whole_numbers_in_range_are_refused() {
        for (body, code) in [
            ("1.5", FieldCode::WrongType),
            ("-1", FieldCode::OutOfRange),
            ("1e300", FieldCode::OutOfRange),
            ("18446744073709551615", FieldCode::OutOfRange),
            ("null", FieldCode::WrongType),
            ("true", FieldCode::WrongType),
        ] {
            let found = faults(body, |place| {
                place.integer(Range { default: None, min: 0, max: 60 });
            });
            assert_eq!(found.len(), 1, "{body}");
            assert_eq!(found[0].1, code, "{body}");
        }
    }

    #[test]
    fn the_list_of_faults_is_bounded() {
        let body = format!("{{{}}}", (0..500).map(|n| format!("\"x{n}\": 0")).collect::<Vec<_>>().join(","));
        assert_eq!(faults(&body, |place| drop(place.object(&["known"]))).len(), MOST_ERRORS);
    }

    #[test]
    fn texts_of_callers_are_shown_short_and_without_control_characters() {
        assert_eq!(quoted("a\u{0}\n"), "`a\\0\\n`");
        assert_eq!(quoted(&"x".repeat(100)).chars().count(), 43);
    }
}
