//! Pictures of positions: what to show of one, and the drawing as SVG.

mod gomoku;
mod look;
mod othello;
mod svg;

pub use gomoku::read_gomoku;
pub use look::{Look, Theme, picture_parameters};
pub use othello::read_othello;
pub use svg::draw;

/// A cell, counted from 0 at the top left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    /// Row from the top.
    pub row: u8,
    /// Column from the left.
    pub column: u8,
}

/// The colour of a disc or stone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stone {
    /// The first mover's.
    Black,
    /// The other side's.
    White,
}

/// How a board is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ground {
    /// Discs in squares.
    Squares,
    /// Stones on crossings.
    Crossings,
}

/// A value beside a cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub cell: Cell,
    /// What is written: a few characters that need no escaping.
    pub text: String,
    /// Whether it is proven: written bold, and not dotted underneath.
    pub certainty: Certainty,
}

/// How sure a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Certainty {
    /// Proven.
    Exact,
    /// An estimate.
    Estimate,
}

/// Everything that a picture shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// How the board is drawn.
    pub ground: Ground,
    /// Cells along one side, 4 to 20.
    pub side: u8,
    /// What stands on it.
    pub stones: Vec<(Cell, Stone)>,
    /// The stone to mark as the last one.
    pub last: Option<Cell>,
    /// Cells to mark as playable.
    pub legal: Vec<Cell>,
    /// Values; the first one is ringed as the best.
    pub labels: Vec<Label>,
    /// Size and colours.
    pub look: Look,
}
