//! Fits the weights of the evaluation to games: logistic regression of the result and of what the players thought, held
//! to the numbers by hand where the games say little.

use gomoku::Neighborhood;
use gomoku::board::Board;
use gomoku::color::Color;
use gomoku::evaluation::{COMBINATIONS, ESTIMATE_LIMIT, TEMPO_KINDS, UNITS_PER_LOGIT, by_hand};
use gomoku::point::Size;
use gomoku::position::Position;
use gomoku::rules::Rule;
use gomoku::threat::Threat;

use crate::random::Random;
use crate::record::Game;

/// Numbers that are fitted.
pub const NUMBERS: usize = COMBINATIONS + 2 * Threat::COUNT;

/// One game in so many is held out: the error on it is what counts.
const HELD_OUT: u64 = 10;

/// Share of the result in the target; the rest is what the player's search thought of the position.
const RESULT_SHARE: f32 = 0.5;

/// Step of the first pass, in units of the evaluation; it falls with the passes.
const STEP: f32 = 1.0;

/// How strongly a number is held to the one by hand, as a share of a step for each unit away from it.
const HOLD: f32 = 0.000_2;

/// One position as the evaluation sees it.
#[derive(Debug, Clone)]
pub struct Sample {
    /// Numbers that count, and how much: a combination by its cells, own less the other side's, over the last two plies.
    terms: Vec<(u16, f32)>,
    /// What the side to move scored, and was thought to score: 0 to 1.
    target: f32,
    held_out: bool,
}

/// The positions of some games that the evaluation is asked about: nobody has a five, and nothing decides by itself.
pub fn samples(games: &[Game], rule: Rule) -> Vec<Sample> {
    games.iter().flat_map(|game| of_game(game, rule)).collect()
}

