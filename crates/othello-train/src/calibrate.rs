//! Takes out of the weights what they add for merely being to move.
//!
//! In noisy games the side to move has just been given something by a weak move, and weights fitted to them learn to
//! expect that. Between good players it is not so, and a search would see its value swing with every ply. Real
//! tournament games say how much is too much: the mean of estimate minus result, by group of empties and by whether
//! their number is odd.

use std::fs;
use std::path::Path;

use anyhow::{Context, ensure};
use othello::board::Size;
use othello::evaluation::Evaluator;
use othello::evaluation::network::HIDDEN;
use othello::evaluation::network::model::{COARSE_PER_DISC, FINE_PER_COARSE, SCALAR_SCALE, Stage};
use othello::evaluation::network::stages::{STAGES, stage_of};
use othello::position::{Color, Position, Status};
use othello::square::Move;
use othello::wthor::Archive;

/// Mean surplus of the estimate in each group of empties, discs: for even and for odd numbers of empties.
type Surplus = [[f64; 2]; STAGES];

/// Measures the surplus of the weights in use on all finished games of a folder of tournament archives.
///
/// # Errors
/// When the folder has no archives or one cannot be read.
pub fn surplus(folder: &Path) -> anyhow::Result<Surplus> {
    let mut sums = [[(0.0, 0u32); 2]; STAGES];
    let entries = fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))?;
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "wtb"));
    paths.sort();
    ensure!(!paths.is_empty(), "{} holds no archives", folder.display());
    for path in paths {
        let bytes = fs::read(&path).with_context(|| format!("reading {}", path.display()))?;
        let archive = Archive::read(&bytes).with_context(|| path.display().to_string())?;
        for game in &archive.games {
            if game.replay().is_ok_and(|end| end.position.status() == Status::Finished) {
                add_game(&mut sums, &game.squares, f64::from(game.black_discs) * 2.0 - 64.0);
            }
        }
    }
    Ok(sums.map(|group| group.map(|(sum, count)| sum / f64::from(count.max(1)))))
}

fn add_game(sums: &mut [[(f64, u32); 2]; STAGES], moves: &[othello::square::Square], black_margin: f64) {
    let mut position = Position::start(Size::Eight);
    for &square in moves {
        if position.status() == Status::MustPass
            && let Ok(passed) = position.play(Move::Pass)
        {
            position = passed;
        }
        let board = position.board();
        let estimate = f64::from(Evaluator::new(board, Size::Eight).value(board)) / 100.0;
        let result = if position.side() == Color::Black { black_margin } else { -black_margin };
        let empties = position.empty().count_ones();
        let (sum, count) = &mut sums[stage_of(empties)][(empties % 2) as usize];
        *sum += estimate - result;
        *count += 1;
        let Ok(next) = position.play(Move::Place(square)) else { return };
        position = next;
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
