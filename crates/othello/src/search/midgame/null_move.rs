//! Null move pruning: where even passing seems good enough, the node is not searched.
//!
//! In Othello a pass is often the best thing to have, and a move a burden, so the usual reasoning ("any move is better
//! than none") does not hold; the verified form asks a shallower search of real moves to confirm the cut.

use super::Midgame;
use crate::board::Board;
use crate::query::Selectivity;
use crate::search::techniques::Technique;

/// Least depth in plies of a node that is asked.
const FROM_DEPTH: u8 = 4;
/// How many plies the search after the pass saves, the pass itself included. Even, so that the same side moves last.
const REDUCTION: u8 = 2;
/// How many plies the confirming search saves. Even for the same reason.
const VERIFIED_AT: u8 = 2;

impl Midgame<'_, '_> {
    /// Asks whether the node is good enough even after a pass. The inner value is a lower bound above `alpha`.
    pub(super) fn null_move(&mut self, board: Board, depth: u8, alpha: i32) -> Option<Option<i32>> {
        let techniques = self.worker.techniques;
        let verified = techniques.has(Technique::VerifiedNullMove);
        let wanted = verified || techniques.has(Technique::NullMove);
        if !wanted || self.selectivity == Selectivity::Full || self.null_level > 0 || depth < FROM_DEPTH {
            return Some(None);
        }
        // Nothing is gained by asking where the position itself does not look good enough, or the other side cannot move.
        if self.leaf(board) <= alpha || board.pass().moves(self.worker.rules.size) == 0 {
            return Some(None);
        }
        self.null_level += 1;
        self.worker.statistics.nodes += 1;
        self.evaluator.pass();
        let value = -self.zero_window(board.pass(), depth - REDUCTION, -alpha - 1)?;
        self.evaluator.pass();
        let mut cut = value > alpha;
        if cut && verified {
            cut = self.zero_window(board, depth - VERIFIED_AT, alpha)? > alpha;
        }
        self.null_level -= 1;
        Some(cut.then_some(alpha + 1))
    }
}
