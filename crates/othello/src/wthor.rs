//! Reader of WTHOR archives, the public record of tournament games: a header of 16 bytes, then 68 bytes a game, all
//! numbers little endian. Layout as published by the French Othello Federation.

use crate::board::Size;
use crate::position::{IllegalMove, Position, Status};
use crate::square::{Move, Square};

/// Bytes before the first game.
pub const HEADER_BYTES: usize = 16;
/// Bytes of one game.
pub const GAME_BYTES: usize = 68;
/// Empties at which the theoretical score was computed when the header leaves it open.
const DEFAULT_THEORETICAL_DEPTH: u8 = 22;

/// One file: usually the games of a year.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Archive {
    /// Year in which the games were played.
    pub year: u16,
    /// Empty squares from which on the theoretical score assumes best play.
    pub theoretical_from_empties: u8,
    /// The games in file order.
    pub games: Vec<Game>,
}

/// One game as recorded. Players and tournaments are numbers that other files give names to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    /// Number of the tournament.
    pub tournament: u16,
    /// Number of the black player.
    pub black: u16,
    /// Number of the white player.
    pub white: u16,
    /// The result: discs of black, 0..=64, empty squares counted for the winner (32 is a draw). Where play stopped
    /// early it is the official result and need not match the board.
    pub black_discs: u8,
    /// Discs of black after best play from the empties of [`Archive::theoretical_from_empties`] on, 0..=64.
    pub theoretical_black_discs: u8,
    /// The discs placed, in order. Passes are not recorded.
    pub squares: Vec<Square>,
}

/// Bytes that are not an archive of 8x8 games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ArchiveError {
    /// The header is cut off.
    #[error("an archive begins with a header of {HEADER_BYTES} bytes, here are {0}")]
    NoHeader(usize),
    /// The header names another board.
    #[error("only games on the 8x8 board can be read, this archive has size {0}")]
    BoardSize(u8),
    /// The number of games does not fit the length.
    #[error("{games} games need {needed} bytes, here are {length}")]
    Length {
        /// Games that the header promises.
        games: u32,
        /// Bytes that they take with the header.
        needed: u64,
        /// Bytes given.
        length: usize,
    },
    /// A game has a value that its field cannot hold.
    #[error("game {game}: {value} is no {field}")]
    Field {
        /// Index of the game in the file, from 0.
        game: usize,
        /// What the field is.
        field: &'static str,
        /// The byte found.
        value: u8,
    },
}

/// A recorded move that the rules do not allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("disc {index} of the game: {reason}")]
pub struct ReplayError {
    /// Which of the recorded discs, from 0.
    pub index: usize,
    /// What is wrong with it.
    pub reason: IllegalMove,
}

/// The end of a replayed game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Replay {
    /// The position after the last recorded disc.
    pub position: Position,
    /// Forced passes on the way there.
    pub passes: u32,
}

impl Archive {
    /// Reads a whole file.
    ///
    /// # Errors
    /// When the bytes are not an archive of 8x8 games, or a game holds a value outside its range.
    pub fn read(bytes: &[u8]) -> Result<Self, ArchiveError> {
        let Some((header, records)) = bytes.split_at_checked(HEADER_BYTES) else {
            return Err(ArchiveError::NoHeader(bytes.len()));
        };
        // A size of 0 stands for the standard board.
        if !matches!(header[12], 0 | 8) {
            return Err(ArchiveError::BoardSize(header[12]));
        }
        let games = u32::from_le_bytes([header[4], header[5], header[6], header[7]]);
        let needed = HEADER_BYTES as u64 + u64::from(games) * GAME_BYTES as u64;
        if needed != bytes.len() as u64 {
            return Err(ArchiveError::Length { games, needed, length: bytes.len() });
        }
        let (records, _) = records.as_chunks::<GAME_BYTES>();
        Ok(Self {
            year: u16::from_le_bytes([header[10], header[11]]),
            theoretical_from_empties: if header[14] == 0 { DEFAULT_THEORETICAL_DEPTH } else { header[14] },
            games: records
                .iter()
                .enumerate()
                .map(|(index, record)| Game::read(index, record))
                .collect::<Result<_, _>>()?,
        })
    }
}

