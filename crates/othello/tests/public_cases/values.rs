//! Cases that need the exact solver.

use std::sync::atomic::AtomicBool;

use othello::notation::{obf, pasted_board};
use othello::position::{Color, EmptiesRule, Position, Status};
use othello::query::Selectivity;
use othello::search::endgame;
use othello::search::table::Table;
use othello::search::worker::{NodeBudget, Rules, Worker};
use othello::square::{Move, Squares};
use searchkit::clock::StoppedClock;
use searchkit::control::Control;
use searchkit::stop::StopFlag;

use crate::game;

/// A table of 16 MiB, enough for all cases here.
fn table() -> Table {
    Table::new(1 << 24)
}

/// The exact value of a position for its side to move.
fn value(table: &Table, position: Position, empties: EmptiesRule) -> i32 {
    let (stop, recall) = (StopFlag::new(), AtomicBool::new(false));
    let control =
        Control { stop: &stop, recall: &recall, clock: &StoppedClock, deadline: None, on_progress: &|| () };
    let budget = NodeBudget::new(None);
    let mut worker = Worker::new(table, Rules { size: position.size(), empties }, &control, &budget);
    endgame::solve(&mut worker, position.board(), -64, 64, Selectivity::Full).expect("nobody interrupts")
}

/// The exact value of every legal move, in ascending order of squares.
fn move_values(table: &Table, position: Position) -> Vec<(Move, i8)> {
    let value_of = |mv| -value(table, position.play(mv).expect("the move is legal"), EmptiesRule::Winner);
    let moves = Squares(position.moves()).map(Move::Place);
    moves.map(|mv| (mv, i8::try_from(value_of(mv)).expect("a score in discs"))).collect()
}

const FFO_1: &str = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; \
                     G8:+18; H1:+12; H7:+6; A2:+6; A3:+4; B1:-4; A4:-22; G2:-24;";
const FFO_8: &str = "---X-X--X-XXXX--XXXXOXXXXXXOOOOOXXOXXXO-XOXXXXO-XOOXXX--XOOXXO-- O; \
                     E1:+8; H2:+4; G2:+4; B2:+4; G7:+4; B1:+2; G1:-6; C1:-8;";

#[test]
fn po10_a_value_near_the_end_is_a_difference_in_discs() {
    let read = game(
        "f5d6c3d3c4f4f6g5e6d7e3c5f3e7h5e2c6d2c2b3b4g6a4h6g4h4c7h3d8b5f8b6f7a5a3a2a7c1b7g3g2c8b8e8d1e1f1b2",
    );
    let table = table();
    for (mv, value) in move_values(&table, read.position) {
        assert!((-64..=64).contains(&value), "{mv}: {value}");
        assert_eq!(value % 2, 0, "{mv}: with the empties to the winner a result is even");
    }
}

#[test]
fn po11_both_conventions_for_empty_squares_give_their_own_value() {
    let boards = [
        ("OOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOO.. O", 64, 62),
        ("OOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOO*O... O", 64, 63),
        ("OOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOO*O*O.... O", 50, 49),
        ("***********************************************************O*... O", -64, -63),
        // Our list lost one disc of the second row; this is the board as its source (weltyc/novello) has it.
        (".....O....OOOOOO**O***O*.*OOOOO****OO*O***O**O**********O*****.. O", 4, 2),
    ];
    let table = table();
    for (board, winner, nobody) in boards {
        let position = pasted_board::read(board).unwrap_or_else(|error| panic!("{board}: {error}")).position;
        table.new_generation();
        assert_eq!(value(&table, position, EmptiesRule::Winner), winner, "{board}");
        table.new_generation();
        assert_eq!(value(&table, position, EmptiesRule::Nobody), nobody, "{board}");
    }
}

