//! Fits the weights of the evaluation to games: logistic regression of the result and of what the players thought.
//!
//! A combination of four lines is worth the sum of what its lines and its kind of threat are worth, once for the side on move
//! and once for the side that waits. These are few numbers, so some hundred games say all of them; a number for each of the
//! 2,380 combinations by itself was fitted too and foretold games that it had not seen less well.

use gomoku::Neighborhood;
use gomoku::board::Board;
use gomoku::color::Color;
use gomoku::evaluation::{COMBINATIONS, PARTS_PER_UNIT, UNITS_PER_LOGIT, URGENCY_PER_LOGIT, shape};
use gomoku::lines::Line;
use gomoku::point::{Point, Size};
use gomoku::position::Position;
use gomoku::rules::Rule;
use gomoku::threat::Threat;

use crate::order::Order;
use crate::record::Game;
use crate::solve;

/// Numbers that say what one side's cells are worth: one a line class, one a kind of threat, one a pair of lines.
const SIDE: usize = Line::COUNT + Threat::COUNT + PAIRS;

/// Room for pairs of line classes; the weaker class comes first, so half of it stays unused.
const PAIRS: usize = Line::COUNT * Line::COUNT;

/// Numbers that are fitted: for the side on move, for the other, and what being on move is worth by itself.
pub const NUMBERS: usize = 2 * SIDE + 1;

/// One game in so many is held out: the error on it is what counts.
const HELD_OUT: u64 = 10;

/// Share of the result in the target; the rest is what the player's search thought of the position, where that is recorded.
const RESULT_SHARE: f64 = 0.8;

/// Stones beyond which a position teaches nothing: both sides have run out of room by then, and who wins is hardly foretold by
/// what lines promise (a logit of the evaluation was worth half of one there, and one and a half in the opening).
const MOST_STONES: usize = 60;

/// Units beyond which what a player thought counts no more: a proven win too.
const LIMIT: f64 = 1_500.0;

/// How strongly numbers are held to nothing, for each sample, when features are counted in standard deviations: enough to
/// settle those that no game speaks of.
const HOLD: f64 = 1e-4;

/// Steps of Newton's method; the error stands still long before.
const STEPS: usize = 12;

/// One position as the evaluation sees it.
#[derive(Debug, Clone)]
pub struct Sample {
    /// How often each number counts.
    features: Vec<f64>,
    /// What the side to move scored, and was thought to score: 0 to 1.
    target: f64,
    /// What it scored.
    result: f64,
    held_out: bool,
}

/// The positions of some games that the evaluation is asked about: nobody has a five or an open four.
pub fn samples(games: &[Game], rule: Rule) -> Vec<Sample> {
    games.iter().flat_map(|game| of_game(game, rule)).collect()
}

fn of_game(game: &Game, rule: Rule) -> Vec<Sample> {
    let start = Position::empty(Size::DEFAULT, rule);
    let mut board = Board::new(&start, Neighborhood::Square(1));
    let mut samples = Vec::new();
    for (ply, &point) in game.moves.iter().enumerate() {
        if (game.opening..=MOST_STONES).contains(&ply) && is_open(&board) {
            let result = match game.winner {
                Some(winner) if winner == board.side() => 1.0,
                Some(_) => 0.0,
                None => 0.5,
            };
            let score = game.scores.get(ply - game.opening).copied().map(f64::from);
            let thought = score.map_or(result, |score| chance(score.clamp(-LIMIT, LIMIT) / UNITS_PER_LOGIT));
            let target = RESULT_SHARE * result + (1.0 - RESULT_SHARE) * thought;
            let held_out = game.number.is_multiple_of(HELD_OUT);
            samples.push(Sample { features: features(&board), target, result, held_out });
        }
        board.play(point);
    }
    samples
}

/// Whether the search would judge this position by its evaluation.
fn is_open(board: &Board) -> bool {
    let (us, them) = (board.side(), board.side().other());
    let none = |color, kinds: &[Threat]| kinds.iter().all(|&kind| board.count(color, kind) == 0);
    none(us, &[Threat::Five, Threat::OpenFour]) && none(them, &[Threat::Five, Threat::OpenFour])
}

fn features(board: &Board) -> Vec<f64> {
    let mut features = vec![0.0; NUMBERS];
    let (own, other) = features.split_at_mut(SIDE);
    for point in board.grid().empty() {
        count(own, board, point, board.side(), 1.0);
        count(other, board, point, board.side().other(), -1.0);
    }
    features[NUMBERS - 1] = 1.0;
    features
}

/// Adds a cell's lines, threat and pairs of lines to one side's numbers.
fn count(numbers: &mut [f64], board: &Board, point: Point, color: Color, sign: f64) {
    for at in parts(board.lines(point, color), board.threat(point, color)) {
        numbers[at] += sign;
    }
}

/// Which numbers of a side make up what a cell is worth.
fn parts(lines: [Line; 4], threat: Threat) -> impl Iterator<Item = usize> {
    let pairs = (0..4).flat_map(|a| (0..a).map(move |b| (a, b)));
    let pair = move |(a, b): (usize, usize)| {
        let (weak, strong) = (lines[a].min(lines[b]) as usize, lines[a].max(lines[b]) as usize);
        Line::COUNT + Threat::COUNT + weak * Line::COUNT + strong
    };
    lines.into_iter().map(|line| line as usize).chain([Line::COUNT + threat as usize]).chain(pairs.map(pair))
}

fn chance(logits: f64) -> f64 {
    1.0 / (1.0 + (-logits).exp())
}

