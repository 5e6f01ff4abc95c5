//! A JSON document as it was written: unlike `serde_json::Value` it keeps members in order and keeps repeated names,
//! so that both can be reported instead of silently resolved.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Number;

/// Any JSON value.
#[derive(Debug, Clone, PartialEq)]
pub enum Json {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A finite number.
    Number(Number),
    /// A text.
    String(String),
    /// A list.
    Array(Vec<Json>),
    /// Members in the order written; a name may be repeated.
    Object(Vec<(String, Json)>),
}

/// Why a body is not a JSON document.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JsonError {
    /// Nothing was sent.
    #[error("the body is empty: a JSON object is expected")]
    Empty,
    /// The text breaks the grammar of JSON, or nests deeper than 128 levels, or holds a number no computer number
    /// can hold. The sentence names line and column.
    #[error("the body is not JSON: {0}")]
    Syntax(String),
}

impl Json {
    /// Reads one document.
    ///
    /// # Errors
    /// When the bytes are not exactly one JSON document in UTF-8.
    pub fn parse(bytes: &[u8]) -> Result<Self, JsonError> {
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return Err(JsonError::Empty);
        }
        serde_json::from_slice(bytes).map_err(|error| JsonError::Syntax(error.to_string()))
    }

    /// What kind of value this is, as a noun with its article.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::String(_) => "a string",
            Self::Array(_) => "an array",
            Self::Object(_) => "an object",
        }
    }

    /// The whole number that this is, if it is one. `8`, `8.0` and `8e0` are the same number in JSON.
    pub fn as_integer(&self) -> Option<i64> {
        // Above 2^53 a float no longer tells whole numbers apart.
        const LARGEST: f64 = 9_007_199_254_740_992.0;
        let Self::Number(number) = self else { return None };
        number.as_i64().or_else(|| {
            let float = number.as_f64()?;
            (float.fract() == 0.0 && float.abs() <= LARGEST).then_some(float as i64)
        })
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(JsonVisitor)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(Json::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(Json::Number(value.into()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Json, E> {
        Number::from_f64(value).map(Json::Number).ok_or_else(|| E::custom("a number must be finite"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Json, E> {
        Ok(Json::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Json, E> {
        Ok(Json::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Json, A::Error> {
        let mut list = Vec::new();
        while let Some(element) = elements.next_element()? {
            list.push(element);
        }
        Ok(Json::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Json, A::Error> {
        let mut list = Vec::new();
        while let Some(member) = members.next_entry()? {
            list.push(member);
        }
        Ok(Json::Object(list))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_names_and_their_order_are_kept() {
        let Json::Object(members) = Json::parse(br#"{"b": 1, "a": [null, true], "b": "x"}"#).unwrap() else {
            panic!("an object");
        };
        let names: Vec<&str> = members.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["b", "a", "b"]);
        assert_eq!(members[1].1, Json::Array(vec![Json::Null, Json::Bool(true)]));
    }

    #[test]
    fn whole_numbers_are_read_however_they_are_written() {
        for (text, expected) in [
            ("8", Some(8)),
            ("8.0", Some(8)),
            ("80e-1", Some(8)),
            ("-3", Some(-3)),
            ("8.5", None),
            ("1e300", None),
            ("18446744073709551615", None),
            ("\"8\"", None),
        ] {
            assert_eq!(Json::parse(text.as_bytes()).unwrap().as_integer(), expected, "{text}");
        }
    }

    #[test]
    fn what_is_not_json_is_refused() {
        let deep = "[".repeat(200);
        for text in
            ["{", "{'a': 1}", "NaN", "[1,]", "{} {}", "1e999", "\u{feff}{}", deep.as_str(), "{\"a\" 1}"]
        {
            assert!(matches!(Json::parse(text.as_bytes()), Err(JsonError::Syntax(_))), "{text}");
        }
        assert!(matches!(Json::parse(b"\"\xff\""), Err(JsonError::Syntax(_))));
        assert_eq!(Json::parse(b" \n"), Err(JsonError::Empty));
    }
}
