//! Five empties up to where the shared table starts, in a zero window: cheap ordering, no shared memory.

use crate::board::Board;
use crate::search::WORST;
use crate::search::last_four::at_most_four;
use crate::search::ordering::MoveList;
use crate::search::worker::Worker;

/// Most empties searched here.
pub const MOST_EMPTIES: u32 = 7;

/// Whether the side to move gets more than `alpha`: a fail-soft score in whole discs. `odd` are the squares of the
/// quadrants with an odd number of empty squares.
pub fn zero_window(worker: &mut Worker<'_>, board: Board, alpha: i32, odd: u64) -> i32 {
    let empty = worker.rules.empty(board);
    if empty.count_ones() <= 4 {
        return at_most_four(worker, board, alpha, empty, odd);
    }
    let moves = board.moves(worker.rules.size);
    if moves == 0 {
        if board.pass().moves(worker.rules.size) == 0 {
            return worker.rules.final_score(board);
        }
        worker.statistics.nodes += 1;
        return -zero_window(worker, board.pass(), -alpha - 1, odd);
    }
    let mut list = MoveList::<{ MOST_EMPTIES as usize }>::new(worker, board, moves);
    list.judge(worker, odd, None);
    let mut best = WORST;
    let mut taken = 0;
    while let Some(candidate) = list.next(taken) {
        taken += 1;
        let odd = odd ^ worker.quadrants[usize::from(candidate.square.index())];
        let score = -zero_window(worker, candidate.child, -alpha - 1, odd);
        if score > best {
            best = score;
            if score > alpha {
                break;
            }
        }
    }
    best
}
