//! Pruning techniques side by side: golden rows through HTTP, refusals, CSV, time and cancellation.

use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value, json};

use crate::client::{Server, ok, problem};

const PATH: &str = "/v1/othello/comparison";

fn golden() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/seeds/othello_selective.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn side(entry: &Value) -> &'static str {
    if entry["side"] == "X" { "black" } else { "white" }
}

/// The golden row of a configuration at a depth.
fn golden_row<'g>(entry: &'g Value, mode: &Value, depth: &Value) -> &'g Value {
    let rows = entry["results"].as_array().unwrap();
    rows.iter().find(|row| row["mode"] == *mode && row["depth"] == *depth).unwrap()
}

#[test]
fn every_golden_position_has_its_golden_rows() {
    let server = Server::start();
    for entry in golden()["positions"].as_array().unwrap() {
        let body = json!({"board": entry["board"], "side_to_move": side(entry), "depths": [4, 5, 6],
                          "limits": {"time_ms": 60_000}});
        let reply = ok(server.post(PATH, &body));
        assert_eq!(reply["search"]["complete"], true);
        let rows = reply["rows"].as_array().unwrap();
        assert_eq!(rows.len(), 12, "the four named configurations are the default");
        for row in rows {
            let expected = golden_row(entry, &row["configuration"], &row["depth"]);
            for (ours, theirs) in [
                ("score", "score"),
                ("best_move", "best"),
                ("nodes", "nodes"),
                ("null_cuts", "null_cuts"),
                ("verifications", "verifications"),
                ("lmr_cuts", "lmr_cuts"),
                ("re_searches", "lmr_researches"),
                ("null_tries", "null_tries"),
                ("lmr_reduced", "lmr_reduced"),
                ("passes", "passes"),
            ] {
                assert_eq!(row[ours], expected[theirs], "{ours} of {row} in {}", entry["id"]);
            }
            let plain = golden_row(entry, &json!("plain"), &row["depth"]);
            assert_eq!(row["agrees_with_plain"]["score"], (expected["score"] == plain["score"]), "{row}");
            assert_eq!(row["agrees_with_plain"]["move"], (expected["best"] == plain["best"]), "{row}");
            assert_eq!(row["exact_for_depth"], (row["configuration"] == "plain"));
        }
    }
}

#[test]
fn the_reply_says_how_everything_was_understood() {
    let body = json!({"moves": "f5d6", "depths": [3], "configurations": [
        "verified_null_move_lmr", {"name": "deep", "base": "null_move", "null_move": {"reduction": 3}, "leaf": "terms"}]});
    let reply = ok(Server::start().post(PATH, &body));
    assert_eq!(
        reply["configurations"],
        json!([
            {"name": "verified_null_move_lmr", "method": "alpha_beta", "leaf": "weights_and_mobility",
             "end_score": "winner", "ordering": "weights",
             "null_move": {"reduction": 2, "min_depth": 3, "verified": true},
             "late_move_reduction": {"reduction": 1, "min_depth": 3, "first_index": 6, "min_ply": 2},
             "root_reduction": "never", "killers": false, "history": false, "table": false, "stability": false,
             "unit": "points", "exact_for_depth": false},
            {"name": "deep", "method": "alpha_beta", "leaf": "terms", "end_score": "winner", "ordering": "weights",
             "null_move": {"reduction": 3, "min_depth": 4, "verified": false}, "late_move_reduction": null,
             "root_reduction": "never", "killers": false, "history": false, "table": false, "stability": false,
             "unit": "hundredths_of_a_disc", "exact_for_depth": false},
        ])
    );
    assert_eq!(reply["scoring"]["point_of_view"], "side_to_move");
    assert_eq!(reply["scoring"]["empties"], "nobody");
    assert_eq!(reply["search"]["limits_applied"]["time_ms"], 1_000);
    assert_eq!(reply["search"]["stop_reason"], "depth");
    for row in reply["rows"].as_array().unwrap() {
        assert_eq!(row["agrees_with_plain"], Value::Null, "no plain row was asked");
    }
}

