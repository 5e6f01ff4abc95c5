//! The public router: every path, and the layers around all of them.

use std::panic::AssertUnwindSafe;

use axum::Router;
use axum::extract::{Request, State as Extract};
use axum::http::Version;
use axum::http::header::HOST;
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use tower::ServiceBuilder;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{And, NotForContentType, Predicate, SizeAbove};
use tower_http::cors::{AllowOrigin, CorsLayer};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{
    State, access, analysis, board, docs, gomoku, info, lab, observe, openapi, othello, pictures,
    problem_pages, stream,
};
use crate::http::finish::Asked;
use crate::wire::problem::{Problem, ProblemCode};

/// Every public path without parameters, to tell a caller with a slip which one was probably meant.
pub(super) const PATHS: [&str; 17] = [
    "/v1/othello/analysis",
    "/v1/othello/legal-moves",
    "/v1/othello/play",
    "/v1/othello/evaluation",
    "/v1/othello/comparison",
    "/v1/othello/board.svg",
    "/v1/gomoku/analysis",
    "/v1/gomoku/legal-moves",
    "/v1/gomoku/play",
    "/v1/gomoku/threats",
    "/v1/gomoku/swap2",
    "/v1/gomoku/board.svg",
    "/v1/engine",
    "/v1/limits",
    "/v1/status",
    "/openapi.json",
    "/docs",
];

/// Paths that are part of the API, with their description. The document is complete but for what
/// [`openapi::document`] adds.
pub(super) fn described() -> OpenApiRouter<State> {
    OpenApiRouter::with_openapi(openapi::base())
        .routes(routes!(othello::analyse, othello::analyse_by_query))
        .routes(routes!(othello::legal_moves, othello::legal_moves_by_query))
        .routes(routes!(othello::play))
        .routes(routes!(pictures::othello))
        .routes(routes!(lab::evaluate))
        .routes(routes!(lab::compare))
        .routes(routes!(gomoku::analyse, gomoku::analyse_by_query))
        .routes(routes!(gomoku::legal_moves, gomoku::legal_moves_by_query))
        .routes(routes!(gomoku::play))
        .routes(routes!(gomoku::threats))
        .routes(routes!(gomoku::swap2))
        .routes(routes!(pictures::gomoku))
        .routes(routes!(info::engine))
        .routes(routes!(info::limits))
        .routes(routes!(info::status))
        .routes(routes!(problem_pages::page))
}

/// The public service.
pub fn router(state: State) -> Router {
    let (api, _) = described().split_for_parts();
    let document = openapi::document(state.service().limits());
    layered(api.merge(docs::router(&document)).merge(board::router()), state)
}

/// These routes inside of all layers.
fn layered(routes: Router<State>, state: State) -> Router {
    // One stack instead of a layer on a layer of routes: each of those would box every request and every answer.
    let layers = ServiceBuilder::new()
        .layer(from_fn_with_state(state.clone(), observe::observe))
        .option_layer(cors(&state))
        .layer(from_fn_with_state(state.clone(), guard))
        .layer(compression());
    routes.layer(layers).with_state(state)
}

/// What lies closest around the routes: who may call, what becomes of a panic, and the form of every failure.
async fn guard(Extract(state): Extract<State>, request: Request, next: Next) -> Response {
    let asked = Asked::of(&request);
    if let Some(problem) = refuse_hosts(&request) {
        return asked.finish(problem.into_response());
    }
    // The state outlives a panic unharmed: its locks either cannot be poisoned or are read regardless.
    let answered = AssertUnwindSafe(access::admit(&state, request, next)).catch_unwind().await;
    asked.finish(answered.unwrap_or_else(panicked))
}

/// A request of HTTP/1.1 names its host once (RFC 9112, section 3.2). Where it does not, this service and a proxy before it may
/// disagree about whom it is for.
fn refuse_hosts(request: &Request) -> Option<Problem> {
    let hosts = request.headers().get_all(HOST).iter().count();
    (request.version() == Version::HTTP_11 && hosts != 1).then(|| {
        Problem::new(ProblemCode::BadRequest, format!("a request has one Host header; here are {hosts}"))
    })
}