impl Game {
    fn read(game: usize, record: &[u8; GAME_BYTES]) -> Result<Self, ArchiveError> {
        let number = |at: usize| u16::from_le_bytes([record[at], record[at + 1]]);
        let discs = |at: usize, field| match record[at] {
            value @ 0..=64 => Ok(value),
            value => Err(ArchiveError::Field { game, field, value }),
        };
        let codes = &record[8..];
        let played = codes.iter().position(|&code| code == 0).unwrap_or(codes.len());
        let (codes, rest) = codes.split_at(played);
        if let Some(&value) = rest.iter().find(|&&code| code != 0) {
            return Err(ArchiveError::Field { game, field: "end of the moves", value });
        }
        let square =
            |&code: &u8| square(code).ok_or(ArchiveError::Field { game, field: "square", value: code });
        Ok(Self {
            tournament: number(0),
            black: number(2),
            white: number(4),
            black_discs: discs(6, "number of discs")?,
            theoretical_black_discs: discs(7, "theoretical number of discs")?,
            squares: codes.iter().map(square).collect::<Result<_, _>>()?,
        })
    }

    /// Plays the game from the start. A side that cannot move passes before the next recorded disc.
    ///
    /// # Errors
    /// When a recorded disc breaks the rules.
    pub fn replay(&self) -> Result<Replay, ReplayError> {
        let mut position = Position::start(Size::Eight);
        let mut passes = 0;
        for (index, &square) in self.squares.iter().enumerate() {
            let failed = |reason| ReplayError { index, reason };
            if position.status() == Status::MustPass {
                position = position.play(Move::Pass).map_err(failed)?;
                passes += 1;
            }
            position = position.play(Move::Place(square)).map_err(failed)?;
        }
        Ok(Replay { position, passes })
    }
}

/// The square of a code `10 * row + column`, both from 1: `a1` is 11, `h8` is 88.
fn square(code: u8) -> Option<Square> {
    Square::at((code / 10).checked_sub(1)?, (code % 10).checked_sub(1)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn archive(games: u8, records: &[u8]) -> Vec<u8> {
        let mut bytes = vec![20, 26, 2, 1, games, 0, 0, 0, 0, 0, 0xE9, 0x07, 8, 0, 24, 0];
        bytes.extend_from_slice(records);
        bytes
    }

    fn record(codes: &[u8]) -> Vec<u8> {
        let mut bytes = vec![1, 0, 2, 1, 3, 0, 64, 40];
        bytes.extend_from_slice(codes);
        bytes.resize(GAME_BYTES, 0);
        bytes
    }

    #[test]
    fn a_game_is_read_field_by_field() {
        let read = Archive::read(&archive(1, &record(&[56, 64, 11, 88]))).unwrap();
        assert_eq!((read.year, read.theoretical_from_empties), (2025, 24));
        let [game] = &read.games[..] else { panic!("one game was written") };
        assert_eq!((game.tournament, game.black, game.white), (1, 258, 3));
        assert_eq!((game.black_discs, game.theoretical_black_discs), (64, 40));
        let names: Vec<String> = game.squares.iter().map(ToString::to_string).collect();
        assert_eq!(names, ["f5", "d6", "a1", "h8"]);
    }

    #[test]
    fn a_header_that_leaves_the_depth_open_means_22() {
        let mut bytes = archive(0, &[]);
        bytes[14] = 0;
        assert_eq!(Archive::read(&bytes).unwrap().theoretical_from_empties, 22);
    }

    #[test]
    fn bytes_that_are_no_archive_are_refused_with_the_reason() {
        assert_eq!(Archive::read(&[0; 15]), Err(ArchiveError::NoHeader(15)));
        let mut ten = archive(0, &[]);
        ten[12] = 10;
        assert_eq!(Archive::read(&ten), Err(ArchiveError::BoardSize(10)));
        let short = archive(2, &record(&[]));
        assert_eq!(Archive::read(&short), Err(ArchiveError::Length { games: 2, needed: 152, length: 84 }));
        for (codes, field, value) in [
            (&[10][..], "square", 10),
            (&[19], "square", 19),
            (&[91], "square", 91),
            (&[7], "square", 7),
            (&[56, 0, 64], "end of the moves", 64),
        ] {
            let read = Archive::read(&archive(1, &record(codes)));
            assert_eq!(read, Err(ArchiveError::Field { game: 0, field, value }));
        }
        let mut discs = record(&[]);
        discs[6] = 65;
        let expected = ArchiveError::Field { game: 0, field: "number of discs", value: 65 };
        assert_eq!(Archive::read(&archive(1, &discs)), Err(expected));
    }

    #[test]
    fn an_illegal_disc_stops_the_replay_where_it_is() {
        let read = Archive::read(&archive(1, &record(&[56, 11]))).unwrap();
        let reason = IllegalMove::TurnsNothing("a1".parse().unwrap());
        assert_eq!(read.games[0].replay(), Err(ReplayError { index: 1, reason }));
    }
}
