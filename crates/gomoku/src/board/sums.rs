//! A position as a whole: how many points make what, and what all of them are worth.

use crate::color::Color;
use crate::tables::{Meaning, Sum};
use crate::threat::Threat;

/// Kinds of threats that points are counted and kept by: all that make an open three or more, and all weaker ones
/// together. A power of two, so that a kind can be masked instead of checked.
pub(super) const KINDS: usize = 16;

/// The kind by which points of this threat are kept.
#[inline]
pub(super) const fn kind(threat: u8) -> u8 {
    const STRONGEST_WEAK: u8 = Threat::OpenThree as u8 - 1;
    threat.saturating_sub(STRONGEST_WEAK)
}

/// Counts and values by colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Sums {
    pub(super) counts: [[u16; KINDS]; 2],
    pub(super) value: [Sum; 2],
}

impl Sums {
    pub(super) const NONE: Self = Self { counts: [[0; KINDS]; 2], value: [Sum::NONE; 2] };

    /// Takes in what an empty cell means to one colour.
    pub(super) fn add(&mut self, side: usize, meaning: Meaning) {
        self.counts[side][usize::from(kind(meaning.threat())) % KINDS] += 1;
        self.value[side].add(meaning);
    }

    /// Takes it out again.
    #[inline]
    pub(super) fn subtract(&mut self, side: usize, meaning: Meaning) {
        self.counts[side][usize::from(kind(meaning.threat())) % KINDS] -= 1;
        self.value[side].subtract(meaning);
    }

    pub(super) const fn count(&self, color: Color, threat: Threat) -> u16 {
        self.counts[color.index()][kind(threat as u8) as usize % KINDS]
    }

    pub(super) fn fours(&self, color: Color) -> u16 {
        Threat::FOURS.iter().map(|&threat| self.count(color, threat)).sum()
    }

    /// What all empty cells are worth to the side that is on move.
    pub(super) const fn promise(&self, side: Color) -> i32 {
        self.value[side.index()].worth().0 - self.value[side.other().index()].worth().1
    }
}
