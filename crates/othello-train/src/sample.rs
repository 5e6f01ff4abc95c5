//! Labelled positions and how they are stored.

use std::collections::HashMap;
use std::fmt;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context, ensure};
use othello::board::{Board, Size};
use othello::symmetry::Symmetry;

/// Bytes of a stored sample.
const RECORD: usize = 22;
/// Bytes of a record of the public file of exact endgames.
const EXACT_RECORD: usize = 17;
/// Numbers of games by where they come from: own games of a stage are numbered from 0, then exact endgames, recorded
/// tournament games, games that go on from a tournament beginning, and walks.
pub const FIRST_EXACT_GAME: u32 = 2 << 30;
/// The first recorded tournament game.
pub const FIRST_RECORDED_GAME: u32 = 5 << 29;
/// The first game that goes on from a tournament beginning.
pub const FIRST_CONTINUED_GAME: u32 = 3 << 30;
/// The first walk from a tournament game.
pub const FIRST_WALK: u32 = 7 << 29;
/// Walks are numbered in rounds of so many tournament games; the numbers beyond the last game stay free.
pub const WALK_GAMES: u32 = 1 << 18;
/// One game in so many is held out.
const HELD_OUT_EVERY: u32 = 20;

/// Where a sample comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Source {
    /// Noisy games of our own.
    Own,
    /// The public file of exact endgames.
    Exact,
    /// Recorded tournament games.
    Recorded,
    /// Games played on from a tournament beginning.
    Continued,
    /// Walks of a few moves from a tournament game.
    Walk,
}

impl Source {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Own, Self::Exact, Self::Recorded, Self::Continued, Self::Walk];
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Own => "own games",
            Self::Exact => "exact endgames",
            Self::Recorded => "recorded games",
            Self::Continued => "games played on",
            Self::Walk => "walks",
        })
    }
}

/// A position with the value it should have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sample {
    /// The position.
    pub board: Board,
    /// Final disc difference for the side to move, hundredths of a disc.
    pub centidiscs: i16,
    /// The game it comes from: samples of one game are either all trained on or all held out.
    pub game: u32,
}

impl Sample {
    /// Whether the sample only measures and never trains.
    pub const fn is_held_out(&self) -> bool {
        // All walks from one tournament game belong together.
        let game = if self.game >= FIRST_WALK { FIRST_WALK | (self.game % WALK_GAMES) } else { self.game };
        // Games are numbered in order, so the number is stirred before it is divided.
        (game.wrapping_mul(2_654_435_761) >> 8).is_multiple_of(HELD_OUT_EVERY)
    }

    /// Where it comes from, as its game's number tells.
    pub const fn source(&self) -> Source {
        match self.game {
            FIRST_WALK.. => Source::Walk,
            FIRST_CONTINUED_GAME.. => Source::Continued,
            FIRST_RECORDED_GAME.. => Source::Recorded,
            FIRST_EXACT_GAME.. => Source::Exact,
            _ => Source::Own,
        }
    }

    /// Empty squares.
    pub const fn empties(&self) -> u32 {
        (!self.board.occupied()).count_ones()
    }

    fn to_bytes(self) -> [u8; RECORD] {
        let mut bytes = [0; RECORD];
        bytes[..8].copy_from_slice(&self.board.player.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.board.opponent.to_le_bytes());
        bytes[16..18].copy_from_slice(&self.centidiscs.to_le_bytes());
        bytes[18..].copy_from_slice(&self.game.to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Self {
        let word = |range: std::ops::Range<usize>| {
            let mut word = [0; 8];
            word[..range.len()].copy_from_slice(&bytes[range]);
            u64::from_le_bytes(word)
        };
        Self {
            board: Board { player: word(0..8), opponent: word(8..16) },
            centidiscs: word(16..18) as i16,
            game: word(18..22) as u32,
        }
    }
}

/// Reads stored samples. A last record that was cut short (the writer was stopped) is left out.
///
/// # Errors
/// When the file cannot be read.
pub fn read(path: &Path) -> anyhow::Result<Vec<Sample>> {
    let bytes = fs::read(path).with_context(|| format!("reading {}", path.display()))?;
    Ok(bytes.chunks_exact(RECORD).map(Sample::from_bytes).collect())
}

/// A file of samples that grows, and can be stopped and gone on with at any time.
pub struct Growing {
    out: BufWriter<File>,
    /// Samples in the file.
    pub count: usize,
    /// Game of the last sample.
    pub last_game: Option<u32>,
}

impl Growing {
    /// Opens a file, or makes it. A last record that was cut short is taken off.
    ///
    /// # Errors
    /// When the file cannot be read or written.
    pub fn open(path: &Path) -> anyhow::Result<Self> {
        let done = if path.exists() { read(path)? } else { Vec::new() };
        let file = File::options().create(true).append(true).open(path);
        let file = file.with_context(|| format!("opening {}", path.display()))?;
        file.set_len((done.len() * RECORD) as u64).with_context(|| format!("cutting {}", path.display()))?;
        Ok(Self {
            out: BufWriter::new(file),
            count: done.len(),
            last_game: done.last().map(|sample| sample.game),
        })
    }

    /// Adds samples; they are on disk when this returns.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn append(&mut self, samples: &[Sample]) -> anyhow::Result<()> {
        for sample in samples {
            self.out.write_all(&sample.to_bytes()).context("writing samples")?;
        }
        self.out.flush().context("writing samples")?;
        self.count += samples.len();
        self.last_game = samples.last().map_or(self.last_game, |sample| Some(sample.game));
        Ok(())
    }
}

/// Merges equal positions up to the eight symmetries; their label is the mean. Which one is met first decides to
/// which game the position belongs.
pub fn distinct(samples: Vec<Sample>) -> Vec<Sample> {
    let mut place: HashMap<Board, usize> = HashMap::with_capacity(samples.len());
    let mut merged: Vec<(Sample, i64, i64)> = Vec::new();
    for sample in samples {
        let (canonical, _) = Symmetry::canonical(sample.board, Size::Eight);
        let at = *place.entry(canonical).or_insert(merged.len());
        if at == merged.len() {
            merged.push((sample, 0, 0));
        }
        merged[at].1 += i64::from(sample.centidiscs);
        merged[at].2 += 1;
    }
    merged
        .into_iter()
        .map(|(sample, sum, count)| Sample { centidiscs: (sum / count) as i16, ..sample })
        .collect()
}

/// Reads the public file of exact endgames (8 bytes own discs, 8 bytes the other side's, 1 byte signed score). Every
/// record counts as a game of its own.
///
/// # Errors
/// When the file cannot be read or its length fits no whole number of records.
pub fn read_exact_endgames(path: &Path) -> anyhow::Result<Vec<Sample>> {
    let bytes = fs::read(path).with_context(|| format!("reading {}", path.display()))?;
    ensure!(bytes.len().is_multiple_of(EXACT_RECORD), "{} holds no whole number of records", path.display());
    let records = bytes.chunks_exact(EXACT_RECORD).zip(FIRST_EXACT_GAME..);
    Ok(records
        .map(|(record, game)| {
            let sample = Sample::from_bytes(&[&record[..16], &[0; 6]].concat());
            Sample { centidiscs: i16::from(record[16] as i8) * 100, game, ..sample }
        })
        .collect())
}
