//! Takes out of the weights what they add for merely being to move.
//!
//! In noisy games the side to move has just been given something by a weak move, and weights fitted to them learn to
//! expect that. Between good players it is not so, and a search would see its value swing with every ply. Real
//! tournament games say how much is too much: the mean of estimate minus result, by group of empties and by whether
//! their number is odd.

use std::path::Path;

use othello::board::Size;
use othello::evaluation::Evaluator;
use othello::evaluation::network::HIDDEN;
use othello::evaluation::network::model::{COARSE_PER_DISC, FINE_PER_COARSE, SCALAR_SCALE, Stage};
use othello::evaluation::network::stages::{STAGES, stage_of};
use othello::position::{Color, Position};

use crate::tournament;

/// Mean surplus of the estimate in each group of empties, discs: for even and for odd numbers of empties.
type Surplus = [[f64; 2]; STAGES];

/// Measures the surplus of the weights in use on all finished games of a folder of tournament archives.
///
/// # Errors
/// When the folder has no archives or one cannot be read.
pub fn surplus(folder: &Path) -> anyhow::Result<Surplus> {
    let mut sums = [[(0.0, 0u32); 2]; STAGES];
    for game in tournament::games(folder)? {
        if let Some(positions) = tournament::positions(&game) {
            add_game(&mut sums, &positions, f64::from(game.black_discs) * 2.0 - 64.0);
        }
    }
    Ok(sums.map(|group| group.map(|(sum, count)| sum / f64::from(count.max(1)))))
}

fn add_game(sums: &mut [[(f64, u32); 2]; STAGES], positions: &[Position], black_margin: f64) {
    for position in positions.iter().filter(|position| position.moves() != 0) {
        let board = position.board();
        let estimate = f64::from(Evaluator::new(board, Size::Eight).value(board)) / 100.0;
        let result = if position.side() == Color::Black { black_margin } else { -black_margin };
        let empties = position.empty().count_ones();
        let (sum, count) = &mut sums[stage_of(empties)][(empties % 2) as usize];
        *sum += estimate - result;
        *count += 1;
    }
}

/// Takes the surplus out of the stages.
pub fn take_out(stages: &mut [Option<Stage>], surplus: &Surplus) {
    for (stage, [even, odd]) in stages.iter_mut().zip(surplus) {
        let Some(stage) = stage else { continue };
        let head = &mut stage.head;
        let steps = (even * f64::from(COARSE_PER_DISC * FINE_PER_COARSE)).round() as i32;
        head.bias[HIDDEN] -= (steps / FINE_PER_COARSE) as i16;
        head.bias[HIDDEN + 1] -= (steps % FINE_PER_COARSE) as i16;
        head.odd_empties -= ((odd - even) * f64::from(100 * SCALAR_SCALE)).round() as i16;
    }
}
