//! The estimate that orders moves inside the solver: a sum of learned weights, one for the filling of each of 30
//! small regions of the board. The 8x8 and the 6x6 board have regions and weights of their own; on 4x4 there is nothing
//! that needs them.
//!
//! Every region's filling is a number in base 3 (0 empty, 1 the side to move, 2 the other side). All 30 numbers are kept
//! side by side in 16-bit lanes, so that a disc changes them all by one vector addition, and a child's numbers are its
//! parent's plus a few additions: no state is carried through the search.

use std::sync::LazyLock;

use crate::board::{Board, Size};
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

impl Shape {
    /// In how many ways a copy can be filled.
    const fn fillings(&self) -> usize {
        3_usize.pow(self.squares.len() as u32)
    }
}

const ROTATIONS: &[usize] = &[0, 1, 2, 3];
const ALL_SYMMETRIES: &[usize] = &[0, 1, 2, 3, 4, 5, 6, 7];
const DIAGONALS: &[usize] = &[0, 1];

/// 8x8: edge with both X squares, 3x3 corner, 2x5 corner, rows 2 to 4, long diagonal. Copies of a shape share its
/// weights.
const EIGHT_SHAPES: [Shape; SHAPES] = [
    Shape { squares: &[0, 1, 2, 3, 4, 5, 6, 7, 9, 14], copies: ROTATIONS },
    Shape { squares: &[0, 1, 2, 8, 9, 10, 16, 17, 18], copies: ROTATIONS },
    Shape { squares: &[0, 1, 2, 3, 4, 8, 9, 10, 11, 12], copies: ALL_SYMMETRIES },
    Shape { squares: &[8, 9, 10, 11, 12, 13, 14, 15], copies: ROTATIONS },
    Shape { squares: &[16, 17, 18, 19, 20, 21, 22, 23], copies: ROTATIONS },
    Shape { squares: &[24, 25, 26, 27, 28, 29, 30, 31], copies: ROTATIONS },
    Shape { squares: &[0, 9, 18, 27, 36, 45, 54, 63], copies: DIAGONALS },
];

/// 6x6: edge with both X squares, 3x3 corner, 2x5 corner, rows 2 and 3, the diagonal of five, the long diagonal.
const SIX_SHAPES: [Shape; SHAPES] = [
    Shape { squares: &[0, 1, 2, 3, 4, 5, 9, 12], copies: ROTATIONS },
    Shape { squares: &[0, 1, 2, 8, 9, 10, 16, 17, 18], copies: ROTATIONS },
    Shape { squares: &[0, 1, 2, 3, 4, 8, 9, 10, 11, 12], copies: ALL_SYMMETRIES },
    Shape { squares: &[8, 9, 10, 11, 12, 13], copies: ROTATIONS },
    Shape { squares: &[16, 17, 18, 19, 20, 21], copies: ROTATIONS },
    Shape { squares: &[1, 10, 19, 28, 37], copies: ROTATIONS },
    Shape { squares: &[0, 9, 18, 27, 36, 45], copies: DIAGONALS },
];

/// Shapes of each board.
const SHAPES: usize = 7;
/// The shape of every lane in use. Both boards have the same numbers of copies.
const SHAPE_OF_LANE: [usize; 30] = shape_of_lane(&EIGHT_SHAPES);

/// The weights of one shape in quarters of a disc. As many as a lane has numbers, so that no look-up needs a check.
type Weights = [i8; 1 << 16];

/// The regions of one board size with their weights.
#[derive(Debug)]
pub struct Regions {
    side: u8,
    /// What the side to move's disc on a square adds to every lane; the other side's adds twice that.
    square: [Lanes; 64],
    /// Where the weights of a lane start in the file.
    offsets: [u32; LANES],
    weights: [Box<Weights>; SHAPES],
}

/// Fitted by `examples/fit_ordering.rs` in 8 passes over 1,050,000 positions with 12 to 18 empties and their proven
/// values. Mean error on 50,000 held-out positions together with the mobility terms: 6.57 discs.
static EIGHT: LazyLock<Regions> =
    LazyLock::new(|| Regions::new(8, &EIGHT_SHAPES, include_bytes!("ordering_weights.bin")));

/// Fitted by the same program to positions of its own.
static SIX: LazyLock<Regions> =
    LazyLock::new(|| Regions::new(6, &SIX_SHAPES, include_bytes!("ordering_weights_six.bin")));

