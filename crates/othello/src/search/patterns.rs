//! The estimate that orders moves inside the solver: a sum of learned weights, one for the filling of each of 30
//! small regions of the 8x8 board.
//!
//! Every region's filling is a number in base 3 (0 empty, 1 the side to move, 2 the other side). All 30 numbers are kept
//! side by side in 16-bit lanes, so that a disc changes them all by one vector addition, and a child's numbers are its
//! parent's plus a few additions: no state is carried through the search.

use crate::board::Board;
use crate::square::Squares;

/// Regions, and two idle lanes that make the vector even.
pub const LANES: usize = 32;
/// Units of the estimate in one disc.
pub const PER_DISC: i32 = 4;

/// A shape of region: the squares of its first copy (grid index), and through which symmetries the copies arise.
struct Shape {
    squares: &'static [u8],
    copies: &'static [usize],
}

const ROTATIONS: &[usize] = &[0, 1, 2, 3];
const ALL_SYMMETRIES: &[usize] = &[0, 1, 2, 3, 4, 5, 6, 7];

/// Edge with both X squares, 3x3 corner, 2x5 corner, rows 2 to 4, long diagonal. Copies of a shape share its weights.
const SHAPES: [Shape; 7] = [
    Shape { squares: &[0, 1, 2, 3, 4, 5, 6, 7, 9, 14], copies: ROTATIONS },
    Shape { squares: &[0, 1, 2, 8, 9, 10, 16, 17, 18], copies: ROTATIONS },
    Shape { squares: &[0, 1, 2, 3, 4, 8, 9, 10, 11, 12], copies: ALL_SYMMETRIES },
    Shape { squares: &[8, 9, 10, 11, 12, 13, 14, 15], copies: ROTATIONS },
    Shape { squares: &[16, 17, 18, 19, 20, 21, 22, 23], copies: ROTATIONS },
    Shape { squares: &[24, 25, 26, 27, 28, 29, 30, 31], copies: ROTATIONS },
    Shape { squares: &[0, 9, 18, 27, 36, 45, 54, 63], copies: &[0, 1] },
];

/// One number for every lane.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub struct Lanes([u16; LANES]);

/// What the side to move's disc on a square adds to every lane; the other side's adds twice that.
static SQUARE: [Lanes; 64] = square_lanes();

/// Where the weights of a lane start.
static OFFSETS: [u32; LANES] = offsets();

/// All weights, shape after shape.
pub const WEIGHTS: usize = weight_count();

/// Quarters of a disc, fitted by `examples/fit_ordering.rs` in 8 passes over 1,050,000 positions with 12 to 18 empties and
/// their proven values. Mean error on 50,000 held-out positions together with the mobility terms: 6.57 discs.
static WEIGHT_BYTES: &[u8; WEIGHTS] = include_bytes!("ordering_weights.bin");

/// The position's numbers, for asking about its children.
#[derive(Debug, Clone, Copy)]
pub struct Patterns {
    /// The numbers of the same discs seen from the other side, who moves next.
    turned: Lanes,
}

impl Patterns {
    /// The numbers of a position.
    #[inline]
    pub fn of(board: Board) -> Self {
        let own = sum(board.player);
        let mut turned = sum(board.opponent);
        turned.add(&own);
        turned.add(&own);
        Self { turned }
    }

    /// The estimate for the side to move after the player's disc on `bit` turned `flips`: quarters of a disc.
    #[inline]
    pub fn child(&self, bit: u64, flips: u64) -> i32 {
        // The new disc counts twice, as a disc of the side that waits. A turned disc counted once, and counts twice now.
        let mut lanes = self.turned;
        let placed = &SQUARE[bit.trailing_zeros() as usize & 63];
        lanes.add(placed);
        lanes.add(placed);
        let mut rest = flips;
        while rest != 0 {
            lanes.add(&SQUARE[rest.trailing_zeros() as usize & 63]);
            rest &= rest - 1;
        }
        lanes.estimate()
    }
}

/// Where the weight of each lane lies for this position, for fitting.
pub fn rows(board: Board) -> [usize; LANES] {
    let mut lanes = sum(board.player);
    let other = sum(board.opponent);
    lanes.add(&other);
    lanes.add(&other);
    std::array::from_fn(|lane| OFFSETS[lane] as usize + usize::from(lanes.0[lane]))
}

/// The estimate of a position for its side to move, in quarters of a disc.
#[inline]
pub fn estimate(board: Board) -> i32 {
    let mut lanes = sum(board.player);
    let other = sum(board.opponent);
    lanes.add(&other);
    lanes.add(&other);
    lanes.estimate()
}

