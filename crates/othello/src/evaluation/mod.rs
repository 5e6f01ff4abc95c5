//! The static evaluation: what a position is worth without looking ahead.
//!
//! The search sees only [`Evaluator`]. Behind it stand the trained network (8x8) and the eight hand-chosen terms with
//! fitted weights (small boards), which also explain a position to people.

mod geometry;
pub mod network;
pub mod terms;
pub mod weights;

use crate::board::{Board, Size};
use crate::square::Square;
use network::indices::{Indices, View};
use network::loaded;
use network::model::Model;
use terms::{COUNTS, Counts, Term};

/// The greatest estimate: all 64 discs, in hundredths of a disc.
pub const LIMIT: i32 = 6400;

/// The evaluation of one line of play. It is made from a position and told of every move made and taken back.
///
/// On the 8x8 board it is the trained network, whose pattern indices follow the moves; on smaller boards, and where
/// nothing has been trained, it is the eight explained terms.
#[derive(Debug, Clone)]
pub struct Evaluator {
    size: Size,
    trained: Option<Trained>,
}

/// The trained network at the position of an [`Evaluator`].
#[derive(Debug, Clone)]
struct Trained {
    model: &'static Model,
    indices: Indices,
    /// Which side of the indices is to move.
    view: View,
}

impl Evaluator {
    /// An evaluator that stands at this position.
    pub fn new(board: Board, size: Size) -> Self {
        let trained = (size == Size::Eight).then(|| Trained {
            model: loaded::model(),
            indices: Indices::new(board),
            view: View::First,
        });
        Self { size, trained }
    }

    /// Follows a move of the side to move: its disc on `square` turned `flips`.
    #[inline]
    pub fn play(&mut self, square: Square, flips: u64) {
        if let Some(trained) = &mut self.trained {
            trained.indices.play(trained.view, square, flips);
            trained.view = trained.view.other();
        }
    }

    /// Takes the same move back.
    #[inline]
    pub fn undo(&mut self, square: Square, flips: u64) {
        if let Some(trained) = &mut self.trained {
            trained.view = trained.view.other();
            trained.indices.undo(trained.view, square, flips);
        }
    }

    /// Follows a pass, or takes it back.
    #[inline]
    pub fn pass(&mut self) {
        if let Some(trained) = &mut self.trained {
            trained.view = trained.view.other();
        }
    }

    /// The estimated final disc difference for the side to move, in hundredths of a disc, -6400..=6400. `board` is
    /// the position that the evaluator stands at.
    #[inline]
    pub fn value(&self, board: Board) -> i32 {
        let learned = self
            .trained
            .as_ref()
            .and_then(|trained| trained.model.value(&trained.indices, trained.view, board));
        learned.map_or_else(|| evaluate(board, self.size), |value| value.clamp(-LIMIT, LIMIT))
    }
}

/// The estimate of the eight terms for the side to move, in hundredths of a disc, -6400..=6400.
fn evaluate(board: Board, size: Size) -> i32 {
    let (player, opponent) = terms::counts_of_both(board, size);
    let weights = weights::weights(empties(board, size));
    let sum: i32 = (0..COUNTS).map(|i| i32::from(player[i] - opponent[i]) * i32::from(weights[i])).sum();
    sum.clamp(-LIMIT, LIMIT)
}

fn empties(board: Board, size: Size) -> u32 {
    (size.cells() & !board.occupied()).count_ones()
}

/// One term of an explained evaluation, in hundredths of a disc.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TermValue {
    /// Which term.
    pub term: Term,
    /// What the side to move has of it. Terms that are a burden are negative.
    pub player: i32,
    /// What the other side has of it.
    pub opponent: i32,
}

impl TermValue {
    /// The term's share in the value for the side to move.
    pub const fn difference(&self) -> i32 {
        self.player - self.opponent
    }
}

