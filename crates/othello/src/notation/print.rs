//! Positions and games as text, in forms that the readers of this module read back as the same thing.

use super::grid::squares;
use super::read::{BitOrder, Coding};
use crate::position::{Color, Position};
use crate::square::{Move, Square, Squares};

/// A board as text, without an allocation: answers hold one for every legal move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BoardText {
    cells: [u8; 64],
    length: usize,
}

impl BoardText {
    /// The text of this position's board.
    pub fn of(position: Position) -> Self {
        let side = usize::from(position.size().side());
        let mut cells = [b'-'; 64];
        for (color, symbol) in [(Color::Black, b'X'), (Color::White, b'O')] {
            for square in Squares(position.discs(color)) {
                cells[usize::from(square.row()) * side + usize::from(square.column())] = symbol;
            }
        }
        Self { cells, length: side * side }
    }

    /// The board row by row: `X` black, `O` white, `-` empty; 64, 36 or 16 characters.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.cells[..self.length]).expect("all cells are ASCII")
    }
}

/// The text of [`BoardText`].
pub fn board(position: Position) -> String {
    BoardText::of(position).as_str().to_owned()
}

/// The rows of [`board`], top row first.
pub fn board_rows(position: Position) -> Vec<String> {
    let cells: Vec<char> = board(position).chars().collect();
    cells.chunks(usize::from(position.size().side())).map(|row| row.iter().collect()).collect()
}

/// [`board`], a space, and the side to move: `X` or `O`.
pub fn board_with_side(position: Position) -> String {
    let side = match position.side() {
        Color::Black => 'X',
        Color::White => 'O',
    };
    format!("{} {side}", board(position))
}

/// The board as numbers row by row.
pub fn cells(position: Position, coding: Coding) -> Vec<i64> {
    let number = |square: Square| match disc(position, square) {
        Some(Color::Black) => coding.black,
        Some(Color::White) => coding.white,
        None => coding.empty,
    };
    squares(position.size()).map(number).collect()
}

/// The discs of one colour as a word: `0x` and 16 hexadecimal digits.
pub fn bitboard(position: Position, color: Color, order: BitOrder) -> String {
    format!("{:#018x}", order.convert(position.discs(color)))
}

/// One OBF line, without a line break: board, side, and the values in the order given, moves in upper case.
pub fn obf(position: Position, values: &[(Move, i8)]) -> String {
    let mut line = board_with_side(position);
    line.push(';');
    for (mv, discs) in values {
        line.push_str(&format!(" {}:{discs:+};", token(*mv).to_uppercase()));
    }
    line
}

/// Moves in one text without separators: `f5d6`, a pass as `--`.
pub fn transcript(moves: &[Move]) -> String {
    moves.iter().map(|&mv| token(mv)).collect()
}

fn token(mv: Move) -> String {
    match mv {
        Move::Place(square) => square.to_string(),
        Move::Pass => "--".to_owned(),
    }
}

fn disc(position: Position, square: Square) -> Option<Color> {
    [Color::Black, Color::White].into_iter().find(|&color| position.discs(color) & square.bit() != 0)
}
