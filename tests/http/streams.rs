//! Analyses as streams: every iteration when it is made, exactly one last word, and a slot that is free when the reader
//! leaves.

use std::io::{BufRead, BufReader};
use std::time::{Duration, Instant};

use discern::http::Options;
use discern::pool::Stats;
use discern::wire::limits::Limits;
use reqwest::Method;
use reqwest::blocking::Response;
use serde_json::{Value, json};

use crate::client::{Server, ok, problem};

const PATH: &str = "/v1/othello/analysis";
const EVENTS: &str = "text/event-stream";
const LINES: &str = "application/x-ndjson";

/// Far beyond what anything here takes on a busy machine: only a hang reaches it.
const PATIENCE: Duration = Duration::from_secs(50);

/// A search that nobody wants to see the end of.
fn a_minute() -> Value {
    json!({"moves": "f5d6c3", "threads": 1, "limits": {"time_ms": 60_000}})
}

fn ask(server: &Server, media: &str, body: &Value) -> Response {
    let request = server.request(Method::POST, PATH).header("accept", media);
    let response = request.header("accept-encoding", "gzip").json(body).send().unwrap();
    assert_eq!(response.status(), 200);
    assert_eq!(response.headers()["content-type"], media);
    assert!(!response.headers().contains_key("content-encoding"), "compression would hold records back");
    response
}

/// An event: id, name and document.
type Event = (String, String, Value);

/// Reads a stream of events one after the other; comments are skipped.
struct Events(BufReader<Response>);

impl Events {
    fn of(response: Response) -> Self {
        Self(BufReader::new(response))
    }
}

impl Iterator for Events {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        let (mut id, mut event, mut data) = (None, None, None);
        loop {
            let mut line = String::new();
            if self.0.read_line(&mut line).unwrap() == 0 {
                assert!(data.is_none(), "an event was cut off");
                return None;
            }
            match line.trim_end_matches('\n').split_once(": ") {
                Some(("id", value)) => id = Some(value.to_owned()),
                Some(("event", value)) => event = Some(value.to_owned()),
                Some(("data", value)) => data = Some(serde_json::from_str(value).unwrap()),
                _ if line == "\n" && data.is_some() => return Some((id?, event?, data?)),
                _ => assert!(line == "\n" || line == ":\n", "a strange line: {line:?}"),
            }
        }
    }
}

fn lines(response: Response) -> impl Iterator<Item = Value> {
    let lines = BufReader::new(response).lines().map(Result::unwrap);
    lines.filter(|line| !line.is_empty()).map(|line| serde_json::from_str(&line).unwrap())
}

/// The names of all members, at every depth, of the parts that all replies share.
fn shape(reply: &Value) -> Vec<String> {
    let members = |value: &Value, prefix: &str| -> Vec<String> {
        value.as_object().unwrap().keys().map(|name| format!("{prefix}{name}")).collect()
    };
    let mut shape = members(reply, "");
    for part in ["position", "score", "search", "scoring", "engine"] {
        shape.extend(members(&reply[part], &format!("{part}.")));
    }
    shape.extend(members(&reply["moves"][0], "moves."));
    shape
}

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

/// All records are whole answers with growing depth, and only the last one is final.
fn check_records(records: &[Value]) {
    let (last, snapshots) = records.split_last().unwrap();
    assert!(!snapshots.is_empty(), "a search of many iterations shows some of them");
    for snapshot in snapshots {
        assert_eq!((&snapshot["final"], &snapshot["search"]["stop_reason"]), (&json!(false), &Value::Null));
        assert_eq!(shape(snapshot), shape(last));
        assert_eq!(snapshot["best_move"], snapshot["moves"][0]["move"]);
    }
    assert_eq!(last["final"], true);
    let depths: Vec<u64> = records.iter().map(|record| record["search"]["depth"].as_u64().unwrap()).collect();
    assert!(depths.is_sorted() && depths[0] > 0, "{depths:?}");
}

