//! How likely a side is to win, given what a search says.
//!
//! A logistic curve in the value whose width depends on what the search has not seen: the plies beyond its horizon, the
//! empty squares, and how much it pruned on estimates. Fitted by `examples/fit_win_probability.rs` to games of this
//! engine against itself; `docs/EVALUATION.md` shows how well it is calibrated.

use crate::query::{Score, Selectivity, Value};

/// What the width of the curve is made of; see [`width`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coefficients {
    /// Logarithm of the width in discs of a full-width search to the end.
    pub base: f64,
    /// For the logarithm of one more than the plies beyond the horizon.
    pub unseen: f64,
    /// For the share of the board that is empty.
    pub empties: f64,
    /// For a search at 73 %, in proportion for surer ones.
    pub selectivity: f64,
}

/// The fit that is in use: 65,013 estimates of 1,920 games, `fit_win_probability crates/othello/data/xot.txt 2400 1`.
/// `docs/EVALUATION.md` compares it with the one before on games that neither was fitted to.
pub const FITTED: Coefficients =
    Coefficients { base: -0.037, unseen: 0.572, empties: -0.197, selectivity: 0.021 };

/// The width of the curve in discs: at this value the odds are e to 1.
pub fn width(coefficients: Coefficients, empties: u32, depth: u8, selectivity: Selectivity) -> f64 {
    let Coefficients { base, unseen, empties: of_empties, selectivity: of_selectivity } = coefficients;
    let beyond = f64::from(empties.saturating_sub(u32::from(depth)));
    let pruned = f64::from(100 - selectivity.percent()) / 27.0;
    (base + unseen * beyond.ln_1p() + of_empties * f64::from(empties) / 60.0 + of_selectivity * pruned).exp()
}

/// The chance that the side to move wins a game with so many empty squares on its board, a draw counted as half: 0 to
/// 1. What is proven is certain; an estimate is never quite. A bound gives the chance that belongs to the bound.
pub fn win_probability(score: Score, empties: u32) -> f64 {
    let certain = |margin: i8| (f64::from(margin.signum()) + 1.0) / 2.0;
    match score.value {
        Value::Exact { discs } => certain(discs),
        Value::Sign { sign } => certain(sign),
        Value::Estimate { centidiscs } => {
            let width = width(FITTED, empties, score.depth, score.selectivity);
            1.0 / (1.0 + (-f64::from(centidiscs) / 100.0 / width).exp())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::Bound;

    fn chance(centidiscs: i16, empties: u32, depth: u8, selectivity: Selectivity) -> f64 {
        let value = Value::Estimate { centidiscs };
        win_probability(Score { value, bound: Bound::Exact, depth, selectivity }, empties)
    }

    #[test]
    fn more_discs_are_a_better_chance_and_none_an_even_one() {
        for empties in [20, 40, 60] {
            for depth in [1, 8, 20] {
                let chances = [-6400, -800, -100, 0, 100, 800, 6400]
                    .map(|value| chance(value, empties, depth, Selectivity::P73));
                assert!(chances.windows(2).all(|pair| pair[0] < pair[1]), "{chances:?}");
                assert!((chances[3] - 0.5).abs() < 1e-12);
                for (low, high) in [(0, 6), (1, 5), (2, 4)] {
                    assert!((chances[low] + chances[high] - 1.0).abs() < 1e-9, "the other side has the rest");
                }
                assert!(chances.iter().all(|chance| (0.0..=1.0).contains(chance)));
            }
        }
    }

    #[test]
    fn the_more_a_search_sees_the_surer_a_lead_is() {
        let shallow = chance(400, 40, 2, Selectivity::P73);
        let deep = chance(400, 40, 16, Selectivity::P73);
        let surely = chance(400, 20, 20, Selectivity::P99);
        assert!(0.5 < shallow && shallow < deep && deep < surely, "{shallow} {deep} {surely}");
    }

    #[test]
    fn what_is_proven_is_certain() {
        let score = |value| Score { value, bound: Bound::Exact, depth: 10, selectivity: Selectivity::Full };
        for (discs, expected) in [(2, 1.0), (0, 0.5), (-64, 0.0)] {
            assert_eq!(win_probability(score(Value::Exact { discs }), 10), expected);
        }
        assert_eq!(win_probability(score(Value::Sign { sign: -1 }), 10), 0.0);
    }
}
