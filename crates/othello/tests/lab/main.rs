//! The lab against the golden tables of the founding texts, node for node, and against exhaustive enumeration.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod product;

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;

use othello::board::Size;
use othello::lab::{
    Comparison, EndScore, LateMoveReduction, Leaf, Method, Ordering, Outcome, RootReduction, Technique,
    search,
};
use othello::position::{Color, Position, Status};
use othello::square::{Move, Squares};
use searchkit::clock::StoppedClock;
use searchkit::stop::{StopFlag, StopReason};
use serde_json::Value;

/// Alpha-beta on disc differences in index order: the search of the second founding text.
const DISCS: Technique = Technique {
    leaf: Leaf::DiscDifference,
    end_score: EndScore::Discs,
    ordering: Ordering::Index,
    ..Technique::PLAIN
};

fn golden(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/seeds").join(name);
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().unwrap()
}

fn int(value: &Value, key: &str) -> i64 {
    value[key].as_i64().unwrap()
}

fn position(board: &str, side: &str) -> Position {
    let side_length = (board.len() as f64).sqrt() as usize;
    let size = Size::from_side(side_length).unwrap();
    let discs = |symbol: char| {
        let found = board.chars().enumerate().filter(|&(_, cell)| cell == symbol);
        found.map(|(index, _)| 1u64 << (index / side_length * 8 + index % side_length)).sum()
    };
    let color = if side == "X" { Color::Black } else { Color::White };
    Position::new(size, discs('X'), discs('O'), color).unwrap()
}

fn golden_position(entry: &Value) -> Position {
    position(entry["board"].as_str().unwrap(), entry["side"].as_str().unwrap())
}

fn run(technique: &Technique, position: Position, depth: u8) -> Outcome {
    search(technique, position, depth, &mut || None).unwrap()
}

fn black_value(technique: &Technique, position: Position, depth: u8) -> i64 {
    let score = i64::from(run(technique, position, depth).score);
    if position.side() == Color::Black { score } else { -score }
}

fn name_of(best: Option<Move>) -> String {
    best.map_or_else(|| "none".to_owned(), |mv| mv.to_string())
}

#[test]
fn every_golden_row_of_the_selective_searches_is_reproduced_node_for_node() {
    let data = golden("othello_selective.json");
    let techniques: HashMap<&str, Technique> = Technique::NAMED.into_iter().collect();
    let mut rows = 0;
    for entry in list(&data, "positions") {
        let position = golden_position(entry);
        for row in list(entry, "results") {
            let depth = int(row, "depth") as u8;
            let technique = &techniques[row["mode"].as_str().unwrap()];
            let found = run(technique, position, depth);
            let counters = found.counters;
            let ours = [
                i64::from(found.score),
                counters.nodes as i64,
                counters.null_cuts as i64,
                counters.verifications as i64,
                counters.lmr_cuts as i64,
                counters.null_tries as i64,
                counters.lmr_reduced as i64,
                counters.re_searches as i64,
                counters.passes as i64,
            ];
            let theirs = [
                "score",
                "nodes",
                "null_cuts",
                "verifications",
                "lmr_cuts",
                "null_tries",
                "lmr_reduced",
                "lmr_researches",
                "passes",
            ]
            .map(|key| int(row, key));
            let place = format!("{} depth {depth} {}", entry["id"], row["mode"]);
            assert_eq!(ours, theirs, "{place}");
            assert_eq!(name_of(found.best_move), row["best"].as_str().unwrap(), "{place}");
            rows += 1;
        }
    }
    assert_eq!(rows, 328, "every row of the file was compared");
}

#[test]
fn reducing_root_moves_changes_the_answer_as_recorded() {
    let data = golden("othello_selective.json");
    let demo = golden_position(&data["positions"][0]);
    for row in list(&data, "demo_root_lmr_incident") {
        let root_reduction = if row["research"].as_bool().unwrap() {
            RootReduction::ReduceAndRepeat
        } else {
            RootReduction::Reduce
        };
        let min_ply = int(row, "inner_min_ply") as u8;
        let rule = LateMoveReduction { reduction: 1, min_depth: 3, first_index: 6, min_ply };
        let technique = Technique {
            root_reduction,
            late_move_reduction: Some(rule),
            ..Technique::VERIFIED_NULL_MOVE_LMR
        };
        let found = run(&technique, demo, int(row, "depth") as u8);
        assert_eq!(i64::from(found.score), int(row, "score"), "{row}");
        assert_eq!(name_of(found.best_move), row["best"].as_str().unwrap(), "{row}");
    }
}