#[test]
fn events_tell_of_every_stage_and_end_with_the_result() {
    let server = Server::start();
    let body = json!({"moves": "f5d6c3", "limits": {"time_ms": 700}});
    let response = ask(&server, EVENTS, &body);
    assert_eq!(response.headers()["cache-control"], "no-store, no-transform");
    assert_eq!(response.headers()["x-accel-buffering"], "no");
    let events: Vec<Event> = Events::of(response).collect();
    let (last, snapshots) = events.split_last().unwrap();
    for (index, (id, name, _)) in snapshots.iter().enumerate() {
        assert_eq!((id.as_str(), name.as_str()), ((index + 1).to_string().as_str(), "snapshot"));
    }
    assert_eq!((last.0.as_str(), last.1.as_str()), (format!("{}-final", events.len()).as_str(), "result"));
    assert_eq!(last.2["search"]["stop_reason"], "time");
    check_records(&events.into_iter().map(|(_, _, document)| document).collect::<Vec<_>>());
}

#[test]
fn lines_tell_the_same_as_events() {
    let server = Server::start();
    let body =
        json!({"moves": "f5d6c3", "goal": "all_moves", "limits": {"depth": 11, "exact_from_empties": 0}});
    let records: Vec<Value> = lines(ask(&server, LINES, &body)).collect();
    check_records(&records);
    let last = records.last().unwrap();
    assert_eq!(last["search"]["stop_reason"], "depth");
    assert_eq!(last["search"]["depth"], 11);
}

#[test]
fn records_arrive_while_the_search_goes_on_and_leaving_ends_it() {
    let server = Server::start();
    for media in [EVENTS, LINES] {
        let asked = Instant::now();
        let response = ask(&server, media, &a_minute());
        let mut records: Box<dyn Iterator<Item = Value>> = match media {
            EVENTS => Box::new(Events::of(response).map(|(_, _, document)| document)),
            _ => Box::new(lines(response)),
        };
        let mut depth = 0;
        while depth < 8 {
            let record = records.next().unwrap();
            depth = record["search"]["depth"].as_u64().unwrap();
            assert_eq!(record["final"], false);
            // Generous, but far from the minute that a record held back would take.
            let late = asked
                .elapsed()
                .saturating_sub(Duration::from_millis(record["search"]["elapsed_ms"].as_u64().unwrap()));
            assert!(late < Duration::from_secs(20), "{media}: a record came {late:?} after it was made");
        }
        assert_eq!(server.state.service().pool().stats().busy, 1, "the search goes on");
        drop(records);
        wait_until(&server, "an idle pool", |stats| stats.busy == 0);
    }
    assert_eq!(server.state.service().pool().stats().counts.cancelled, 2);
}

#[test]
fn a_drain_ends_a_stream_with_what_there_is() {
    let server = Server::start();
    let mut events = Events::of(ask(&server, EVENTS, &a_minute()));
    assert_eq!(events.next().unwrap().1, "snapshot");
    server.state.service().pool().drain(Duration::ZERO);
    let last: Vec<Event> = events.filter(|(_, name, _)| name != "snapshot").collect();
    assert_eq!(last.len(), 1, "{last:?}");
    assert_eq!((last[0].1.as_str(), &last[0].2["search"]["stop_reason"]), ("result", &json!("draining")));
}

#[test]
fn a_deterministic_stream_that_is_cut_off_ends_with_a_problem() {
    let server = Server::start();
    let body = json!({"moves": "f5d6c3", "deterministic": true, "limits": {"depth": 40}});
    let response = ask(&server, LINES, &body);
    let request_id = response.headers()["x-request-id"].to_str().unwrap().to_owned();
    let mut records = lines(response);
    assert_eq!(records.next().unwrap()["final"], false);
    server.state.service().pool().drain(Duration::ZERO);
    let last: Vec<Value> = records.filter(|record| record["final"] != json!(false)).collect();
    assert_eq!(last.len(), 1, "{last:?}");
    assert_eq!((&last[0]["code"], &last[0]["status"]), (&json!("draining"), &json!(503)));
    assert_eq!((&last[0]["instance"], &last[0]["request_id"]), (&json!(PATH), &json!(request_id)));
}