/// Compresses what is worth it. Streams are left alone: each record must leave at once.
fn compression() -> CompressionLayer<And<And<SizeAbove, NotForContentType>, NotForContentType>> {
    const LEAST_BYTES: u64 = 1_024;
    let worth_it = SizeAbove::new(LEAST_BYTES)
        .and(NotForContentType::const_new(stream::EVENTS))
        .and(NotForContentType::const_new(stream::LINES));
    CompressionLayer::new().compress_when(worth_it)
}

/// Lets pages of the allowed origins call the service; outside of everything that can fail, so that failures carry the
/// headers too.
fn cors(state: &State) -> Option<CorsLayer> {
    use axum::http::header::{
        ACCEPT, AUTHORIZATION, CONTENT_TYPE, ETAG, HeaderName, IF_NONE_MATCH, RETRY_AFTER,
    };
    use axum::http::{HeaderName as Name, Method};
    const PREFLIGHT_S: u64 = 3_600;
    let request_id: Name = HeaderName::from_static("x-request-id");
    let origins = &state.options().allowed_origins;
    (!origins.is_empty()).then(|| {
        CorsLayer::new()
            .allow_origin(AllowOrigin::list(origins.iter().cloned()))
            .allow_methods([Method::GET, Method::POST])
            .allow_headers([
                ACCEPT,
                AUTHORIZATION,
                CONTENT_TYPE,
                IF_NONE_MATCH,
                HeaderName::from_static("last-event-id"),
                HeaderName::from_static("traceparent"),
                request_id.clone(),
            ])
            .expose_headers(
                [request_id, RETRY_AFTER, ETAG, analysis::CACHE_STATUS]
                    .into_iter()
                    .chain(access::exposed_headers())
                    .collect::<Vec<_>>(),
            )
            .max_age(std::time::Duration::from_secs(PREFLIGHT_S))
    })
}

/// A handler that panicked is a bug; the caller learns that much, the log the rest.
fn panicked(payload: Box<dyn std::any::Any + Send>) -> Response {
    let message = payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("not a text");
    tracing::error!(message, "a handler panicked");
    Problem::new(ProblemCode::Internal, "an unexpected error; trying again is safe").into_response()
}

#[cfg(test)]
mod tests {
    use axum::routing::get;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::{TcpListener, TcpStream};

    use super::*;
    use crate::http::Options;
    use crate::service::Service;
    use crate::wire::limits::Limits;

    async fn broken() -> &'static str {
        panic!("on purpose")
    }

    #[tokio::test]
    async fn a_handler_that_panics_is_a_problem_and_the_service_lives_on() {
        let service = Service::start(Limits::for_threads(1), 1 << 20).expect("threads");
        let routes = Router::new().route("/broken", get(broken)).route("/whole", get(|| async { "whole" }));
        let origin = "https://games.example";
        let options = Options { allowed_origins: vec![origin.parse().expect("ASCII")], ..Options::default() };
        let app = layered(routes, State::new(service, options));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("it is bound");
        let serving = tokio::spawn(async move { axum::serve(listener, app).await });
        let ask = async |path: &str| {
            let mut stream = TcpStream::connect(address).await.expect("it listens");
            let question = format!(
                "GET {path} HTTP/1.1\r\nhost: x\r\nx-request-id: seven\r\norigin: {origin}\r\nconnection: close\r\n\r\n"
            );
            stream.write_all(question.as_bytes()).await.expect("open");
            let mut answer = String::new();
            stream.read_to_string(&mut answer).await.expect("answered");
            answer
        };
        let answer = ask("/broken").await;
        assert!(answer.starts_with("HTTP/1.1 500 "), "{answer}");
        assert!(answer.contains("content-type: application/problem+json\r\n"), "{answer}");
        assert!(answer.contains("access-control-allow-origin: https://games.example\r\n"), "{answer}");
        for part in [r#""code":"internal""#, r#""request_id":"seven""#, r#""instance":"/broken""#] {
            assert!(answer.contains(part), "{part} in {answer}");
        }
        assert!(!answer.contains("on purpose"), "what broke is for the log alone: {answer}");
        assert!(ask("/whole").await.ends_with("whole"));
        serving.abort();
    }
}
