//! Readers of the committed test data and a repeatable source of random boards.

use std::path::PathBuf;

use othello::board::Size;
use othello::position::{Color, Position};
use othello::square::Square;
use serde::de::DeserializeOwned;

use crate::naive::{Cell, Grid};

/// A file below `tests/data` at the root of the repository.
pub fn bytes(name: &str) -> Vec<u8> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data").join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A golden JSON table.
pub fn golden<T: DeserializeOwned>(name: &str) -> T {
    serde_json::from_slice(&bytes(&format!("seeds/{name}"))).expect("the table has the shape asked for")
}

/// A position as the golden tables write it.
#[derive(serde::Deserialize)]
pub struct Golden {
    pub board: String,
    pub side: String,
}

impl Golden {
    pub fn color(&self) -> Color {
        if self.side == "X" { Color::Black } else { Color::White }
    }

    pub fn grid(&self) -> Grid {
        Grid::parse(&self.board, self.color())
    }

    pub fn position(&self) -> Position {
        let side = self.board.len().isqrt();
        let discs = |colour| {
            let cells = self.board.chars().enumerate().filter(|&(_, cell)| cell == colour);
            cells.fold(0, |bits, (index, _)| bits | 1 << (index / side * 8 + index % side))
        };
        let size = Size::from_side(side).expect("a golden board has a known size");
        Position::new(size, discs('X'), discs('O'), self.color()).expect("a cell holds one disc")
    }
}

/// The bits of squares given by name.
pub fn squares(names: &[String]) -> u64 {
    names.iter().fold(0, |bits, name| bits | name.parse::<Square>().expect("a square name").bit())
}

/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers on every machine.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    /// Discs strewn over a board so that this many cells stay empty.
    pub fn grid(&mut self, side: usize, empties: usize) -> Grid {
        let colour = |random: &mut Self| if random.next() & 1 == 0 { Cell::Own } else { Cell::Other };
        let mut cells: Vec<Cell> = (0..side * side).map(|_| colour(self)).collect();
        let mut left = empties;
        while left > 0 {
            let place = self.below(cells.len());
            if cells[place] != Cell::Empty {
                cells[place] = Cell::Empty;
                left -= 1;
            }
        }
        Grid::new(side, cells)
    }
}
