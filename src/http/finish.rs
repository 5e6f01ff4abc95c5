//! The last hand on every answer: each failure, whoever made it, leaves as a problem body, and each answer carries the
//! headers that all answers share.

use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{
    ALLOW, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, RETRY_AFTER, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderValue, Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::request_id::RequestId;
use crate::wire::nearest::nearest;
use crate::wire::problem::{Problem, ProblemCode};

/// What a request asked for, kept for the problem body that it may get.
pub(super) struct Asked {
    method: Method,
    uri: Uri,
    request_id: Option<RequestId>,
}

impl Asked {
    /// What this request asks for.
    pub(super) fn of(request: &Request) -> Self {
        Self {
            method: request.method().clone(),
            uri: request.uri().clone(),
            request_id: request.extensions().get::<RequestId>().cloned(),
        }
    }

    /// Turns a failure into a problem body and sets the headers that all answers share.
    pub(super) fn finish(self, mut response: Response) -> Response {
        if self.method == Method::OPTIONS && response.status() == StatusCode::METHOD_NOT_ALLOWED {
            // OPTIONS asks which methods a path has, and the router's refusal knows them.
            response = options(&response);
        } else if response.status().is_client_error() || response.status().is_server_error() {
            response = problem(response, &self);
        }
        let headers = response.headers_mut();
        headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
        response
    }
}

/// [`Asked::finish`] as a layer.
pub(super) async fn finish(request: Request, next: Next) -> Response {
    let asked = Asked::of(&request);
    asked.finish(next.run(request).await)
}

fn options(refused: &Response) -> Response {
    let mut response = StatusCode::NO_CONTENT.into_response();
    if let Some(allow) = refused.headers().get(ALLOW) {
        response.headers_mut().insert(ALLOW, allow.clone());
    }
    response
}

/// The response with the problem it carries as its body; a failure of the framework, which carries none, gets the
/// problem of its status. Headers such as `Allow` stay.
fn problem(mut response: Response, asked: &Asked) -> Response {
    let problem = match response.extensions_mut().remove::<Problem>() {
        Some(problem) => problem,
        None => from_framework(&response, asked),
    };
    if let Some(milliseconds) = problem.retry_after_ms {
        // The header counts whole seconds; rounding down would call back too early.
        response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(milliseconds.div_ceil(1000).max(1)));
    }
    let request_id = asked.request_id.as_ref().map_or("", RequestId::as_str);
    let problem = problem.into_body(asked.uri.path().to_owned(), request_id.to_owned());
    let body = serde_json::to_vec(&problem).expect("a problem holds only texts and numbers");
    response.headers_mut().remove(CONTENT_LENGTH);
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
    *response.status_mut() =
        StatusCode::from_u16(problem.status).expect("the table holds valid statuses only");
    *response.body_mut() = Body::from(body);
    response
}

fn from_framework(response: &Response, asked: &Asked) -> Problem {
    let code = ProblemCode::from_status(response.status().as_u16());
    let detail = match code {
        ProblemCode::NotFound => not_found(asked.uri.path()),
        ProblemCode::MethodNotAllowed => {
            let allowed =
                response.headers().get(ALLOW).and_then(|allow| allow.to_str().ok()).unwrap_or_default();
            if allowed.is_empty() {
                format!("{} is not answered at this path; the Allow header names what is", asked.method)
            } else {
                format!(
                    "{} is not answered at this path; it answers {}",
                    asked.method,
                    allowed.replace(',', ", ")
                )
            }
        }
        _ => code.row().title.to_owned(),
    };
    Problem::new(code, detail)
}

fn not_found(path: &str) -> String {
    match nearest(path, super::routes::PATHS) {
        Some(meant) => format!("nothing lives at this path; did you mean {meant}?"),
        None => "nothing lives at this path; /openapi.json lists all there are".to_owned(),
    }
}
