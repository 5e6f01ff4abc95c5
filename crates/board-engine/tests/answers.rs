//! The engine for the browser, asked as its worker asks it, on an ordinary machine.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Mutex;

use board_engine::answer::{Answer, Host, answer};
use searchkit::clock::StoppedClock;
use serde_json::{Value, json};

fn ask(path: &str, body: &str) -> (Answer, Vec<Value>) {
    let steps = Mutex::new(Vec::new());
    let tell = |step: &str| steps.lock().unwrap().push(serde_json::from_str(step).unwrap());
    let answer = answer(path, body.as_bytes(), &Host { clock: &StoppedClock, tell: &tell });
    (answer, steps.into_inner().unwrap())
}

fn told(path: &str, body: &Value) -> Value {
    let (answer, _) = ask(path, &body.to_string());
    assert_eq!(answer.status, 200, "{}", answer.body);
    serde_json::from_str(&answer.body).unwrap()
}

#[test]
fn the_rules_of_both_games_are_the_services() {
    let othello = told("/v1/othello/legal-moves", &json!({ "moves": "f5d6" }));
    let moves: Vec<_> =
        othello["moves"].as_array().unwrap().iter().map(|entry| entry["move"].as_str().unwrap()).collect();
    assert_eq!(moves, ["c3", "c4", "c5", "c6", "c7"]);
    let gomoku = told("/v1/gomoku/legal-moves", &json!({ "moves": "h8", "rule": "renju", "size": 15 }));
    assert_eq!((gomoku["moves"].as_array().unwrap().len(), &gomoku["status"]), (224, &json!("in_progress")));
    let read = told("/v1/othello/play", &json!({ "text": "1. F5 D6 2. C3" }));
    assert_eq!(read["played"], json!(["f5", "d6", "c3"]));
}

#[test]
fn faults_are_told_at_their_place_with_the_services_codes() {
    let (answer, _) = ask("/v1/othello/play", r#"{"text":"f5 d6 c9"}"#);
    let problem: Value = serde_json::from_str(&answer.body).unwrap();
    assert_eq!((answer.status, &problem["errors"][0]["pointer"]), (422, &json!("/text/6")));
    assert_eq!(ask("/v1/othello/analysis", "{").0.status, 400);
    assert_eq!(ask("/v1/othello/elsewhere", "{}").0.status, 404);
}

#[test]
fn an_analysis_tells_every_depth_and_then_its_last_word() {
    let question = json!({ "moves": "f5d6c3", "goal": "all_moves", "limits": { "depth": 5 } });
    let (answer, steps) = ask("/v1/othello/analysis", &question.to_string());
    let last: Value = serde_json::from_str(&answer.body).unwrap();
    let depths: Vec<_> = steps.iter().map(|step| step["search"]["depth"].as_u64().unwrap()).collect();
    assert_eq!((depths, &last["search"]["stop_reason"]), (vec![1, 2, 3, 4, 5], &json!("depth")));
    assert!(steps.iter().all(|step| step["final"] == json!(false)) && last["final"] == json!(true));
}

/// What the page shares out over several engines comes back as one engine would have it.
#[test]
fn moves_searched_apart_have_the_values_that_they_have_together() {
    let question = |only: &[&str]| {
        let mut body = json!({ "moves": "f5d6c3d3c4", "goal": "all_moves", "limits": { "depth": 5, "selectivity_percent": 100 } });
        if !only.is_empty() {
            body["only"] = json!(only);
        }
        told("/v1/othello/analysis", &body)["moves"].as_array().unwrap().clone()
    };
    let value = |entry: &Value| (entry["move"].as_str().unwrap().to_owned(), entry["score"].clone());
    let mut together: Vec<_> = question(&[]).iter().map(value).collect();
    let names: Vec<String> = together.iter().map(|(name, _)| name.clone()).collect();
    let halves = names.chunks(names.len().div_ceil(2));
    let mut apart: Vec<_> = halves
        .flat_map(|half| question(&half.iter().map(String::as_str).collect::<Vec<_>>()))
        .map(|entry| value(&entry))
        .collect();
    let by_name = |a: &(String, Value), b: &(String, Value)| a.0.cmp(&b.0);
    together.sort_by(by_name);
    apart.sort_by(by_name);
    assert_eq!(apart, together);
}

#[test]
fn a_level_plays_and_threats_are_found_without_the_service() {
    let level = json!({ "moves": "f5", "goal": "best_move", "level": 3, "seed": 7 });
    assert_eq!(
        told("/v1/othello/analysis", &level)["best_move"],
        told("/v1/othello/analysis", &level)["best_move"]
    );
    let threats = json!({ "moves": "h8g8h9g9h10g10i7a1", "rule": "freestyle", "size": 15, "kind": "vcf", "limits": { "nodes": 50_000 } });
    let found = told("/v1/gomoku/threats", &threats);
    assert_eq!((&found["status"], &found["attacker_moves"]), (&json!("win"), &json!(2)));
}

#[test]
fn pictures_openings_and_comparisons_need_no_service_either() {
    let (answer, _) = ask("/v1/othello/board.svg", r#""moves=f5d6&width=200""#);
    assert!(answer.status == 200 && answer.body.starts_with("\"<svg"), "{}", answer.body);
    assert_eq!(ask("/v1/gomoku/board.svg", r#""width=none""#).0.status, 422);
    let opening = told(
        "/v1/gomoku/swap2",
        &json!({ "moves": "", "rule": "freestyle", "size": 15, "limits": { "nodes": 2_000 } }),
    );
    assert_eq!((&opening["choice"], opening["stones"].as_array().unwrap().len()), (&json!("place_three"), 3));
    let compared = told("/v1/othello/comparison", &json!({ "moves": "f5d6", "depths": [4] }));
    assert_eq!(
        (compared["rows"].as_array().unwrap().len(), &compared["search"]["complete"]),
        (4, &json!(true))
    );
}
