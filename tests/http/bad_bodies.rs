//! A corpus of bodies that must be refused, each with the right status, code and place.

use reqwest::Method;
use serde_json::{Value, json};

use crate::client::{Server, problem};

/// The code of the problem, the pointer of its first error, and the body.
type Case = (&'static str, &'static str, Value);

const BOARD: &str = "---------------------------OX------XO---------------------------";

/// An empty board as rows, one of them replaced.
fn rows_with(index: usize, row: &str) -> Vec<&str> {
    let mut rows = vec!["--------"; 8];
    rows[index] = row;
    rows
}

/// Positions that must be refused on every endpoint.
fn positions() -> Vec<Case> {
    let mut two_fives = vec![json!(0); 64];
    two_fives[3] = json!(5);
    let mut text_cell = vec![json!(0); 64];
    text_cell[7] = json!("X");
    vec![
        ("invalid_request", "", json!({})),
        ("invalid_request", "", json!([])),
        ("invalid_request", "", json!("f5")),
        ("invalid_request", "", json!(null)),
        ("invalid_request", "", json!(7)),
        ("unknown_field", "/move", json!({"move": "f5", "moves": "f5"})),
        ("unknown_field", "/a~1b~0", json!({"a/b~": 1, "moves": "f5"})),
        ("unknown_field", "/", json!({"": 1, "moves": "f5"})),
        ("invalid_request", "/moves", json!({"moves": 5})),
        ("invalid_request", "/moves", json!({"moves": null})),
        ("invalid_request", "/moves", json!({"moves": {"0": "f5"}})),
        ("invalid_request", "/moves/1", json!({"moves": ["f5", 4]})),
        ("invalid_request", "/moves/0", json!({"moves": [["f5"]]})),
        ("invalid_position", "/moves/1", json!({"moves": ["f5", "z9"]})),
        ("invalid_position", "/moves/0", json!({"moves": [""]})),
        ("invalid_position", "/moves/0", json!({"moves": ["f5d6"]})),
        ("invalid_position", "/moves/2", json!({"moves": "f5x"})),
        ("invalid_position", "/moves/2", json!({"moves": "f5\u{0}"})),
        ("invalid_position", "/moves/0", json!({"moves": "é5"})),
        ("illegal_move", "/moves/0", json!({"moves": "a1"})),
        ("illegal_move", "/moves/2", json!({"moves": "f5f5"})),
        ("illegal_move", "/moves/0", json!({"moves": "pass"})),
        ("illegal_move", "/moves/18", json!({"moves": "f5d6c5f6e7f4g5e6e3a1"})),
        ("illegal_move", "/moves/0", json!({"moves": "f5", "size": 4})),
        ("not_available", "/size", json!({"moves": "", "size": 10})),
        ("not_available", "/size", json!({"moves": "", "size": 0})),
        ("not_available", "/size", json!({"moves": "", "size": 7})),
        ("invalid_request", "/size", json!({"moves": "", "size": "8"})),
        ("invalid_request", "/size", json!({"moves": "", "size": 8.5})),
        ("limit_out_of_range", "/size", json!({"moves": "", "size": -8})),
        ("limit_out_of_range", "/size", json!({"moves": "", "size": 1e30})),
        ("invalid_request", "/side_to_move", json!({"moves": "f5", "side_to_move": "white"})),
        (
            "invalid_request",
            "/coding",
            json!({"moves": "f5", "coding": {"black": 1, "white": 2, "empty": 0}}),
        ),
        ("invalid_request", "/side_to_move", json!({"board": BOARD})),
        ("invalid_request", "/side_to_move", json!({"board": BOARD, "side_to_move": "red"})),
        ("invalid_request", "/side_to_move", json!({"board": BOARD, "side_to_move": "Black"})),
        ("invalid_request", "/side_to_move", json!({"board": BOARD, "side_to_move": 1})),
        ("invalid_request", "/board", json!({"board": 5, "side_to_move": "black"})),
        ("invalid_request", "/board", json!({"board": null, "side_to_move": "black"})),
        ("invalid_request", "/board", json!({"board": true, "side_to_move": "black"})),
        ("invalid_position", "/board", json!({"board": "", "side_to_move": "black"})),
        ("invalid_position", "/board", json!({"board": "X", "side_to_move": "black"})),
        ("invalid_position", "/board", json!({"board": "-".repeat(63), "side_to_move": "black"})),
        ("invalid_position", "/board", json!({"board": "-".repeat(65), "side_to_move": "black"})),
        ("not_available", "/board", json!({"board": "-".repeat(100), "side_to_move": "black"})),
        (
            "invalid_position",
            "/board/3",
            json!({"board": format!("---?{}", "-".repeat(60)), "side_to_move": "black"}),
        ),
        ("invalid_position", "/board", json!({"board": [], "side_to_move": "black"})),
        ("invalid_position", "/board", json!({"board": vec![0; 63], "side_to_move": "black"})),
        ("invalid_position", "/board/3", json!({"board": two_fives, "side_to_move": "black"})),
        ("invalid_request", "/board/7", json!({"board": text_cell, "side_to_move": "black"})),
        ("invalid_request", "/board/0", json!({"board": [0.5], "side_to_move": "black"})),
        ("invalid_request", "/board/0", json!({"board": [null], "side_to_move": "black"})),
        ("invalid_request", "/board/1", json!({"board": ["--------", 0], "side_to_move": "black"})),
        ("invalid_request", "/board/1", json!({"board": [[0], 0], "side_to_move": "black"})),
        ("invalid_request", "/board/0/0", json!({"board": [["X"]], "side_to_move": "black"})),
        ("invalid_position", "/board", json!({"board": ["--------"], "side_to_move": "black"})),
        ("invalid_position", "/board/7", json!({"board": rows_with(7, "-------"), "side_to_move": "black"})),
        (
            "invalid_position",
            "/board/0/2",
            json!({"board": rows_with(0, "--q-----"), "side_to_move": "black"}),
        ),
        ("invalid_request", "/size", json!({"board": BOARD, "side_to_move": "black", "size": 6})),
        (
            "invalid_request",
            "/coding",
            json!({"board": BOARD, "side_to_move": "black", "coding": {"black": 1, "white": 2, "empty": 0}}),
        ),
        ("invalid_request", "/coding", json!({"board": vec![0; 64], "side_to_move": "black", "coding": 3})),
        (
            "invalid_request",
            "/coding/empty",
            json!({"board": vec![0; 64], "side_to_move": "black", "coding": {"black": 1, "white": 2}}),
        ),
        (
            "invalid_request",
            "/coding/black",
            json!({"board": vec![0; 64], "side_to_move": "black", "coding": {"black": "x", "white": 2, "empty": 0}}),
        ),
        (
            "unknown_field",
            "/coding/blank",
            json!({"board": vec![0; 64], "side_to_move": "black", "coding": {"black": 1, "white": 2, "empty": 0, "blank": 0}}),
        ),
        (
            "invalid_request",
            "/coding",
            json!({"board": vec![0; 64], "side_to_move": "black", "coding": {"black": 1, "white": 1, "empty": 0}}),
        ),
        ("invalid_request", "/board/white", json!({"board": {"black": "1"}, "side_to_move": "black"})),
        (
            "invalid_request",
            "/board/black",
            json!({"board": {"black": 1, "white": "2"}, "side_to_move": "black"}),
        ),
        (
            "invalid_position",
            "/board/black",
            json!({"board": {"black": "xyz", "white": "2"}, "side_to_move": "black"}),
        ),
        (
            "invalid_position",
            "/board/white",
            json!({"board": {"black": "1", "white": "0x11111111111111111"}, "side_to_move": "black"}),
        ),
        (
            "invalid_position",
            "/board",
            json!({"board": {"black": "3", "white": "2"}, "side_to_move": "black"}),
        ),
        (
            "invalid_request",
            "/board/bit_order",
            json!({"board": {"black": "1", "white": "2", "bit_order": "lsb"}, "side_to_move": "black"}),
        ),
        (
            "unknown_field",
            "/board/blakc",
            json!({"board": {"black": "1", "white": "2", "blakc": "1"}, "side_to_move": "black"}),
        ),
        (
            "invalid_position",
            "/board/black",
            json!({"board": {"black": "0x8000000000000000", "white": "2"}, "side_to_move": "black", "size": 4}),
        ),
        ("illegal_move", "/moves/0", json!({"board": BOARD, "side_to_move": "black", "moves": "a1"})),
        ("invalid_request", "/text", json!({"text": 5})),
        ("invalid_position", "/text", json!({"text": ""})),
        ("invalid_position", "/text", json!({"text": " \n\t"})),
        ("invalid_request", "/moves", json!({"text": "f5", "moves": "f5"})),
        ("invalid_request", "/board", json!({"text": "f5", "board": BOARD})),
        ("invalid_request", "/side_to_move", json!({"text": BOARD, "side_to_move": "white"})),
        ("invalid_request", "/size", json!({"text": "f5", "size": 8})),
        ("not_available", "/text", json!({"text": "(;GM[Othello]PC[x]BO[8 -------- *]B[f5];)"})),
        ("not_available", "/text", json!({"text": "(;GM[2]SZ[8];B[c4];W[e3])"})),
    ]
}

