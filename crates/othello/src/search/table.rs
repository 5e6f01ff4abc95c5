//! The transposition table: what is known about positions met before, shared by all threads of a search.

use std::sync::atomic::{AtomicU32, Ordering};

use searchkit::cells::{Line, WORDS};
use searchkit::lines::Lines;
use searchkit::memory::{Memory, Recycled};

use crate::board::Board;
use crate::query::Selectivity;
use crate::square::Square;

/// How far a value looks, which is also its unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reach {
    /// So many plies, then an estimate. Scores are hundredths of a disc.
    Plies(u8),
    /// To the end of the game. Scores are whole discs.
    End,
}

/// What is known of a score: it lies in `lower..=upper`, in the unit of the [`Reach`] it belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bounds {
    /// The score is at least this.
    pub lower: i16,
    /// The score is at most this.
    pub upper: i16,
}

impl Bounds {
    /// Below and above every score in either unit.
    pub const UNKNOWN: Self = Self { lower: -i16::MAX, upper: i16::MAX };

    /// What a fail-soft search of the window `alpha..beta` that returned `score` has shown.
    pub const fn from_search(alpha: i32, beta: i32, score: i32) -> Self {
        Self {
            lower: if score > alpha { score as i16 } else { Self::UNKNOWN.lower },
            upper: if score < beta { score as i16 } else { Self::UNKNOWN.upper },
        }
    }

    /// The score when it is known exactly.
    pub fn exact(self) -> Option<i32> {
        (self.lower == self.upper).then_some(i32::from(self.lower))
    }

    fn and(self, other: Self) -> Self {
        Self { lower: self.lower.max(other.lower), upper: self.upper.min(other.upper) }
    }
}

/// One position's knowledge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Entry {
    /// Where the score lies, in the unit of `reach`.
    pub bounds: Bounds,
    /// How far the bounds look.
    pub reach: Reach,
    /// How sure the search behind the bounds was.
    pub selectivity: Selectivity,
    /// The best move found, then an older one: hints for ordering. They are legal in this position.
    pub moves: [Option<Square>; 2],
}

impl Entry {
    /// The bounds, if they come from a search to the end of the game at least as sure as asked.
    #[inline]
    pub fn end_bounds(&self, selectivity: Selectivity) -> Option<Bounds> {
        (self.reach == Reach::End && self.selectivity >= selectivity).then_some(self.bounds)
    }

    /// The bounds, if they come from a search of exactly this depth and selectivity.
    #[inline]
    pub fn depth_bounds(&self, plies: u8, selectivity: Selectivity) -> Option<Bounds> {
        (self.reach == Reach::Plies(plies) && self.selectivity == selectivity).then_some(self.bounds)
    }

    /// Whether this entry answers every question that one of `other`'s reach and selectivity answers.
    fn outranks(&self, other: &Self) -> bool {
        self.selectivity >= other.selectivity && rank(self.reach) >= rank(other.reach)
    }
}

/// Depth with the end of the game above everything.
fn rank(reach: Reach) -> u8 {
    match reach {
        Reach::Plies(plies) => plies,
        Reach::End => u8::MAX,
    }
}

/// Entries in one cache line.
const SLOTS: usize = 2;
/// Words of one entry: both boards in full, so that no other position is ever taken for this one, and the packed rest.
const SLOT_WORDS: usize = 3;
/// The word that holds the generation of the line.
const GENERATION_WORD: usize = WORDS - 1;
const _: () = assert!(SLOTS * SLOT_WORDS == GENERATION_WORD, "the entries and the generation fill the line");

const NO_MOVE: u8 = 64;

/// A table of a fixed size. Threads share it without locks; see [`Line`] for why nothing half-written is ever used.
///
/// Every line carries the generation in which it was last written. Lines of another generation count as empty, so
/// [`new_generation`](Self::new_generation) makes everything invisible at once and at no cost: a reused table behaves
/// exactly as a fresh one does.
#[derive(Debug)]
pub struct Table {
    lines: Lines,
    generation: AtomicU32,
}

impl Recycled for Table {
    fn from_memory(memory: Memory) -> Self {
        let (lines, last) = memory.into_parts();
        let table = Self { lines, generation: AtomicU32::new(last) };
        table.new_generation();
        table
    }

    fn into_memory(self) -> Memory {
        Memory::used(self.lines, self.generation.into_inner())
    }
}

impl Table {
    /// Fewest lines a table has.
    const MIN_LINES: usize = 1;
    /// Generation that a zeroed line carries. No search ever runs in it.
    const NEVER: u32 = 0;

    /// A table that takes at most `bytes` (rounded down to a power of two; at least one 64-byte line).
    pub fn new(bytes: usize) -> Self {
        Self::from_memory(Memory::new(bytes, Self::MIN_LINES))
    }

    /// Memory taken, in bytes.
    pub fn bytes(&self) -> usize {
        self.lines.len() * size_of::<Line>()
    }

