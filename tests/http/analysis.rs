//! Analyses: goals, limits, passes, ends, and what makes two answers equal.

use serde_json::{Value, json};

use crate::client::{Server, ok, problem};

const PATH: &str = "/v1/othello/analysis";

fn analyse(server: &Server, body: Value) -> Value {
    ok(server.post(PATH, &body))
}

#[test]
fn the_four_moves_of_the_start_are_worth_the_same_and_stand_by_index() {
    let reply = analyse(&Server::start(), json!({"moves": "", "goal": "all_moves", "limits": {"depth": 6}}));
    let moves = reply["moves"].as_array().unwrap();
    let names: Vec<&str> = moves.iter().map(|mv| mv["move"].as_str().unwrap()).collect();
    assert_eq!(names, ["d3", "c4", "f5", "e6"]);
    for mv in moves {
        assert_eq!(mv["score"]["discs"], moves[0]["score"]["discs"]);
        assert_eq!((&mv["score"]["kind"], &mv["score"]["bound"]), (&json!("estimate"), &json!("exact")));
        assert_eq!(mv["loss"], 0.0);
        let chance = mv["score"]["win_probability"].as_f64().unwrap();
        let ahead = mv["score"]["discs"].as_f64().unwrap() > 0.0;
        assert!((0.25..0.75).contains(&chance) && (chance > 0.5) == ahead, "{mv}");
        assert_eq!(mv["principal_variation"][0], mv["move"]);
    }
    assert_eq!(reply["best_move"], "d3");
    assert_eq!(reply["search"]["stop_reason"], "depth");
    assert_eq!(reply["search"]["limits_applied"]["time_ms"], 60_000);
    assert_eq!(
        reply["scoring"],
        json!({"unit": "discs", "point_of_view": "side_to_move", "empties": "winner"})
    );
    assert_eq!((&reply["final"], &reply["assumed"]), (&json!(true), &json!([])));
}

#[test]
fn four_by_four_is_solved_under_both_rules_for_empty_squares() {
    let server = Server::start();
    for (empties, discs) in [("winner", -10), ("nobody", -8)] {
        let reply =
            analyse(&server, json!({"moves": "", "size": 4, "goal": "all_moves", "empties": empties}));
        assert_eq!(reply["moves"].as_array().unwrap().len(), 4);
        for mv in reply["moves"].as_array().unwrap() {
            assert_eq!((&mv["score"]["kind"], &mv["score"]["discs"]), (&json!("exact"), &json!(discs)));
            assert_eq!(mv["score"]["win_probability"], 0.0);
        }
        assert_eq!(reply["search"]["stop_reason"], "solved");
        assert_eq!(reply["scoring"]["empties"], empties);
    }
}

#[test]
fn win_loss_draw_tells_the_sign_alone() {
    let reply = analyse(&Server::start(), json!({"moves": "", "size": 4, "goal": "win_loss_draw"}));
    let score = &reply["score"];
    assert_eq!((&score["kind"], &score["sign"], &score["discs"]), (&json!("sign"), &json!(-1), &Value::Null));
    assert_eq!(score["win_probability"], 0.0);
}

#[test]
fn a_forced_pass_is_the_one_move_and_has_a_value() {
    // Case PO03 of the public reports: white has no move, black has twelve.
    let moves = "f5d6c3d3c4f4f6f3e3b4c5c6e6e2e7d2f1d7a3a4b3g6a5a2a1f2g5f7b2c2b5e1b1g1c1h4g3b6d1h2h1g2h3";
    let reply =
        analyse(&Server::start(), json!({"moves": moves, "limits": {"depth": 5, "exact_from_empties": 0}}));
    assert_eq!(reply["position"]["status"], "must_pass");
    assert_eq!(reply["best_move"], "pass");
    assert_eq!(reply["moves"].as_array().unwrap().len(), 1);
    assert!(reply["score"]["discs"].is_number(), "{reply}");
}

#[test]
fn a_finished_game_has_no_move_but_a_result() {
    let reply = analyse(&Server::start(), json!({"moves": "f5d6c5f6e7f4g5e6e3"}));
    assert_eq!((&reply["best_move"], &reply["moves"]), (&Value::Null, &json!([])));
    assert_eq!((&reply["score"]["kind"], &reply["score"]["discs"]), (&json!("exact"), &json!(-64)));
    assert_eq!(reply["result"], json!({"winner": "black", "discs": {"black": 13, "white": 0}, "margin": 64}));
    assert_eq!(reply["search"]["stop_reason"], "no_move");
    let raw = analyse(&Server::start(), json!({"moves": "f5d6c5f6e7f4g5e6e3", "empties": "nobody"}));
    assert_eq!((&raw["score"]["discs"], &raw["result"]["margin"]), (&json!(-13), &json!(13)));
}

#[test]
fn even_a_millisecond_is_answered_with_a_legal_move() {
    let server = Server::start();
    let response = server.post(PATH, &json!({"moves": "f5d6", "limits": {"time_ms": 1}}));
    // A machine that is busy elsewhere may not find a thread within the millisecond; then it says so.
    if response.status() == 503 {
        assert!(response.headers().contains_key("retry-after"));
        problem(response, 503, "overloaded");
    } else {
        let reply = ok(response);
        let legal = ok(server.get("/v1/othello/legal-moves?moves=f5d6"));
        assert!(
            legal["moves"].as_array().unwrap().iter().any(|mv| mv["move"] == reply["best_move"]),
            "{reply}"
        );
    }
}

