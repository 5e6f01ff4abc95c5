//! The stones of a board as words: every line in each of the four directions is one word of two bits a cell, so that a
//! stone changes four words and the window around any cell is a shift away.

use crate::color::Color;
use crate::grid::{Cell, Grid};
use crate::point::{FRAME, STRIDE};

/// Lines in one direction of the frame; diagonals are the most.
const LINES: usize = 2 * STRIDE;

/// The four directions.
pub(crate) const DIRECTIONS: usize = 4;

const _: () = assert!(2 * STRIDE == u64::BITS as usize, "a line of the frame is one word");

/// Bits of a cell: 0 empty, 1 black, 2 white, 3 wall. A line table is indexed by the same ones.
const fn bits(cell: Cell) -> u64 {
    match cell {
        Cell::Empty => 0,
        Cell::Stone(color) => stone(color),
        Cell::Wall => 3,
    }
}

const fn stone(color: Color) -> u64 {
    color as u64 + 1
}

/// One line through a cell, and the cell's place on it. One step along the direction is one place up.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Through {
    word: u64,
    place: usize,
}

impl Through {
    /// The same line with a stone on the cell, which must be empty.
    #[inline]
    pub(crate) const fn with_stone(self, color: Color) -> Self {
        Self { word: self.word ^ stone(color) << (2 * self.place), place: self.place }
    }

    /// The word shifted so that the cell `offset` places on (counted with wrapping) has its window of `reach` cells each
    /// way in the lowest bits. The cell must be on the board.
    #[inline]
    pub(crate) const fn window(self, offset: usize, reach: usize) -> u64 {
        self.word.wrapping_shr(2 * self.place.wrapping_add(offset).wrapping_sub(reach) as u32)
    }
}

/// All lines of a board.
#[derive(Clone)]
pub(crate) struct Rows {
    words: [[u64; LINES]; DIRECTIONS],
}

/// The number of the line through a cell in a direction, and the cell's place on it.
#[inline]
const fn locate(direction: usize, cell: usize) -> (usize, usize) {
    let (x, y) = (cell % STRIDE, cell / STRIDE % STRIDE);
    match direction {
        0 => (y, x),
        1 => (x, y),
        2 => ((y + STRIDE - x) % LINES, y),
        _ => (x + y, y),
    }
}

impl Rows {
    pub(crate) fn of(grid: &Grid) -> Self {
        let mut rows = Self { words: [[0; LINES]; DIRECTIONS] };
        for cell in 0..FRAME {
            rows.change(cell, bits(grid.at(cell)));
        }
        rows
    }

    /// Puts a stone on an empty cell, or takes it away again.
    #[inline]
    pub(crate) fn flip(&mut self, cell: usize, color: Color) {
        self.change(cell, stone(color));
    }

    #[inline]
    fn change(&mut self, cell: usize, bits: u64) {
        for direction in 0..DIRECTIONS {
            let (line, place) = locate(direction, cell);
            self.words[direction][line % LINES] ^= bits << (2 * place);
        }
    }

    /// The line through a cell in a direction.
    #[inline]
    pub(crate) fn through(&self, direction: usize, cell: usize) -> Through {
        let (line, place) = locate(direction, cell);
        Through { word: self.words[direction][line % LINES], place }
    }
}
