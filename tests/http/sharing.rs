//! Answers that need no search of their own: kept ones, shared searches, and what both owe to turned questions.

use std::io::{BufRead, BufReader};
use std::time::{Duration, Instant};

use discern::http::Options;
use discern::pool::Stats;
use discern::wire::limits::Limits;
use reqwest::Method;
use reqwest::blocking::Response;
use serde_json::{Value, json};

use crate::client::{Server, ok};

const PATH: &str = "/v1/othello/analysis";

/// Far beyond what anything here takes on a busy machine: only a hang reaches it.
const PATIENCE: Duration = Duration::from_secs(50);

fn status(response: &Response) -> &str {
    response.headers()["cache-status"].to_str().unwrap()
}

fn stats(server: &Server) -> Stats {
    server.state.service().pool().stats()
}

fn wait_until(server: &Server, what: &str, is_so: impl Fn(&Stats) -> bool) {
    let started = Instant::now();
    while !is_so(&stats(server)) {
        assert!(started.elapsed() < PATIENCE, "{what} was awaited in vain: {:?}", stats(server));
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// An answer without its times.
fn timeless(mut reply: Value) -> Value {
    let search = reply["search"].as_object_mut().unwrap();
    for time in ["elapsed_ms", "queued_ms", "nodes_per_second"] {
        search.remove(time);
    }
    reply
}

/// A square's name after one of the eight symmetries, written out for this test: bit 0 mirrors the columns, bit 1 the rows,
/// bit 2 swaps both.
fn turned(symmetry: u8, square: &str) -> String {
    let bytes = square.as_bytes();
    let (mut column, mut row) = (bytes[0] - b'a', bytes[1] - b'1');
    if symmetry & 1 != 0 {
        column = 7 - column;
    }
    if symmetry & 2 != 0 {
        row = 7 - row;
    }
    if symmetry & 4 != 0 {
        (column, row) = (row, column);
    }
    format!("{}{}", char::from(b'a' + column), row + 1)
}

fn turned_board(symmetry: u8, board: &str) -> String {
    let mut cells = vec![b'-'; 64];
    for (index, cell) in board.bytes().enumerate() {
        let name = format!("{}{}", char::from(b'a' + (index % 8) as u8), index / 8 + 1);
        let image = turned(symmetry, &name).into_bytes();
        cells[usize::from(image[1] - b'1') * 8 + usize::from(image[0] - b'a')] = cell;
    }
    String::from_utf8(cells).unwrap()
}

/// After f5 d6 c3 d3 c4: no symmetry leads to itself.
const BOARD: &str = "------------------XX------XXX-----OXX------XO-------------------";

#[test]
fn a_question_that_was_answered_is_answered_again_without_a_search() {
    let server = Server::start();
    let body =
        json!({"moves": "f5d6c3", "goal": "all_moves", "limits": {"depth": 8, "exact_from_empties": 0}});
    let first = server.post(PATH, &body);
    assert_eq!(status(&first), "discern; fwd=miss");
    let second = server.post(PATH, &body);
    assert_eq!(status(&second), "discern; hit");
    assert_eq!(timeless(ok(first)), timeless(ok(second)));
    assert_eq!(stats(&server).counts.admitted, 1);
    // Another depth is another question; more time for the same one is not.
    let deeper =
        json!({"moves": "f5d6c3", "goal": "all_moves", "limits": {"depth": 7, "exact_from_empties": 0}});
    assert_eq!(status(&server.post(PATH, &deeper)), "discern; fwd=miss");
    let longer = json!({"moves": "f5d6c3", "goal": "all_moves", "include": ["rows"],
                        "limits": {"depth": 8, "exact_from_empties": 0, "time_ms": 40_000}});
    let third = server.post(PATH, &longer);
    assert_eq!(status(&third), "discern; hit");
    let third = ok(third);
    assert_eq!(third["search"]["limits_applied"]["time_ms"], 40_000);
    assert!(third["rows"].is_array());
    let metrics = server.admin_get("/metrics").text().unwrap();
    for line in [
        "discern_answers_total{source=\"kept\"} 2",
        "discern_answers_total{source=\"searched\"} 2",
        "discern_answers_total{source=\"shared\"} 0",
    ] {
        assert!(metrics.lines().any(|found| found == line), "{line} in {metrics}");
    }
}

#[test]
fn an_answer_that_more_time_would_change_is_not_kept() {
    let server = Server::start();
    let body = json!({"moves": "f5d6c3", "limits": {"time_ms": 60}});
    for _ in 0..2 {
        let response = server.post(PATH, &body);
        assert!(response.status() == 503 || status(&response) == "discern; fwd=miss");
    }
}

#[test]
fn all_eight_turns_of_a_question_get_the_turned_answer_from_one_search() {
    for goal in ["best_move", "all_moves", "top_n"] {
        let server = Server::start();
        let ask = |server: &Server, symmetry: u8| {
            let mut body = json!({"board": turned_board(symmetry, BOARD), "side_to_move": "white", "goal": goal,
                                  "deterministic": true, "limits": {"depth": 6}});
            if goal == "top_n" {
                body["count"] = json!(3);
            }
            ok(server.post(PATH, &body))
        };
        let plain = ask(&server, 0);
        for symmetry in 1..8 {
            let answer = ask(&server, symmetry);
            let image = |name: &Value| turned(symmetry, name.as_str().unwrap());
            assert_eq!(answer["score"], plain["score"]);
            assert_eq!(answer["position"]["canonical_id"], plain["position"]["canonical_id"]);
            let mut expected: Vec<(String, Value, Vec<String>)> = plain["moves"]
                .as_array()
                .unwrap()
                .iter()
                .map(|mv| {
                    let line = mv["principal_variation"].as_array().unwrap().iter().map(image).collect();
                    (image(&mv["move"]), mv["score"].clone(), line)
                })
                .collect();
            if goal == "all_moves" {
                // Equal values stand by square: row by row, column by column.
                let place = |name: &str| (name.as_bytes()[1], name.as_bytes()[0]);
                for equal in expected.chunk_by_mut(|a, b| a.1 == b.1) {
                    equal.sort_by_key(|(name, ..)| place(name));
                }
            } else {
                assert_eq!(answer["best_move"], image(&plain["best_move"]));
            }
            let found: Vec<(String, Value, Vec<String>)> = answer["moves"]
                .as_array()
                .unwrap()
                .iter()
                .map(|mv| {
                    let line = mv["principal_variation"].as_array().unwrap();
                    let line = line.iter().map(|name| name.as_str().unwrap().to_owned()).collect();
                    (mv["move"].as_str().unwrap().to_owned(), mv["score"].clone(), line)
                })
                .collect();
            assert_eq!(found, expected, "{goal}, symmetry {symmetry}");
            // A replica that knows nothing finds the very same.
            if symmetry == 5 {
                assert_eq!(ask(&Server::start(), symmetry), answer);
            }
        }
        assert_eq!(stats(&server).counts.admitted, 1, "{goal}");
    }
}

#[test]
fn the_colours_swapped_are_the_same_question() {
    let server = Server::start();
    let ask = |board: &str, side: &str| {
        let body = json!({"board": board, "side_to_move": side, "limits": {"depth": 5}});
        ok(server.post(PATH, &body))
    };
    let white = ask(BOARD, "white");
    let swapped: String = BOARD
        .chars()
        .map(|c| {
            if c == 'X' {
                'O'
            } else if c == 'O' {
                'X'
            } else {
                c
            }
        })
        .collect();
    let black = ask(&swapped, "black");
    assert_eq!((&white["moves"], &white["score"]), (&black["moves"], &black["score"]));
    assert_eq!(
        (&white["position"]["side_to_move"], &black["position"]["side_to_move"]),
        (&json!("white"), &json!("black"))
    );
    assert_eq!(stats(&server).counts.admitted, 1);
}

#[test]
fn a_deterministic_answer_is_the_same_bytes_kept_or_searched() {
    let body =
        json!({"moves": "f5d6c3", "deterministic": true, "goal": "all_moves", "limits": {"nodes": 20_000}});
    let server = Server::start();
    let first = server.post(PATH, &body).text().unwrap();
    let kept = server.post(PATH, &body);
    assert_eq!(status(&kept), "discern; hit");
    assert_eq!(kept.text().unwrap(), first);
    let other = Server::with(Limits::for_threads(1), Options::default());
    assert_eq!(other.post(PATH, &body).text().unwrap(), first);
}

#[test]
fn identical_requests_share_a_search_until_the_last_one_leaves() {
    let server = Server::with(Limits::for_threads(1), Options::default());
    let ask = |moves: &str| {
        let body = json!({"moves": moves, "threads": 1, "limits": {"time_ms": 60_000}});
        let request = server.request(Method::POST, PATH).header("accept", "application/x-ndjson").json(&body);
        request.send().unwrap()
    };
    let leader = ask("f5d6c3");
    assert_eq!(status(&leader), "discern; fwd=miss");
    wait_until(&server, "a running search", |stats| stats.busy == 1);
    // Turned questions share it too.
    let others: Vec<Response> =
        ["f5d6c3", "e6f4c3", "d3c5f6", "c4e3f6", "f5d6c3"].into_iter().map(ask).collect();
    for other in &others {
        assert_eq!(status(other), "discern; fwd=miss; collapsed");
    }
    drop(leader);
    let mut others = others.into_iter().map(BufReader::new);
    let mut last = others.next().unwrap();
    drop(others);
    let mut line = String::new();
    for _ in 0..3 {
        line.clear();
        last.read_line(&mut line).unwrap();
    }
    assert!(line.contains("\"final\":false"), "the search goes on: {line}");
    assert_eq!((stats(&server).busy, stats(&server).counts.cancelled), (1, 0));
    drop(last);
    wait_until(&server, "an idle pool", |stats| stats.busy == 0);
    let counts = stats(&server).counts;
    assert_eq!((counts.admitted, counts.cancelled), (1, 1));
}