#[test]
fn without_a_limit_the_default_time_applies_and_is_reported() {
    let reply = analyse(&Server::start(), json!({"moves": "f5", "limits": {"selectivity_percent": 95}}));
    let applied = &reply["search"]["limits_applied"];
    assert_eq!((&applied["time_ms"], &applied["search_ms"]), (&json!(1_000), &json!(970)));
    assert_eq!((&applied["selectivity_percent"], &applied["exact_from_empties"]), (&json!(95), &json!(20)));
    assert_eq!(applied["depth"], Value::Null);
    assert_eq!(reply["search"]["stop_reason"], "time");
}

#[test]
fn a_deterministic_answer_is_the_same_bytes_without_times() {
    let ask = || {
        let body = json!({"moves": "f5d6c3", "deterministic": true, "goal": "all_moves", "limits": {"nodes": 20_000},
                          "include": ["rows", "cutoffs"]});
        let response = Server::start().post(PATH, &body);
        assert_eq!(response.status(), 200);
        response.text().unwrap()
    };
    let answer = ask();
    assert_eq!(answer, ask());
    for time in ["elapsed_ms", "queued_ms", "nodes_per_second", "nps", "time_ms"] {
        assert!(!answer.contains(time), "{time} in {answer}");
    }
}

#[test]
fn a_turned_question_gets_the_turned_answer() {
    let server = Server::start();
    let ask = |moves: &str| {
        let reply = analyse(
            &server,
            json!({"moves": moves, "goal": "all_moves", "deterministic": true, "limits": {"depth": 6}}),
        );
        let mut values: Vec<String> =
            reply["moves"].as_array().unwrap().iter().map(|mv| mv["score"]["discs"].to_string()).collect();
        values.sort_unstable();
        (values, reply["position"]["canonical_id"].clone(), reply["position"]["opening"]["name"].clone())
    };
    // The four orientations of the Tiger (case PO25 of the public reports).
    let first = ask("f5d6c3d3c4");
    assert_eq!(first.2, "Tiger");
    for turned in ["e6f4c3c4d3", "d3c5f6f5e6", "c4e3f6e6f5"] {
        assert_eq!(ask(turned), first, "{turned}");
    }
}

#[test]
fn only_and_avoid_restrict_the_moves() {
    let server = Server::start();
    let names = |body: Value| -> Vec<String> {
        let reply = analyse(&server, body);
        assert!(
            reply["moves"].as_array().unwrap().iter().all(|mv| mv["loss"].is_null()),
            "the best move may be left out"
        );
        reply["moves"].as_array().unwrap().iter().map(|mv| mv["move"].as_str().unwrap().to_owned()).collect()
    };
    let limits = json!({"depth": 4});
    assert_eq!(names(json!({"moves": "", "only": ["F5"], "limits": limits})), ["f5"]);
    assert_eq!(
        names(json!({"moves": "", "goal": "all_moves", "avoid": ["f5", "d3"], "limits": limits})),
        ["c4", "e6"]
    );
}

#[test]
fn parts_are_included_on_request() {
    let server = Server::start();
    let plain = analyse(&server, json!({"moves": "f5", "limits": {"depth": 3}}));
    assert!(
        plain["rows"].is_null()
            && plain["search"]["cutoffs"].is_null()
            && plain["position"]["rows"].is_null()
    );
    let full = analyse(
        &server,
        json!({"moves": "f5", "goal": "all_moves", "limits": {"depth": 3}, "include": ["position", "cutoffs", "rows"]}),
    );
    assert_eq!(full["position"]["rows"][4], "---XXX--");
    assert!(full["search"]["cutoffs"]["beta"].is_u64());
    let (row, mv) = (&full["rows"][0], &full["moves"][0]);
    let name = format!(
        "{}{}",
        char::from(b'a' + u8::try_from(row["col"].as_u64().unwrap()).unwrap()),
        row["row"].as_u64().unwrap() + 1
    );
    assert_eq!(
        (mv["move"].as_str().unwrap(), &mv["score"]["discs"], &mv["nodes"]),
        (name.as_str(), &row["score"], &row["nodes"])
    );
}

#[test]
fn top_n_values_as_many_as_asked() {
    let reply = analyse(
        &Server::start(),
        json!({"moves": "f5d6c3d3", "goal": "top_n", "count": 3, "limits": {"depth": 4}}),
    );
    for mv in &reply["moves"].as_array().unwrap()[..3] {
        assert_eq!(mv["score"]["bound"], "exact", "{mv}");
    }
}

#[test]
fn a_draining_service_takes_no_more_work() {
    let server = Server::start();
    server.state.service().pool().drain(std::time::Duration::ZERO);
    let response = server.post(PATH, &json!({"moves": "f5"}));
    assert_eq!(response.headers()["retry-after"], "2");
    assert_eq!(problem(response, 503, "draining")["retry_after_ms"], 2_000);
}
