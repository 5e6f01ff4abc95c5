//! A pasted board: cells, then the side to move, which may be missing, and what programs and people put around them.

use super::board_text::{Fitted, cell, fit, side, square_of_lines};
use super::error::{NotationError, Place, Reason, excerpt};
use super::grid::{self, size_of_cells, size_of_side};
use super::read::{Assumption, Format, Read};
use crate::board::Size;
use crate::position::Color;

/// Reads a pasted board: the cells, then the side to move (black when there is none). A board in square brackets
/// after its side length, as in GGF and on GGS (`[8 -------- … *]`), and a remark in round brackets at the end are
/// understood.
///
/// # Errors
/// As [`board_text::read`](super::board_text::read), and when something else follows the board.
pub fn read(text: &str) -> Result<Read, NotationError> {
    let symbols: Vec<char> = text.chars().collect();
    let mut part = Part { symbols: &symbols, offset: 0 };
    let mut assumed = Vec::new();
    if let Some(offset) = part.cut_remark() {
        assumed.push(Assumption::RemarkSkipped { offset });
    }
    let said = part.cut_brackets()?;
    let side = part.cut_side();
    if side.is_none() {
        assumed.push(Assumption::BlackToMove);
    }
    let Fitted { cells, assumed: blanks } =
        fit(part.symbols, part.offset).map_err(|error| part.name_what_follows(error))?;
    assumed.extend(blanks);
    let position = grid::position(&cells, side.unwrap_or(Color::Black)).map_err(NotationError::whole)?;
    let found = position.size().side();
    match said.map(Size::side) {
        Some(said) if said != found => Err(NotationError::whole(Reason::SizeMismatch { said, found })),
        _ => Ok(Read::of_position(position, Format::Board, assumed)),
    }
}

/// A stretch of a text.
#[derive(Clone, Copy)]
struct Part<'a> {
    symbols: &'a [char],
    /// Its first character in the whole text.
    offset: usize,
}

impl Part<'_> {
    /// Cuts a remark in round brackets off the end and gives its place in the whole text.
    fn cut_remark(&mut self) -> Option<usize> {
        let trimmed = trim_end(self.symbols);
        trimmed.last().filter(|&&last| last == ')')?;
        let begin = trimmed.iter().rposition(|&symbol| symbol == '(')?;
        let before = &trimmed[..begin];
        before.last().filter(|symbol| symbol.is_whitespace())?;
        self.symbols = before;
        Some(self.offset + begin)
    }

    /// Cuts square brackets and the side length behind the opening one off, and gives the size said.
    fn cut_brackets(&mut self) -> Result<Option<Size>, NotationError> {
        let blanks = leading_blanks(self.symbols);
        let [opening, inside @ .., closing] = trim_end(&self.symbols[blanks..]) else { return Ok(None) };
        if (*opening, *closing) != ('[', ']') {
            return Ok(None);
        }
        let begin = self.offset + blanks + 1;
        let said: String = inside.iter().take_while(|symbol| !symbol.is_whitespace()).collect();
        let Some(side) = said.parse::<u8>().ok().filter(|_| said.len() <= 2) else {
            *self = Part { symbols: inside, offset: begin };
            return Ok(None);
        };
        let size = size_of_side(usize::from(side));
        let size = size.map_err(|reason| NotationError::new(Place::Character(begin), reason))?;
        *self = Part { symbols: &inside[said.len()..], offset: begin + said.len() };
        Ok(Some(size))
    }

    /// Cuts the side to move off the end. A lone disc symbol at the end is the side, unless the cells themselves stand
    /// one by one and it belongs to them.
    fn cut_side(&mut self) -> Option<Color> {
        if square_of_lines(self.symbols).is_some() {
            return None;
        }
        let trimmed = trim_end(self.symbols);
        let begin = trimmed.iter().rposition(|symbol| symbol.is_whitespace())? + 1;
        let (before, last) = trimmed.split_at(begin);
        let color = side(&last.iter().collect::<String>())?;
        let mut tokens = before.split(|symbol| symbol.is_whitespace()).filter(|token| !token.is_empty());
        if last.len() == 1 && tokens.all(|token| token.len() == 1) {
            let cells = before.iter().filter(|symbol| !symbol.is_whitespace()).count();
            size_of_cells(cells).ok()?;
        }
        // A last row of blanks is part of the board; other white space before the side is not.
        let rows = before.strip_suffix(&['\n']).unwrap_or(before);
        self.symbols = if square_of_lines(rows).is_some() { rows } else { trim_end(before) };
        Some(color)
    }

    /// What follows a complete board is not an unknown cell but an unknown side to move.
    fn name_what_follows(&self, error: NotationError) -> NotationError {
        let (Place::Character(offset), Reason::UnknownSymbol(_)) = (error.place, &error.reason) else {
            return error;
        };
        let (before, from) = self.symbols.split_at(offset - self.offset);
        let cells = before.iter().filter(|&&symbol| cell(symbol).is_some()).count();
        if size_of_cells(cells).is_err() || !before.last().is_some_and(|symbol| symbol.is_whitespace()) {
            return error;
        }
        let rest: String = from.iter().collect();
        NotationError::new(error.place, Reason::NotASide(excerpt(&rest)))
    }
}

/// How many characters at the beginning are white space.
fn leading_blanks(symbols: &[char]) -> usize {
    symbols.iter().take_while(|symbol| symbol.is_whitespace()).count()
}

fn trim_end(symbols: &[char]) -> &[char] {
    let kept = symbols.iter().rposition(|symbol| !symbol.is_whitespace()).map_or(0, |last| last + 1);
    &symbols[..kept]
}

/// Whether a text holds nothing but board symbols, and enough of them for the smallest board: no game is written with
/// them alone, though `b1`, `b2` and two ways to write a pass look like cells too.
pub(super) fn has_only_cells(text: &str) -> bool {
    let (cells, others) = count_symbols(text);
    others == 0 && cells >= usize::from(Size::Four.side()).pow(2)
}

/// Whether most characters of a text are board symbols.
pub(super) fn has_mostly_cells(text: &str) -> bool {
    let (cells, others) = count_symbols(text);
    cells > others
}

/// How many characters are board symbols, and how many are something else but white space. A side to move written as
/// a word at the end counts as neither.
fn count_symbols(text: &str) -> (usize, usize) {
    let trimmed = text.trim_end();
    let board = match trimmed.rsplit_once(char::is_whitespace) {
        Some((before, last)) if last.len() > 1 && side(last).is_some() => before,
        _ => trimmed,
    };
    let symbols = board.chars().filter(|symbol| !symbol.is_whitespace());
    let (cells, others): (Vec<char>, Vec<char>) = symbols.partition(|&symbol| cell(symbol).is_some());
    (cells.len(), others.len())
}
