//! Moves and turned discs: golden positions in full, and random boards against the naive rules.

use std::collections::BTreeMap;

use othello::position::Position;
use othello::square::Squares;
use serde::Deserialize;

use crate::data::{Golden, Random, golden, squares};

#[derive(Deserialize)]
struct Table {
    positions: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    #[serde(flatten)]
    position: Golden,
    flips: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    moves_without_border_masks: Vec<String>,
}

fn moves_with_flips(position: Position) -> Vec<(u64, u64)> {
    Squares(position.moves()).map(|square| (square.bit(), position.flips(square))).collect()
}

#[test]
fn golden_positions_have_exactly_their_moves_and_turned_discs() {
    let table: Table = golden("othello_movegen.json");
    assert_eq!(table.positions.len(), 25);
    for case in table.positions {
        let mut expected: Vec<(u64, u64)> = case
            .flips
            .iter()
            .map(|(mv, turned)| (squares(std::slice::from_ref(mv)), squares(turned)))
            .collect();
        expected.sort_unstable();
        assert_eq!(moves_with_flips(case.position.position()), expected, "{}", case.position.board);
    }
}

#[test]
fn moves_that_only_wrapping_shifts_would_find_do_not_exist() {
    let table: Table = golden("othello_movegen.json");
    let mut wraps = 0;
    for case in table.positions.iter().filter(|case| !case.moves_without_border_masks.is_empty()) {
        let position = case.position.position();
        assert_eq!(position.moves(), 0, "{}", case.position.board);
        for square in Squares(squares(&case.moves_without_border_masks)) {
            assert_eq!(position.flips(square), 0, "{square} on {}", case.position.board);
        }
        wraps += 1;
    }
    assert_eq!(wraps, 4);
}

#[test]
fn random_boards_of_every_size_have_the_moves_of_the_naive_rules() {
    let mut random = Random(21);
    let mut moves = 0;
    for side in [4, 6, 8] {
        for round in 0..2_000 {
            let grid = random.grid(side, round % (side * side + 1));
            let expected = grid.moves();
            assert_eq!(moves_with_flips(grid.position()), expected, "{grid:?}");
            moves += expected.len();
        }
    }
    assert!(moves > 20_000, "only {moves} moves were compared");
}

#[test]
fn squares_that_are_no_moves_turn_nothing() {
    let mut random = Random(22);
    for side in [4, 6, 8] {
        for round in 0..500 {
            let position = random.grid(side, round % (side * side + 1)).position();
            for square in Squares(!position.moves()) {
                assert_eq!(position.flips(square), 0, "{square} in {position:?}");
            }
        }
    }
}