#[test]
fn full_width_root_values_of_the_demo_are_reproduced() {
    let data = golden("othello_selective.json");
    let demo = golden_position(&data["positions"][0]);
    // Deeper rows cost a full-width tree each; alpha-beta against minimax is checked in full on 4x4.
    for row in list(&data, "demo_full_width_root_values").iter().filter(|row| int(row, "depth") <= 5) {
        let depth = int(row, "depth") as u8;
        for (name, value) in row["values"].as_object().unwrap() {
            let child = demo.play(Move::Place(name.parse().unwrap())).unwrap();
            let score =
                -run(&Technique { method: Method::Minimax, ..Technique::PLAIN }, child, depth - 1).score;
            assert_eq!(i64::from(score), value.as_i64().unwrap(), "depth {depth} {name}");
        }
    }
}

#[test]
fn the_small_board_is_searched_with_the_published_values_and_node_counts() {
    let data = golden("othello_4x4.json");
    let start = Position::start(Size::Four);
    for row in list(&data, "initial_by_depth") {
        let depth = int(row, "depth") as u8;
        let full = Technique { method: Method::Minimax, ..DISCS };
        for (technique, key) in [(DISCS, "nodes_pruned"), (full, "nodes_full")] {
            let found = run(&technique, start, depth);
            assert_eq!(i64::from(found.score), int(row, "black_value"), "depth {depth}");
            // The table counts the root as a node, the lab does not.
            assert_eq!(found.counters.nodes as i64 + 1, int(row, key), "depth {depth} {key}");
        }
    }
}

#[test]
fn golden_values_of_the_small_board_hold_at_every_depth() {
    let data = golden("othello_4x4.json");
    let exact =
        list(&data, "exact_values").iter().chain(list(&data, "one_ply")).chain(list(&data, "two_ply"));
    for entry in exact {
        let value = black_value(&DISCS, golden_position(entry), 12);
        assert_eq!(value, int(entry, "black_value"), "{entry}");
    }
    for entry in list(&data, "truncated_values") {
        for (depth, value) in list(entry, "black_value_by_depth").iter().enumerate() {
            let ours = black_value(&DISCS, golden_position(entry), depth as u8);
            assert_eq!(Some(ours), value.as_i64(), "depth {depth} {entry}");
        }
    }
    for entry in list(&data, "rule_cases") {
        let value = black_value(&DISCS, golden_position(entry), int(entry, "depth") as u8);
        assert_eq!(value, int(entry, "black_value"), "{entry}");
    }
    for entry in list(&data, "published_roots") {
        for (side, key) in [("X", "black_value_black_to_move"), ("O", "black_value_white_to_move")] {
            let root = position(entry["board"].as_str().unwrap(), side);
            assert_eq!(black_value(&DISCS, root, int(entry, "depth") as u8), int(entry, key), "{entry}");
        }
    }
}

/// Every (board, side) state that play from the start can reach, passes and finished games included.
fn reachable_small_states() -> HashSet<Position> {
    let mut seen = HashSet::new();
    let mut open = vec![Position::start(Size::Four)];
    while let Some(state) = open.pop() {
        if !seen.insert(state) {
            continue;
        }
        match state.status() {
            Status::InProgress => {
                open.extend(Squares(state.moves()).map(|square| state.play(Move::Place(square)).unwrap()));
            }
            Status::MustPass => open.push(state.play(Move::Pass).unwrap()),
            Status::Finished => {}
        }
    }
    seen
}

/// Value for the side to move by plain recursion with a memory, written apart from the lab.
fn solve(state: Position, known: &mut HashMap<Position, i32>) -> i32 {
    if let Some(&value) = known.get(&state) {
        return value;
    }
    let value = match state.status() {
        Status::Finished => {
            state.board().player.count_ones() as i32 - state.board().opponent.count_ones() as i32
        }
        Status::MustPass => -solve(state.play(Move::Pass).unwrap(), known),
        Status::InProgress => Squares(state.moves())
            .map(|square| -solve(state.play(Move::Place(square)).unwrap(), known))
            .max()
            .unwrap(),
    };
    known.insert(state, value);
    value
}

