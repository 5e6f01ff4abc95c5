//! What happens around the routes: unknown paths, other methods, negotiation, headers.

use discern::http::Options;
use discern::wire::limits::Limits;
use reqwest::Method;

use crate::client::{Server, problem};

#[test]
fn unknown_paths_are_problems_that_name_the_nearest_one() {
    let server = Server::start();
    let body = problem(server.get("/v1/limit"), 404, "not_found");
    assert_eq!(body["detail"], "nothing lives at this path; did you mean /v1/limits?");
    problem(server.get("/%ff%00"), 404, "not_found");
}

#[test]
fn other_methods_are_problems_with_the_allowed_ones() {
    let server = Server::start();
    for method in
        [Method::POST, Method::PUT, Method::DELETE, Method::PATCH, Method::from_bytes(b"BREW").unwrap()]
    {
        let response = server.request(method, "/v1/engine").send().unwrap();
        assert_eq!(response.headers()["allow"], "GET,HEAD");
        problem(response, 405, "method_not_allowed");
    }
}

#[test]
fn head_has_the_headers_of_get_and_no_body() {
    let server = Server::start();
    let response = server.request(Method::HEAD, "/v1/engine").send().unwrap();
    assert_eq!(response.status(), 200);
    assert_eq!(response.headers()["content-type"], "application/json");
    assert_eq!(response.text().unwrap(), "");
    let missing = server.request(Method::HEAD, "/nowhere").send().unwrap();
    assert_eq!((missing.status().as_u16(), missing.text().unwrap().as_str()), (404, ""));
}

#[test]
fn options_tells_the_methods_of_a_path() {
    let response = Server::start().request(Method::OPTIONS, "/v1/engine").send().unwrap();
    assert_eq!(response.status(), 204);
    assert_eq!(response.headers()["allow"], "GET,HEAD");
}

#[test]
fn callers_who_rule_json_out_are_told_what_there_is() {
    let server = Server::start();
    let response = server.request(Method::GET, "/v1/limits").header("accept", "text/html").send().unwrap();
    let body = problem(response, 406, "not_acceptable");
    assert_eq!(body["detail"], "this path answers in application/json");
}

#[test]
fn a_sane_request_id_is_kept_and_a_mad_one_replaced() {
    let server = Server::start();
    let id = |sent: &str| {
        let response = server.request(Method::GET, "/v1/engine").header("x-request-id", sent).send().unwrap();
        response.headers()["x-request-id"].to_str().unwrap().to_owned()
    };
    assert_eq!(id("abc-123"), "abc-123");
    let made = id("two words");
    assert!(made.len() == 36 && made.as_bytes()[14] == b'7', "{made} is no UUID of version 7");
}

#[test]
fn no_answer_may_be_stored_unless_it_says_so() {
    let server = Server::start();
    for path in ["/v1/engine", "/nowhere"] {
        let response = server.get(path);
        assert_eq!(response.headers()["cache-control"], "no-store");
        assert_eq!(response.headers()["x-content-type-options"], "nosniff");
    }
}

#[test]
fn pages_of_allowed_origins_may_read_answers_and_failures() {
    let origin = "https://games.example";
    let options = Options { allowed_origins: vec![origin.parse().unwrap()], ..Options::default() };
    let server = Server::with(Limits::for_threads(1), options);
    for path in ["/v1/engine", "/nowhere"] {
        let response = server.request(Method::GET, path).header("origin", origin).send().unwrap();
        assert_eq!(response.headers()["access-control-allow-origin"], origin, "{path}");
        let stranger =
            server.request(Method::GET, path).header("origin", "https://else.example").send().unwrap();
        assert!(!stranger.headers().contains_key("access-control-allow-origin"), "{path}");
    }
    let preflight = server
        .request(Method::OPTIONS, "/v1/engine")
        .header("origin", origin)
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "content-type,last-event-id")
        .send()
        .unwrap();
    assert_eq!(preflight.status(), 200);
    let listed = |header: &str| preflight.headers()[header].to_str().unwrap().to_owned();
    for name in ["authorization", "content-type", "if-none-match", "last-event-id", "x-request-id"] {
        assert!(listed("access-control-allow-headers").split(',').any(|known| known == name), "{name}");
    }
    let answer = server.request(Method::GET, "/v1/engine").header("origin", origin).send().unwrap();
    let exposed = answer.headers()["access-control-expose-headers"].to_str().unwrap();
    for name in ["x-request-id", "retry-after", "etag", "cache-status", "ratelimit"] {
        assert!(exposed.split(',').any(|known| known == name), "{name} in {exposed}");
    }
    // Every kind of refusal; the last for a service that takes no more work.
    let analysis = "/v1/othello/analysis";
    let json = "application/json";
    server.state.service().pool().drain(std::time::Duration::ZERO);
    for (method, media, accept, body, expected) in [
        (Method::DELETE, json, json, "{}".to_owned(), 405),
        (Method::POST, json, "image/png", "{}".to_owned(), 406),
        (Method::POST, json, json, " ".repeat(70_000), 413),
        (Method::POST, "text/plain", json, "{}".to_owned(), 415),
        (Method::POST, json, json, "{".to_owned(), 400),
        (Method::POST, json, json, "{}".to_owned(), 422),
        (Method::POST, json, json, r#"{"moves": "f5"}"#.to_owned(), 503),
    ] {
        let request = server.request(method, analysis).header("origin", origin).header("accept", accept);
        let refused = request.header("content-type", media).body(body).send().unwrap();
        assert_eq!(refused.status(), expected);
        assert_eq!(refused.headers()["access-control-allow-origin"], origin, "{expected}");
    }
    assert_eq!(preflight.headers()["access-control-max-age"], "3600");
}

#[test]
fn without_allowed_origins_no_answer_carries_a_cors_header() {
    let response = Server::start()
        .request(Method::GET, "/v1/engine")
        .header("origin", "https://a.example")
        .send()
        .unwrap();
    assert!(!response.headers().keys().any(|name| name.as_str().starts_with("access-control")));
}

#[test]
fn long_answers_are_compressed_for_those_who_ask() {
    let server = Server::start();
    let ask =
        |path: &str| server.request(Method::GET, path).header("accept-encoding", "gzip").send().unwrap();
    assert_eq!(ask("/openapi.json").headers()["content-encoding"], "gzip");
    assert!(!ask("/v1/status").headers().contains_key("content-encoding"));
}
