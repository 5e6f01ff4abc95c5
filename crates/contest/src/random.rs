//! Random numbers that are the same everywhere.

/// Sebastiano Vigna's SplitMix64.
#[derive(Debug, Clone)]
pub struct SplitMix(u64);

impl SplitMix {
    /// The sequence of a seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub const fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, which is at least 1.
    pub const fn below(&mut self, bound: usize) -> usize {
        ((self.bits() as u128 * bound as u128) >> 64) as usize
    }
}

/// `wanted` indices below `count` in random order: each once before any comes again.
///
/// # Panics
/// When there is nothing to choose from.
pub fn choice(count: usize, wanted: usize, seed: u64) -> Vec<usize> {
    assert!(count > 0, "there is something to choose from");
    let mut random = SplitMix::new(seed);
    let mut chosen = Vec::with_capacity(wanted);
    while chosen.len() < wanted {
        let mut all: Vec<usize> = (0..count).collect();
        for last in (1..count).rev() {
            all.swap(last, random.below(last + 1));
        }
        all.truncate(wanted - chosen.len());
        chosen.append(&mut all);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_index_comes_once_before_any_comes_again() {
        let mut first = choice(7, 17, 3);
        assert_eq!(first, choice(7, 17, 3));
        assert_ne!(first, choice(7, 17, 4));
        let rest = first.split_off(7);
        first.sort_unstable();
        assert_eq!(first, (0..7).collect::<Vec<_>>());
        assert!(rest.iter().all(|&index| index < 7));
    }
}
