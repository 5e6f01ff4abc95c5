//! What a position is worth where the search ends: square weights and leaf values of the founding texts, finished
//! games.

use crate::board::{Board, Size};
use crate::evaluation::{self, TermValue};
use crate::lab::technique::{EndScore, Leaf, Technique};
use crate::square::{Square, Squares};

/// From this many empties down the leaf counts discs.
const DISC_COUNT_EMPTIES: u32 = 10;
/// Points for each legal move more than the other side has.
const MOBILITY_WEIGHT: i32 = 12;

/// Weight of a square: corner 100, the three squares touching a corner -25, other border squares 5, the rest 0.
pub const fn weight(size: Size, square: Square) -> i32 {
    let last = size.side() - 1;
    let row = distance_from_border(square.row(), last);
    let column = distance_from_border(square.column(), last);
    match (row, column) {
        (0, 0) => 100,
        (0, 1) | (1, 0) | (1, 1) => -25,
        (0, _) | (_, 0) => 5,
        _ => 0,
    }
}

const fn distance_from_border(coordinate: u8, last: u8) -> u8 {
    if coordinate * 2 < last { coordinate } else { last - coordinate }
}

/// Value of a position at the depth limit, for the side to move.
pub fn value(leaf: Leaf, size: Size, board: Board) -> i32 {
    let empties = (size.cells() & !board.occupied()).count_ones();
    match leaf {
        Leaf::WeightsAndMobility if empties > DISC_COUNT_EMPTIES => {
            let mobility =
                board.moves(size).count_ones() as i32 - board.pass().moves(size).count_ones() as i32;
            weights(size, board.player) - weights(size, board.opponent) + MOBILITY_WEIGHT * mobility
        }
        Leaf::WeightsAndMobility | Leaf::DiscDifference => disc_difference(board),
        Leaf::Terms => evaluation::explain(board, size).iter().map(TermValue::difference).sum(),
    }
}

/// Value of a finished game, for the side to move.
pub fn end_value(technique: &Technique, board: Board) -> i32 {
    match technique.end_score {
        EndScore::Winner => disc_difference(board).signum() * EndScore::WIN,
        EndScore::Discs => disc_difference(board) * technique.leaf.units_per_disc(),
    }
}

fn disc_difference(board: Board) -> i32 {
    board.player.count_ones() as i32 - board.opponent.count_ones() as i32
}

fn weights(size: Size, discs: u64) -> i32 {
    Squares(discs).map(|square| weight(size, square)).sum()
}
