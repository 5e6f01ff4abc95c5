//! Which searches follow one another: deeper and deeper estimates, then the proof.

use searchkit::stop::StopReason;

use crate::query::{Goal, Query, Selectivity};
use crate::search::endgame;

/// One iteration of the root search. Values of different stages have different units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// So many plies ahead; hundredths of a disc.
    Depth(u8),
    /// To the end of the game; whole discs. Proven when the selectivity is full.
    End(Selectivity),
    /// Who wins, proven; 1, 0 or -1.
    Sign,
}

impl Stage {
    /// The greatest value a stage can give on a board with so many cells.
    pub(super) fn limit(self, cells: u32) -> i32 {
        match self {
            Self::Depth(_) => crate::evaluation::LIMIT,
            Self::End(_) => cells as i32,
            Self::Sign => 1,
        }
    }
}

/// The stages of one search, in order, and why it ends when all are done.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Plan {
    pub(super) stages: Vec<Stage>,
    pub(super) reason: StopReason,
}

/// Deepest estimate for the only legal move when a clock alone limits the search: enough to show where the game
/// stands, not worth more time.
const ONLY_MOVE_DEPTH: u8 = 8;
/// A position that will be solved anyway is first searched to this share of its empties, which orders the root moves
/// well enough for a selective search to the end...
const DEPTH_SHARE_BEFORE_SOLVING: u8 = 2;
/// ... and where no proof is asked for, estimates end so many plies before the end of the game, since from there on
/// a selective search to the end costs no more.
const PLIES_BEFORE_END: u8 = 6;

/// Plans the search of a position with so many empty squares and legal root moves (a forced pass counts as one).
pub(super) fn plan(query: &Query, empties: u8, legal_moves: u32) -> Plan {
    let deepest = query.depth.unwrap_or(u8::MAX);
    if deepest < empties {
        return Plan { stages: depths(deepest), reason: StopReason::Depth };
    }
    let solves = empties <= query.exact_from_empties || query.depth.is_some();
    if !solves && legal_moves == 1 && query.goal == Goal::BestMove && query.nodes.is_none() {
        return Plan { stages: depths(ONLY_MOVE_DEPTH.min(empties - 1)), reason: StopReason::OnlyMove };
    }
    let estimates =
        if solves { empties / DEPTH_SHARE_BEFORE_SOLVING } else { empties.saturating_sub(PLIES_BEFORE_END) };
    let mut stages = depths(estimates.min(empties.saturating_sub(1)));
    let size = query.position.size();
    if !solves {
        let steps = Selectivity::ALL
            .into_iter()
            .filter(|&step| step >= query.selectivity && step < Selectivity::Full);
        stages.extend(steps.map(Stage::End));
    } else if query.goal != Goal::WinLossDraw && endgame::is_guessed_first(size, u32::from(empties)) {
        // The proof's own first pass, for all root moves before any is proven: its values tell where the windows of the
        // proof belong, and they are an answer for those who cannot wait.
        stages.push(Stage::End(Selectivity::P73));
    }
    stages.push(if query.goal == Goal::WinLossDraw { Stage::Sign } else { Stage::End(Selectivity::Full) });
    Plan { stages, reason: StopReason::Solved }
}

fn depths(deepest: u8) -> Vec<Stage> {
    (1..=deepest).map(Stage::Depth).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;
    use crate::position::{EmptiesRule, Position};

    fn query(depth: Option<u8>, goal: Goal) -> Query {
        Query {
            position: Position::start(Size::Eight),
            goal,
            root_moves: None,
            depth,
            nodes: None,
            exact_from_empties: 20,
            selectivity: Selectivity::P73,
            empties_rule: EmptiesRule::Winner,
            threads: 1,
        }
    }

    #[test]
    fn a_depth_short_of_the_end_is_never_exceeded() {
        let plan = plan(&query(Some(4), Goal::BestMove), 10, 5);
        assert_eq!(plan.stages, [1, 2, 3, 4].map(Stage::Depth));
        assert_eq!(plan.reason, StopReason::Depth);
    }

    #[test]
    fn a_depth_that_reaches_the_end_is_a_proof() {
        for depth in [12, 60] {
            let plan = plan(&query(Some(depth), Goal::AllMoves), 12, 5);
            assert_eq!(plan.stages.last(), Some(&Stage::End(Selectivity::Full)));
            assert_eq!(plan.reason, StopReason::Solved);
        }
    }

    #[test]
    fn few_empties_are_solved_and_many_are_searched_more_and_more_surely() {
        let exact = plan(&query(None, Goal::WinLossDraw), 20, 5);
        assert_eq!(exact.stages.last(), Some(&Stage::Sign));
        assert!(!exact.stages.iter().any(|stage| matches!(stage, Stage::End(_))));
        let score = plan(&query(None, Goal::BestMove), 20, 5);
        let proof = [Stage::Depth(10), Stage::End(Selectivity::P73), Stage::End(Selectivity::Full)];
        assert!(score.stages.ends_with(&proof), "one selective pass before the proof, no more");
        let little = plan(&query(None, Goal::AllMoves), 13, 5);
        assert!(little.stages.ends_with(&[Stage::Depth(6), Stage::End(Selectivity::Full)]));
        let open = plan(&query(None, Goal::BestMove), 30, 5);
        assert_eq!(open.stages[0], Stage::Depth(1));
        let end: Vec<Stage> = Selectivity::ALL.map(Stage::End).to_vec();
        assert!(open.stages.ends_with(&end));
    }

    #[test]
    fn the_only_move_is_estimated_briefly_unless_a_depth_was_asked_or_it_can_be_solved() {
        let brief = plan(&query(None, Goal::BestMove), 30, 1);
        assert_eq!(brief.reason, StopReason::OnlyMove);
        assert_eq!(brief.stages.last(), Some(&Stage::Depth(ONLY_MOVE_DEPTH)));
        assert_eq!(plan(&query(Some(10), Goal::BestMove), 30, 1).reason, StopReason::Depth);
        assert_eq!(plan(&query(None, Goal::BestMove), 14, 1).reason, StopReason::Solved);
        assert_eq!(plan(&query(None, Goal::AllMoves), 30, 1).reason, StopReason::Solved);
    }

    #[test]
    fn one_empty_square_is_solved_at_once() {
        assert_eq!(plan(&query(None, Goal::BestMove), 1, 1).stages, [Stage::End(Selectivity::Full)]);
    }
}
