//! The exact solver gives the values that others have published, and those of a slow solver that shares nothing with it.

mod support;

use othello::board::{Board, Size};
use othello::position::{EmptiesRule, Status};
use othello::query::{Selectivity, Statistics};
use othello::search::table::Table;
use othello::search::worker::Rules;
use othello::search::{endgame, worker};
use othello::square::Move;
use othello::symmetry::Symmetry;
use support::{Random, data, naive, obf, score, values, with_budget, with_worker};

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
        if cfg!(debug_assertions) { 250 } else { 2_000 },
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

/// Positions with 12 to 14 empties as games of random moves reach them, and their value on a fresh table.
fn sample_positions() -> Vec<(Board, i32)> {
    let mut random = Random(7);
    let fresh = Table::new(1 << 22);
    (0..if cfg!(debug_assertions) { 12 } else { 300 })
        .map(|round| {
            fresh.new_generation();
            let board = random.played(Size::Eight, 12 + round % 3).board();
            (board, score(&fresh, standard(), board))
        })
        .collect()
}

#[test]
fn table_size_warmth_orientation_and_colour_leave_every_value() {
    for (board, expected) in sample_positions() {
        for bytes in [0, 1 << 12, 1 << 18, 1 << 23] {
            let table = Table::new(bytes);
            assert_eq!(score(&table, standard(), board), expected, "{board:?} in {bytes} bytes");
            assert_eq!(score(&table, standard(), board), expected, "{board:?} again in warm {bytes} bytes");
        }
        let table = Table::new(1 << 22);
        for symmetry in Symmetry::ALL {
            assert_eq!(score(&table, standard(), symmetry.board(board, Size::Eight)), expected, "{board:?}");
        }
        // Swapping the colours of position and side to move gives the same board; what differs is that both sides are
        // asked on one table.
        let other = score(&table, standard(), board.pass());
        assert_eq!(score(&Table::new(1 << 22), standard(), board.pass()), other, "{board:?}");
    }
}

#[test]
fn what_a_less_sure_search_left_behind_never_answers_for_a_proof() {
    let mut estimates_that_differ = 0;
    for (board, expected) in sample_positions() {
        let table = Table::new(1 << 22);
        for selectivity in Selectivity::ALL {
            let (found, _) =
                with_worker(&table, standard(), |worker| endgame::solve(worker, board, -64, 64, selectivity));
            estimates_that_differ += i32::from(found != Some(expected));
        }
        assert_eq!(score(&table, standard(), board), expected, "{board:?}");
    }
    println!("{estimates_that_differ} estimates differed from the proof");
}

#[test]
fn a_reused_table_is_like_a_fresh_one_to_the_node() {
    let positions = sample_positions();
    let used = Table::new(1 << 20);
    for &(board, _) in &positions {
        let job = |worker: &mut worker::Worker<'_>| endgame::solve(worker, board, -64, 64, Selectivity::Full);
        used.new_generation();
        let fresh = Table::new(1 << 20);
        assert_eq!(with_worker(&used, standard(), job), with_worker(&fresh, standard(), job), "{board:?}");
    }
}

#[test]
fn a_search_cut_short_says_nothing_and_leaves_nothing_wrong_behind() {
    let mut random = Random(11);
    let table = Table::new(1 << 20);
    let mut cut_short = 0;
    for (board, expected) in sample_positions() {
        table.new_generation();
        for _ in 0..20 {
            let limit = 1 + random.below(60_000);
            let first = with_limit(&table, board, limit);
            cut_short += i32::from(first.0.is_none());
            assert!(first.0.is_none_or(|value| value == expected));
        }
        assert_eq!(score(&table, standard(), board), expected, "{board:?}");
        table.new_generation();
        let once = with_limit(&table, board, 5_000);
        table.new_generation();
        assert_eq!(
            with_limit(&table, board, 5_000),
            once,
            "the count at which a search stops is reproducible"
        );
    }
    assert!(cut_short > 0, "no search met its limit");
}

fn with_limit(table: &Table, board: Board, nodes: u64) -> (Option<i32>, Statistics) {
    with_budget(table, standard(), Some(nodes), |worker| {
        endgame::solve(worker, board, -64, 64, Selectivity::Full)
    })
}

#[test]
fn threads_that_share_a_table_find_the_same_values() {
    let positions = sample_positions();
    let table = Table::new(1 << 16);
    std::thread::scope(|scope| {
        for reversed in [false, true] {
            let (table, mut positions) = (&table, positions.clone());
            if reversed {
                positions.reverse();
            }
            scope.spawn(move || {
                for (board, expected) in positions {
                    assert_eq!(score(table, standard(), board), expected, "{board:?}");
                }
            });
        }
    });
}

#[test]
fn who_wins_is_known_from_the_window_around_a_draw() {
    let (mut exact, mut sign) = (0, 0);
    for (board, expected) in sample_positions() {
        let job = |window: i32| {
            let solve = move |worker: &mut worker::Worker<'_>| {
                endgame::solve(worker, board, -window, window, Selectivity::Full)
            };
            with_worker(&Table::new(1 << 22), standard(), solve)
        };
        let (found, statistics) = job(1);
        assert_eq!(found.map(i32::signum), Some(expected.signum()), "{board:?}");
        sign += statistics.nodes;
        exact += job(64).1.nodes;
    }
    assert!(sign * 3 < exact * 2, "{sign} nodes for the winner, {exact} for the score");
}
