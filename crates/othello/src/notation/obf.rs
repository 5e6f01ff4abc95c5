//! OBF: a board, the side to move, and values of moves, `; MOVE:VALUE`, one position a line.
//!
//! `--------…-- X; G8:+18; H1:+12; % remark`. Values are discs for the side to move. A value of -127 for a pass is a
//! filler of some files, not a value, and is skipped. A per cent sign begins a remark.

use super::error::{NotationError, Place, Reason, excerpt};
use super::pasted_board;
use super::read::{Format, Read};
use super::transcript::read_move;
use crate::square::Move;

/// One position of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its line, from 0, empty lines and remarks included.
    pub line: usize,
    /// The position, and the values of its moves.
    pub read: Read,
}

/// Reads a whole file. Lines that hold only a remark or nothing are skipped.
///
/// # Errors
/// At the first line that is not a position.
pub fn read_file(text: &str) -> Result<Vec<Entry>, NotationError> {
    let mut entries = Vec::new();
    for (line, content) in positions(text) {
        entries.push(Entry { line, read: read_line(content).map_err(|error| in_line(error, line))? });
    }
    Ok(entries)
}

/// Reads one pasted position; remarks around it are skipped.
///
/// # Errors
/// As [`read_line`], and at the second position when there are several.
pub fn read(text: &str) -> Result<Read, NotationError> {
    let mut positions = positions(text);
    let (line, content) = positions.next().ok_or(NotationError::whole(Reason::Empty))?;
    let read = read_line(content).map_err(|error| in_line(error, line))?;
    match positions.next() {
        Some((line, _)) => {
            Err(NotationError::new(Place::Line { line, character: 0 }, Reason::SecondPosition))
        }
        None => Ok(read),
    }
}

/// Reads one line. Without a side, black moves, and that is listed as assumed.
///
/// # Errors
/// When the board, the side or an entry cannot be read, an entry's move is illegal, has a value already, or its value
/// is no whole number of discs within -64..=64.
pub fn read_line(line: &str) -> Result<Read, NotationError> {
    let line = without_remark(line);
    let (board, entries) = line.split_once(';').unwrap_or((line, ""));
    let mut read = pasted_board::read(board)?;
    read.format = Format::Obf;
    let mut offset = board.chars().count() + 1;
    for (index, entry) in entries.split(';').enumerate() {
        if !entry.trim().is_empty() {
            let place = Place::Character(offset + entry.chars().take_while(|c| c.is_whitespace()).count());
            let value =
                value(&read, index, entry.trim()).map_err(|reason| NotationError::new(place, reason))?;
            read.values.extend(value);
        }
        offset += entry.chars().count() + 1;
    }
    Ok(read)
}

/// The move and the value of one entry, `G8:+18`; `None` for the filler.
fn value(read: &Read, index: usize, entry: &str) -> Result<Option<(Move, i8)>, Reason> {
    const FILLER: i16 = -127;
    let (token, number) = entry.split_once(':').ok_or_else(|| Reason::NotAMove(excerpt(entry)))?;
    let (token, number) = (token.trim(), number.trim());
    let mv = read_move(token).map_err(|_| Reason::NotAMove(excerpt(token)))?;
    let not_a_value = || Reason::NotAValue(excerpt(number));
    let discs: i16 = number.parse().map_err(|_| not_a_value())?;
    if mv == Move::Pass && discs == FILLER {
        return Ok(None);
    }
    let discs =
        i8::try_from(discs).ok().filter(|discs| (-64..=64).contains(discs)).ok_or_else(not_a_value)?;
    if let Err(reason) = read.position.play(mv) {
        return Err(Reason::IllegalMove { index, token: token.to_owned(), reason });
    }
    if read.values.iter().any(|&(other, _)| other == mv) {
        return Err(Reason::RepeatedValue(mv));
    }
    Ok(Some((mv, discs)))
}

/// The lines that hold more than a remark, with their numbers from 0.
fn positions(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().filter(|(_, line)| !without_remark(line).trim().is_empty())
}

fn without_remark(line: &str) -> &str {
    line.split('%').next().unwrap_or_default()
}

fn in_line(error: NotationError, line: usize) -> NotationError {
    let character = match error.place {
        Place::Character(character) => character,
        _ => 0,
    };
    NotationError::new(Place::Line { line, character }, error.reason)
}
