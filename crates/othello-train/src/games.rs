//! Games between searches, which label every position they pass through.
//!
//! A game begins with a piece of a tournament game and a few random moves, goes on by shallow searches with a stray
//! move now and then, and ends with exact play. Late positions get their proven value. An earlier position gets a
//! mixture of what its own search says and what the rest of the game brought (the lambda return of temporal-difference
//! learning, Sutton 1988): the searches have little noise but repeat the faults of the weights, the outcome has none
//! of their faults but much noise. Where a stray move was played the rest of the game says nothing about the position.

use std::ops::RangeInclusive;
use std::path::Path;

use anyhow::ensure;
use othello::board::{Board, Size};
use othello::query::Selectivity;
use othello::square::{Move, Squares};
use othello::wthor::Game;

use crate::random::Random;
use crate::sample::{FIRST_CONTINUED_GAME, Growing, Sample};
use crate::search::{Found, Reach, Searcher};
use crate::{label, tournament};

/// From this many empties down play and labels are exact.
const EXACT_EMPTIES: u32 = 17;
/// Below this many empties a game is not gone on with: enough late positions are at hand.
const LAST_EMPTIES: u32 = 8;
/// Plies of the searches before that.
const DEPTH: u8 = 4;
/// Most random moves after them.
const RANDOM_MOVES_MAX: u64 = 3;
/// One later move in so many is random.
const STRAY_MOVE_EVERY: u64 = 12;
/// Weight of the rest of the game in the label of an earlier position.
const LAMBDA: f32 = 0.8;
/// Games between two writes.
const GAMES_PER_WRITE: usize = 20;

/// One position of a game on its way to a label.
struct Step {
    board: Board,
    /// Whether the side to move is the one that began the game.
    first_side: bool,
    /// Value for the side to move, hundredths of a disc.
    centidiscs: i16,
    exact: bool,
    /// Whether the move played was a random one.
    stray: bool,
}

/// Which games one process plays, so that several can share the work: every `of`-th, from number `share`.
#[derive(Debug, Clone, Copy)]
pub struct Share {
    /// This process, from 0.
    pub share: u32,
    /// All of them.
    pub of: u32,
}

/// Where a tournament game is left: with so many empties.
pub type Leave = RangeInclusive<u32>;

/// Plays games until the file holds `wanted` samples or every tournament game was a beginning once; goes on where it
/// was stopped.
pub fn play_games(
    wthor: &Path,
    leave: &Leave,
    share: Share,
    wanted: usize,
    path: &Path,
) -> anyhow::Result<()> {
    ensure!(!leave.is_empty(), "games are left at {} to {} empties: none", leave.start(), leave.end());
    ensure!(share.share < share.of, "shares are numbered from 0 to {}", share.of - 1);
    let mut archive = tournament::games(wthor)?;
    Random::new(7).shuffle(&mut archive);
    let mut file = Growing::open(path)?;
    let next = file.last_game.map_or(share.share, |last| last - FIRST_CONTINUED_GAME + share.of);
    let searcher = Searcher::new();
    let bar = label::progress("playing", wanted);
    let numbers: Vec<u32> = (next..archive.len() as u32).step_by(share.of as usize).collect();
    for chunk in numbers.chunks(GAMES_PER_WRITE) {
        if file.count >= wanted {
            break;
        }
        let mut samples = Vec::new();
        for &number in chunk {
            let mut random = Random::new(u64::from(number));
            let steps = play(&archive[number as usize], leave, &mut random, &searcher);
            samples.extend(labelled(&steps, FIRST_CONTINUED_GAME + number));
        }
        file.append(&samples)?;
        bar.set_position(file.count as u64);
    }
    bar.finish();
    Ok(())
}

/// Plays one game from a piece of a tournament game.
fn play(beginning: &Game, leave: &Leave, random: &mut Random, searcher: &Searcher) -> Vec<Step> {
    let mut known = tournament::positions(beginning).unwrap_or_default();
    known.retain(|position| leave.contains(&position.empty().count_ones()));
    if known.is_empty() {
        return Vec::new();
    }
    let mut board = known[random.below(known.len() as u64) as usize].board();
    let mut random_moves = random.below(RANDOM_MOVES_MAX + 1);
    let mut first_side = true;
    let mut steps = Vec::new();
    loop {
        let mut moves = board.moves(Size::Eight);
        if moves == 0 {
            board = board.pass();
            first_side = !first_side;
            moves = board.moves(Size::Eight);
        }
        let empties = (!board.occupied()).count_ones();
        if moves == 0 || empties < LAST_EMPTIES {
            return steps;
        }
        let stray = random_moves > 0 || random.below(STRAY_MOVE_EVERY) == 0;
        let exact = empties <= EXACT_EMPTIES;
        let reach = if exact { Reach::Exact } else { Reach::Plies(DEPTH, Selectivity::P73) };
        let random_square =
            Squares(moves).nth(random.below(u64::from(moves.count_ones())) as usize).map(Move::Place);
        let mut played = random_square;
        // What a random beginning passes through is not worth a search.
        if random_moves == 0 {
            let Found { best, centidiscs } = searcher.search(board, reach);
            steps.push(Step { board, first_side, centidiscs, exact, stray });
            if !stray {
                played = Some(best);
            }
        }
        random_moves = random_moves.saturating_sub(1);
        let Some(Move::Place(square)) = played else { return steps };
        board = board.after(square.bit(), board.flips(square));
        first_side = !first_side;
    }
}

/// The labels, found from the end backwards.
fn labelled(steps: &[Step], game: u32) -> Vec<Sample> {
    let mut rest: Option<f32> = None;
    let mut samples: Vec<Sample> = steps
        .iter()
        .rev()
        .map(|step| {
            let sign = if step.first_side { 1.0 } else { -1.0 };
            let own = f32::from(step.centidiscs);
            let value = match rest {
                Some(rest) if !step.exact && !step.stray => LAMBDA * rest * sign + (1.0 - LAMBDA) * own,
                _ => own,
            };
            rest = Some(value * sign);
            Sample { board: step.board, centidiscs: value.round() as i16, game }
        })
        .collect();
    samples.reverse();
    samples
}

#[cfg(test)]
mod tests {
    use super::*;
    use othello::position::Position;

    fn step(first_side: bool, centidiscs: i16, exact: bool, stray: bool) -> Step {
        Step { board: Position::start(Size::Eight).board(), first_side, centidiscs, exact, stray }
    }

    #[test]
    fn the_rest_of_the_game_is_mixed_in_until_a_stray_move() {
        let steps = [
            step(true, 100, false, false),
            step(false, 50, false, true),
            step(true, 200, false, false),
            step(false, -400, true, false),
        ];
        let labels: Vec<i16> = labelled(&steps, 1).iter().map(|sample| sample.centidiscs).collect();
        // 0.8 * 400 + 0.2 * 200; the stray move cuts; 0.8 * -50 + 0.2 * 100.
        assert_eq!(labels, [-20, 50, 360, -400]);
    }
}
