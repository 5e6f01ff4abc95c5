//! Real reports of what other programs got wrong, asked over HTTP. The rules and values behind them are tested in the
//! engine; here it is the answer that counts. PO03 and PO15 stand with the analyses, PO25 too.

use serde_json::{Value, json};

use crate::client::{Server, ok};

const ANALYSIS: &str = "/v1/othello/analysis";

#[test]
fn po04_a_written_pass_is_understood_and_never_worth_nan() {
    let server = Server::start();
    let before = "F5D6C5F4D3E3F2C6G5B5A5B4B3C4C3A6A7A3F3E6C7B6D7D8B8E7F7E8C8A8A4F8A2B7";
    let after = ok(server.post("/v1/othello/legal-moves", &json!({"moves": format!("{before}PA")})));
    assert_eq!(
        (&after["position"]["empties"], &after["position"]["side_to_move"]),
        (&json!(26), &json!("white"))
    );
    let body = json!({"moves": before, "limits": {"depth": 4, "exact_from_empties": 0}});
    let reply = ok(server.post(ANALYSIS, &body));
    assert_eq!(reply["moves"].as_array().unwrap().len(), 1);
    assert_eq!(reply["moves"][0]["move"], "pass");
    assert!(reply["moves"][0]["score"]["discs"].as_f64().unwrap().abs() <= 64.0);
}

#[test]
fn po12_zero_is_a_number_and_no_value_is_null() {
    // A full board with 32 discs each.
    let moves = "D3C5F6F5F4C3C4D2E2B4D1F3B5E3F2F1A4D6E6E7F7B6E8C6B3A5D7A3E1A6G1A2C2C7B8D8C8G8G6H6G5H5G4H4H3G7H8F8H7A8A7B7A1B2G3G2H2H1C1B1";
    let reply = ok(Server::start().post(ANALYSIS, &json!({"moves": moves})));
    assert_eq!((&reply["score"]["discs"], &reply["score"]["win_probability"]), (&json!(0), &json!(0.5)));
    assert_eq!((&reply["result"]["winner"], &reply["result"]["margin"]), (&json!("draw"), &json!(0)));
}

#[test]
fn po15_shallow_values_are_finite_one_a_move_and_equal_for_images() {
    let server = Server::start();
    for moves in ["", "f5"] {
        let body = json!({"moves": moves, "goal": "all_moves", "limits": {"depth": 1}});
        let reply = ok(server.post(ANALYSIS, &body));
        let legal = ok(server.post("/v1/othello/legal-moves", &json!({"moves": moves})));
        let found = reply["moves"].as_array().unwrap();
        assert_eq!(found.len(), legal["moves"].as_array().unwrap().len());
        assert!(found.iter().all(|mv| mv["score"]["discs"].is_number()), "{reply}");
        if moves.is_empty() {
            assert!(found.iter().all(|mv| mv["score"] == found[0]["score"]), "{reply}");
        }
    }
}

#[test]
fn po17_the_highest_setting_still_answers_in_time() {
    let body = json!({"moves": "f5d6", "limits": {"depth": 60, "time_ms": 300}});
    let reply = ok(Server::start().post(ANALYSIS, &body));
    assert_eq!(reply["search"]["stop_reason"], "time");
    assert_eq!(reply["search"]["complete"], false);
    assert!(reply["best_move"].is_string());
    assert_eq!(reply["search"]["limits_applied"]["time_ms"], 300);
}

#[test]
fn po22_one_stateless_call_gives_the_next_move_and_one_checks_a_move() {
    let server = Server::start();
    let board = "---------------------------OX------XO---------------------------";
    let best =
        ok(server.post(ANALYSIS, &json!({"board": board, "side_to_move": "black", "limits": {"depth": 3}})));
    let mv = best["best_move"].as_str().unwrap();
    let play =
        ok(server.post("/v1/othello/play", &json!({"board": board, "side_to_move": "black", "moves": [mv]})));
    assert_eq!(play["played"], json!([mv]));
}

#[test]
fn po24_the_discs_are_counted() {
    let reply = ok(Server::start().post("/v1/othello/legal-moves", &json!({"moves": "f5d6"})));
    assert_eq!(reply["position"]["discs"], json!({"black": 3, "white": 3}));
    assert_eq!(reply["position"]["empties"], 58);
}

/// Tournament games picked for their ends: wipe-outs, passes, draws with empty squares, games that stop early.
#[test]
fn tournament_games_with_odd_ends_are_answered_as_they_ended() {
    let server = Server::start();
    let games = include_str!("../data/othello/formats/wthor-edge-games.jsonl");
    let mut finished = 0;
    for line in games.lines() {
        let game: Value = serde_json::from_str(line).unwrap();
        let reply = ok(server.post("/v1/othello/play", &json!({"moves": game["moves"]})));
        let position = &reply["position"];
        assert_eq!(
            position["discs"],
            json!({"black": game["black_discs"], "white": game["white_discs"]}),
            "{line}"
        );
        assert_eq!(position["empties"], game["empties"], "{line}");
        assert_eq!(position["status"] == "finished", game["game_over"] == true, "{line}");
        let passes = game["implied_pass_before_move"].as_array().unwrap().len();
        assert_eq!(reply["passes_added"].as_array().unwrap().len(), passes, "{line}");
        if position["status"] == "finished" {
            finished += 1;
            let analysis = ok(server.post(ANALYSIS, &json!({"moves": game["moves"]})));
            assert_eq!((&analysis["best_move"], &analysis["moves"]), (&Value::Null, &json!([])));
            let own = analysis["score"]["discs"].as_i64().unwrap();
            let black = if position["side_to_move"] == "black" { own } else { -own };
            assert_eq!(black, game["final_score_black_empties_to_winner"].as_i64().unwrap(), "{line}");
        }
    }
    assert!(finished > 30, "only {finished} games were finished");
}
