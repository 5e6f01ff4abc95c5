//! A question in a URL: the query string read into the same document that a body would be, so that both take the same
//! way from there.

use super::json::Json;
use super::problem::{FieldCode, FieldError};
use super::reader::{Errors, unknown};

/// Which parameters a path knows, by the kind of value that each holds.
#[derive(Debug, Clone, Copy)]
pub struct QueryFields {
    /// Texts.
    pub texts: &'static [&'static str],
    /// Whole numbers.
    pub numbers: &'static [&'static str],
    /// Whole numbers that stand under `limits` in a body.
    pub limits: &'static [&'static str],
    /// Texts separated by commas.
    pub lists: &'static [&'static str],
    /// `true` or `false`.
    pub flags: &'static [&'static str],
}

/// The fields of a position alone.
pub const POSITION: QueryFields = QueryFields {
    texts: &["moves", "board", "text", "side_to_move"],
    numbers: &["size"],
    limits: &[],
    lists: &[],
    flags: &[],
};

impl QueryFields {
    /// The document that a query string stands for.
    ///
    /// # Errors
    /// When the string is not percent-encoded UTF-8, or holds a parameter that is not known. All other faults are left to
    /// the reader of the document: a value that is not of its parameter's kind stays a text.
    pub fn read(&self, query: &str) -> Result<Json, Vec<FieldError>> {
        let errors = Errors::default();
        let (mut members, mut limits) = (Vec::new(), Vec::new());
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let (Some(name), Some(value)) = (decoded(name), decoded(value)) else {
                errors.push("", FieldCode::WrongType, "the query string is not percent-encoded UTF-8");
                continue;
            };
            let known = |names: &[&str]| names.contains(&name.as_str());
            if known(self.limits) {
                limits.push((name, number(value)));
            } else if known(self.numbers) {
                members.push((name, number(value)));
            } else if known(self.lists) {
                let parts = value.split(',').map(|part| Json::String(part.to_owned()));
                members.push((name, Json::Array(parts.collect())));
            } else if known(self.flags) {
                members.push((name, flag(value)));
            } else if known(self.texts) {
                members.push((name, Json::String(value)));
            } else {
                let pointer = format!("/{}", name.replace('~', "~0").replace('/', "~1"));
                errors.push(pointer, FieldCode::UnknownField, unknown(&name, &self.names()));
            }
        }
        if !errors.is_empty() {
            return Err(errors.into_list());
        }
        if !limits.is_empty() {
            members.push(("limits".to_owned(), Json::Object(limits)));
        }
        Ok(Json::Object(members))
    }

    /// Faults of a document that was read here, each at its parameter: in a URL there is no `limits` around some of them.
    pub fn at_parameters(&self, errors: Vec<FieldError>) -> Vec<FieldError> {
        let flat = |error: FieldError| match error.pointer.strip_prefix("/limits") {
            Some(inner) if inner.starts_with('/') => FieldError { pointer: inner.to_owned(), ..error },
            _ => error,
        };
        errors.into_iter().map(flat).collect()
    }

    fn names(&self) -> Vec<&'static str> {
        [self.texts, self.numbers, self.limits, self.lists, self.flags].concat()
    }
}

/// Digits as a number; anything else stays a text, which the reader refuses in its own words.
fn number(value: String) -> Json {
    match value.parse::<i64>() {
        Ok(number) if !value.starts_with('+') => Json::Number(number.into()),
        _ => Json::String(value),
    }
}

fn flag(value: String) -> Json {
    match value.as_str() {
        "true" => Json::Bool(true),
        "false" => Json::Bool(false),
        _ => Json::String(value),
    }
}

/// One name or value of a query string, with `+` for a space.
fn decoded(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        out.push(match byte {
            b'+' => b' ',
            b'%' => {
                let digits = std::str::from_utf8(after.get(..2)?).ok()?;
                rest = &after[2..];
                // `from_str_radix` would take a sign.
                u8::from_str_radix(digits, 16).ok().filter(|_| !digits.starts_with('+'))?
            }
            other => other,
        });
    }
    String::from_utf8(out).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELDS: QueryFields = QueryFields {
        texts: &["moves"],
        numbers: &["size"],
        limits: &["depth"],
        lists: &["only"],
        flags: &["deterministic"],
    };

    #[test]
    fn a_query_is_the_document_that_a_body_would_be() {
        let query = "moves=f5%20d6&size=8&depth=6&only=f5,d6&deterministic=true";
        let body = br#"{"moves": "f5 d6", "size": 8, "only": ["f5", "d6"], "deterministic": true,
                        "limits": {"depth": 6}}"#;
        assert_eq!(FIELDS.read(query).unwrap(), Json::parse(body).unwrap());
        assert_eq!(FIELDS.read("moves=f5+d6").unwrap(), FIELDS.read("moves=f5%20d6").unwrap());
    }

    #[test]
    fn values_of_another_kind_stay_texts_for_the_reader_to_refuse() {
        let read = FIELDS.read("depth=six&deterministic=1&size=%2B8").unwrap();
        let text = |text: &str| Json::String(text.to_owned());
        let expected = Json::Object(vec![
            ("deterministic".to_owned(), text("1")),
            ("size".to_owned(), text("+8")),
            ("limits".to_owned(), Json::Object(vec![("depth".to_owned(), text("six"))])),
        ]);
        assert_eq!(read, expected);
    }

    #[test]
    fn strangers_and_broken_escapes_are_refused() {
        let errors = FIELDS.read("detph=6").unwrap_err();
        assert_eq!(errors[0].pointer, "/detph");
        assert_eq!(errors[0].message, "there is no field `detph`; did you mean `depth`?");
        for broken in ["moves=%", "moves=%2", "moves=%+1", "moves=%ff"] {
            assert_eq!(FIELDS.read(broken).unwrap_err()[0].code, FieldCode::WrongType, "{broken}");
        }
    }
}
