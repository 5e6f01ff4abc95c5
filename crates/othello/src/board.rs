//! Two bitboards seen from the side to move, and the rules on them.

use crate::simd;
use crate::square::Square;

/// Discs of the side to move and of the other side. Bit `row * 8 + column`, `a1` is bit 0. The two never overlap.
///
/// Smaller boards live in the top left corner of the same grid: cells outside stay empty for ever, so lines end there
/// by themselves, and only the set of playable cells ([`Size::cells`]) differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board {
    /// Discs of the side to move.
    pub player: u64,
    /// Discs of the other side.
    pub opponent: u64,
}

/// The board sizes that can be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Size {
    /// 4x4, for teaching.
    Four,
    /// 6x6, for teaching.
    Six,
    /// The standard 8x8 board.
    Eight,
}

impl Size {
    /// All sizes, smallest first.
    pub const ALL: [Self; 3] = [Self::Four, Self::Six, Self::Eight];

    /// Cells along one side: 4, 6 or 8.
    pub const fn side(self) -> u8 {
        match self {
            Self::Four => 4,
            Self::Six => 6,
            Self::Eight => 8,
        }
    }

    /// The bitboard of all playable cells.
    pub const fn cells(self) -> u64 {
        match self {
            Self::Four => 0x0000_0000_0F0F_0F0F,
            Self::Six => 0x0000_3F3F_3F3F_3F3F,
            Self::Eight => u64::MAX,
        }
    }

    /// The bitboard of the four corners.
    pub const fn corners(self) -> u64 {
        let last = self.side() - 1;
        1 | 1 << last | (1 | 1 << last) << (8 * last)
    }

    /// The size whose board has this many cells along one side.
    pub const fn from_side(side: usize) -> Option<Self> {
        match side {
            4 => Some(Self::Four),
            6 => Some(Self::Six),
            8 => Some(Self::Eight),
            _ => None,
        }
    }
}

impl Board {
    /// The standard start with the first mover (black) as the player: white on the falling diagonal of the middle.
    pub const fn start(size: Size) -> Self {
        // The upper left of the four middle cells: (side / 2 - 1) rows and columns in.
        let corner = (size.side() / 2 - 1) * 9;
        Self { player: 0b1_0000_0010 << corner, opponent: 0b10_0000_0001 << corner }
    }

    /// The empty cells on which the player may place a disc, on a board of this size.
    pub fn moves(self, size: Size) -> u64 {
        simd::moves(self.player, self.opponent) & size.cells()
    }

    /// The opponent's discs that the player turns by placing a disc on `square`; 0 when the move is illegal. The
    /// square must be empty.
    pub fn flips(self, square: Square) -> u64 {
        debug_assert_eq!(self.occupied() & square.bit(), 0, "a disc already lies on {square}");
        simd::flips(self.player, self.opponent, usize::from(square.index()))
    }

    /// All discs of both sides.
    pub const fn occupied(self) -> u64 {
        self.player | self.opponent
    }

    /// The same discs with the other side to move.
    #[must_use]
    pub const fn pass(self) -> Self {
        Self { player: self.opponent, opponent: self.player }
    }

    /// The position after the player's disc on `bit` turned `flips`, seen from the other side, whose move it is.
    #[must_use]
    pub const fn after(self, bit: u64, flips: u64) -> Self {
        Self { player: self.opponent ^ flips, opponent: self.player ^ (flips | bit) }
    }
}
