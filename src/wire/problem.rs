//! Every way a request can fail: one closed list of codes, and the problem body (RFC 9457) that tells of one.

use serde::Serialize;
use utoipa::ToSchema;

/// The closed list of problem codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProblemCode {
    /// The request line, headers or query cannot be read.
    BadRequest,
    /// The body is not JSON.
    InvalidJson,
    /// The body did not arrive in time.
    BodyTimeout,
    /// A caller without a key, where one is needed.
    KeyRequired,
    /// A key that is not valid.
    KeyUnknown,
    /// Nothing lives at this path.
    NotFound,
    /// The path exists, but not for this method.
    MethodNotAllowed,
    /// None of the accepted media types is offered.
    NotAcceptable,
    /// The body is larger than allowed.
    BodyTooLarge,
    /// The request line and the headers are larger than allowed.
    HeadTooLarge,
    /// The body is not `application/json` in UTF-8.
    UnsupportedMediaType,
    /// Several fields are wrong in different ways, or one in a way without a code of its own.
    InvalidRequest,
    /// A field is not known.
    UnknownField,
    /// A number lies outside its range.
    LimitOutOfRange,
    /// The position cannot be read, or is none.
    InvalidPosition,
    /// A move is not allowed by the rules.
    IllegalMove,
    /// A known field or variant that this version does not offer.
    NotAvailable,
    /// A deterministic search that would not have ended within the service's time cap.
    DeterministicUnfinished,
    /// The caller has used up its share.
    RateLimited,
    /// A bug of ours.
    Internal,
    /// No room or no time left for this request now.
    Overloaded,
    /// This process is shutting down.
    Draining,
}

/// What is fixed for one code.
#[derive(Debug)]
pub struct ProblemRow {
    /// The name on the wire.
    pub name: &'static str,
    /// The HTTP status it is answered with.
    pub status: u16,
    /// One short line that never changes for this code.
    pub title: &'static str,
    /// What it means and what to do about it, shown at `/problems/{code}`.
    pub explanation: &'static str,
}

impl ProblemCode {
    /// All codes.
    pub const ALL: [Self; 22] = [
        Self::BadRequest,
        Self::InvalidJson,
        Self::BodyTimeout,
        Self::KeyRequired,
        Self::KeyUnknown,
        Self::NotFound,
        Self::MethodNotAllowed,
        Self::NotAcceptable,
        Self::BodyTooLarge,
        Self::HeadTooLarge,
        Self::UnsupportedMediaType,
        Self::InvalidRequest,
        Self::UnknownField,
        Self::LimitOutOfRange,
        Self::InvalidPosition,
        Self::IllegalMove,
        Self::NotAvailable,
        Self::DeterministicUnfinished,
        Self::RateLimited,
        Self::Internal,
        Self::Overloaded,
        Self::Draining,
    ];

