//! Cells row by row into a position.

use super::error::{Reason, Variant};
use crate::board::Size;
use crate::position::{Color, Position};
use crate::square::Square;

/// What lies on one cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cell {
    Disc(Color),
    Empty,
}

/// The board size with this many cells.
///
/// # Errors
/// [`Reason::UnreadVariant`] for 100 cells, [`Reason::CellCount`] for other counts that are not 64, 36 or 16.
pub fn size_of_cells(count: usize) -> Result<Size, Reason> {
    match count {
        16 => Ok(Size::Four),
        36 => Ok(Size::Six),
        64 => Ok(Size::Eight),
        100 => Err(Reason::UnreadVariant(Variant::TenByTen)),
        _ => Err(Reason::CellCount { count }),
    }
}

/// The board size with this many cells along one side, as requests and texts say it.
///
/// # Errors
/// [`Reason::UnreadVariant`] for every side but 8, 6 and 4.
pub fn size_of_side(side: usize) -> Result<Size, Reason> {
    let other = if side == 10 { Variant::TenByTen } else { Variant::OtherSide(side) };
    Size::from_side(side).ok_or(Reason::UnreadVariant(other))
}

/// The board size with this many rows.
pub fn size_of_rows(count: usize) -> Result<Size, Reason> {
    match size_of_side(count) {
        Err(Reason::UnreadVariant(Variant::OtherSide(_))) => Err(Reason::RowCount { count }),
        other => other,
    }
}

/// A position from its cells row by row.
pub fn position(cells: &[Cell], side: Color) -> Result<Position, Reason> {
    let size = size_of_cells(cells.len())?;
    let (mut black, mut white) = (0, 0);
    for (index, square) in squares(size).enumerate() {
        match cells[index] {
            Cell::Disc(Color::Black) => black |= square.bit(),
            Cell::Disc(Color::White) => white |= square.bit(),
            Cell::Empty => {}
        }
    }
    let position = Position::new(size, black, white, side);
    Ok(position.expect("every cell holds one thing and lies on the board"))
}

/// The squares of a board row by row.
pub fn squares(size: Size) -> impl Iterator<Item = Square> {
    let side = size.side();
    (0..side).flat_map(move |row| (0..side).filter_map(move |column| Square::at(row, column)))
}
