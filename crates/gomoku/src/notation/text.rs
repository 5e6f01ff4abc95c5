//! One pasted text: a board, or moves from the empty board.

use crate::color::Color;
use crate::point::Size;
use crate::position::Position;

use super::{Format, NotationError, Place, Read, Reason, Terms, board, moves};

/// Reads one pasted text. It is a board when nothing but symbols and white space is in it and the symbols make a square;
/// otherwise it holds moves on a board of this size. `side` is who is to move on a board; it follows from the stones when it
/// is not given.
///
/// # Errors
/// When it is neither.
pub fn read(text: &str, size: Size, terms: Terms, side: Option<Color>) -> Result<Read, NotationError> {
    let cells = text.chars().filter(|character| !character.is_whitespace());
    if cells.clone().next().is_none() {
        return Err(NotationError::new(Place::Whole, Reason::Empty));
    }
    let is_board = cells.clone().all(|character| board::symbol(character).is_some())
        && board::size_of_cells(cells.count()).is_some();
    if is_board {
        let (size, cells) = board::read_one_text(text)?;
        let position = board::position(size, &cells, terms.rule, side)?;
        return Ok(Read { position, moves: Vec::new(), format: Format::Board });
    }
    let named = moves::read_names(text, size, terms)?;
    let placed: Vec<_> = named.iter().map(|&(index, point)| (Place::Character(index), point)).collect();
    let position = moves::play(&Position::empty(size, terms.rule), &placed, terms)?;
    Ok(Read { position, moves: named.into_iter().map(|(_, point)| point).collect(), format: Format::Moves })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::Coding;
    use crate::point::{ParsePointError, RowOne};
    use crate::position::IllegalMove;
    use crate::rules::Rule;

    const TERMS: Terms = Terms { rule: Rule::Freestyle, row_one: RowOne::Top };

    fn names(text: &str) -> Vec<String> {
        let read = read(text, Size::DEFAULT, TERMS, None).unwrap();
        read.moves.iter().map(|point| point.name(Size::DEFAULT, RowOne::Top)).collect()
    }

    #[test]
    fn moves_are_read_however_they_are_separated() {
        for text in [
            "h8i9g7",
            "H8 i9 g7",
            "h8,i9,g7",
            "1. h8 i9 2. g7",
            "1.h8 i9 2... g7",
            "7,7 8,8 6,6",
            "7,7\n8,8\n6,6",
        ] {
            assert_eq!(names(text), ["h8", "i9", "g7"], "{text}");
        }
    }

    #[test]
    fn a_board_is_told_from_moves() {
        let rows = ["XO...", ".....", "..X..", ".....", "....."].join("\n");
        let read = read(&rows, Size::DEFAULT, TERMS, None).unwrap();
        assert_eq!((read.format, read.position.size().get()), (Format::Board, 5));
        assert_eq!((read.position.side(), read.position.stones()), (Color::White, 3));
        assert_eq!(board::rows(&read.position).join("\n"), rows);
    }

    #[test]
    fn faults_are_named_with_their_place() {
        let fault = |text: &str| read(text, Size::DEFAULT, TERMS, None).unwrap_err();
        let cases = [
            (
                "h8 q1",
                Place::Character(3),
                Reason::Point(ParsePointError::OffBoard { text: "q1".to_owned(), size: Size::DEFAULT }),
            ),
            ("h8 ?", Place::Character(3), Reason::Point(ParsePointError::Malformed("?".to_owned()))),
            (
                "h8h8",
                Place::Character(2),
                Reason::IllegalMove { name: "h8".to_owned(), reason: IllegalMove::Occupied },
            ),
            ("7,7 20,1", Place::Character(4), Reason::OffBoard { x: 20, y: 1, size: Size::DEFAULT }),
            ("7,7 8", Place::Character(4), Reason::Point(ParsePointError::Malformed("8".to_owned()))),
            (" ", Place::Whole, Reason::Empty),
        ];
        for (text, place, reason) in cases {
            assert_eq!(fault(text), NotationError { place, reason }, "{text}");
        }
    }

    #[test]
    fn numbers_need_a_coding_where_programs_differ() {
        let mut numbers = vec![0; 25];
        numbers[3] = -1;
        let fault = |coding| board::read_numbers(&numbers, coding).unwrap_err();
        assert_eq!(fault(None), NotationError { place: Place::Item(3), reason: Reason::CodingNeeded });
        let same = Coding { black: 1, white: 1, empty: 0 };
        assert_eq!(fault(Some(same)).reason, Reason::CodingNotDistinct);
        let (size, cells) =
            board::read_numbers(&numbers, Some(Coding { black: -1, white: 1, empty: 0 })).unwrap();
        assert_eq!((size.get(), cells[3]), (5, Some(Color::Black)));
        assert_eq!(board::read_numbers(&numbers[1..], None).unwrap_err().reason, Reason::Cells(24));
        let uneven = [vec![0; 5], vec![0; 4]];
        assert_eq!(board::read_number_rows(&uneven, None).unwrap_err().place, Place::Item(0));
    }
}