#[test]
fn pruned_search_equals_minimax_on_every_reachable_small_state() {
    let data = golden("othello_4x4.json");
    let states = reachable_small_states();
    assert_eq!(states.len() as i64, int(&data["aggregates"], "reachable_states"));
    let mut known = HashMap::new();
    assert_eq!(solve(Position::start(Size::Four), &mut known), -8);
    let every_aid = Technique {
        ordering: Ordering::Mobility,
        killers: true,
        history: true,
        table: true,
        stability: true,
        ..DISCS
    };
    for state in states {
        let exact = solve(state, &mut known);
        assert_eq!(run(&DISCS, state, 12).score, exact, "{state:?}");
        assert_eq!(run(&every_aid, state, 12).score, exact, "all aids on, {state:?}");
    }
}

#[test]
fn golden_endgames_have_their_value_for_every_move() {
    let data = golden("othello_endgames.json");
    let fast = Technique {
        ordering: Ordering::Mobility,
        killers: true,
        history: true,
        table: true,
        stability: true,
        ..DISCS
    };
    for group in ["endgame8", "endgame6", "pass_root8", "over_full8", "over_empties8", "over_wipeout8"] {
        for entry in
            list(&data, group).iter().filter(|entry| int(entry, "empties") <= 12 || entry["status"] == "over")
        {
            let root = golden_position(entry);
            assert_eq!(i64::from(run(&fast, root, 64).score), int(entry, "value"), "{entry}");
            for (name, value) in entry["moves"].as_object().unwrap() {
                let child = root.play(Move::Place(name.parse().unwrap())).unwrap();
                assert_eq!(
                    Some(i64::from(-run(&fast, child, 64).score)),
                    value.as_i64(),
                    "{name} in {entry}"
                );
            }
        }
    }
}

#[test]
fn aids_that_only_save_work_never_change_the_value() {
    let data = golden("othello_selective.json");
    for entry in list(&data, "positions") {
        let root = golden_position(entry);
        let expected = run(&Technique::PLAIN, root, 5).score;
        for ordering in [Ordering::Index, Ordering::FewestFlips, Ordering::Mobility, Ordering::Weights] {
            for (killers, history, table) in
                [(true, false, false), (false, true, false), (false, false, true), (true, true, true)]
            {
                let technique = Technique { ordering, killers, history, table, ..Technique::PLAIN };
                assert_eq!(run(&technique, root, 5).score, expected, "{} {technique:?}", entry["id"]);
            }
        }
    }
}

#[test]
fn the_explained_terms_serve_as_a_leaf_that_no_colour_or_turn_of_the_board_changes() {
    let data = golden("othello_selective.json");
    let terms = Technique { leaf: Leaf::Terms, ..Technique::PLAIN };
    for entry in &list(&data, "positions")[..6] {
        let root = golden_position(entry);
        let swapped = Position::new(
            Size::Eight,
            root.discs(Color::White),
            root.discs(Color::Black),
            root.side().other(),
        )
        .unwrap();
        let mirrored = Position::new(
            Size::Eight,
            root.discs(Color::Black).swap_bytes(),
            root.discs(Color::White).swap_bytes(),
            root.side(),
        )
        .unwrap();
        let score = run(&terms, root, 4).score;
        assert_eq!(run(&terms, swapped, 4).score, score, "{}", entry["id"]);
        assert_eq!(run(&terms, mirrored, 4).score, score, "{}", entry["id"]);
        let minimax = Technique { method: Method::Minimax, ..terms };
        assert_eq!(run(&minimax, root, 3).score, run(&terms, root, 3).score, "{}", entry["id"]);
    }
}

#[test]
fn finished_and_stuck_roots_are_answered_as_such() {
    let full = position("XXXXXXXXXXXXXXXX", "O");
    let over = run(&Technique::PLAIN, full, 4);
    assert_eq!((over.score, over.best_move), (-EndScore::WIN, None));
    let stuck = position(".OXXXXXXXXXXXXXX", "O");
    assert_eq!(run(&DISCS, stuck, 1).best_move, Some(Move::Pass));
}

