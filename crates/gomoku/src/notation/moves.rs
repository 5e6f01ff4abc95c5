//! Moves: in one text, as a list of names, or as a list of columns and rows.

use crate::point::{ParsePointError, Point, Size};
use crate::position::Position;

use super::{NotationError, Place, Reason, Terms};

/// Moves of one text: `h8i9`, `h8 i9`, `H8,H7`, `1. h8 i9 2. g7`, or, without any letter, pairs of columns and rows from
/// 0 as in `7,7 8,8`. Each with the index of its first character.
///
/// # Errors
/// At the first character that is part of no move.
pub fn read_names(text: &str, size: Size, terms: Terms) -> Result<Vec<(usize, Point)>, NotationError> {
    let characters: Vec<char> = text.chars().collect();
    if characters.iter().any(char::is_ascii_alphabetic) {
        named(&characters, size, terms)
    } else {
        numbered(&characters, size)
    }
}

const fn separates(character: char) -> bool {
    matches!(character, ',' | ';' | '-' | ' ' | '\t' | '\r' | '\n')
}

fn named(characters: &[char], size: Size, terms: Terms) -> Result<Vec<(usize, Point)>, NotationError> {
    let mut moves = Vec::new();
    let mut at = 0;
    while let Some(&character) = characters.get(at) {
        let digits = characters[at + 1..].iter().take_while(|digit| digit.is_ascii_digit()).count();
        if separates(character) {
            at += 1;
        } else if character.is_ascii_digit() && characters.get(at + 1 + digits) == Some(&'.') {
            // The number of a move and its full stops.
            at += 1 + digits;
            at += characters[at..].iter().take_while(|&&stop| stop == '.').count();
        } else {
            let name: String = characters[at..=at + digits].iter().collect();
            let point = Point::parse(&name, size, terms.row_one)
                .map_err(|error| NotationError::new(Place::Character(at), error))?;
            moves.push((at, point));
            at += 1 + digits;
        }
    }
    Ok(moves)
}

fn numbered(characters: &[char], size: Size) -> Result<Vec<(usize, Point)>, NotationError> {
    let mut numbers: Vec<(usize, i64)> = Vec::new();
    let mut at = 0;
    while let Some(&character) = characters.get(at) {
        if separates(character) && character != '-' {
            at += 1;
            continue;
        }
        let length = characters[at..].iter().take_while(|&&digit| !separates(digit)).count().max(1);
        let word: String = characters[at..at + length].iter().collect();
        let number = word.parse::<u16>().map_err(|_| {
            NotationError::new(Place::Character(at), ParsePointError::Malformed(word.clone()))
        })?;
        numbers.push((at, i64::from(number)));
        at += length;
    }
    let pairs = numbers.chunks(2).map(|pair| match *pair {
        [(at, x), (_, y)] => {
            let point = at_column_and_row(x, y, size);
            point.map(|point| (at, point)).map_err(|reason| NotationError::new(Place::Character(at), reason))
        }
        [(at, x)] => Err(NotationError::new(Place::Character(at), ParsePointError::Malformed(x.to_string()))),
        _ => unreachable!("chunks of two hold one or two"),
    });
    pairs.collect()
}

/// The point at a column and a row, both from 0 at the top left.
///
/// # Errors
/// When it lies outside the board.
pub fn at_column_and_row(x: i64, y: i64, size: Size) -> Result<Point, Reason> {
    let small = |number: i64| u8::try_from(number).ok();
    let point = small(x).zip(small(y)).and_then(|(x, y)| Point::new(x, y));
    point.filter(|&point| size.contains(point)).ok_or(Reason::OffBoard { x, y, size })
}

/// Plays moves from a position; each comes with the place to name when it is illegal.
///
/// # Errors
/// At the first move that the rules do not allow.
pub fn play(start: &Position, moves: &[(Place, Point)], terms: Terms) -> Result<Position, NotationError> {
    let mut position = start.clone();
    for &(place, point) in moves {
        position = position.play(point).map_err(|reason| {
            let name = point.name(start.size(), terms.row_one);
            NotationError::new(place, Reason::IllegalMove { name, reason })
        })?;
    }
    Ok(position)
}
