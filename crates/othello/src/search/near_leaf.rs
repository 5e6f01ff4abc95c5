//! Five empties up to where the shared table starts, in a zero window: cheap ordering, no shared memory.

use crate::board::Board;
use crate::search::WORST;
use crate::search::endgame::{HARDLY_EVER_STABLE, stability_cutoff};
use crate::search::last_four::at_most_four;
use crate::search::ordering::MoveList;
use crate::search::worker::Worker;
use crate::square::{Square, Squares};

/// Most empties searched here. Up to so many, looks into shared memory and the learned estimate cost more than the nodes
/// they save: 9, 10, 11 and 12 were tried.
pub const MOST_EMPTIES: u32 = 11;
/// Up to so many empties, moves are tried by parity alone: below, sorting costs more than it saves.
const UNSORTED: u32 = 5;
/// Fewest empties of positions that are sorted and remembered; the children of those with more are looked up before any of
/// them is searched.
const SORTED: u32 = UNSORTED + 1;

/// Whether the side to move gets more than `alpha`: a fail-soft score in whole discs. `odd` are the squares of the
/// quadrants with an odd number of empty squares.
pub fn zero_window(worker: &mut Worker<'_>, board: Board, alpha: i32, odd: u64) -> i32 {
    let empty = worker.rules.empty(board);
    if empty.count_ones() <= 4 {
        return at_most_four(worker, board, alpha, empty, odd);
    }
    let moves = board.moves(worker.rules.size);
    zero_window_among(worker, board, alpha, odd, moves)
}

/// [`zero_window`] for five empties or more, where the legal moves are known already.
fn zero_window_among(worker: &mut Worker<'_>, board: Board, alpha: i32, odd: u64, moves: u64) -> i32 {
    if moves == 0 {
        return without_moves(worker, board, alpha, odd);
    }
    let empties = worker.rules.empty(board).count_ones();
    if empties <= UNSORTED {
        return unsorted(worker, board, alpha, odd, moves);
    }
    sorted(worker, board, alpha, odd, moves, empties)
}

/// The moves of odd quadrants, then the others.
fn unsorted(worker: &mut Worker<'_>, board: Board, alpha: i32, odd: u64, moves: u64) -> i32 {
    if let Some(score) = stability_cutoff(worker, board, alpha, HARDLY_EVER_STABLE) {
        return score;
    }
    let mut best = WORST;
    for group in [moves & odd, moves & !odd] {
        for square in Squares(group) {
            worker.statistics.nodes += 1;
            let child = board.after(square.bit(), board.flips(square));
            let odd = odd ^ worker.quadrants[usize::from(square.index())];
            let score = -zero_window(worker, child, -alpha - 1, odd);
            if score > best {
                best = score;
                if score > alpha {
                    return score;
                }
            }
        }
    }
    best
}

/// The move that leaves fewest replies first, after a look into the thread's own cache.
fn sorted(worker: &mut Worker<'_>, board: Board, alpha: i32, odd: u64, moves: u64, empties: u32) -> i32 {
    let known = worker.leaf_cache.probe(board);
    if let Some(score) = known.and_then(|slot| slot.decides(alpha)) {
        return score;
    }
    let hint = known.map(|slot| slot.best);
    if let Some(score) = stability_cutoff(worker, board, alpha, HARDLY_EVER_STABLE) {
        return score;
    }
    let mut list = MoveList::<{ MOST_EMPTIES as usize }>::new();
    list.make(worker, board, moves);
    if empties > SORTED {
        for child in list.children() {
            let known = worker.leaf_cache.probe(child).map(|slot| -i32::from(slot.upper));
            if let Some(score) = known.filter(|&score| score > alpha) {
                return score;
            }
        }
    }
    list.judge_quickly(worker.rules.size);
    list.prefer([hint, None]);
    let (mut best, mut best_move) = (WORST, Square::A1);
    let mut taken = 0;
    while let Some(candidate) = list.next(taken) {
        taken += 1;
        let odd = odd ^ worker.quadrants[usize::from(candidate.square.index())];
        let score = -zero_window_among(worker, candidate.child, -alpha - 1, odd, candidate.replies);
        if score > best {
            (best, best_move) = (score, candidate.square);
            if score > alpha {
                break;
            }
        }
    }
    worker.leaf_cache.store(board, alpha, best, best_move);
    best
}

/// A pass, or the end of the game.
#[cold]
fn without_moves(worker: &mut Worker<'_>, board: Board, alpha: i32, odd: u64) -> i32 {
    if board.pass().moves(worker.rules.size) == 0 {
        return worker.rules.final_score(board);
    }
    worker.statistics.nodes += 1;
    -zero_window(worker, board.pass(), -alpha - 1, odd)
}
