//! Gomoku's playing strengths, game clocks, and questions in a URL.

use std::collections::HashSet;

use serde_json::{Value, json};

use crate::client::{Server, ok, problem};

const PATH: &str = "/v1/gomoku/analysis";

fn ask(server: &Server, body: Value) -> Value {
    ok(server.post(PATH, &body))
}

#[test]
fn a_level_plays_a_legal_move_that_stands_first_with_its_honest_value() {
    let server = Server::start();
    for level in [1, 6, 13, 14] {
        for seed in 0..4 {
            let body = json!({"moves": "h8i9g9g8", "rule": "standard", "level": level, "seed": seed});
            let reply = ask(&server, body);
            let moves = reply["moves"].as_array().unwrap();
            assert_eq!((&reply["best_move"], &reply["score"]), (&moves[0]["move"], &moves[0]["score"]));
            let values: Vec<Option<i64>> =
                moves.iter().map(|entry| entry["score"]["value"].as_i64()).collect();
            if level < 14 {
                let best = values.iter().flatten().max().unwrap();
                assert_eq!(moves[0]["loss"].as_i64().unwrap(), best - values[0].unwrap(), "{reply}");
                assert!(values[1..].windows(2).all(|pair| pair[0] >= pair[1]), "the others best first");
            } else {
                assert_eq!(moves[0]["loss"], 0, "strong levels do not slip");
            }
            let applied = &reply["search"]["limits_applied"];
            assert_eq!((&applied["level"], &applied["seed"]), (&json!(level), &json!(seed)));
            assert_eq!(applied["threads"], 1);
            assert_eq!(applied["nodes"].is_null(), level < 14);
        }
    }
}

#[test]
fn seeds_make_the_choice_and_a_turned_game_gets_the_turned_one() {
    let server = Server::start();
    let choice = |moves: &str, seed: u64| {
        let body =
            json!({"moves": moves, "rule": "freestyle", "level": 1, "seed": seed, "deterministic": true});
        let reply = ask(&server, body.clone());
        assert_eq!(reply, ask(&server, body));
        reply["best_move"].as_str().unwrap().to_owned()
    };
    let mut choices = HashSet::new();
    for seed in 0..8 {
        let straight = choice("h8i9g9", seed);
        // Rows and columns exchanged: h8 stays, i9 too, g9 becomes i7.
        let turned = choice("h8i9i7", seed);
        let row = straight[1..].parse::<u8>().unwrap();
        let column = straight.as_bytes()[0] - b'a' + 1;
        assert_eq!(turned, format!("{}{column}", char::from(b'a' + row - 1)));
        choices.insert(straight);
    }
    assert!(choices.len() > 3, "{choices:?}");
}

#[test]
fn a_level_still_sees_ends_and_forced_moves() {
    let server = Server::start();
    for level in [1, 30] {
        let over = json!({"moves": "h8a1h9a2h10a3h11a4h12", "rule": "freestyle", "level": level});
        assert_eq!(ask(&server, over)["best_move"], Value::Null);
    }
    let five = json!({"moves": "h8a1h9a3h10a5h11a7", "rule": "freestyle", "level": 14});
    let reply = ask(&server, five);
    assert!(["h7", "h12"].contains(&reply["best_move"].as_str().unwrap()), "{reply}");
}

#[test]
fn a_clock_is_shared_out_among_the_moves_to_come() {
    let server = Server::start();
    let applied = |clock: Value| {
        let body = json!({"moves": "h8i9", "rule": "freestyle", "clock": clock, "limits": {"depth": 1}});
        ask(&server, body)["search"]["limits_applied"]["time_ms"].as_u64().unwrap()
    };
    let alone = applied(json!({"remaining_ms": 300_000}));
    assert!((10_000..=16_000).contains(&alone), "{alone}");
    assert!(applied(json!({"remaining_ms": 300_000, "increment_ms": 1_000})) > alone + 800);
    assert_eq!(applied(json!({"remaining_ms": 31_030, "moves_left": 1})), 31_000);
    assert_eq!(applied(json!({"remaining_ms": 3_600_000})), 60_000, "the cap of the service");
}

#[test]
fn a_question_in_the_url_is_the_question_of_a_body() {
    let server = Server::start();
    let path = format!(
        "{PATH}?moves=h8+i9&only=g9,H9&include=rows,cutoffs&deterministic=true&depth=3&goal=top_n&count=2&rule=renju&size=15"
    );
    let body = json!({"moves": "h8 i9", "only": ["g9", "H9"], "include": ["rows", "cutoffs"], "deterministic": true,
                      "limits": {"depth": 3}, "goal": "top_n", "count": 2, "rule": "renju", "size": 15});
    assert_eq!(ok(server.get(&path)), ask(&server, body));
    let legal = "/v1/gomoku/legal-moves";
    let body = json!({"moves": "h8i9", "rule": "renju", "row_one": "bottom"});
    let query = format!("{legal}?moves=h8i9&rule=renju&row_one=bottom");
    assert_eq!(ok(server.get(&query)), ok(server.post(legal, &body)));
    for (query, code, pointer) in [
        ("moves=h8&depth=61", "limit_out_of_range", "/depth"),
        ("moves=h8&detph=6", "unknown_field", "/detph"),
        ("moves=h8&exact_from_empties=6", "unknown_field", "/exact_from_empties"),
        ("moves=h8&level=5&nodes=6", "invalid_request", "/nodes"),
        ("moves=h8&deterministic=true&time_ms=5", "invalid_request", "/time_ms"),
        ("moves=h8&only=h8", "illegal_move", "/only/0"),
        ("", "invalid_request", ""),
    ] {
        let body = problem(server.get(&format!("{PATH}?{query}")), 422, code);
        assert_eq!(body["errors"][0]["pointer"], pointer, "{query}");
    }
}

#[test]
fn answers_that_last_are_tagged_and_an_event_source_stops_after_the_last_event() {
    let server = Server::start();
    let ask = |query: &str, name: &'static str, value: &str| {
        server.request(reqwest::Method::GET, &format!("{PATH}?{query}")).header(name, value).send().unwrap()
    };
    let won = "moves=h8a1h9a3h10a5h11a7&rule=freestyle";
    for lasting in ["moves=h8i9&depth=3&deterministic=true", won] {
        let first = ask(lasting, "accept", "application/json");
        let tag = first.headers()["etag"].to_str().unwrap().to_owned();
        assert!(tag.starts_with("W/\""), "{tag}");
        assert_eq!(first.headers()["cache-control"], "no-cache");
        let again = ask(lasting, "if-none-match", &tag);
        assert_eq!((again.status().as_u16(), again.text().unwrap()), (304, String::new()));
        assert_eq!(ask(lasting, "if-none-match", "W/\"0\"").status(), 200);
    }
    let events = |id: &str| {
        let request = server.request(reqwest::Method::GET, &format!("{PATH}?moves=h8i9&depth=3"));
        request.header("accept", "text/event-stream").header("last-event-id", id).send().unwrap()
    };
    let text = events("").text().unwrap();
    let last =
        text.lines().filter_map(|line| line.strip_prefix("id:")).next_back().unwrap().trim().to_owned();
    assert!(last.ends_with("-final"), "{last}");
    assert_eq!(events(&last).status(), 204);
}
