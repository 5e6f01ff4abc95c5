//! Moves on each size of board, in one text and one an item.
#![no_main]

use libfuzzer_sys::fuzz_target;
use othello::board::Size;
use othello::notation::{print, transcript};
use othello::position::Position;

fuzz_target!(|input: &str| {
    for size in Size::ALL {
        let start = Position::start(size);
        if let Ok(read) = transcript::read(input, start) {
            let again = transcript::read(&print::transcript(&read.moves), start).expect("printed moves are legal");
            assert_eq!((again.position, &again.moves), (read.position, &read.moves));
            assert!(again.passes_added.is_empty(), "the print writes every pass");
        }
        let items: Vec<&str> = input.split_whitespace().collect();
        if let Ok(read) = transcript::read_list(&items, start) {
            assert_eq!(transcript::read(input, start).map(|read| read.position), Ok(read.position));
        }
    }
});
