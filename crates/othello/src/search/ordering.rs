//! Which move to try first: the one that leaves the opponent least.

use crate::board::{Board, Size};
use crate::search::patterns::{Patterns, Regions};
use crate::search::shallow::{BEYOND, look};
use crate::search::worker::Worker;
use crate::square::{Square, Squares};

/// A legal move with the position it leads to.
#[derive(Debug, Clone, Copy)]
pub struct Candidate {
    /// Where the disc is placed.
    pub square: Square,
    /// The position afterwards, seen from the opponent.
    pub child: Board,
    /// The opponent's legal replies, once the moves have been judged.
    pub replies: u64,
    /// The higher, the earlier it is tried.
    pub worth: i32,
}

/// The legal moves of a position with at most `N` empty squares, handed out best first.
pub struct MoveList<const N: usize> {
    items: [Candidate; N],
    len: usize,
}

/// Worth of a reply less for the opponent beside the learned estimate, in quarters of a disc; a reply into a corner counts
/// twice. More than replies are worth in discs, since fewer replies also make a smaller tree. Set by the nodes of FFO
/// 27-37: 12, 14, 18, 20, 24, 28, 32 and 48 were tried.
const MOBILITY_BESIDE_ESTIMATE: i32 = 24;
/// The same beside a look ahead, whose value has the replies in it already: 8, 16, 24 and 32 were tried.
const MOBILITY_BESIDE_LOOK: i32 = 8;
/// Worth of the best move of an earlier search here, above anything judged by its looks.
const TABLE_MOVE: i32 = 1 << 20;
/// Worth of a move that leaves the opponent without discs: nothing can be better.
const WIPE_OUT: i32 = 1 << 24;

/// The number of replies, those into a corner counted twice.
#[inline]
fn weighted(replies: u64, size: Size) -> i32 {
    (replies.count_ones() + (replies & size.corners()).count_ones()) as i32
}

impl<const N: usize> MoveList<N> {
    /// Makes every move in `moves`. Each counts as a node.
    #[inline]
    pub fn new(worker: &mut Worker<'_>, board: Board, moves: u64) -> Self {
        debug_assert!(moves.count_ones() as usize <= N);
        let nothing = Candidate { square: Square::A1, child: board, replies: 0, worth: 0 };
        let mut list = Self { items: [nothing; N], len: 0 };
        for (item, square) in list.items.iter_mut().zip(Squares(moves)) {
            item.square = square;
            item.child = board.after(square.bit(), board.flips(square));
            list.len += 1;
        }
        worker.statistics.nodes += list.len as u64;
        list
    }

    /// Judges the moves by mobility alone, near the leaves.
    #[inline]
    pub fn judge_quickly(&mut self, size: Size) {
        for item in &mut self.items[..self.len] {
            item.replies = item.child.moves(size);
            item.worth = -2 * weighted(item.replies, size);
            if size.corners() & item.square.bit() != 0 {
                item.worth += 1;
            }
        }
    }

    /// Judges the moves by what they leave to the opponent and by the learned estimate.
    #[inline]
    pub fn judge(&mut self, board: Board, size: Size) {
        let Some(regions) = Regions::of(size) else { return self.judge_quickly(size) };
        let patterns = Patterns::of(regions, board);
        for item in &mut self.items[..self.len] {
            let flips = board.opponent & !item.child.player;
            item.worth = -patterns.child(item.square.bit(), flips);
            item.replies = item.child.moves(size);
            item.worth -= weighted(item.replies, size) * MOBILITY_BESIDE_ESTIMATE;
            if item.child.player == 0 {
                item.worth += WIPE_OUT;
            }
        }
    }

    /// Judges the moves by a look ahead, for positions where a wrong choice is dear.
    pub fn judge_deeply(&mut self, worker: &mut Worker<'_>, plies: u32) {
        let size = worker.rules.size;
        for item in &mut self.items[..self.len] {
            let value = look(worker, item.child, plies, -BEYOND, BEYOND);
            item.replies = item.child.moves(size);
            item.worth = -value - weighted(item.replies, size) * MOBILITY_BESIDE_LOOK;
            if item.child.player == 0 {
                item.worth += WIPE_OUT;
            }
        }
    }

    /// Puts these moves before all others, the first of them first.
    #[inline]
    pub fn prefer(&mut self, moves: [Option<Square>; 2]) {
        for (age, square) in moves.into_iter().enumerate() {
            for item in self.items[..self.len].iter_mut().filter(|item| Some(item.square) == square) {
                item.worth += TABLE_MOVE >> age;
            }
        }
    }

    /// All moves, in no particular order.
    pub fn candidates(&mut self) -> &mut [Candidate] {
        &mut self.items[..self.len]
    }

    /// The moves not taken yet, best first.
    pub fn rest(&self, taken: usize) -> Vec<Candidate> {
        let mut rest = self.items[taken..self.len].to_vec();
        rest.sort_by_key(|item| std::cmp::Reverse(item.worth));
        rest
    }

    /// Replaces the moves not taken yet by these, which are some of them.
    pub fn keep(&mut self, taken: usize, rest: &[Candidate]) {
        self.len = taken + rest.len();
        self.items[taken..self.len].copy_from_slice(rest);
    }

    /// How many moves there are, taken or not.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Takes the best of the moves not taken yet.
    #[inline]
    pub fn next(&mut self, taken: usize) -> Option<Candidate> {
        let rest = self.items.get_mut(taken..self.len)?;
        let mut best = 0;
        for index in 1..rest.len() {
            if rest[index].worth > rest[best].worth {
                best = index;
            }
        }
        let chosen = *rest.get(best)?;
        rest.swap(0, best);
        Some(chosen)
    }
}
