//! Fits move ordering to games: which of the candidates the player chose, as a softmax over what a stone there makes for its
//! player and what it takes from the other side.

use gomoku::Neighborhood;
use gomoku::board::{Board, NEARNESS, nearness};
use gomoku::color::Color;
use gomoku::lines::Line;
use gomoku::point::{Point, Size};
use gomoku::position::Position;
use gomoku::rules::Rule;
use gomoku::threat::Threat;

use crate::record::Game;
use crate::solve;

/// Numbers for one side's lines and threat.
pub const SIDE: usize = Line::COUNT + Threat::COUNT;

/// Numbers that are fitted: for the player, then for the other side.
const NUMBERS: usize = 2 * SIDE + 2 * NEARNESS;

/// One game in so many is held out.
const HELD_OUT: u64 = 10;

/// How strongly numbers are held to nothing, for each choice.
const HOLD: f64 = 1e-4;

/// Steps of Newton's method.
const STEPS: usize = 10;

/// Which numbers count for a move, once each: four lines and a threat for both sides.
type Features = [u8; 12];

/// A choice among moves.
pub struct Choice {
    moves: Vec<Features>,
    chosen: usize,
    held_out: bool,
}

/// The choices in some games, where no five is to be made or blocked.
pub fn choices(games: &[Game], rule: Rule) -> Vec<Choice> {
    let mut found = Vec::new();
    for game in games {
        let mut board = Board::new(&Position::empty(Size::DEFAULT, rule), Neighborhood::Rays(2));
        for (ply, &point) in game.moves.iter().enumerate() {
            let fives = Color::BOTH.iter().any(|&color| board.count(color, Threat::Five) > 0);
            let candidates = board.candidates();
            let chosen = candidates.iter().position(|&candidate| candidate == point);
            if let Some(chosen) = chosen.filter(|_| ply >= game.opening && !fives) {
                let moves = candidates.iter().map(|&candidate| features(&board, candidate)).collect();
                found.push(Choice { moves, chosen, held_out: game.number.is_multiple_of(HELD_OUT) });
            }
            board.play(point);
        }
    }
    found
}

fn features(board: &Board, point: Point) -> Features {
    let mut features = [0; 12];
    for (side, color) in [board.side(), board.side().other()].into_iter().enumerate() {
        let base = side * SIDE;
        for (at, line) in board.lines(point, color).into_iter().enumerate() {
            features[5 * side + at] = (base + line as usize) as u8;
        }
        features[5 * side + 4] = (base + Line::COUNT + board.threat(point, color) as usize) as u8;
    }
    for back in 0..2 {
        let nearness = board.last_move(back).map_or(NEARNESS - 1, |last| nearness(last, point));
        features[10 + back] = (2 * SIDE + back * NEARNESS + nearness) as u8;
    }
    features
}

/// The numbers, in logits.
pub struct Order {
    numbers: Vec<f64>,
}

impl Order {
    /// Fits the numbers to the choices that are not held out.
    pub fn fit(choices: &[Choice]) -> Self {
        let mut order = Self { numbers: vec![0.0; NUMBERS] };
        let chosen: Vec<&Choice> = choices.iter().filter(|choice| !choice.held_out).collect();
        for _ in 0..STEPS {
            order.step(&chosen);
        }
        order
    }

    fn score(&self, features: &Features) -> f64 {
        features.iter().map(|&at| self.numbers[usize::from(at)]).sum()
    }

    /// The chance of each move.
    fn chances(&self, choice: &Choice) -> Vec<f64> {
        let scores: Vec<f64> = choice.moves.iter().map(|features| self.score(features)).collect();
        let highest = scores.iter().copied().fold(f64::MIN, f64::max);
        let weights: Vec<f64> = scores.iter().map(|score| (score - highest).exp()).collect();
        let sum: f64 = weights.iter().sum();
        weights.iter().map(|weight| weight / sum).collect()
    }

    /// One step of Newton's method.
    fn step(&mut self, choices: &[&Choice]) {
        let hold = HOLD * choices.len() as f64;
        let mut gradient: Vec<f64> = self.numbers.iter().map(|number| number * hold).collect();
        let mut curvature = vec![vec![0.0; NUMBERS]; NUMBERS];
        for (row, numbers) in curvature.iter_mut().enumerate() {
            numbers[row] = hold;
        }
        for choice in choices {
            let mut expected = [0.0; NUMBERS];
            for (features, chance) in choice.moves.iter().zip(self.chances(choice)) {
                for &row in features {
                    expected[usize::from(row)] += chance;
                    for &column in features {
                        if column <= row {
                            curvature[usize::from(row)][usize::from(column)] += chance;
                        }
                    }
                }
            }
            for row in 0..NUMBERS {
                gradient[row] += expected[row];
                for column in 0..=row {
                    curvature[row][column] -= expected[row] * expected[column];
                }
            }
            for &at in &choice.moves[choice.chosen] {
                gradient[usize::from(at)] -= 1.0;
            }
        }
        for (number, change) in self.numbers.iter_mut().zip(solve::symmetric(curvature, gradient)) {
            *number -= change.clamp(-2.0, 2.0);
        }
    }

    /// Of the held-out choices: the mean cross entropy in nats, and the shares in which the move chosen was among the first 1,
    /// 3 and 8 by these numbers.
    pub fn report(&self, choices: &[Choice]) -> (f64, [f64; 3]) {
        let (mut loss, mut count, mut first) = (0.0, 0.0_f64, [0.0; 3]);
        for choice in choices.iter().filter(|choice| choice.held_out) {
            let chances = self.chances(choice);
            let chosen = chances[choice.chosen];
            let before = chances.iter().filter(|&&chance| chance > chosen).count();
            loss -= chosen.max(1e-9).ln();
            count += 1.0;
            for (share, most) in first.iter_mut().zip([1, 3, 8]) {
                *share += f64::from(u8::from(before < most));
            }
        }
        let count = count.max(1.0);
        (loss / count, first.map(|share| share / count))
    }

    /// What nearness to the last move, and to the one before it, is worth in logits.
    pub fn nearness(&self) -> (&[f64], &[f64]) {
        self.numbers[2 * SIDE..].split_at(NEARNESS)
    }

    /// What the player's lines and threat, and the other side's, are worth in logits.
    pub fn sides(&self) -> (&[f64], &[f64]) {
        (&self.numbers[..SIDE], &self.numbers[SIDE..2 * SIDE])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_that_are_chosen_come_first() {
        let features = |kind: u8| [0, 0, 0, 0, 14 + kind, 28, 28, 28, 28, 42, 56, 63];
        let choice = |seed: usize| {
            let moves: Vec<Features> = (0..6).map(|at| features(((seed + at) % 6) as u8)).collect();
            // The strongest threat is chosen three times in four, the next one else.
            let wanted = if seed.is_multiple_of(4) { 4 } else { 5 };
            let chosen = moves.iter().position(|features| features[4] == 14 + wanted).unwrap();
            Choice { moves, chosen, held_out: seed.is_multiple_of(5) }
        };
        let choices: Vec<Choice> = (0..2_000).map(choice).collect();
        let order = Order::fit(&choices);
        let (player, _) = order.sides();
        assert!(player[14 + 5] > player[14 + 4] + 0.5 && player[14 + 4] > player[14 + 3] + 0.5);
        let (_, [first, third, _]) = order.report(&choices);
        assert!((first - 0.75).abs() < 0.05 && third > 0.99);
    }
}
