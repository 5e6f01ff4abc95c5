//! Which move to try first: the one that leaves the opponent least.

use crate::board::Board;
use crate::search::table::Entry;
use crate::search::worker::Worker;
use crate::square::{Square, Squares};

/// A legal move with the position it leads to.
#[derive(Debug, Clone, Copy)]
pub struct Candidate {
    /// Where the disc is placed.
    pub square: Square,
    /// The position afterwards, seen from the opponent.
    pub child: Board,
    /// The higher, the earlier it is tried.
    pub worth: i32,
}

/// The legal moves of a position with at most `N` empty squares, handed out best first.
pub struct MoveList<const N: usize> {
    items: [Candidate; N],
    len: usize,
}

const CORNERS: u64 = 0x8100_0000_0000_0081;

/// Worth of one legal move less for the opponent; a move into a corner counts twice.
const MOBILITY: i32 = 16;
/// Worth of moving in a quadrant with an odd number of empty squares.
const ODD_QUADRANT: i32 = 12;
/// Worth of taking a corner.
const CORNER: i32 = 24;
/// Worth of the best move of an earlier search here, above anything judged by its looks.
const TABLE_MOVE: i32 = 1 << 20;
/// Worth of a move that leaves the opponent without discs: nothing can be better.
const WIPE_OUT: i32 = 1 << 24;

impl<const N: usize> MoveList<N> {
    /// Makes every move in `moves`. Each counts as a node.
    #[inline]
    pub fn new(worker: &mut Worker<'_>, board: Board, moves: u64) -> Self {
        debug_assert!(moves.count_ones() as usize <= N);
        let nothing = Candidate { square: Square::A1, child: board, worth: 0 };
        let mut list = Self { items: [nothing; N], len: 0 };
        for (item, square) in list.items.iter_mut().zip(Squares(moves)) {
            item.square = square;
            item.child = board.after(square.bit(), board.flips(square));
            list.len += 1;
        }
        worker.statistics.nodes += list.len as u64;
        list
    }

    /// Judges the moves by what they leave to the opponent.
    #[inline]
    pub fn judge(&mut self, worker: &Worker<'_>, odd: u64, entry: Option<Entry>) {
        for item in &mut self.items[..self.len] {
            let replies = item.child.moves(worker.rules.size);
            let mobility = (replies.count_ones() + (replies & CORNERS).count_ones()) as i32;
            let bit = item.square.bit();
            item.worth = -mobility * MOBILITY;
            if odd & bit != 0 {
                item.worth += ODD_QUADRANT;
            }
            if CORNERS & bit != 0 {
                item.worth += CORNER;
            }
            if item.child.player == 0 {
                item.worth += WIPE_OUT;
            }
        }
        if let Some(entry) = entry {
            for (age, square) in entry.moves.into_iter().enumerate() {
                for item in self.items[..self.len].iter_mut().filter(|item| Some(item.square) == square) {
                    item.worth += TABLE_MOVE >> age;
                }
            }
        }
    }

    /// Takes the best of the moves not taken yet.
    #[inline]
    pub fn next(&mut self, taken: usize) -> Option<Candidate> {
        let rest = self.items.get_mut(taken..self.len)?;
        let best = (0..rest.len()).max_by_key(|&index| (rest[index].worth, std::cmp::Reverse(index)))?;
        rest.swap(0, best);
        rest.first().copied()
    }
}
