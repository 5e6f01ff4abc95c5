//! Texts that nobody wrote on purpose are answered with a position or a reason, never with a panic, and every reason
//! names a place inside the text.

use othello::board::Size;
use othello::notation::{
    BitOrder, NotationError, Place, bitboards, board_text, cells, obf, pasted_board, text, transcript,
};
use othello::position::{Color, Position};
use proptest::prelude::*;

use crate::samples;

/// Hands a text to every reader that takes one.
fn read_everywhere(input: &str) -> Result<(), TestCaseError> {
    let errors = [
        text::read(input).err(),
        pasted_board::read(input).err(),
        board_text::read(input, Color::White).err(),
        board_text::read_rows(&input.lines().collect::<Vec<_>>(), Color::Black).err(),
        board_text::read_side(input).err(),
        transcript::read_move(input).err(),
        transcript::read(input, Position::start(Size::Eight)).err(),
        transcript::read(input, Position::start(Size::Four)).err(),
        transcript::read_list(&input.split(' ').collect::<Vec<_>>(), Position::start(Size::Six)).err(),
        obf::read(input).err(),
        obf::read_line(input).err(),
        obf::read_file(input).err(),
        bitboards::read_pasted(input).err(),
        bitboards::read(
            bitboards::Words { black: input, white: "0x8" },
            Some(BitOrder::A1Msb),
            Size::Six,
            Color::White,
        )
        .err(),
    ];
    errors.into_iter().flatten().try_for_each(|error| place_is_inside(input, &error))
}

fn place_is_inside(input: &str, error: &NotationError) -> Result<(), TestCaseError> {
    let inside = match error.place {
        Place::Character(offset) => offset <= input.chars().count(),
        Place::Line { line, character } => {
            input.lines().nth(line).is_some_and(|line| character <= line.chars().count())
        }
        Place::Item(item) => item <= input.len(),
        Place::Within { item, index } => item.max(index) <= input.len(),
        Place::Whole | Place::Bitboard(_) | Place::Coding => true,
    };
    prop_assert!(inside, "{error:?} in {input:?}");
    prop_assert!(error.to_string().len() < 400, "a message stays short whatever the text: {error}");
    Ok(())
}

/// Pieces of notation, so that random texts get past the first character.
const PIECES: &[&str] = &[
    "f5",
    "D6",
    "c3",
    "d3",
    "c4",
    "a9",
    "1.",
    "12...",
    "pass",
    "pa",
    "PS",
    "--",
    "@@",
    "0x",
    "8",
    "[8 ",
    "]",
    "(",
    ")",
    " (x)",
    "(;",
    "gm[othello]",
    ";",
    ":",
    ": +4",
    "G8:+18;",
    "--:-127;",
    "%",
    "/",
    "3pP3/",
    " ",
    "\n",
    "\r\n",
    "\t",
    "\u{a0}",
    "X",
    "O",
    "*",
    "●",
    "○",
    "-",
    "0",
    "1",
    "2",
    "-1",
    "--------",
    "---OX---",
    "black",
    " white",
    "{",
    "é",
    "\u{feff}",
    "\u{0}",
    "anti-othello",
];

fn sample_texts() -> Vec<String> {
    let from_samples =
        samples::all().into_iter().filter_map(|sample| sample.input.as_str().map(str::to_owned));
    from_samples.collect()
}

proptest! {
    #[test]
    fn any_text(input in ".{0,200}") {
        read_everywhere(&input)?;
    }

    #[test]
    fn any_bytes(input in proptest::collection::vec(any::<u8>(), 0..300)) {
        read_everywhere(&String::from_utf8_lossy(&input))?;
    }

    #[test]
    fn pieces_of_notation_in_any_order(pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..40)) {
        read_everywhere(&pieces.concat())?;
    }

    #[test]
    fn samples_with_changes(
        sample in proptest::sample::select(sample_texts()),
        changes in proptest::collection::vec((any::<proptest::sample::Index>(), 0..3_u8, any::<char>()), 1..6),
        piece in proptest::sample::select(PIECES),
    ) {
        let mut symbols: Vec<char> = sample.chars().collect();
        for (index, change, symbol) in changes {
            let at = index.index(symbols.len() + 1);
            match change {
                0 if at < symbols.len() => _ = symbols.remove(at),
                1 if at < symbols.len() => symbols[at] = symbol,
                1 => symbols.extend(piece.chars()),
                _ => symbols.insert(at, symbol),
            }
        }
        read_everywhere(&symbols.into_iter().collect::<String>())?;
    }

    #[test]
    fn any_numbers(numbers in proptest::collection::vec(-2..4_i64, 0..70), rows in 1..12_usize) {
        let flat = cells::read(&numbers, None, Color::Black);
        let rows: Vec<&[i64]> = numbers.chunks(rows).collect();
        let nested = cells::read_rows(&rows, None, Color::Black);
        for error in [flat.err(), nested.err()].into_iter().flatten() {
            let inside = match error.place {
                Place::Item(item) => item < numbers.len(),
                Place::Within { item, index } => rows.get(item).is_some_and(|row| index < row.len()),
                Place::Whole => true,
                _ => false,
            };
            prop_assert!(inside, "{error:?}");
        }
    }
}
