//! The last four empties, in a zero window: no table, no list, no move generation. Most positions of a solve lie here.
//!
//! Every function returns a fail-soft score in whole discs for the side to move: a lower bound when it is above
//! `alpha`, an upper bound otherwise. The squares given are all the empty ones, in the order to try them.

use crate::board::Board;
use crate::search::WORST;
use crate::search::worker::Worker;
use crate::simd::last_flip_count;
use crate::square::{Square, Squares};

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
pub fn two_empties(worker: &mut Worker<'_>, board: Board, alpha: i32, [a, b]: [Square; 2]) -> i32 {
    or_pass(worker, board, alpha, |worker, board, alpha| try_two(worker, board, alpha, a, b))
}

/// Three squares are empty.
pub fn three_empties(worker: &mut Worker<'_>, board: Board, alpha: i32, [a, b, c]: [Square; 3]) -> i32 {
    or_pass(worker, board, alpha, |worker, board, alpha| try_three(worker, board, alpha, a, b, c))
}

/// The score after a move that `attempt` finds, after a pass when there is none, or that of a finished game. `attempt`
/// returns [`WORST`] when the side to move has no move.
#[inline]
fn or_pass(
    worker: &mut Worker<'_>,
    board: Board,
    alpha: i32,
    attempt: impl Fn(&mut Worker<'_>, Board, i32) -> i32,
) -> i32 {
    let score = attempt(worker, board, alpha);
    if score > WORST {
        return score;
    }
    let score = attempt(worker, board.pass(), -alpha - 1);
    if score > WORST {
        worker.statistics.nodes += 1;
        return -score;
    }
    worker.rules.final_score(board)
}

/// Plays on `square` if that is legal: the score that `search` finds for the opponent, seen from the side to move, and
/// [`WORST`] when the move is illegal.
#[inline]
fn try_move(
    worker: &mut Worker<'_>,
    board: Board,
    square: Square,
    search: impl FnOnce(&mut Worker<'_>, Board) -> i32,
) -> i32 {
    let flips = board.flips(square);
    if flips == 0 {
        return WORST;
    }
    worker.statistics.nodes += 1;
    -search(worker, board.after(square.bit(), flips))
}

/// The side to move's score with two empties, [`WORST`] when it has no move.
#[inline]
fn try_two(worker: &mut Worker<'_>, board: Board, alpha: i32, a: Square, b: Square) -> i32 {
    let first = try_move(worker, board, a, |worker, child| one_empty(worker, child, b));
    if first > alpha {
        return first;
    }
    first.max(try_move(worker, board, b, |worker, child| one_empty(worker, child, a)))
}

/// The side to move's score with three empties, [`WORST`] when it has no move.
///
/// Squares are handed on one by one, not in arrays: those would go through memory, and waiting for that costs more than
/// the rules do.
#[inline]
fn try_three(worker: &mut Worker<'_>, board: Board, alpha: i32, a: Square, b: Square, c: Square) -> i32 {
    let below = -alpha - 1;
    let mut best = try_move(worker, board, a, |worker, child| two_empties(worker, child, below, [b, c]));
    if best > alpha {
        return best;
    }
    best = best.max(try_move(worker, board, b, |worker, child| two_empties(worker, child, below, [a, c])));
    if best > alpha {
        return best;
    }
    best.max(try_move(worker, board, c, |worker, child| two_empties(worker, child, below, [a, b])))
}

/// Four squares are empty, in the order to try them. After a move the others keep their order, but when they are `pairs` the
/// partner of the disc just placed comes first.
fn four_empties<const PAIRS: bool>(
    worker: &mut Worker<'_>,
    board: Board,
    alpha: i32,
    [a, b, c, d]: [Square; 4],
) -> i32 {
    let (after_c, after_d) = if PAIRS { ([d, a, b], [c, a, b]) } else { ([a, b, d], [a, b, c]) };
    or_pass(worker, board, alpha, |worker, board, alpha| {
        let below = -alpha - 1;
        let mut best =
            try_move(worker, board, a, |worker, child| three_empties(worker, child, below, [b, c, d]));
        if best > alpha {
            return best;
        }
        best = best
            .max(try_move(worker, board, b, |worker, child| three_empties(worker, child, below, [a, c, d])));
        if best > alpha {
            return best;
        }
        best = best
            .max(try_move(worker, board, c, |worker, child| three_empties(worker, child, below, after_c)));
        if best > alpha {
            return best;
        }
        best.max(try_move(worker, board, d, |worker, child| three_empties(worker, child, below, after_d)))
    })
}

/// At most four empties, wherever they are: goes to the right function.
#[inline]
pub fn at_most_four(worker: &mut Worker<'_>, board: Board, alpha: i32, empty: u64, odd: u64) -> i32 {
    debug_assert!(empty.count_ones() <= 4);
    if empty.count_ones() == 4 {
        arranged(worker, board, alpha, empty, odd)
    } else {
        fewer(worker, board, alpha, empty, odd)
    }
}

/// Four empties, arranged by parity.
///
/// Singles (alone in their quadrant) come first, then the others of odd quadrants, then pairs. After one of a pair its
/// partner is alone, so with two pairs the partner comes first in what is left.
#[inline]
fn arranged(worker: &mut Worker<'_>, board: Board, alpha: i32, empty: u64, odd: u64) -> i32 {
    let in_odd = empty & odd;
    if in_odd == 0 {
        let first = empty & worker.quadrants[empty.trailing_zeros() as usize & 63];
        return four_empties::<true>(worker, board, alpha, in_order(first, empty & !first));
    }
    let mut first = in_odd;
    if in_odd == empty {
        // Four singles, or a single and three together: then the single comes first and stays first.
        let alone = |square: &Square| empty & worker.quadrants[usize::from(square.index())] == square.bit();
        first = Squares(in_odd).filter(alone).fold(0, |singles, square| singles | square.bit());
    }
    four_empties::<false>(worker, board, alpha, in_order(first, empty & !first))
}

/// The first four of these squares: all of the first set, then those of the second.
#[inline]
fn in_order(first: u64, second: u64) -> [Square; 4] {
    let mut squares = Squares(first).chain(Squares(second));
    std::array::from_fn(|_| squares.next().unwrap_or(Square::A1))
}

/// Fewer than four empties, where a search begins there.
#[cold]
fn fewer(worker: &mut Worker<'_>, board: Board, alpha: i32, empty: u64, odd: u64) -> i32 {
    let [a, b, c, _] = in_order(empty & odd, empty & !odd);
    match empty.count_ones() {
        0 => full_board(worker, board),
        1 => one_empty(worker, board, a),
        2 => two_empties(worker, board, alpha, [a, b]),
        _ => three_empties(worker, board, alpha, [a, b, c]),
    }
}
