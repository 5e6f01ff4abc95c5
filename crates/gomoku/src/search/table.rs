//! The transposition table: what is known about positions met before, shared by all threads of a search.

use std::sync::atomic::{AtomicU32, Ordering};

use searchkit::cells::{Line, WORDS};
use searchkit::lines::Lines;
use searchkit::memory::{Memory, Recycled};

use crate::point::Point;
use crate::query::Bound;

/// One position's knowledge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The score, win distances counted from this position.
    pub(crate) score: i32,
    /// How the true score relates to it.
    pub(crate) bound: Bound,
    /// Plies searched.
    pub(crate) depth: i32,
    /// The best move found.
    pub(crate) best: Option<Point>,
}

/// Entries a line, each a full 64-bit key and a data word; the last word is the generation.
const SLOTS: usize = 3;
const GENERATION_WORD: usize = 2 * SLOTS;
const _: () = assert!(GENERATION_WORD == WORDS - 1, "the entries and the generation fill the line");

/// Fewest lines of a table.
const LEAST_LINES: usize = 16;

/// A table of cache lines. A line of another generation counts as empty, so a reused table tells nothing of what it
/// was used for before.
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
    /// A table of about this many bytes, rounded down to a power of two, at least 1 KiB.
    pub fn new(bytes: usize) -> Self {
        Self::from_memory(Memory::new(bytes, LEAST_LINES))
    }

    /// Its size.
    pub fn bytes(&self) -> usize {
        self.lines.len() * size_of::<Line>()
    }

    /// Makes everything in the table invisible. Called when another search takes the table over.
    pub fn new_generation(&self) {
        let next = self.generation.load(Ordering::Relaxed).wrapping_add(1);
        if next == 0 {
            // After 2^32 generations old numbers come back, so the lines must really be emptied once.
            self.touch();
        }
        self.generation.store(next.max(1), Ordering::Relaxed);
    }

    /// Empties every line: an operating system hands memory out when it is first written to, and a search that pays for that
    /// has the less time to think.
    pub fn touch(&self) {
        for line in self.lines.iter() {
            line.update(|words| words.fill(0));
        }
    }

    /// Share of the lines written in this generation, in thousandths, estimated from the first thousand lines.
    pub fn fill_permille(&self) -> u16 {
        let generation = self.generation();
        let sample = self.lines.len().min(1_000);
        let used = self.lines[..sample]
            .iter()
            .filter(|line| line.read().is_some_and(|words| words[GENERATION_WORD] == generation))
            .count();
        (used * 1_000 / sample) as u16
    }

    fn generation(&self) -> u64 {
        u64::from(self.generation.load(Ordering::Relaxed))
    }

    fn line(&self, hash: u64) -> &Line {
        &self.lines[(hash >> 20) as usize & (self.lines.len() - 1)]
    }

    /// Asks the processor to fetch what is remembered of a position that will be looked up soon.
    #[inline]
    pub(crate) fn prefetch(&self, hash: u64) {
        self.line(hash).prefetch();
    }

    pub(crate) fn probe(&self, hash: u64) -> Option<Entry> {
        let words = self.line(hash).read()?;
        if words[GENERATION_WORD] != self.generation() {
            return None;
        }
        let slot = (0..SLOTS).find(|&slot| words[2 * slot] == hash && words[2 * slot + 1] != 0)?;
        Some(unpack(words[2 * slot + 1]))
    }

    /// Remembers an entry, in place of the same position's or of the shallowest one.
    pub(crate) fn store(&self, hash: u64, entry: Entry) {
        let generation = self.generation();
        self.line(hash).update(|words| {
            if words[GENERATION_WORD] != generation {
                words.fill(0);
                words[GENERATION_WORD] = generation;
            }
            let same = (0..SLOTS).find(|&slot| words[2 * slot] == hash);
            let slot =
                same.or_else(|| (0..SLOTS).min_by_key(|&slot| depth_of(words[2 * slot + 1]))).unwrap_or(0);
            words[2 * slot] = hash;
            words[2 * slot + 1] = pack(entry);
        });
    }
}

/// Score in the low 16 bits, depth in 8, bound in 2, the point's cell in 10, and a one on top, so that no entry is 0.
fn pack(entry: Entry) -> u64 {
    let bound = match entry.bound {
        Bound::Exact => 0,
        Bound::Lower => 1,
        Bound::Upper => 2,
    };
    let cell = entry.best.map_or(0, Point::cell) as u64;
    u64::from(entry.score as i16 as u16)
        | (entry.depth.clamp(0, 255) as u64) << 16
        | bound << 24
        | cell << 26
        | 1 << 63
}

fn depth_of(word: u64) -> u64 {
    if word == 0 { 0 } else { 1 + (word >> 16 & 0xff) }
}

fn unpack(word: u64) -> Entry {
    let cell = (word >> 26 & 0x3ff) as usize;
    Entry {
        score: i32::from(word as u16 as i16),
        depth: (word >> 16 & 0xff) as i32,
        bound: match word >> 24 & 3 {
            0 => Bound::Exact,
            1 => Bound::Lower,
            _ => Bound::Upper,
        },
        best: (cell != 0).then(|| Point::from_cell(cell)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::point::Size;

    fn entry(score: i32) -> Entry {
        Entry { score, bound: Bound::Lower, depth: 7, best: Some(Size::DEFAULT.center()) }
    }

    #[test]
    fn entries_come_back_whole_and_only_in_their_generation() {
        let table = Table::new(1 << 16);
        for score in [-29_995, -1, 0, 1, 29_995] {
            let hash = 0x1234_5678_9abc_def0 ^ score as u64;
            table.store(hash, entry(score));
            assert_eq!(table.probe(hash), Some(entry(score)));
        }
        table.new_generation();
        assert_eq!(table.probe(0x1234_5678_9abc_def0), None);
        assert_eq!(table.fill_permille(), 0);
    }

    #[test]
    fn sizes_are_rounded_down_to_powers_of_two() {
        assert_eq!(Table::new(3 << 20).bytes(), 2 << 20);
        assert_eq!(Table::new(0).bytes(), 1 << 10);
    }
}
