//! Games as lists of moves: `f5d6c3`, `1. F5 d6`, `["f5", "d6"]`.

use super::error::{NotationError, Place, Reason, excerpt};
use super::read::{Assumption, Format, Read};
use crate::position::Position;
use crate::square::Move;

/// The ways to write a pass, longer ones before their own beginnings.
const PASSES: [&str; 5] = ["pass", "pa", "ps", "--", "@@"];

/// Reads moves in one text and plays them from `start`: squares and passes in any case, with or without white space,
/// with or without numbers (`1.`, whose value means nothing). Forced passes may be left out; they are added and
/// listed. A text without moves gives `start`.
///
/// # Errors
/// At the first character that begins no move, or the first move that is illegal, moves after the end included.
pub fn read(text: &str, start: Position) -> Result<Read, NotationError> {
    let mut read = Read::of_position(start, Format::Transcript, Vec::new());
    let mut tokens = Tokens { rest: text, offset: 0 };
    let mut index = 0;
    while let Some(token) = tokens.next()? {
        play(&mut read, token.mv, index, token.text, Place::Character(token.offset))?;
        index += 1;
    }
    Ok(with_added_passes_listed(read))
}

/// Reads a list with one move an item and plays it from `start`. Forced passes may be left out.
///
/// # Errors
/// At the first item that is not one move, or the first move that is illegal, moves after the end included.
pub fn read_list<S: AsRef<str>>(items: &[S], start: Position) -> Result<Read, NotationError> {
    let mut read = Read::of_position(start, Format::MoveList, Vec::new());
    for (index, item) in items.iter().map(AsRef::as_ref).enumerate() {
        let place = Place::Item(index);
        let mv = read_move(item).map_err(|error| NotationError::new(place, error.reason))?;
        play(&mut read, mv, index, item.trim(), place)?;
    }
    Ok(with_added_passes_listed(read))
}

/// Reads one move, with nothing but white space around it. Whether it is legal somewhere is not asked.
///
/// # Errors
/// When the text is not exactly one move.
pub fn read_move(text: &str) -> Result<Move, NotationError> {
    let trimmed = text.trim();
    if trimmed.is_empty() {
        return Err(NotationError::whole(Reason::Empty));
    }
    match leading_move(trimmed) {
        Some((mv, length)) if length == trimmed.len() => Ok(mv),
        _ => Err(NotationError::whole(Reason::NotAMove(excerpt(trimmed)))),
    }
}

fn play(read: &mut Read, mv: Move, index: usize, token: &str, place: Place) -> Result<(), NotationError> {
    read.play(mv).map_err(|reason| {
        NotationError::new(place, Reason::IllegalMove { index, token: token.to_owned(), reason })
    })
}

fn with_added_passes_listed(mut read: Read) -> Read {
    read.assumed.extend(read.passes_added.iter().map(|&index| Assumption::PassAdded { index }));
    read
}

/// One move as written.
struct Token<'a> {
    mv: Move,
    text: &'a str,
    /// Its first character in the whole text.
    offset: usize,
}

/// The moves of a text, one after the other.
struct Tokens<'a> {
    rest: &'a str,
    /// Characters before `rest`.
    offset: usize,
}

impl<'a> Tokens<'a> {
    /// The next move; `None` at the end of the text.
    fn next(&mut self) -> Result<Option<Token<'a>>, NotationError> {
        self.skip_separators();
        if self.rest.is_empty() {
            return Ok(None);
        }
        let offset = self.offset;
        let Some((mv, length)) = leading_move(self.rest) else {
            return Err(NotationError::new(Place::Character(offset), Reason::NotAMove(excerpt(self.rest))));
        };
        Ok(Some(Token { mv, text: self.take(length), offset }))
    }

    /// Skips white space and move numbers: digits with a full stop, as in `12.` or `12...`.
    fn skip_separators(&mut self) {
        loop {
            let digits = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
            let stops = self.rest[digits..].bytes().take_while(|&byte| byte == b'.').count();
            let blanks = self.rest.len() - self.rest.trim_start().len();
            match (digits, stops, blanks) {
                (1.., 1.., _) => self.take(digits + stops),
                (_, _, 1..) => self.take(blanks),
                _ => return,
            };
        }
    }

    /// Goes on by this many bytes, which end at a character, and gives them.
    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        self.offset += taken.chars().count();
        taken
    }
}

/// The move that a text begins with, and its length in bytes.
fn leading_move(text: &str) -> Option<(Move, usize)> {
    let begins_with = |pass: &str| text.get(..pass.len()).is_some_and(|head| head.eq_ignore_ascii_case(pass));
    if let Some(pass) = PASSES.into_iter().find(|pass| begins_with(pass)) {
        return Some((Move::Pass, pass.len()));
    }
    let square = text.get(..2)?.parse().ok()?;
    Some((Move::Place(square), 2))
}
