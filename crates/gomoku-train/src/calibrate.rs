//! What an estimate means as a chance of winning: the one number of the logistic curve, fitted to how games ended.

use gomoku::color::Color;
use gomoku::evaluation::ESTIMATE_LIMIT;

use crate::record::Game;

/// An estimate that the player to move had, and what came of the game for that player: 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    units: f64,
    result: f64,
    held_out: bool,
}

/// One game in so many is held out.
const HELD_OUT: u64 = 10;

/// All estimates of some games; proven values are none.
pub fn samples(games: &[Game]) -> Vec<Sample> {
    let of_game = |game: &Game| -> Vec<Sample> {
        let estimates = game.scores.iter().enumerate();
        let estimates = estimates.filter(|(_, score)| i32::from(**score).abs() <= ESTIMATE_LIMIT);
        estimates
            .map(|(index, &score)| {
                let black = (game.opening + index).is_multiple_of(2);
                let result = match game.winner {
                    Some(winner) => f64::from(u8::from((winner == Color::Black) == black)),
                    None => 0.5,
                };
                Sample { units: f64::from(score), result, held_out: game.number.is_multiple_of(HELD_OUT) }
            })
            .collect()
    };
    games.iter().flat_map(of_game).collect()
}

/// The chance that an estimate stands for, with so many units to a logit.
fn chance(units: f64, units_per_logit: f64) -> f64 {
    1.0 / (1.0 + (-units / units_per_logit).exp())
}

/// Mean cross entropy of the results under this scale, over the samples that are held out or over the others.
pub fn error(samples: &[Sample], units_per_logit: f64, held_out: bool) -> f64 {
    let chosen = samples.iter().filter(|sample| sample.held_out == held_out);
    let (mut sum, mut count) = (0.0, 0.0);
    for sample in chosen {
        let chance = chance(sample.units, units_per_logit).clamp(1e-6, 1.0 - 1e-6);
        sum -= sample.result * chance.ln() + (1.0 - sample.result) * (1.0 - chance).ln();
        count += 1.0;
    }
    if count > 0.0 { sum / count } else { 0.0 }
}

/// The units to a logit with the least error on the samples that are not held out: the error has one valley over the
/// logarithm of the scale, which is halved in on by thirds.
pub fn fit(samples: &[Sample]) -> f64 {
    let (mut low, mut high) = (20_f64.ln(), 5_000_f64.ln());
    for _ in 0..60 {
        let (left, right) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if error(samples, left.exp(), false) < error(samples, right.exp(), false) {
            high = right;
        } else {
            low = left;
        }
    }
    f64::midpoint(low, high).exp()
}

/// By tenths of the chance told: how many samples, the mean chance told, and the mean result.
pub fn reliability(samples: &[Sample], units_per_logit: f64) -> Vec<(usize, f64, f64)> {
    let mut tenths = vec![(0, 0.0, 0.0); 10];
    for sample in samples {
        let told = chance(sample.units, units_per_logit);
        let (count, chances, results) = &mut tenths[((told * 10.0) as usize).min(9)];
        *count += 1;
        *chances += told;
        *results += sample.result;
    }
    let mean = |(count, chances, results): (usize, f64, f64)| {
        let divisor = (count as f64).max(1.0);
        (count, chances / divisor, results / divisor)
    };
    tenths.into_iter().map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_that_made_the_results_is_found_again() {
        // Every estimate once won and lost as often as a scale of 300 says, counted in thousandths.
        let sample = |units: f64, result| Sample { units, result, held_out: false };
        let samples: Vec<Sample> = (-6..=6)
            .flat_map(|step| {
                let units = f64::from(step) * 100.0;
                let won = (chance(units, 300.0) * 1_000.0).round() as usize;
                (0..1_000).map(move |n| sample(units, f64::from(u8::from(n < won))))
            })
            .collect();
        let found = fit(&samples);
        assert!((found - 300.0).abs() < 2.0, "{found}");
        for (count, told, came) in reliability(&samples, found) {
            assert!(count == 0 || (told - came).abs() < 0.01);
        }
    }

    #[test]
    fn results_are_those_of_the_player_to_move() {
        let game = Game {
            number: 1,
            winner: Some(Color::White),
            opening: 3,
            moves: Vec::new(),
            scores: vec![40, -30, 29_990],
        };
        let found: Vec<(f64, f64)> =
            samples(&[game]).iter().map(|sample| (sample.units, sample.result)).collect();
        assert_eq!(found, [(40.0, 1.0), (-30.0, 0.0)]);
    }
}
