//! Which move to try first: the one that leaves the opponent least.

use arrayvec::ArrayVec;

use crate::board::{Board, Size};
use crate::search::patterns::Patterns;
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
}

impl Candidate {
    /// The discs turned by this move in `board`.
    #[inline]
    pub fn flips(&self, board: Board) -> u64 {
        board.opponent & !self.child.player
    }
}

/// The legal moves of a position with at most `N` empty squares, handed out best first.
pub struct MoveList<const N: usize> {
    items: ArrayVec<Candidate, N>,
    /// What each move is worth with its place in `items`: first those taken, then the others.
    keys: ArrayVec<Key, N>,
}

/// A move's worth above the place of the move, which is counted down so that of two equals the first comes first.
/// Only keys are sorted: the moves themselves stay where they were made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key(i32);

impl Key {
    const PLACES: i32 = 64;

    #[inline]
    fn new(worth: i32, place: usize) -> Self {
        Self(worth * Self::PLACES + (Self::PLACES - 1 - place as i32))
    }

    #[inline]
    fn place(self) -> usize {
        (Self::PLACES - 1 - (self.0 & (Self::PLACES - 1))) as usize
    }

    #[inline]
    fn raise(&mut self, worth: i32) {
        self.0 += worth * Self::PLACES;
    }
}

/// Worth of a reply less for the opponent beside the learned estimate, in quarters of a disc; a reply into a corner counts
/// twice. More than replies are worth in discs, since fewer replies also make a smaller tree. Set by the nodes of FFO
/// 27-37: 12, 14, 18, 20, 24, 28, 32 and 48 were tried.
const MOBILITY_BESIDE_ESTIMATE: i32 = 24;
/// The same beside a look ahead, whose value has the replies in it already: 8, 16, 24 and 32 were tried.
const MOBILITY_BESIDE_LOOK: i32 = 8;
/// How far below the best move, in quarters of a disc, a move's value need not be known: a look at it stops where it is
/// shown to be so bad. Replies make up for less than that.
const CLEARLY_WORSE: i32 = 16;
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
    /// A list without moves.
    #[inline]
    pub fn new() -> Self {
        Self { items: ArrayVec::new_const(), keys: ArrayVec::new_const() }
    }

    /// Makes every move in `moves`. Each counts as a node.
    #[inline]
    pub fn make(&mut self, worker: &mut Worker<'_>, board: Board, moves: u64) {
        for (place, square) in Squares(moves).enumerate() {
            let child = board.after(square.bit(), board.flips(square));
            self.items.push(Candidate { square, child, replies: 0 });
            self.keys.push(Key::new(0, place));
        }
        worker.statistics.nodes += self.items.len() as u64;
    }

    /// Judges every move: `judge` returns its worth, the higher, the earlier it is tried.
    #[inline]
    fn judge_each(&mut self, mut judge: impl FnMut(&mut Candidate) -> i32) {
        for (place, (item, key)) in self.items.iter_mut().zip(&mut self.keys).enumerate() {
            *key = Key::new(judge(item), place);
        }
    }

    /// Judges the moves by mobility alone, near the leaves.
    #[inline]
    pub fn judge_quickly(&mut self, size: Size) {
        self.judge_each(|item| {
            item.replies = item.child.moves(size);
            i32::from(size.corners() & item.square.bit() != 0) - 2 * weighted(item.replies, size)
        });
    }

    /// Judges the moves by what they leave to the opponent and by the learned estimate.
    #[inline]
    pub fn judge(&mut self, board: Board, patterns: &Patterns, size: Size) {
        self.judge_each(|item| {
            item.replies = item.child.moves(size);
            let worth = -patterns.child(item.square.bit(), item.flips(board))
                - weighted(item.replies, size) * MOBILITY_BESIDE_ESTIMATE;
            worth + if item.child.player == 0 { WIPE_OUT } else { 0 }
        });
    }

    /// Judges the moves by a look ahead, for positions where a wrong choice is dear. Moves that are clearly worse than the
    /// best found so far are not looked at to the end.
    pub fn judge_deeply(&mut self, worker: &mut Worker<'_>, board: Board, patterns: &Patterns, plies: u32) {
        let size = worker.rules.size;
        self.judge(board, patterns, size);
        let mut order = self.keys.clone();
        order.sort_unstable_by_key(|&key| std::cmp::Reverse(key));
        let mut best = -BEYOND;
        for place in order.into_iter().map(Key::place) {
            let item = &self.items[place];
            let after = patterns.after(item.square.bit(), item.flips(board));
            let value = -look(worker, item.child, &after, plies, -BEYOND, CLEARLY_WORSE - best);
            best = best.max(value);
            let worth = value - weighted(item.replies, size) * MOBILITY_BESIDE_LOOK;
            let wipe_out = if item.child.player == 0 { WIPE_OUT } else { 0 };
            self.keys[place] = Key::new(worth + wipe_out, place);
        }
    }

    /// Puts these moves before all others, the first of them first.
    #[inline]
    pub fn prefer(&mut self, moves: [Option<Square>; 2]) {
        for (age, square) in moves.into_iter().enumerate() {
            let Some(square) = square else { continue };
            for (item, key) in self.items.iter().zip(&mut self.keys) {
                if item.square == square {
                    key.raise(TABLE_MOVE >> age);
                }
            }
        }
    }

    /// The positions after the moves, in no particular order.
    #[inline]
    pub fn children(&self) -> impl Iterator<Item = Board> {
        self.items.iter().map(|item| item.child)
    }

    /// The moves not taken yet, best first.
    pub fn rest(&self, taken: usize) -> Vec<Candidate> {
        let mut keys = self.keys[taken..].to_vec();
        keys.sort_by_key(|&key| std::cmp::Reverse(key));
        keys.into_iter().map(|key| self.items[key.place()]).collect()
    }

    /// Leaves only these of the moves not taken yet.
    pub fn keep(&mut self, taken: usize, rest: &[Candidate]) {
        let (mut place, items) = (0, &self.items);
        self.keys.retain(|key| {
            place += 1;
            place <= taken || rest.iter().any(|kept| kept.square == items[key.place()].square)
        });
    }

    /// How many moves there are, taken or not.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Takes the best of the moves not taken yet.
    #[inline]
    pub fn next(&mut self, taken: usize) -> Option<Candidate> {
        let rest = self.keys.get_mut(taken..)?;
        let (mut best, mut chosen) = (0, *rest.first()?);
        for (index, &key) in rest.iter().enumerate().skip(1) {
            best = std::hint::select_unpredictable(key > chosen, index, best);
            chosen = chosen.max(key);
        }
        rest.swap(0, best);
        self.items.get(chosen.place()).copied()
    }
}
