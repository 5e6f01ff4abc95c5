//! How people and programs write positions: moves in one text, boards as text or numbers.

pub mod board;
pub mod moves;
mod text;

use crate::point::{ParsePointError, Point, Size};
use crate::position::{IllegalMove, InvalidBoard, Position};
use crate::rules::Rule;

pub use text::read as read_text;

/// A position as read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read {
    /// The position, after all moves.
    pub position: Position,
    /// The moves that were played to reach it, in order; empty for a board.
    pub moves: Vec<Point>,
    /// What it was read from.
    pub format: Format,
}

/// The forms of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Moves from the empty board.
    Moves,
    /// A board as text.
    Board,
    /// A board as numbers.
    Cells,
}

impl Format {
    /// The name used everywhere outside.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Moves => "moves",
            Self::Board => "board",
            Self::Cells => "cells",
        }
    }
}

/// Where in the input a fault lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The input as a whole.
    Whole,
    /// The character at this index of a text, counted in characters.
    Character(usize),
    /// The element at this index of a list.
    Item(usize),
    /// The element or character at an index of an item of a list.
    Within {
        /// The item.
        item: usize,
        /// The place in it.
        index: usize,
    },
}

/// Why an input is no position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// A text that names no point of the board.
    #[error(transparent)]
    Point(#[from] ParsePointError),
    /// Column and row outside the board.
    #[error("column {x} and row {y}, counted from 0, are not on a {size} board")]
    OffBoard {
        /// The column given.
        x: i64,
        /// The row given.
        y: i64,
        /// The board asked about.
        size: Size,
    },
    /// A move that the rules do not allow.
    #[error("{name}: {reason}")]
    IllegalMove {
        /// The move as the input names it.
        name: String,
        /// Why not.
        reason: IllegalMove,
    },
    /// A character that stands for nothing.
    #[error("`{}` is no symbol of a board: black X x * B b # ● @ 1, white O o W w ○ 2, empty . - _ + 0", .0.escape_default())]
    Symbol(char),
    /// A number of cells that is no square board.
    #[error("{0} cells make no square board of 5x5 to 20x20")]
    Cells(usize),
    /// A row of another length than the board has rows.
    #[error("the row has {found} cells, but the board has {expected} rows")]
    RowLength {
        /// Cells of the row.
        found: usize,
        /// Rows of the board.
        expected: usize,
    },
    /// A number that stands for nothing under the coding that applies.
    #[error("{0} is neither black, white nor empty under this coding")]
    Number(i64),
    /// A coding in which two things have the same number.
    #[error("black, white and empty need three different numbers")]
    CodingNotDistinct,
    /// Numbers that programs read in different ways.
    #[error("with -1 among the numbers `coding` must say which is black: programs differ")]
    CodingNeeded,
    /// Numbers of stones that leave the side to move open.
    #[error("black has {black} stones and white {white}: `side_to_move` must say who is to move")]
    SideOpen {
        /// Black stones.
        black: usize,
        /// White stones.
        white: usize,
    },
    /// A board that is no position.
    #[error(transparent)]
    Board(#[from] InvalidBoard),
    /// Nothing to read.
    #[error("the text is empty: moves such as h8i9, or a board, are expected")]
    Empty,
}

/// An input that is no position, and where its fault lies.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct NotationError {
    /// Where.
    pub place: Place,
    /// Why.
    pub reason: Reason,
}

impl NotationError {
    fn new(place: Place, reason: impl Into<Reason>) -> Self {
        Self { place, reason: reason.into() }
    }
}

/// Which number stands for what on a board of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Coding {
    /// A black stone.
    pub black: i64,
    /// A white stone.
    pub white: i64,
    /// No stone.
    pub empty: i64,
}

impl Coding {
    /// The usual one: 0 empty, 1 black, 2 white.
    pub const USUAL: Self = Self { black: 1, white: 2, empty: 0 };
}

/// What a game is played by and on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terms {
    /// The rule.
    pub rule: Rule,
    /// Which end row 1 is at.
    pub row_one: crate::point::RowOne,
}
