//! The eight ways to turn and mirror the board. None of them changes what a position is worth.

use crate::board::{Board, Size};
use crate::square::{Move, Square};

/// One of the eight symmetries of the square: mirror the columns, mirror the rows, then swap rows and columns, each
/// done or left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Symmetry(u8);

/// Columns are mirrored.
const COLUMNS: u8 = 1;
/// Rows are mirrored.
const ROWS: u8 = 2;
/// Rows and columns are swapped, after the mirrors.
const TRANSPOSE: u8 = 4;

impl Symmetry {
    /// Leaves everything in its place.
    pub const IDENTITY: Self = Self(0);

    /// All eight, the identity first.
    pub const ALL: [Self; 8] = [Self(0), Self(1), Self(2), Self(3), Self(4), Self(5), Self(6), Self(7)];

    /// The symmetry that takes this one back.
    #[must_use]
    pub const fn inverse(self) -> Self {
        // A mirror that is taken back after the swap is a mirror of the other direction.
        match self.0 {
            5 => Self(6),
            6 => Self(5),
            own => Self(own),
        }
    }

    /// Where a set of squares goes, on a board of this size.
    #[must_use]
    pub const fn set(self, set: u64, size: Size) -> u64 {
        // Smaller boards lie in the top left corner: a mirror of the full grid puts them elsewhere, a shift brings them
        // back.
        let margin = 8 - size.side() as u32;
        let mut set = set;
        if self.0 & COLUMNS != 0 {
            // Reversing all bits mirrors rows and columns; swapping the bytes undoes the rows.
            set = set.reverse_bits().swap_bytes() >> margin;
        }
        if self.0 & ROWS != 0 {
            set = set.swap_bytes() >> (8 * margin);
        }
        if self.0 & TRANSPOSE != 0 {
            set = transpose(set);
        }
        set
    }

    /// Where a square goes, on a board of this size.
    #[must_use]
    pub fn square(self, square: Square, size: Size) -> Square {
        Square::lowest(self.set(square.bit(), size)).expect("one square maps to one square")
    }

    /// Where a move goes; a pass stays a pass.
    #[must_use]
    pub fn mv(self, mv: Move, size: Size) -> Move {
        match mv {
            Move::Place(square) => Move::Place(self.square(square, size)),
            Move::Pass => Move::Pass,
        }
    }

    /// The position seen through this symmetry.
    #[must_use]
    pub const fn board(self, board: Board, size: Size) -> Board {
        Board { player: self.set(board.player, size), opponent: self.set(board.opponent, size) }
    }

    /// The one orientation that stands for all eight of a position, and the first symmetry that leads there.
    pub fn canonical(board: Board, size: Size) -> (Board, Self) {
        Self::ALL
            .into_iter()
            .map(|symmetry| (symmetry.board(board, size), symmetry))
            .min_by_key(|(image, _)| *image)
            .expect("there are eight symmetries")
    }
}

/// Swaps rows and columns: three rounds that exchange blocks of four, two and one across the diagonal.
const fn transpose(set: u64) -> u64 {
    let swap = (set ^ set << 28) & 0x0F0F_0F0F_0000_0000;
    let set = set ^ swap ^ swap >> 28;
    let swap = (set ^ set << 14) & 0x3333_0000_3333_0000;
    let set = set ^ swap ^ swap >> 14;
    let swap = (set ^ set << 7) & 0x5500_5500_5500_5500;
    set ^ swap ^ swap >> 7
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::square::Squares;

    #[test]
    fn every_symmetry_moves_squares_as_its_parts_say() {
        for size in Size::ALL {
            let last = size.side() - 1;
            for symmetry in Symmetry::ALL {
                for square in Squares(size.cells()) {
                    let (mut row, mut column) = (square.row(), square.column());
                    if symmetry.0 & COLUMNS != 0 {
                        column = last - column;
                    }
                    if symmetry.0 & ROWS != 0 {
                        row = last - row;
                    }
                    if symmetry.0 & TRANSPOSE != 0 {
                        (row, column) = (column, row);
                    }
                    assert_eq!(Some(symmetry.square(square, size)), Square::at(row, column));
                }
            }
        }
    }

    #[test]
    fn the_inverse_brings_every_square_back() {
        for size in Size::ALL {
            for symmetry in Symmetry::ALL {
                for square in Squares(size.cells()) {
                    assert_eq!(symmetry.inverse().square(symmetry.square(square, size), size), square);
                }
            }
        }
    }

    #[test]
    fn all_orientations_share_one_canonical_board() {
        let board = Board { player: 0x0000_1A08_0402_0100, opponent: 0x0000_0010_1800_0000 };
        let (canonical, to_canonical) = Symmetry::canonical(board, Size::Eight);
        assert_eq!(to_canonical.board(board, Size::Eight), canonical);
        for symmetry in Symmetry::ALL {
            let image = symmetry.board(board, Size::Eight);
            let (same, there) = Symmetry::canonical(image, Size::Eight);
            assert_eq!(same, canonical);
            assert_eq!(there.board(image, Size::Eight), canonical);
        }
    }
}
