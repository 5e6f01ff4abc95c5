//! Analyses on 6x6 boards, and what the counters of a search say.

use serde_json::{Value, json};

use crate::client::{Server, ok};

const PATH: &str = "/v1/othello/analysis";

/// Eight moves of a 6x6 game, 24 empty squares left.
const EIGHT_MOVES: &str = "e4e5d5e3f5f6d2c5";

#[test]
fn six_by_six_is_exact_from_24_empties_on_and_estimated_before() {
    let server = Server::start();
    let exact = ok(server.post(
        PATH,
        &json!({"moves": EIGHT_MOVES, "size": 6, "empties": "nobody", "limits": {"time_ms": 60_000}}),
    ));
    assert_eq!(exact["position"]["empties"], 24);
    assert_eq!(
        (&exact["score"]["kind"], &exact["search"]["stop_reason"]),
        (&json!("exact"), &json!("solved"))
    );
    assert_eq!(exact["search"]["limits_applied"]["exact_from_empties"], 24);
    let before = ok(server.post(
        PATH,
        &json!({"moves": &EIGHT_MOVES[..14], "size": 6, "limits": {"nodes": 20_000, "depth": 8}}),
    ));
    assert_eq!(before["position"]["empties"], 25);
    assert_eq!(before["score"]["kind"], "estimate");
    let asked =
        json!({"moves": EIGHT_MOVES, "size": 6, "limits": {"exact_from_empties": 10, "nodes": 5_000}});
    assert_eq!(ok(server.post(PATH, &asked))["search"]["limits_applied"]["exact_from_empties"], 10);
}

#[test]
fn cutoffs_add_up_and_tell_how_often_the_first_move_was_right() {
    let server = Server::start();
    let ask = |body: Value| ok(server.post(PATH, &body));
    // FFO 40 with its 20 empties, solved; and an opening position, estimated selectively.
    let endgame = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X--------";
    let solved = ask(json!({"board": endgame, "side_to_move": "black", "include": ["cutoffs"],
                            "limits": {"time_ms": 60_000}}));
    assert_eq!((&solved["score"]["kind"], &solved["score"]["discs"]), (&json!("exact"), &json!(38)));
    let estimated = ask(json!({"moves": "f5d6c3d3c4", "include": ["cutoffs"], "limits": {"depth": 12}}));
    for reply in [&solved, &estimated] {
        let (cutoffs, table) = (&reply["search"]["cutoffs"], &reply["search"]["table"]);
        let count = |name: &str| cutoffs[name].as_u64().unwrap();
        let table_count = |name: &str| table[name].as_u64().unwrap();
        assert!(0 < count("first_move") && count("first_move") <= count("beta"), "{cutoffs}");
        assert!(
            0 < count("beta") && count("beta") <= reply["search"]["nodes"].as_u64().unwrap(),
            "{cutoffs}"
        );
        let rate = cutoffs["first_move_rate"].as_f64().unwrap();
        assert!((rate - count("first_move") as f64 / count("beta") as f64).abs() < 1e-12, "{cutoffs}");
        // A well-ordered search is right at once far more often than not.
        assert!(rate > 0.5, "{cutoffs}");
        assert!(0 < table_count("hits") && table_count("hits") <= table_count("probes"), "{table}");
        // Every cutoff by the table came from a look-up that found something.
        assert!(
            0 < count("table") && count("table") + count("enhanced_table") <= table_count("hits"),
            "{reply}"
        );
        assert!(count("re_searches") > 0, "{cutoffs}");
    }
    assert!(solved["search"]["cutoffs"]["stability"].as_u64() > Some(0), "stable discs cut in an endgame");
    assert!(
        estimated["search"]["cutoffs"]["probcut"].as_u64() > Some(0),
        "a selective search cuts on shallow ones"
    );
    let sure = ask(json!({"moves": "f5d6c3d3c4", "include": ["cutoffs"],
                          "limits": {"depth": 8, "selectivity_percent": 100}}));
    assert_eq!(sure["search"]["cutoffs"]["probcut"], 0, "nothing is pruned on an estimate at 100 percent");
}
