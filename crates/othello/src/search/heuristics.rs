//! What a thread remembers about moves that cut the tree: killers by ply and a history of squares.

use crate::board::Board;
use crate::square::Square;

/// Plies of a game, counted by the discs on the board.
const PLIES: usize = 65;
/// The history is halved when a square has gathered this much, so that recent cutoffs weigh more.
const HISTORY_LIMIT: u32 = 1 << 16;
/// How far the history is scaled down to be worth at most 64 hundredths of a disc in the ordering.
const HISTORY_SHIFT: u32 = 10;

/// Killers and history of one thread. They only decide the order in which moves are tried.
#[derive(Debug, Clone)]
pub struct Heuristics {
    /// The two latest different moves that cut at each ply, newest first.
    killers: [[Option<Square>; 2]; PLIES],
    /// Depth squared summed over the cutoffs of each square, by the parity of the ply (which tells the sides apart
    /// but for passes).
    history: [[u32; 64]; 2],
}

impl Default for Heuristics {
    fn default() -> Self {
        Self { killers: [[None; 2]; PLIES], history: [[0; 64]; 2] }
    }
}

impl Heuristics {
    /// Records that this move cut at a node of this depth.
    pub fn reward(&mut self, board: Board, square: Square, depth: u8) {
        let ply = ply(board);
        let killers = &mut self.killers[ply];
        if killers[0] != Some(square) {
            *killers = [Some(square), killers[0]];
        }
        let history = &mut self.history[ply % 2];
        let entry = &mut history[usize::from(square.index())];
        *entry += u32::from(depth).pow(2);
        if *entry >= HISTORY_LIMIT {
            history.iter_mut().for_each(|entry| *entry /= 2);
        }
    }

    /// Whether this move cut lately at the same ply.
    pub fn is_killer(&self, board: Board, square: Square) -> bool {
        self.killers[ply(board)].contains(&Some(square))
    }

    /// The worth of this move by its history, 0..64 hundredths of a disc.
    pub fn worth(&self, board: Board, square: Square) -> i32 {
        (self.history[ply(board) % 2][usize::from(square.index())] >> HISTORY_SHIFT) as i32
    }
}

fn ply(board: Board) -> usize {
    board.occupied().count_ones() as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;

    #[test]
    fn the_two_latest_different_moves_are_killers_of_their_ply_alone() {
        let board = Board::start(Size::Eight);
        let mut heuristics = Heuristics::default();
        let [a, b, c] = [20, 30, 40].map(|index| Square::new(index).unwrap());
        for square in [a, b, b, c] {
            heuristics.reward(board, square, 3);
        }
        assert!(!heuristics.is_killer(board, a));
        assert!(heuristics.is_killer(board, b) && heuristics.is_killer(board, c));
        let later = Board { player: board.player | 1, ..board };
        assert!(!heuristics.is_killer(later, c));
    }

    #[test]
    fn the_history_stays_within_its_range() {
        let board = Board::start(Size::Eight);
        let mut heuristics = Heuristics::default();
        let square = Square::new(20).unwrap();
        for _ in 0..10_000 {
            heuristics.reward(board, square, 60);
            assert!((0..64).contains(&heuristics.worth(board, square)));
        }
        assert!(heuristics.worth(board, square) > 16);
    }
}
