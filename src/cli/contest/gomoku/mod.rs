//! Matches of Gomoku: rules for the referee, openings, and players.

mod gomocup;
mod own;
mod setting;

use std::fmt;
use std::path::Path;

use contest::game::{Game, Side};
use gomoku::color::Color;
use gomoku::notation::{Terms, moves};
use gomoku::point::{Point, RowOne, Size};
use gomoku::position::{Position, Status};
use gomoku::rules::Rule;

use super::openings::read_file;
use crate::cli::exit::{Exit, Failure};

pub use setting::Setting;

/// Balanced openings of three to seven stones; see the README beside the files.
const FREESTYLE: &str = include_str!("../../../../crates/gomoku/data/openings-freestyle.txt");
const STANDARD: &str = include_str!("../../../../crates/gomoku/data/openings-standard.txt");

/// A position of a match game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board(pub Position);

/// A move; prints as `h8`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stone(pub Point);

impl fmt::Display for Stone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.name(Size::DEFAULT, RowOne::Top))
    }
}

impl Board {
    /// The empty 15x15 board.
    pub fn start(rule: Rule) -> Self {
        Self(Position::empty(Size::DEFAULT, rule))
    }
}

/// The side of a colour.
const fn side(color: Color) -> Side {
    match color {
        Color::Black => Side::First,
        Color::White => Side::Second,
    }
}

impl Game for Board {
    type Move = Stone;

    fn turn(&self) -> Side {
        side(self.0.side())
    }

    fn play(&self, &Stone(point): &Stone) -> Result<Self, String> {
        self.0.play(point).map(Self).map_err(|reason| reason.to_string())
    }

    fn outcome(&self) -> Option<i32> {
        let status = self.0.status();
        (status != Status::InProgress).then(|| status.winner().map_or(0, |winner| side(winner).sees(1)))
    }

    fn forced(&self) -> Option<Stone> {
        None
    }

    fn forfeit(&self) -> i32 {
        1
    }
}

/// The openings of a file, or the built-in ones for a rule: lines of moves, with or without a number and a tab before
/// them. Under renju those built-in ones that hold a forbidden move are left out.
///
/// # Errors
/// When the file cannot be read, is empty, or a line is not a legal line of play.
pub fn openings(file: Option<&Path>, rule: Rule) -> Result<Vec<Vec<Stone>>, Failure> {
    let Some(file) = file else {
        let text = if rule == Rule::Freestyle { FREESTYLE } else { STANDARD };
        let lines = lines(text).filter_map(|(_, line)| opening(line, rule).ok());
        return Ok(lines.collect());
    };
    let refuse = |message: String| Failure::new(Exit::Data, format!("{}: {message}", file.display()));
    let text = read_file(file)?;
    let read = lines(&text)
        .map(|(number, line)| opening(line, rule).map_err(|error| refuse(format!("line {number}: {error}"))));
    let openings: Vec<_> = read.collect::<Result<_, _>>()?;
    if openings.is_empty() { Err(refuse("no opening in it".to_owned())) } else { Ok(openings) }
}

fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

fn opening(line: &str, rule: Rule) -> Result<Vec<Stone>, String> {
    let names = line.rsplit('\t').next().unwrap_or(line);
    let terms = Terms { rule, row_one: RowOne::Top };
    let named = moves::read_names(names, Size::DEFAULT, terms).map_err(|error| error.to_string())?;
    let points: Vec<Point> = named.into_iter().map(|(_, point)| point).collect();
    let position = Position::from_moves(Size::DEFAULT, rule, &points).map_err(|error| error.to_string())?;
    if position.status() != Status::InProgress {
        return Err("the game is over after it".to_owned());
    }
    Ok(points.into_iter().map(Stone).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_openings_are_legal_and_as_many_as_their_files_say() {
        let count = |rule| openings(None, rule).unwrap().len();
        assert_eq!((count(Rule::Freestyle), count(Rule::Standard)), (97, 98));
        assert!(count(Rule::Renju) > 90, "{}", count(Rule::Renju));
    }

    #[test]
    fn the_outcome_is_that_of_black_whoever_is_to_move() {
        let five = opening("h5 a1 h6 a2 h7 a3 h8 a4", Rule::Freestyle).unwrap();
        let mut board = Board::start(Rule::Freestyle);
        for stone in five {
            board = board.play(&stone).unwrap();
        }
        assert_eq!(board.outcome(), None);
        let won = board.play(&Stone(Point::new(7, 8).unwrap())).unwrap();
        assert_eq!((won.outcome(), won.forced()), (Some(1), None));
        assert!(opening("h5 h5", Rule::Freestyle).unwrap_err().contains("occupied"));
    }
}
