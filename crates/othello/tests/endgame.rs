//! The exact solver gives the values that others have published, and those of a slow solver that shares nothing with it.

mod support;

use othello::board::{Board, Size};
use othello::position::{EmptiesRule, Status};
use othello::query::Selectivity;
use othello::search::table::Table;
use othello::search::worker::Rules;
use othello::search::{endgame, worker};
use othello::square::Move;
use support::{Random, data, naive, obf, score, values, with_worker};

const BOTH_RULES: [EmptiesRule; 2] = [EmptiesRule::Winner, EmptiesRule::Nobody];

fn standard() -> Rules {
    Rules { size: Size::Eight, empties: EmptiesRule::Winner }
}

#[test]
fn ffo_positions_1_to_19_have_their_published_value_in_every_move() {
    let table = Table::new(1 << 24);
    for (index, problem) in obf::read(&data("ffo-1-19.obf")).into_iter().enumerate() {
        table.new_generation();
        let mut expected = problem.moves;
        expected.sort();
        let mut found = values(&table, problem.position, EmptiesRule::Winner);
        found.sort();
        assert_eq!(found, expected, "FFO {}", index + 1);
    }
}

#[test]
fn ffo_positions_from_20_on_have_their_published_value() {
    let table = Table::new(1 << 25);
    for (index, problem) in obf::read(&data("ffo-20-79.obf"))
        .into_iter()
        .take(if cfg!(debug_assertions) { 4 } else { 20 })
        .enumerate()
    {
        table.new_generation();
        let value = score(&table, standard(), problem.position.board());
        assert_eq!(value, problem.moves[0].1, "FFO {}", index + 20);
    }
}

#[test]
fn small_boards_are_solved_from_the_start_and_discs_alone_count_when_empties_are_nobodys() {
    let table = Table::new(1 << 16);
    for (empties, expected) in [(EmptiesRule::Winner, -10), (EmptiesRule::Nobody, -8)] {
        table.new_generation();
        assert_eq!(score(&table, Rules { size: Size::Four, empties }, Board::start(Size::Four)), expected);
    }
}

#[derive(serde::Deserialize)]
struct Golden {
    size: usize,
    board: String,
    side: String,
    empties: u32,
    status: String,
    value: i32,
    #[serde(default)]
    moves: std::collections::BTreeMap<String, i32>,
}

#[test]
fn golden_endgames_have_their_value_in_every_move() {
    let file: serde_json::Value = serde_json::from_str(&data("../seeds/othello_endgames.json")).unwrap();
    let table = Table::new(1 << 24);
    let mut checked = 0;
    for group in ["endgame8", "pass_root8", "over_full8", "over_empties8", "over_wipeout8", "endgame6"] {
        let cases: Vec<Golden> = serde_json::from_value(file[group].clone()).unwrap();
        for case in cases {
            table.new_generation();
            let size = Size::from_side(case.size).unwrap();
            let position = obf::position(size, &case.board, &case.side);
            assert_eq!(position.empty().count_ones(), case.empties);
            let status = match case.status.as_str() {
                "move" => Status::InProgress,
                "pass" => Status::MustPass,
                _ => Status::Finished,
            };
            assert_eq!(position.status(), status);
            let rules = Rules { size, empties: EmptiesRule::Nobody };
            assert_eq!(score(&table, rules, position.board()), case.value, "{group} {}", case.board);
            for (mv, value) in values(&table, position, EmptiesRule::Nobody) {
                assert_eq!(case.moves.get(&mv.to_string()), Some(&value), "{group} {} {mv}", case.board);
                checked += 1;
            }
        }
    }
    assert!(checked > 200, "only {checked} moves were checked");
}

/// Compares the fast solver with the naive one on random positions, of which `count` are taken in each of the kinds.
fn compare_with_naive(count: u64, most_empties: u64) {
    let mut random = Random(20);
    let table = Table::new(1 << 16);
    for round in 0..count {
        for size in Size::ALL {
            let most = most_empties.min(if size == Size::Four { 9 } else { most_empties });
            let empties = random.below(most + 1) as u32;
            let own_of_16 = random.below(17);
            let boards =
                [random.played(size, empties).board(), random.strewn(size, empties.min(7), own_of_16)];
            for (board, rule) in boards.into_iter().flat_map(|board| BOTH_RULES.map(|rule| (board, rule))) {
                table.new_generation();
                let rules = Rules { size, empties: rule };
                let expected = naive::Grid::new(board, size, rule).solve();
                assert_eq!(score(&table, rules, board), expected, "round {round}: {board:?} {rules:?}");
                for alpha in [expected - 1, expected, expected - 7, expected + 6] {
                    let bound = with_worker(&table, rules, |worker| {
                        endgame::solve(worker, board, alpha, alpha + 1, Selectivity::Full)
                    });
                    let bound = bound.0.expect("nobody interrupts");
                    let right = if bound > alpha { bound <= expected } else { bound >= expected };
                    assert!(right, "round {round}: {board:?} {rules:?} over {alpha}: {bound}, is {expected}");
                }
            }
        }
    }
}

#[test]
fn random_positions_have_the_value_that_a_naive_solver_finds() {
    compare_with_naive(
        if cfg!(debug_assertions) { 250 } else { 8_000 },
        if cfg!(debug_assertions) { 8 } else { 10 },
    );
}

#[test]
fn empty_and_one_coloured_boards_are_finished_games() {
    let table = Table::new(64);
    let nothing = Board { player: 0, opponent: 0 };
    let one = Board { player: 0, opponent: 1 << 27 };
    assert_eq!(score(&table, standard(), nothing), 0);
    assert_eq!(score(&table, standard(), one), -64);
    assert_eq!(score(&table, Rules { empties: EmptiesRule::Nobody, ..standard() }, one), -1);
}

#[test]
fn the_principal_variation_is_legal_and_ends_in_the_value() {
    let table = Table::new(1 << 24);
    for problem in obf::read(&data("ffo-1-19.obf")) {
        table.new_generation();
        let (line, _) = with_worker(&table, standard(), |worker: &mut worker::Worker<'_>| {
            let value = endgame::solve(worker, problem.position.board(), -64, 64, Selectivity::Full);
            assert_eq!(value, Some(problem.moves[0].1));
            endgame::principal_variation(worker, problem.position.board())
        });
        assert!(!line.is_empty());
        let mut position = problem.position;
        for (ply, mv) in line.into_iter().enumerate() {
            let values = values(&table, position, EmptiesRule::Winner);
            let best = values.iter().map(|&(_, value)| value).max();
            let chosen = values.iter().find(|&&(candidate, _)| candidate == mv).map(|&(_, value)| value);
            assert!(mv == Move::Pass || chosen == best, "ply {ply}: {mv}");
            position = position.play(mv).unwrap();
        }
    }
}
