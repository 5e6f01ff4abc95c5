//! A look a few plies ahead with the learned estimate at its end: what orders moves far from the leaves, and what
//! ProbCut trusts.

use crate::board::Board;
use crate::search::ordering::MoveList;
use crate::search::patterns::{PER_DISC, Patterns};
use crate::search::worker::Worker;
use crate::search::{ANY_MOVES, WORST};
use crate::square::Squares;

/// Beyond every value of a look ahead.
pub const BEYOND: i32 = -WORST * PER_DISC;
/// Worth of a legal move of the side to move, and of one of the other side, in 64ths of a disc: fitted together with
/// the pattern weights.
const OWN_MOVE: i32 = 107;
const OTHER_MOVE: i32 = 72;

/// The estimated score of `board`, whose numbers `patterns` are, for the side to move, in quarters of a disc, `plies` moves
/// ahead: fail-soft over the window `alpha..beta`.
pub fn look(
    worker: &mut Worker<'_>,
    board: Board,
    patterns: &Patterns,
    plies: u32,
    alpha: i32,
    beta: i32,
) -> i32 {
    let size = worker.rules.size;
    let moves = board.moves(size);
    if moves == 0 {
        if board.pass().moves(size) == 0 {
            return PER_DISC * worker.rules.final_score(board);
        }
        return -look(worker, board.pass(), &patterns.passed(), plies, -beta, -alpha);
    }
    match plies {
        0 => patterns.estimate() + mobility(moves, board.pass().moves(size)),
        1 => last_ply(worker, board, patterns, moves, beta),
        _ => {
            let mut list = MoveList::<ANY_MOVES>::new();
            list.make(worker, board, moves);
            list.judge(board, patterns, size);
            let mut best = -BEYOND;
            let mut taken = 0;
            while let Some(candidate) = list.next(taken) {
                taken += 1;
                let after = patterns.after(candidate.square.bit(), candidate.flips(board));
                let score = -look(worker, candidate.child, &after, plies - 1, -beta, -alpha.max(best));
                best = best.max(score);
                if best >= beta {
                    break;
                }
            }
            best
        }
    }
}

fn last_ply(worker: &mut Worker<'_>, board: Board, patterns: &Patterns, moves: u64, beta: i32) -> i32 {
    let size = worker.rules.size;
    let mut best = -BEYOND;
    for square in Squares(moves) {
        worker.statistics.nodes += 1;
        let flips = board.flips(square);
        let child = board.after(square.bit(), flips);
        let replies = child.moves(size);
        let score = if child.player == 0 {
            -PER_DISC * worker.rules.final_score(child)
        } else {
            -(patterns.child(square.bit(), flips) + mobility(replies, child.pass().moves(size)))
        };
        best = best.max(score);
        if best >= beta {
            break;
        }
    }
    best
}

#[inline]
fn mobility(own: u64, other: u64) -> i32 {
    (own.count_ones() as i32 * OWN_MOVE - other.count_ones() as i32 * OTHER_MOVE) / (64 / PER_DISC)
}
