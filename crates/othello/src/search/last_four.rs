//! The last four empties, in a zero window: no table, no list, no move generation. Most positions of a solve lie here.
//!
//! Every function returns a fail-soft score in whole discs for the side to move: a lower bound when it is above
//! `alpha`, an upper bound otherwise. The squares given are all the empty ones, in the order to try them.

use crate::board::Board;
use crate::search::worker::Worker;
use crate::simd::last_flip_count;
use crate::square::{Square, Squares};

/// Four squares in the order to try them, each with the other three in their order after it.
type FourOrder = [(Square, [Square; 3]); 4];

/// No square is empty.
#[inline]
pub fn full_board(worker: &Worker<'_>, board: Board) -> i32 {
    2 * board.player.count_ones() as i32 - worker.cells
}

/// One square is empty. The score is exact.
#[inline]
pub fn one_empty(worker: &mut Worker<'_>, board: Board, last: Square) -> i32 {
    let before = 2 * board.player.count_ones() as i32 - worker.cells;
    let turned = last_flip_count(board.player, usize::from(last.index())) as i32;
    if turned != 0 {
        worker.statistics.nodes += 1;
        return before + 2 * turned + 2;
    }
    let turned = last_flip_count(board.opponent, usize::from(last.index())) as i32;
    if turned != 0 {
        worker.statistics.nodes += 2;
        return before - 2 * turned;
    }
    worker.rules.final_score(board)
}

/// Two squares are empty.
pub fn two_empties(worker: &mut Worker<'_>, board: Board, alpha: i32, squares: [Square; 2]) -> i32 {
    match try_two(worker, board, alpha, squares) {
        Some(score) => score,
        None => match try_two(worker, board.pass(), -alpha - 1, squares) {
            Some(score) => {
                worker.statistics.nodes += 1;
                -score
            }
            None => worker.rules.final_score(board),
        },
    }
}

/// Three squares are empty.
pub fn three_empties(worker: &mut Worker<'_>, board: Board, alpha: i32, squares: [Square; 3]) -> i32 {
    match try_three(worker, board, alpha, squares) {
        Some(score) => score,
        None => match try_three(worker, board.pass(), -alpha - 1, squares) {
            Some(score) => {
                worker.statistics.nodes += 1;
                -score
            }
            None => worker.rules.final_score(board),
        },
    }
}

/// Four squares are empty.
pub fn four_empties(worker: &mut Worker<'_>, board: Board, alpha: i32, order: FourOrder) -> i32 {
    match try_four(worker, board, alpha, order) {
        Some(score) => score,
        None => match try_four(worker, board.pass(), -alpha - 1, order) {
            Some(score) => {
                worker.statistics.nodes += 1;
                -score
            }
            None => worker.rules.final_score(board),
        },
    }
}

/// The side to move's score with two empties, `None` when it has no move.
#[inline]
fn try_two(worker: &mut Worker<'_>, board: Board, alpha: i32, [a, b]: [Square; 2]) -> Option<i32> {
    let mut best = None;
    for (square, last) in [(a, b), (b, a)] {
        let flips = board.flips(square);
        if flips != 0 {
            worker.statistics.nodes += 1;
            let score = -one_empty(worker, board.after(square.bit(), flips), last);
            if score > alpha {
                return Some(score);
            }
            best = best.max(Some(score));
        }
    }
    best
}

/// The side to move's score with three empties, `None` when it has no move.
#[inline]
fn try_three(worker: &mut Worker<'_>, board: Board, alpha: i32, [a, b, c]: [Square; 3]) -> Option<i32> {
    let mut best = None;
    for (square, rest) in [(a, [b, c]), (b, [a, c]), (c, [a, b])] {
        let flips = board.flips(square);
        if flips != 0 {
            worker.statistics.nodes += 1;
            let score = -two_empties(worker, board.after(square.bit(), flips), -alpha - 1, rest);
            if score > alpha {
                return Some(score);
            }
            best = best.max(Some(score));
        }
    }
    best
}

/// The side to move's score with four empties, `None` when it has no move.
#[inline]
fn try_four(worker: &mut Worker<'_>, board: Board, alpha: i32, order: FourOrder) -> Option<i32> {
    let mut best = None;
    for (square, rest) in order {
        let flips = board.flips(square);
        if flips != 0 {
            worker.statistics.nodes += 1;
            let score = -three_empties(worker, board.after(square.bit(), flips), -alpha - 1, rest);
            if score > alpha {
                return Some(score);
            }
            best = best.max(Some(score));
        }
    }
    best
}

/// At most four empties, wherever they are: arranges them by parity and goes to the right function.
///
/// Singles (alone in their quadrant) come first, then the others of odd quadrants, then pairs. After one of a pair its
/// partner is alone, so with two pairs the partner comes first in what is left.
#[inline]
pub fn at_most_four(worker: &mut Worker<'_>, board: Board, alpha: i32, empty: u64, odd: u64) -> i32 {
    debug_assert!(empty.count_ones() <= 4);
    let mut squares = [Square::A1; 4];
    let mut count = 0;
    let mut place = |square: Square| {
        squares[count] = square;
        count += 1;
    };
    let in_odd = empty & odd;
    if in_odd.count_ones() == 4 {
        // Four singles, or a single and three together: then the single comes first and stays first.
        let alone = |square: &Square| empty & worker.quadrants[usize::from(square.index())] == square.bit();
        Squares(in_odd).filter(|square| alone(square)).for_each(&mut place);
        Squares(in_odd).filter(|square| !alone(square)).for_each(&mut place);
    } else if in_odd == 0 && empty.count_ones() == 4 {
        let first = empty & worker.quadrants[empty.trailing_zeros() as usize];
        Squares(first).chain(Squares(empty & !first)).for_each(&mut place);
    } else {
        Squares(in_odd).chain(Squares(empty & !odd)).for_each(&mut place);
    }
    let [a, b, c, d] = squares;
    match count {
        0 => full_board(worker, board),
        1 => one_empty(worker, board, a),
        2 => two_empties(worker, board, alpha, [a, b]),
        3 => three_empties(worker, board, alpha, [a, b, c]),
        _ => {
            let (after_c, after_d) =
                if in_odd == 0 { ([d, a, b], [c, a, b]) } else { ([a, b, d], [a, b, c]) };
            let order = [(a, [b, c, d]), (b, [a, c, d]), (c, after_c), (d, after_d)];
            four_empties(worker, board, alpha, order)
        }
    }
}
