//! Bounds of positions near the leaves, remembered by one thread for itself: no atomics, no sharing, small enough to
//! stay in the processor's second-level cache.

use crate::board::Board;
use crate::square::Square;

/// Slots, a power of two. 32 bytes each, so that all of them fit beside everything else in a second-level cache of
/// 512 KiB: twice as many save 1 % of the nodes and cost more time than that.
const SLOTS: usize = 1 << 13;

/// What is known about one position.
#[derive(Debug, Clone, Copy)]
#[repr(align(32))]
pub struct Slot {
    board: Board,
    /// The score is at least this.
    pub lower: i8,
    /// The score is at most this.
    pub upper: i8,
    /// The move that was best.
    pub best: Square,
}

impl Slot {
    /// The bound that answers whether the score is above `alpha`, if one does.
    #[inline]
    pub fn decides(&self, alpha: i32) -> Option<i32> {
        let (lower, upper) = (i32::from(self.lower), i32::from(self.upper));
        if lower > alpha { Some(lower) } else { (upper <= alpha).then_some(upper) }
    }
}

/// A direct-mapped cache: a new position takes the slot from whatever was there.
#[derive(Debug)]
pub struct LeafCache {
    slots: Box<[Slot; SLOTS]>,
}

impl LeafCache {
    /// Nothing known. The empty slots hold a board without discs, which is never searched this far down.
    pub fn new() -> Self {
        let nothing =
            Slot { board: Board { player: 0, opponent: 0 }, lower: -64, upper: 64, best: Square::A1 };
        let slots = vec![nothing; SLOTS].into_boxed_slice();
        Self { slots: slots.try_into().expect("so many were made") }
    }

    /// What is known about this position.
    #[inline]
    pub fn probe(&self, board: Board) -> Option<&Slot> {
        let slot = &self.slots[index(board)];
        (slot.board == board).then_some(slot)
    }

    /// Fetches the slot of this position, which will be looked at soon.
    #[inline]
    pub fn prefetch(&self, board: Board) {
        searchkit::cells::prefetch(&self.slots[index(board)]);
    }

    /// Records that a zero-window search over `alpha` returned `score`.
    #[inline]
    pub fn store(&mut self, board: Board, alpha: i32, score: i32, best: Square) {
        let slot = &mut self.slots[index(board)];
        if slot.board != board {
            *slot = Slot { board, lower: -64, upper: 64, best };
        }
        if score > alpha {
            slot.lower = slot.lower.max(score as i8);
        } else {
            slot.upper = slot.upper.min(score as i8);
        }
        slot.best = best;
    }
}

/// Where a board belongs. Cheaper than the hash of the shared table, and enough to spread neighbours in a tree.
#[inline]
fn index(board: Board) -> usize {
    let mixed = board.player.wrapping_mul(0x9E37_79B9_7F4A_7C15)
        ^ board.opponent.wrapping_mul(0x6A09_E667_F3BC_C909).rotate_left(32);
    let mixed = mixed ^ mixed >> 29;
    (mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - SLOTS.ilog2())) as usize
}
