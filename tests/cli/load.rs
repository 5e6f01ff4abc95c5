//! The service under load, and among clients who mean no good.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use crate::process::{Running, post, read_all, status};

/// Far beyond what anything here takes: only a hang reaches it.
const PATIENCE: Duration = Duration::from_secs(60);

fn asked(service: &Running, time_ms: u32) -> TcpStream {
    let body = format!(
        r#"{{"moves": "f5d6c3d3c4", "threads": 1, "limits": {{"time_ms": {time_ms}, "depth": 60}}}}"#
    );
    let stream = service.sent(&post("/v1/othello/analysis", &body));
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream
}

/// The value of a metric that stands alone on its line.
fn metric(service: &Running, name: &str) -> f64 {
    let page = service.admin_answer("/metrics").unwrap();
    let line = page.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.unwrap_or_else(|| panic!("no {name} in {page}")).parse().unwrap()
}

#[test]
fn sigterm_under_load_loses_no_answer() {
    let service = Running::start(&["--drain-ms", "4000"]);
    // Thirty searches on two threads: some run, some wait, when the signal comes. Each allows for those before it, and no two
    // are the same, which would share a search.
    let streams: Vec<TcpStream> = (0..30).map(|at| asked(&service, 3_000 * (1 + at / 2) + at)).collect();
    while metric(&service, "discern_searches_admitted_total")
        + metric(&service, "discern_searches_refused_total")
        < 30.0
    {
        std::thread::sleep(Duration::from_millis(5));
    }
    service.terminate();
    let mut answered = 0;
    for stream in streams {
        let answer = read_all(stream);
        // What has begun is answered with what it has; what never began is told so and may go elsewhere.
        match status(&answer) {
            Some(200) => {
                assert!(answer.contains("\"best_move\":\""), "{answer}");
                answered += 1;
            }
            Some(503) => assert!(answer.to_ascii_lowercase().contains("\r\nretry-after: "), "{answer}"),
            _ => panic!("a request was let in and lost: {answer:?}"),
        }
    }
    assert!(answered >= 2, "both threads had begun a search");
    assert_eq!(service.end().0, Some(0));
}

#[test]
fn ready_stays_yes_while_every_thread_is_busy_and_the_queue_is_full() {
    let service = Running::start(&["--queue-max", "4"]);
    let streams: Vec<TcpStream> = (0..12).map(|at| asked(&service, 60_000 - at)).collect();
    while metric(&service, "discern_searches_refused_total") < 1.0 {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(service.admin_status("/ready").is_some_and(|status| status < 300));
    assert!(service.admin_status("/live").is_some_and(|status| status < 300));
    drop(streams);
}

#[test]
fn slow_clients_are_cut_off_and_take_no_seat_from_others() {
    let service = Running::start(&[
        "--header-timeout-ms",
        "300",
        "--body-read-ms-max",
        "300",
        "--max-connections",
        "8",
    ]);
    // Eight heads that never end hold every seat; the ninth client waits until they are cut off.
    let mut heads: Vec<TcpStream> =
        (0..8).map(|_| service.sent("GET /v1/limits HTTP/1.1\r\nhost: x\r\nx-slow: ")).collect();
    let ninth = service.sent("GET /v1/limits HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
    ninth.set_read_timeout(Some(PATIENCE)).unwrap();
    assert_eq!(status(&read_all(ninth)), Some(200));
    for head in &mut heads {
        head.set_read_timeout(Some(PATIENCE)).unwrap();
        // One more byte now and then does not help: the whole head has its time.
        let _ = head.write_all(b"x");
        let mut rest = Vec::new();
        let _ = head.read_to_end(&mut rest);
        assert!(!String::from_utf8_lossy(&rest).contains("408"));
    }
    // A body that drips: a problem, and no 408.
    let mut body = service.sent(
        "POST /v1/othello/play HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: 64\r\n\r\n{",
    );
    body.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut answer = String::new();
    body.read_to_string(&mut answer).unwrap();
    assert_eq!(status(&answer), Some(400));
    assert!(answer.contains("\"code\":\"body_timeout\""), "{answer}");
}

#[test]
fn no_more_connections_are_held_than_were_allowed() {
    let service = Running::start(&["--max-connections", "3"]);
    let holders: Vec<TcpStream> = (0..3)
        .map(|_| {
            let mut stream = service.sent("GET /v1/limits HTTP/1.1\r\nhost: x\r\n\r\n");
            stream.read_exact(&mut [0; 12]).unwrap();
            stream
        })
        .collect();
    let mut waiting = service.sent("GET /v1/limits HTTP/1.1\r\nhost: x\r\n\r\n");
    waiting.set_read_timeout(Some(Duration::from_millis(200))).unwrap();
    assert!(waiting.read_exact(&mut [0; 12]).is_err(), "it has no seat");
    drop(holders);
    waiting.set_read_timeout(Some(PATIENCE)).unwrap();
    waiting.read_exact(&mut [0; 12]).unwrap();
}

#[test]
fn what_is_no_request_is_refused_in_words_and_the_service_lives_on() {
    let service = Running::start(&[]);
    let long = format!("GET / HTTP/1.1\r\nhost: x\r\ncookie: {}", "x".repeat(32 * 1024 - 33));
    for (bytes, status_code, code) in [
        ("no request at all\r\n\r\n", 400, "bad_request"),
        ("GET / HTTP/1.1\r\nhost x\r\n\r\n", 400, "bad_request"),
        (long.as_str(), 431, "head_too_large"),
    ] {
        let stream = service.sent(bytes);
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let answer = read_all(stream);
        assert_eq!(status(&answer), Some(status_code), "{answer}");
        assert!(answer.contains(&format!("\"code\":\"{code}\"")), "{answer}");
    }
    assert!(service.admin_status("/ready").is_some_and(|status| status < 300));
}

#[test]
fn a_request_names_its_host_once() {
    let service = Running::start(&[]);
    for (hosts, expected) in [("", 400), ("host: a\r\nhost: b\r\n", 400), ("host: a\r\n", 200)] {
        let answer =
            read_all(service.sent(&format!("GET /v1/engine HTTP/1.1\r\n{hosts}connection: close\r\n\r\n")));
        assert_eq!(status(&answer), Some(expected), "{answer}");
        assert_eq!(expected == 400, answer.contains("\"code\":\"bad_request\""), "{answer}");
    }
    let old = read_all(service.sent("GET /v1/engine HTTP/1.0\r\n\r\n"));
    assert!(old.starts_with("HTTP/1.0 200"), "{old}");
}

#[test]
fn requests_in_one_piece_are_answered_in_their_order() {
    let service = Running::start(&[]);
    let one = |path: &str, id: u32, more: &str| {
        format!("GET {path} HTTP/1.1\r\nhost: x\r\nx-request-id: n{id}\r\n{more}\r\n")
    };
    let mut text: String =
        (0..20).map(|id| one(if id % 3 == 0 { "/nowhere" } else { "/v1/limits" }, id, "")).collect();
    text += &one("/v1/limits", 20, "connection: close\r\n");
    let stream = service.sent(&text);
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let answers = read_all(stream);
    let ids: Vec<&str> = answers.lines().filter_map(|line| line.strip_prefix("x-request-id: ")).collect();
    let expected: Vec<String> = (0..=20).map(|id| format!("n{id}")).collect();
    assert_eq!(ids, expected);
}
