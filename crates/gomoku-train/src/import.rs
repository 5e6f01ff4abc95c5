//! Games of other engines: JSON, one game a line, as outside matches record them.

use anyhow::{Context, bail};
use gomoku::color::Color;
use gomoku::point::{Point, RowOne, Size};
use gomoku::rules::Rule;
use serde::Deserialize;

use crate::record::Game;

/// A game as it is recorded.
#[derive(Debug, Deserialize)]
struct Recorded {
    rule: String,
    /// `1-0`, `0-1` or anything else for a draw.
    result: String,
    /// How many of the moves were given.
    opening: usize,
    moves: String,
}

/// The games by one rule among the lines, numbered from `first` on.
pub fn games(text: &str, rule: Rule, first: u64) -> anyhow::Result<Vec<Game>> {
    let mut games = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let recorded: Recorded = serde_json::from_str(line).with_context(|| format!("line {}", index + 1))?;
        if Rule::from_name(&recorded.rule)? != rule {
            continue;
        }
        let winner = match recorded.result.as_str() {
            "1-0" => Some(Color::Black),
            "0-1" => Some(Color::White),
            _ => None,
        };
        let points: Result<Vec<Point>, _> = recorded
            .moves
            .split_whitespace()
            .map(|name| Point::parse(name, Size::DEFAULT, RowOne::Top))
            .collect();
        let moves = points.with_context(|| format!("line {}", index + 1))?;
        if recorded.opening > moves.len() {
            bail!("line {}: the opening is longer than the game", index + 1);
        }
        games.push(Game {
            number: first + games.len() as u64,
            winner,
            opening: recorded.opening,
            moves,
            scores: Vec::new(),
        });
    }
    Ok(games)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_by_the_rule_are_read() {
        let text = r#"{"black": "a", "white": "b", "rule": "freestyle", "result": "0-1", "opening": 1, "moves": "h8 a1 b1"}
{"black": "a", "white": "b", "rule": "standard", "result": "1-0", "opening": 1, "moves": "h8"}"#;
        let found = games(text, Rule::Freestyle, 10).unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].number, found[0].winner, found[0].moves.len()), (10, Some(Color::White), 3));
        assert!(
            games(r#"{"rule": "standard", "result": "", "opening": 3, "moves": "h8"}"#, Rule::Standard, 0)
                .is_err()
        );
    }
}
