//! The explained evaluation: sums, colours, stable discs and bounds, regions.

use serde_json::{Value, json};

use crate::client::{Server, ok, problem};

const PATH: &str = "/v1/othello/evaluation";

fn hundredths(value: &Value) -> i64 {
    (value.as_f64().unwrap() * 100.0).round() as i64
}

fn seeds(name: &str) -> Value {
    let path = format!("{}/tests/data/seeds/{name}", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn body(entry: &Value) -> Value {
    let side = if entry["side"] == "X" { "black" } else { "white" };
    json!({"board": entry["board"], "side_to_move": side})
}

#[test]
fn eight_terms_add_up_from_their_weights_and_counts() {
    let server = Server::start();
    for entry in seeds("othello_selective.json")["positions"].as_array().unwrap() {
        let reply = ok(server.post(PATH, &body(entry)));
        let terms = reply["terms"].as_array().unwrap();
        let names: Vec<&str> = terms.iter().map(|term| term["term"].as_str().unwrap()).collect();
        let expected =
            ["positional", "mobility", "corners", "frontier", "material", "parity", "danger", "stable"];
        assert_eq!(names, expected);
        let sign = if entry["side"] == "X" { 1 } else { -1 };
        let mut total = 0;
        for term in terms {
            let side_sum = |color: &str| -> i64 {
                let parts = term["parts"].as_array().unwrap().iter();
                parts.map(|part| hundredths(&part["weight"]) * part[color].as_i64().unwrap()).sum()
            };
            let (black, white) = (hundredths(&term["black"]), hundredths(&term["white"]));
            assert_eq!((side_sum("black"), side_sum("white")), (black, white), "{term}");
            assert_eq!(hundredths(&term["value"]), sign * (black - white), "{term}");
            total += sign * (black - white);
        }
        assert_eq!(hundredths(&reply["terms_total"]), total.clamp(-6_400, 6_400));
        let discs = &reply["position"]["discs"];
        assert_eq!(terms[4]["parts"][0]["black"], discs["black"], "material counts discs");
        assert!(reply["estimate"]["discs"].is_number() && reply["estimate"]["evaluation"].is_string());
    }
}

#[test]
fn swapping_the_colours_leaves_what_the_side_to_move_sees() {
    let server = Server::start();
    for entry in seeds("othello_selective.json")["positions"].as_array().unwrap() {
        let swapped: String = entry["board"]
            .as_str()
            .unwrap()
            .chars()
            .map(|cell| match cell {
                'X' => 'O',
                'O' => 'X',
                other => other,
            })
            .collect();
        let side = if entry["side"] == "X" { "white" } else { "black" };
        let one = ok(server.post(PATH, &body(entry)));
        let other = ok(server.post(PATH, &json!({"board": swapped, "side_to_move": side})));
        assert_eq!(one["terms_total"], other["terms_total"]);
        assert_eq!(one["estimate"], other["estimate"]);
        assert_eq!(one["bounds"], other["bounds"]);
        assert_eq!(one["legal_moves"]["black"], other["legal_moves"]["white"]);
        assert_eq!(one["stable"]["black"], other["stable"]["white"]);
        assert_eq!(one["frontier"]["white"], other["frontier"]["black"]);
    }
}

#[test]
fn stable_discs_are_truly_stable_and_their_bounds_hold_where_the_unsound_cut_fails() {
    let server = Server::start();
    let data = seeds("othello_stability.json");
    for entry in data["cutoff_counterexamples"].as_array().unwrap() {
        let reply = ok(server.post(PATH, &body(entry)));
        let value = entry["value"].as_i64().unwrap();
        let bound = |name: &str| reply["bounds"][name].as_i64().unwrap();
        assert!(bound("lower") <= value && value <= bound("upper"), "{entry}: {}", reply["bounds"]);
        let count = |color: &str| reply["stable"][color]["count"].as_i64().unwrap();
        let (own, other) = if entry["side"] == "X" {
            (count("black"), count("white"))
        } else {
            (count("white"), count("black"))
        };
        assert_eq!((bound("lower"), bound("upper")), (2 * own - 64, 64 - 2 * other));
    }
}

#[test]
fn masks_name_the_same_squares_as_their_lists() {
    // A full bottom row of black: every disc of it is stable, nothing else is.
    let mut board = "-".repeat(27) + "OX------XO" + &"-".repeat(19);
    board += "XXXXXXXX";
    let reply = ok(Server::start().post(PATH, &json!({"board": board, "side_to_move": "black"})));
    let black = &reply["stable"]["black"];
    assert_eq!((&black["count"], &black["mask"]), (&json!(8), &json!("0xff00000000000000")));
    assert_eq!(black["squares"], json!(["a8", "b8", "c8", "d8", "e8", "f8", "g8", "h8"]));
    assert_eq!(reply["stable"]["white"], json!({"count": 0, "mask": "0x0000000000000000", "squares": []}));
    assert_eq!(reply["bounds"], json!({"lower": -48, "upper": 64}));
}

#[test]
fn regions_tell_parity_and_who_can_move_there() {
    // a1 is empty and of use to nobody; g8 and h8 are white's.
    let board = format!("-{}{}--", "O".repeat(7), "X".repeat(54));
    let reply = ok(Server::start().post(PATH, &json!({"board": board, "side_to_move": "black"})));
    assert_eq!(
        reply["regions"],
        json!([
            {"size": 1, "parity": "odd", "squares": ["a1"], "black_moves": 0, "white_moves": 0},
            {"size": 2, "parity": "even", "squares": ["g8", "h8"], "black_moves": 0, "white_moves": 2},
        ])
    );
    assert_eq!(reply["legal_moves"], json!({"black": 0, "white": 2}));
    let quadrants: Vec<&Value> =
        reply["quadrants"].as_array().unwrap().iter().map(|quadrant| &quadrant["empties"]).collect();
    assert_eq!(quadrants, [&json!(1), &json!(0), &json!(0), &json!(2)]);
    assert_eq!(reply["position"]["status"], "must_pass");
}

#[test]
fn the_start_is_even_for_both_on_every_board() {
    let server = Server::start();
    for (size, regions, empties) in [(4, 1, 12), (6, 1, 32), (8, 1, 60)] {
        let reply = ok(server.post(PATH, &json!({"moves": "", "size": size})));
        assert_eq!(reply["legal_moves"], json!({"black": 4, "white": 4}));
        assert_eq!(reply["frontier"], json!({"black": 2, "white": 2}));
        assert_eq!(reply["regions"].as_array().unwrap().len(), regions);
        assert_eq!(reply["regions"][0]["size"], empties);
        assert_eq!(reply["bounds"], json!({"lower": -(size * size), "upper": size * size}));
        assert_eq!(reply["result"], Value::Null);
    }
    let over = ok(server.post(PATH, &json!({"moves": "f5d6c5f6e7f4g5e6e3"})));
    assert_eq!((&over["result"]["winner"], &over["result"]["margin"]), (&json!("black"), &json!(64)));
}

#[test]
fn what_is_no_position_is_refused() {
    let server = Server::start();
    let reply = problem(server.post(PATH, &json!({"moves": "f5", "depth": 3})), 422, "unknown_field");
    assert_eq!(reply["errors"][0]["pointer"], "/depth");
    problem(server.post(PATH, &json!({"moves": "a1"})), 422, "illegal_move");
    problem(server.post(PATH, &json!({})), 422, "invalid_request");
}
