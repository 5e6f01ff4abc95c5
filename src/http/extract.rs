//! Reads the body of a request as one JSON document, or says why not.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, Request};
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE};
use http_body_util::{BodyExt, LengthLimitError, Limited};

use super::State;
use crate::wire::json::Json;
use crate::wire::limits::LimitName;
use crate::wire::problem::{FieldCode, FieldError, Problem, ProblemCode};

/// The body as a JSON document.
#[derive(Debug)]
pub struct JsonBody(pub Json);

impl FromRequest<State> for JsonBody {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &State) -> Result<Self, Problem> {
        refuse_query(request.uri().query())?;
        refuse_other_types(request.headers())?;
        refuse_announced_size(request.headers(), state)?;
        let bytes = read(request.into_body(), state).await?;
        let json =
            Json::parse(&bytes).map_err(|error| Problem::new(ProblemCode::InvalidJson, error.to_string()))?;
        Ok(Self(json))
    }
}

/// A body and a query would be two questions at once, and one of them would be ignored.
fn refuse_query(query: Option<&str>) -> Result<(), Problem> {
    match query {
        None | Some("") => Ok(()),
        Some(_) => Err(Problem::from_errors(vec![FieldError {
            pointer: String::new(),
            code: FieldCode::UnknownField,
            message: "a POST is answered from its body alone: move the query parameters into it".to_owned(),
        }])),
    }
}

fn refuse_other_types(headers: &HeaderMap) -> Result<(), Problem> {
    let refuse = |detail: String| Err(Problem::new(ProblemCode::UnsupportedMediaType, detail));
    let Some(value) = headers.get(CONTENT_TYPE) else {
        return refuse("there is no Content-Type header: send `Content-Type: application/json`".to_owned());
    };
    let text = value.to_str().unwrap_or_default();
    let mut parts = text.split(';').map(str::trim);
    let essence = parts.next().unwrap_or_default().to_ascii_lowercase();
    if essence != "application/json" && !(essence.starts_with("application/") && essence.ends_with("+json")) {
        return refuse(format!(
            "the Content-Type is {}: send application/json",
            crate::wire::reader::quoted(if essence.is_empty() { "not readable" } else { &essence })
        ));
    }
    for parameter in parts {
        if let Some((name, value)) = parameter.split_once('=')
            && name.trim().eq_ignore_ascii_case("charset")
            && !["utf-8", "utf8"].contains(&value.trim().trim_matches('"').to_ascii_lowercase().as_str())
        {
            return refuse("JSON is read as UTF-8 only".to_owned());
        }
    }
    match headers.get(CONTENT_ENCODING) {
        Some(encoding) if !encoding.as_bytes().eq_ignore_ascii_case(b"identity") => {
            refuse("bodies are read uncompressed: send no Content-Encoding".to_owned())
        }
        _ => Ok(()),
    }
}

/// A body that says itself that it is too large is refused before it is read, and before a client that waits for
/// `100 Continue` sends it.
fn refuse_announced_size(headers: &HeaderMap, state: &State) -> Result<(), Problem> {
    let most = state.service().limits().get(LimitName::BodyBytes).max;
    let length = headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok());
    match length.and_then(|length| length.parse::<u64>().ok()) {
        Some(length) if length > most => Err(too_large(most)),
        _ => Ok(()),
    }
}

fn too_large(most: u64) -> Problem {
    Problem::new(ProblemCode::BodyTooLarge, format!("the body holds more than {most} bytes"))
}

async fn read(body: Body, state: &State) -> Result<Bytes, Problem> {
    let limits = state.service().limits();
    let most = limits.get(LimitName::BodyBytes).max;
    let patience = limits.get(LimitName::BodyReadMs).max;
    let limited = Limited::new(body, usize::try_from(most).unwrap_or(usize::MAX));
    match tokio::time::timeout(Duration::from_millis(patience), limited.collect()).await {
        Ok(Ok(collected)) => Ok(collected.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_large(most)),
        Ok(Err(error)) => {
            tracing::debug!(%error, "a body broke off");
            Err(Problem::new(ProblemCode::BadRequest, "the body broke off before its end"))
        }
        Err(_) => Err(Problem::new(
            ProblemCode::BodyTimeout,
            format!("the body did not arrive whole within {patience} ms"),
        )),
    }
}
