//! Who may call, and how much: keys, quotas, forwarded addresses, and the headers that pages of other origins need.

use std::time::Duration;

use discern::http::Options;
use discern::http::access::{Access, Anonymous, ApiKey, KeyEntry, KeyRing, Proxies, QuotaPolicy};
use discern::wire::limits::Limits;
use reqwest::Method;
use reqwest::blocking::{RequestBuilder, Response};
use serde_json::{Value, json};

use crate::client::{Server, ok, problem};

const ANALYSIS: &str = "/v1/othello/analysis";
const MOVES: &str = "/v1/othello/legal-moves";

fn entry(name: &str, key: &ApiKey) -> KeyEntry {
    KeyEntry { name: name.to_owned(), hash: key.hash() }
}

fn key() -> ApiKey {
    ApiKey::random().unwrap()
}

fn server(access: Access) -> Server {
    Server::with(Limits::for_threads(2), Options { access, ..Options::default() })
}

/// A server that asks for one of these keys.
fn guarded(keys: Vec<KeyEntry>) -> Server {
    server(Access { keys: KeyRing::new(keys).unwrap(), anonymous: Anonymous::Refused, ..Access::default() })
}

fn quota(ms_per_s: u64, burst_ms: u64) -> Access {
    Access { quota: Some(QuotaPolicy { ms_per_s, burst_ms }), ..Access::default() }
}

fn post(server: &Server, path: &str, body: &Value) -> RequestBuilder {
    server.request(Method::POST, path).json(body)
}

fn moves(server: &Server) -> RequestBuilder {
    post(server, MOVES, &json!({"moves": "f5"}))
}

fn header<'r>(response: &'r Response, name: &str) -> &'r str {
    response.headers().get(name).unwrap_or_else(|| panic!("no {name}: {response:?}")).to_str().unwrap()
}

/// The number behind `name=` in a structured field.
fn parameter(field: &str, name: &str) -> u64 {
    let found = field.split(';').find_map(|part| part.strip_prefix(name)?.strip_prefix('='));
    found.unwrap_or_else(|| panic!("no {name} in {field}")).parse().unwrap()
}

#[test]
fn a_valid_key_is_served_and_all_else_is_refused_with_a_challenge() {
    let (mine, stranger) = (key(), key());
    let server = guarded(vec![entry("site", &mine)]);
    ok(moves(&server).bearer_auth(mine.reveal()).send().unwrap());
    ok(moves(&server).header("authorization", format!("bearer {}", mine.reveal())).send().unwrap());

    let none = moves(&server).send().unwrap();
    assert_eq!(header(&none, "www-authenticate"), "Bearer realm=\"discern\"");
    problem(none, 401, "key_required");
    for value in [
        format!("Bearer {}", stranger.reveal()),
        format!("Bearer {}", mine.hash()),
        format!("Basic {}", mine.reveal()),
        format!("Bearer {}x", mine.reveal()),
        mine.reveal().to_owned(),
        "Bearer ".to_owned(),
        "Bearer".to_owned(),
    ] {
        let refused = moves(&server).header("authorization", &value).send().unwrap();
        assert_eq!(header(&refused, "www-authenticate"), "Bearer realm=\"discern\", error=\"invalid_token\"");
        problem(refused, 401, "key_unknown");
    }
    let path = "/v1/no-such-path";
    problem(server.get(path), 401, "key_required");
    problem(server.request(Method::GET, path).bearer_auth(mine.reveal()).send().unwrap(), 404, "not_found");
}

#[test]
fn two_keys_of_a_client_work_at_once_and_a_withdrawn_one_no_more() {
    let (old, new) = (key(), key());
    let ask = |server: &Server, key: &ApiKey| moves(server).bearer_auth(key.reveal()).send().unwrap();
    let during = guarded(vec![entry("site", &old), entry("site", &new)]);
    ok(ask(&during, &old));
    ok(ask(&during, &new));
    let after = guarded(vec![entry("site", &new)]);
    problem(ask(&after, &old), 401, "key_unknown");
    ok(ask(&after, &new));
}

#[test]
fn the_documentation_is_open_to_everybody() {
    let server = guarded(vec![entry("site", &key())]);
    for path in ["/openapi.json", "/docs/", "/problems/key_required"] {
        assert_eq!(server.get(path).status(), 200, "{path}");
    }
    assert_eq!(server.request(Method::OPTIONS, MOVES).send().unwrap().status(), 204);
    for path in ["/v1/engine", "/v1/limits", "/v1/status"] {
        problem(server.get(path), 401, "key_required");
    }
}

