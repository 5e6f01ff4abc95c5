//! The committed samples of notations and of edge games.

use std::collections::HashMap;
use std::path::PathBuf;

use othello::position::{Color, Position};
use othello::square::Square;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// One text in some notation, and what a reader should make of it.
#[derive(Deserialize)]
pub struct Sample {
    pub id: String,
    pub input: Value,
    pub expected: Expected,
}

#[derive(Deserialize)]
pub struct Expected {
    pub plies: Option<usize>,
    pub passes_written: Option<Vec<usize>>,
    pub passes_implied_before_move_index: Option<Vec<usize>>,
    pub r#final: Option<State>,
    pub final_score_black: Option<i32>,
    pub exact_scores: Option<HashMap<String, i8>>,
    #[serde(flatten)]
    state: Value,
}

/// A position as the samples describe it; what is `None` was not said.
#[derive(Deserialize)]
pub struct State {
    pub board: String,
    pub to_move: String,
    pub black: Option<u32>,
    pub white: Option<u32>,
    pub empties: Option<u32>,
    pub legal: Option<Vec<String>>,
    pub over: Option<bool>,
}

impl Sample {
    /// The input, which must be a text.
    pub fn text(&self) -> &str {
        self.input.as_str().expect("the input is a text")
    }

    /// The JSON value that the input text holds.
    pub fn json(&self) -> Value {
        serde_json::from_str(self.text()).expect("the input holds JSON")
    }

    /// The position that a board sample should give.
    pub fn state(&self) -> State {
        serde_json::from_value(self.expected.state.clone()).expect("the sample describes a position")
    }
}

/// All samples, in the order of the file.
pub fn all() -> Vec<Sample> {
    lines("format-samples.jsonl")
}

/// The sample with this name.
pub fn named(id: &str) -> Sample {
    all().into_iter().find(|sample| sample.id == id).expect("the sample exists")
}

/// The objects of a file with one JSON object a line.
pub fn lines<T: DeserializeOwned>(file: &str) -> Vec<T> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/othello/formats").join(file);
    let text = std::fs::read_to_string(&path).expect("the file is committed");
    text.lines().map(|line| serde_json::from_str(line).expect("the line is what it should be")).collect()
}

/// The board as the samples write it, found by asking for each square.
pub fn board(position: Position) -> String {
    let symbol = |index| {
        let bit = Square::new(index).expect("the index is below 64").bit();
        match (position.discs(Color::Black) & bit, position.discs(Color::White) & bit) {
            (0, 0) => '-',
            (_, 0) => 'X',
            _ => 'O',
        }
    };
    (0..64).map(symbol).collect()
}
