//! Playing strengths that people choose by number, and the choice of weaker players: what all games share. What a
//! level searches is each game's own table.

use std::fmt;

/// A playing strength, 1 (weakest) to 30 (strongest).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(u8);

impl Level {
    /// How many levels there are.
    pub const COUNT: u8 = 30;
    /// The weakest.
    pub const MIN: Self = Self(1);
    /// The strongest.
    pub const MAX: Self = Self(Self::COUNT);

    /// The level of this number, if there is one.
    pub const fn new(number: u8) -> Option<Self> {
        if 1 <= number && number <= Self::COUNT { Some(Self(number)) } else { None }
    }

    /// All levels, weakest first.
    pub fn all() -> impl Iterator<Item = Self> {
        (1..=Self::COUNT).map(Self)
    }

    /// Its number, 1 to 30.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Its place in a table of all levels, 0 to 29.
    pub const fn index(self) -> usize {
        self.0 as usize - 1
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A sequence of random numbers in 0..1 that depends on its seed alone (SplitMix64 by Sebastiano Vigna).
#[derive(Debug, Clone)]
pub struct Noise(u64);

impl Noise {
    /// The sequence for one decision: the caller's seed and whatever names the decision (a position's hash), so that
    /// one seed gives different slips in different positions and the same one when a position comes again.
    pub const fn new(seed: u64, decision: u64) -> Self {
        let mut noise = Self(seed);
        noise.0 = noise.bits() ^ decision;
        noise
    }

    const fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// The next number, above 0 and below 1.
    fn next(&mut self) -> f64 {
        ((self.bits() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }
}

/// Chooses among moves by value as a fallible player does: a move that is worse by one `temperature` is chosen e times
/// less often (Luce's choice rule, drawn with Gumbel noise). So small slips are common, great blunders rare, and what
/// is obvious is seen. Returns the index of the choice, the first best one at temperature 0; `None` without values.
pub fn choose(values: &[f64], temperature: f64, noise: &mut Noise) -> Option<usize> {
    let felt = values.iter().map(|value| {
        let gumbel = -(-noise.next().ln()).ln();
        if temperature > 0.0 { value / temperature + gumbel } else { *value }
    });
    let better = |best: (usize, f64), next: (usize, f64)| if next.1 > best.1 { next } else { best };
    felt.enumerate().reduce(better).map(|(index, _)| index)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_1_to_30() {
        assert_eq!(Level::new(0), None);
        assert_eq!(Level::new(31), None);
        assert_eq!(Level::all().map(Level::index).collect::<Vec<_>>(), (0..30).collect::<Vec<_>>());
        assert_eq!((Level::MIN.number(), Level::MAX.number()), (1, 30));
    }

    #[test]
    fn without_temperature_the_first_best_is_chosen() {
        for seed in 0..20 {
            assert_eq!(choose(&[1.0, 3.0, 3.0, -2.0], 0.0, &mut Noise::new(seed, 7)), Some(1));
        }
        assert_eq!(choose(&[], 1.0, &mut Noise::new(1, 1)), None);
    }

    #[test]
    fn worse_moves_are_chosen_as_often_as_the_rule_says() {
        // Values 0, -2, -4 at temperature 2: odds 1 to 1/e to 1/e².
        let mut counts = [0.0; 3];
        for seed in 0..20_000 {
            counts[choose(&[0.0, -2.0, -4.0], 2.0, &mut Noise::new(seed, 99)).unwrap()] += 1.0;
        }
        let odds = [0, 1, 2].map(|steps| (-f64::from(steps)).exp());
        for (count, odd) in counts.iter().zip(odds) {
            let expected = 20_000.0 * odd / odds.iter().sum::<f64>();
            assert!((count - expected).abs() < 4.0 * expected.sqrt(), "{counts:?}");
        }
    }

    #[test]
    fn a_choice_depends_on_seed_and_decision_alone() {
        let values = [0.0; 16];
        let pick = |seed, decision| choose(&values, 1.0, &mut Noise::new(seed, decision)).unwrap();
        assert_eq!(pick(5, 6), pick(5, 6));
        let distinct = |picks: Vec<usize>| picks.iter().collect::<std::collections::HashSet<_>>().len();
        assert!(distinct((0..40).map(|seed| pick(seed, 6)).collect()) > 8);
        assert!(distinct((0..40).map(|decision| pick(5, decision)).collect()) > 8);
    }
}