#[test]
fn a_comparison_marks_where_a_configuration_leaves_the_plain_answer() {
    let data = golden("othello_selective.json");
    let demo = golden_position(&data["positions"][0]);
    let named: Vec<(String, Technique)> =
        Technique::NAMED.iter().map(|(name, technique)| ((*name).to_owned(), *technique)).collect();
    for threads in [1, 3] {
        let comparison = Comparison::new(demo, &named, &[6, 7]);
        let rows = searchkit::crew::run(&comparison, threads, &StoppedClock, None, &StopFlag::new(), &|_| {});
        assert_eq!(rows.stop_reason, Some(StopReason::Depth));
        let same_score: Vec<bool> = rows.rows.iter().map(|row| row.agreement.unwrap().score).collect();
        // Depth 6: only the unverified null move leaves -35; depth 7: all three leave -18.
        assert_eq!(same_score, [true, false, true, true, true, false, false, false]);
    }
}

#[test]
fn a_stopped_comparison_keeps_finished_rows_and_names_the_reason() {
    let named = [("plain".to_owned(), Technique::PLAIN)];
    let comparison = Comparison::new(Position::start(Size::Eight), &named, &[1, 20]);
    let stop = StopFlag::new();
    let stop_after_first = |_: &_| stop.request(StopReason::Cancelled);
    let rows = searchkit::crew::run(&comparison, 1, &StoppedClock, None, &stop, &stop_after_first);
    assert_eq!(rows.stop_reason, Some(StopReason::Cancelled));
    assert!(rows.rows[0].outcome.is_some());
    assert!(rows.rows[1].outcome.is_none());
}

#[test]
fn a_configuration_of_another_ordering_is_still_measured_against_the_plain_one() {
    let data = golden("othello_selective.json");
    let demo = golden_position(&data["positions"][0]);
    let other_order = Technique { ordering: Ordering::Mobility, ..Technique::NULL_MOVE };
    let asked = [
        ("unverified".to_owned(), other_order),
        ("plain".to_owned(), Technique::PLAIN),
        ("discs".to_owned(), DISCS),
    ];
    let comparison = Comparison::new(demo, &asked, &[6]);
    let rows = searchkit::crew::run(&comparison, 1, &StoppedClock, None, &StopFlag::new(), &|_| {}).rows;
    let plain = rows[1].outcome.unwrap();
    let found = rows[0].outcome.unwrap();
    assert_eq!(plain.score, -35, "golden: depth 6, plain");
    assert_eq!(rows[0].agreement.unwrap().score, found.score == plain.score);
    assert!(rows[2].agreement.unwrap().score, "its own reference, as nobody else counts discs");
    let alone = Comparison::new(demo, &asked[..1], &[6]);
    let rows = searchkit::crew::run(&alone, 1, &StoppedClock, None, &StopFlag::new(), &|_| {}).rows;
    assert_eq!(rows[0].agreement, None, "nothing to measure against was asked");
}

#[test]
fn terms_and_finished_games_are_compared_in_one_unit() {
    // The game ends within the depth, so the value must be that of the disc count, in hundredths.
    let data = golden("othello_endgames.json");
    let terms =
        Technique { leaf: Leaf::Terms, end_score: EndScore::Discs, stability: true, ..Technique::PLAIN };
    let mut seen = 0;
    for entry in list(&data, "endgame8").iter().filter(|entry| int(entry, "empties") <= 8) {
        let found = run(&terms, golden_position(entry), 64);
        assert_eq!(i64::from(found.score), 100 * int(entry, "value"), "{entry}");
        seen += 1;
    }
    assert!(seen > 0, "the file holds such positions");
}

#[test]
fn root_moves_are_reduced_and_counted_by_the_same_rule_as_all_others() {
    let data = golden("othello_selective.json");
    let demo = golden_position(&data["positions"][0]);
    let technique = Technique { root_reduction: RootReduction::Reduce, ..Technique::VERIFIED_NULL_MOVE_LMR };
    // Ten root moves, the last four reduced; below depth 3 nothing is, and at depth 3 nothing but them can be.
    assert_eq!(run(&technique, demo, 2).counters.lmr_reduced, 0);
    assert_eq!(run(&technique, demo, 3).counters.lmr_reduced, 4);
    assert_eq!(run(&technique, demo, 2).score, run(&Technique::PLAIN, demo, 2).score);
}