    /// The code with this name on the wire.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|code| code.row().name == name)
    }

    /// The code for a failure made by the framework, of which only the HTTP status is known.
    pub const fn from_status(status: u16) -> Self {
        match status {
            401 => Self::KeyRequired,
            404 => Self::NotFound,
            405 => Self::MethodNotAllowed,
            406 => Self::NotAcceptable,
            413 => Self::BodyTooLarge,
            415 => Self::UnsupportedMediaType,
            422 => Self::InvalidRequest,
            429 => Self::RateLimited,
            431 => Self::HeadTooLarge,
            503 => Self::Overloaded,
            400..=499 => Self::BadRequest,
            _ => Self::Internal,
        }
    }

    /// Everything that is fixed for this code.
    pub const fn row(self) -> &'static ProblemRow {
        match self {
            Self::BadRequest => &ProblemRow {
                name: "bad_request",
                status: 400,
                title: "The request cannot be read",
                explanation: "The request line, a header or the query string is not valid HTTP. The detail says which part.",
            },
            Self::InvalidJson => &ProblemRow {
                name: "invalid_json",
                status: 400,
                title: "The body is not JSON",
                explanation: "The body must be exactly one JSON document (RFC 8259) in UTF-8, nested no deeper than 128 levels, \
                              without NaN or Infinity. The detail names line and column of the first fault.",
            },
            Self::BodyTimeout => &ProblemRow {
                name: "body_timeout",
                status: 400,
                title: "The body did not arrive in time",
                explanation: "The body must arrive whole within `body_read_ms` of GET /v1/limits after its headers. \
                              Send the request again.",
            },
            Self::KeyRequired => &ProblemRow {
                name: "key_required",
                status: 401,
                title: "An API key is needed",
                explanation: "This instance serves callers with an API key only. Send `Authorization: Bearer` and the key. \
                              Keys are given out by whoever operates the instance.",
            },
            Self::KeyUnknown => &ProblemRow {
                name: "key_unknown",
                status: 401,
                title: "The API key is not valid",
                explanation: "The `Authorization` header holds no key that is valid here: it was mistyped, withdrawn, or \
                              belongs to another instance. The form is `Authorization: Bearer` and the key.",
            },
            Self::NotFound => &ProblemRow {
                name: "not_found",
                status: 404,
                title: "Nothing lives at this path",
                explanation: "The path is not known. All paths are listed in /openapi.json and explained at /docs.",
            },
            Self::MethodNotAllowed => &ProblemRow {
                name: "method_not_allowed",
                status: 405,
                title: "The path does not answer this method",
                explanation: "The path exists, but not for this HTTP method. The `Allow` header lists those it answers.",
            },
            Self::NotAcceptable => &ProblemRow {
                name: "not_acceptable",
                status: 406,
                title: "No accepted media type is offered",
                explanation: "The `Accept` header rules out every form this path can answer in. The detail lists the \
                              forms it offers. Leaving the header out is fine.",
            },
            Self::BodyTooLarge => &ProblemRow {
                name: "body_too_large",
                status: 413,
                title: "The body is too large",
                explanation: "A body may hold at most `body_bytes` of GET /v1/limits. A position with all its moves \
                              needs less than two kilobytes.",
            },
            Self::HeadTooLarge => &ProblemRow {
                name: "head_too_large",
                status: 431,
                title: "The head of the request is too large",
                explanation: "The request line and the headers together may hold 32 KiB, in at most 100 headers. The connection is closed.",
            },
            Self::UnsupportedMediaType => &ProblemRow {
                name: "unsupported_media_type",
                status: 415,
                title: "The body is not application/json",
                explanation: "Send `Content-Type: application/json`; the only charset is UTF-8, and bodies are read \
                              uncompressed (no `Content-Encoding`).",
            },
            Self::InvalidRequest => &ProblemRow {
                name: "invalid_request",
                status: 422,
                title: "The request is well-formed but not valid",
                explanation: "At least one field is missing, has the wrong type, contradicts another one, or several \
                              fields are wrong in different ways. Each entry of `errors` points at one place.",
            },
            Self::UnknownField => &ProblemRow {
                name: "unknown_field",
                status: 422,
                title: "A field is not known",
                explanation: "Fields that are not known are refused rather than ignored, so that a misspelt limit \
                              cannot be lost. Each entry of `errors` points at one such field and names the nearest \
                              known one.",
            },
            Self::LimitOutOfRange => &ProblemRow {
                name: "limit_out_of_range",
                status: 422,
                title: "A number lies outside its range",
                explanation: "Values beyond a limit are refused rather than capped in silence. Each entry of `errors` \
                              gives the range; GET /v1/limits lists all of them.",
            },
            Self::InvalidPosition => &ProblemRow {
                name: "invalid_position",
                status: 422,
                title: "The position cannot be read",
                explanation: "The board, the moves or the text do not make a position. Each entry of `errors` points \
                              at the first faulty place with the reason. A board needs no reachable history, but its \
                              length, symbols and side to move must be right.",
            },
            Self::IllegalMove => &ProblemRow {
                name: "illegal_move",
                status: 422,
                title: "A move is not allowed by the rules",
                explanation: "One of the moves cannot be played where it stands. The entry of `errors` names its \
                              index, the move and the reason. Forced passes may be written or left out.",
            },
            Self::NotAvailable => &ProblemRow {
                name: "not_available",
                status: 422,
                title: "This version does not offer that yet",
                explanation: "The field or variant is known but not offered by this version. `not_available` of GET \
                              /v1/limits lists such fields.",
            },
            Self::DeterministicUnfinished => &ProblemRow {
                name: "deterministic_unfinished",
                status: 422,
                title: "The deterministic search did not end within the time cap",
                explanation: "A deterministic answer must not depend on the clock, so a search that runs into the \
                              service's time cap has none. Ask for less depth, fewer nodes or a lower \
                              `exact_from_empties`.",
            },
            Self::RateLimited => &ProblemRow {
                name: "rate_limited",
                status: 429,
                title: "Your share of search time is used up",
                explanation: "Each client has an allowance of search time, which is charged for what its searches took and \
                              comes back steadily. The `RateLimit` and `RateLimit-Policy` headers tell how it stands. Try again \
                              after `Retry-After` seconds (`retry_after_ms` in the body is finer).",
            },
            Self::Internal => &ProblemRow {
                name: "internal",
                status: 500,
                title: "Something broke on our side",
                explanation: "A bug. The request did nothing; trying again is safe. Please report the `request_id`.",
            },
            Self::Overloaded => &ProblemRow {
                name: "overloaded",
                status: 503,
                title: "The service is busy",
                explanation: "The queue is full, or the request's time ran out before a thread was free. Try again after \
                              `Retry-After` seconds (`retry_after_ms` in the body is finer), or allow more time.",
            },
            Self::Draining => &ProblemRow {
                name: "draining",
                status: 503,
                title: "This instance is shutting down",
                explanation: "The process is finishing its work before it exits. Try again after `Retry-After` seconds: \
                              another instance answers.",
            },
        }
    }
}