/// What is wrong with the other fields of an analysis; each is sent with a good position.
fn analyses() -> Vec<Case> {
    vec![
        ("unknown_field", "/gaol", json!({"gaol": "best_move"})),
        ("unknown_field", "/depth", json!({"depth": 5})),
        ("unknown_field", "/time_ms", json!({"time_ms": 5})),
        ("invalid_request", "/goal", json!({"goal": "best"})),
        ("invalid_request", "/goal", json!({"goal": 1})),
        ("invalid_request", "/goal", json!({"goal": null})),
        ("invalid_request", "/count", json!({"goal": "top_n"})),
        ("invalid_request", "/count", json!({"count": 3})),
        ("limit_out_of_range", "/count", json!({"goal": "top_n", "count": 0})),
        ("limit_out_of_range", "/count", json!({"goal": "top_n", "count": 61})),
        ("invalid_request", "/count", json!({"goal": "top_n", "count": "3"})),
        ("invalid_request", "/limits", json!({"limits": 5})),
        ("invalid_request", "/limits", json!({"limits": []})),
        ("invalid_request", "/limits", json!({"limits": null})),
        ("unknown_field", "/limits/timems", json!({"limits": {"timems": 5}})),
        ("unknown_field", "/limits/dpeth", json!({"limits": {"dpeth": 5}})),
        ("limit_out_of_range", "/limits/time_ms", json!({"limits": {"time_ms": 0}})),
        ("limit_out_of_range", "/limits/time_ms", json!({"limits": {"time_ms": 60_001}})),
        ("limit_out_of_range", "/limits/time_ms", json!({"limits": {"time_ms": -1}})),
        ("invalid_request", "/limits/time_ms", json!({"limits": {"time_ms": "1000"}})),
        ("invalid_request", "/limits/time_ms", json!({"limits": {"time_ms": 10.5}})),
        (
            "limit_out_of_range",
            "/limits/time_ms",
            json!({"limits": {"time_ms": 18_446_744_073_709_551_615_u64}}),
        ),
        ("limit_out_of_range", "/limits/depth", json!({"limits": {"depth": 0}})),
        ("limit_out_of_range", "/limits/depth", json!({"limits": {"depth": 61}})),
        ("invalid_request", "/limits/depth", json!({"limits": {"depth": true}})),
        ("limit_out_of_range", "/limits/nodes", json!({"limits": {"nodes": 0}})),
        ("limit_out_of_range", "/limits/nodes", json!({"limits": {"nodes": 100_000_000_001_u64}})),
        ("limit_out_of_range", "/limits/nodes", json!({"limits": {"nodes": 1e300}})),
        ("limit_out_of_range", "/limits/exact_from_empties", json!({"limits": {"exact_from_empties": 37}})),
        ("invalid_request", "/limits/selectivity_percent", json!({"limits": {"selectivity_percent": 90}})),
        (
            "limit_out_of_range",
            "/limits/selectivity_percent",
            json!({"limits": {"selectivity_percent": 101}}),
        ),
        ("limit_out_of_range", "/level", json!({"level": 31})),
        ("limit_out_of_range", "/level", json!({"level": 0})),
        ("invalid_request", "/level", json!({"level": "hard"})),
        ("invalid_request", "/seed", json!({"seed": 5})),
        ("limit_out_of_range", "/seed", json!({"level": 5, "seed": -1})),
        ("invalid_request", "/limits/depth", json!({"level": 5, "limits": {"depth": 3}})),
        ("invalid_request", "/limits/nodes", json!({"level": 5, "limits": {"nodes": 3}})),
        ("invalid_request", "/goal", json!({"level": 5, "goal": "win_loss_draw"})),
        ("invalid_request", "/clock/remaining_ms", json!({"clock": {}})),
        ("invalid_request", "/clock", json!({"clock": 5})),
        ("limit_out_of_range", "/clock/moves_left", json!({"clock": {"remaining_ms": 5, "moves_left": 0}})),
        ("unknown_field", "/clock/time_ms", json!({"clock": {"remaining_ms": 5, "time_ms": 0}})),
        (
            "invalid_request",
            "/limits/time_ms",
            json!({"clock": {"remaining_ms": 5}, "limits": {"time_ms": 5}}),
        ),
        (
            "invalid_request",
            "/clock",
            json!({"clock": {"remaining_ms": 5}, "deterministic": true, "limits": {"depth": 3}}),
        ),
        ("invalid_request", "/empties", json!({"empties": "loser"})),
        ("limit_out_of_range", "/threads", json!({"threads": 0})),
        ("limit_out_of_range", "/threads", json!({"threads": 3})),
        ("invalid_request", "/deterministic", json!({"deterministic": "yes"})),
        ("invalid_request", "/deterministic", json!({"deterministic": true})),
        (
            "invalid_request",
            "/limits/time_ms",
            json!({"deterministic": true, "limits": {"time_ms": 5, "depth": 3}}),
        ),
        ("invalid_request", "/threads", json!({"deterministic": true, "threads": 2, "limits": {"depth": 3}})),
        ("invalid_request", "/class", json!({"class": "background"})),
        ("invalid_request", "/include", json!({"include": "rows"})),
        ("invalid_request", "/include/1", json!({"include": ["rows", "colums"]})),
        ("invalid_request", "/only", json!({"only": "f5"})),
        ("invalid_request", "/only/0", json!({"only": [5]})),
        ("invalid_position", "/only/0", json!({"only": ["f9"]})),
        ("illegal_move", "/only/1", json!({"only": ["f5", "a1"]})),
        ("illegal_move", "/only/0", json!({"only": ["pass"]})),
        ("illegal_move", "/avoid/0", json!({"avoid": ["e4"]})),
        ("invalid_request", "", json!({"only": []})),
        ("invalid_request", "", json!({"avoid": ["d3", "c4", "f5", "e6"]})),
        ("invalid_request", "", json!({"only": ["f5"], "avoid": ["f5"]})),
    ]
}

