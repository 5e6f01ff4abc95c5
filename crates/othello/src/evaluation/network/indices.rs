//! The indices of all pattern instances, kept up from move to move.

use std::sync::LazyLock;

use crate::board::Board;
use crate::evaluation::network::shapes::{self, INSTANCES};
use crate::square::{Square, Squares};

/// Instances padded to whole vector registers.
const PADDED: usize = 64;

/// One number for each instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(align(64))]
struct Lanes([u16; PADDED]);

/// What each square adds to each index, and the indices of the empty board.
struct Tables {
    /// Weight of the square's digit in each instance, 0 where the square is not part of it.
    digit: [Lanes; 64],
    /// Every index of an empty board: all digits 1.
    empty: Lanes,
}

static TABLES: LazyLock<Box<Tables>> = LazyLock::new(|| {
    let mut tables = Box::new(Tables { digit: [Lanes([0; PADDED]); 64], empty: Lanes([0; PADDED]) });
    for square in Squares(u64::MAX) {
        for (instance, weight) in shapes::digits_of(square) {
            tables.digit[usize::from(square.index())].0[instance] = weight;
            tables.empty.0[instance] += weight;
        }
    }
    tables
});

/// The indices of one position. A digit is 0 for a disc of the second side, 1 for an empty cell, 2 for a disc of the
/// first side, so the other side's view of an index is its mirror: twice the empty board's index minus it.
#[derive(Debug, Clone)]
pub struct Indices(Lanes);

/// Whose discs are meant: the first side is the player of the board that the indices were made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum View {
    /// The first side's.
    First,
    /// The second side's.
    Second,
}

impl View {
    /// The other side's view.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

impl Indices {
    /// The indices of a position; its player is the first side.
    pub fn new(board: Board) -> Self {
        let tables = &**TABLES;
        let mut lanes = tables.empty;
        for square in Squares(board.player) {
            add(&mut lanes, &tables.digit[usize::from(square.index())], 1);
        }
        for square in Squares(board.opponent) {
            add(&mut lanes, &tables.digit[usize::from(square.index())], u16::MAX);
        }
        Self(lanes)
    }

    /// A side places a disc on `square` and turns `flips`.
    #[inline]
    pub fn play(&mut self, mover: View, square: Square, flips: u64) {
        // Arithmetic is modulo 2^16, so subtraction is multiplication by its complement.
        let one: u16 = if mover == View::First { 1 } else { u16::MAX };
        self.shift(square, flips, one);
    }

    /// Takes back what [`play`](Self::play) did with the same arguments.
    #[inline]
    pub fn undo(&mut self, mover: View, square: Square, flips: u64) {
        self.play(mover.other(), square, flips);
    }

    #[inline]
    fn shift(&mut self, square: Square, flips: u64, one: u16) {
        let tables = &**TABLES;
        add(&mut self.0, &tables.digit[usize::from(square.index())], one);
        let two = one.wrapping_mul(2);
        for turned in Squares(flips) {
            add(&mut self.0, &tables.digit[usize::from(turned.index())], two);
        }
    }

    /// The index of every instance as one side sees it: digit 2 is its own disc.
    #[inline]
    pub fn seen_from(&self, view: View) -> [u16; INSTANCES] {
        let empty = &TABLES.empty.0;
        let mut seen = [0; INSTANCES];
        match view {
            View::First => seen.copy_from_slice(&self.0.0[..INSTANCES]),
            View::Second => {
                for (instance, index) in seen.iter_mut().enumerate() {
                    *index = 2 * empty[instance] - self.0.0[instance];
                }
            }
        }
        seen
    }
}

#[inline]
fn add(lanes: &mut Lanes, digits: &Lanes, times: u16) {
    for (lane, digit) in lanes.0.iter_mut().zip(&digits.0) {
        *lane = lane.wrapping_add(digit.wrapping_mul(times));
    }
}