#[test]
fn po12_a_pass_has_a_value_and_zero_is_a_value() {
    let before_pass =
        game("f5d6c3d3c4f4f6f3e3b4c5c6e6e2e7d2f1d7a3a4b3g6a5a2a1f2g5f7b2c2b5e1b1g1c1h4g3b6d1h2h1g2h3")
            .position;
    assert_eq!(before_pass.status(), Status::MustPass);
    let passed = before_pass.play(Move::Pass).unwrap();
    let table = table();
    let before = value(&table, before_pass, EmptiesRule::Winner);
    assert_eq!(before, -value(&table, passed, EmptiesRule::Winner));
    let best = move_values(&table, passed).into_iter().map(|(_, value)| value).max();
    assert_eq!(best, i8::try_from(-before).ok(), "the pass is worth what the answer to it is worth");

    let drawn = game(
        "D3C5F6F5F4C3C4D2E2B4D1F3B5E3F2F1A4D6E6E7F7B6E8C6B3A5D7A3E1A6G1A2C2C7B8D8C8G8G6H6G5H5G4H4H3G7H8F8H7A8A7B7A1B2G3G2\
         H2H1C1B1",
    );
    assert_eq!(value(&table, drawn.position, EmptiesRule::Winner), 0);
}

#[test]
fn po14_values_of_a_game_keep_one_perspective_and_losses_follow_from_them() {
    let read = game(
        "f5d6c3d3c4f4f6g5e6d7e3c5f3e7h5e2c6d2c2b3b4g6a4h6g4h4c7h3d8b5f8b6f7a5a3a2a7c1b7g3g2c8b8e8d1e1f1b2a6a8h2h1g1f2g7g8\
         a1b1h8h7",
    );
    let table = table();
    let for_black = |position: Position| {
        let value = value(&table, position, EmptiesRule::Winner);
        if position.side() == Color::Black { value } else { -value }
    };
    let (mut before, mut losses, mut written) = (Vec::new(), Vec::new(), 0);
    let mut position = read.start;
    for (index, &mv) in read.moves.iter().enumerate() {
        let next = position.play(mv).expect("the game is legal");
        if !read.passes_added.contains(&index) {
            written += 1;
            if written >= 45 {
                let (now, then) = (for_black(position), for_black(next));
                before.push(now);
                losses.push(if position.side() == Color::Black { now - then } else { then - now });
            }
        }
        position = next;
    }
    assert_eq!(before, [-22, -22, -12, -14, -14, -22, -22, -24, -22, -24, -24, -28, -24, -24, -24, -24]);
    assert_eq!(losses, [0, 10, 2, 0, 8, 0, 2, 2, 2, 0, 4, 4, 0, 0, 0, 0]);
    assert_eq!((position.status(), for_black(position)), (Status::Finished, -24));
}

#[test]
fn po19_a_warm_table_changes_no_value() {
    let problem = obf::read_line(FFO_1).unwrap();
    let table = table();
    let mut expected = problem.values;
    expected.sort();
    for run in ["cold", "warm", "warm again"] {
        let mut found = move_values(&table, problem.position);
        found.sort();
        assert_eq!(found, expected, "{run}");
    }
    let mut alone = Vec::new();
    for (mv, _) in &expected {
        let next = problem.position.play(*mv).unwrap();
        alone.push(-value(&Table::new(64), next, EmptiesRule::Winner));
    }
    let listed: Vec<i32> = expected.iter().map(|&(_, value)| i32::from(value)).collect();
    assert_eq!(alone, listed, "a table of one line, fresh for each move");
}

#[test]
fn po20_the_best_move_is_played_once_the_end_is_in_sight() {
    let table = table();
    for (problem, best, worst) in [(FFO_1, ("g8", 18), ("g2", -24)), (FFO_8, ("e1", 8), ("c1", -8))] {
        let problem = obf::read_line(problem).unwrap();
        table.new_generation();
        let mut found = move_values(&table, problem.position);
        found.sort_by_key(|&(_, value)| -value);
        let named = |&(mv, value): &(Move, i8)| (mv.to_string(), value);
        assert_eq!(found.first().map(named), Some((best.0.to_owned(), best.1)));
        assert_eq!(found.last().map(named), Some((worst.0.to_owned(), worst.1)));
    }
}
