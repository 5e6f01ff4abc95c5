//! The order in which the lab tries moves, and what it remembers to improve it.

use crate::board::{Board, Size};
use crate::lab::leaf;
use crate::lab::technique::{Ordering, Technique};
use crate::square::{Square, Squares};

/// Most plies from the root for which killers are kept: more than the cells of the board, so passes fit too.
const MAX_PLY: usize = 128;

/// A legal move and the discs it turns.
#[derive(Debug, Clone, Copy)]
pub struct Candidate {
    pub square: Square,
    pub flips: u64,
}

/// Moves that cut before, by ply (killers) and overall (history).
pub struct Memory {
    killers: [[Option<Square>; 2]; MAX_PLY],
    history: [[u32; 64]; 2],
}

impl Memory {
    pub const fn new() -> Self {
        Self { killers: [[None; 2]; MAX_PLY], history: [[0; 64]; 2] }
    }

    /// Notes that `square` cut at this ply with this much depth left.
    pub fn note_cutoff(&mut self, ply: u8, depth: i32, square: Square) {
        let killers = &mut self.killers[usize::from(ply) % MAX_PLY];
        if killers[0] != Some(square) {
            killers[1] = killers[0];
            killers[0] = Some(square);
        }
        let seen = &mut self.history[usize::from(ply % 2)][usize::from(square.index())];
        *seen = seen.saturating_add((depth * depth) as u32);
    }

    fn is_killer(&self, ply: u8, square: Square) -> bool {
        self.killers[usize::from(ply) % MAX_PLY].contains(&Some(square))
    }

    fn cutoffs(&self, ply: u8, square: Square) -> u32 {
        self.history[usize::from(ply % 2)][usize::from(square.index())]
    }
}

/// The legal moves in the order in which `technique` tries them. `hint` (a remembered best move) comes first.
pub fn candidates(
    technique: &Technique,
    size: Size,
    board: Board,
    ply: u8,
    memory: &Memory,
    hint: Option<Square>,
) -> Vec<Candidate> {
    let mut list: Vec<Candidate> =
        Squares(board.moves(size)).map(|square| Candidate { square, flips: board.flips(square) }).collect();
    // The sort is stable and the list ascends by index, so equal keys stay in index order.
    list.sort_by_cached_key(|candidate| {
        let square = candidate.square;
        let remembered = hint == Some(square);
        let killer = technique.killers && memory.is_killer(ply, square);
        let cutoffs = if technique.history { memory.cutoffs(ply, square) } else { 0 };
        let base = match technique.ordering {
            Ordering::Index => 0,
            Ordering::Weights => -leaf::weight(size, square),
            Ordering::FewestFlips => candidate.flips.count_ones() as i32,
            Ordering::Mobility => board.after(square.bit(), candidate.flips).moves(size).count_ones() as i32,
        };
        (!remembered, !killer, u32::MAX - cutoffs, base)
    });
    list
}
