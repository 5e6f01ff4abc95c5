//! ProbCut: where a look a few plies ahead is so clear that the full search would very probably agree, its verdict is
//! taken instead (M. Buro, "ProbCut: an effective selective extension of the alpha-beta algorithm", 1995). Used only in
//! searches below full selectivity, whose answers are estimates and labelled as such.

use crate::board::Board;
use crate::query::Selectivity;
use crate::search::patterns::{PER_DISC, Patterns, Regions};
use crate::search::shallow::look;
use crate::search::worker::Worker;

/// Fewest empties at which a cut is tried.
pub const FEWEST_EMPTIES: u32 = 13;

/// Standard error of a look against the proven score, in tenths of a disc. Set by the nodes of whole solves, first pass at
/// 73 % included: 5, 6, 7 and 9 discs differ by a few per cent on FFO 35-43, but at 6 the first pass of FFO 49 points to a
/// worse move and the proof takes 632 M nodes instead of 286 M.
const STANDARD_ERROR: i32 = 70;
/// A look goes one ply further for every three empties above this.
const NO_LOOK_EMPTIES: u32 = 7;

/// Standard errors that a look must be clear of the window by, for each selectivity, in hundredths.
fn confidence(selectivity: Selectivity) -> Option<i32> {
    match selectivity {
        Selectivity::P73 => Some(110),
        Selectivity::P87 => Some(150),
        Selectivity::P95 => Some(200),
        Selectivity::P98 => Some(260),
        Selectivity::P99 => Some(330),
        Selectivity::Full => None,
    }
}

/// The side of `alpha` on which the score very probably lies, as a fail-soft score; `None` when it is not clear.
pub fn guess(worker: &mut Worker<'_>, board: Board, alpha: i32, selectivity: Selectivity) -> Option<i32> {
    let confidence = confidence(selectivity)?;
    let patterns = Patterns::of(Regions::of(worker.rules.size)?, board);
    let empties = worker.rules.empty(board).count_ones();
    let plies = empties.saturating_sub(NO_LOOK_EMPTIES) / 3;
    let margin = confidence * STANDARD_ERROR * PER_DISC / 1000;
    let (low, high) = (alpha * PER_DISC - margin, (alpha + 1) * PER_DISC + margin);
    let now = look(worker, board, &patterns, 0, low, high);
    // A look further ahead is not worth it where even the first glance points to neither side.
    if now > low && now < high && (now - low).min(high - now) > margin / 2 {
        return None;
    }
    let value = look(worker, board, &patterns, plies, low, high);
    if value >= high {
        Some(alpha + 1)
    } else if value <= low {
        Some(alpha)
    } else {
        None
    }
}
