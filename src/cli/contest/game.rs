//! Othello's rules for the referee.

use contest::game::{Game, Side};
use othello::board::Size;
use othello::position::{Color, EmptiesRule, Position, Status};
use othello::square::Move;

/// A position of a match game on the 8x8 board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Othello(pub Position);

impl Othello {
    /// The standard start.
    pub const fn start() -> Self {
        Self(Position::start(Size::Eight))
    }
}

impl Game for Othello {
    type Move = Move;

    fn turn(&self) -> Side {
        match self.0.side() {
            Color::Black => Side::First,
            Color::White => Side::Second,
        }
    }

    fn play(&self, &mv: &Move) -> Result<Self, String> {
        self.0.play(mv).map(Self).map_err(|reason| reason.to_string())
    }

    fn outcome(&self) -> Option<i32> {
        let finished = self.0.status() == Status::Finished;
        finished.then(|| self.turn().sees(self.0.final_score(EmptiesRule::Winner)))
    }

    fn forced(&self) -> Option<Move> {
        (self.0.status() == Status::MustPass).then_some(Move::Pass)
    }

    fn forfeit(&self) -> i32 {
        64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_margin_is_that_of_black_whoever_is_to_move() {
        // Black has two discs, white none.
        for side in [Color::Black, Color::White] {
            let position = Position::new(Size::Eight, 3, 0, side).unwrap();
            assert_eq!(Othello(position).outcome(), Some(64));
        }
        assert_eq!(Othello::start().outcome(), None);
    }

    #[test]
    fn a_forced_pass_is_made_by_the_referee() {
        // Black a1, white b1: only black can move.
        let position = Position::new(Size::Eight, 1, 2, Color::White).unwrap();
        assert_eq!(Othello(position).forced(), Some(Move::Pass));
        assert_eq!(Othello::start().forced(), None);
    }
}
