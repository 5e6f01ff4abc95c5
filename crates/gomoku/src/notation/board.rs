//! Boards: rows of text, one text, or numbers.

use crate::color::Color;
use crate::point::{Point, Size};
use crate::position::Position;
use crate::rules::Rule;

use super::{Coding, NotationError, Place, Reason};

/// What a symbol stands for: a stone, or `Some(None)` for an empty point.
pub(super) const fn symbol(character: char) -> Option<Option<Color>> {
    match character {
        'X' | 'x' | '*' | 'B' | 'b' | '#' | '●' | '@' | '1' => Some(Some(Color::Black)),
        'O' | 'o' | 'W' | 'w' | '○' | '2' => Some(Some(Color::White)),
        '.' | '-' | '_' | '+' | '0' => Some(None),
        _ => None,
    }
}

/// The cells of a board row by row.
type Cells = Vec<Option<Color>>;

/// A board in one text; white space means nothing.
///
/// # Errors
/// At the first character that is no symbol, or when the cells make no square board.
pub fn read_one_text(text: &str) -> Result<(Size, Cells), NotationError> {
    let mut cells = Vec::new();
    for (index, character) in text.chars().enumerate().filter(|(_, character)| !character.is_whitespace()) {
        let cell = symbol(character);
        cells.push(cell.ok_or(NotationError::new(Place::Character(index), Reason::Symbol(character)))?);
    }
    let size =
        size_of_cells(cells.len()).ok_or(NotationError::new(Place::Whole, Reason::Cells(cells.len())))?;
    Ok((size, cells))
}

/// A board of as many rows as each row has cells; white space in a row means nothing.
///
/// # Errors
/// At the first symbol or row that is wrong.
pub fn read_rows(rows: &[&str]) -> Result<(Size, Cells), NotationError> {
    let mut cells = Vec::new();
    for (item, row) in rows.iter().enumerate() {
        let before = cells.len();
        for (index, character) in row.chars().enumerate().filter(|(_, character)| !character.is_whitespace())
        {
            let cell = symbol(character);
            let place = Place::Within { item, index };
            cells.push(cell.ok_or(NotationError::new(place, Reason::Symbol(character)))?);
        }
        check_row(item, cells.len() - before, rows.len())?;
    }
    Ok((size_of_rows(rows.len())?, cells))
}

/// A board of numbers, one a cell, row by row.
///
/// # Errors
/// At the first number that means nothing, or when the cells make no square board.
pub fn read_numbers(numbers: &[i64], coding: Option<Coding>) -> Result<(Size, Cells), NotationError> {
    let size = size_of_cells(numbers.len());
    let size = size.ok_or(NotationError::new(Place::Whole, Reason::Cells(numbers.len())))?;
    let coding = checked(coding)?;
    let cell = |(index, &number)| {
        colour(number, coding).map_err(|reason| NotationError::new(Place::Item(index), reason))
    };
    Ok((size, numbers.iter().enumerate().map(cell).collect::<Result<_, _>>()?))
}

/// A board of rows of numbers.
///
/// # Errors
/// At the first number or row that is wrong.
pub fn read_number_rows(rows: &[Vec<i64>], coding: Option<Coding>) -> Result<(Size, Cells), NotationError> {
    let coding = checked(coding)?;
    let mut cells = Vec::new();
    for (item, row) in rows.iter().enumerate() {
        check_row(item, row.len(), rows.len())?;
        for (index, &number) in row.iter().enumerate() {
            let place = Place::Within { item, index };
            cells.push(colour(number, coding).map_err(|reason| NotationError::new(place, reason))?);
        }
    }
    Ok((size_of_rows(rows.len())?, cells))
}

/// The position of these cells. Who is to move follows from the numbers of stones when it is not given.
///
/// # Errors
/// When both colours have won, or the side to move is open.
pub fn position(
    size: Size,
    cells: &[Option<Color>],
    rule: Rule,
    side: Option<Color>,
) -> Result<Position, NotationError> {
    let stones: Vec<(Point, Color)> =
        size.points().zip(cells).filter_map(|(point, &cell)| Some((point, cell?))).collect();
    let black = stones.iter().filter(|&&(_, color)| color == Color::Black).count();
    let white = stones.len() - black;
    let side = side.or(if black == white {
        Some(Color::Black)
    } else if black == white + 1 {
        Some(Color::White)
    } else {
        None
    });
    let whole = |reason| NotationError::new(Place::Whole, reason);
    let side = side.ok_or_else(|| whole(Reason::SideOpen { black, white }))?;
    Position::from_stones(size, rule, &stones, side).map_err(|error| whole(error.into()))
}

/// The board as rows of text: `X` black, `O` white, `.` empty.
pub fn rows(position: &Position) -> Vec<String> {
    let text = format!("{:?}", position.grid());
    text.split('/').map(str::to_owned).collect()
}

fn check_row(item: usize, found: usize, expected: usize) -> Result<(), NotationError> {
    if found == expected {
        Ok(())
    } else {
        Err(NotationError::new(Place::Item(item), Reason::RowLength { found, expected }))
    }
}

fn size_of_rows(rows: usize) -> Result<Size, NotationError> {
    let size = u8::try_from(rows).ok().and_then(Size::new);
    size.ok_or(NotationError::new(Place::Whole, Reason::Cells(rows * rows)))
}

pub(super) fn size_of_cells(cells: usize) -> Option<Size> {
    (Size::MIN..=Size::MAX).filter_map(Size::new).find(|size| size.area() == cells)
}

/// The coding that applies; `None` stands for the usual one.
fn checked(coding: Option<Coding>) -> Result<Option<Coding>, NotationError> {
    let distinct = |coding: Coding| {
        coding.black != coding.white && coding.white != coding.empty && coding.black != coding.empty
    };
    match coding {
        Some(coding) if !distinct(coding) => Err(NotationError::new(Place::Whole, Reason::CodingNotDistinct)),
        coding => Ok(coding),
    }
}

fn colour(number: i64, coding: Option<Coding>) -> Result<Option<Color>, Reason> {
    if coding.is_none() && number == -1 {
        return Err(Reason::CodingNeeded);
    }
    let coding = coding.unwrap_or(Coding::USUAL);
    match number {
        number if number == coding.black => Ok(Some(Color::Black)),
        number if number == coding.white => Ok(Some(Color::White)),
        number if number == coding.empty => Ok(None),
        number => Err(Reason::Number(number)),
    }
}
