//! The last four empties, in a zero window: no table, no list, no move generation. Most positions of a solve lie here.
//!
//! Every function returns a fail-soft score in whole discs for the side to move: a lower bound when it is above
//! `alpha`, an upper bound otherwise. The squares given are all the empty ones, in the order to try them.

use crate::board::Board;
use crate::search::WORST;
use crate::search::endgame::stability_cutoff;
use crate::search::worker::Worker;
use crate::simd::last_flip_count;
use crate::square::Square;

/// A stability cutoff is tried when it would succeed with this many discs (twice their number) not stable. More than with
/// more empties, because what it saves is small.
const HARDLY_EVER_STABLE_HERE: i32 = 24;

/// No square is empty.
#[inline]
pub fn full_board(worker: &Worker<'_>, board: Board) -> i32 {
    2 * board.player.count_ones() as i32 - worker.cells
}

/// One square is empty. The score is exact.
#[inline(always)]
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
    nobody_can(worker, board)
}

/// The score when neither side can fill what is empty.
#[cold]
#[inline(never)]
fn nobody_can(worker: &Worker<'_>, board: Board) -> i32 {
    worker.rules.final_score(board)
}

/// Two squares are empty.
pub fn two_empties(worker: &mut Worker<'_>, board: Board, alpha: i32, a: Square, b: Square) -> i32 {
    let score = try_two(worker, board, alpha, a, b);
    if score > WORST {
        score
    } else {
        after_pass(worker, board, alpha, |worker, board, alpha| try_two(worker, board, alpha, a, b))
    }
}

/// Three squares are empty.
pub fn three_empties(
    worker: &mut Worker<'_>,
    board: Board,
    alpha: i32,
    a: Square,
    b: Square,
    c: Square,
) -> i32 {
    let score = try_three(worker, board, alpha, a, b, c);
    if score > WORST {
        score
    } else {
        after_pass(worker, board, alpha, |worker, board, alpha| try_three(worker, board, alpha, a, b, c))
    }
}

/// The score after a pass where there is no move, or that of a finished game.
#[cold]
#[inline(never)]
fn after_pass(
    worker: &mut Worker<'_>,
    board: Board,
    alpha: i32,
    attempt: impl Fn(&mut Worker<'_>, Board, i32) -> i32,
) -> i32 {
    let score = attempt(worker, board.pass(), -alpha - 1);
    if score > WORST {
        worker.statistics.nodes += 1;
        return -score;
    }
    worker.rules.final_score(board)
}

/// Plays on `square` if that is legal: the score that `search` finds for the opponent, seen from the side to move, and
/// [`WORST`] when the move is illegal.
#[inline(always)]
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
#[inline(always)]
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
#[inline(always)]
fn try_three(worker: &mut Worker<'_>, board: Board, alpha: i32, a: Square, b: Square, c: Square) -> i32 {
    let below = -alpha - 1;
    let mut best = try_move(worker, board, a, |worker, child| two_empties(worker, child, below, b, c));
    if best > alpha {
        return best;
    }
    best = best.max(try_move(worker, board, b, |worker, child| two_empties(worker, child, below, a, c)));
    if best > alpha {
        return best;
    }
    best.max(try_move(worker, board, c, |worker, child| two_empties(worker, child, below, a, b)))
}

/// Four squares are empty, in the order to try them. After a move the others keep their order, but when they are `pairs` the
/// partner of the disc just placed comes first.
fn four_empties<const PAIRS: bool>(
    worker: &mut Worker<'_>,
    board: Board,
    alpha: i32,
    squares: [Square; 4],
) -> i32 {
    let score = try_four::<PAIRS>(worker, board, alpha, squares);
    if score > WORST {
        score
    } else {
        after_pass(worker, board, alpha, |worker, board, alpha| {
            try_four::<PAIRS>(worker, board, alpha, squares)
        })
    }
}

/// The side to move's score with four empties, [`WORST`] when it has no move.
#[inline(always)]
fn try_four<const PAIRS: bool>(
    worker: &mut Worker<'_>,
    board: Board,
    alpha: i32,
    [a, b, c, d]: [Square; 4],
) -> i32 {
    let below = -alpha - 1;
    let mut best = try_move(worker, board, a, |worker, child| three_empties(worker, child, below, b, c, d));
    if best > alpha {
        return best;
    }
    best = best.max(try_move(worker, board, b, |worker, child| three_empties(worker, child, below, a, c, d)));
    if best > alpha {
        return best;
    }
    best = best.max(try_move(worker, board, c, |worker, child| {
        let [first, second, third] = if PAIRS { [d, a, b] } else { [a, b, d] };
        three_empties(worker, child, below, first, second, third)
    }));
    if best > alpha {
        return best;
    }
    best.max(try_move(worker, board, d, |worker, child| {
        let [first, second, third] = if PAIRS { [c, a, b] } else { [a, b, c] };
        three_empties(worker, child, below, first, second, third)
    }))
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
    if let Some(score) = stability_cutoff(worker, board, alpha, HARDLY_EVER_STABLE_HERE) {
        return score;
    }
    let in_odd = empty & odd;
    let with_lowest = empty & worker.quadrants[empty.trailing_zeros() as usize & 63];
    if in_odd == 0 {
        return four_empties::<true>(worker, board, alpha, in_order(with_lowest, empty & !with_lowest));
    }
    let first = if in_odd != empty {
        in_odd
    } else if with_lowest.is_power_of_two() {
        // One of four singles, or a single beside three together.
        with_lowest
    } else {
        empty & !with_lowest
    };
    four_empties::<false>(worker, board, alpha, in_order(first, empty & !first))
}

/// The first four of these squares: all of the first set, then those of the second.
#[inline]
fn in_order(mut first: u64, mut second: u64) -> [Square; 4] {
    std::array::from_fn(|_| {
        let from = if first != 0 { &mut first } else { &mut second };
        let square = Square::lowest(*from).unwrap_or(Square::A1);
        *from &= from.wrapping_sub(1);
        square
    })
}

/// Fewer than four empties, where a search begins there.
#[cold]
fn fewer(worker: &mut Worker<'_>, board: Board, alpha: i32, empty: u64, odd: u64) -> i32 {
    let [a, b, c, _] = in_order(empty & odd, empty & !odd);
    match empty.count_ones() {
        0 => full_board(worker, board),
        1 => one_empty(worker, board, a),
        2 => two_empties(worker, board, alpha, a, b),
        _ => three_empties(worker, board, alpha, a, b, c),
    }
}
