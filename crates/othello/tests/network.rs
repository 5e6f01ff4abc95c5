//! The trained evaluation: symmetric, incremental, the same on every machine, and whole.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use othello::board::{Board, Size};
use othello::evaluation::network::indices::{Indices, View};
use othello::evaluation::network::model::{Head, Model, Stage};
use othello::evaluation::network::packed::{UnpackError, pack, standing_rows, unpack};
use othello::evaluation::network::stages::STAGES;
use othello::evaluation::network::{LANES, loaded};
use othello::evaluation::{Evaluator, LIMIT};
use othello::square::{Square, Squares};
use proptest::prelude::*;

/// Whether the side to move got the move because the other side had to pass.
#[derive(PartialEq)]
enum Turn {
    Usual,
    AfterPass,
}

/// Plays a game by the given choices and calls `visit` before every move with the position and the move.
fn play(choices: &[u8], mut visit: impl FnMut(Board, Square, Turn)) {
    let mut board = Board::start(Size::Eight);
    for &choice in choices {
        let mut turn = Turn::Usual;
        let mut moves = board.moves(Size::Eight);
        if moves == 0 {
            turn = Turn::AfterPass;
            board = board.pass();
            moves = board.moves(Size::Eight);
        }
        if moves == 0 {
            return;
        }
        let square = Squares(moves).nth(usize::from(choice) % moves.count_ones() as usize).unwrap();
        visit(board, square, turn);
        board = board.after(square.bit(), board.flips(square));
    }
}

fn mirror_rows(board: Board) -> Board {
    Board { player: board.player.swap_bytes(), opponent: board.opponent.swap_bytes() }
}

fn half_turn(board: Board) -> Board {
    Board { player: board.player.reverse_bits(), opponent: board.opponent.reverse_bits() }
}

fn transpose(board: Board) -> Board {
    let turned = |discs: u64| Squares(discs).map(|s| Square::at(s.column(), s.row()).unwrap().bit()).sum();
    Board { player: turned(board.player), opponent: turned(board.opponent) }
}

fn value(board: Board) -> i32 {
    Evaluator::new(board, Size::Eight).value(board)
}

proptest! {
    #[test]
    fn turning_or_mirroring_the_board_leaves_the_value(choices in prop::collection::vec(any::<u8>(), 60)) {
        play(&choices, |board, _, _| {
            let own = value(board);
            assert!((-LIMIT..=LIMIT).contains(&own));
            for image in [mirror_rows(board), half_turn(board), transpose(board), transpose(mirror_rows(board))] {
                assert_eq!(value(image), own);
            }
        });
    }

    #[test]
    fn following_moves_equals_starting_afresh(choices in prop::collection::vec(any::<u8>(), 60)) {
        let mut first = None;
        play(&choices, |board, square, turn| {
            let mut follower: Evaluator = first.take().unwrap_or_else(|| Evaluator::new(board, Size::Eight));
            if turn == Turn::AfterPass {
                follower.pass();
            }
            assert_eq!(follower.value(board), value(board));
            let flips = board.flips(square);
            let next = board.after(square.bit(), flips);
            follower.play(square, flips);
            assert_eq!(follower.value(next), value(next));
            follower.undo(square, flips);
            assert_eq!(follower.value(board), value(board));
            follower.play(square, flips);
            first = Some(follower);
        });
    }
}

#[test]
fn the_built_in_weights_are_whole_and_compute_what_they_did_when_packed() {
    assert_eq!(loaded::id().len(), 16);
    let stages = loaded::model().clone().into_stages();
    assert_eq!(stages.len(), STAGES);
    assert!(stages.iter().all(Option::is_some), "every group of empties has been trained");
}

/// Weights with every number different, so that a mix-up shows.
fn made_up_stages() -> Vec<Option<Stage>> {
    let standing = standing_rows();
    (0..STAGES)
        .map(|stage| {
            let rows = standing.iter().map(|&row| {
                let mut lanes = [0; LANES];
                for (lane, weight) in lanes.iter_mut().enumerate() {
                    *weight = ((row as usize * 31 + lane * 7 + stage) % 255) as u8 as i8;
                }
                lanes
            });
            let mut head = Head { own_mobility: 5, other_mobility: -6, odd_empties: 7, ..Head::default() };
            head.bias.iter_mut().zip(1..).for_each(|(bias, number)| *bias = number * 3);
            head.output.iter_mut().zip(1..).for_each(|(output, number)| *output = number * 50 - 300);
            (stage != 3).then(|| Stage { head, rows: rows.collect() })
        })
        .collect()
}

#[test]
fn packed_weights_read_back_as_they_were() {
    let packed = pack(&made_up_stages());
    let read = unpack(&packed).unwrap();
    assert_eq!(read.check(), Model::new(made_up_stages()).check());
    let board = Board::start(Size::Eight);
    let expected = Model::new(made_up_stages()).value(&Indices::new(board), View::First, board);
    assert!(expected.is_some());
    assert_eq!(read.value(&Indices::new(board), View::First, board), expected);
    assert!(read.into_stages()[3].is_none());
}

#[test]
fn damaged_weights_are_refused() {
    let packed = pack(&made_up_stages());
    assert_eq!(unpack(&packed[1..]).unwrap_err(), UnpackError::Magic);
    assert_eq!(unpack(&packed[..packed.len() / 2]).unwrap_err(), UnpackError::Damaged);
    let mut other = packed.clone();
    other[8] ^= 1;
    assert_eq!(unpack(&other).unwrap_err(), UnpackError::Check);
    assert_eq!(unpack(b"DSCNNET2").unwrap_err(), UnpackError::Length);
}
