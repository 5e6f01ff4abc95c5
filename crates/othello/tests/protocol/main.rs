//! Conversations over the protocols, line by line: what goes in after `>`, what must come out after `<`. A question is
//! answered with the first legal move in the order of the squares.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod gtp;
mod nboard;

use othello::position::Position;
use othello::square::{Move, Square};

/// The move that stands for thinking.
fn first_move(position: Position) -> Move {
    Square::lowest(position.moves()).map_or(Move::Pass, Move::Place)
}

/// Plays a conversation and compares line by line; `answer` gives what one line brings.
fn converse(conversation: &str, mut answer: impl FnMut(&str) -> Vec<String>) {
    let mut heard: Vec<String> = Vec::new();
    let mut last = "";
    for line in conversation.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if let Some(said) = line.strip_prefix('>') {
            assert!(heard.is_empty(), "after `{last}` also came {heard:?}");
            last = said.trim();
            heard = answer(said.strip_prefix(' ').unwrap_or(said));
        } else {
            let expected = line.strip_prefix('<').unwrap().trim();
            assert!(!heard.is_empty(), "after `{last}` came nothing, expected `{expected}`");
            assert_eq!(heard.remove(0).trim(), expected, "after `{last}`");
        }
    }
    assert!(heard.is_empty(), "after `{last}` also came {heard:?}");
}
