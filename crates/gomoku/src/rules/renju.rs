//! Black's forbidden points under renju.
//!
//! A stone is forbidden when it makes an overline (six or more), two fours (also two in one line) or two threes, and
//! makes no five. A three counts only when black can turn it into a straight four with one more stone that is itself
//! neither a five nor forbidden, which is asked by the same rule on the board with the first stone in place. Every
//! question adds a stone, so the recursion ends.

use std::fmt;

use crate::color::Color;
use crate::grid::{Cell, Grid};
use crate::point::{Point, STEPS};

/// Why black may not play on a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Forbidden {
    /// Six or more in a row.
    Overline,
    /// Two fours with one stone.
    DoubleFour,
    /// Two threes with one stone.
    DoubleThree,
}

impl Forbidden {
    /// The name used everywhere outside.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Overline => "overline",
            Self::DoubleFour => "double-four",
            Self::DoubleThree => "double-three",
        }
    }
}

impl fmt::Display for Forbidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

const BLACK: Color = Color::Black;

/// Why black may not play on this empty point; `None` when black may. The grid comes back unchanged.
pub fn forbidden(grid: &mut Grid, point: Point) -> Option<Forbidden> {
    let cell = point.cell();
    let rows = STEPS.map(|step| grid.row_through(cell, step, BLACK));
    if rows.contains(&5) {
        return None;
    }
    if rows.iter().any(|&length| length > 5) {
        return Some(Forbidden::Overline);
    }
    grid.set(point, Some(BLACK));
    let fours = STEPS.map(|step| fours(grid, cell, step));
    let verdict = if fours.iter().sum::<usize>() >= 2 {
        Some(Forbidden::DoubleFour)
    } else {
        let mut threes = 0;
        for (direction, &step) in STEPS.iter().enumerate() {
            if fours[direction] == 0 && is_three(grid, cell, step) {
                threes += 1;
            }
            if threes == 2 {
                break;
            }
        }
        (threes == 2).then_some(Forbidden::DoubleThree)
    };
    grid.set(point, None);
    verdict
}

/// The first empty cell beyond the row of black stones through `cell`, if the row ends in one.
fn gap(grid: &Grid, cell: usize, step: usize) -> Option<usize> {
    let end = cell.wrapping_add(step.wrapping_mul(grid.run(cell, step, BLACK) + 1));
    (grid.at(end) == Cell::Empty).then_some(end)
}

/// The two gaps of the row through the black stone on `cell` in which one more stone makes exactly five.
fn five_gaps(grid: &Grid, cell: usize, step: usize) -> [Option<usize>; 2] {
    [step, step.wrapping_neg()]
        .map(|step| gap(grid, cell, step).filter(|&gap| grid.row_through(gap, step, BLACK) == 5))
}

/// How many fours the black stone on `cell` takes part in along one line: 0, 1 or 2. Two gaps that complete the same
/// four stones (a straight four) are one four.
fn fours(grid: &Grid, cell: usize, step: usize) -> usize {
    match five_gaps(grid, cell, step) {
        [None, None] => 0,
        [Some(_), Some(_)] if grid.row_through(cell, step, BLACK) != 4 => 2,
        _ => 1,
    }
}

/// Whether the row through the black stone on `cell` is a straight four.
fn is_straight_four(grid: &Grid, cell: usize, step: usize) -> bool {
    grid.row_through(cell, step, BLACK) == 4 && five_gaps(grid, cell, step).iter().all(Option::is_some)
}

/// Whether the black stone on `cell` takes part in a three along one line that carries no four.
fn is_three(grid: &mut Grid, cell: usize, step: usize) -> bool {
    for step in [step, step.wrapping_neg()] {
        let Some(gap) = gap(grid, cell, step) else { continue };
        let point = Point::from_cell(gap);
        grid.set(point, Some(BLACK));
        // The straight four is one unbroken row, so it holds the first stone exactly when it is found from there.
        let straight = is_straight_four(grid, cell, step);
        grid.set(point, None);
        if straight
            && !STEPS.iter().any(|&other| grid.row_through(gap, other, BLACK) == 5)
            && forbidden(grid, point).is_none()
        {
            return true;
        }
    }
    false
}