impl Regions {
    /// The regions of a board size; the smallest has none.
    #[inline]
    pub fn of(size: Size) -> Option<&'static Self> {
        match size {
            Size::Four => None,
            Size::Six => Some(&SIX),
            Size::Eight => Some(&EIGHT),
        }
    }

    /// `file` has the weights of one shape after another, and a zero for the idle lanes.
    fn new(side: u8, shapes: &[Shape; SHAPES], file: &[u8]) -> Self {
        assert_eq!(SHAPE_OF_LANE, shape_of_lane(shapes), "lanes have the shapes they are looked up in");
        let mut file = file.iter();
        let weights = shapes.each_ref().map(|shape| {
            let mut weights: Box<Weights> = vec![0; 1 << 16].into_boxed_slice().try_into().expect("so many");
            for (place, &weight) in weights.iter_mut().zip(file.by_ref().take(shape.fillings())) {
                *place = weight as i8;
            }
            weights
        });
        assert_eq!(file.len(), 1, "the weights fit the shapes");
        Self { side, square: square_lanes(side, shapes), offsets: offsets(shapes), weights }
    }

    /// The number of weights, the idle one included.
    pub const fn weights(&self) -> usize {
        // The idle lanes read the last.
        self.offsets[LANES - 1] as usize + 1
    }

    /// Where the weight of each lane lies for this position, for fitting.
    pub fn rows(&self, board: Board) -> [usize; LANES] {
        let lanes = self.lanes(board);
        std::array::from_fn(|lane| self.offsets[lane] as usize + usize::from(lanes.0[lane]))
    }

    /// The estimate of a position for its side to move, in quarters of a disc.
    #[inline]
    pub fn estimate(&self, board: Board) -> i32 {
        self.add_up(&self.lanes(board))
    }

    /// For every weight the one that it must equal, because their fillings are each other's mirror images, for
    /// fitting.
    pub fn mirrored_rows(&self) -> Vec<usize> {
        let mut twins: Vec<usize> = (0..self.weights()).collect();
        let shapes = if self.side == 6 { &SIX_SHAPES } else { &EIGHT_SHAPES };
        let mut offset = 0;
        for shape in shapes {
            let count = shape.fillings();
            // The symmetries that map the shape onto itself tell which place each square goes to.
            for symmetry in 1..8 {
                let image_of = |square: u8| turn(self.side, symmetry, square);
                let places: Option<Vec<usize>> = shape
                    .squares
                    .iter()
                    .map(|&square| shape.squares.iter().position(|&other| other == image_of(square)))
                    .collect();
                let Some(places) = places else { continue };
                for row in 0..count {
                    let digit = |place: usize| row / 3_usize.pow(place as u32) % 3;
                    let image: usize =
                        (0..places.len()).map(|k| digit(k) * 3_usize.pow(places[k] as u32)).sum();
                    twins[offset + row] = twins[offset + row].min(offset + image);
                }
            }
            offset += count;
        }
        twins
    }

    #[inline]
    fn lanes(&self, board: Board) -> Lanes {
        let mut lanes = self.sum(board.player);
        let other = self.sum(board.opponent);
        lanes.add(&other);
        lanes.add(&other);
        lanes
    }

    #[inline]
    fn sum(&self, discs: u64) -> Lanes {
        let mut lanes = Lanes([0; LANES]);
        for square in Squares(discs) {
            lanes.add(&self.square[usize::from(square.index())]);
        }
        lanes
    }

    #[inline]
    fn add_up(&self, lanes: &Lanes) -> i32 {
        let rows = lanes.0.iter().zip(SHAPE_OF_LANE);
        rows.map(|(&row, shape)| i32::from(self.weights[shape][usize::from(row)])).sum()
    }
}

/// One number for every lane.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub struct Lanes([u16; LANES]);

/// The numbers of a position, for its own estimate and for asking about its children.
#[derive(Debug, Clone, Copy)]
pub struct Patterns {
    regions: &'static Regions,
    /// As the side to move sees it.
    own: Lanes,
    /// The same discs as the other side sees them.
    turned: Lanes,
}

impl Patterns {
    /// The numbers of a position.
    #[inline]
    pub fn of(regions: &'static Regions, board: Board) -> Self {
        let (player, opponent) = (regions.sum(board.player), regions.sum(board.opponent));
        let (mut own, mut turned) = (player, opponent);
        own.add(&opponent);
        own.add(&opponent);
        turned.add(&player);
        turned.add(&player);
        Self { regions, own, turned }
    }

    /// The estimate for the side to move: quarters of a disc.
    #[inline]
    pub fn estimate(&self) -> i32 {
        self.regions.add_up(&self.own)
    }

    /// The estimate for the side to move after the player's disc on `bit` turned `flips`: quarters of a disc.
    #[inline]
    pub fn child(&self, bit: u64, flips: u64) -> i32 {
        self.regions.add_up(&self.child_lanes(bit, flips).0)
    }

    /// The numbers of the position after the player's disc on `bit` turned `flips`.
    #[inline]
    pub fn after(&self, bit: u64, flips: u64) -> Self {
        let (own, changed) = self.child_lanes(bit, flips);
        // What turned counted twice for the side that waits, and counts once as its own now.
        let mut turned = self.own;
        turned.add(&self.regions.square[bit.trailing_zeros() as usize & 63]);
        turned.take(&changed);
        Self { regions: self.regions, own, turned }
    }