fn of_game(game: &Game, rule: Rule) -> Vec<Sample> {
    let start = Position::empty(Size::DEFAULT, rule);
    let mut board = Board::new(&start, Neighborhood::Square(1));
    let mut samples = Vec::new();
    let mut before = Vec::new();
    for (ply, &point) in game.moves.iter().enumerate() {
        let now = promise(&board);
        let score = ply.checked_sub(game.opening).and_then(|after| game.scores.get(after)).copied();
        if let Some(score) =
            score.filter(|&score| i32::from(score).abs() <= ESTIMATE_LIMIT && is_open(&board))
        {
            let result = match game.winner {
                Some(winner) if winner == board.side() => 1.0,
                Some(_) => 0.0,
                None => 0.5,
            };
            let target = RESULT_SHARE * result + (1.0 - RESULT_SHARE) * chance(f32::from(score));
            let held_out = game.number.is_multiple_of(HELD_OUT);
            samples.push(Sample { terms: terms(&board, &now, &before), target, held_out });
        }
        before = now;
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

/// Cells of each combination, black's less white's.
fn promise(board: &Board) -> Vec<(u16, f32)> {
    let mut cells = vec![0.0; COMBINATIONS];
    for point in board.grid().empty() {
        cells[board.combination(point, Color::Black)] += 1.0;
        cells[board.combination(point, Color::White)] -= 1.0;
    }
    let present = cells.into_iter().enumerate().filter(|&(_, count)| count != 0.0);
    present.map(|(combination, count)| (combination as u16, count)).collect()
}

fn terms(board: &Board, now: &[(u16, f32)], before: &[(u16, f32)]) -> Vec<(u16, f32)> {
    let sign = if board.side() == Color::Black { 0.5 } else { -0.5 };
    let mut terms: Vec<(u16, f32)> =
        now.iter().chain(before).map(|&(combination, count)| (combination, sign * count)).collect();
    for (side, color) in [board.side(), board.side().other()].into_iter().enumerate() {
        let kinds = TEMPO_KINDS.filter(|&kind| board.count(color, KINDS[kind]) > 0);
        terms.extend(kinds.map(|kind| ((COMBINATIONS + side * Threat::COUNT + kind) as u16, 1.0)));
    }
    terms
}

/// Kinds of threats by index.
const KINDS: [Threat; Threat::COUNT] = [
    Threat::Quiet,
    Threat::OpenTwo,
    Threat::Three,
    Threat::OpenTwos,
    Threat::ThreePlus,
    Threat::OpenThree,
    Threat::OpenThreePlus,
    Threat::DoubleThree,
    Threat::Four,
    Threat::FourPlus,
    Threat::FourThree,
    Threat::OpenFour,
    Threat::Five,
    Threat::Foul,
];

fn chance(units: f32) -> f32 {
    1.0 / (1.0 + (-units / UNITS_PER_LOGIT as f32).exp())
}

/// Numbers on the way to be fitted.
pub struct Fit {
    numbers: Vec<f32>,
    hand: Vec<f32>,
    /// Mean and mean square of each number's gradient (D. Kingma and J. Ba, Adam, 2015).
    moments: Vec<(f32, f32)>,
    steps: i32,
}

/// Samples of one step.
const BATCH: usize = 256;

impl Fit {
    /// Begins with the numbers by hand.
    pub fn new() -> Self {
        let hand = by_hand();
        Self { numbers: hand.clone(), moments: vec![(0.0, 0.0); hand.len()], hand, steps: 0 }
    }

    fn units(&self, sample: &Sample) -> f32 {
        sample.terms.iter().map(|&(index, count)| self.numbers[usize::from(index)] * count).sum()
    }

    /// The mean cross entropy on the held-out samples, or on the others, in nats.
    pub fn error(&self, samples: &[Sample], held_out: bool) -> f64 {
        let mut sum = (0.0, 0.0_f64);
        for sample in samples.iter().filter(|sample| sample.held_out == held_out) {
            let chance = chance(self.units(sample)).clamp(1e-6, 1.0 - 1e-6);
            let loss = -(sample.target * chance.ln() + (1.0 - sample.target) * (1.0 - chance).ln());
            sum = (sum.0 + f64::from(loss), sum.1 + 1.0);
        }
        sum.0 / sum.1.max(1.0)
    }

    /// Passes over the samples that are not held out.
    pub fn train(&mut self, samples: &[Sample], passes: u32) {
        let mut order: Vec<usize> = (0..samples.len()).filter(|&index| !samples[index].held_out).collect();
        let mut random = Random::new(1);
        for pass in 0..passes {
            random.shuffle(&mut order);
            let step = STEP * (1.0 - pass as f32 / passes as f32);
            for batch in order.chunks(BATCH) {
                self.step(samples, batch, step);
            }
        }
    }

    fn step(&mut self, samples: &[Sample], batch: &[usize], step: f32) {
        let mut gradient = vec![0.0_f32; NUMBERS];
        for &index in batch {
            let sample = &samples[index];
            let surprise = chance(self.units(sample)) - sample.target;
            for &(number, count) in &sample.terms {
                gradient[usize::from(number)] += surprise * count / batch.len() as f32;
            }
        }
        self.steps += 1;
        let unbiased = |decay: f32| 1.0 - decay.powi(self.steps);
        let (first, second) = (unbiased(0.9), unbiased(0.999));
        for (index, gradient) in gradient.into_iter().enumerate() {
            let gradient = gradient + HOLD * (self.numbers[index] - self.hand[index]);
            let (mean, square) = &mut self.moments[index];
            *mean = 0.9 * *mean + 0.1 * gradient;
            *square = 0.999 * *square + 0.001 * gradient * gradient;
            self.numbers[index] -= step * (*mean / first) / ((*square / second).sqrt() + 1e-6);
        }
    }

    /// The numbers as the engine reads them.
    pub fn pack(&self) -> Vec<u8> {
        let rounded = self.numbers.iter().map(|number| number.round().clamp(-2_000.0, 2_000.0) as i16);
        rounded.flat_map(i16::to_le_bytes).collect()
    }
}
