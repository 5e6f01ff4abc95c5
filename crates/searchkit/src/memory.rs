//! Memory for transposition tables that goes from one search to the next, whichever games they play.
//!
//! Every table keeps a generation number in the last payload word of each line and takes lines of another generation for
//! empty. Memory carries the number of its last search along, so the next one finds nothing of it, without any clearing.

use crate::cells::Line;
use crate::lines::Lines;

/// Zeroed or used lines, as many as a power of two, and the number of the last generation written to them.
#[derive(Debug)]
pub struct Memory {
    lines: Lines,
    generation: u32,
}

/// A table that is made of such memory and gives it back.
pub trait Recycled: Send + Sync + 'static {
    /// A table of this memory in which nothing is known.
    fn from_memory(memory: Memory) -> Self;

    /// The memory of this table.
    fn into_memory(self) -> Memory;
}

impl Memory {
    /// Zeroed memory of at most `bytes`, rounded down to a power of two; at least `least` lines, which is a power of two.
    pub fn new(bytes: usize, least: usize) -> Self {
        let wanted = (bytes / size_of::<Line>()).max(least).max(1);
        Self { lines: Lines::new(1 << wanted.ilog2()), generation: 0 }
    }

    /// Memory that was used up to this generation.
    pub fn used(lines: Lines, generation: u32) -> Self {
        Self { lines, generation }
    }

    /// Its size.
    pub fn bytes(&self) -> usize {
        self.lines.len() * size_of::<Line>()
    }

    /// The lines and the last generation.
    pub fn into_parts(self) -> (Lines, u32) {
        (self.lines, self.generation)
    }
}
