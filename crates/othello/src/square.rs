//! Squares and moves by name.

use std::fmt;
use std::str::FromStr;

/// One square of the 8x8 grid: `row * 8 + column`, rows and columns from 0, `a1` (top left) is 0, `h8` is 63.
/// Smaller boards use the top left corner of the same grid.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

/// The names of all squares one behind the other, by index.
const NAMES: &str = {
    const LETTERS: [u8; 128] = {
        let mut letters = [0; 128];
        let mut index = 0;
        while index < 64 {
            letters[2 * index] = b'a' + (index % 8) as u8;
            letters[2 * index + 1] = b'1' + (index / 8) as u8;
            index += 1;
        }
        letters
    };
    match std::str::from_utf8(&LETTERS) {
        Ok(names) => names,
        Err(_) => panic!("letters and digits are UTF-8"),
    }
};

impl Square {
    /// The upper left corner.
    pub const A1: Self = Self(0);

    /// The square with this grid index, if it is below 64.
    pub const fn new(index: u8) -> Option<Self> {
        if index < 64 { Some(Self(index)) } else { None }
    }

    /// The square at this row and column (0..8 each), if both are in range.
    pub const fn at(row: u8, column: u8) -> Option<Self> {
        if row < 8 && column < 8 { Some(Self(row * 8 + column)) } else { None }
    }

    /// The lowest set bit of a bitboard as a square.
    pub const fn lowest(bits: u64) -> Option<Self> {
        if bits == 0 { None } else { Some(Self(bits.trailing_zeros() as u8)) }
    }

    /// The index in the 8x8 grid, 0..64.
    pub const fn index(self) -> u8 {
        self.0
    }

    /// The row from the top, 0..8.
    pub const fn row(self) -> u8 {
        self.0 / 8
    }

    /// The column from the left, 0..8.
    pub const fn column(self) -> u8 {
        self.0 % 8
    }

    /// Its name: `f5`.
    pub fn name(self) -> &'static str {
        let at = 2 * usize::from(self.0);
        &NAMES[at..at + 2]
    }

    /// The bitboard with only this square set.
    pub const fn bit(self) -> u64 {
        1 << self.0
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is not a square name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a square is a column letter a to h and a row number 1 to 8")]
pub struct SquareNameError;

impl FromStr for Square {
    type Err = SquareNameError;

    /// Reads exactly two characters, any case: `f5`, `F5`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let &[letter, digit] = text.as_bytes() else { return Err(SquareNameError) };
        let column = letter.to_ascii_lowercase().wrapping_sub(b'a');
        Self::at(digit.wrapping_sub(b'1'), column).ok_or(SquareNameError)
    }
}

/// The squares of a bitboard, in ascending index order.
#[derive(Debug, Clone)]
pub struct Squares(pub u64);

impl Iterator for Squares {
    type Item = Square;

    fn next(&mut self) -> Option<Square> {
        let square = Square::lowest(self.0)?;
        self.0 &= self.0 - 1;
        Some(square)
    }
}

/// What the side to move does: places a disc, or passes because it must.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Move {
    /// A disc on this square.
    Place(Square),
    /// A forced pass.
    Pass,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Place(square) => square.fmt(f),
            Self::Pass => f.write_str("pass"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_reads_back_from_its_name() {
        for index in 0..64 {
            let square = Square::new(index).unwrap();
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(square.to_string().to_uppercase().parse(), Ok(square));
        }
        assert_eq!(Square::at(4, 5).unwrap().to_string(), "f5");
    }

    #[test]
    fn names_off_the_board_are_refused() {
        for text in ["", "a", "a0", "a9", "i1", "5f", "a11", "é", "`1"] {
            assert_eq!(text.parse::<Square>(), Err(SquareNameError), "{text}");
        }
    }
}
