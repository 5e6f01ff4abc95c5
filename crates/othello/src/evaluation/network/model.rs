//! The weights as the search uses them: small integers, ready to be added up.

use crate::board::{Board, Size};
use crate::evaluation::network::indices::{Indices, View};
use crate::evaluation::network::shapes::{self, INSTANCES, SHAPES};
use crate::evaluation::network::stages::{STAGES, stage_of};
use crate::evaluation::network::{HIDDEN, LANES};
use crate::square::Squares;

/// One unit of a hidden sum in row steps; sums are clipped to 0..=2 units.
pub const HIDDEN_ONE: i32 = 128;
/// Steps of the coarse linear lane in one disc.
pub const COARSE_PER_DISC: i32 = 16;
/// Steps of the fine linear lane in one coarse step.
pub const FINE_PER_COARSE: i32 = 32;
/// Output weights are hundredths of a disc for one squared unit, times this.
pub const OUTPUT_SCALE: i32 = 8;
/// Mobility and parity weights are hundredths of a disc, times this.
pub const SCALAR_SCALE: i32 = 16;

/// A squared hidden sum is shifted by this so that it fits the 16-bit products of the output.
const SQUARE_SHIFT: u32 = 4;

/// The numbers of one group of empties besides the rows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Head {
    /// Added to the sums of the lanes, in row steps.
    pub bias: [i16; LANES],
    /// Output weight of each hidden unit.
    pub output: [i16; HIDDEN],
    /// Weight of each legal move of the side to move.
    pub own_mobility: i16,
    /// Weight of each legal move of the other side.
    pub other_mobility: i16,
    /// Added when the number of empties is odd.
    pub odd_empties: i16,
}

/// One group of empties.
#[derive(Debug, Clone)]
pub struct Stage {
    /// Everything but the rows.
    pub head: Head,
    /// Rows of all shapes one after another.
    pub rows: Box<[[i8; LANES]]>,
}

/// A complete set of weights for 8x8 boards.
#[derive(Debug, Clone)]
pub struct Model {
    /// `None` where nothing has been trained yet.
    stages: Vec<Option<Stage>>,
    /// First row of each instance's shape.
    first_row: [u32; INSTANCES],
}

impl Model {
    /// A model from its stages, late to early. A stage may be missing while a model is being trained.
    ///
    /// # Panics
    /// When there are not [`STAGES`] stages, or a stage has not as many rows as the shapes need.
    pub fn new(stages: Vec<Option<Stage>>) -> Self {
        let offsets = shapes::row_offsets();
        assert_eq!(stages.len(), STAGES, "one set of weights for each group of empties");
        assert!(
            stages.iter().flatten().all(|stage| stage.rows.len() == offsets[SHAPES]),
            "one row for each index"
        );
        let mut first_row = [0; INSTANCES];
        for (first, instance) in first_row.iter_mut().zip(shapes::instances()) {
            *first = offsets[instance.shape] as u32;
        }
        Self { stages, first_row }
    }

    /// A number that stands for the values of this model on a fixed game: equal on every machine that computes
    /// rightly.
    pub fn check(&self) -> u64 {
        let mut board = Board::start(Size::Eight);
        let mut hash = 0xCBF2_9CE4_8422_2325;
        // The game takes the move in the middle of the list each time, so it visits all groups of empties.
        loop {
            let mut moves = board.moves(Size::Eight);
            if moves == 0 {
                board = board.pass();
                moves = board.moves(Size::Eight);
            }
            let middle = Squares(moves).nth(moves.count_ones() as usize / 2);
            let Some(square) = middle else { return hash };
            let value = self.value(&Indices::new(board), View::First, board).unwrap_or(i32::MIN);
            hash = (hash ^ value as u32 as u64).wrapping_mul(0x0100_0000_01B3);
            board = board.after(square.bit(), board.flips(square));
        }
    }

    /// The stages, late to early.
    pub fn into_stages(self) -> Vec<Option<Stage>> {
        self.stages
    }

    /// The estimated final disc difference for the side to move, in hundredths of a disc, not clamped. `indices`
    /// stand at `board`, whose player is the side `view` of them. `None` where nothing has been trained.
    #[inline]
    pub fn value(&self, indices: &Indices, view: View, board: Board) -> Option<i32> {
        let empties = (!board.occupied()).count_ones();
        let stage = self.stages[stage_of(empties)].as_ref()?;
        let sums = add_rows(&stage.head.bias, &stage.rows, &self.first_row, &indices.seen_from(view));
        Some(stage.head.output(&sums, board, empties))
    }
}

/// The sums of the lanes when the rows of all instances are added to the bias.
// Kept apart: where the compiler sees that two lanes are used in another way than the rest, it adds up every row in
// five pieces instead of one.
#[inline(never)]
fn add_rows(
    bias: &[i16; LANES],
    rows: &[[i8; LANES]],
    first_row: &[u32; INSTANCES],
    seen: &[u16; INSTANCES],
) -> [i16; LANES] {
    let mut sums = *bias;
    for (&index, &first) in seen.iter().zip(first_row) {
        let row = &rows[first as usize + usize::from(index)];
        for (sum, &weight) in sums.iter_mut().zip(row) {
            *sum += i16::from(weight);
        }
    }
    sums
}

impl Head {
    /// From the sums of the lanes to hundredths of a disc.
    #[inline]
    fn output(&self, sums: &[i16; LANES], board: Board, empties: u32) -> i32 {
        let mut hidden = 0;
        for (&sum, &weight) in sums[..HIDDEN].iter().zip(&self.output) {
            let clipped = i32::from(sum).clamp(0, 2 * HIDDEN_ONE);
            hidden += ((clipped * clipped) >> SQUARE_SHIFT) * i32::from(weight);
        }
        let hidden_one = (HIDDEN_ONE * HIDDEN_ONE) >> SQUARE_SHIFT;
        let linear = i32::from(sums[HIDDEN]) * FINE_PER_COARSE + i32::from(sums[HIDDEN + 1]);
        let own = board.moves(Size::Eight).count_ones() as i32;
        let other = board.pass().moves(Size::Eight).count_ones() as i32;
        let scalars = own * i32::from(self.own_mobility)
            + other * i32::from(self.other_mobility)
            + (empties & 1) as i32 * i32::from(self.odd_empties);
        hidden / (hidden_one * OUTPUT_SCALE)
            + linear * 100 / (COARSE_PER_DISC * FINE_PER_COARSE)
            + scalars / SCALAR_SCALE
    }
}