/// What is wrong with one field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FieldCode {
    /// The field is not known.
    UnknownField,
    /// A field that is needed is missing.
    MissingField,
    /// The field is given twice.
    DuplicateField,
    /// The value has the wrong JSON type.
    WrongType,
    /// The value is none of the allowed ones.
    NotOneOf,
    /// The number lies outside its range.
    OutOfRange,
    /// The field contradicts another one.
    Conflict,
    /// The field or variant is known but not offered yet.
    NotAvailable,
    /// The position cannot be read at this place.
    InvalidPosition,
    /// The move is not allowed by the rules.
    IllegalMove,
}

impl FieldCode {
    /// The problem code of a request whose only faults are of this kind.
    pub const fn problem(self) -> ProblemCode {
        match self {
            Self::UnknownField => ProblemCode::UnknownField,
            Self::OutOfRange => ProblemCode::LimitOutOfRange,
            Self::NotAvailable => ProblemCode::NotAvailable,
            Self::InvalidPosition => ProblemCode::InvalidPosition,
            Self::IllegalMove => ProblemCode::IllegalMove,
            Self::MissingField | Self::DuplicateField | Self::WrongType | Self::NotOneOf | Self::Conflict => {
                ProblemCode::InvalidRequest
            }
        }
    }
}

/// One fault of a request body, at one place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct FieldError {
    /// Where: a JSON Pointer (RFC 6901) into the body; for a `GET`, `/` and the name of the query parameter. Empty for
    /// the body as a whole.
    #[schema(example = "/board/3")]
    pub pointer: String,
    /// What kind of fault.
    pub code: FieldCode,
    /// What is wrong and what would be right, as a sentence.
    pub message: String,
}

/// Why a request failed. At the edge it becomes a [`ProblemBody`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// What kind of failure.
    pub code: ProblemCode,
    /// What went wrong this time, as a sentence for the caller.
    pub detail: String,
    /// Each fault of the body at its place, in the order found; empty when the fault has no place.
    pub errors: Vec<FieldError>,
    /// When to try again, in milliseconds.
    pub retry_after_ms: Option<u64>,
}

