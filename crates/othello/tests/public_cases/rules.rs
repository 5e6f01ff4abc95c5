//! Cases that rules, notation and openings decide.

use othello::board::Size;
use othello::notation::{Assumption, Read, pasted_board, transcript};
use othello::openings;
use othello::position::{Color, EmptiesRule, IllegalMove, Position, Status};
use othello::square::{Move, Squares};

use crate::game;

/// Names of the squares that the side to move may play on, in ascending order.
fn legal(position: Position) -> String {
    Squares(position.moves()).map(|square| square.to_string()).collect::<Vec<_>>().join(" ")
}

/// Discs of black, discs of white, empty squares.
fn counts(position: Position) -> [u32; 3] {
    [position.discs(Color::Black), position.discs(Color::White), position.empty()].map(u64::count_ones)
}

/// The final score for black.
fn black_score(position: Position, rule: EmptiesRule) -> i32 {
    let score = position.final_score(rule);
    if position.side() == Color::Black { score } else { -score }
}

/// The position after the pass that the side to move must make.
fn after_pass(position: Position) -> Position {
    assert_eq!(position.status(), Status::MustPass);
    assert_eq!(legal(position), "");
    position.play(Move::Pass).expect("the pass is forced")
}

#[test]
fn po01_a_side_without_a_move_passes_and_the_game_goes_on() {
    let position = game("e6f6c4c5c6d6g7f4g4g6e7h8h6g5g8f8").position;
    assert_eq!((position.side(), counts(position)), (Color::Black, [17, 3, 44]));
    let passed = after_pass(position);
    assert_eq!((passed.side(), legal(passed).as_str()), (Color::White, "c3 g3 b4"));
}

#[test]
fn po02_white_passes_when_only_black_can_move() {
    let position = game("e6f6g6f4f5g7f7h7h8d6h6g8f8").position;
    assert_eq!((position.side(), counts(position)), (Color::White, [6, 11, 47]));
    let passed = after_pass(position);
    assert_eq!((passed.side(), legal(passed).as_str()), (Color::Black, "c3 d3 f3 c4 g5 c6 e7"));
}

const GAME_BEFORE_A_PASS: &str =
    "f5d6c3d3c4f4f6f3e3b4c5c6e6e2e7d2f1d7a3a4b3g6a5a2a1f2g5f7b2c2b5e1b1g1c1h4g3b6d1h2h1g2h3";

#[test]
fn po03_no_square_is_offered_to_a_side_that_must_pass() {
    let position = game(GAME_BEFORE_A_PASS).position;
    assert_eq!((position.side(), counts(position)), (Color::White, [27, 20, 17]));
    let a7 = Move::Place("a7".parse().unwrap());
    assert_eq!(position.play(a7), Err(IllegalMove::TurnsNothing("a7".parse().unwrap())));
    assert_eq!(legal(after_pass(position)), "g4 h5 h6 a7 b7 c7 g7 h7 d8 e8 f8 g8");
}

#[test]
fn po04_the_pass_token_pa_is_understood() {
    let moves = "F5D6C5F4D3E3F2C6G5B5A5B4B3C4C3A6A7A3F3E6C7B6D7D8B8E7F7E8C8A8A4F8A2B7";
    let before = game(moves).position;
    assert_eq!((before.side(), before.status()), (Color::Black, Status::MustPass));
    let read = game(&format!("{moves}PA"));
    assert_eq!((read.moves.last(), read.passes_added), (Some(&Move::Pass), vec![]));
    assert_eq!((read.position.side(), counts(read.position)[2]), (Color::White, 26));
    assert_eq!(read.position.status(), Status::InProgress);
}

#[test]
fn po05_a_pass_is_a_move_like_any_other_and_changes_only_the_side() {
    let position = game(GAME_BEFORE_A_PASS).position;
    let passed = after_pass(position);
    assert_eq!(counts(passed), counts(position));
    assert_eq!(passed.side(), Color::Black);
    assert_eq!(passed.play(Move::Pass), Err(IllegalMove::PassWithMoves), "black may not pass as well");
}

#[test]
fn po06_the_game_ends_with_five_squares_empty_when_neither_side_can_move() {
    let read = game(
        "c4e3f3c5d3b4e6f5d6f4f6c2b6c3c1c6a5a6c7a4a3a2b3b5d2a7b7b8d7d8c8a8e8e1d1b1b2a1e2e7f7f8f1f2g8g7g5g6h7g4g3h3h4h5g2",
    );
    let written_before: Vec<usize> =
        read.passes_added.iter().enumerate().map(|(earlier, index)| index - earlier).collect();
    assert_eq!(written_before, [42, 45, 46, 49, 54], "black's passes");
    assert_eq!((read.position.status(), counts(read.position)), (Status::Finished, [0, 59, 5]));
    assert_eq!(black_score(read.position, EmptiesRule::Winner), -64);
    assert_eq!(black_score(read.position, EmptiesRule::Nobody), -59);
}

const DRAWN_GAME: &str = "D3C5F6F5F4C3C4D2E2B4D1F3B5E3F2F1A4D6E6E7F7B6E8C6B3A5D7A3E1A6G1A2C2C7B8D8C8G8G6H6G5H5G4H4H3\
                          G7H8F8H7A8A7B7A1B2G3G2H2H1C1B1";

