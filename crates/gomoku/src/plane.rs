//! A set of cells as one row of bits a row of the board.

use crate::point::{MARGIN, Point, STRIDE};

/// A set of cells of the frame. Changing it takes no branch, because boards do that dozens of times a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Plane([u32; 32]);

impl Plane {
    pub(crate) const EMPTY: Self = Self([0; 32]);

    #[inline]
    pub(crate) fn insert(&mut self, cell: usize) {
        self.0[cell / STRIDE % 32] |= 1 << (cell % STRIDE);
    }

    #[inline]
    pub(crate) fn remove(&mut self, cell: usize) {
        self.0[cell / STRIDE % 32] &= !(1 << (cell % STRIDE));
    }

    #[inline]
    pub(crate) fn row(&self, row: usize) -> u32 {
        self.0[row % 32]
    }

    #[inline]
    pub(crate) fn set_row(&mut self, row: usize, bits: u32) {
        self.0[row % 32] = bits;
    }

    /// The points of the set, row by row.
    pub(crate) fn points(&self) -> impl Iterator<Item = Point> + '_ {
        let rows = self.0[MARGIN..32 - MARGIN].iter().enumerate();
        rows.flat_map(|(row, &bits)| {
            Ones(bits).map(move |column| Point::from_cell((row + MARGIN) * STRIDE + column))
        })
    }
}

/// The positions of the set bits of a word, lowest first.
struct Ones(u32);

impl Iterator for Ones {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let lowest = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(lowest)
    }
}

/// The empty cells around a stone that are worth looking at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Neighborhood {
    /// All cells within this Chebyshev distance, 1..=4.
    Square(u8),
    /// All cells within this Chebyshev distance, and the eight rays out to distance 4.
    Rays(u8),
}

/// Rows above and below a stone that a neighbourhood can reach.
pub(crate) const NEAR: usize = 4;

impl Neighborhood {
    /// One mask a row from four above to four below; bit 4 is the stone's own column.
    pub(crate) fn masks(self) -> [u32; 2 * NEAR + 1] {
        let (radius, rays) = match self {
            Self::Square(radius) => (radius, false),
            Self::Rays(radius) => (radius, true),
        };
        let radius = usize::from(radius).min(NEAR);
        std::array::from_fn(|row| {
            let dy = row.abs_diff(NEAR);
            let cell = |column: &usize| {
                let dx = column.abs_diff(NEAR);
                (dx <= radius && dy <= radius) || (rays && (dx == 0 || dy == 0 || dx == dy))
            };
            (0..=2 * NEAR).filter(cell).fold(0, |mask, column| mask | 1 << column)
        })
    }
}

const _: () = assert!(NEAR < MARGIN, "a neighbourhood never leaves the frame");