#[test]
fn four_by_four_is_searched_to_its_published_value() {
    let discs =
        json!({"name": "discs", "leaf": "disc_difference", "end_score": "discs", "ordering": "index"});
    let body = json!({"moves": "", "size": 4, "depths": [9, 12], "configurations": [discs],
                      "limits": {"time_ms": 20_000}});
    let reply = ok(Server::start().post(PATH, &body));
    // The golden table counts the root as a node.
    let rows = &reply["rows"];
    assert_eq!((&rows[0]["score"], &rows[0]["nodes"]), (&json!(-3), &json!(4_857 - 1)));
    assert_eq!((&rows[1]["score"], &rows[1]["nodes"]), (&json!(-8), &json!(15_138 - 1)));
    assert_eq!(rows[0]["agrees_with_plain"], json!({"score": true, "move": true}), "it is its own reference");
}

#[test]
fn a_side_that_must_pass_and_a_finished_game_are_answered_as_such() {
    let server = Server::start();
    let stuck = json!({"board": ".OXXXXXXXXXXXXXX", "side_to_move": "white", "depths": [1]});
    assert_eq!(ok(server.post(PATH, &stuck))["rows"][0]["best_move"], "pass");
    let over = ok(server.post(PATH, &json!({"moves": "f5d6c5f6e7f4g5e6e3", "depths": [2]})));
    assert_eq!(
        (&over["rows"][0]["score"], &over["rows"][0]["best_move"]),
        (&json!(-1_048_576), &Value::Null)
    );
}

#[test]
fn bad_requests_are_refused_at_their_place() {
    let server = Server::start();
    let too_many: Vec<Value> = (0..17).map(|number| json!({"name": format!("n{number}")})).collect();
    for (fields, pointer, code, hint) in [
        (json!({"depths": [0]}), "/depths/0", "out_of_range", "within 1 and 20"),
        (json!({"depths": [21]}), "/depths/0", "out_of_range", "within 1 and 20"),
        (json!({"depths": []}), "/depths", "out_of_range", "1 to 12"),
        (json!({"depths": [5, 5]}), "/depths/1", "conflict", "twice"),
        (json!({"depths": 5}), "/depths", "wrong_type", "an array"),
        (json!({"depth": [5]}), "/depth", "unknown_field", "did you mean `depths`?"),
        (json!({"configurations": []}), "/configurations", "out_of_range", "1 to 16"),
        (json!({"configurations": too_many}), "/configurations", "out_of_range", "not 17"),
        (
            json!({"configurations": ["plain", "verfied_null_move"]}),
            "/configurations/1",
            "not_one_of",
            "did you mean `verified_null_move`?",
        ),
        (json!({"configurations": ["plain", "plain"]}), "/configurations/1", "conflict", "`plain`"),
        (json!({"configurations": [7]}), "/configurations/0", "wrong_type", "a name or an object"),
        (
            json!({"configurations": [{"killer": true}]}),
            "/configurations/0/killer",
            "unknown_field",
            "did you mean `killers`?",
        ),
        (
            json!({"configurations": [{"null_move": {"reduction": 9}}]}),
            "/configurations/0/null_move/reduction",
            "out_of_range",
            "within 1 and 8",
        ),
        (
            json!({"configurations": [{"root_reduction": "reduce"}]}),
            "/configurations/0/root_reduction",
            "conflict",
            "late_move_reduction",
        ),
        (json!({"limits": {"depth": 5}}), "/limits/depth", "unknown_field", "time_ms"),
        (json!({"limits": {"time_ms": 0}}), "/limits/time_ms", "out_of_range", "within 1 and 60000"),
        (json!({"threads": 3}), "/threads", "out_of_range", "within 1 and 2"),
        (json!({"class": "urgent"}), "/class", "not_one_of", "interactive"),
    ] {
        let mut body = json!({"moves": "f5"});
        body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        let response = server.post(PATH, &body);
        assert_eq!(response.status(), 422, "{body}");
        let reply: Value = response.json().unwrap();
        let error = &reply["errors"][0];
        assert_eq!((&error["pointer"], &error["code"]), (&json!(pointer), &json!(code)), "{body}");
        assert!(error["message"].as_str().unwrap().contains(hint), "{error}");
        assert_eq!(reply["errors"].as_array().unwrap().len(), 1, "{reply}");
    }
    let both = json!({"moves": "f5", "depths": [0], "configurations": ["plane", {"leaf": "disks"}]});
    let reply = problem(server.post(PATH, &both), 422, "invalid_request");
    assert_eq!(reply["errors"].as_array().unwrap().len(), 3, "all faults at once: {reply}");
}

