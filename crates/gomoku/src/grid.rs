//! Stones on a board, with a wall around it: what rules and searches walk over.

use crate::color::Color;
use crate::point::{FRAME, Point, Size};

/// What lies on a cell of the frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cell {
    /// No stone.
    Empty,
    /// A stone of this colour.
    Stone(Color),
    /// Outside the board.
    Wall,
}

const _: () = assert!(size_of::<Cell>() == 1, "boards are read cell by cell, so a cell is one byte");

/// The stones of a position. Knows nothing of turns and rules.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Grid {
    cells: [Cell; FRAME],
    size: Size,
}

impl Grid {
    /// The empty board.
    pub fn new(size: Size) -> Self {
        let mut cells = [Cell::Wall; FRAME];
        for point in size.points() {
            cells[point.cell()] = Cell::Empty;
        }
        Self { cells, size }
    }

    /// The size of the board.
    pub const fn size(&self) -> Size {
        self.size
    }

    /// What lies on a point; a wall when the point is outside this board.
    pub const fn get(&self, point: Point) -> Cell {
        self.cells[point.cell()]
    }

    pub(crate) const fn at(&self, cell: usize) -> Cell {
        self.cells[cell]
    }

    /// Puts a stone down or takes one away. The point must be on the board.
    pub(crate) fn set(&mut self, point: Point, stone: Option<Color>) {
        debug_assert!(self.size.contains(point));
        self.cells[point.cell()] = stone.map_or(Cell::Empty, Cell::Stone);
    }

    /// How many stones of `color` lie next to `cell` in an unbroken row, stepping by `step` (forwards or, with a
    /// wrapped negative step, backwards).
    pub(crate) fn run(&self, cell: usize, step: usize, color: Color) -> usize {
        let mut at = cell.wrapping_add(step);
        let mut count = 0;
        while self.cells[at] == Cell::Stone(color) {
            count += 1;
            at = at.wrapping_add(step);
        }
        count
    }

    /// Length of the unbroken row through `cell` along `step`, with `cell` itself counted as a stone of `color`.
    pub(crate) fn row_through(&self, cell: usize, step: usize, color: Color) -> usize {
        1 + self.run(cell, step, color) + self.run(cell, step.wrapping_neg(), color)
    }

    /// The stones of one colour, row by row.
    pub fn stones(&self, color: Color) -> impl Iterator<Item = Point> + '_ {
        self.size.points().filter(move |&point| self.get(point) == Cell::Stone(color))
    }

    /// The empty points, row by row.
    pub fn empty(&self) -> impl Iterator<Item = Point> + '_ {
        self.size.points().filter(|&point| self.get(point) == Cell::Empty)
    }
}

impl std::fmt::Debug for Grid {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let side = usize::from(self.size.get());
        for (index, point) in self.size.points().enumerate() {
            if index > 0 && index % side == 0 {
                f.write_str("/")?;
            }
            f.write_str(match self.get(point) {
                Cell::Stone(Color::Black) => "X",
                Cell::Stone(Color::White) => "O",
                Cell::Empty | Cell::Wall => ".",
            })?;
        }
        Ok(())
    }
}
