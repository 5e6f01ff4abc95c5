//! Minimax without pruning, table or ordering, over positions with colours: slow, and plainly what a depth means.

use othello::evaluation::Evaluator;
use othello::position::{EmptiesRule, Position, Status};
use othello::square::{Move, Squares};

/// The value of a position to so many plies for its side to move, hundredths of a disc.
pub fn value(position: Position, depth: u8, rule: EmptiesRule) -> i32 {
    match position.status() {
        Status::Finished if depth > 0 => position.final_score(rule) * 100,
        Status::MustPass if depth > 0 => -value(after(position, Move::Pass), depth, rule),
        _ if depth == 0 => {
            let board = position.board();
            if board.player == 0 || board.opponent == 0 {
                return position.final_score(rule) * 100;
            }
            Evaluator::new(board, position.size()).value(board)
        }
        _ => Squares(position.moves())
            .map(|square| -value(after(position, Move::Place(square)), depth - 1, rule))
            .max()
            .expect("a position in progress has a move"),
    }
}

/// The exact score of a position for its side to move, discs.
pub fn score(position: Position, rule: EmptiesRule) -> i32 {
    match position.status() {
        Status::Finished => position.final_score(rule),
        Status::MustPass => -score(after(position, Move::Pass), rule),
        Status::InProgress => Squares(position.moves())
            .map(|square| -score(after(position, Move::Place(square)), rule))
            .max()
            .expect("a position in progress has a move"),
    }
}

/// The position after a legal move.
pub fn after(position: Position, mv: Move) -> Position {
    position.play(mv).expect("the move is legal")
}
