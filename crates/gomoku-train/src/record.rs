//! Games on disk: one line a game, so that a run that was stopped in the middle of a line loses that game alone.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, bail, ensure};
use gomoku::color::Color;
use gomoku::point::{Point, RowOne, Size};

/// One game of self-play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    /// Its number, from which everything in it follows.
    pub number: u64,
    /// The winner; `None` in a draw.
    pub winner: Option<Color>,
    /// How many of the moves were laid at random before the players took over.
    pub opening: usize,
    /// All moves, black's first.
    pub moves: Vec<Point>,
    /// What the player to move thought of each position after the opening, in evaluation units; empty in games whose players
    /// did not say.
    pub scores: Vec<i16>,
}

impl Game {
    /// The line of this game, without its end: tab-separated number, winner, length of the opening, moves, scores.
    pub fn line(&self) -> String {
        let winner = match self.winner {
            Some(Color::Black) => "black",
            Some(Color::White) => "white",
            None => "draw",
        };
        let mut line = format!("{}\t{winner}\t{}\t", self.number, self.opening);
        for (index, point) in self.moves.iter().enumerate() {
            let space = if index == 0 { "" } else { " " };
            write!(line, "{space}{}", point.name(Size::DEFAULT, RowOne::Top))
                .expect("a text takes everything");
        }
        line.push('\t');
        for (index, score) in self.scores.iter().enumerate() {
            let space = if index == 0 { "" } else { " " };
            write!(line, "{space}{score}").expect("a text takes everything");
        }
        line
    }

    fn parse(line: &str) -> anyhow::Result<Self> {
        let fields: Vec<&str> = line.split('\t').collect();
        let [number, winner, opening, moves, scores] = fields[..] else { bail!("a game has five fields") };
        let winner = match winner {
            "black" => Some(Color::Black),
            "white" => Some(Color::White),
            "draw" => None,
            other => bail!("`{other}` is no winner"),
        };
        let points: Result<Vec<Point>, _> =
            moves.split_whitespace().map(|name| Point::parse(name, Size::DEFAULT, RowOne::Top)).collect();
        let scores: Result<Vec<i16>, _> = scores.split_whitespace().map(str::parse).collect();
        let game = Self {
            number: number.parse()?,
            winner,
            opening: opening.parse()?,
            moves: points?,
            scores: scores?,
        };
        ensure!(game.opening <= game.moves.len(), "an opening is part of its game");
        Ok(game)
    }
}

/// The whole games of a file; a last line without its end is left out.
pub fn read(path: &Path) -> anyhow::Result<Vec<Game>> {
    let text = fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let game = |(index, line)| {
        Game::parse(line).with_context(|| format!("line {} of {}", index + 1, path.display()))
    };
    whole.lines().enumerate().map(game).collect()
}
