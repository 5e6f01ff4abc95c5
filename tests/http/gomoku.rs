//! Gomoku over HTTP: positions in every form, values, threats, ends.

use serde_json::{Value, json};

use crate::client::{Server, ok, problem};

const ANALYSIS: &str = "/v1/gomoku/analysis";
const LEGAL: &str = "/v1/gomoku/legal-moves";
const PLAY: &str = "/v1/gomoku/play";
const THREATS: &str = "/v1/gomoku/threats";

fn names(reply: &Value, list: &str) -> Vec<String> {
    reply[list].as_array().unwrap().iter().map(|mv| mv["move"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn every_form_of_a_position_is_understood_as_the_same_one() {
    let server = Server::start();
    let expected = ok(server.post(LEGAL, &json!({"moves": "h8i9", "size": 15, "rule": "freestyle"})));
    let mut rows = vec![".".repeat(15); 15];
    rows[7].replace_range(7..8, "X");
    rows[8].replace_range(8..9, "O");
    let numbers: Vec<Vec<i32>> = rows
        .iter()
        .map(|row| row.chars().map(|cell| i32::from(cell == 'X') + 2 * i32::from(cell == 'O')).collect())
        .collect();
    let minus: Vec<i32> = numbers.iter().flatten().map(|&cell| if cell == 2 { -1 } else { cell }).collect();
    let forms = [
        json!({"moves": ["h8", "I9"]}),
        json!({"moves": [[7, 7], [8, 8]]}),
        json!({"moves": "7,7 8,8"}),
        json!({"moves": ["h8", "i7"], "row_one": "bottom"}),
        json!({"board": rows}),
        json!({"board": rows.join("\n"), "side_to_move": "black"}),
        json!({"board": numbers}),
        json!({"board": numbers.concat()}),
        json!({"board": minus, "coding": {"black": 1, "white": -1, "empty": 0}}),
        json!({"text": "1. h8 i9"}),
        json!({"text": rows.join("\n")}),
    ];
    for form in forms {
        let mut body = form.clone();
        body["rule"] = json!("freestyle");
        let mut reply = ok(server.post(LEGAL, &body));
        if form["row_one"] == "bottom" {
            assert_eq!(
                (&reply["position"]["row_one"], &reply["moves"][0]["move"]),
                (&json!("bottom"), &json!("a15"))
            );
            reply["position"]["row_one"] = json!("top");
            reply["moves"] = expected["moves"].clone();
        }
        reply["position"]["format"] = expected["position"]["format"].clone();
        reply["assumed"] = json!([]);
        assert_eq!(reply, expected, "{form}");
    }
    assert_eq!((&expected["position"]["ply"], &expected["position"]["empties"]), (&json!(2), &json!(223)));
    assert_eq!(expected["moves"].as_array().unwrap().len(), 223);
}

#[test]
fn what_a_request_leaves_open_is_listed() {
    let server = Server::start();
    let codes = |body: Value| -> Vec<String> {
        let reply = ok(server.post(LEGAL, &body));
        reply["assumed"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["code"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(codes(json!({"moves": "h8"})), ["rule"]);
    assert_eq!(codes(json!({"board": vec![0; 25], "rule": "standard"})), ["coding"]);
    assert_eq!(codes(json!({"moves": "h8", "rule": "renju"})), [""; 0]);
}

#[test]
fn white_can_be_to_move_on_any_board() {
    // Case PG09 of the public reports: the side to move is a field of its own.
    let board = [".....", ".XO..", ".....", ".....", "....."];
    let reply = ok(Server::start().post(LEGAL, &json!({"board": board, "side_to_move": "white"})));
    assert_eq!(reply["position"]["side_to_move"], "white");
}

#[test]
fn turned_positions_share_a_canonical_id_and_an_answer() {
    let server = Server::start();
    let ask = |moves: &str| {
        let body = json!({"moves": moves, "rule": "standard", "goal": "top_n", "count": 3, "deterministic": true,
                          "limits": {"depth": 5}});
        let reply = ok(server.post(ANALYSIS, &body));
        let values: Vec<Value> =
            reply["moves"].as_array().unwrap().iter().take(3).map(|mv| mv["score"].clone()).collect();
        (
            values,
            reply["position"]["canonical_id"].clone(),
            reply["search"]["nodes"].clone(),
            reply["best_move"].clone(),
        )
    };
    let first = ask("h8i9g9");
    let turned = ask("h8g9i9");
    let upside_down = ask("h8i7g7");
    assert_eq!((&first.0, &first.1, &first.2), (&turned.0, &turned.1, &turned.2));
    assert_eq!((&first.0, &first.1, &first.2), (&upside_down.0, &upside_down.1, &upside_down.2));
}

#[test]
fn a_must_block_is_played_and_the_rest_of_the_answer_is_whole() {
    // Case PG03 of the public reports: white wins at e7 unless black plays there.
    let moves = "h8h7i7g9h6g5g7i6g8f8f6e5f5j10i10i11k9h10j12l10";
    let body = json!({"moves": moves, "rule": "freestyle", "include": ["cutoffs", "rows"], "limits": {"nodes": 50_000}});
    let reply = ok(Server::start().post(ANALYSIS, &body));
    assert_eq!((&reply["best_move"], names(&reply, "moves")), (&json!("e7"), vec!["e7".to_owned()]));
    assert_eq!(reply["principal_variation"][0], "e7");
    assert_eq!((&reply["rows"][0]["row"], &reply["rows"][0]["col"]), (&json!(6), &json!(4)));
    assert_eq!(
        reply["scoring"],
        json!({"unit": "logit", "units_per_logit": 200.0, "point_of_view": "side_to_move"})
    );
    assert!(reply["search"]["cutoffs"]["expanded"].is_u64());
    assert!(reply["search"]["nodes"].as_u64().unwrap() <= 51_000, "{reply}");
}

#[test]
fn a_win_is_told_with_its_length_and_line() {
    let server = Server::start();
    let body = json!({"moves": "h8g8h9g9h10g10i7a1", "rule": "freestyle", "deterministic": true, "limits": {"depth": 4}});
    let reply = ok(server.post(ANALYSIS, &body));
    // h7 or h11 makes an open four, and the second stone then makes five.
    let score = &reply["score"];
    assert_eq!(
        (&score["kind"], &score["moves"], &score["win_probability"]),
        (&json!("win_in"), &json!(2), &json!(1.0))
    );
    let line: Vec<&str> =
        reply["principal_variation"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    assert_eq!(line.len(), 3, "{line:?}");
    let played = format!("{}{}", "h8g8h9g9h10g10i7a1", line.concat());
    let end = ok(server.post(PLAY, &json!({"moves": played, "rule": "freestyle"})));
    assert_eq!((&end["result"]["winner"], &end["result"]["reason"]), (&json!("black"), &json!("five")));
}

#[test]
fn a_lost_position_is_answered_with_the_loss_and_a_defence() {
    // White faces an open four.
    let body = json!({"moves": "h8a1h9a3h10a5h11", "rule": "freestyle", "limits": {"depth": 4}});
    let reply = ok(Server::start().post(ANALYSIS, &body));
    assert_eq!((&reply["score"]["kind"], &reply["score"]["moves"]), (&json!("loss_in"), &json!(1)));
    assert!(["h7", "h12"].contains(&reply["best_move"].as_str().unwrap()), "{reply}");
    assert_eq!(reply["score"]["win_probability"], 0.0);
}

#[test]
fn black_is_lost_where_the_only_block_is_forbidden_and_still_gets_a_legal_move() {
    // Cases PG01 and PG02 of the public reports: g7 stops the five but is a double three.
    let server = Server::start();
    let position = json!({"moves": "h8g6f6g5f7g4h7g3g2a1", "rule": "renju"});
    let forbidden = ok(server.post(LEGAL, &position));
    assert!(
        forbidden["forbidden"].as_array().unwrap().contains(&json!({"move": "g7", "reason": "double_three"}))
    );
    let mut body = position;
    body["limits"] = json!({"time_ms": 2_000});
    let reply = ok(server.post(ANALYSIS, &body));
    assert_eq!((&reply["score"]["kind"], &reply["score"]["moves"]), (&json!("loss_in"), &json!(1)));
    assert!(names(&forbidden, "moves").contains(&reply["best_move"].as_str().unwrap().to_owned()), "{reply}");
    assert!(!names(&forbidden, "moves").contains(&"g7".to_owned()));
}

#[test]
fn six_in_a_row_is_judged_by_the_rule() {
    // Case PG04 of the public reports.
    let server = Server::start();
    let mut board = vec![".".repeat(15); 15];
    board[4] = "....OOOOOO.....".to_owned();
    for (rule, winner) in
        [("freestyle", json!("white")), ("standard", Value::Null), ("renju", json!("white"))]
    {
        let reply = ok(server.post(LEGAL, &json!({"board": board, "rule": rule, "side_to_move": "black"})));
        let status = if winner.is_null() { "in_progress" } else { "finished" };
        assert_eq!((&reply["result"]["winner"], &reply["status"]), (&winner, &json!(status)), "{rule}");
    }
}

#[test]
fn the_first_five_ends_the_game() {
    // Cases PG05, PG06 and PG10 of the public reports.
    let server = Server::start();
    let won = json!({"moves": "h5i5h6i6h7i7h8i8h9", "rule": "freestyle"});
    let reply = ok(server.post(PLAY, &won));
    let row = json!(["h5", "h6", "h7", "h8", "h9"]);
    assert_eq!(reply["result"], json!({"winner": "black", "reason": "five", "row": row}));
    assert_eq!(
        (&reply["position"]["status"], &reply["position"]["side_to_move"]),
        (&json!("finished"), &json!("white"))
    );
    let analysis = ok(server.post(ANALYSIS, &won));
    assert_eq!((&analysis["best_move"], &analysis["moves"]), (&Value::Null, &json!([])));
    assert_eq!(
        (&analysis["score"]["kind"], &analysis["score"]["win_probability"]),
        (&json!("exact"), &json!(0.0))
    );
    assert_eq!(
        (&analysis["search"]["stop_reason"], &analysis["result"]["winner"]),
        (&json!("no_move"), &json!("black"))
    );
    let after = json!({"moves": "h5i5h6i6h7i7h8i8h9i9", "rule": "freestyle"});
    let body = problem(server.post(PLAY, &after), 422, "illegal_move");
    assert_eq!(body["errors"][0]["pointer"], "/moves/18");
    assert!(body["errors"][0]["message"].as_str().unwrap().contains("black has made five"), "{body}");
}

#[test]
fn goals_and_restrictions_choose_what_is_valued() {
    let server = Server::start();
    let ask = |extra: Value| {
        let mut body = json!({"moves": "h8i9g9", "rule": "freestyle", "limits": {"depth": 3}});
        body.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        ok(server.post(ANALYSIS, &body))
    };
    let all = ask(json!({"goal": "all_moves"}));
    for mv in all["moves"].as_array().unwrap() {
        assert!(mv["score"]["bound"] == "exact" && mv["loss"].is_u64(), "{mv}");
        assert_eq!(mv["principal_variation"][0], mv["move"]);
    }
    let values: Vec<i64> =
        all["moves"].as_array().unwrap().iter().map(|mv| mv["score"]["value"].as_i64().unwrap()).collect();
    assert!(values.is_sorted_by(|a, b| a >= b), "{values:?}");
    let best: Vec<String> = names(&all, "moves").into_iter().take(2).collect();
    assert_eq!(names(&ask(json!({"only": ["H10", [0, 0]], "goal": "all_moves"})), "moves").len(), 2);
    let others = ask(json!({"avoid": best, "goal": "all_moves"}));
    assert_eq!(names(&others, "moves").len(), values.len() - 2);
    assert!(others["moves"].as_array().unwrap().iter().all(|mv| mv["loss"].is_null()));
    let top = ask(json!({"goal": "top_n", "count": 2}));
    assert!(top["moves"].as_array().unwrap()[..2].iter().all(|mv| mv["score"]["bound"] == "exact"));
}

#[test]
fn even_a_millisecond_is_answered_with_a_legal_move() {
    let server = Server::start();
    let response =
        server.post(ANALYSIS, &json!({"moves": "h8i9", "rule": "renju", "limits": {"time_ms": 1}}));
    // A machine that is busy elsewhere may not find a thread within the millisecond; then it says so.
    if response.status() == 503 {
        problem(response, 503, "overloaded");
    } else {
        let reply = ok(response);
        let legal = ok(server.post(LEGAL, &json!({"moves": "h8i9", "rule": "renju"})));
        assert!(names(&legal, "moves").contains(&reply["best_move"].as_str().unwrap().to_owned()), "{reply}");
    }
}

#[test]
fn a_deterministic_answer_is_the_same_bytes_without_times() {
    let ask = || {
        let body = json!({"moves": "h8i9g9", "rule": "standard", "deterministic": true, "goal": "all_moves",
                          "limits": {"nodes": 20_000}, "include": ["rows", "cutoffs"]});
        let response = Server::start().post(ANALYSIS, &body);
        assert_eq!(response.status(), 200);
        response.text().unwrap()
    };
    let answer = ask();
    assert_eq!(answer, ask());
    for time in ["elapsed_ms", "queued_ms", "nodes_per_second", "time_ms"] {
        assert!(!answer.contains(time), "{time} in {answer}");
    }
}

#[test]
fn an_analysis_is_told_as_it_goes_and_as_a_table() {
    let server = Server::start();
    let body = json!({"moves": "h8i9g9", "rule": "freestyle", "limits": {"depth": 4}});
    let ask = |accept: &str| {
        let request = server.request(reqwest::Method::POST, ANALYSIS).header("accept", accept).json(&body);
        request.send().unwrap().text().unwrap()
    };
    let lines: Vec<Value> =
        ask("application/x-ndjson").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let finals: Vec<&Value> = lines.iter().map(|line| &line["final"]).collect();
    assert_eq!(finals.iter().filter(|last| **last == &json!(true)).count(), 1, "{finals:?}");
    assert_eq!(finals.last().unwrap(), &&json!(true));
    let table = ask("text/csv");
    assert!(table.starts_with("row,col,value,win_probability,depth,nodes\n"), "{table}");
    let best = &lines.last().unwrap()["moves"][0];
    let value = best["score"]["value"].as_i64().unwrap().to_string();
    assert_eq!(table.lines().nth(1).unwrap().split(',').nth(2).unwrap(), value, "{table}");
}

#[test]
fn wins_by_fours_are_found_and_their_absence_is_proven() {
    let server = Server::start();
    // The two halves of the data: rows with a win by fours, and rows without any.
    let row = |file: &str, index: usize| -> Vec<String> {
        let path = format!("{}/tests/data/gomoku/{file}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).unwrap();
        let rows = text.lines().filter(|line| !line.starts_with('#'));
        rows.skip(1).nth(index).unwrap().split('\t').map(str::to_owned).collect()
    };
    let header =
        |file: &str, name: &str| row_of_header(file).iter().position(|column| column == name).unwrap();
    for index in [0, 20, 40] {
        let columns = row("vcf.tsv", index);
        let body = json!({"moves": columns[header("vcf.tsv", "moves")], "rule": "freestyle", "kind": "vcf"});
        let reply = ok(server.post(THREATS, &body));
        assert_eq!((&reply["status"], &reply["proven"]), (&json!("win"), &json!(true)), "{index}");
        let expected: u64 = columns[header("vcf.tsv", "n")].parse().unwrap();
        assert_eq!(reply["attacker_moves"], expected, "{index}");
        let line = reply["winning_line"].as_array().unwrap();
        assert_eq!(line.len() as u64, 2 * expected - 1);
        let wins = &columns[header("vcf.tsv", "wins")];
        assert!(wins.split([' ', ',']).any(|win| *win == line[0]), "{wins}: {line:?}");
        assert_eq!((&reply["kind"], &reply["search"]["stop_reason"]), (&json!("vcf"), &json!("solved")));
    }
    for index in [0, 20, 40] {
        let columns = row("no-vcf.tsv", index);
        let body =
            json!({"moves": columns[header("no-vcf.tsv", "moves")], "rule": "freestyle", "kind": "vcf"});
        let reply = ok(server.post(THREATS, &body));
        assert_eq!((&reply["status"], &reply["proven"]), (&json!("none"), &json!(true)), "{index}");
        assert_eq!((&reply["winning_line"], &reply["attacker_moves"]), (&Value::Null, &Value::Null));
    }
}

fn row_of_header(file: &str) -> Vec<String> {
    let path = format!("{}/tests/data/gomoku/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let header = text.lines().find(|line| !line.starts_with('#')).unwrap();
    header.split('\t').map(str::to_owned).collect()
}

#[test]
fn a_threat_search_that_was_cut_short_says_so() {
    let server = Server::start();
    let body = json!({"moves": "h8i9g9h10", "rule": "freestyle", "kind": "vct", "limits": {"nodes": 1}});
    let reply = ok(server.post(THREATS, &body));
    assert_eq!((&reply["status"], &reply["proven"]), (&json!("unknown"), &json!(false)));
    let over = json!({"moves": "h5i5h6i6h7i7h8i8h9", "rule": "freestyle", "kind": "vcf"});
    let reply = ok(server.post(THREATS, &over));
    assert_eq!((&reply["status"], &reply["search"]["stop_reason"]), (&json!("none"), &json!("no_move")));
}

#[test]
fn a_draining_service_takes_no_more_work() {
    let server = Server::start();
    server.state.service().pool().drain(std::time::Duration::ZERO);
    for (path, body) in [(ANALYSIS, json!({"moves": "h8"})), (THREATS, json!({"moves": "h8", "kind": "vcf"}))]
    {
        problem(server.post(path, &body), 503, "draining");
    }
}

#[test]
fn swap2_is_decided_with_the_chance_of_every_option() {
    // Case PG08 of the public reports.
    let server = Server::start();
    let ask = |moves: &str| {
        let body = json!({"moves": moves, "rule": "freestyle", "limits": {"nodes": 8_000}});
        ok(server.post("/v1/gomoku/swap2", &body))
    };
    let choices = |reply: &Value| -> Vec<String> {
        let options = reply["options"].as_array().unwrap().iter();
        let mut names: Vec<String> = options.map(|one| one["choice"].as_str().unwrap().to_owned()).collect();
        assert_eq!(names[0], reply["choice"]);
        names.sort_unstable();
        names
    };
    let opening = ask("");
    assert_eq!(choices(&opening), ["place_three"]);
    let stones: Vec<&str> =
        opening["stones"].as_array().unwrap().iter().map(|stone| stone.as_str().unwrap()).collect();
    assert_eq!(stones.len(), 3);
    let three = ask(&stones.concat());
    assert_eq!(choices(&three), ["place_two", "take_black", "take_white"]);
    let chance = |reply: &Value, choice: &str| {
        let options = reply["options"].as_array().unwrap();
        options.iter().find(|one| one["choice"] == choice).unwrap()["win_probability"].as_f64().unwrap()
    };
    assert!((chance(&three, "take_white") + chance(&three, "take_black") - 1.0).abs() < 1e-3, "{three}");
    assert!(chance(&three, "place_two") <= 0.5 && chance(&three, "take_white") > 0.2, "{three}");
    // Black has three in a row and white is to move: whoever may choose takes the side of the stones.
    let five = ask("h8a1h9a15h10");
    assert_eq!(choices(&five), ["take_black", "take_white"]);
    for (body, pointer) in
        [(json!({"moves": "h8"}), ""), (json!({"moves": "h8h9h10", "limits": {"depth": 3}}), "/limits/depth")]
    {
        let reply: Value = server.post("/v1/gomoku/swap2", &body).json().unwrap();
        assert_eq!(reply["errors"][0]["pointer"], pointer, "{reply}");
    }
}
