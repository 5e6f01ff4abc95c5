//! From a question to its answer.

use searchkit::clock::Clock;
use serde::Serialize;

use crate::othello_analysis;
use crate::wire::evaluation_reply::EvaluationReply;
use crate::wire::json::Json;
use crate::wire::limits::Limits;
use crate::wire::moves::{self, LegalMovesReply, PlayReply};
use crate::wire::problem::{Problem, ProblemCode};

/// What the browser lends to an answer.
pub struct Host<'a> {
    /// Its clock.
    pub clock: &'a dyn Clock,
    /// Hears each step of an analysis before the last word, as the JSON that the service would stream.
    pub tell: &'a (dyn Fn(&str) + Sync),
}

/// An answer as it goes out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The HTTP status that the service would give: 200, or that of the problem in the body.
    pub status: u16,
    /// JSON.
    pub body: String,
}

/// Answers the question that `POST path` with this body would be.
pub fn answer(path: &str, body: &[u8], host: &Host<'_>) -> Answer {
    match reply(path, body, host) {
        Ok(body) => Answer { status: 200, body },
        Err(problem) => {
            // No request passed a wire, so it has no id.
            let body = problem.into_body(path.to_owned(), String::new());
            Answer { status: body.status, body: json(&body) }
        }
    }
}

fn reply(path: &str, body: &[u8], host: &Host<'_>) -> Result<String, Problem> {
    let read =
        || Json::parse(body).map_err(|error| Problem::new(ProblemCode::InvalidJson, error.to_string()));
    match path {
        "/v1/othello/legal-moves" => {
            let read = moves::read_position(&read()?).map_err(Problem::from_errors)?;
            Ok(json(&LegalMovesReply::from(&read)))
        }
        "/v1/othello/play" => {
            let read = moves::read_play(&read()?).map_err(Problem::from_errors)?;
            Ok(json(&PlayReply::from(&read)))
        }
        "/v1/othello/evaluation" => {
            let read = moves::read_position(&read()?).map_err(Problem::from_errors)?;
            Ok(json(&EvaluationReply::from(&read)))
        }
        "/v1/othello/analysis" => {
            // One thread, and the service's own defaults besides.
            othello_analysis::answer(&read()?, &Limits::for_threads(1), host)
        }
        _ => Err(Problem::new(ProblemCode::NotFound, "this needs the service, which cannot be reached")),
    }
}

/// A reply as JSON.
pub(crate) fn json(reply: &impl Serialize) -> String {
    serde_json::to_string(reply).expect("replies have text keys and finite numbers only")
}
