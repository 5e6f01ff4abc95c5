//! Gomoku requests that are refused: each fault with its place, code and a sentence.

use serde_json::{Value, json};

use crate::client::{Server, problem};

/// A body, the pointer and code of its fault, and part of the sentence.
type Case = (Value, &'static str, &'static str, &'static str);

fn assert_refused(server: &Server, path: &str, cases: Vec<Case>) {
    for (body, pointer, code, part) in cases {
        let answer = server.post(path, &body);
        assert_eq!(answer.status(), 422, "{body}");
        let reply: Value = answer.json().unwrap();
        let error = &reply["errors"][0];
        assert_eq!((&error["pointer"], &error["code"]), (&json!(pointer), &json!(code)), "{body}: {reply}");
        assert!(error["message"].as_str().unwrap().contains(part), "{body}: {reply}");
    }
}

#[test]
fn faults_of_positions_are_named_with_their_place() {
    let rows = |row: &str| {
        let mut rows = vec![".....".to_owned(); 5];
        rows[2] = row.to_owned();
        rows
    };
    let cases = vec![
        (json!({}), "", "missing_field", "`moves`, `board` or `text`"),
        (json!({"moves": "h8h8"}), "/moves/2", "illegal_move", "h8: the point is occupied"),
        (json!({"moves": ["h8", "h8"]}), "/moves/1", "illegal_move", "occupied"),
        (json!({"moves": "h8 q3"}), "/moves/3", "invalid_position", "not on a 15x15 board"),
        (json!({"moves": ["h8", "q3"]}), "/moves/1", "invalid_position", "not on a 15x15 board"),
        (json!({"moves": [[7, 15]]}), "/moves/0", "invalid_position", "not on a 15x15 board"),
        (json!({"moves": [[7]]}), "/moves/0", "invalid_position", "two numbers"),
        (json!({"moves": [7]}), "/moves/0", "wrong_type", "h8"),
        (json!({"moves": 7}), "/moves", "wrong_type", "a string or an array"),
        (json!({"moves": "h8", "side_to_move": "white"}), "/side_to_move", "conflict", "black moves first"),
        (json!({"moves": "a1", "size": 4}), "/size", "out_of_range", "within 5 and 20"),
        (json!({"moves": "a1", "size": 21}), "/size", "out_of_range", "within 5 and 20"),
        (json!({"moves": "h8", "rule": "caro"}), "/rule", "not_available", "caro"),
        (json!({"moves": "h8", "rule": "Renju"}), "/rule", "not_one_of", "freestyle, standard and renju"),
        (json!({"moves": "h8", "rule": "free\u{7f}style"}), "/rule", "not_one_of", r"`free\u{7f}style`"),
        (json!({"moves": "h8", "row_one": "middle"}), "/row_one", "not_one_of", "`top`, `bottom`"),
        (json!({"board": rows("..?..")}), "/board/2/2", "invalid_position", "`?` is no symbol"),
        (json!({"board": rows("....")}), "/board/2", "invalid_position", "4 cells"),
        (json!({"board": rows(".....").join("")[1..]}), "/board", "invalid_position", "24 cells"),
        (json!({"board": []}), "/board", "invalid_position", "0 cells"),
        (json!({"board": rows("XX...")}), "/side_to_move", "missing_field", "2 stones and white 0"),
        (
            json!({"board": rows("..X.."), "coding": {"black": 1, "white": 2, "empty": 0}}),
            "/coding",
            "conflict",
            "numbers",
        ),
        (json!({"board": rows("..X.."), "size": 6}), "/size", "conflict", "5x5"),
        (json!({"board": vec![-1; 25]}), "/board/0", "invalid_position", "`coding`"),
        (json!({"board": vec![7; 25]}), "/board/0", "invalid_position", "7 is neither"),
        (
            json!({"board": vec![0; 25], "coding": {"black": 1, "white": 1, "empty": 0}}),
            "/coding",
            "conflict",
            "different",
        ),
        (json!({"board": true}), "/board", "wrong_type", "a string or an array"),
        (json!({"text": ""}), "/text", "invalid_position", "empty"),
        (json!({"text": "h8", "moves": "h8"}), "/moves", "conflict", "whole position"),
        (json!({"text": "h8", "side_to_move": "black"}), "/side_to_move", "conflict", "black moves first"),
        (json!({"moves": "h8", "in_a_row": 6}), "/in_a_row", "unknown_field", "no field `in_a_row`"),
        (json!({"moves": "h8", "szie": 15}), "/szie", "unknown_field", "did you mean `size`"),
    ];
    assert_refused(&Server::start(), "/v1/gomoku/legal-moves", cases);
}

#[test]
fn two_winners_are_no_position() {
    let board = ["XXXXX", ".....", "OOOOO", ".....", "....."];
    let body = json!({"board": board});
    let reply = problem(Server::start().post("/v1/gomoku/play", &body), 422, "invalid_request");
    assert_eq!(reply["errors"][0]["pointer"], "/moves");
    let reply = problem(Server::start().post("/v1/gomoku/legal-moves", &body), 422, "invalid_position");
    assert!(reply["errors"][0]["message"].as_str().unwrap().contains("both colours"), "{reply}");
}

#[test]
fn renju_refuses_forbidden_moves_with_the_reason() {
    let body = json!({"moves": "h8a1h9a3i7a5j7a7", "rule": "renju"});
    let mut moves = body["moves"].as_str().unwrap().to_owned();
    moves.push_str("h7");
    let reply = problem(
        Server::start().post("/v1/gomoku/play", &json!({"moves": moves, "rule": "renju"})),
        422,
        "illegal_move",
    );
    assert!(reply["errors"][0]["message"].as_str().unwrap().contains("double-three"), "{reply}");
    let freestyle = Server::start().post("/v1/gomoku/play", &json!({"moves": moves, "rule": "freestyle"}));
    assert_eq!(freestyle.status(), 200);
}

#[test]
fn faults_of_analyses_are_named_with_their_place() {
    let with = |extra: Value| {
        let mut body = json!({"moves": "h8i9"});
        body.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        body
    };
    let cases = vec![
        (with(json!({"goal": "win_loss_draw"})), "/goal", "not_one_of", "`best_move`, `all_moves`, `top_n`"),
        (with(json!({"goal": "top_n"})), "/count", "missing_field", "how many"),
        (with(json!({"count": 3})), "/count", "conflict", "top_n"),
        (with(json!({"limits": {"depth": 61}})), "/limits/depth", "out_of_range", "60"),
        (with(json!({"limits": {"time_ms": 0}})), "/limits/time_ms", "out_of_range", "60000"),
        (
            with(json!({"limits": {"exact_from_empties": 3}})),
            "/limits/exact_from_empties",
            "unknown_field",
            "known here are",
        ),
        (with(json!({"only": ["h8"]})), "/only/0", "illegal_move", "occupied"),
        (with(json!({"only": ["h9"], "avoid": ["h9"]})), "", "conflict", "no legal move"),
        (with(json!({"level": 31})), "/level", "out_of_range", "30"),
        (with(json!({"level": "hard"})), "/level", "wrong_type", "number"),
        (with(json!({"seed": 5})), "/seed", "conflict", "`level`"),
        (with(json!({"level": 5, "limits": {"depth": 3}})), "/limits/depth", "conflict", "time_ms"),
        (with(json!({"level": 5, "limits": {"nodes": 3}})), "/limits/nodes", "conflict", "time_ms"),
        (with(json!({"clock": {}})), "/clock/remaining_ms", "missing_field", "left"),
        (
            with(json!({"clock": {"remaining_ms": 5}, "limits": {"time_ms": 5}})),
            "/limits/time_ms",
            "conflict",
            "clock",
        ),
        (
            with(json!({"clock": {"remaining_ms": 5}, "level": 3, "deterministic": true})),
            "/clock",
            "conflict",
            "never the same twice",
        ),
        (with(json!({"empties": "winner"})), "/empties", "unknown_field", "no field"),
        (with(json!({"deterministic": true})), "/deterministic", "conflict", "limits.depth"),
        (with(json!({"threads": 3})), "/threads", "out_of_range", "2"),
        (with(json!({"include": ["position"]})), "/include/0", "not_one_of", "cutoffs"),
    ];
    assert_refused(&Server::start(), "/v1/gomoku/analysis", cases);
}

#[test]
fn faults_of_threat_requests_are_named_with_their_place() {
    let cases = vec![
        (json!({"moves": "h8"}), "/kind", "missing_field", "vcf"),
        (json!({"moves": "h8", "kind": "vcx"}), "/kind", "not_one_of", "`vcf`, `vct`"),
        (
            json!({"moves": "h8", "kind": "vcf", "limits": {"depth": 3}}),
            "/limits/depth",
            "conflict",
            "time and nodes",
        ),
        (json!({"moves": "h8", "kind": "vcf", "goal": "best_move"}), "/goal", "unknown_field", "no field"),
    ];
    assert_refused(&Server::start(), "/v1/gomoku/threats", cases);
}