#[test]
fn a_stream_that_waits_for_a_thread_is_kept_alive() {
    let options = Options { keep_alive: Duration::from_millis(20), ..Options::default() };
    let server = Server::with(Limits::for_threads(1), options);
    let running = ask(&server, LINES, &a_minute());
    wait_until(&server, "a running search", |stats| stats.busy == 1);
    for (media, sign_of_life) in [(EVENTS, ":\n"), (LINES, "\n")] {
        let mut waiting =
            BufReader::new(ask(&server, media, &json!({"moves": "f5", "limits": {"depth": 4}})));
        let mut line = String::new();
        waiting.read_line(&mut line).unwrap();
        assert_eq!(line, sign_of_life);
    }
    drop(running);
}

#[test]
fn a_game_that_is_over_has_its_result_at_once() {
    let body = json!({"moves": "f5d6c5f6e7f4g5e6e3"});
    let events: Vec<Event> = Events::of(ask(&Server::start(), EVENTS, &body)).collect();
    assert_eq!(events.len(), 1);
    assert_eq!((events[0].0.as_str(), events[0].1.as_str()), ("1-final", "result"));
    assert_eq!(events[0].2["search"]["stop_reason"], "no_move");
}

#[test]
fn what_is_refused_is_refused_before_the_stream_begins() {
    let server = Server::start();
    let ask = |body: Value| server.request(Method::POST, PATH).header("accept", EVENTS).json(&body).send();
    problem(ask(json!({"moves": "f5f5"})).unwrap(), 422, "illegal_move");
    server.state.service().pool().drain(Duration::ZERO);
    problem(ask(json!({"moves": "f5"})).unwrap(), 503, "draining");
}

#[test]
fn an_event_source_asks_in_the_url_and_stops_after_the_last_event() {
    let server = Server::start();
    let ask = |heard: Option<&str>| {
        let path = format!("{PATH}?moves=f5d6c3&depth=8&exact_from_empties=0&goal=all_moves");
        let request = server.request(Method::GET, &path).header("accept", EVENTS);
        let request = match heard {
            Some(id) => request.header("last-event-id", id),
            None => request,
        };
        request.send().unwrap()
    };
    let events: Vec<Event> = Events::of(ask(None)).collect();
    let (id, name, reply) = events.last().unwrap();
    assert_eq!((name.as_str(), &reply["search"]["depth"]), ("result", &json!(8)));
    assert_eq!(ask(Some(id)).status(), 204);
    let again: Vec<Event> = Events::of(ask(Some("7"))).collect();
    let first: u64 = again[0].0.trim_end_matches("-final").parse().unwrap();
    assert_eq!(first, 8, "the ids go on where the stream was left");
}

#[test]
fn a_question_in_the_url_is_the_question_of_a_body() {
    let server = Server::start();
    let path = format!(
        "{PATH}?moves=f5+d6&only=c3,C4&include=rows,position&deterministic=true&depth=5&goal=top_n&count=2"
    );
    let body = json!({"moves": "f5 d6", "only": ["c3", "C4"], "include": ["rows", "position"], "deterministic": true,
                      "limits": {"depth": 5}, "goal": "top_n", "count": 2});
    assert_eq!(ok(server.get(&path)), ok(server.post(PATH, &body)));
    for (query, code, pointer) in [
        ("moves=f5&depth=61", "limit_out_of_range", "/depth"),
        ("moves=f5&depth=six", "invalid_request", "/depth"),
        ("moves=f5&detph=6", "unknown_field", "/detph"),
        ("moves=f5&deterministic=true&time_ms=5", "invalid_request", "/time_ms"),
        ("moves=f5&only=a1", "illegal_move", "/only/0"),
        ("board=--&side_to_move=black", "invalid_position", "/board"),
        ("moves=f5&level=31", "limit_out_of_range", "/level"),
        ("", "invalid_request", ""),
    ] {
        let body = problem(server.get(&format!("{PATH}?{query}")), 422, code);
        assert_eq!(body["errors"][0]["pointer"], pointer, "{query}");
    }
}