    /// Makes everything stored so far invisible and replaceable. Call it between searches, while no thread searches
    /// with this table.
    pub fn new_generation(&self) {
        let next = self.generation.load(Ordering::Relaxed).wrapping_add(1);
        if next == Self::NEVER {
            // After four thousand million searches the numbers start again, and lines of the same number may still lie
            // around: this one time they are wiped.
            for line in self.lines.iter() {
                line.update(|words| *words = [0; WORDS]);
            }
        }
        self.generation.store(next.max(Self::NEVER + 1), Ordering::Relaxed);
    }

    /// What is known about this position, if anything.
    #[inline]
    pub fn probe(&self, board: Board) -> Option<Entry> {
        let words = self.line(board).read()?;
        if words[GENERATION_WORD] != self.generation_word() {
            return None;
        }
        find(&words, board).map(|slot| unpack(words[slot * SLOT_WORDS + 2]))
    }

    /// Fetches the memory of this position into the cache ahead of a probe.
    #[inline]
    pub fn prefetch(&self, board: Board) {
        self.line(board).prefetch();
    }

    /// Records what a search has shown. Bounds of the same reach and selectivity are joined with those known before;
    /// an entry that answers more than the new one stays, and otherwise the new one takes its place or that of the
    /// position with the fewest plies to look at in the same line.
    #[inline]
    pub fn store(
        &self,
        board: Board,
        reach: Reach,
        selectivity: Selectivity,
        bounds: Bounds,
        best: Option<Square>,
    ) {
        let new = Entry { bounds, reach, selectivity, moves: [best, None] };
        let generation = self.generation_word();
        self.line(board).update(|words| {
            if words[GENERATION_WORD] != generation {
                *words = [0; WORDS];
                words[GENERATION_WORD] = generation;
            }
            let (slot, entry) = match find(words, board) {
                Some(slot) => (slot, merge(unpack(words[slot * SLOT_WORDS + 2]), new)),
                None => (cheapest(words), new),
            };
            let at = slot * SLOT_WORDS;
            words[at] = board.player;
            words[at + 1] = board.opponent;
            words[at + 2] = pack(entry);
        });
    }

    /// Share of the lines written in this generation, in thousandths, estimated from the first thousand lines.
    pub fn fill_permille(&self) -> u16 {
        let generation = self.generation_word();
        let sample = &self.lines[..self.lines.len().min(1000)];
        let used = sample
            .iter()
            .filter(|line| line.read().is_some_and(|words| words[GENERATION_WORD] == generation))
            .count();
        (used * 1000 / sample.len()) as u16
    }

    #[inline]
    fn generation_word(&self) -> u64 {
        u64::from(self.generation.load(Ordering::Relaxed))
    }

    #[inline]
    fn line(&self, board: Board) -> &Line {
        // The number of lines is a power of two, so the mask keeps the index in range.
        &self.lines[hash(board) as usize & (self.lines.len() - 1)]
    }
}

