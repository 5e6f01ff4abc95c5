//! Counts of lines of play: published to depth 9 here (deeper in the release check), golden under three definitions.

use othello::board::Size;
use othello::perft::{Counting, EarlyEnd, PassCost, divide, perft};
use othello::position::Position;
use othello::square::Move;
use serde::Deserialize;

use crate::data::{Golden, Random, bytes, golden};
use crate::naive::Grid;

/// The deepest count of this suite. The same tables go on to 11 and more.
const DEEPEST: u8 = 9;

const WITHOUT_EARLY_ENDS: Counting = Counting { pass: PassCost::Ply, early_end: EarlyEnd::Nothing };
const FREE_PASSES: Counting = Counting { pass: PassCost::Free, early_end: EarlyEnd::Leaf };
const DISCS: Counting = Counting { pass: PassCost::Free, early_end: EarlyEnd::Nothing };

#[derive(Deserialize)]
struct Tables {
    initial: Vec<Initial>,
    positions: Vec<Reached>,
}

#[derive(Deserialize)]
struct Initial {
    size: usize,
    plies_game_over_counts_one: Vec<u64>,
    plies_game_over_counts_zero: Vec<u64>,
    discs: Vec<u64>,
}

#[derive(Deserialize)]
struct Reached {
    #[serde(flatten)]
    position: Golden,
    perft: Vec<u64>,
}

/// 4x4 is counted to the end of its longest line; larger boards to the depth of this suite.
fn deepest(size: Size) -> usize {
    match size {
        Size::Four => usize::MAX,
        Size::Six | Size::Eight => usize::from(DEEPEST),
    }
}

#[test]
fn published_counts_of_the_start_position() {
    let table = String::from_utf8(bytes("othello/perft.tsv")).unwrap();
    let mut compared = 0;
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<u64> = line.split_whitespace().map(|field| field.parse().unwrap()).collect();
        if fields[0] <= u64::from(DEEPEST) {
            let start = Position::start(Size::Eight);
            assert_eq!(perft(start, fields[0] as u8, Counting::PUBLISHED), fields[1], "depth {}", fields[0]);
            assert_eq!(perft(start, fields[0] as u8, FREE_PASSES), fields[2], "depth {}", fields[0]);
            compared += 1;
        }
    }
    assert_eq!(compared, DEEPEST);
}

#[test]
fn golden_counts_of_the_start_positions_under_three_definitions() {
    for table in golden::<Tables>("othello_perft.json").initial {
        let size = Size::from_side(table.size).unwrap();
        for (counting, counts) in [
            (Counting::PUBLISHED, &table.plies_game_over_counts_one),
            (WITHOUT_EARLY_ENDS, &table.plies_game_over_counts_zero),
            (DISCS, &table.discs),
        ] {
            for (depth, &count) in counts.iter().enumerate().take(deepest(size).saturating_add(1)) {
                let found = perft(Position::start(size), depth as u8, counting);
                assert_eq!(found, count, "{size:?}, depth {depth}, {counting:?}");
            }
        }
    }
}

#[test]
fn golden_counts_of_positions_from_games() {
    for case in golden::<Tables>("othello_perft.json").positions {
        for (depth, &count) in case.perft.iter().enumerate() {
            let found = perft(case.position.position(), depth as u8, Counting::PUBLISHED);
            assert_eq!(found, count, "{}, depth {depth}", case.position.board);
        }
    }
}

#[test]
fn the_moves_of_a_position_share_its_count() {
    for size in Size::ALL {
        for counting in [Counting::PUBLISHED, WITHOUT_EARLY_ENDS, FREE_PASSES, DISCS] {
            for depth in 1..=6 {
                let start = Position::start(size);
                let shares = divide(start, depth, counting);
                assert_eq!(shares.len(), 4);
                assert_eq!(
                    shares.iter().map(|&(_, count)| count).sum::<u64>(),
                    perft(start, depth, counting)
                );
            }
        }
    }
}

#[test]
fn a_forced_pass_is_the_only_share_of_its_position() {
    let black_must_pass = Position::new(Size::Four, 0b10, 0b1, othello::position::Color::Black).unwrap();
    assert_eq!(divide(black_must_pass, 2, Counting::PUBLISHED), [(Move::Pass, 1)]);
    assert_eq!(divide(black_must_pass, 1, DISCS), [(Move::Pass, 1)]);
    assert_eq!(divide(black_must_pass, 0, Counting::PUBLISHED), []);
}

/// Plies with early ends as leaves, walked on the naive board.
fn naive_count(grid: &Grid, depth: u8) -> u64 {
    let next = grid.successors();
    if depth == 0 || next.is_empty() { 1 } else { next.iter().map(|grid| naive_count(grid, depth - 1)).sum() }
}

#[test]
fn random_boards_are_counted_as_on_the_naive_board() {
    let mut random = Random(41);
    for (side, depth) in [(4, 6), (6, 4), (8, 3)] {
        for round in 0..40 {
            let grid = random.grid(side, 2 + round % (side * side - 4));
            let counted = perft(grid.position(), depth, Counting::PUBLISHED);
            assert_eq!(counted, naive_count(&grid, depth), "{grid:?}");
        }
    }
}