/// The numbers, in logits.
pub struct Fit {
    numbers: Vec<f64>,
}

impl Fit {
    /// Numbers that know nothing.
    pub fn new() -> Self {
        Self { numbers: vec![0.0; NUMBERS] }
    }

    fn logits(&self, sample: &Sample) -> f64 {
        sample.features.iter().zip(&self.numbers).map(|(count, number)| count * number).sum()
    }

    /// The mean cross entropy of the results of the held-out samples, or of the others, in nats.
    pub fn error(&self, samples: &[Sample], held_out: bool) -> f64 {
        let (mut sum, mut count) = (0.0, 0.0_f64);
        for sample in samples.iter().filter(|sample| sample.held_out == held_out) {
            let chance = chance(self.logits(sample)).clamp(1e-6, 1.0 - 1e-6);
            sum -= sample.result * chance.ln() + (1.0 - sample.result) * (1.0 - chance).ln();
            count += 1.0;
        }
        sum / count.max(1.0)
    }

    /// Fits the numbers to the samples that are not held out.
    pub fn train(&mut self, samples: &[Sample]) {
        let chosen: Vec<&Sample> = samples.iter().filter(|sample| !sample.held_out).collect();
        if chosen.is_empty() {
            return;
        }
        let hold = hold(&chosen);
        for _ in 0..STEPS {
            self.step(&chosen, &hold);
        }
    }

    /// One step of Newton's method.
    fn step(&mut self, samples: &[&Sample], hold: &[f64]) {
        let mut gradient: Vec<f64> =
            self.numbers.iter().zip(hold).map(|(number, hold)| number * hold).collect();
        let mut curvature = vec![vec![0.0; NUMBERS]; NUMBERS];
        for (row, &hold) in hold.iter().enumerate() {
            curvature[row][row] = hold;
        }
        for sample in samples {
            let chance = chance(self.logits(sample));
            let (surprise, weight) = (chance - sample.target, chance * (1.0 - chance));
            let present: Vec<usize> = (0..NUMBERS).filter(|&at| sample.features[at] != 0.0).collect();
            for &row in &present {
                let count = sample.features[row];
                gradient[row] += surprise * count;
                for &column in present.iter().take_while(|&&column| column <= row) {
                    curvature[row][column] += weight * count * sample.features[column];
                }
            }
        }
        for (number, change) in self.numbers.iter_mut().zip(solve::symmetric(curvature, gradient)) {
            *number -= change;
        }
    }

    /// The numbers as the engine reads them: each combination's for the side on move, then for the other, the one for being
    /// on move, then how urgent each combination is for its owner and for the other side.
    pub fn pack(&self, rule: Rule, order: &Order) -> Vec<u8> {
        let of_side = |numbers: &[f64], units: f64| -> Vec<i16> {
            let worth = |combination| {
                let (lines, threat) = shape(rule, combination);
                // Move ordering has no numbers for pairs.
                let known = parts(lines, threat).filter_map(|at| numbers.get(at));
                rounded(known.sum::<f64>() * units)
            };
            (0..COMBINATIONS).map(worth).collect()
        };
        let parts = UNITS_PER_LOGIT * f64::from(PARTS_PER_UNIT);
        let (on_move, rest) = self.numbers.split_at(SIDE);
        let (attack, defence) = order.sides();
        let mut all = of_side(on_move, parts);
        all.extend(of_side(&rest[..SIDE], parts));
        all.push(rounded(rest[SIDE] * parts));
        all.extend(of_side(attack, URGENCY_PER_LOGIT));
        all.extend(of_side(defence, URGENCY_PER_LOGIT));
        let (last, before) = order.nearness();
        all.extend(last.iter().chain(before).map(|number| rounded(number * URGENCY_PER_LOGIT)));
        all.into_iter().flat_map(i16::to_le_bytes).collect()
    }
}

fn rounded(number: f64) -> i16 {
    number.round().clamp(f64::from(i16::MIN), f64::from(i16::MAX)) as i16
}

/// How strongly each number is held to nothing.
fn hold(samples: &[&Sample]) -> Vec<f64> {
    let count = samples.len() as f64;
    let of = |at: usize| {
        let mean = samples.iter().map(|sample| sample.features[at]).sum::<f64>() / count;
        let variance = samples.iter().map(|sample| (sample.features[at] - mean).powi(2)).sum::<f64>() / count;
        HOLD * count * if variance > 0.0 { variance } else { 1.0 }
    };
    (0..NUMBERS).map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_made_the_targets_are_found_again() {
        // Only some numbers count, so that a slow build is quick.
        const COUNTING: usize = 24;
        let truth = |at: usize| (at % 5) as f64 * 0.1 - 0.2;
        let sample = |seed: usize| {
            let mut features = vec![0.0; NUMBERS];
            for (at, count) in features.iter_mut().enumerate().take(COUNTING) {
                *count = ((seed * (at + 3) * 7_919) % 11) as f64 / 5.0 - 1.0;
            }
            let logits: f64 = features.iter().enumerate().map(|(at, count)| count * truth(at)).sum();
            let target = chance(logits);
            Sample { features, target, result: target, held_out: seed.is_multiple_of(7) }
        };
        let samples: Vec<Sample> = (1..800).map(sample).collect();
        let mut fit = Fit::new();
        let before = fit.error(&samples, true);
        fit.train(&samples);
        assert!(fit.error(&samples, true) < before);
        let told = |sample: &Sample| chance(fit.logits(sample));
        assert!(samples.iter().all(|sample| (told(sample) - sample.target).abs() < 0.02));
    }
}
