//! Why a text was refused, and where.

use std::fmt;

use crate::position::{Color, IllegalMove};
use crate::square::{Move, Square};

/// A text or list that is not a position or a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}{place}")]
pub struct NotationError {
    /// Where the trouble is, relative to what the reader was given.
    pub place: Place,
    /// What the trouble is.
    pub reason: Reason,
}

impl NotationError {
    pub(super) const fn new(place: Place, reason: Reason) -> Self {
        Self { place, reason }
    }

    pub(super) const fn whole(reason: Reason) -> Self {
        Self { place: Place::Whole, reason }
    }
}

/// Where in the input. All numbers count from 0; characters are Unicode scalar values, not bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// The input as a whole.
    Whole,
    /// A character of the text.
    Character(usize),
    /// An item of the list: a move, a row or a number.
    Item(usize),
    /// Something inside an item of the list: a character of a row of text, or a number of a row of numbers.
    Within {
        /// The item.
        item: usize,
        /// The character or number in it.
        index: usize,
    },
    /// A character of one line of a file.
    Line {
        /// The line.
        line: usize,
        /// The character in that line.
        character: usize,
    },
    /// The bitboard of one colour.
    Bitboard(Color),
    /// The coding that came with the numbers.
    Coding,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole => Ok(()),
            Self::Character(offset) => write!(f, " (character {offset}, counted from 0)"),
            Self::Item(index) => write!(f, " (item {index}, counted from 0)"),
            Self::Within { item, index } => write!(f, " (item {item}, place {index}, counted from 0)"),
            Self::Line { line, character } => {
                write!(f, " (line {line}, character {character}, counted from 0)")
            }
            Self::Bitboard(color) => write!(f, " (bitboard of {color})"),
            Self::Coding => f.write_str(" (coding)"),
        }
    }
}

/// What is wrong, as a closed list.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// Nothing but white space.
    #[error("the text is empty")]
    Empty,
    /// A character that stands for no cell.
    #[error("{0:?} is not a board symbol: black is X * B # ● @ 1, white is O W ○ 2, empty is - . _ 0")]
    UnknownSymbol(char),
    /// A number of cells that no board has.
    #[error("{count} cells do not make a board: 64 (8x8), 36 (6x6) or 16 (4x4) do")]
    CellCount {
        /// The cells found.
        count: usize,
    },
    /// A number of rows that no board has.
    #[error("{count} rows do not make a board: 8, 6 or 4 do")]
    RowCount {
        /// The rows found.
        count: usize,
    },
    /// A row of another length than the number of rows.
    #[error("a row has {count} cells where {expected} are needed")]
    RowLength {
        /// The cells found.
        count: usize,
        /// The cells needed.
        expected: usize,
    },
    /// The board has another size than the text says.
    #[error("the text says a side of {said}, but the board has a side of {found}")]
    SizeMismatch {
        /// The side that the text says.
        said: u8,
        /// The side of the board found.
        found: u8,
    },
    /// Only the digit 1 and the digit 0 beside another empty symbol: some tables write the two colours like that.
    #[error(
        "0 beside another symbol for empty cells, and 1 as the only disc: 0 may mean a disc or an empty cell here"
    )]
    AmbiguousDigits,
    /// A number that the coding does not know.
    #[error("{0} is none of the three numbers of the coding")]
    UnknownValue(i64),
    /// Numbers that none of the codings assumed without being told covers.
    #[error("{0} is in none of the codings known without being told (-1, 0, 1 and 0, 1, 2)")]
    UnknownCoding(i64),
    /// A coding that uses one number twice.
    #[error("a coding needs three different numbers")]
    CodingNotDistinct,
    /// A text that is not a bitboard.
    #[error("{0:?} is not a bitboard: 1 to 16 hexadecimal digits, with or without 0x")]
    NotHexadecimal(String),
    /// A cell with a disc of both colours.
    #[error("both colours have a disc on {0}")]
    Overlap(Square),
    /// A disc outside a board of this size.
    #[error("{0} is not on a board of this size")]
    OffBoard(Square),
    /// A text that is not a move.
    #[error("{0:?} is not a move: a column letter and a row number, or pass, pa, ps, --, @@")]
    NotAMove(String),
    /// A move that the rules do not allow where it stands.
    #[error("move {index} (counted from 0), {token:?}, is illegal: {reason}")]
    IllegalMove {
        /// Its index among the moves as written, from 0; passes that were left out do not count.
        index: usize,
        /// The move as written.
        token: String,
        /// What the rules say.
        reason: IllegalMove,
    },
    /// A text where the side to move should stand.
    #[error("{0:?} is not a side to move: black (X * B # ● @ 1) or white (O W ○ 2)")]
    NotASide(String),
    /// A text where the value of a move should stand.
    #[error("{0:?} is not a value in discs, -64 to 64")]
    NotAValue(String),
    /// A move with two values.
    #[error("{0} has a value already")]
    RepeatedValue(Move),
    /// A second position in a text that should hold one.
    #[error("one position is read at a time, and a second one begins here")]
    SecondPosition,
    /// A form that is recognised, but not read.
    #[error("{0} is not read yet: send moves, a board or an OBF line")]
    UnreadForm(UnreadForm),
    /// A game that is recognised, but not played.
    #[error("{0} is not played here: Othello on 8x8, 6x6 and 4x4 is")]
    UnreadVariant(Variant),
}

impl Reason {
    /// A stable name for programs, in snake case.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::UnknownSymbol(_) => "unknown_symbol",
            Self::CellCount { .. } => "cell_count",
            Self::RowCount { .. } => "row_count",
            Self::RowLength { .. } => "row_length",
            Self::SizeMismatch { .. } => "size_mismatch",
            Self::AmbiguousDigits => "ambiguous_digits",
            Self::UnknownValue(_) => "unknown_value",
            Self::UnknownCoding(_) => "unknown_coding",
            Self::CodingNotDistinct => "coding_not_distinct",
            Self::NotHexadecimal(_) => "not_hexadecimal",
            Self::Overlap(_) => "overlap",
            Self::OffBoard(_) => "off_board",
            Self::NotAMove(_) => "not_a_move",
            Self::IllegalMove { .. } => "illegal_move",
            Self::NotASide(_) => "not_a_side",
            Self::NotAValue(_) => "not_a_value",
            Self::RepeatedValue(_) => "repeated_value",
            Self::SecondPosition => "second_position",
            Self::UnreadForm(_) => "unread_form",
            Self::UnreadVariant(_) => "unread_variant",
        }
    }
}

/// Forms that are recognised and refused by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum UnreadForm {
    /// Generic Game Format, as on GGS.
    #[error("GGF")]
    Ggf,
    /// Smart Game Format.
    #[error("SGF")]
    Sgf,
    /// Rows with run lengths between slashes, as in chess.
    #[error("a FEN-like board")]
    Fen,
    /// A JSON value inside the text.
    #[error("JSON inside a text")]
    Json,
    /// Moves as numbers, which are counted from 0, 1 or 11 by different programs.
    #[error("a list of moves as numbers")]
    MoveNumbers,
}

/// Games and boards that are recognised and refused by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Variant {
    /// The 10x10 board.
    #[error("10x10 Othello")]
    TenByTen,
    /// The game in which fewer discs win.
    #[error("anti-Othello")]
    AntiOthello,
    /// A square board of another size.
    #[error("a board with a side of {0}")]
    OtherSide(usize),
}

/// The start of a text, up to white space and at most 12 characters: enough to recognise it in a message.
pub(super) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 12;
    text.chars().take_while(|c| !c.is_whitespace()).take(LONGEST).collect()
}
