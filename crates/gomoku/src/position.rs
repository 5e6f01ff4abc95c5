//! A position under some rule: what the world outside the search talks about.

use crate::color::Color;
use crate::grid::{Cell, Grid};
use crate::point::{Point, Size};
use crate::rules::Rule;
use crate::rules::renju::{self, Forbidden};

/// Whether the game goes on. Winners are named by colour, whoever is to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// The side to move has a legal move.
    InProgress,
    /// This colour has five.
    Won(Color),
    /// The board is full and nobody has five.
    Draw,
    /// Renju: every empty point is forbidden to black, who is to move and so has lost.
    NoLegalMove,
}

impl Status {
    /// The winner, when the game is over and has one.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::Won(color) => Some(color),
            Self::NoLegalMove => Some(Color::White),
            Self::InProgress | Self::Draw => None,
        }
    }
}

/// A move that the rules do not allow here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum IllegalMove {
    /// The point lies outside the board.
    #[error("the point is not on the board")]
    OffBoard,
    /// A stone lies there already.
    #[error("the point is occupied")]
    Occupied,
    /// Renju forbids the point to black.
    #[error("the point is forbidden to black: {0}")]
    Forbidden(Forbidden),
    /// Somebody has made five before.
    #[error("the game is over: {0} has made five")]
    Won(Color),
    /// The board is full, or every point left is forbidden.
    #[error("the game is over: no legal move is left")]
    NoMoveLeft,
}

/// A list of moves that cannot be played: which one, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("move {number}: {reason}", number = index + 1)]
pub struct IllegalSequence {
    /// The first move that is refused, counted from 0.
    pub index: usize,
    /// Why.
    pub reason: IllegalMove,
}

/// A board that is no position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidBoard {
    /// Two stones on one point, or a stone outside the board: the index of that stone in the list.
    #[error("stone {0} lies on an occupied point or outside the board")]
    BadStone(usize),
    /// The first five ends the game, so there cannot be two winners.
    #[error("both colours have five in a row")]
    TwoWinners,
}

/// Stones, the side to move, and the rule the game is played by.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Position {
    grid: Grid,
    rule: Rule,
    side: Color,
    stones: u16,
    winner: Option<Color>,
}

impl Position {
    /// The empty board, black to move.
    pub fn empty(size: Size, rule: Rule) -> Self {
        Self { grid: Grid::new(size), rule, side: Color::Black, stones: 0, winner: None }
    }

    /// The position after these moves from the empty board, black first.
    ///
    /// # Errors
    /// Names the first move that the rules do not allow.
    pub fn from_moves(size: Size, rule: Rule, moves: &[Point]) -> Result<Self, IllegalSequence> {
        let mut position = Self::empty(size, rule);
        for (index, &point) in moves.iter().enumerate() {
            position = position.play(point).map_err(|reason| IllegalSequence { index, reason })?;
        }
        Ok(position)
    }

    /// A position from its stones, with any side to move: numbers of stones need not fit an alternating game, and
    /// black stones on points that renju forbids are taken as they lie.
    ///
    /// # Errors
    /// When stones overlap or lie outside the board, or both colours have won.
    pub fn from_stones(
        size: Size,
        rule: Rule,
        stones: &[(Point, Color)],
        side: Color,
    ) -> Result<Self, InvalidBoard> {
        let mut grid = Grid::new(size);
        for (index, &(point, color)) in stones.iter().enumerate() {
            if grid.get(point) != Cell::Empty {
                return Err(InvalidBoard::BadStone(index));
            }
            grid.set(point, Some(color));
        }
        let winners = Color::BOTH.map(|color| rule.winning_row(&grid, color).is_some());
        let winner = match winners {
            [true, true] => return Err(InvalidBoard::TwoWinners),
            [true, false] => Some(Color::Black),
            [false, true] => Some(Color::White),
            [false, false] => None,
        };
        Ok(Self { grid, rule, side, stones: stones.len() as u16, winner })
    }