/// A position judged term by term. On small boards the differences of all terms add up to [`Evaluator::value`], before
/// that is held within its limits; on 8x8 they explain what the trained network only sums up.
pub fn explain(board: Board, size: Size) -> [TermValue; Term::ALL.len()] {
    let (player, opponent) = terms::counts_of_both(board, size);
    let weights = weights::weights(empties(board, size));
    let worth = |counts: &Counts, term: Term| -> i32 {
        term.places().map(|place| i32::from(counts[place]) * i32::from(weights[place])).sum()
    };
    Term::ALL.map(|term| TermValue { term, player: worth(&player, term), opponent: worth(&opponent, term) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Boards met by playing pseudo-random legal moves from the start, one after every move.
    fn random_boards(size: Size, games: u64) -> Vec<Board> {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut boards = Vec::new();
        for _ in 0..games {
            let mut board = Board::start(size);
            loop {
                if board.moves(size) == 0 {
                    board = board.pass();
                }
                let moves: Vec<Square> = crate::square::Squares(board.moves(size)).collect();
                if moves.is_empty() {
                    break;
                }
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let square = moves[(state >> 33) as usize % moves.len()];
                board = board.after(square.bit(), board.flips(square));
                boards.push(board);
            }
        }
        boards
    }

    /// The board seen in a mirror that swaps rows and columns, or left and right, one cell at a time.
    fn mapped(board: Board, map: impl Fn(u8, u8) -> (u8, u8)) -> Board {
        let move_cells = |set: u64| {
            crate::square::Squares(set).fold(0, |found, square| {
                let (row, column) = map(square.row(), square.column());
                found | 1 << (row * 8 + column)
            })
        };
        Board { player: move_cells(board.player), opponent: move_cells(board.opponent) }
    }

    #[test]
    fn the_start_position_is_even() {
        assert_eq!(evaluate(Board::start(Size::Eight), Size::Eight), 0);
    }

    #[test]
    fn the_other_side_sees_the_opposite_value() {
        for size in Size::ALL {
            for board in random_boards(size, 40) {
                let parity = |board| explain(board, size)[Term::Parity as usize].difference();
                let static_part = |board| {
                    explain(board, size).iter().map(TermValue::difference).sum::<i32>() - parity(board)
                };
                assert_eq!(static_part(board), -static_part(board.pass()), "{board:?}");
                assert_eq!(parity(board), parity(board.pass()), "the last move belongs to the side to move");
            }
        }
    }

    #[test]
    fn symmetric_positions_have_one_value() {
        for size in Size::ALL {
            let last = size.side() - 1;
            for board in random_boards(size, 20) {
                let value = evaluate(board, size);
                assert_eq!(value, evaluate(mapped(board, |row, column| (column, row)), size));
                assert_eq!(value, evaluate(mapped(board, |row, column| (row, last - column)), size));
            }
        }
    }

    #[test]
    fn the_terms_add_up_to_the_value_within_its_limits() {
        for board in random_boards(Size::Eight, 60) {
            let sum: i32 = explain(board, Size::Eight).iter().map(TermValue::difference).sum();
            assert_eq!(evaluate(board, Size::Eight), sum.clamp(-LIMIT, LIMIT));
        }
        for board in random_boards(Size::Six, 30) {
            let sum: i32 = explain(board, Size::Six).iter().map(TermValue::difference).sum();
            let value = Evaluator::new(board, Size::Six).value(board);
            assert_eq!(value, sum.clamp(-LIMIT, LIMIT), "small boards are judged by the terms");
        }
    }

    #[test]
    fn nothing_is_worth_more_than_all_discs() {
        let all = Board { player: u64::MAX ^ 1, opponent: 0 };
        assert_eq!(evaluate(all, Size::Eight), LIMIT);
        assert_eq!(evaluate(all.pass(), Size::Eight), -LIMIT);
    }

    #[test]
    fn stable_discs_start_at_corners() {
        // A full bottom row and the row above it up to the X square; a lone disc in the middle is never named.
        let board = Board { player: 0xFF03_0000_0810_0000, opponent: 0 };
        let stable = explain(board, Size::Eight)[Term::Stable as usize];
        let weight = i32::from(weights::weights(empties(board, Size::Eight))[Term::Stable.places().start]);
        assert_eq!(stable.player, 10 * weight);
        assert_eq!(stable.opponent, 0);
    }
}
