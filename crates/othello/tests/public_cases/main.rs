//! What public bug reports of other Othello programs were about, one test a case: the same input gets the right answer
//! here. The number in a name (`po03`) is that of the case in our list; what each expects was computed there by
//! independent programs.
//!
//! `rules` holds the cases that rules, notation and openings decide, `values` those that need a search.

mod rules;
mod values;

use othello::board::Size;
use othello::notation::{Read, transcript};
use othello::position::Position;

/// A game from the standard start.
fn game(moves: &str) -> Read {
    transcript::read(moves, Position::start(Size::Eight)).unwrap_or_else(|error| panic!("{moves}: {error}"))
}
