//! Any text, pasted: the form is found, and read or refused.
#![no_main]

use libfuzzer_sys::fuzz_target;
use othello::notation::{Place, print, text};

fuzz_target!(|input: &str| match text::read(input) {
    Ok(read) => {
        let again = text::read(&print::board_with_side(read.position)).expect("a printed board reads back");
        assert_eq!(again.position, read.position);
        let replayed = read.moves.iter().try_fold(read.start, |position, &mv| position.play(mv));
        assert_eq!(replayed, Ok(read.position), "the moves lead from the start to the position");
    }
    Err(error) => match error.place {
        Place::Character(offset) => assert!(offset <= input.chars().count(), "{error:?}"),
        Place::Line { line, character } => {
            let line = input.lines().nth(line).expect("the line exists");
            assert!(character <= line.chars().count(), "{error:?}");
        }
        Place::Whole | Place::Bitboard(_) => {}
        Place::Item(_) | Place::Within { .. } | Place::Coding => panic!("a text has no such place: {error:?}"),
    },
});