/// For every weight the one that it must equal, because their fillings are each other's mirror images, for fitting.
pub fn mirrored_rows() -> Vec<usize> {
    let mut twins: Vec<usize> = (0..WEIGHTS).collect();
    let mut offset = 0;
    for shape in &SHAPES {
        let count = 3_usize.pow(shape.squares.len() as u32);
        // The symmetries that map the shape onto itself tell which place each square goes to.
        for symmetry in 1..8 {
            let places: Option<Vec<usize>> = shape
                .squares
                .iter()
                .map(|&square| shape.squares.iter().position(|&other| other == turn(symmetry, square)))
                .collect();
            let Some(places) = places else { continue };
            for row in 0..count {
                let digit = |place: usize| row / 3_usize.pow(place as u32) % 3;
                let image: usize = (0..places.len()).map(|k| digit(k) * 3_usize.pow(places[k] as u32)).sum();
                twins[offset + row] = twins[offset + row].min(offset + image);
            }
        }
        offset += count;
    }
    twins
}

impl Lanes {
    #[inline]
    fn add(&mut self, other: &Self) {
        for (lane, more) in self.0.iter_mut().zip(other.0) {
            *lane = lane.wrapping_add(more);
        }
    }

    #[inline]
    fn estimate(&self) -> i32 {
        self.0
            .iter()
            .zip(&OFFSETS)
            .map(|(&row, &offset)| i32::from(WEIGHT_BYTES[offset as usize + usize::from(row)] as i8))
            .sum()
    }
}

#[inline]
fn sum(discs: u64) -> Lanes {
    let mut lanes = Lanes([0; LANES]);
    for square in Squares(discs) {
        lanes.add(&SQUARE[usize::from(square.index())]);
    }
    lanes
}

/// The image of a square under one of the eight symmetries: quarter turns 0 to 3, and 4 to 7 the same after mirroring at
/// the falling diagonal.
const fn turn(symmetry: usize, square: u8) -> u8 {
    let (mut row, mut column) = (square / 8, square % 8);
    if symmetry >= 4 {
        (row, column) = (column, row);
    }
    let mut turns = symmetry % 4;
    while turns > 0 {
        (row, column) = (column, 7 - row);
        turns -= 1;
    }
    row * 8 + column
}

const fn square_lanes() -> [Lanes; 64] {
    let mut table = [Lanes([0; LANES]); 64];
    let (mut shape, mut lane) = (0, 0);
    while shape < SHAPES.len() {
        let mut copy = 0;
        while copy < SHAPES[shape].copies.len() {
            let mut place = 0;
            let mut power = 1;
            while place < SHAPES[shape].squares.len() {
                let square = turn(SHAPES[shape].copies[copy], SHAPES[shape].squares[place]);
                table[square as usize].0[lane] = power;
                // The power after the last place of ten is not used, and would still fit.
                power = power.wrapping_mul(3);
                place += 1;
            }
            copy += 1;
            lane += 1;
        }
        shape += 1;
    }
    table
}

const fn offsets() -> [u32; LANES] {
    let mut table = [0; LANES];
    let (mut shape, mut lane, mut offset) = (0, 0, 0);
    while shape < SHAPES.len() {
        let mut copy = 0;
        while copy < SHAPES[shape].copies.len() {
            table[lane] = offset;
            copy += 1;
            lane += 1;
        }
        offset += 3_u32.pow(SHAPES[shape].squares.len() as u32);
        shape += 1;
    }
    // The idle lanes always read the weight behind all others, which is zero.
    while lane < LANES {
        table[lane] = offset;
        lane += 1;
    }
    table
}

const fn weight_count() -> usize {
    let (mut shape, mut count) = (0, 1);
    while shape < SHAPES.len() {
        count += 3_usize.pow(SHAPES[shape].squares.len() as u32);
        shape += 1;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;
    use crate::symmetry::Symmetry;

    #[test]
    fn the_estimate_of_a_child_is_that_of_the_position_it_leads_to() {
        let mut board = Board::start(Size::Eight);
        for _ in 0..40 {
            let moves = board.moves(Size::Eight);
            if moves == 0 {
                break;
            }
            let patterns = Patterns::of(board);
            for square in Squares(moves) {
                let flips = board.flips(square);
                assert_eq!(patterns.child(square.bit(), flips), estimate(board.after(square.bit(), flips)));
            }
            let square = Squares(moves).last().unwrap();
            board = board.after(square.bit(), board.flips(square));
        }
    }

    #[test]
    fn the_estimate_is_the_same_in_all_eight_orientations() {
        let board =
            Board { player: 0x0000_3C1C_0C08_0102, opponent: 0x0040_0022_7274_1E10 & !0x0000_3C1C_0C08_0102 };
        assert_ne!(estimate(board), 0);
        for symmetry in Symmetry::ALL {
            assert_eq!(estimate(symmetry.board(board, Size::Eight)), estimate(board));
        }
    }
}