fn refused(server: &Server, path: &str, (code, pointer, body): &Case) {
    let response = server.post(path, body);
    let problem = problem(response, 422, code);
    assert_eq!(problem["errors"][0]["pointer"], *pointer, "{body} on {path}: {problem}");
    assert!(!problem["errors"][0]["message"].as_str().unwrap().is_empty());
}

#[test]
fn positions_that_are_none_are_refused_on_every_endpoint() {
    let server = Server::start();
    for case in positions() {
        for path in ["/v1/othello/legal-moves", "/v1/othello/analysis"] {
            refused(&server, path, &case);
        }
        if case.2.get("moves").is_some() || case.2.get("text").is_some() {
            refused(&server, "/v1/othello/play", &case);
        }
    }
    refused(
        &server,
        "/v1/othello/play",
        &("invalid_request", "/moves", json!({"board": BOARD, "side_to_move": "black"})),
    );
}

#[test]
fn questions_that_cannot_be_meant_are_refused_with_their_place() {
    let server = Server::start();
    for (code, pointer, mut body) in analyses() {
        body["moves"] = json!("");
        refused(&server, "/v1/othello/analysis", &(code, pointer, body));
    }
}

#[test]
fn all_faults_of_a_body_are_told_at_once() {
    let body = json!({"board": "--", "side_to_move": "green", "goal": "best", "limits": {"depth": 99, "tiem_ms": 5}});
    let problem = problem(Server::start().post("/v1/othello/analysis", &body), 422, "invalid_request");
    let pointers: Vec<&str> = problem["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|error| error["pointer"].as_str().unwrap())
        .collect();
    assert_eq!(pointers, ["/side_to_move", "/board", "/goal", "/limits/tiem_ms", "/limits/depth"]);
    let message = problem["errors"][3]["message"].as_str().unwrap();
    assert_eq!(message, "there is no field `tiem_ms`; did you mean `time_ms`?");
}

#[test]
fn bodies_that_are_not_json_are_refused_as_such() {
    let server = Server::start();
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let texts: [&[u8]; 17] = [
        b"",
        b" ",
        b"{",
        b"}",
        b"{\"moves\": }",
        b"{\"moves\": \"f5\"",
        b"{'moves': 'f5'}",
        b"{moves: \"f5\"}",
        b"NaN",
        b"{\"limits\": {\"time_ms\": NaN}}",
        b"{\"limits\": {\"time_ms\": 1e999}}",
        b"{\"moves\": \"f5\"} {}",
        b"{\"moves\": \"f5\",}",
        b"\xff\xfe",
        b"{\"moves\": \"\xff\"}",
        b"\xef\xbb\xbf{}",
        b"{\"moves\": \"\x00\"}",
    ];
    for text in texts.into_iter().chain([deep.as_bytes()]) {
        let response = server
            .request(Method::POST, "/v1/othello/analysis")
            .header("content-type", "application/json")
            .body(text.to_vec())
            .send()
            .unwrap();
        problem(response, 400, "invalid_json");
    }
}

#[test]
fn a_name_given_twice_is_refused_wherever_it_stands() {
    let server = Server::start();
    for (pointer, text) in [
        ("/moves", r#"{"moves": "f5", "moves": "f5"}"#),
        ("/limits/depth", r#"{"moves": "f5", "limits": {"depth": 3, "depth": 30}}"#),
        ("/board/black", r#"{"board": {"black": "1", "black": "1", "white": "2"}, "side_to_move": "black"}"#),
    ] {
        let request =
            server.request(Method::POST, "/v1/othello/analysis").header("content-type", "application/json");
        let problem = problem(request.body(text).send().unwrap(), 422, "invalid_request");
        assert_eq!(
            (&problem["errors"][0]["pointer"], &problem["errors"][0]["code"]),
            (&json!(pointer), &json!("duplicate_field"))
        );
    }
}

#[test]
fn other_media_types_charsets_and_encodings_are_refused() {
    let server = Server::start();
    let send = |name: &'static str, value: &'static str| {
        let request = server.request(Method::POST, "/v1/othello/legal-moves").body(r#"{"moves": "f5"}"#);
        let request =
            if name == "content-type" { request } else { request.header("content-type", "application/json") };
        request.header(name, value).send().unwrap()
    };
    for value in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "json",
        "",
        "application/json; charset=latin1",
    ] {
        problem(send("content-type", value), 415, "unsupported_media_type");
    }
    problem(send("content-encoding", "gzip"), 415, "unsupported_media_type");
    let bare =
        server.request(Method::POST, "/v1/othello/legal-moves").body(r#"{"moves": "f5"}"#).send().unwrap();
    problem(bare, 415, "unsupported_media_type");
    for value in [
        "application/json",
        "Application/JSON; charset=UTF-8",
        "application/json;charset=\"utf-8\"",
        "application/vnd.api+json",
    ] {
        assert_eq!(send("content-type", value).status(), 200, "{value}");
    }
}

#[test]
fn a_body_beyond_the_limit_is_refused_declared_or_not() {
    let server = Server::start();
    let body = format!("{{\"moves\": \"{}\"}}", " ".repeat(70_000));
    let request =
        || server.request(Method::POST, "/v1/othello/play").header("content-type", "application/json");
    problem(request().body(body.clone()).send().unwrap(), 413, "body_too_large");
    let chunked = reqwest::blocking::Body::new(std::io::Cursor::new(body.into_bytes()));
    problem(request().body(chunked).send().unwrap(), 413, "body_too_large");
}
