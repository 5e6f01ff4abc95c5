//! Board sizes, points, and how points are written.

use std::fmt;

/// Columns in memory. Every board lies in the same frame, so that a step along a line is the same number whatever the
/// size of the board.
pub(crate) const STRIDE: usize = 32;

/// Wall cells kept on every side of the board: the farthest a line pattern looks.
pub(crate) const MARGIN: usize = 5;

/// Cells of the frame: all that fit the stride, so that a cell number can be masked instead of checked.
pub(crate) const FRAME: usize = STRIDE * STRIDE;

const _: () = assert!(Size::MAX as usize + 2 * MARGIN <= STRIDE, "every board fits the frame with its walls");

/// The steps along the four directions of lines: to the right, down, down-right, down-left.
pub(crate) const STEPS: [usize; 4] = [1, STRIDE, STRIDE + 1, STRIDE - 1];

/// The length of a side of a square board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Size(u8);

impl Size {
    /// The smallest side: 5.
    pub const MIN: u8 = 5;
    /// The longest side: 20.
    pub const MAX: u8 = 20;
    /// The usual board, 15x15.
    pub const DEFAULT: Self = Self(15);

    /// A side of 5..=20 points.
    pub const fn new(side: u8) -> Option<Self> {
        if side >= Self::MIN && side <= Self::MAX { Some(Self(side)) } else { None }
    }

    /// Points along one side.
    pub const fn get(self) -> u8 {
        self.0
    }

    /// Points on the whole board.
    pub const fn area(self) -> usize {
        self.0 as usize * self.0 as usize
    }

    /// Whether the point lies on a board of this size.
    pub const fn contains(self, point: Point) -> bool {
        point.x() < self.0 && point.y() < self.0
    }

    /// All points, row by row from the first.
    pub fn points(self) -> impl DoubleEndedIterator<Item = Point> + Clone {
        let side = self.0;
        (0..side).flat_map(move |y| (0..side).map(move |x| Point::at(x, y)))
    }

    /// The point in the middle; of the four middle points of an even board the one below and right of the centre.
    pub const fn center(self) -> Point {
        Point::at(self.0 / 2, self.0 / 2)
    }
}

impl Default for Size {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{0}x{0}", self.0)
    }
}

/// Which end of the board row 1 is at. Columns always run from `a` on the left, no letter skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum RowOne {
    /// Row 1 is the first row (`y` = 0), as the Gomocup protocol counts.
    #[default]
    Top,
    /// Row 1 is the last row, as renju diagrams count.
    Bottom,
}

/// An intersection of some board. Ordered row by row from the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(u16);

/// Why a text names no point.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParsePointError {
    /// Not a column letter followed by a row number.
    #[error("`{0}` is not a column letter and a row number, as in h8")]
    Malformed(String),
    /// A point of a larger board.
    #[error("`{text}` is not on a {size} board")]
    OffBoard {
        /// The text as given.
        text: String,
        /// The board asked about.
        size: Size,
    },
}

impl Point {
    /// The point at column `x` and row `y`, both counted from 0 and below 20.
    pub const fn new(x: u8, y: u8) -> Option<Self> {
        if x < Size::MAX && y < Size::MAX { Some(Self::at(x, y)) } else { None }
    }

    const fn at(x: u8, y: u8) -> Self {
        Self(((y as usize + MARGIN) * STRIDE + x as usize + MARGIN) as u16)
    }

    /// The column, from 0 at the left.
    pub const fn x(self) -> u8 {
        (self.0 as usize % STRIDE - MARGIN) as u8
    }

    /// The row, from 0 at the top.
    pub const fn y(self) -> u8 {
        (self.0 as usize / STRIDE - MARGIN) as u8
    }

    /// Index in row-major order on a board of this size.
    pub const fn index(self, size: Size) -> usize {
        self.y() as usize * size.get() as usize + self.x() as usize
    }

    /// Place in the frame.
    pub(crate) const fn cell(self) -> usize {
        self.0 as usize
    }

    /// The point at a place of the frame; the place must be on some board.
    pub(crate) const fn from_cell(cell: usize) -> Self {
        Self(cell as u16)
    }

    /// The name, as in `h8`.
    pub fn name(self, size: Size, row_one: RowOne) -> String {
        let row = match row_one {
            RowOne::Top => self.y() + 1,
            RowOne::Bottom => size.get() - self.y(),
        };
        format!("{}{row}", char::from(b'a' + self.x()))
    }

    /// Reads a name in either case.
    ///
    /// # Errors
    /// When the text is no name, or names a point outside a board of this size.
    pub fn parse(text: &str, size: Size, row_one: RowOne) -> Result<Self, ParsePointError> {
        let malformed = || ParsePointError::Malformed(text.to_owned());
        let mut chars = text.chars();
        let letter = chars.next().ok_or_else(malformed)?.to_ascii_lowercase();
        let digits = chars.as_str();
        if !letter.is_ascii_lowercase()
            || digits.is_empty()
            || digits.len() > 3
            || !digits.bytes().all(|digit| digit.is_ascii_digit())
        {
            return Err(malformed());
        }
        let row: u16 = digits.parse().map_err(|_| malformed())?;
        let column = letter as u8 - b'a';
        let side = size.get();
        if column >= side || row == 0 || row > u16::from(side) {
            return Err(ParsePointError::OffBoard { text: text.to_owned(), size });
        }
        let row = row as u8;
        let y = match row_one {
            RowOne::Top => row - 1,
            RowOne::Bottom => side - row,
        };
        Ok(Self::at(column, y))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_on_every_size_and_numbering() {
        for side in Size::MIN..=Size::MAX {
            let size = Size::new(side).unwrap();
            for row_one in [RowOne::Top, RowOne::Bottom] {
                for point in size.points() {
                    assert_eq!(Point::parse(&point.name(size, row_one), size, row_one), Ok(point));
                }
            }
        }
    }

    #[test]
    fn rows_are_counted_from_the_asked_end() {
        let size = Size::DEFAULT;
        assert_eq!(Point::new(0, 0).unwrap().name(size, RowOne::Top), "a1");
        assert_eq!(Point::new(0, 0).unwrap().name(size, RowOne::Bottom), "a15");
        assert_eq!(Point::parse("H8", size, RowOne::Top), Ok(size.center()));
        assert_eq!(Point::parse("j12", size, RowOne::Bottom), Ok(Point::new(9, 3).unwrap()));
    }

    #[test]
    fn other_texts_are_refused_with_the_reason() {
        let size = Size::DEFAULT;
        for text in ["", "h", "8", "h-1", "h+1", "hh8", "h8 ", "é8", "h0008"] {
            assert!(
                matches!(Point::parse(text, size, RowOne::Top), Err(ParsePointError::Malformed(_))),
                "{text}"
            );
        }
        for text in ["p1", "a16", "a0", "z99"] {
            assert!(
                matches!(Point::parse(text, size, RowOne::Top), Err(ParsePointError::OffBoard { .. })),
                "{text}"
            );
        }
    }

    #[test]
    fn only_sizes_5_to_20_exist() {
        assert_eq!(
            (0..=255).filter_map(Size::new).map(Size::get).collect::<Vec<_>>(),
            (5..=20).collect::<Vec<_>>()
        );
    }
}
