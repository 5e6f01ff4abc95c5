//! Labelled positions and how they are stored.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, ensure};
use othello::board::Board;

/// Bytes of a stored sample.
const RECORD: usize = 22;
/// Bytes of a record of the public file of exact endgames.
const EXACT_RECORD: usize = 17;
/// One game in so many is held out.
const HELD_OUT_EVERY: u32 = 20;

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
        // Games are numbered in order, so the number is stirred before it is divided.
        (self.game.wrapping_mul(2_654_435_761) >> 8).is_multiple_of(HELD_OUT_EVERY)
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

/// Appends samples to a stream.
///
/// # Errors
/// When the stream refuses them.
pub fn write(out: &mut impl Write, samples: &[Sample]) -> io::Result<()> {
    samples.iter().try_for_each(|sample| out.write_all(&sample.to_bytes()))
}

/// Reads the public file of exact endgames (8 bytes own discs, 8 bytes the other side's, 1 byte signed score). Every
/// record counts as a game of its own, numbered from `first_game`.
///
/// # Errors
/// When the file cannot be read or its length fits no whole number of records.
pub fn read_exact_endgames(path: &Path, first_game: u32) -> anyhow::Result<Vec<Sample>> {
    let bytes = fs::read(path).with_context(|| format!("reading {}", path.display()))?;
    ensure!(bytes.len().is_multiple_of(EXACT_RECORD), "{} holds no whole number of records", path.display());
    let records = bytes.chunks_exact(EXACT_RECORD).zip(first_game..);
    Ok(records
        .map(|(record, game)| {
            let sample = Sample::from_bytes(&[&record[..16], &[0; 6]].concat());
            Sample { centidiscs: i16::from(record[16] as i8) * 100, game, ..sample }
        })
        .collect())
}
