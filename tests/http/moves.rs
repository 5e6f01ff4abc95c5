//! Legal moves and play, and every form a position can be given in.

use reqwest::Method;
use serde_json::{Value, json};

use crate::client::{Server, ok, problem};

/// The start position, black to move, in every form of the contract.
fn forms_of_the_start() -> Vec<Value> {
    let board = "---------------------------OX------XO---------------------------";
    let mut numbers = vec![0; 64];
    for (index, value) in [(27, 1), (36, 1), (28, -1), (35, -1)] {
        numbers[index] = value;
    }
    let by_player: Vec<i32> =
        numbers.iter().map(|&cell| [1, 0, 2][usize::try_from(cell + 1).unwrap()]).collect();
    let own: Vec<i32> = numbers.iter().map(|&cell| [7, 9, 8][usize::try_from(cell + 1).unwrap()]).collect();
    vec![
        json!({"moves": ""}),
        json!({"moves": []}),
        json!({"board": board, "side_to_move": "black"}),
        json!({"board": board.replace('-', ".").replace('X', "*").replace('O', "W"), "side_to_move": "black"}),
        json!({"board": ["........", "........", "........", "...WB...", "...BW...", "........", "........", "........"],
               "side_to_move": "black"}),
        json!({"board": numbers, "side_to_move": "black"}),
        json!({"board": numbers.chunks(8).collect::<Vec<_>>(), "side_to_move": "black"}),
        json!({"board": by_player, "side_to_move": "black"}),
        json!({"board": own, "coding": {"black": 7, "white": 8, "empty": 9}, "side_to_move": "black"}),
        json!({"board": {"black": "0x0000000810000000", "white": "0x0000001008000000", "bit_order": "a1_lsb"},
               "side_to_move": "black"}),
        json!({"board": {"black": "810000000", "white": "1008000000"}, "side_to_move": "black"}),
        json!({"text": board}),
        json!({"text": format!("{board} X")}),
    ]
}

#[test]
fn every_form_of_a_position_is_understood_as_the_same_one() {
    let server = Server::start();
    let expected = ok(server.post("/v1/othello/legal-moves", &json!({"moves": "", "size": 8})));
    for form in forms_of_the_start() {
        let mut reply = ok(server.post("/v1/othello/legal-moves", &form));
        reply["position"]["format"] = expected["position"]["format"].clone();
        reply["assumed"] = json!([]);
        assert_eq!(reply, expected, "{form}");
    }
}

#[test]
fn what_a_form_leaves_open_is_listed() {
    let server = Server::start();
    let codes = |body: Value| -> Vec<String> {
        let reply = ok(server.post("/v1/othello/legal-moves", &body));
        let assumed = reply["assumed"].as_array().unwrap();
        assumed.iter().map(|assumption| assumption["code"].as_str().unwrap().to_owned()).collect()
    };
    let board = "---------------------------OX------XO---------------------------";
    assert_eq!(codes(json!({"text": board})), ["black_to_move"]);
    assert_eq!(codes(json!({"board": vec![0; 64], "side_to_move": "black"})), ["coding"]);
    assert_eq!(codes(json!({"board": {"black": "1", "white": "2"}, "side_to_move": "black"})), ["bit_order"]);
    assert_eq!(codes(json!({"board": board, "side_to_move": "white"})), [""; 0]);
}

