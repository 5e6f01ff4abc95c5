//! Tournament games as a source of positions and results.

use std::fs;
use std::path::Path;

use anyhow::{Context, ensure};
use othello::board::Size;
use othello::position::{Color, Position, Status};
use othello::square::Move;
use othello::wthor::{Archive, Game};

use crate::sample::{FIRST_RECORDED_GAME, Sample};

/// Empties from which on every archive knows the value of best play.
const THEORETICAL_EMPTIES: u32 = 24;
/// Later positions have proven values in abundance.
const FEWEST_EMPTIES: u32 = 14;

/// All games of a folder of WTHOR archives, in the order of file names.
///
/// # Errors
/// When the folder has no archives or one cannot be read.
pub fn games(folder: &Path) -> anyhow::Result<Vec<Game>> {
    let entries = fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))?;
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "wtb"));
    paths.sort();
    ensure!(!paths.is_empty(), "{} holds no archives", folder.display());
    let mut games = Vec::new();
    for path in paths {
        let bytes = fs::read(&path).with_context(|| format!("reading {}", path.display()))?;
        games.extend(Archive::read(&bytes).with_context(|| path.display().to_string())?.games);
    }
    Ok(games)
}

/// The positions of all finished games that are not close to the end. Their label is the value of best play from
/// 24 empties on, which the archive knows, and after that the result: the moves in between are the players' own, so
/// labels are noisy, but the faults of both sides cancel out.
///
/// # Errors
/// As [`games`].
pub fn samples(folder: &Path) -> anyhow::Result<Vec<Sample>> {
    let mut samples = Vec::new();
    for (game, number) in games(folder)?.iter().zip(FIRST_RECORDED_GAME..) {
        for position in positions(game).unwrap_or_default() {
            let discs = match position.empty().count_ones() {
                THEORETICAL_EMPTIES.. => game.theoretical_black_discs,
                FEWEST_EMPTIES.. => game.black_discs,
                _ => break,
            };
            let black_centidiscs = (i16::from(discs) * 2 - 64) * 100;
            let centidiscs =
                if position.side() == Color::Black { black_centidiscs } else { -black_centidiscs };
            samples.push(Sample { board: position.board(), centidiscs, game: number });
        }
    }
    Ok(samples)
}

/// The positions before each recorded disc and the one after the last; `None` where a disc breaks the rules or play
/// stopped before the end.
pub fn positions(game: &Game) -> Option<Vec<Position>> {
    let mut position = Position::start(Size::Eight);
    let mut positions = Vec::with_capacity(game.squares.len() + 1);
    for &square in &game.squares {
        if position.status() == Status::MustPass {
            position = position.play(Move::Pass).ok()?;
        }
        positions.push(position);
        position = position.play(Move::Place(square)).ok()?;
    }
    positions.push(position);
    (position.status() == Status::Finished).then_some(positions)
}
