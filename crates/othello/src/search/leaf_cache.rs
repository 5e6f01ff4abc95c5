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
    /// A few bits of the board in each slot. They fit in the first-level cache, and where they differ from those of a
    /// position the slot is not read, which would take longer than everything else about a look-up.
    tags: Box<[u16; SLOTS]>,
}

impl LeafCache {
    /// Nothing known. The empty slots hold a board without discs, which is never searched this far down.
    pub fn new() -> Self {
        let nothing =
            Slot { board: Board { player: 0, opponent: 0 }, lower: -64, upper: 64, best: Square::A1 };
        Self { slots: boxed(nothing), tags: boxed(0) }
    }

    /// What is known about this position.
    #[inline]
    pub fn probe(&self, board: Board) -> Option<&Slot> {
        let (index, tag) = place(board);
        if self.tags[index] != tag {
            return None;
        }
        let slot = &self.slots[index];
        (slot.board == board).then_some(slot)
    }

    /// Records that a zero-window search over `alpha` returned `score`.
    #[inline]
    pub fn store(&mut self, board: Board, alpha: i32, score: i32, best: Square) {
        let (index, tag) = place(board);
        let slot = &mut self.slots[index];
        // Another tag means another position, whose memory is not waited for.
        let is_known = self.tags[index] == tag && slot.board == board;
        let (mut lower, mut upper) = if is_known { (slot.lower, slot.upper) } else { (-64, 64) };
        if score > alpha {
            lower = lower.max(score as i8);
        } else {
            upper = upper.min(score as i8);
        }
        *slot = Slot { board, lower, upper, best };
        self.tags[index] = tag;
    }
}

/// As many of the same as there are slots, made where they stay.
fn boxed<T: Clone>(value: T) -> Box<[T; SLOTS]> {
    let all = vec![value; SLOTS].into_boxed_slice();
    all.try_into().unwrap_or_else(|_| unreachable!("so many were made"))
}

/// Where a board belongs, and the tag of its slot. Cheaper than the hash of the shared table, and enough to spread neighbours in a tree.
#[inline]
fn place(board: Board) -> (usize, u16) {
    let mixed = board.player.wrapping_mul(0x9E37_79B9_7F4A_7C15)
        ^ board.opponent.wrapping_mul(0x6A09_E667_F3BC_C909).rotate_left(32);
    let mixed = mixed ^ mixed >> 29;
    let mixed = mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    ((mixed >> (64 - SLOTS.ilog2())) as usize, (mixed >> (48 - SLOTS.ilog2())) as u16)
}
