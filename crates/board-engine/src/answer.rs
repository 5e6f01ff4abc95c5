//! From a question to its answer.

use othello::notation::Read;
use searchkit::clock::Clock;
use serde::Serialize;

use crate::wire::analysis::AnalysisRequest;
use crate::wire::comparison::ComparisonRequest;
use crate::wire::evaluation_reply::EvaluationReply;
use crate::wire::gomoku::analysis::GomokuRequest;
use crate::wire::gomoku::moves as gomoku_moves;
use crate::wire::gomoku::position::GomokuRead;
use crate::wire::gomoku::swap2::Swap2Request;
use crate::wire::gomoku::threats::ThreatRequest;
use crate::wire::json::Json;
use crate::wire::limits::Limits;
use crate::wire::moves::{self, LegalMovesReply, PlayReply};
use crate::wire::picture::{self, Picture};
use crate::wire::problem::{FieldError, Problem, ProblemCode};
use crate::{gomoku_analysis, othello_analysis};

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
    let json_body =
        || Json::parse(body).map_err(|error| Problem::new(ProblemCode::InvalidJson, error.to_string()));
    // One thread, and the service's own defaults besides.
    let limits = Limits::for_threads(1);
    let read = |reader: fn(&Json) -> Result<Read, Vec<FieldError>>| {
        reader(&json_body()?).map_err(Problem::from_errors)
    };
    let read_gomoku = |reader: fn(&Json) -> Result<GomokuRead, Vec<FieldError>>| {
        reader(&json_body()?).map_err(Problem::from_errors)
    };
    Ok(match path {
        "/v1/othello/legal-moves" => json(&LegalMovesReply::from(&read(moves::read_position)?)),
        "/v1/othello/play" => json(&PlayReply::from(&read(moves::read_play)?)),
        "/v1/othello/evaluation" => json(&EvaluationReply::from(&read(moves::read_position)?)),
        "/v1/othello/analysis" => {
            let request = AnalysisRequest::parse(&json_body()?, &limits).map_err(Problem::from_errors)?;
            othello_analysis::answer(request, host)
        }
        "/v1/gomoku/legal-moves" => {
            json(&gomoku_moves::LegalMovesReply::from(&read_gomoku(gomoku_moves::read_position)?))
        }
        "/v1/gomoku/play" => json(&gomoku_moves::PlayReply::from(&read_gomoku(gomoku_moves::read_play)?)),
        "/v1/gomoku/analysis" => {
            let request = GomokuRequest::parse(&json_body()?, &limits).map_err(Problem::from_errors)?;
            gomoku_analysis::answer(request, host)
        }
        "/v1/gomoku/threats" => {
            let request = ThreatRequest::parse(&json_body()?, &limits).map_err(Problem::from_errors)?;
            gomoku_analysis::threats(&request, host)
        }
        "/v1/gomoku/swap2" => {
            let request = Swap2Request::parse(&json_body()?, &limits).map_err(Problem::from_errors)?;
            gomoku_analysis::swap2(&request, host)
        }
        "/v1/othello/comparison" => {
            let request = ComparisonRequest::parse(&json_body()?, &limits).map_err(Problem::from_errors)?;
            othello_analysis::comparison(&request, host)
        }
        // Pictures are asked for by an address: its query string is the body, as a JSON text, and so is the drawing.
        "/v1/othello/board.svg" => json(&drawn(picture::read_othello(&query_string(&json_body()?)?))?),
        "/v1/gomoku/board.svg" => json(&drawn(picture::read_gomoku(&query_string(&json_body()?)?))?),
        _ => {
            return Err(Problem::new(
                ProblemCode::NotFound,
                "this needs the service, which cannot be reached",
            ));
        }
    })
}

fn drawn(asked: Result<Picture, Vec<FieldError>>) -> Result<String, Problem> {
    asked.map(|shown| picture::draw(&shown)).map_err(Problem::from_errors)
}

fn query_string(json: &Json) -> Result<String, Problem> {
    match json {
        Json::String(query) => Ok(query.clone()),
        other => {
            let detail = format!("the query string of the picture is expected, not {}", other.kind());
            Err(Problem::new(ProblemCode::InvalidRequest, detail))
        }
    }
}

/// A reply as JSON.
pub(crate) fn json(reply: &impl Serialize) -> String {
    serde_json::to_string(reply).expect("replies have text keys and finite numbers only")
}