/// Mixes both boards into 64 bits: each is multiplied by an odd constant (from the fractional parts of the golden
/// ratio and of the square root of two), and the well-mixed high halves are folded down.
#[inline]
pub(super) fn hash(board: Board) -> u64 {
    let mixed = board.player.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
        ^ board.opponent.wrapping_mul(0x6A09_E667_F3BC_C909);
    let mixed = (mixed ^ mixed >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed ^ mixed >> 32
}

/// The slot that holds this position. An empty slot holds the board without discs, which nobody searches.
#[inline]
fn find(words: &[u64; WORDS], board: Board) -> Option<usize> {
    (0..SLOTS).find(|slot| {
        words[slot * SLOT_WORDS] == board.player && words[slot * SLOT_WORDS + 1] == board.opponent
    })
}

/// The slot to give up for a new position: the one whose search had the fewest plies ahead, so that what was dear to
/// compute stays; an empty slot before all others.
fn cheapest(words: &[u64; WORDS]) -> usize {
    let plies_ahead = |slot: usize| {
        let occupied = words[slot * SLOT_WORDS] | words[slot * SLOT_WORDS + 1];
        if occupied == 0 {
            return 0;
        }
        match unpack(words[slot * SLOT_WORDS + 2]).reach {
            Reach::Plies(plies) => 1 + u32::from(plies),
            Reach::End => 1 + occupied.count_zeros(),
        }
    };
    if plies_ahead(1) < plies_ahead(0) { 1 } else { 0 }
}

/// One position's old knowledge and new knowledge in one entry.
fn merge(old: Entry, new: Entry) -> Entry {
    let same_question = old.reach == new.reach && old.selectivity == new.selectivity;
    let bounds = if same_question {
        let joined = old.bounds.and(new.bounds);
        // Two searches with ProbCut may contradict each other; then the newer one counts.
        if joined.lower <= joined.upper { joined } else { new.bounds }
    } else if old.outranks(&new) {
        return old;
    } else {
        new.bounds
    };
    let moves = match new.moves[0] {
        Some(best) if old.moves[0] != Some(best) => [Some(best), old.moves[0]],
        _ => old.moves,
    };
    Entry { bounds, moves, ..new }
}

/// Lower bound, upper bound (16 bits each), plies, selectivity, both moves (8 bits each), from the lowest bit up.
fn pack(entry: Entry) -> u64 {
    let square = |mv: Option<Square>| u64::from(mv.map_or(NO_MOVE, Square::index));
    u64::from(entry.bounds.lower as u16)
        | u64::from(entry.bounds.upper as u16) << 16
        | u64::from(rank(entry.reach)) << 32
        | (entry.selectivity as u64) << 40
        | square(entry.moves[0]) << 48
        | square(entry.moves[1]) << 56
}

#[inline]
fn unpack(word: u64) -> Entry {
    let [l0, l1, u0, u1, plies, selectivity, first, second] = word.to_le_bytes();
    Entry {
        bounds: Bounds { lower: i16::from_le_bytes([l0, l1]), upper: i16::from_le_bytes([u0, u1]) },
        reach: if plies == u8::MAX { Reach::End } else { Reach::Plies(plies) },
        selectivity: Selectivity::ALL[usize::from(selectivity) % Selectivity::ALL.len()],
        moves: [Square::new(first), Square::new(second)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;

    const BOARD: Board = Board::start(Size::Eight);
    const D3: Option<Square> = Square::at(2, 3);
    const C4: Option<Square> = Square::at(3, 2);

    fn bounds(lower: i16, upper: i16) -> Bounds {
        Bounds { lower, upper }
    }

    #[test]
    fn what_was_stored_is_found_with_everything_it_had() {
        let table = Table::new(1 << 12);
        assert_eq!(table.probe(BOARD), None);
        for (reach, selectivity) in
            [(Reach::Plies(0), Selectivity::P73), (Reach::Plies(60), Selectivity::P99)]
        {
            table.new_generation();
            table.store(BOARD, reach, selectivity, bounds(-6400, 6400), D3);
            let entry = Entry { bounds: bounds(-6400, 6400), reach, selectivity, moves: [D3, None] };
            assert_eq!(table.probe(BOARD), Some(entry));
        }
        assert_eq!(
            table.probe(BOARD.pass()),
            None,
            "the same discs with the other side to move are not the same"
        );
    }

    #[test]
    fn bounds_of_one_question_are_joined_and_both_moves_kept() {
        let table = Table::new(64);
        table.store(BOARD, Reach::End, Selectivity::Full, Bounds::from_search(3, 4, 6), D3);
        table.store(BOARD, Reach::End, Selectivity::Full, Bounds::from_search(9, 10, 8), C4);
        let entry = table.probe(BOARD).unwrap();
        assert_eq!(entry.bounds, bounds(6, 8));
        assert_eq!(entry.moves, [C4, D3]);
    }

    #[test]
    fn a_less_sure_entry_never_answers_and_never_replaces_a_surer_one() {
        let table = Table::new(64);
        table.store(BOARD, Reach::End, Selectivity::P73, bounds(2, 2), D3);
        assert_eq!(table.probe(BOARD).unwrap().end_bounds(Selectivity::P87), None);
        assert_eq!(table.probe(BOARD).unwrap().end_bounds(Selectivity::P73), Some(bounds(2, 2)));
        table.store(BOARD, Reach::End, Selectivity::Full, bounds(4, 6), C4);
        table.store(BOARD, Reach::End, Selectivity::P95, bounds(0, 0), D3);
        table.store(BOARD, Reach::Plies(12), Selectivity::Full, bounds(300, 300), D3);
        let entry = table.probe(BOARD).unwrap();
        assert_eq!(entry.end_bounds(Selectivity::P73), Some(bounds(4, 6)));
        assert_eq!(entry.depth_bounds(12, Selectivity::Full), None, "discs are not taken for hundredths");
    }

    #[test]
    fn a_new_generation_hides_everything_also_when_the_numbers_wrap() {
        let table = Table::new(1 << 12);
        for generation in [5, u32::MAX - 1, u32::MAX] {
            table.generation.store(generation, Ordering::Relaxed);
            table.store(BOARD, Reach::End, Selectivity::Full, bounds(0, 0), D3);
            assert!(table.probe(BOARD).is_some());
            table.new_generation();
            assert_eq!(table.probe(BOARD), None);
            assert_eq!(table.fill_permille(), 0);
        }
        table.generation.store(5, Ordering::Relaxed);
        assert_eq!(table.probe(BOARD), None, "the wrap wiped what was stored under the same number before");
    }

    #[test]
    fn the_deeper_of_two_positions_in_one_line_stays() {
        let table = Table::new(64);
        let board = |bit: u32| Board { player: 1 << bit, opponent: 1 << 63 };
        for (bit, plies) in [(0, 9), (1, 4), (2, 5), (3, 1)] {
            table.store(board(bit), Reach::Plies(plies), Selectivity::Full, bounds(0, 0), None);
        }
        assert!(table.probe(board(0)).is_some());
        assert!(table.probe(board(1)).is_none());
        assert!(table.probe(board(2)).is_none());
        assert!(table.probe(board(3)).is_some());
    }
}
