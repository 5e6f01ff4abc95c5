//! ProbCut: when a shallower search says by a clear margin that a node is won or lost, the deep search is left out.
//!
//! The idea and its use at several depths are Michael Buro's (ProbCut 1994, Multi-ProbCut 1997). The margin is the
//! wanted number of standard deviations of the difference between the shallow and the deep value.

use std::sync::LazyLock;

use crate::query::Selectivity;

/// ProbCut searches may themselves use ProbCut, nested up to this many times.
pub const MOST_LEVELS: u8 = 2;
/// Least depth in plies at which a shallower search is worth its nodes.
const FROM_DEPTH: u8 = 3;

/// Depths and empties that the margins are prepared for.
const DEPTHS: usize = 64;
const EMPTIES: usize = 65;

/// How a node is to be asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// Depth of the shallower search in plies.
    pub depth: u8,
    /// How far beyond the bound its value must lie, hundredths of a disc.
    pub margin: i32,
}

/// The plan for a node of this depth, if ProbCut is of use there.
#[inline]
pub fn plan(depth: u8, empties: u32, selectivity: Selectivity) -> Option<Plan> {
    /// [`sigma`] of every depth and its shallower search, by depth and empties, in whole hundredths.
    static SIGMA: LazyLock<Vec<[u16; EMPTIES]>> = LazyLock::new(|| {
        let row = |depth: u8| {
            std::array::from_fn(|empties| {
                sigma(depth, shallow_depth(depth), empties as u32).min(12_800.0) as u16
            })
        };
        (0..DEPTHS as u8).map(row).collect()
    });
    let deviations = deviations(selectivity)?;
    if depth < FROM_DEPTH {
        return None;
    }
    let sigma = SIGMA.get(usize::from(depth))?.get(empties as usize)?;
    Some(Plan { depth: shallow_depth(depth), margin: i32::from(*sigma) * deviations / 100 })
}

/// The depth of the shallower search: about two fifths, of the same parity, because values of odd and even depths
/// differ by who moved last.
pub fn shallow_depth(depth: u8) -> u8 {
    (depth / 5) * 2 + depth % 2
}

/// How many standard deviations a selectivity stands for, in hundredths: the two-sided normal quantile of its
/// percentage. `None` when nothing may be cut.
fn deviations(selectivity: Selectivity) -> Option<i32> {
    match selectivity {
        Selectivity::P73 => Some(110),
        Selectivity::P87 => Some(151),
        Selectivity::P95 => Some(196),
        Selectivity::P98 => Some(233),
        Selectivity::P99 => Some(258),
        Selectivity::Full => None,
    }
}

/// Standard deviation of the difference between the values at `depth` and at `shallow` plies (of the same parity,
/// fewer), hundredths of a disc.
///
/// Fitted by `examples/fit_probcut.rs` on 500 positions of 12 to 52 empties searched without selectivity to every depth
/// up to 9 with the trained evaluation: the difference grows with the plies between the two, and shrinks with depth and
/// with empties. It is about three quarters of what it was with the eight terms.
pub fn sigma(depth: u8, shallow: u8, empties: u32) -> f64 {
    let plies_between = f64::from(depth.saturating_sub(shallow).max(1));
    let ln_discs =
        1.8457 + 0.3257 * plies_between.ln() - 0.0998 * f64::from(shallow) - 0.0217 * f64::from(empties);
    100.0 * ln_discs.exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shallower_search_has_the_parity_of_the_deep_one() {
        for depth in FROM_DEPTH..60 {
            let shallow = shallow_depth(depth);
            assert!(shallow < depth);
            assert_eq!(shallow % 2, depth % 2);
        }
    }

    #[test]
    fn surer_levels_ask_for_wider_margins_and_the_surest_cuts_nothing() {
        for depth in FROM_DEPTH..60 {
            for empties in [10, 30, 50] {
                let margins =
                    Selectivity::ALL.map(|level| plan(depth, empties, level).map(|plan| plan.margin));
                assert!(margins[..5].windows(2).all(|pair| pair[0] < pair[1]), "{margins:?}");
                assert_eq!(margins[5], None);
            }
        }
        assert_eq!(plan(FROM_DEPTH - 1, 30, Selectivity::P73), None);
    }

    #[test]
    fn the_model_lies_close_to_measured_deviations() {
        // Standard deviations in discs as `examples/fit_probcut.rs` printed them, by depth, shallow depth, empties.
        for (depth, shallow, empties, discs) in [
            (6, 2, 24, 5.18),
            (7, 3, 35, 3.72),
            (8, 4, 16, 4.27),
            (8, 2, 44, 3.24),
            (9, 3, 24, 5.36),
            (9, 5, 44, 2.38),
        ] {
            let ratio = sigma(depth, shallow, empties) / (100.0 * discs);
            assert!((0.85..1.18).contains(&ratio), "{depth} {shallow} {empties}: {ratio}");
        }
    }
}
