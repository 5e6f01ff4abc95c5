//! From a question to its answer.

use othello::notation::Read;
use searchkit::clock::Clock;
use serde::Serialize;

use crate::wire::analysis::AnalysisRequest;
use crate::wire::evaluation_reply::EvaluationReply;
use crate::wire::gomoku::analysis::GomokuRequest;
use crate::wire::gomoku::moves as gomoku_moves;
use crate::wire::gomoku::position::GomokuRead;
use crate::wire::gomoku::threats::ThreatRequest;
use crate::wire::json::Json;
use crate::wire::limits::Limits;
use crate::wire::moves::{self, LegalMovesReply, PlayReply};
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
        _ => {
            return Err(Problem::new(
                ProblemCode::NotFound,
                "this needs the service, which cannot be reached",
            ));
        }
    })
}

/// A reply as JSON.
pub(crate) fn json(reply: &impl Serialize) -> String {
    serde_json::to_string(reply).expect("replies have text keys and finite numbers only")
}
