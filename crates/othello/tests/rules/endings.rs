//! Passes, finished games and the boards at both ends of the scale, on every size.

use othello::board::Size;
use othello::position::{Color, EmptiesRule, IllegalMove, Position, Status};
use othello::square::{Move, Square, Squares};

use crate::data::Random;

/// A board from rows of `X` (black), `O` (white) and `.`.
fn position(rows: &[&str], side: Color) -> Position {
    let discs = |colour| {
        let cells = rows.iter().enumerate().flat_map(|(row, text)| {
            text.chars().enumerate().map(move |(column, cell)| (row * 8 + column, cell))
        });
        cells.filter(|&(_, cell)| cell == colour).fold(0, |bits, (index, _)| bits | 1 << index)
    };
    let size = Size::from_side(rows.len()).expect("the rows make a board");
    Position::new(size, discs('X'), discs('O'), side).expect("a cell holds one disc")
}

fn place(name: &str) -> Move {
    Move::Place(name.parse().expect("a square name"))
}

/// Black owns nothing that could outflank; white takes the last black discs from the other end of a line.
const BLACK_MUST_PASS: [(&[&str], &str); 3] = [
    (&["OX..", "....", "....", "...."], "c1"),
    (&["OXXXX.", "......", "......", "......", "......", "......"], "f1"),
    (&["OXXXXXX.", "........", "........", "........", "........", "........", "........", "........"], "h1"),
];

#[test]
fn a_side_without_a_move_passes_and_only_passes() {
    for (rows, reply) in BLACK_MUST_PASS {
        let before = position(rows, Color::Black);
        assert_eq!(before.status(), Status::MustPass);
        for square in Squares(before.empty()) {
            assert_eq!(before.play(Move::Place(square)), Err(IllegalMove::TurnsNothing(square)));
        }
        let after = before.play(Move::Pass).unwrap();
        assert_eq!(after.side(), Color::White);
        assert_eq!(after.discs(Color::Black), before.discs(Color::Black));
        assert_eq!(after.status(), Status::InProgress);
        assert_eq!(Move::Place(Square::lowest(after.moves()).unwrap()), place(reply));
        assert_eq!(after.play(Move::Pass), Err(IllegalMove::PassWithMoves));
    }
}

#[test]
fn taking_the_last_disc_wipes_the_opponent_out_and_ends_the_game() {
    for (rows, reply) in BLACK_MUST_PASS {
        let over = position(rows, Color::White).play(place(reply)).unwrap();
        assert_eq!(over.discs(Color::Black), 0);
        assert_eq!(over.status(), Status::Finished);
        let discs = over.discs(Color::White).count_ones() as i32;
        assert_eq!(over.final_score(EmptiesRule::Nobody), -discs);
        assert_eq!(over.final_score(EmptiesRule::Winner), -(over.size().cells().count_ones() as i32));
    }
}

/// The shortest game that wipes a side out: nine moves.
#[test]
fn the_shortest_wipe_out_in_tournament_play_ends_after_nine_moves() {
    let mut game = Position::start(Size::Eight);
    for name in ["f5", "d6", "c5", "f6", "e7", "f4", "g5", "e6", "e3"] {
        assert_eq!(game.status(), Status::InProgress);
        game = game.play(place(name)).unwrap();
    }
    assert_eq!(game.status(), Status::Finished);
    assert_eq!((game.discs(Color::Black).count_ones(), game.discs(Color::White)), (13, 0));
    assert_eq!(game.final_score(EmptiesRule::Winner), -64);
    assert_eq!(game.play(Move::Pass), Err(IllegalMove::GameOver));
    assert_eq!(game.play(place("a1")), Err(IllegalMove::GameOver));
}

