//! Names of openings, by position: a game that turns the board, or reaches the same position by other moves, has the
//! same opening.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::board::{Board, Size};
use crate::notation::transcript;
use crate::position::{Color, Position};
use crate::square::Move;
use crate::symmetry::Symmetry;

/// Name, tab, moves; see the README beside the file.
const TABLE: &str = include_str!("../data/openings.tsv");

/// A named opening.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Opening {
    /// The name; alternatives are separated by ` / `.
    pub name: &'static str,
    /// The moves that the name stands for, from the standard start with `f5` first: `f5d6c3d3c4`.
    pub moves: &'static str,
}

/// A position up to the eight symmetries.
type Key = (Board, Color);

/// The table by position.
struct Named {
    by_position: HashMap<Key, Opening>,
    /// Discs on the board at the end of the longest line.
    most_discs: u32,
}

static NAMED: LazyLock<Named> = LazyLock::new(|| {
    let ends = table().map(|opening| {
        let line = transcript::read(opening.moves, Position::start(Size::Eight));
        (line.expect("a test replays every line of the table").position, opening)
    });
    let ends: Vec<_> = ends.collect();
    Named {
        most_discs: ends.iter().map(|&(position, _)| discs(position)).max().unwrap_or(0),
        by_position: ends.into_iter().map(|(position, opening)| (key(position), opening)).collect(),
    }
});

/// All named openings, in the order of the table.
pub fn table() -> impl Iterator<Item = Opening> {
    TABLE.lines().filter_map(|line| line.split_once('\t')).map(|(name, moves)| Opening { name, moves })
}

/// The opening whose last move leads to this position, or to one that is equal up to symmetry.
pub fn of_position(position: Position) -> Option<Opening> {
    if position.size() != Size::Eight || discs(position) > NAMED.most_discs {
        return None;
    }
    NAMED.by_position.get(&key(position)).copied()
}

/// The opening of a game: the one of the last position in it that has a name. Moves that are illegal end the game.
pub fn of_game(start: Position, moves: &[Move]) -> Option<Opening> {
    let positions = moves.iter().scan(start, |position, &mv| {
        *position = position.play(mv).ok()?;
        Some(*position)
    });
    let positions: Vec<Position> = std::iter::once(start).chain(positions).collect();
    // From the end, since most games have just left a named position behind.
    positions.into_iter().rev().find_map(of_position)
}

fn discs(position: Position) -> u32 {
    position.board().occupied().count_ones()
}

fn key(position: Position) -> Key {
    let (board, _) = Symmetry::canonical(position.board(), Size::Eight);
    (board, position.side())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(moves: &str) -> Option<&'static str> {
        let read = transcript::read(moves, Position::start(Size::Eight)).unwrap();
        of_game(read.start, &read.moves).map(|opening| opening.name)
    }

    #[test]
    fn every_line_is_a_legal_game_that_gets_its_own_name() {
        assert_eq!(table().count(), TABLE.lines().count(), "a line without a tab");
        assert_eq!(table().count(), 90);
        for opening in table() {
            assert_eq!(name(opening.moves), Some(opening.name));
        }
        assert_eq!(NAMED.by_position.len(), 90, "no two lines end in the same position");
    }

    #[test]
    fn a_turned_game_has_the_same_opening() {
        for opening in table() {
            let read = transcript::read(opening.moves, Position::start(Size::Eight)).unwrap();
            // These leave the standard start as it is.
            let keeping = Symmetry::ALL
                .into_iter()
                .filter(|symmetry| symmetry.board(read.start.board(), Size::Eight) == read.start.board());
            let keeping: Vec<Symmetry> = keeping.collect();
            assert_eq!(keeping.len(), 4);
            for symmetry in keeping {
                let turned: Vec<Move> = read.moves.iter().map(|&mv| symmetry.mv(mv, Size::Eight)).collect();
                assert_eq!(of_game(read.start, &turned), Some(opening));
            }
        }
    }

    #[test]
    fn the_last_named_position_of_a_game_counts() {
        assert_eq!(name(""), None);
        assert_eq!(name("f5"), None, "the first move has no name of its own");
        assert_eq!(name("f5d6c3d3c4"), Some("Tiger"));
        assert_eq!(name("f5d6c3d3c4f4c5b3c2e3d2c6b4"), Some("Nicolet"), "moves after the line keep its name");
        assert_eq!(name("f5f6e6f4g6c6"), Some("Lysons"));
    }

    #[test]
    fn small_boards_have_no_openings() {
        let start = Position::start(Size::Six);
        assert_eq!(of_game(start, &[]), None);
    }
}
