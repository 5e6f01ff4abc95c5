//! One pasted text: find out which form it has, read it, or refuse it by name.

use super::error::{NotationError, Reason, UnreadForm, Variant};
use super::read::Read;
use super::{bitboards, obf, pasted_board, transcript};
use crate::board::Size;
use crate::position::Position;
use crate::square::Square;

/// Reads a transcript (from the standard 8x8 start), a board with or without a side to move, an OBF line, or two
/// bitboards. The form found is in [`Read::format`].
///
/// # Errors
/// For forms and games that are recognised but not read, by name; else as the reader of the form that the text looks
/// most like.
pub fn read(text: &str) -> Result<Read, NotationError> {
    if text.trim().is_empty() {
        return Err(NotationError::whole(Reason::Empty));
    }
    if let Some(reason) = unread(text) {
        return Err(NotationError::whole(reason));
    }
    match form(text) {
        Form::Obf => obf::read(text),
        Form::Bitboards => bitboards::read_pasted(text),
        Form::Board => pasted_board::read(text),
        Form::Transcript => transcript::read(text, Position::start(Size::Eight)),
    }
}

/// The forms that a pasted text can have.
enum Form {
    Obf,
    Bitboards,
    Board,
    Transcript,
}

/// The form that a text looks most like.
fn form(text: &str) -> Form {
    let trimmed = text.trim_start();
    if trimmed.starts_with("0x") || trimmed.starts_with("0X") {
        Form::Bitboards
    } else if text.contains([';', '%']) {
        Form::Obf
    } else if pasted_board::has_only_cells(text)
        || (pasted_board::has_mostly_cells(text) && !names_squares(text))
    {
        Form::Board
    } else {
        Form::Transcript
    }
}

/// What a text is that is recognised, but not read.
fn unread(text: &str) -> Option<Reason> {
    let lower = text.to_ascii_lowercase();
    let trimmed = lower.trim();
    let first = trimmed.split_whitespace().next().unwrap_or_default();
    if trimmed.contains("anti-othello") || trimmed.contains("antiothello") || trimmed.contains("anti-reversi")
    {
        return Some(Reason::UnreadVariant(Variant::AntiOthello));
    }
    if trimmed.contains("(;") {
        let ggf = trimmed.contains("gm[othello]");
        return Some(Reason::UnreadForm(if ggf { UnreadForm::Ggf } else { UnreadForm::Sgf }));
    }
    let json_list = trimmed.starts_with('[') && trimmed.contains(',');
    if trimmed.starts_with(['{', '"']) || json_list {
        return Some(Reason::UnreadForm(UnreadForm::Json));
    }
    if first.matches('/').count() >= 3 {
        return Some(Reason::UnreadForm(UnreadForm::Fen));
    }
    numbers_as_moves(trimmed).then_some(Reason::UnreadForm(UnreadForm::MoveNumbers))
}

/// Whether a text is a list of whole numbers below 100 and not a board of digits.
fn numbers_as_moves(text: &str) -> bool {
    let mut numbers = text.split(|c: char| c.is_whitespace() || c == ',').filter(|token| !token.is_empty());
    let is_number = |token: &str| token.len() <= 2 && token.bytes().all(|byte| byte.is_ascii_digit());
    let is_cells = text.bytes().filter(u8::is_ascii_digit).all(|digit| matches!(digit, b'0'..=b'2'));
    let count = text.split_whitespace().count();
    numbers.all(is_number) && !(is_cells && count >= usize::from(Size::Four.side()))
}

/// Whether a text holds the name of a square: a column letter right before a row number.
fn names_squares(text: &str) -> bool {
    let is_square = |pair: &[u8]| std::str::from_utf8(pair).is_ok_and(|name| name.parse::<Square>().is_ok());
    text.as_bytes().windows(2).any(is_square)
}