#[test]
fn both_sides_can_be_stuck_with_empty_squares_left() {
    for rows in [
        &["XX..", "XX..", "..OO", "..OO"][..],
        &["XX....", "XX....", "......", "......", "....OO", "....OO"],
        &["XX....OO", "XX....OO", "........", "........", "........", "........", "OO....XX", "OO....XX"],
    ] {
        for side in [Color::Black, Color::White] {
            let stuck = position(rows, side);
            // The blocks only meet along the long diagonals, and there both ends are border: nothing can be outflanked.
            assert_eq!(stuck.moves(), 0, "{rows:?}");
            assert_eq!(stuck.status(), Status::Finished, "{rows:?}");
            assert_eq!(stuck.play(Move::Pass), Err(IllegalMove::GameOver));
            assert_eq!(stuck.final_score(EmptiesRule::Winner), 0);
            assert_eq!(stuck.final_score(EmptiesRule::Nobody), 0);
        }
    }
}

#[test]
fn an_empty_board_is_a_finished_draw() {
    for size in Size::ALL {
        let empty = Position::new(size, 0, 0, Color::Black).unwrap();
        assert_eq!(empty.status(), Status::Finished);
        assert_eq!(empty.empty(), size.cells());
        assert_eq!(empty.final_score(EmptiesRule::Winner), 0);
    }
}

#[test]
fn a_full_board_is_finished_and_scored_by_its_discs() {
    let mut random = Random(31);
    for size in Size::ALL {
        for _ in 0..100 {
            let black = random.next() & size.cells();
            let white = size.cells() & !black;
            let full = Position::new(size, black, white, Color::White).unwrap();
            assert_eq!(full.status(), Status::Finished);
            let margin = white.count_ones() as i32 - black.count_ones() as i32;
            assert_eq!(full.final_score(EmptiesRule::Winner), margin);
            assert_eq!(full.final_score(EmptiesRule::Nobody), margin);
        }
    }
}

#[test]
fn a_board_of_one_colour_is_finished_and_won_by_all_squares() {
    for size in Size::ALL {
        let cells = size.cells().count_ones() as i32;
        let lone = Position::new(size, 1, 0, Color::White).unwrap();
        assert_eq!(lone.status(), Status::Finished);
        assert_eq!(lone.final_score(EmptiesRule::Winner), -cells);
        assert_eq!(lone.final_score(EmptiesRule::Nobody), -1);
    }
}

#[test]
fn illegal_moves_are_refused_with_their_reason() {
    let start = Position::start(Size::Six);
    assert_eq!(start.play(place("h8")), Err(IllegalMove::OffBoard("h8".parse().unwrap())));
    assert_eq!(start.play(place("c3")), Err(IllegalMove::Occupied("c3".parse().unwrap())));
    assert_eq!(start.play(place("a1")), Err(IllegalMove::TurnsNothing("a1".parse().unwrap())));
    assert_eq!(start.play(Move::Pass), Err(IllegalMove::PassWithMoves));
}

#[test]
fn overlapping_discs_and_discs_off_the_board_make_no_position() {
    for size in Size::ALL {
        assert_eq!(Position::new(size, 1, 1, Color::Black), None);
        for square in Squares(!size.cells()) {
            assert_eq!(Position::new(size, square.bit(), 0, Color::Black), None);
            assert_eq!(Position::new(size, 0, square.bit(), Color::Black), None);
        }
    }
}

/// Random games to the end: each move gives exactly one disc and turns only the other colour's.
#[test]
fn games_keep_every_disc_until_they_end() {
    let mut random = Random(32);
    let mut passes = 0;
    for round in 0..600 {
        let mut position = Position::start(Size::ALL[round % 3]);
        loop {
            let moves: Vec<_> = Squares(position.moves()).collect();
            let next = match position.status() {
                Status::Finished => break,
                Status::MustPass => {
                    passes += 1;
                    position.play(Move::Pass).unwrap()
                }
                Status::InProgress => {
                    let square = moves[random.below(moves.len())];
                    let next = position.play(Move::Place(square)).unwrap();
                    assert_eq!(next.empty(), position.empty() & !square.bit());
                    next
                }
            };
            assert_eq!(next.side(), position.side().other());
            position = next;
        }
    }
    assert!(passes > 50, "only {passes} passes were played");
}
