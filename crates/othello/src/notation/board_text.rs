//! Boards with one character a cell, in one text or in one text a row.

use super::error::{NotationError, Place, Reason, excerpt};
use super::grid::{self, Cell, size_of_cells, size_of_side};
use super::read::{Assumption, Format, Read};
use crate::position::Color;

/// Reads a board in one text. White space separates; it stands for empty cells only when the board fits no other way.
///
/// # Errors
/// At the first character that is no board symbol; when the number of cells is none of 64, 36 and 16; when the digits
/// can be read in two ways.
pub fn read(text: &str, side: Color) -> Result<Read, NotationError> {
    let symbols: Vec<char> = text.chars().collect();
    let fitted = fit(&symbols, 0)?;
    finish(&fitted.cells, side, Format::Board, fitted.assumed)
}

/// Reads a board from its rows, top row first. White space as for [`read`].
///
/// # Errors
/// When the number of rows is none of 8, 6 and 4, a row has another number of cells, a character is no board symbol,
/// or the digits can be read in two ways.
pub fn read_rows<S: AsRef<str>>(rows: &[S], side: Color) -> Result<Read, NotationError> {
    let size = grid::size_of_rows(rows.len()).map_err(NotationError::whole)?;
    let expected = usize::from(size.side());
    let mut all = Vec::new();
    let mut assumed = Vec::new();
    for (item, row) in rows.iter().enumerate() {
        let symbols: Vec<char> = row.as_ref().chars().collect();
        if let Some((index, symbol)) = first_unknown(&symbols) {
            return Err(NotationError::new(Place::Within { item, index }, Reason::UnknownSymbol(symbol)));
        }
        let separated = without_blanks(&symbols);
        if separated.len() == expected {
            all.extend(separated);
        } else if symbols.len() == expected {
            all.extend(symbols);
            assumed = vec![Assumption::BlanksAreEmpty];
        } else {
            let reason = Reason::RowLength { count: separated.len(), expected };
            return Err(NotationError::new(Place::Item(item), reason));
        }
    }
    if let Some(index) = ambiguous_zero(&all) {
        return Err(NotationError::new(Place::Item(index / expected), Reason::AmbiguousDigits));
    }
    finish(&cells(&all), side, Format::BoardRows, assumed)
}

/// Reads a side to move: `black`, `white` in any case, or one disc symbol.
///
/// # Errors
/// When the text is neither.
pub fn read_side(text: &str) -> Result<Color, NotationError> {
    let text = text.trim();
    side(text).ok_or_else(|| NotationError::whole(Reason::NotASide(excerpt(text))))
}

/// What a character stands for on a board.
pub(super) const fn cell(symbol: char) -> Option<Cell> {
    match symbol {
        'X' | 'x' | '*' | 'B' | 'b' | '#' | '●' | '@' | '1' => Some(Cell::Disc(Color::Black)),
        'O' | 'o' | 'W' | 'w' | '○' | '2' => Some(Cell::Disc(Color::White)),
        '-' | '.' | '_' | '0' => Some(Cell::Empty),
        _ => None,
    }
}

/// The side to move that a text names.
pub(super) fn side(text: &str) -> Option<Color> {
    if text.eq_ignore_ascii_case("black") {
        return Some(Color::Black);
    }
    if text.eq_ignore_ascii_case("white") {
        return Some(Color::White);
    }
    let mut symbols = text.chars();
    match (symbols.next().and_then(cell), symbols.next()) {
        (Some(Cell::Disc(color)), None) => Some(color),
        _ => None,
    }
}

/// The cells of a board, and whether white space was counted among them.
pub(super) struct Fitted {
    pub cells: Vec<Cell>,
    pub assumed: Vec<Assumption>,
}

/// The cells of a text that holds a board and nothing else. Its first character stands at `offset` of the whole text.
pub(super) fn fit(symbols: &[char], offset: usize) -> Result<Fitted, NotationError> {
    let separated = without_blanks(symbols);
    if separated.is_empty() {
        return Err(NotationError::whole(Reason::Empty));
    }
    let at = |index| Place::Character(offset + index);
    let unknown = first_unknown(symbols);
    let known = unknown.map_or(symbols.len(), |(index, _)| index);
    if let Some(index) = ambiguous_zero(&symbols[..known]) {
        return Err(NotationError::new(at(index), Reason::AmbiguousDigits));
    }
    if let Some((index, symbol)) = unknown {
        return Err(NotationError::new(at(index), Reason::UnknownSymbol(symbol)));
    }
    let with_blanks = |symbols: &[char]| Fitted {
        cells: cells(symbols),
        assumed: symbols
            .iter()
            .any(|symbol| symbol.is_whitespace())
            .then_some(Assumption::BlanksAreEmpty)
            .into_iter()
            .collect(),
    };
    // Lines fix the size: the discs alone might happen to be as many as a smaller board has cells.
    if let Some(rows) = square_of_lines(symbols) {
        return Ok(with_blanks(&rows));
    }
    match size_of_cells(separated.len()) {
        Ok(_) => Ok(with_blanks(&separated)),
        Err(reason) => {
            let line = without_line_breaks(symbols);
            if size_of_cells(line.len()).is_ok() {
                Ok(with_blanks(&line))
            } else {
                Err(NotationError::whole(reason))
            }
        }
    }
}

/// The characters of a text that has as many lines as characters in each line, white space included, and a size that
/// can be played; `None` for other texts.
pub(super) fn square_of_lines(symbols: &[char]) -> Option<Vec<char>> {
    let text: String = symbols.iter().collect();
    let lines: Vec<Vec<char>> = text.lines().map(|line| line.chars().collect()).collect();
    size_of_side(lines.len()).ok()?;
    lines.iter().all(|line| line.len() == lines.len()).then(|| lines.concat())
}

/// Symbols to cells; white space is empty here.
fn cells(symbols: &[char]) -> Vec<Cell> {
    symbols.iter().map(|&symbol| cell(symbol).unwrap_or(Cell::Empty)).collect()
}

fn finish(
    cells: &[Cell],
    side: Color,
    format: Format,
    assumed: Vec<Assumption>,
) -> Result<Read, NotationError> {
    let position = grid::position(cells, side).map_err(NotationError::whole)?;
    Ok(Read::of_position(position, format, assumed))
}

fn without_blanks(symbols: &[char]) -> Vec<char> {
    symbols.iter().copied().filter(|symbol| !symbol.is_whitespace()).collect()
}

fn without_line_breaks(symbols: &[char]) -> Vec<char> {
    symbols.iter().copied().filter(|symbol| !matches!(symbol, '\n' | '\r')).collect()
}

fn first_unknown(symbols: &[char]) -> Option<(usize, char)> {
    let known = |symbol: char| symbol.is_whitespace() || cell(symbol).is_some();
    symbols.iter().copied().enumerate().find(|&(_, symbol)| !known(symbol))
}

/// The first 0 of a board that has another symbol for empty cells too and no disc but the digit 1. Such tables exist
/// with 0 as black and with 0 as the side to move, so taking 0 as empty would give a wrong position in silence.
fn ambiguous_zero(symbols: &[char]) -> Option<usize> {
    let another_empty = symbols.iter().any(|symbol| matches!(symbol, '-' | '.' | '_'));
    let is_disc = |symbol: char| matches!(cell(symbol), Some(Cell::Disc(_)));
    let mut discs = symbols.iter().copied().filter(|&symbol| is_disc(symbol)).peekable();
    if !another_empty || discs.peek().is_none() || !discs.all(|disc| disc == '1') {
        return None;
    }
    symbols.iter().position(|&symbol| symbol == '0')
}