impl Problem {
    /// A problem without a place in the body.
    pub fn new(code: ProblemCode, detail: impl Into<String>) -> Self {
        Self { code, detail: detail.into(), errors: Vec::new(), retry_after_ms: None }
    }

    /// The problem of a request with these faults, of which there is at least one. Its code is that of the faults when
    /// they all are of one kind.
    pub fn from_errors(errors: Vec<FieldError>) -> Self {
        let mut codes = errors.iter().map(|error| error.code.problem());
        let first = codes.next().unwrap_or(ProblemCode::InvalidRequest);
        let code = if codes.all(|code| code == first) { first } else { ProblemCode::InvalidRequest };
        let detail = match errors.as_slice() {
            [] => String::new(),
            [only] if only.pointer.is_empty() => only.message.clone(),
            [only] => format!("{}: {}", only.pointer, only.message),
            [head, rest @ ..] => format!("{}: {} (and {} more)", head.pointer, head.message, rest.len()),
        };
        Self { errors, ..Self::new(code, detail) }
    }

    /// The same problem with a hint when to try again.
    #[must_use]
    pub fn retry_after_ms(self, milliseconds: u64) -> Self {
        Self { retry_after_ms: Some(milliseconds), ..self }
    }

    /// The body that tells the caller of this problem.
    pub fn into_body(self, instance: String, request_id: String) -> ProblemBody {
        let row = self.code.row();
        ProblemBody {
            kind: format!("/problems/{}", row.name),
            title: row.title,
            status: row.status,
            detail: self.detail,
            instance,
            code: self.code,
            request_id,
            errors: self.errors,
            retry_after_ms: self.retry_after_ms,
        }
    }
}

/// A problem body (RFC 9457), the answer to every request that failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Problem)]
pub struct ProblemBody {
    /// Where the code is explained: `/problems/` and the code.
    #[serde(rename = "type")]
    #[schema(format = "uri-reference", example = "/problems/invalid_position")]
    pub kind: String,
    /// One line that is the same for every problem of this code.
    pub title: &'static str,
    /// The HTTP status, repeated.
    #[schema(minimum = 400, maximum = 599)]
    pub status: u16,
    /// What went wrong this time.
    pub detail: String,
    /// The path that was asked.
    pub instance: String,
    /// The code, from a closed list.
    pub code: ProblemCode,
    /// The id of the request, as in the `x-request-id` header and in our logs.
    pub request_id: String,
    /// Each fault at its place, in the order found; left out when the fault has no place in the body.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub errors: Vec<FieldError>,
    /// When to try again, in milliseconds; only with status 429 or 503.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    pub retry_after_ms: Option<u64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_and_the_wire_agree_on_every_name() {
        for code in ProblemCode::ALL {
            let row = code.row();
            assert_eq!(serde_json::to_value(code).unwrap(), row.name);
            assert_eq!(ProblemCode::from_name(row.name), Some(code));
            assert!(!matches!(row.status, 408 | 504), "{} must never be sent", row.status);
        }
    }

    #[test]
    fn framework_failures_keep_their_status_when_they_are_of_a_known_kind() {
        for status in [400, 401, 404, 405, 406, 413, 415, 422, 429, 431, 500, 503] {
            assert_eq!(ProblemCode::from_status(status).row().status, status);
        }
    }

    #[test]
    fn faults_of_one_kind_give_their_own_code() {
        let fault = |code| FieldError { pointer: "/a".into(), code, message: "wrong".into() };
        let only = Problem::from_errors(vec![fault(FieldCode::OutOfRange), fault(FieldCode::OutOfRange)]);
        assert_eq!(only.code, ProblemCode::LimitOutOfRange);
        let mixed = Problem::from_errors(vec![fault(FieldCode::OutOfRange), fault(FieldCode::UnknownField)]);
        assert_eq!(mixed.code, ProblemCode::InvalidRequest);
        assert_eq!(mixed.detail, "/a: wrong (and 1 more)");
    }
}
