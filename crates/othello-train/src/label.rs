//! Labels positions with the value of a search.

use std::fs::OpenOptions;
use std::io::{BufWriter, IsTerminal, Write};
use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use othello::board::{Board, Size};
use othello::position::{Color, EmptiesRule, Position};
use othello::query::{Goal, Query, Selectivity, Value};
use othello::search::root::OthelloSearch;
use othello::search::table::Table;
use searchkit::clock::StoppedClock;
use searchkit::crew;
use searchkit::stop::StopFlag;

use crate::random::Random;
use crate::sample::{self, Sample};
use crate::{empties_of, play};

/// From this many empties down labels are exact.
const EXACT_EMPTIES: u32 = 14;
/// Depth of the searches that label earlier positions, plies: more than a stage is long, so that the leaves lie in
/// the stage trained before.
const DEPTH: u8 = 6;
/// Table of a labelling search: small, so that a new search finds it in the cache.
const TABLE_BYTES: usize = 4 << 20;
/// Games between two writes: what a stop can lose at most.
const GAMES_PER_WRITE: u32 = 200;
/// Distance between the seeds of two stages.
const GAMES_PER_STAGE: u32 = 100_000_000;

/// Labels positions of a stage until the file holds `wanted`, going on where it ends now.
pub fn label_stage(stage: usize, wanted: usize, path: &Path) -> anyhow::Result<()> {
    let done = if path.exists() { sample::read(path)? } else { Vec::new() };
    let mut game = done.last().map_or(stage as u32 * GAMES_PER_STAGE, |last| last.game + 1);
    // A record that was cut short is written again: the file is cut back to whole records first.
    let file = OpenOptions::new()
        .create(true)
        .truncate(true)
        .write(true)
        .open(path)
        .with_context(|| format!("opening {}", path.display()))?;
    let mut out = BufWriter::new(file);
    sample::write(&mut out, &done)?;
    let mut count = done.len();
    let bar = progress(stage, wanted);
    let table = Arc::new(Table::new(TABLE_BYTES));
    let (low, high) = empties_of(stage);
    while count < wanted {
        let mut samples = Vec::new();
        for _ in 0..GAMES_PER_WRITE {
            let mut random = Random::new(u64::from(game));
            for board in one_of_each_third(&mut random, low.max(1)..=high) {
                samples.push(Sample { board, centidiscs: value(board, &table), game });
            }
            game += 1;
        }
        sample::write(&mut out, &samples)?;
        out.flush()?;
        count += samples.len();
        bar.set_position(count as u64);
    }
    bar.finish();
    Ok(())
}

/// Positions of one game, every third of them: neighbours in a game are too alike to be worth a label each.
fn one_of_each_third(random: &mut Random, wanted: std::ops::RangeInclusive<u32>) -> Vec<Board> {
    let first = random.below(3) as usize;
    play::positions(random, wanted).into_iter().skip(first).step_by(3).collect()
}

/// The value of a position for the side to move, hundredths of a disc.
fn value(board: Board, table: &Arc<Table>) -> i16 {
    let position = Position::new(Size::Eight, board.player, board.opponent, Color::Black)
        .expect("a position of a game has no overlapping discs");
    let empties = position.empty().count_ones();
    let exact = empties <= EXACT_EMPTIES;
    let query = Query {
        position,
        goal: Goal::BestMove,
        root_moves: None,
        depth: (!exact).then_some(DEPTH),
        nodes: None,
        exact_from_empties: if exact { EXACT_EMPTIES as u8 } else { 0 },
        selectivity: Selectivity::Full,
        empties_rule: EmptiesRule::Winner,
        threads: 1,
    };
    let search = OthelloSearch::new(query, Arc::clone(table));
    let answer = crew::run(&search, 1, &StoppedClock, None, &StopFlag::new(), &|_| {});
    let best = answer.moves.first().and_then(|best| best.score).expect("a position with a move has a value");
    match best.value {
        Value::Exact { discs } => i16::from(discs) * 100,
        Value::Estimate { centidiscs } => centidiscs,
        Value::Sign { .. } => unreachable!("the goal asks for a value"),
    }
}

fn progress(stage: usize, wanted: usize) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {per_sec} {eta}")
        .expect("the template is well formed");
    ProgressBar::new(wanted as u64).with_style(style).with_message(format!("labelling stage {stage}"))
}