#[test]
fn a_key_is_optional_where_callers_without_one_are_served_but_a_wrong_one_never_passes() {
    let mine = key();
    let keys = KeyRing::new(vec![entry("site", &mine)]).unwrap();
    let server = server(Access { keys, anonymous: Anonymous::Served, ..Access::default() });
    ok(moves(&server).send().unwrap());
    ok(moves(&server).bearer_auth(mine.reveal()).send().unwrap());
    problem(moves(&server).bearer_auth(key().reveal()).send().unwrap(), 401, "key_unknown");
}

#[test]
fn without_keys_the_authorization_header_is_none_of_our_business() {
    ok(moves(&Server::start()).bearer_auth("somebody else's").send().unwrap());
}

#[test]
fn search_time_is_charged_afterwards_and_debt_is_told_in_headers_and_body() {
    // So slow that nothing comes back while the test runs.
    let server = server(quota(1, 50));
    let search = json!({"moves": "f5d6", "threads": 1, "limits": {"time_ms": 1_500}});
    let first = post(&server, ANALYSIS, &search).send().unwrap();
    let policy = header(&first, "ratelimit-policy").to_owned();
    assert_eq!(policy, "\"search-time\";q=50;qu=\"cpu-milliseconds\";w=50");
    let state = header(&first, "ratelimit").to_owned();
    assert!(state.starts_with("\"search-time\";r=0;t="), "{state}");
    ok(first);

    for request in [post(&server, ANALYSIS, &search), moves(&server)] {
        let refused = request.send().unwrap();
        assert_eq!(header(&refused, "ratelimit-policy"), policy);
        let retry_after: u64 = header(&refused, "retry-after").parse().unwrap();
        let state = header(&refused, "ratelimit").to_owned();
        assert_eq!((parameter(&state, "r"), parameter(&state, "t")), (0, retry_after), "{state}");
        let body = problem(refused, 429, "rate_limited");
        let retry_after_ms = body["retry_after_ms"].as_u64().unwrap();
        assert_eq!(retry_after, retry_after_ms.div_ceil(1_000));
        // Some 1,470 ms of search less 50 ms of savings, at 1 ms a second.
        assert!((1_000_000..=1_600_000).contains(&retry_after_ms), "{body}");
    }
    // What says how one stands, or what this is, needs no quota.
    assert_eq!(ok(server.get("/v1/limits"))["quota"], json!({"ms_per_s": 1, "burst_ms": 50}));
    assert!(!server.get("/v1/engine").headers().contains_key("ratelimit"));
}

#[test]
fn a_search_whose_caller_left_is_charged_too() {
    let server = server(quota(1, 1_000));
    let body = json!({"moves": "f5d6", "threads": 1, "limits": {"time_ms": 60_000}});
    let impatient = post(&server, ANALYSIS, &body).timeout(Duration::from_millis(1_500)).send();
    assert!(impatient.is_err());
    // The last worker leaves within a millisecond or so; ask until its time is written down.
    let refused = (0..2_000).any(|_| {
        std::thread::sleep(Duration::from_millis(2));
        server.request(Method::GET, "/v1/othello/legal-moves?moves=f5").send().unwrap().status() == 429
    });
    assert!(refused, "a second and a half of search left a balance of one second");
}

#[test]
fn each_key_has_its_own_balance_and_its_own_line_in_the_metrics() {
    let (greedy, modest) = (key(), key());
    let keys = KeyRing::new(vec![entry("greedy", &greedy), entry("modest", &modest)]).unwrap();
    let server = server(Access { keys, anonymous: Anonymous::Refused, ..quota(1, 20) });
    let ask =
        |key: &ApiKey, body: &Value| post(&server, ANALYSIS, body).bearer_auth(key.reveal()).send().unwrap();
    ok(ask(&greedy, &json!({"moves": "f5d6", "limits": {"nodes": 40_000}})));
    problem(ask(&greedy, &json!({"moves": "f5"})), 429, "rate_limited");
    ok(ask(&modest, &json!({"moves": "f5", "limits": {"depth": 1}})));
    let metrics = server.admin_get("/metrics").text().unwrap();
    let used = |key: &str| -> f64 {
        let start = format!("discern_client_search_seconds_total{{key=\"{key}\"}} ");
        let line = metrics.lines().find_map(|line| line.strip_prefix(&start));
        line.unwrap_or_else(|| panic!("no {start} in {metrics}")).parse().unwrap()
    };
    assert!(used("greedy") > 0.02 && used("modest") < used("greedy") && used("") == 0.0, "{metrics}");
}

