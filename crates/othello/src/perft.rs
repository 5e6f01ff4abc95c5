//! Counting all lines of play to a depth: the usual proof that moves, passes and endings are right, and a measure of
//! their speed.

use crate::board::{Board, Size};
use crate::position::Position;
use crate::simd;
use crate::square::{Move, Squares};

/// What a forced pass costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PassCost {
    /// One ply, as in the published tables.
    Ply,
    /// Nothing: only discs count.
    Free,
}

/// What a game that ends before the depth adds to the count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EarlyEnd {
    /// One leaf, as in the published tables.
    Leaf,
    /// Nothing.
    Nothing,
}

/// How lines are counted. They differ from the first forced pass on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Counting {
    /// What a forced pass costs.
    pub pass: PassCost,
    /// What a game that ends before the depth adds.
    pub early_end: EarlyEnd,
}

impl Counting {
    /// The widely published count: a pass is a ply, a finished game is a leaf.
    pub const PUBLISHED: Self = Self { pass: PassCost::Ply, early_end: EarlyEnd::Leaf };
}

/// The number of lines of `depth` plies from a position. The last ply is not played: its moves are counted from their
/// bitboard.
pub fn perft(position: Position, depth: u8, counting: Counting) -> u64 {
    counter(counting)(position.board(), position.size(), depth)
}

/// [`perft`] of every legal move (or the pass) by itself, in the order of the squares; empty when the game is over or
/// `depth` is 0. Comparing two of these finds the line on which two programs differ.
pub fn divide(position: Position, depth: u8, counting: Counting) -> Vec<(Move, u64)> {
    let Some(rest) = depth.checked_sub(1) else { return Vec::new() };
    let below = |mv| position.play(mv).map(|next| (mv, next));
    let moves = Squares(position.moves()).map(Move::Place);
    let children: Vec<_> = moves.chain([Move::Pass]).filter_map(|mv| below(mv).ok()).collect();
    let left = |mv| if mv == Move::Pass && counting.pass == PassCost::Free { depth } else { rest };
    children.into_iter().map(|(mv, next)| (mv, perft(next, left(mv), counting))).collect()
}

/// The loop for one way of counting, settled outside of it.
fn counter(counting: Counting) -> fn(Board, Size, u8) -> u64 {
    match (counting.pass, counting.early_end) {
        (PassCost::Ply, EarlyEnd::Leaf) => lines::<1, 1>,
        (PassCost::Ply, EarlyEnd::Nothing) => lines::<1, 0>,
        (PassCost::Free, EarlyEnd::Leaf) => lines::<0, 1>,
        (PassCost::Free, EarlyEnd::Nothing) => lines::<0, 0>,
    }
}

/// Lines of `depth` plies, where a pass takes `PASS` plies and an early end counts `END`.
fn lines<const PASS: u8, const END: u64>(board: Board, size: Size, depth: u8) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = board.moves(size);
    if moves == 0 {
        let passed = board.pass();
        return if passed.moves(size) == 0 { END } else { lines::<PASS, END>(passed, size, depth - PASS) };
    }
    if depth == 1 {
        return u64::from(moves.count_ones());
    }
    if depth == 2 {
        return last_two_plies::<PASS, END>(board, size, moves);
    }
    let mut count = 0;
    for square in Squares(moves) {
        let flips = simd::flips(board.player, board.opponent, usize::from(square.index()));
        count += lines::<PASS, END>(board.after(square.bit(), flips), size, depth - 1);
    }
    count
}

/// The innermost loop by itself, so that it runs without calls: one disc each of `moves`, then the replies counted.
fn last_two_plies<const PASS: u8, const END: u64>(board: Board, size: Size, moves: u64) -> u64 {
    let mut count = 0;
    for square in Squares(moves) {
        let flips = simd::flips(board.player, board.opponent, usize::from(square.index()));
        let next = board.after(square.bit(), flips);
        count += match next.moves(size).count_ones() {
            0 => lines::<PASS, END>(next, size, 1),
            replies => u64::from(replies),
        };
    }
    count
}