    /// The numbers after a pass.
    #[inline]
    pub fn passed(&self) -> Self {
        Self { regions: self.regions, own: self.turned, turned: self.own }
    }

    /// A child's numbers as its side to move sees it, and the sum of the discs that turned.
    #[inline]
    fn child_lanes(&self, bit: u64, flips: u64) -> (Lanes, Lanes) {
        let changed = self.regions.sum(flips);
        // The new disc counts twice, as a disc of the side that waits. A turned disc counted once, and counts twice now.
        let mut lanes = self.turned;
        let placed = &self.regions.square[bit.trailing_zeros() as usize & 63];
        lanes.add(placed);
        lanes.add(placed);
        lanes.add(&changed);
        (lanes, changed)
    }
}

impl Lanes {
    #[inline]
    fn add(&mut self, other: &Self) {
        for (lane, more) in self.0.iter_mut().zip(other.0) {
            *lane = lane.wrapping_add(more);
        }
    }

    #[inline]
    fn take(&mut self, other: &Self) {
        for (lane, less) in self.0.iter_mut().zip(other.0) {
            *lane = lane.wrapping_sub(less);
        }
    }
}

/// The image of a square under one of the eight symmetries: quarter turns 0 to 3, and 4 to 7 the same after mirroring at
/// the falling diagonal.
const fn turn(side: u8, symmetry: usize, square: u8) -> u8 {
    let (mut row, mut column) = (square / 8, square % 8);
    if symmetry >= 4 {
        (row, column) = (column, row);
    }
    let mut turns = symmetry % 4;
    while turns > 0 {
        (row, column) = (column, side - 1 - row);
        turns -= 1;
    }
    row * 8 + column
}

const fn square_lanes(side: u8, shapes: &[Shape]) -> [Lanes; 64] {
    let mut table = [Lanes([0; LANES]); 64];
    let (mut shape, mut lane) = (0, 0);
    while shape < shapes.len() {
        let mut copy = 0;
        while copy < shapes[shape].copies.len() {
            let mut place = 0;
            let mut power = 1;
            while place < shapes[shape].squares.len() {
                let square = turn(side, shapes[shape].copies[copy], shapes[shape].squares[place]);
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

const fn offsets(shapes: &[Shape]) -> [u32; LANES] {
    let mut table = [0; LANES];
    let (mut shape, mut lane, mut offset) = (0, 0, 0);
    while shape < shapes.len() {
        let mut copy = 0;
        while copy < shapes[shape].copies.len() {
            table[lane] = offset;
            copy += 1;
            lane += 1;
        }
        offset += shapes[shape].fillings() as u32;
        shape += 1;
    }
    // The idle lanes always read the weight behind all others, which is zero.
    while lane < LANES {
        table[lane] = offset;
        lane += 1;
    }
    table
}

const fn shape_of_lane(shapes: &[Shape]) -> [usize; 30] {
    let mut table = [0; 30];
    let (mut shape, mut lane) = (0, 0);
    while shape < shapes.len() {
        let mut copy = 0;
        while copy < shapes[shape].copies.len() {
            table[lane] = shape;
            copy += 1;
            lane += 1;
        }
        shape += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;
    use crate::symmetry::Symmetry;

    /// Positions of a game in which the last legal move is always taken.
    fn game(size: Size) -> Vec<Board> {
        let mut boards = vec![Board::start(size)];
        loop {
            let board = boards[boards.len() - 1];
            let Some(square) = Squares(board.moves(size)).last() else { return boards };
            boards.push(board.after(square.bit(), board.flips(square)));
        }
    }

    #[test]
    fn the_estimate_of_a_child_is_that_of_the_position_it_leads_to() {
        for size in [Size::Six, Size::Eight] {
            let regions = Regions::of(size).unwrap();
            for board in game(size) {
                let patterns = Patterns::of(regions, board);
                for square in Squares(board.moves(size)) {
                    let flips = board.flips(square);
                    let child = board.after(square.bit(), flips);
                    assert_eq!(patterns.child(square.bit(), flips), regions.estimate(child));
                    let after = patterns.after(square.bit(), flips);
                    assert_eq!(after.estimate(), regions.estimate(child));
                    assert_eq!(after.passed().estimate(), regions.estimate(child.pass()));
                }
            }
        }
    }

    #[test]
    fn the_estimate_is_the_same_in_all_eight_orientations() {
        for size in [Size::Six, Size::Eight] {
            let regions = Regions::of(size).unwrap();
            let boards = game(size);
            let board = boards[boards.len() / 2];
            assert_ne!(regions.estimate(board), 0);
            for symmetry in Symmetry::ALL {
                assert_eq!(regions.estimate(symmetry.board(board, size)), regions.estimate(board));
            }
        }
    }
}
