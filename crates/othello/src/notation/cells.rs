//! Boards with one number a cell.

use super::error::{NotationError, Place, Reason};
use super::grid::{self, Cell};
use super::read::{Assumption, Coding, Format, Read};
use crate::position::{Color, Position};

/// The codings that are assumed without being told, in the order in which they are tried: the first one that covers
/// every number of the board holds. A board of only 0 and 1 is therefore read with 1 as white.
const KNOWN: [Coding; 2] =
    [Coding { black: -1, white: 1, empty: 0 }, Coding { black: 1, white: 2, empty: 0 }];

/// Reads a board from its numbers row by row. Without a coding, numbers within -1, 0, 1 are white, empty and black in
/// the order 1, 0, -1, and numbers within 0, 1, 2 are empty, black and white; that is then listed as assumed.
///
/// # Errors
/// When the number of cells is none of 64, 36 and 16, at the first number that the coding does not know, and for a
/// coding that uses one number twice.
pub fn read(numbers: &[i64], coding: Option<Coding>, side: Color) -> Result<Read, NotationError> {
    let (position, assumed) = position(numbers, coding, side, Place::Item)?;
    Ok(Read::of_position(position, Format::Numbers, assumed))
}

/// Reads a board from its rows of numbers, top row first. Codings as for [`read`].
///
/// # Errors
/// When the number of rows is none of 8, 6 and 4 or a row has another number of cells, and as [`read`].
pub fn read_rows<R: AsRef<[i64]>>(
    rows: &[R],
    coding: Option<Coding>,
    side: Color,
) -> Result<Read, NotationError> {
    let size = grid::size_of_rows(rows.len()).map_err(NotationError::whole)?;
    let expected = usize::from(size.side());
    let rows: Vec<&[i64]> = rows.iter().map(AsRef::as_ref).collect();
    if let Some(item) = rows.iter().position(|row| row.len() != expected) {
        let reason = Reason::RowLength { count: rows[item].len(), expected };
        return Err(NotationError::new(Place::Item(item), reason));
    }
    let place = |index| Place::Within { item: index / expected, index: index % expected };
    let (position, assumed) = position(&rows.concat(), coding, side, place)?;
    Ok(Read::of_position(position, Format::NumberRows, assumed))
}

fn position(
    numbers: &[i64],
    given: Option<Coding>,
    side: Color,
    place: impl Fn(usize) -> Place,
) -> Result<(Position, Vec<Assumption>), NotationError> {
    grid::size_of_cells(numbers.len()).map_err(NotationError::whole)?;
    let (coding, assumed) = match given {
        Some(coding)
            if coding.black == coding.white
                || coding.empty == coding.black
                || coding.empty == coding.white =>
        {
            return Err(NotationError::new(Place::Coding, Reason::CodingNotDistinct));
        }
        Some(coding) => (coding, Vec::new()),
        None => {
            let coding = known_coding(numbers)
                .map_err(|index| NotationError::new(place(index), Reason::UnknownCoding(numbers[index])))?;
            (coding, vec![Assumption::Coding(coding)])
        }
    };
    let mut cells = Vec::with_capacity(numbers.len());
    for (index, &number) in numbers.iter().enumerate() {
        let cell = cell(number, coding);
        cells.push(cell.ok_or_else(|| NotationError::new(place(index), Reason::UnknownValue(number)))?);
    }
    let position = grid::position(&cells, side).map_err(NotationError::whole)?;
    Ok((position, assumed))
}

fn cell(number: i64, coding: Coding) -> Option<Cell> {
    match number {
        _ if number == coding.black => Some(Cell::Disc(Color::Black)),
        _ if number == coding.white => Some(Cell::Disc(Color::White)),
        _ if number == coding.empty => Some(Cell::Empty),
        _ => None,
    }
}

/// The first known coding that covers all numbers, or the index of the number at which none is left.
fn known_coding(numbers: &[i64]) -> Result<Coding, usize> {
    let first_foreign = |coding: Coding| {
        numbers.iter().position(|&number| cell(number, coding).is_none()).map_or(Ok(coding), Err)
    };
    let mut furthest = 0;
    for coding in KNOWN {
        match first_foreign(coding) {
            Ok(coding) => return Ok(coding),
            Err(index) => furthest = furthest.max(index),
        }
    }
    Err(furthest)
}
