//! Problem files: one position a line with the values of its moves.

use othello::board::Size;
use othello::position::{Color, Position};
use othello::square::{Move, Square};

/// A position with the exact value of its moves, best first.
pub struct Problem {
    pub position: Position,
    pub moves: Vec<(Move, i32)>,
}

/// A board of `side * side` characters (`X` black, `O` white, anything else empty) and the side to move.
pub fn position(size: Size, cells: &str, side: &str) -> Position {
    let width = usize::from(size.side());
    let discs = |colour: char| {
        cells
            .chars()
            .enumerate()
            .filter(|&(_, cell)| cell == colour)
            .fold(0_u64, |bits, (index, _)| bits | 1 << (index / width * 8 + index % width))
    };
    let side = if side == "X" { Color::Black } else { Color::White };
    Position::new(size, discs('X'), discs('O'), side).expect("the discs do not overlap")
}

/// All problems of a file.
pub fn read(text: &str) -> Vec<Problem> {
    text.lines()
        .map(|line| {
            let mut fields = line.split(';').map(str::trim).filter(|field| !field.is_empty());
            let head = fields.next().expect("a line has a position");
            let (cells, side) = head.split_once(' ').expect("a side to move follows the board");
            let moves = fields
                .map(|field| {
                    let (mv, value) = field.split_once(':').expect("a move has a value");
                    let mv = if mv == "PS" || mv == "--" {
                        Move::Pass
                    } else {
                        Move::Place(mv.parse::<Square>().expect("a move is a square"))
                    };
                    (mv, value.parse().expect("a value is a number"))
                })
                .collect();
            Problem { position: position(Size::Eight, cells, side), moves }
        })
        .collect()
}
