//! What goes wrong around a search: bodies that stall, a queue that is full, time that runs out in it, callers who leave.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use discern::http::Options;
use discern::pool::Stats;
use discern::wire::limits::{LimitName, Limits};
use serde_json::{Value, json};

use crate::client::{Server, ok, problem};

const PATH: &str = "/v1/othello/analysis";

/// Far beyond what anything here takes on a busy machine: only a hang reaches it.
const PATIENCE: Duration = Duration::from_secs(50);

fn server(threads: usize, settings: &[(LimitName, u64)]) -> Server {
    let mut limits = Limits::for_threads(threads);
    for &(limit, max) in settings {
        limits.set_max(limit, max).unwrap();
    }
    Server::with(limits, Options::default())
}

/// A search of most of a minute from the start of the game, asked over a connection of its own that can be left. Each has a
/// little more time than those before, so that none shares the search of another and none is refused for want of time.
fn ask_for_a_minute(server: &Server) -> TcpStream {
    static ASKED: AtomicU64 = AtomicU64::new(0);
    let time_ms = 50_000 + ASKED.fetch_add(1, Ordering::Relaxed);
    let body = json!({"moves": "", "threads": 1, "limits": {"time_ms": time_ms}}).to_string();
    let mut stream = TcpStream::connect(server.address).unwrap();
    let head = format!(
        "POST {PATH} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all((head + &body).as_bytes()).unwrap();
    stream
}

/// Waits until the pool is as described.
fn wait_until(server: &Server, what: &str, is_so: impl Fn(&Stats) -> bool) {
    let started = Instant::now();
    loop {
        let stats = server.state.service().pool().stats();
        if is_so(&stats) {
            return;
        }
        assert!(started.elapsed() < PATIENCE, "{what} was awaited in vain: {stats:?}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn a_body_that_stalls_is_a_problem_and_no_408() {
    let server = server(1, &[(LimitName::BodyReadMs, 50)]);
    let mut stream = TcpStream::connect(server.address).unwrap();
    let head = "POST /v1/othello/play HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\
                content-type: application/json\r\ncontent-length: 100\r\n\r\n{\"moves\"";
    stream.write_all(head.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 400 ") && head.contains("application/problem+json"), "{head}");
    let body: Value = serde_json::from_str(body).unwrap();
    assert_eq!(body["code"], "body_timeout");
    assert_eq!(body["detail"], "the body did not arrive whole within 50 ms");
}

#[test]
fn one_more_than_the_queue_holds_is_told_when_to_come_back() {
    let server = server(1, &[(LimitName::Queue, 1)]);
    let running = ask_for_a_minute(&server);
    wait_until(&server, "a running search", |stats| stats.busy == 1);
    let waiting = ask_for_a_minute(&server);
    wait_until(&server, "a waiting search", |stats| stats.waiting.interactive == 1);
    let response = server.post(PATH, &json!({"moves": ""}));
    let seconds: u64 = response.headers()["retry-after"].to_str().unwrap().parse().unwrap();
    let body = problem(response, 503, "overloaded");
    let milliseconds = body["retry_after_ms"].as_u64().unwrap();
    assert!(milliseconds >= 1 && seconds == milliseconds.div_ceil(1_000), "{seconds} s, {body}");
    // What needs no thread is answered all the same.
    ok(server.post("/v1/othello/legal-moves", &json!({"moves": ""})));
    drop((running, waiting));
}

#[test]
fn time_that_runs_out_in_the_queue_is_a_503_that_says_so() {
    let server = server(1, &[]);
    // Searches that used next to nothing of their minute let the service expect the same of the next one.
    for nodes in 1_000..1_060 {
        let limits = json!({"depth": 1, "nodes": nodes, "exact_from_empties": 0, "time_ms": 59_000});
        let quick = json!({"moves": "", "limits": limits});
        ok(server.post(PATH, &quick));
    }
    let running = ask_for_a_minute(&server);
    wait_until(&server, "a running search", |stats| stats.busy == 1);
    let response = server.post(PATH, &json!({"moves": "", "limits": {"time_ms": 2_000}}));
    assert!(response.headers().contains_key("retry-after"));
    let body = problem(response, 503, "overloaded");
    let detail = body["detail"].as_str().unwrap();
    assert!(
        detail.starts_with("the time given ran out after ") && detail.contains(" in the queue"),
        "{body}"
    );
    assert_eq!(server.state.service().pool().stats().counts.expired, 1);
    drop(running);
}

#[test]
fn five_hundred_callers_who_leave_take_their_searches_with_them() {
    const WAVES: u64 = 5;
    const CALLERS: u64 = 100;
    let server = server(2, &[(LimitName::Queue, 1_000)]);
    for wave in 1..=WAVES {
        let callers: Vec<TcpStream> = (0..CALLERS).map(|_| ask_for_a_minute(&server)).collect();
        wait_until(&server, "the arrival of all", |stats| {
            stats.busy == 2 && stats.counts.admitted + stats.counts.refused == wave * CALLERS
        });
        for caller in callers {
            caller.shutdown(Shutdown::Both).unwrap();
        }
        // Their searches would take an hour and more.
        wait_until(&server, "an idle pool", |stats| stats.busy == 0 && stats.waiting.interactive == 0);
    }
    let counts = server.state.service().pool().stats().counts;
    assert_eq!((counts.cancelled, counts.completed, counts.panics), (counts.admitted, 0, 0), "{counts:?}");
    assert!(counts.admitted >= WAVES * CALLERS / 2, "{counts:?}");
    ok(server.post(PATH, &json!({"moves": "", "limits": {"depth": 3}})));
}