#[test]
fn the_legal_moves_of_the_start_come_with_their_flips_and_boards() {
    let reply = ok(Server::start().post("/v1/othello/legal-moves", &json!({"moves": ""})));
    assert_eq!(reply["status"], "in_progress");
    assert_eq!(reply["result"], Value::Null);
    let summary: Vec<Value> = reply["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|mv| json!([mv["move"], mv["index"], mv["row"], mv["col"], mv["flips"]]))
        .collect();
    assert_eq!(
        summary,
        [
            json!(["d3", 19, 2, 3, ["d4"]]),
            json!(["c4", 26, 3, 2, ["d4"]]),
            json!(["f5", 37, 4, 5, ["e5"]]),
            json!(["e6", 44, 5, 4, ["e5"]])
        ]
    );
    assert_eq!(
        reply["moves"][0]["board_after"],
        "-------------------X-------XX------XO---------------------------"
    );
    assert_eq!(reply["moves"][0]["side_after"], "white");
    let position = &reply["position"];
    assert_eq!((&position["ply"], &position["empties"]), (&json!(0), &json!(60)));
    assert_eq!(position["discs"], json!({"black": 2, "white": 2}));
}

#[test]
fn a_position_in_the_url_is_the_one_in_the_body() {
    let server = Server::start();
    let body = ok(server.post("/v1/othello/legal-moves", &json!({"moves": "f5d6"})));
    assert_eq!(ok(server.get("/v1/othello/legal-moves?moves=f5d6")), body);
    assert_eq!(ok(server.get("/v1/othello/legal-moves?moves=F5+d%36")), body);
    let board = body["position"]["board"].as_str().unwrap();
    let by_board = ok(server.get(&format!("/v1/othello/legal-moves?board={board}&side_to_move=black")));
    assert_eq!(by_board["moves"], body["moves"]);
    let small = ok(server.get("/v1/othello/legal-moves?moves=&size=4"));
    assert_eq!(small["position"]["board"], "-----OX--XO-----");
    for (query, pointer) in [
        ("", ""),
        ("moves=f5&depth=3", "/depth"),
        ("moves=f5&moves=f5", "/moves"),
        ("moves=%ff", ""),
        ("moves=%f", ""),
        ("moves=f5&size=big", "/size"),
        ("moves=f6", "/moves/0"),
    ] {
        let answer = server.get(&format!("/v1/othello/legal-moves?{query}"));
        let status = answer.status();
        let body: Value = answer.json().unwrap();
        assert_eq!(
            (status.as_u16(), &body["errors"][0]["pointer"]),
            (422, &json!(pointer)),
            "{query}: {body}"
        );
    }
}

#[test]
fn play_gives_the_position_after_the_moves_with_passes_written_out() {
    let server = Server::start();
    let reply = ok(server.post("/v1/othello/play", &json!({"moves": "F5 d6 C3 d3 c4"})));
    assert_eq!(reply["played"], json!(["f5", "d6", "c3", "d3", "c4"]));
    assert_eq!(reply["position"]["opening"], json!({"name": "Tiger", "moves": "f5d6c3d3c4"}));
    assert_eq!((&reply["passes_added"], &reply["result"]), (&json!([]), &Value::Null));
    // Case PO06 of the public reports: black passes five times, and the transcript writes none of it.
    let moves = "c4e3f3c5d3b4e6f5d6f4f6c2b6c3c1c6a5a6c7a4a3a2b3b5d2a7b7b8d7d8c8a8e8e1d1b1b2a1e2e7f7f8f1f2g8g7g5g6h7g4g3h3h4h5g2";
    let passing = ok(server.post("/v1/othello/play", &json!({"moves": moves})));
    let added = passing["passes_added"].as_array().unwrap();
    assert_eq!(added.len(), 5);
    for index in added {
        assert_eq!(passing["played"][usize::try_from(index.as_u64().unwrap()).unwrap()], "pass");
    }
    assert_eq!(
        passing["result"],
        json!({"winner": "white", "discs": {"black": 0, "white": 59}, "margin": 64})
    );
    let board = reply["position"]["board"].as_str().unwrap();
    let from_board =
        ok(server
            .post("/v1/othello/play", &json!({"board": board, "side_to_move": "white", "moves": ["f4"]})));
    assert_eq!(from_board["played"], json!(["f4"]));
}

#[test]
fn an_illegal_move_is_named_with_its_place_and_reason() {
    let server = Server::start();
    let body =
        problem(server.post("/v1/othello/play", &json!({"moves": ["f5", "d6", "d6"]})), 422, "illegal_move");
    assert_eq!(body["errors"][0]["pointer"], "/moves/2");
    let message = body["errors"][0]["message"].as_str().unwrap();
    assert!(message.contains("d6 is occupied"), "{message}");
}

#[test]
fn finished_games_have_a_result_and_no_moves() {
    let server = Server::start();
    let reply = ok(server.post("/v1/othello/legal-moves", &json!({"moves": "f5d6c5f6e7f4g5e6e3"})));
    assert_eq!((&reply["status"], &reply["moves"]), (&json!("finished"), &json!([])));
    assert_eq!(reply["result"], json!({"winner": "black", "discs": {"black": 13, "white": 0}, "margin": 64}));
}

#[test]
fn a_body_is_not_mixed_with_a_query() {
    let server = Server::start();
    let response = server
        .request(Method::POST, "/v1/othello/play?moves=f5")
        .json(&json!({"moves": "f5"}))
        .send()
        .unwrap();
    problem(response, 422, "unknown_field");
}