#[test]
fn caps_are_told_with_the_limits() {
    let limits = ok(Server::start().get("/v1/limits"));
    let lab = &limits["comparison"];
    assert_eq!((&lab["comparison_depth"]["min"], &lab["comparison_depth"]["max"]), (&json!(1), &json!(20)));
    assert_eq!(lab["comparison_depths"]["max"], 12);
    assert_eq!(lab["comparison_configurations"]["max"], 16);
    assert_eq!(limits["analysis"]["comparison_depth"], Value::Null);
}

#[test]
fn rows_that_time_did_not_allow_are_there_without_values() {
    let body = json!({"moves": "f5d6c3d3c4", "depths": [2, 20], "configurations": ["plain"], "threads": 1,
                      "limits": {"time_ms": 700}});
    let reply = ok(Server::start().post(PATH, &body));
    assert_eq!(
        (&reply["search"]["complete"], &reply["search"]["stop_reason"]),
        (&json!(false), &json!("time"))
    );
    assert_eq!(reply["search"]["rows_finished"], 1);
    let (done, missing) = (&reply["rows"][0], &reply["rows"][1]);
    assert!(done["score"].is_number() && done["elapsed_ms"].is_number(), "{done}");
    assert_eq!((&missing["configuration"], &missing["depth"]), (&json!("plain"), &json!(20)));
    for field in ["score", "best_move", "nodes", "null_cuts", "elapsed_ms", "agrees_with_plain"] {
        assert_eq!(missing[field], Value::Null, "{field}");
    }
    assert_eq!(missing["exact_for_depth"], true);
}

#[test]
fn csv_has_one_line_a_row_with_the_values_of_the_json() {
    let server = Server::start();
    let body = json!({"moves": "f5d6c3d3c4", "depths": [3, 20], "configurations": ["plain", "null_move"],
                      "limits": {"time_ms": 1_500}});
    let request = server.request(Method::POST, PATH).header("accept", "text/csv").json(&body);
    let response = request.send().unwrap();
    assert_eq!(response.headers()["content-type"], "text/csv; charset=utf-8; header=present");
    let csv = response.text().unwrap();
    let lines: Vec<Vec<&str>> = csv.split_terminator("\r\n").map(|line| line.split(',').collect()).collect();
    assert_eq!(lines.len(), 5);
    assert_eq!(lines[0][..5], ["configuration", "depth", "score", "best_move", "nodes"]);
    assert!(lines.iter().all(|line| line.len() == lines[0].len()), "{csv}");
    let rows = ok(server.post(PATH, &body))["rows"].clone();
    for (line, row) in lines[1..3].iter().zip(rows.as_array().unwrap()) {
        for (name, field) in lines[0].iter().zip(line) {
            let expected = match *name {
                "elapsed_ms" => continue,
                "score_agrees" => &row["agrees_with_plain"]["score"],
                "move_agrees" => &row["agrees_with_plain"]["move"],
                name => &row[name],
            };
            assert_eq!(
                *field,
                expected.as_str().map_or_else(|| expected.to_string(), str::to_owned),
                "{name}"
            );
        }
    }
    assert_eq!(lines[4][..5], ["null_move", "20", "", "", ""], "not finished in time");
    let refused =
        server.request(Method::POST, PATH).header("accept", "text/html").json(&body).send().unwrap();
    problem(refused, 406, "not_acceptable");
}

#[test]
fn a_caller_who_leaves_ends_the_searches() {
    let server = Server::start();
    let body = json!({"moves": "f5d6c3d3c4", "depths": [20], "limits": {"time_ms": 60_000}});
    let request = server.request(Method::POST, PATH).json(&body).timeout(Duration::from_millis(300));
    assert!(request.send().unwrap_err().is_timeout());
    let begun = Instant::now();
    while ok(server.get("/v1/status"))["threads"]["busy"] != 0 {
        assert!(begun.elapsed() < Duration::from_secs(30), "the threads never came free");
    }
}
