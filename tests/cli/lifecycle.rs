//! The life of the service: start, probes, signals, drain.

use std::io::{Read, Write};

use crate::process::{Running, complaint, discern, post, read_all, run, status};

#[test]
fn it_starts_is_healthy_and_ends_on_sigterm_with_0() {
    let service = Running::start(&[]);
    for path in ["/live", "/ready", "/startup"] {
        assert!(service.admin_status(path).is_some_and(|status| (200..300).contains(&status)), "{path}");
    }
    let admin = service.admin.clone();
    let health = || run(&["health", "--admin-listen", &admin]);
    assert_eq!(health().status.code(), Some(0));
    service.terminate();
    assert_eq!(service.end().0, Some(0));
    let gone = health();
    assert_eq!(gone.status.code(), Some(1));
    assert!(complaint(&gone).contains("did not answer"), "{gone:?}");
}

#[test]
fn an_address_in_use_is_told_in_words() {
    let first = Running::start(&[]);
    let second = run(&["serve", "--listen", &first.address, "--admin-listen", "127.0.0.1:0"]);
    assert_eq!(second.status.code(), Some(69));
    let words = complaint(&second);
    assert!(words.contains("another process listens there already"), "{words}");
}

#[test]
fn requests_that_were_let_in_are_answered_after_sigterm() {
    let service = Running::start(&[]);
    let question = "GET /v1/limits HTTP/1.1\r\nhost: x\r\n\r\n";
    // Half of each request before the signal, the other half after it: all of them are in the door.
    let half = question.len() / 2;
    let streams: Vec<_> = (0..30).map(|_| service.sent(&question[..half])).collect();
    service.terminate();
    for mut stream in streams {
        stream.write_all(&question.as_bytes()[half..]).unwrap();
        // The client would keep the connection: that this read ends shows that the service has closed it.
        let answer = read_all(stream);
        assert_eq!(status(&answer), Some(200), "{answer}");
    }
    assert_eq!(service.end().0, Some(0));
}

#[test]
fn while_draining_ready_says_no_and_live_says_yes() {
    let service = Running::start(&["--drain-delay-ms", "60000", "--drain-ms", "120000"]);
    service.terminate();
    // The delay is longer than any test: the loop ends when the signal has been heard.
    while service.admin_status("/ready") != Some(503) {
        std::thread::yield_now();
    }
    assert!(service.admin_status("/live").is_some_and(|status| status < 300));
    service.terminate();
    assert_eq!(service.end().0, Some(128 + 15), "a second signal forces the end");
}

#[test]
fn a_client_that_never_reads_does_not_hold_the_process() {
    let service = Running::start(&["--drain-ms", "300"]);
    let mut idle = service.sent("GET /v1/limits HTTP/1.1\r\nhost:");
    service.terminate();
    assert_eq!(service.end().0, Some(0));
    let mut rest = Vec::new();
    // Reset or closed: either way it is over.
    let _ = idle.read_to_end(&mut rest);
    assert!(rest.is_empty());
}

#[test]
fn settings_reach_the_service() {
    let service = Running::start(&["--time-ms-max", "1234", "--log-format", "json"]);
    let answer = read_all(service.sent("GET /v1/limits HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"));
    assert!(answer.contains("1234"), "{answer}");
}

#[test]
fn a_long_search_answers_with_what_it_has_when_the_service_stops() {
    let service = Running::start(&["--drain-ms", "800"]);
    let body = r#"{"moves": "f5d6c3d3c4", "limits": {"time_ms": 60000}}"#;
    let stream = service.sent(&post("/v1/othello/analysis", body));
    let state = "GET /v1/status HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
    while read_all(service.sent(state)).contains(r#""busy":0"#) {
        std::thread::yield_now();
    }
    service.terminate();
    let answer = read_all(stream);
    assert_eq!(status(&answer), Some(200), "{answer}");
    assert!(answer.contains(r#""stop_reason":"draining""#), "{answer}");
    assert_eq!(service.end().0, Some(0));
}

#[test]
fn logs_are_json_with_the_request_id() {
    let mut command = discern(&["serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"]);
    command.args(["--log-format", "json", "--log-level", "debug"]);
    let service = Running::with(command);
    let request =
        "GET /v1/limits HTTP/1.1\r\nhost: x\r\nx-request-id: asked-by-a-test\r\nconnection: close\r\n\r\n";
    assert_eq!(status(&read_all(service.sent(request))), Some(200));
    let search = "GET /v1/othello/analysis?moves=f5&depth=3 HTTP/1.1\r\nhost: x\r\nx-request-id: searched-by-a-test\r\nconnection: close\r\n\r\n";
    assert_eq!(status(&read_all(service.sent(search))), Some(200));
    let metrics = service.admin_answer("/metrics").unwrap();
    for metric in ["discern_http_connections_bound 1024", "discern_http_lag_seconds 0", "process_max_fds "] {
        assert!(metrics.lines().any(|line| line.starts_with(metric)), "{metric} in {metrics}");
    }
    service.terminate();
    let log = service.log();
    let lines: Vec<serde_json::Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(lines.iter().any(|line| line["message"] == "ready"), "{log}");
    assert!(lines.iter().any(|line| line["span"]["request_id"] == "asked-by-a-test"), "{log}");
    let over = lines.iter().find(|line| line["message"] == "search over").unwrap();
    assert_eq!(over["span"]["request_id"], "searched-by-a-test", "{log}");
    assert_eq!((&over["source"], &over["outcome"]), (&"searched".into(), &"answered".into()), "{log}");
    assert!(over["ran_ms"].is_u64() && over["queued_ms"].is_u64(), "{log}");
}
