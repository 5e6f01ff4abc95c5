//! `/problems/{code}`: what a problem code means and what to do about it.

use axum::extract::Path;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};

use super::openapi::NotFoundProblem;
use crate::wire::nearest::nearest;
use crate::wire::problem::{Problem, ProblemCode, ProblemRow};

/// What a problem code means
///
/// The page that `type` of every problem body points to, for people.
#[utoipa::path(get, path = "/problems/{code}", tag = "service", operation_id = "problem",
    params(("code" = ProblemCode, Path, description = "A code from a problem body.")),
    responses((status = 200, description = "The explanation.", body = String, content_type = "text/html"), NotFoundProblem))]
pub(super) async fn page(Path(code): Path<String>) -> Result<Response, Problem> {
    let found = ProblemCode::from_name(&code).ok_or_else(|| unknown(&code))?;
    let headers = [
        (CONTENT_TYPE, "text/html; charset=utf-8"),
        (CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"),
        (CACHE_CONTROL, "public, max-age=3600"),
    ];
    Ok((headers, html(found.row())).into_response())
}

fn unknown(code: &str) -> Problem {
    let names = ProblemCode::ALL.map(|code| code.row().name);
    let detail = match nearest(code, names) {
        Some(meant) => format!("there is no such problem code; did you mean {meant}?"),
        None => format!("there is no such problem code; there are {}", names.join(", ")),
    };
    Problem::new(ProblemCode::NotFound, detail)
}

fn html(row: &ProblemRow) -> String {
    let ProblemRow { name, status, title, explanation } = row;
    // The table holds no markup but backquotes around names.
    let explanation: String = explanation
        .split('`')
        .enumerate()
        .map(|(index, part)| if index % 2 == 1 { format!("<code>{part}</code>") } else { part.to_owned() })
        .collect();
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>{name}: {title}</title>\n\
         <style>body{{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem}}</style>\n\
         <h1>{title}</h1>\n<p>Problem code <code>{name}</code>, HTTP status {status}.</p>\n<p>{explanation}</p>\n\
         <p><a href=\"/docs\">All paths of this service</a></p>\n</html>\n"
    )
}
