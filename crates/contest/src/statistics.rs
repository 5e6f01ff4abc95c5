//! What the results of a match prove.
//!
//! The unit is the pair: the same opening with both colours. Its two games are not independent (an opening that
//! favours one colour gives each player one win), pairs are.

/// A player's results against the other, in pairs of games.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// What was won by, summed over all games; losses count against it.
    pub margin: i64,
    /// Pairs by the half points that they brought: 0, 1, 2, 3 or 4.
    pub pairs: [u64; 5],
}

/// An estimate with the ends of its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The estimate.
    pub value: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// Two-sided normal quantile of 95 %.
const DEVIATIONS: f64 = 1.96;

impl Tally {
    /// Takes in both games of a pair, as margins of the player.
    pub fn add_pair(&mut self, margins: [i32; 2]) {
        let mut half_points = 0;
        for margin in margins {
            self.margin += i64::from(margin);
            match margin.signum() {
                1 => {
                    self.wins += 1;
                    half_points += 2;
                }
                0 => {
                    self.draws += 1;
                    half_points += 1;
                }
                _ => self.losses += 1,
            }
        }
        self.pairs[half_points] += 1;
    }

    /// Games played.
    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// What the player won by in a game on average. `None` before the first game.
    pub fn margin_a_game(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.margin as f64 / self.games() as f64)
    }

    /// The share of points (a draw is half a point), 0 to 1. `None` before the first pair.
    ///
    /// The interval is E. B. Wilson's (1927), with the number of independent games that the variance between pairs
    /// stands for. So that a match whose pairs all end alike does not claim certainty, the variance is taken as if one
    /// more pair had gone half a point astray from an even result.
    pub fn score(&self) -> Option<Interval> {
        let pairs: u64 = self.pairs.iter().sum();
        if pairs == 0 {
            return None;
        }
        let share = |half_points: usize| half_points as f64 / 4.0;
        let over_pairs = |value: &dyn Fn(f64) -> f64| -> f64 {
            self.pairs.iter().enumerate().map(|(points, &count)| count as f64 * value(share(points))).sum()
        };
        let mean = over_pairs(&|share| share) / pairs as f64;
        let spread = over_pairs(&|share| (share - mean).powi(2));
        let variance = (spread + 0.25) / (pairs + 1) as f64;
        // With the mean shrunk towards an even result this never divides by zero.
        let shrunk = (mean * pairs as f64 + 0.5) / (pairs + 1) as f64;
        let independent = pairs as f64 * shrunk * (1.0 - shrunk) / variance;
        let square = DEVIATIONS * DEVIATIONS / independent;
        let centre = (mean + square / 2.0) / (1.0 + square);
        let half = DEVIATIONS / (1.0 + square)
            * (mean * (1.0 - mean) / independent + square / (4.0 * independent)).sqrt();
        Some(Interval { value: mean, low: (centre - half).max(0.0), high: (centre + half).min(1.0) })
    }

    /// By how many Elo points the player is stronger. Infinite where every point was won or lost. `None` before the
    /// first pair.
    pub fn elo(&self) -> Option<Interval> {
        let score = self.score()?;
        Some(Interval { value: elo(score.value), low: elo(score.low), high: elo(score.high) })
    }
}

/// The difference in Elo points that a share of points stands for.
fn elo(share: f64) -> f64 {
    400.0 * (share / (1.0 - share)).log10()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(pairs: &[[i32; 2]]) -> Tally {
        let mut tally = Tally::default();
        pairs.iter().for_each(|&pair| tally.add_pair(pair));
        tally
    }

    #[test]
    fn wins_draws_losses_and_margins_add_up() {
        let tally = tally(&[[10, -4], [0, 2], [-64, -2]]);
        assert_eq!((tally.wins, tally.draws, tally.losses, tally.games()), (2, 1, 3, 6));
        assert_eq!(tally.pairs, [1, 0, 1, 1, 0]);
        assert_eq!(tally.margin_a_game(), Some(-58.0 / 6.0));
        assert!((tally.score().unwrap().value - 5.0 / 12.0).abs() < 1e-12);
    }

    #[test]
    fn nothing_is_known_before_the_first_pair() {
        assert_eq!(Tally::default().score(), None);
        assert_eq!(Tally::default().elo(), None);
        assert_eq!(Tally::default().margin_a_game(), None);
    }

    /// 76 % of the points are 200 points of Elo by its definition.
    #[test]
    fn elo_follows_the_logistic_curve() {
        assert!((elo(0.5)).abs() < 1e-9);
        assert!((elo(0.759_747) - 200.0).abs() < 0.01);
        assert!((elo(0.240_253) + 200.0).abs() < 0.01);
        assert_eq!(elo(1.0), f64::INFINITY);
        assert_eq!(elo(0.0), f64::NEG_INFINITY);
    }

    #[test]
    fn the_interval_holds_the_estimate_and_shrinks_with_games() {
        let some = [[1, -1], [1, 1], [1, 0], [-1, -1], [1, -1]];
        let few = tally(&some).elo().unwrap();
        let many = tally(&some.repeat(20)).elo().unwrap();
        for interval in [few, many] {
            assert!(interval.low < interval.value && interval.value < interval.high, "{interval:?}");
        }
        assert!(many.high - many.low < (few.high - few.low) / 3.0);
    }

    /// When pairs always split, colour decides, and nothing speaks for a difference; with the same points in pairs that
    /// one player takes whole, much less is known.
    #[test]
    fn split_pairs_prove_more_than_whole_ones() {
        let split = tally(&[[1, -1]; 40]).score().unwrap();
        let whole = tally(&[[[1, 1]; 20], [[-1, -1]; 20]].concat()).score().unwrap();
        assert!((split.value - whole.value).abs() < 1e-12);
        assert!(split.high - split.low < (whole.high - whole.low) / 3.0);
        assert!(split.high > 0.5, "no certainty all the same");
    }

    /// For independent games (as many whole as split pairs) the normal approximation is the reference.
    #[test]
    fn the_interval_is_close_to_the_normal_one_for_many_games() {
        // 400 pairs of two independent fair games: a quarter lost, half split, a quarter won.
        let pairs = [vec![[1, 1]; 100], vec![[1, -1]; 200], vec![[-1, -1]; 100]].concat();
        let score = tally(&pairs).score().unwrap();
        let expected = 1.96 * (0.25_f64 / 800.0).sqrt();
        assert!(((score.high - score.low) / 2.0 / expected - 1.0).abs() < 0.02, "{score:?}");
    }

    #[test]
    fn all_points_won_still_have_a_finite_lower_end() {
        let elo = tally(&[[10, 10]; 10]).elo().unwrap();
        assert_eq!(elo.value, f64::INFINITY);
        assert!(elo.low.is_finite() && elo.low > 100.0, "{elo:?}");
    }
}
