//! What a reader gives back.

use std::fmt;

use crate::position::{IllegalMove, Position, Status};
use crate::square::Move;

/// What was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read {
    /// The position before the moves.
    pub start: Position,
    /// The position after the moves; equal to `start` without moves.
    pub position: Position,
    /// The moves from `start` to `position`, passes included.
    pub moves: Vec<Move>,
    /// The indices in `moves` of the passes that were not written.
    pub passes_added: Vec<usize>,
    /// The form that was recognised.
    pub format: Format,
    /// What the text left open, and how it was taken.
    pub assumed: Vec<Assumption>,
    /// Values of moves of `position` in discs for its side to move, in the order of the text (OBF only).
    pub values: Vec<(Move, i8)>,
}

impl Read {
    pub(super) const fn of_position(position: Position, format: Format, assumed: Vec<Assumption>) -> Self {
        Self {
            start: position,
            position,
            moves: Vec::new(),
            passes_added: Vec::new(),
            format,
            assumed,
            values: Vec::new(),
        }
    }

    /// One game out of a position (or game) and the moves read from its end. The format stays that of the position.
    ///
    /// `played.start` must be `self.position`.
    #[must_use]
    pub fn followed_by(mut self, played: Self) -> Self {
        debug_assert_eq!(self.position, played.start, "the moves were read from another position");
        let before = self.moves.len();
        self.moves.extend(played.moves);
        self.passes_added.extend(played.passes_added.into_iter().map(|index| index + before));
        self.position = played.position;
        self.assumed.extend(played.assumed.into_iter().map(|assumption| match assumption {
            Assumption::PassAdded { index } => Assumption::PassAdded { index: index + before },
            other => other,
        }));
        self.values = played.values;
        self
    }

    /// Plays one move as written, after a pass that was not written when the side to move must pass.
    pub(super) fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let mut before = self.position;
        let pass_left_out = mv != Move::Pass && before.status() == Status::MustPass;
        if pass_left_out {
            before = before.play(Move::Pass)?;
        }
        self.position = before.play(mv)?;
        if pass_left_out {
            self.passes_added.push(self.moves.len());
            self.moves.push(Move::Pass);
        }
        self.moves.push(mv);
        Ok(())
    }
}

/// The forms that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Moves in one text.
    Transcript,
    /// A list with one move an item.
    MoveList,
    /// One character a cell in one text.
    Board,
    /// One character a cell, one text a row.
    BoardRows,
    /// One number a cell.
    Numbers,
    /// One number a cell, one list a row.
    NumberRows,
    /// Two words of 64 bits.
    Bitboards,
    /// A board, a side, and values of moves.
    Obf,
}

impl Format {
    /// A stable name for programs, in snake case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Transcript => "transcript",
            Self::MoveList => "move_list",
            Self::Board => "board",
            Self::BoardRows => "board_rows",
            Self::Numbers => "numbers",
            Self::NumberRows => "number_rows",
            Self::Bitboards => "bitboards",
            Self::Obf => "obf",
        }
    }
}

/// Something that the text left open, and how it was taken. `Display` says it in a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Assumption {
    /// No side to move was given, so black moves.
    BlackToMove,
    /// No coding was given, so the numbers mean this.
    Coding(Coding),
    /// No bit order was given, so this one holds.
    BitOrder(BitOrder),
    /// Two bitboards without names: the first is black's.
    BlackBitboardFirst,
    /// The board fits only when white space stands for empty cells.
    BlanksAreEmpty,
    /// A forced pass that was not written was added.
    PassAdded {
        /// Its index among the moves with all passes.
        index: usize,
    },
    /// A remark in brackets after the board was skipped.
    RemarkSkipped {
        /// The character where it begins, from 0.
        offset: usize,
    },
}

impl Assumption {
    /// A stable name for programs, in snake case.
    pub const fn code(self) -> &'static str {
        match self {
            Self::BlackToMove => "black_to_move",
            Self::Coding(_) => "coding",
            Self::BitOrder(_) => "bit_order",
            Self::BlackBitboardFirst => "black_bitboard_first",
            Self::BlanksAreEmpty => "blanks_are_empty",
            Self::PassAdded { .. } => "pass_added",
            Self::RemarkSkipped { .. } => "remark_skipped",
        }
    }
}

impl fmt::Display for Assumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BlackToMove => f.write_str("no side to move was given: black moves"),
            Self::Coding(Coding { black, white, empty }) => {
                write!(f, "no coding was given: {black} is black, {white} is white, {empty} is empty")
            }
            Self::BitOrder(order) => write!(f, "no bit order was given: {}", order.name()),
            Self::BlackBitboardFirst => f.write_str("the first bitboard is black's"),
            Self::BlanksAreEmpty => f.write_str("white space stands for empty cells"),
            Self::PassAdded { index } => {
                write!(f, "move {index} (counted from 0) is a pass that was not written")
            }
            Self::RemarkSkipped { offset } => write!(f, "the remark at character {offset} was skipped"),
        }
    }
}

/// Which number stands for what in a board of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Coding {
    /// A black disc.
    pub black: i64,
    /// A white disc.
    pub white: i64,
    /// An empty cell.
    pub empty: i64,
}

/// Which bit of a word stands for which cell. On every size of board the words cover the 8x8 grid, smaller boards in
/// its top left corner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BitOrder {
    /// `a1` is bit 0, `b1` bit 1, `h8` bit 63.
    A1Lsb,
    /// `a1` is bit 63, `b1` bit 62, `h8` bit 0.
    A1Msb,
}

impl BitOrder {
    /// Both orders.
    pub const ALL: [Self; 2] = [Self::A1Lsb, Self::A1Msb];

    /// The name in requests: `a1_lsb` or `a1_msb`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::A1Lsb => "a1_lsb",
            Self::A1Msb => "a1_msb",
        }
    }

    /// The order with this name, if there is one.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|order| order.name() == name)
    }

    /// The word with `a1` as bit 0, from one in this order, and the other way round: both orders undo themselves.
    pub(super) const fn convert(self, word: u64) -> u64 {
        match self {
            Self::A1Lsb => word,
            Self::A1Msb => word.reverse_bits(),
        }
    }
}
