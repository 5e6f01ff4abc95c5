//! Boards as two words of 64 bits, written in hexadecimal.

use super::board_text;
use super::error::{NotationError, Place, Reason, excerpt};
use super::read::{Assumption, BitOrder, Format, Read};
use crate::board::Size;
use crate::position::{Color, Position};
use crate::square::Square;

/// The two words as written, 1 to 16 hexadecimal digits each, in any case, with or without `0x`.
#[derive(Debug, Clone, Copy)]
pub struct Words<'a> {
    /// The cells with a black disc.
    pub black: &'a str,
    /// The cells with a white disc.
    pub white: &'a str,
}

/// Reads two bitboards. The words cover the 8x8 grid whatever the size; smaller boards lie in its top left corner.
/// Without an order, `a1` is bit 0, and that is listed as assumed.
///
/// # Errors
/// When a word is not hexadecimal or longer than 16 digits, when the words overlap, and when a disc lies outside a
/// board of this size.
pub fn read(
    words: Words<'_>,
    order: Option<BitOrder>,
    size: Size,
    side: Color,
) -> Result<Read, NotationError> {
    let (order, assumed) = match order {
        Some(order) => (order, Vec::new()),
        None => (BitOrder::A1Lsb, vec![Assumption::BitOrder(BitOrder::A1Lsb)]),
    };
    let black = order.convert(word(words.black, Color::Black)?);
    let white = order.convert(word(words.white, Color::White)?);
    if let Some(square) = Square::lowest(black & white) {
        return Err(NotationError::whole(Reason::Overlap(square)));
    }
    for (color, discs) in [(Color::Black, black), (Color::White, white)] {
        if let Some(square) = Square::lowest(discs & !size.cells()) {
            return Err(NotationError::new(Place::Bitboard(color), Reason::OffBoard(square)));
        }
    }
    let position = Position::new(size, black, white, side);
    let position = position.expect("the words were just found not to overlap and to lie on the board");
    Ok(Read::of_position(position, Format::Bitboards, assumed))
}

/// Reads a pasted pair of words with the side to move behind: `0x0000000810000000 0x0000001008000000 black`. The
/// first word is taken as black's, `a1` as bit 0, and a missing side as black; each is listed as assumed.
///
/// # Errors
/// As [`read`], and when there are not two words and at most a side.
pub fn read_pasted(text: &str) -> Result<Read, NotationError> {
    let mut tokens = text.split_whitespace();
    let words = Words { black: tokens.next().unwrap_or_default(), white: tokens.next().unwrap_or_default() };
    let side = match tokens.next() {
        Some(token) => Some(board_text::read_side(token)?),
        None => None,
    };
    if let Some(token) = tokens.next() {
        return Err(NotationError::whole(Reason::NotASide(excerpt(token))));
    }
    let mut read = read(words, None, Size::Eight, side.unwrap_or(Color::Black))?;
    read.assumed.push(Assumption::BlackBitboardFirst);
    if side.is_none() {
        read.assumed.push(Assumption::BlackToMove);
    }
    Ok(read)
}

fn word(text: &str, color: Color) -> Result<u64, NotationError> {
    let text = text.trim();
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")).unwrap_or(text);
    let written_well =
        (1..=16).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let word = if written_well { u64::from_str_radix(digits, 16).ok() } else { None };
    word.ok_or_else(|| NotationError::new(Place::Bitboard(color), Reason::NotHexadecimal(shortened(text))))
}

/// The word for a message: one digit more than fits is enough to show that it is too long.
fn shortened(text: &str) -> String {
    const LONGEST: usize = 19;
    text.chars().take(LONGEST).collect()
}