#[test]
fn answers_that_last_are_tagged_and_need_not_be_sent_twice() {
    let server = Server::start();
    let ask = |query: &str, known: Option<&str>| {
        let request = server.request(Method::GET, &format!("{PATH}?{query}"));
        let request = match known {
            Some(tag) => request.header("if-none-match", tag),
            None => request,
        };
        request.send().unwrap()
    };
    for lasting in ["moves=f5d6&depth=4&deterministic=true", "moves=&size=4", "moves=f5d6c5f6e7f4g5e6e3"] {
        let first = ask(lasting, None);
        let tag = first.headers()["etag"].to_str().unwrap().to_owned();
        assert!(tag.starts_with("W/\""), "{tag}");
        assert_eq!(first.headers()["cache-control"], "no-cache");
        assert!(first.headers().get_all("vary").iter().any(|vary| vary == "accept"), "{:?}", first.headers());
        let again = ask(lasting, Some(&tag));
        assert_eq!((again.status().as_u16(), &again.headers()["etag"]), (304, &first.headers()["etag"]));
        assert_eq!(again.text().unwrap(), "");
        assert_eq!(ask(lasting, Some("W/\"0\"")).status(), 200);
    }
    let passing = ask("moves=f5d6&time_ms=50", None);
    assert!(!passing.headers().contains_key("etag"));
    assert_eq!(passing.headers()["cache-control"], "no-store");
}

#[test]
fn the_moves_come_as_a_table_for_those_who_want_one() {
    let server = Server::start();
    let csv = |body: Value| {
        let response =
            server.request(Method::POST, PATH).header("accept", "text/csv").json(&body).send().unwrap();
        assert_eq!(response.headers()["content-type"], "text/csv; charset=utf-8; header=present");
        response.text().unwrap()
    };
    let body = json!({"moves": "f5d6", "goal": "all_moves", "limits": {"depth": 5}, "include": ["rows"]});
    let table = csv(body.clone());
    let mut lines = table.lines();
    assert_eq!(lines.next(), Some("row,col,score,depth,nodes,elapsed_ms,nps"));
    let rows = ok(server.post(PATH, &body))["rows"].as_array().unwrap().clone();
    let cells: Vec<Vec<String>> = lines.map(|line| line.split(',').map(str::to_owned).collect()).collect();
    assert_eq!(cells.len(), rows.len());
    for (cells, row) in cells.iter().zip(rows) {
        assert_eq!(cells.len(), 7);
        assert_eq!((&cells[0], &cells[1]), (&row["row"].to_string(), &row["col"].to_string()));
        assert_eq!(cells[2].parse::<f64>().unwrap(), row["score"].as_f64().unwrap());
        assert_eq!(cells[3], "5");
    }
    // A pass, a finished game, and an answer without times.
    let pass = "f5d6c3d3c4f4f6f3e3b4c5c6e6e2e7d2f1d7a3a4b3g6a5a2a1f2g5f7b2c2b5e1b1g1c1h4g3b6d1h2h1g2h3";
    let passed = csv(json!({"moves": pass, "limits": {"depth": 3, "exact_from_empties": 0}}));
    assert!(passed.lines().nth(1).unwrap().starts_with("-1,-1,"), "{passed}");
    let over = csv(json!({"moves": "f5d6c5f6e7f4g5e6e3"}));
    assert_eq!(over.lines().count(), 1);
    let timeless = csv(json!({"moves": "f5d6", "deterministic": true, "limits": {"depth": 3}}));
    assert!(timeless.lines().nth(1).unwrap().ends_with(",,"), "{timeless}");
}

#[test]
fn callers_who_want_another_form_are_told_what_there_is() {
    let server = Server::start();
    for method in [Method::POST, Method::GET] {
        let request = server.request(method, PATH).header("accept", "application/xml");
        let body = problem(request.send().unwrap(), 406, "not_acceptable");
        assert_eq!(
            body["detail"],
            "this path answers in application/json, text/event-stream, application/x-ndjson or text/csv"
        );
    }
}
