//! Othello on an array of cells, walked one cell at a time, written without a look at the bitboards: what the rules of
//! the crate are compared with.

use std::collections::HashMap;

use othello::board::Size;
use othello::position::{Color, Position};

/// What lies on a cell, seen from the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cell {
    Empty,
    Own,
    Other,
}

/// A square board as a list of rows, seen from the side to move.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Grid {
    side: usize,
    cells: Vec<Cell>,
}

impl Grid {
    /// Row by row from the top, one entry a cell.
    pub fn new(side: usize, cells: Vec<Cell>) -> Self {
        assert_eq!(cells.len(), side * side);
        Self { side, cells }
    }

    /// Reads `X` (black), `O` (white) and `.` for this side to move.
    pub fn parse(board: &str, to_move: Color) -> Self {
        let own = if to_move == Color::Black { 'X' } else { 'O' };
        let side = board.len().isqrt();
        let cell = |symbol| match symbol {
            '.' => Cell::Empty,
            symbol if symbol == own => Cell::Own,
            _ => Cell::Other,
        };
        Self::new(side, board.chars().map(cell).collect())
    }

    /// The same discs as the crate's own type, black to move.
    pub fn position(&self) -> Position {
        let size = Size::from_side(self.side).expect("the grid has a known size");
        let discs = |kind| self.bits(|cell| cell == kind);
        Position::new(size, discs(Cell::Own), discs(Cell::Other), Color::Black)
            .expect("a cell holds one disc")
    }

    /// The cells that fulfil a condition, at their place in the 8x8 grid of the crate.
    pub fn bits(&self, holds: impl Fn(Cell) -> bool) -> u64 {
        self.cells
            .iter()
            .enumerate()
            .filter(|&(_, &cell)| holds(cell))
            .fold(0, |bits, (index, _)| bits | 1 << self.grid_index(index))
    }

    fn grid_index(&self, index: usize) -> usize {
        index / self.side * 8 + index % self.side
    }

    /// The places (in this grid) that turn when the side to move fills `place`; none when that is not a move.
    pub fn turned(&self, place: usize) -> Vec<usize> {
        let mut turned = Vec::new();
        if self.cells[place] != Cell::Empty {
            return turned;
        }
        let (row, column) = ((place / self.side) as i32, (place % self.side) as i32);
        for (down, right) in [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)] {
            let mut run = Vec::new();
            let mut distance = 1;
            loop {
                match self.at(row + distance * down, column + distance * right) {
                    Some((index, Cell::Other)) => run.push(index),
                    Some((_, Cell::Own)) => {
                        turned.append(&mut run);
                        break;
                    }
                    _ => break,
                }
                distance += 1;
            }
        }
        turned
    }

    fn at(&self, row: i32, column: i32) -> Option<(usize, Cell)> {
        let inside = 0..self.side as i32;
        if !inside.contains(&row) || !inside.contains(&column) {
            return None;
        }
        let index = row as usize * self.side + column as usize;
        Some((index, self.cells[index]))
    }

    /// All moves with what they turn, as bits of the 8x8 grid of the crate.
    pub fn moves(&self) -> Vec<(u64, u64)> {
        (0..self.cells.len())
            .map(|place| (place, self.turned(place)))
            .filter(|(_, turned)| !turned.is_empty())
            .map(|(place, turned)| {
                let bit = |index| 1 << self.grid_index(index);
                (bit(place), turned.into_iter().map(bit).sum())
            })
            .collect()
    }

    /// The positions after each move, seen from the other side.
    pub fn children(&self) -> Vec<Self> {
        (0..self.cells.len())
            .filter_map(|place| {
                let turned = self.turned(place);
                let mut next = self.clone();
                next.cells[place] = Cell::Own;
                for &index in &turned {
                    next.cells[index] = Cell::Own;
                }
                (!turned.is_empty()).then(|| next.passed())
            })
            .collect()
    }

    /// The same discs with the other side to move.
    pub fn passed(&self) -> Self {
        let swap = |cell: &Cell| match cell {
            Cell::Empty => Cell::Empty,
            Cell::Own => Cell::Other,
            Cell::Other => Cell::Own,
        };
        Self { side: self.side, cells: self.cells.iter().map(swap).collect() }
    }

    /// What follows from here: the children, or the one position after a forced pass, or nothing when the game is over.
    pub fn successors(&self) -> Vec<Self> {
        let children = self.children();
        if children.is_empty() && !self.passed().children().is_empty() {
            vec![self.passed()]
        } else {
            children
        }
    }

    /// The discs (bits) of the side to move and of the other side that no course of play turns.
    pub fn exactly_stable(&self, seen: &mut HashMap<Self, (u64, u64)>) -> (u64, u64) {
        if let Some(&known) = seen.get(self) {
            return known;
        }
        let start = (self.bits(|cell| cell == Cell::Own), self.bits(|cell| cell == Cell::Other));
        let stable = self.successors().iter().fold(start, |(own, other), next| {
            let (next_own, next_other) = next.exactly_stable(seen);
            (own & next_other, other & next_own)
        });
        seen.insert(self.clone(), stable);
        stable
    }

    /// Final discs of the side to move minus those of the other side under best play, empties counted for nobody.
    pub fn value(&self, seen: &mut HashMap<Self, i32>) -> i32 {
        if let Some(&known) = seen.get(self) {
            return known;
        }
        let count = |kind| self.cells.iter().filter(|&&cell| cell == kind).count() as i32;
        let value = self
            .successors()
            .iter()
            .map(|next| -next.value(seen))
            .max()
            .unwrap_or_else(|| count(Cell::Own) - count(Cell::Other));
        seen.insert(self.clone(), value);
        value
    }
}
