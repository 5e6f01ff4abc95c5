//! The answer to an analysis in the form that was asked for, the same for every game.

use axum::http::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::answer::JsonAnswer;
use super::negotiate::{AnalysisForm, CSV};
use super::stream::{Asked, Framing, RecordId};
use super::{State, conditional, stream};
use crate::service::{Running, Source, Telling};
use crate::wire::problem::Problem;

/// A reply that has every form.
pub(super) trait Reply: Serialize + Send {
    /// What the answer says if another run of the search would say it too.
    fn lasting_meaning(&self) -> Option<String>;

    /// The moves as a table, if they were asked for as rows.
    fn csv(&self) -> String;
}

/// Says in a header where an answer comes from (RFC 9211): the body stays the same bytes.
pub(super) const CACHE_STATUS: HeaderName = HeaderName::from_static("cache-status");

/// Answers with a running analysis in this form. `before` is the record after which the ids of events go on.
///
/// # Errors
/// When there is no answer; a stream tells of that itself.
pub(super) async fn answer<T>(
    running: Running<T>,
    form: AnalysisForm,
    asked: Asked,
    before: RecordId,
    state: &State,
) -> Result<Response, Problem>
where
    T: Telling,
    T::Reply: Reply,
{
    let source = running.source();
    let mut response = match form {
        AnalysisForm::Events => stream::respond(running, Framing::Events, asked, before, state),
        AnalysisForm::Lines => stream::respond(running, Framing::Lines, asked, before, state),
        AnalysisForm::Json => {
            let reply = running.finished().await?;
            let meaning = reply.lasting_meaning();
            conditional::tagged(JsonAnswer(reply).into_response(), meaning)
        }
        AnalysisForm::Csv => {
            let reply = running.finished().await?;
            let table = ([(CONTENT_TYPE, CSV)], reply.csv()).into_response();
            conditional::tagged(table, reply.lasting_meaning())
        }
    };
    let status = match source {
        Source::Rules => return Ok(response),
        Source::Kept => "discern; hit",
        Source::Shared => "discern; fwd=miss; collapsed",
        Source::Searched => "discern; fwd=miss",
    };
    response.headers_mut().insert(CACHE_STATUS, HeaderValue::from_static(status));
    Ok(response)
}
