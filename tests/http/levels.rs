//! Playing strengths and game clocks.

use std::collections::HashSet;

use serde_json::{Value, json};

use crate::client::{Server, ok};

const PATH: &str = "/v1/othello/analysis";

fn ask(server: &Server, body: Value) -> Value {
    ok(server.post(PATH, &body))
}

#[test]
fn a_level_plays_a_legal_move_that_stands_first_with_its_honest_value() {
    let server = Server::start();
    for level in [1, 5, 13, 14] {
        for seed in 0..8 {
            let reply = ask(&server, json!({"moves": "f5d6c3d3c4", "level": level, "seed": seed}));
            let moves = reply["moves"].as_array().unwrap();
            assert_eq!(reply["best_move"], moves[0]["move"]);
            assert_eq!(reply["score"], moves[0]["score"]);
            let discs = |entry: &Value| entry["score"]["discs"].as_f64().unwrap();
            let best = moves
                .iter()
                .filter(|entry| entry["score"]["bound"] == "exact")
                .map(discs)
                .fold(f64::MIN, f64::max);
            let loss = moves[0]["loss"].as_f64().unwrap();
            assert!((best - discs(&moves[0]) - loss).abs() < 0.001, "{reply}");
            if level >= 14 {
                assert_eq!(loss, 0.0, "strong levels do not slip");
            }
            let ranked: Vec<f64> = moves[1..].iter().map(discs).collect();
            assert!(level >= 14 || ranked.windows(2).all(|pair| pair[0] >= pair[1]), "the others best first");
            let applied = &reply["search"]["limits_applied"];
            assert_eq!((&applied["level"], &applied["seed"]), (&json!(level), &json!(seed)));
            assert_eq!(applied["threads"], 1);
        }
    }
}

#[test]
fn seeds_make_the_choice_and_nothing_else_does() {
    let server = Server::start();
    let choice = |seed: u64| {
        let body = json!({"moves": "f5d6c3d3c4", "level": 1, "seed": seed, "deterministic": true});
        let reply = ask(&server, body.clone());
        assert_eq!(reply, ask(&server, body));
        reply["best_move"].as_str().unwrap().to_owned()
    };
    let choices: HashSet<String> = (0..20).map(choice).collect();
    assert!(choices.len() > 2, "{choices:?}");
    let without = ask(&server, json!({"moves": "f5d6c3d3c4", "level": 1}));
    assert_eq!(without["best_move"], choice(0));
    assert_eq!(without["search"]["limits_applied"]["seed"], 0);
}

/// The same line with rows and columns exchanged.
#[test]
fn a_turned_game_gets_the_turned_choice() {
    let server = Server::start();
    for seed in 0..10 {
        let choice = |moves: &str| {
            let reply = ask(&server, json!({"moves": moves, "level": 2, "seed": seed}));
            reply["best_move"].as_str().unwrap().to_owned()
        };
        let turned: String = choice("f5d6c3")
            .bytes()
            .rev()
            .map(|byte| match byte {
                b'a'..=b'h' => char::from(byte - b'a' + b'1'),
                _ => char::from(byte - b'1' + b'a'),
            })
            .collect();
        assert_eq!(choice("e6f4c3"), turned);
    }
}

#[test]
fn passes_and_ends_have_no_choice() {
    let server = Server::start();
    let board = format!("XO{}XO{}", "-".repeat(14), "-".repeat(46));
    for level in [1, 30] {
        let reply = ask(&server, json!({"board": board, "side_to_move": "white", "level": level}));
        assert_eq!(reply["best_move"], "pass");
        let reply = ask(&server, json!({"board": "X".repeat(64), "side_to_move": "white", "level": level}));
        assert_eq!(reply["best_move"], Value::Null);
    }
}

#[test]
fn a_clock_is_shared_out_among_the_moves_to_come() {
    let server = Server::start();
    let applied = |clock: Value| {
        let reply = ask(&server, json!({"moves": "f5d6c3d3c4", "clock": clock, "limits": {"depth": 1}}));
        reply["search"]["limits_applied"]["time_ms"].as_u64().unwrap()
    };
    let alone = applied(json!({"remaining_ms": 300_000}));
    assert!((9_000..=15_000).contains(&alone), "{alone}");
    assert!(applied(json!({"remaining_ms": 300_000, "increment_ms": 1_000})) > alone + 800);
    assert_eq!(applied(json!({"remaining_ms": 31_030, "moves_left": 1})), 31_000);
    assert_eq!(applied(json!({"remaining_ms": 3_600_000})), 60_000, "the cap of the service");
}
