//! What several test files share: reading the data, random positions, a plain random generator.
#![allow(
    dead_code,
    clippy::unwrap_used,
    reason = "every test file uses another part; a test fails by panicking"
)]

use std::path::PathBuf;

use gomoku::color::Color;
use gomoku::point::{Point, RowOne, Size};
use gomoku::position::Position;
use gomoku::rules::Rule;

/// The text of a file in the workspace's `tests/data/gomoku`.
pub fn data(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/gomoku").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The rows of a tab-separated file as maps from column name to value.
pub fn table(name: &str) -> Vec<std::collections::HashMap<String, String>> {
    let text = data(name);
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap().split('\t').collect();
    let row =
        |line: &str| header.iter().map(|h| h.to_string()).zip(line.split('\t').map(str::to_owned)).collect();
    lines.map(row).collect()
}

/// Points named with row 1 at the top, as in `h8 i9`.
pub fn points(text: &str) -> Vec<Point> {
    text.split_whitespace().map(|name| Point::parse(name, Size::DEFAULT, RowOne::Top).unwrap()).collect()
}

/// Points of a run-together text as in `h8i9`.
pub fn joined_points(text: &str) -> Vec<Point> {
    let mut spaced = String::new();
    for letter in text.chars() {
        if letter.is_ascii_alphabetic() {
            spaced.push(' ');
        }
        spaced.push(letter);
    }
    points(&spaced)
}

/// A 15x15 position after moves.
pub fn after(rule: Rule, moves: &str) -> Position {
    Position::from_moves(Size::DEFAULT, rule, &points(moves)).unwrap()
}

/// A 15x15 board of `X`, `O` and `.`, with or without `/` between rows.
pub fn board(rule: Rule, text: &str, side: Color) -> Position {
    let cells: Vec<char> = text.chars().filter(|&c| c != '/').collect();
    let stones: Vec<(Point, Color)> = Size::DEFAULT
        .points()
        .zip(&cells)
        .filter_map(|(point, cell)| match cell {
            'X' => Some((point, Color::Black)),
            'O' => Some((point, Color::White)),
            _ => None,
        })
        .collect();
    assert_eq!(cells.len(), 225);
    Position::from_stones(Size::DEFAULT, rule, &stones, side).unwrap()
}

/// A splitmix64 generator: the same numbers on every machine.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}