#[test]
fn po07_a_draw_is_a_result_of_zero() {
    let position = game(DRAWN_GAME).position;
    assert_eq!((position.status(), counts(position)), (Status::Finished, [32, 32, 0]));
    for rule in [EmptiesRule::Winner, EmptiesRule::Nobody] {
        assert_eq!(position.final_score(rule), 0);
    }
}

#[test]
fn po08_the_game_is_over_with_44_squares_empty() {
    let position = game("f5f4e3f2f3d6f1g3e6f6g4h4f7e1d1f8").position;
    assert_eq!((position.status(), counts(position)), (Status::Finished, [3, 17, 44]));
    assert_eq!(black_score(position, EmptiesRule::Winner), -58);
}

#[test]
fn po09_the_side_to_move_follows_from_the_moves_alone() {
    let read = game("f5");
    assert_eq!(read.position.side(), Color::White);
    let taken_back = transcript::read_list::<&str>(&[], read.start).unwrap().position;
    assert_eq!(taken_back, Position::start(Size::Eight));
    assert_eq!((taken_back.side(), legal(taken_back).as_str()), (Color::Black, "d3 c4 f5 e6"));
}

#[test]
fn po11_a_finished_board_counts_under_both_rules_for_empty_squares() {
    let board = "OOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOO.. O";
    let position = pasted_board::read(board).unwrap().position;
    assert_eq!((position.side(), position.status()), (Color::White, Status::Finished));
    assert_eq!(position.final_score(EmptiesRule::Winner), 64);
    assert_eq!(position.final_score(EmptiesRule::Nobody), 62);
}

#[test]
fn po13_a_wipe_out_ends_the_game_and_leaves_no_move() {
    let position = game("f5d6c5f6e7f4g5e6e3").position;
    assert_eq!((position.status(), counts(position)), (Status::Finished, [13, 0, 51]));
    assert_eq!(black_score(position, EmptiesRule::Winner), 64);
    for side in [Color::Black, Color::White] {
        let either = Position::new(Size::Eight, position.discs(Color::Black), 0, side).unwrap();
        assert_eq!((either.moves(), either.status()), (0, Status::Finished));
    }
}

/// Whether a pass takes one ply of the depth.
#[derive(Clone, Copy, PartialEq)]
enum Passes {
    TakeAPly,
    AreFree,
}

/// Move paths of this length; a game that is over is one path.
fn paths(position: Position, depth: u32, passes: Passes) -> u64 {
    if depth == 0 {
        return 1;
    }
    match position.status() {
        Status::Finished => 1,
        Status::MustPass if passes == Passes::TakeAPly => paths(after_pass(position), depth - 1, passes),
        Status::MustPass => paths(after_pass(position), depth, passes),
        Status::InProgress => Squares(position.moves())
            .map(|square| paths(position.play(Move::Place(square)).expect("legal"), depth - 1, passes))
            .sum(),
    }
}

#[test]
fn po16_both_ways_to_count_passes_give_the_published_path_counts() {
    let start = Position::start(Size::Eight);
    let both = [4, 12, 56, 244, 1396, 8200, 55092, 390_216];
    for (depth, count) in (1..).zip(both) {
        assert_eq!(paths(start, depth, Passes::TakeAPly), count, "depth {depth}");
        assert_eq!(paths(start, depth, Passes::AreFree), count, "depth {depth}");
    }
    assert_eq!(paths(start, 9, Passes::TakeAPly), 3_005_288);
    assert_eq!(paths(start, 9, Passes::AreFree), 3_005_320);
}

#[test]
fn po21_a_legal_game_with_a_pass_that_is_not_written_is_read() {
    let read: Read = game(DRAWN_GAME);
    assert_eq!(read.moves[9], Move::Place("b4".parse().unwrap()), "the move that was called invalid");
    assert_eq!(read.passes_added, [58], "black passes once, before move 59");
    assert_eq!(read.assumed, [Assumption::PassAdded { index: 58 }]);
    assert_eq!(counts(read.position), [32, 32, 0]);
}

#[test]
fn po24_discs_and_empty_squares_are_counted() {
    for (moves, expected) in [("", [2, 2, 60]), ("f5", [4, 1, 59]), ("f5d6c3d3c4", [6, 3, 55])] {
        assert_eq!(counts(game(moves).position), expected, "{moves}");
    }
}

#[test]
fn po25_an_opening_has_one_name_whichever_way_the_board_is_turned() {
    for moves in ["e6f4c3c4d3", "f5d6c3d3c4", "d3c5f6f5e6", "c4e3f6e6f5"] {
        let read = game(moves);
        let opening = openings::of_game(read.start, &read.moves).map(|opening| opening.name);
        assert_eq!(opening, Some("Tiger"), "{moves}");
        assert_eq!(
            openings::of_position(read.position).map(|opening| opening.name),
            Some("Tiger"),
            "{moves}"
        );
    }
}

#[test]
fn po25_two_lines_to_one_position_are_one_opening() {
    let names = ["f5f6e6d6f7", "f5f6e6f4g6"].map(|moves| {
        let read = game(moves);
        openings::of_position(read.position).map(|opening| opening.name)
    });
    assert_eq!(names[0], names[1]);
    assert_eq!(names[0], Some("Snake / Peasant"));
}
