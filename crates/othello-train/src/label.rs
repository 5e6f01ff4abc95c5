//! Labels positions with the value of a search.

use std::io::IsTerminal;
use std::path::Path;

use indicatif::{ProgressBar, ProgressStyle};
use othello::board::Board;
use othello::query::Selectivity;

use crate::folder::empties_of;
use crate::play;
use crate::random::Random;
use crate::sample::{Growing, Sample};
use crate::search::{Reach, Searcher};

/// From this many empties down labels are exact.
const EXACT_EMPTIES: u32 = 14;
/// Depth of the searches that label earlier positions, plies: more than a stage is long, so that the leaves lie in
/// the stage trained before.
const DEPTH: u8 = 6;
/// Games between two writes: what a stop can lose at most.
const GAMES_PER_WRITE: u32 = 200;
/// Distance between the seeds of two stages.
const GAMES_PER_STAGE: u32 = 100_000_000;

/// Labels positions of a stage until the file holds `wanted`, going on where it ends now.
pub fn label_stage(stage: usize, wanted: usize, path: &Path) -> anyhow::Result<()> {
    let mut file = Growing::open(path)?;
    let mut game = file.last_game.map_or(stage as u32 * GAMES_PER_STAGE, |last| last + 1);
    let bar = progress(&format!("labelling stage {stage}"), wanted);
    let searcher = Searcher::new();
    let (low, high) = empties_of(stage);
    while file.count < wanted {
        let mut samples = Vec::new();
        for _ in 0..GAMES_PER_WRITE {
            let mut random = Random::new(u64::from(game));
            for board in one_of_each_third(&mut random, low.max(1)..=high) {
                let found = searcher.search(board, reach(board));
                samples.push(Sample { board, centidiscs: found.centidiscs, game });
            }
            game += 1;
        }
        file.append(&samples)?;
        bar.set_position(file.count as u64);
    }
    bar.finish();
    Ok(())
}

/// Positions of one game, every third of them: neighbours in a game are too alike to be worth a label each.
fn one_of_each_third(random: &mut Random, wanted: std::ops::RangeInclusive<u32>) -> Vec<Board> {
    let first = random.below(3) as usize;
    play::positions(random, wanted).into_iter().skip(first).step_by(3).collect()
}

/// Exact where that is quick.
fn reach(board: Board) -> Reach {
    let empties = (!board.occupied()).count_ones();
    if empties <= EXACT_EMPTIES { Reach::Exact } else { Reach::Plies(DEPTH, Selectivity::Full) }
}

/// A bar for people; nothing where nobody looks.
pub fn progress(what: &str, wanted: usize) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {per_sec} {eta}")
        .expect("the template is well formed");
    ProgressBar::new(wanted as u64).with_style(style).with_message(what.to_owned())
}