#[test]
fn addresses_behind_trusted_proxies_have_balances_of_their_own() {
    let proxies = Proxies { hops: 1, ..Proxies::default() };
    let server = server(Access { proxies, ..quota(1, 20) });
    let search = json!({"moves": "f5d6", "limits": {"nodes": 40_000}});
    let from = |address: &str, body: &Value| {
        post(&server, ANALYSIS, body).header("x-forwarded-for", address).send().unwrap()
    };
    let quick = json!({"moves": "f5", "limits": {"depth": 1}});
    ok(from("2001:db8:0:1::1", &search));
    problem(from("2001:db8:0:1:ffff::2", &quick), 429, "rate_limited");
    problem(from("6.6.6.6, [2001:db8:0:1::3]:99", &quick), 429, "rate_limited");
    ok(from("2001:db8:0:2::1", &quick));
}

#[test]
fn without_trusted_proxies_a_forwarded_address_makes_no_new_client() {
    let server = server(quota(1, 20));
    let search = json!({"moves": "f5d6", "limits": {"nodes": 40_000}});
    ok(post(&server, ANALYSIS, &search).header("x-forwarded-for", "1.1.1.1").send().unwrap());
    for name in ["x-forwarded-for", "forwarded", "x-real-ip"] {
        problem(moves(&server).header(name, "2.2.2.2").send().unwrap(), 429, "rate_limited");
    }
}

/// Every kind of failure that leaves through the router, asked from a page of an allowed origin.
#[test]
fn pages_of_an_allowed_origin_can_read_every_answer() {
    const ORIGIN: &str = "https://games.example";
    let mine = key();
    let access = Access {
        keys: KeyRing::new(vec![entry("site", &mine)]).unwrap(),
        anonymous: Anonymous::Served,
        ..quota(1, 60_000)
    };
    let options = Options { allowed_origins: vec![ORIGIN.parse().unwrap()], access, ..Options::default() };
    let server = Server::with(Limits::for_threads(1), options);
    let get = |path: &str| server.request(Method::GET, path);
    let json_body = |text: &'static str| {
        server.request(Method::POST, MOVES).header("content-type", "application/json").body(text)
    };
    let mut asked = vec![
        (200, moves(&server)),
        (400, json_body("{")),
        (401, moves(&server).bearer_auth("wrong")),
        (404, get("/nowhere")),
        (405, server.request(Method::DELETE, MOVES)),
        (406, get("/v1/limits").header("accept", "text/html")),
        (413, post(&server, MOVES, &json!({"moves": " ".repeat(70_000)}))),
        (415, server.request(Method::POST, MOVES).body("{}")),
        (422, post(&server, MOVES, &json!({"moves": "a1"}))),
    ];
    let readable = |status: u16, request: RequestBuilder| {
        let response = request.header("origin", ORIGIN).send().unwrap();
        assert_eq!(response.status(), status);
        assert_eq!(header(&response, "access-control-allow-origin"), ORIGIN, "{status}");
        assert!(header(&response, "vary").to_ascii_lowercase().contains("origin"), "{status}");
        let exposed = header(&response, "access-control-expose-headers");
        for name in ["x-request-id", "retry-after", "ratelimit", "ratelimit-policy"] {
            assert!(exposed.split(',').any(|exposed| exposed == name), "{name} in {exposed}");
        }
    };
    for (status, request) in asked.drain(..) {
        readable(status, request);
    }
    let preflight = server
        .request(Method::OPTIONS, ANALYSIS)
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "authorization,content-type");
    let preflight = preflight.header("origin", ORIGIN).send().unwrap();
    assert_eq!(preflight.status(), 200);
    let allowed = header(&preflight, "access-control-allow-headers").to_ascii_lowercase();
    assert!(allowed.contains("authorization"), "{allowed}");
    assert!(!preflight.headers().contains_key("ratelimit"), "a preflight costs nothing");
    // 503: the pool takes in nothing more.
    server.state.service().pool().drain(Duration::ZERO);
    readable(503, post(&server, ANALYSIS, &json!({"moves": "f5"})));
}

#[test]
fn pages_of_an_allowed_origin_can_read_that_their_quota_is_used_up() {
    const ORIGIN: &str = "https://games.example";
    let options =
        Options { allowed_origins: vec![ORIGIN.parse().unwrap()], access: quota(1, 1), ..Options::default() };
    let server = Server::with(Limits::for_threads(1), options);
    ok(post(&server, ANALYSIS, &json!({"moves": "f5d6", "limits": {"nodes": 40_000}})).send().unwrap());
    let refused = moves(&server).header("origin", ORIGIN).send().unwrap();
    assert_eq!(header(&refused, "access-control-allow-origin"), ORIGIN);
    problem(refused, 429, "rate_limited");
}
