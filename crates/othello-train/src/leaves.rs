//! Positions like those that a search judges, with cheap labels in quantity.
//!
//! A walk begins in a recorded tournament game and goes on for a few moves, each side choosing by the evaluation with a
//! noise of its own: one may play well and the other anything, as on the lines of an alpha-beta search, whose leaves
//! are what the weights have to judge. Only the last position of a walk is labelled, so that samples differ.

use std::ops::RangeInclusive;
use std::path::Path;

use anyhow::ensure;
use othello::board::{Board, Size};
use othello::evaluation::Evaluator;
use othello::square::Squares;
use othello::wthor::Game;

use crate::labeller::{Labeller, Labels, with_labeller};
use crate::random::Random;
use crate::sample::{FIRST_WALK, Growing, Sample, WALK_GAMES};
use crate::{label, tournament};

/// Fewest moves of a walk.
const STEPS_MIN: u32 = 1;
/// Most moves of a walk.
const STEPS_MAX: u32 = 10;
/// Temperatures of a side's choice of moves, discs: from nearly the best move to any move.
const TEMPERATURES: [f32; 6] = [0.5, 1.0, 2.0, 4.0, 8.0, 100.0];
/// Moves at the end of every second walk that both sides choose well: after a bad move the side to move has been given
/// something, and not all positions may be of that kind.
const CALM_STEPS: u32 = 2;
/// Walks between two writes.
const WALKS_PER_WRITE: u32 = 500;

/// Labels the ends of walks with one of these numbers of empties until the file holds `wanted`; goes on where it was
/// stopped.
///
/// # Errors
/// When the archives cannot be read or the file cannot be written.
pub fn label_leaves(
    wthor: &Path,
    empties: RangeInclusive<u32>,
    labels: Labels,
    wanted: usize,
    path: &Path,
) -> anyhow::Result<()> {
    ensure!(!empties.is_empty(), "walks end at {} to {} empties: nowhere", empties.start(), empties.end());
    let mut archive = tournament::games(wthor)?;
    Random::new(11).shuffle(&mut archive);
    ensure!(archive.len() <= WALK_GAMES as usize, "more than {WALK_GAMES} tournament games");
    let mut file = Growing::open(path)?;
    let bar = label::progress("labelling", wanted);
    with_labeller(labels, |labeller| {
        let mut next = file.last_game.map_or(0, |last| last - FIRST_WALK + 1);
        while file.count < wanted {
            file.append(&some_walks(&archive, &empties, next, labeller))?;
            next += WALKS_PER_WRITE;
            bar.set_position(file.count as u64);
        }
        anyhow::Ok(())
    })?;
    bar.finish();
    Ok(())
}

/// The labelled ends of the walks from number `first` on that are written together.
fn some_walks(
    archive: &[Game],
    empties: &RangeInclusive<u32>,
    first: u32,
    labeller: &mut Labeller,
) -> Vec<Sample> {
    let mut samples = Vec::new();
    for walk in first..first + WALKS_PER_WRITE {
        // The low bits name the tournament game, so that all walks from it are held out together.
        let Some(game) = archive.get((walk % WALK_GAMES) as usize) else { continue };
        let mut random = Random::new((u64::from(walk) << 8) | u64::from(*empties.end()));
        if let Some(board) = walk_from(game, empties, &mut random) {
            samples.push(Sample { board, centidiscs: labeller.label(board), game: FIRST_WALK + walk });
        }
    }
    samples
}

/// The end of one walk, if the side to move there has a move.
fn walk_from(game: &Game, empties: &RangeInclusive<u32>, random: &mut Random) -> Option<Board> {
    let end = empties.start() + random.below(u64::from(empties.end() - empties.start() + 1)) as u32;
    let begin = end + STEPS_MIN + random.below(u64::from(STEPS_MAX - STEPS_MIN + 1)) as u32;
    let begin = begin.min(60);
    let positions = tournament::positions(game)?;
    let mut board = positions.iter().find(|position| position.empty().count_ones() == begin)?.board();
    let mut temperature =
        [0, 1].map(|_: usize| TEMPERATURES[random.below(TEMPERATURES.len() as u64) as usize]);
    let calm_from = end + if random.below(2) == 0 { CALM_STEPS } else { 0 };
    loop {
        let mut moves = board.moves(Size::Eight);
        let empties = (!board.occupied()).count_ones();
        let is_end = empties == end;
        if empties <= calm_from {
            temperature = [TEMPERATURES[0]; 2];
        }
        if moves == 0 || is_end {
            return (moves != 0).then_some(board).filter(|_| is_end);
        }
        board = choose(board, moves, temperature[0], random);
        moves = board.moves(Size::Eight);
        temperature.swap(0, 1);
        if moves == 0 {
            board = board.pass();
            temperature.swap(0, 1);
        }
    }
}

/// The position after a move that is chosen the likelier the better it looks (Luce's rule, by Gumbel noise).
fn choose(board: Board, moves: u64, temperature: f32, random: &mut Random) -> Board {
    let worth = |next: Board, random: &mut Random| {
        let unit = (random.signed_unit() * 0.5 + 0.5).clamp(1e-6, 1.0 - 1e-6);
        let noise = -(-unit.ln()).ln();
        -Evaluator::new(next, Size::Eight).value(next) as f32 / 100.0 + temperature * noise
    };
    let mut best = (f32::NEG_INFINITY, board);
    for square in Squares(moves) {
        let next = board.after(square.bit(), board.flips(square));
        let worth = worth(next, random);
        if worth > best.0 {
            best = (worth, next);
        }
    }
    best.1
}