    /// The stones.
    pub const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The size of the board.
    pub const fn size(&self) -> Size {
        self.grid.size()
    }

    /// The rule.
    pub const fn rule(&self) -> Rule {
        self.rule
    }

    /// The side to move.
    pub const fn side(&self) -> Color {
        self.side
    }

    /// Stones on the board.
    pub const fn stones(&self) -> u16 {
        self.stones
    }

    /// The same stones with this side to move.
    #[must_use]
    pub fn with_side(mut self, side: Color) -> Self {
        self.side = side;
        self
    }

    /// Whether the game goes on.
    pub fn status(&self) -> Status {
        if let Some(color) = self.winner {
            return Status::Won(color);
        }
        if usize::from(self.stones) == self.size().area() {
            return Status::Draw;
        }
        if self.rule == Rule::Renju && self.side == Color::Black && self.first_legal().is_none() {
            return Status::NoLegalMove;
        }
        Status::InProgress
    }

    /// The row that won, in order along its line.
    pub fn winning_row(&self) -> Option<Vec<Point>> {
        self.winner.and_then(|color| self.rule.winning_row(&self.grid, color))
    }

    fn first_legal(&self) -> Option<Point> {
        let mut grid = self.grid.clone();
        self.grid.empty().find(|&point| renju::forbidden(&mut grid, point).is_none())
    }

    /// Why black may not play on a point under this rule, whoever is to move; `None` under other rules and on
    /// occupied points.
    pub fn forbidden(&self, point: Point) -> Option<Forbidden> {
        if self.rule != Rule::Renju || self.grid.get(point) != Cell::Empty {
            return None;
        }
        renju::forbidden(&mut self.grid.clone(), point)
    }

    /// All points forbidden to black, with reasons, row by row. Empty when the game is over.
    pub fn forbidden_points(&self) -> Vec<(Point, Forbidden)> {
        if self.rule != Rule::Renju || self.winner.is_some() {
            return Vec::new();
        }
        let mut grid = self.grid.clone();
        let judge = |point| renju::forbidden(&mut grid, point).map(|reason| (point, reason));
        self.grid.empty().filter_map(judge).collect()
    }

    /// The points the side to move may play on, row by row. Empty when the game is over.
    pub fn legal_moves(&self) -> Vec<Point> {
        if self.winner.is_some() {
            return Vec::new();
        }
        let mut grid = self.grid.clone();
        let judged = self.rule == Rule::Renju && self.side == Color::Black;
        self.grid.empty().filter(|&point| !judged || renju::forbidden(&mut grid, point).is_none()).collect()
    }

    /// Whether the side to move may play here.
    ///
    /// # Errors
    /// Says why not.
    pub fn check(&self, point: Point) -> Result<(), IllegalMove> {
        if let Some(color) = self.winner {
            return Err(IllegalMove::Won(color));
        }
        match self.grid.get(point) {
            _ if self.status() != Status::InProgress => Err(IllegalMove::NoMoveLeft),
            Cell::Wall => Err(IllegalMove::OffBoard),
            Cell::Stone(_) => Err(IllegalMove::Occupied),
            Cell::Empty if self.side == Color::White => Ok(()),
            Cell::Empty => self.forbidden(point).map_or(Ok(()), |reason| Err(IllegalMove::Forbidden(reason))),
        }
    }

    /// The position after a stone of the side to move.
    ///
    /// # Errors
    /// When the rules do not allow the move here.
    pub fn play(&self, point: Point) -> Result<Self, IllegalMove> {
        self.check(point)?;
        let mut grid = self.grid.clone();
        let five = self.rule.makes_five(&grid, point, self.side);
        grid.set(point, Some(self.side));
        Ok(Self {
            grid,
            rule: self.rule,
            side: self.side.other(),
            stones: self.stones + 1,
            winner: five.then_some(self.side),
        })
    }
}
