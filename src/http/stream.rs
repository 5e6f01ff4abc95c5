//! Analyses as streams: one record for every finished iteration, then exactly one last word, whatever ends the search.
//! The same for every game: all it needs is a [`Running`] analysis.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue};
use axum::http::request::Parts;
use axum::response::Response;
use futures_util::stream;
use serde::Serialize;

use super::State;
use super::negotiate::AnalysisForm;
use super::request_id::RequestId;
use crate::service::{Record, Running, Telling};
use crate::wire::problem::{Problem, ProblemBody};

/// Media type of a stream of server-sent events.
pub(super) const EVENTS: &str = "text/event-stream";
/// Media type of a stream of JSON lines.
pub(super) const LINES: &str = "application/x-ndjson";

/// How the records of a stream are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Framing {
    /// Server-sent events (HTML, section 9.2): `snapshot`, then `result` or `problem`, each with an id.
    Events,
    /// One JSON document a line; empty lines keep the connection alive.
    Lines,
}

/// What a problem inside a stream repeats of its request.
#[derive(Debug, Clone)]
pub(super) struct Asked {
    path: String,
    request_id: String,
}

impl<S: Sync> FromRequestParts<S> for Asked {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        let request_id = parts.extensions.get::<RequestId>().map(|id| id.as_str().to_owned());
        Ok(Self { path: parts.uri.path().to_owned(), request_id: request_id.unwrap_or_default() })
    }
}

impl Asked {
    fn body(&self, problem: Problem) -> ProblemBody {
        problem.into_body(self.path.clone(), self.request_id.clone())
    }
}

/// The number of a record in its stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct RecordId(pub(super) u64);

/// What the id of a last record ends in, so that a caller who comes back with it is known to have had all, on whichever
/// replica.
const LAST: &str = "-final";

/// Where an earlier stream was left by a caller who comes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Left {
    /// The last word was heard.
    AfterTheLast,
    /// After this record.
    Within(RecordId),
}

/// Where the `Last-Event-ID` of a request says that an earlier stream was left; `None` without one.
fn left(headers: &HeaderMap) -> Option<Left> {
    let id = headers.get("last-event-id")?.to_str().unwrap_or_default();
    Some(match id.strip_suffix(LAST) {
        Some(_) => Left::AfterTheLast,
        // A foreign id is no reason to refuse the answer: the ids begin anew.
        None => Left::Within(RecordId(id.parse::<u32>().map_or(0, u64::from))),
    })
}

/// The record after which the ids of an answer in this form go on; `None` when its caller has heard the last one. Only events
/// have ids.
pub(super) fn goes_on_after(headers: &HeaderMap, form: AnalysisForm) -> Option<RecordId> {
    match left(headers).filter(|_| form == AnalysisForm::Events) {
        Some(Left::AfterTheLast) => None,
        Some(Left::Within(id)) => Some(id),
        None => Some(RecordId::default()),
    }
}

/// Everything that the records of one stream share.
struct Writer {
    framing: Framing,
    asked: Asked,
    before: RecordId,
}

impl Writer {
    fn write<R: Serialize>(&mut self, record: Record<R>) -> Bytes {
        self.before.0 += 1;
        let (event, mark, json) = match record {
            Record::Snapshot(reply) => ("snapshot", "", to_json(&reply)),
            Record::Result(reply) => ("result", LAST, to_json(&reply)),
            Record::Problem(problem) => ("problem", LAST, to_json(&self.asked.body(problem))),
        };
        let id = self.before.0;
        Bytes::from(match self.framing {
            // JSON as it is written here has no line breaks, so one data line holds it.
            Framing::Events => format!("id: {id}{mark}\nevent: {event}\ndata: {json}\n\n"),
            Framing::Lines => format!("{json}\n"),
        })
    }

    fn keep_alive(&self) -> Bytes {
        Bytes::from_static(match self.framing {
            Framing::Events => b":\n\n",
            Framing::Lines => b"\n",
        })
    }
}

/// The response that tells of a running analysis as it goes. When the caller leaves, the analysis is dropped with the
/// body. `before` is the record after which the ids go on.
pub(super) fn respond<T>(
    running: Running<T>,
    framing: Framing,
    asked: Asked,
    before: RecordId,
    state: &State,
) -> Response
where
    T: Telling,
    T::Reply: Serialize,
{
    let silence = state.options().keep_alive;
    let writer = Writer { framing, asked, before };
    let bytes = stream::unfold((running, writer), move |(mut running, mut writer)| async move {
        let bytes = next(&mut running, &mut writer, silence).await?;
        Some((Ok::<_, std::convert::Infallible>(bytes), (running, writer)))
    });
    let mut response = Response::new(Body::from_stream(bytes));
    let headers = response.headers_mut();
    let media = match framing {
        Framing::Events => EVENTS,
        Framing::Lines => LINES,
    };
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(media));
    // Proxies that buffer or compress would hold records back.
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store, no-transform"));
    headers.insert(HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
    response
}

/// The next bytes of a stream; `None` after the last record.
async fn next<T>(running: &mut Running<T>, writer: &mut Writer, silence: Duration) -> Option<Bytes>
where
    T: Telling,
    T::Reply: Serialize,
{
    match tokio::time::timeout(silence, running.next()).await {
        Ok(record) => Some(writer.write(record?)),
        Err(_) => Some(writer.keep_alive()),
    }
}

fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("replies and problems have text keys only")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::problem::ProblemCode;

    fn written(framing: Framing) -> Vec<String> {
        let asked = Asked { path: "/v1".to_owned(), request_id: "seven".to_owned() };
        let mut writer = Writer { framing, asked, before: RecordId(4) };
        let problem = Problem::new(ProblemCode::Internal, "broken\nin two");
        let records = [Record::Snapshot(vec![1]), Record::Result(vec![2]), Record::Problem(problem)];
        records
            .into_iter()
            .map(|record| String::from_utf8(writer.write(record).to_vec()).expect("JSON is UTF-8"))
            .collect()
    }

    #[test]
    fn an_event_has_an_id_that_tells_the_last_one_from_the_others() {
        let events = written(Framing::Events);
        assert_eq!(events[0], "id: 5\nevent: snapshot\ndata: [1]\n\n");
        assert_eq!(events[1], "id: 6-final\nevent: result\ndata: [2]\n\n");
        assert!(events[2].starts_with("id: 7-final\nevent: problem\ndata: {\"type\":\"/problems/internal\""));
        assert_eq!(events[2].matches('\n').count(), 4, "{:?}", events[2]);
        let left_at = |id: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert("last-event-id", HeaderValue::from_static(id));
            left(&headers)
        };
        assert_eq!(left_at("6-final"), Some(Left::AfterTheLast));
        assert_eq!(left_at("5"), Some(Left::Within(RecordId(5))));
        assert_eq!(left_at("x"), Some(Left::Within(RecordId(0))));
        assert_eq!(left(&HeaderMap::new()), None);
    }

    #[test]
    fn a_line_is_one_document() {
        let lines = written(Framing::Lines);
        assert_eq!(lines[..2], ["[1]\n", "[2]\n"]);
        assert!(lines[2].ends_with('\n') && lines[2].matches('\n').count() == 1);
        assert!(lines[2].contains("\"instance\":\"/v1\"") && lines[2].contains("\"request_id\":\"seven\""));
    }
}
