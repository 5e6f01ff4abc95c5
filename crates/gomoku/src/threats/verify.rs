//! Checks a claim of the main search against every legal reply.
//!
//! The main search looks only at cells near stones, so a win it finds holds against the replies it looked at. Before
//! such a win is reported it is replayed here: the attacker plays the moves the table remembers, the defender every
//! legal move, and what the table does not know must fall to a four-search.

use std::collections::HashMap;

use crate::board::Board;
use crate::point::Point;
use crate::threat::Threat;

use super::{Budget, Four, FourSearch};

/// Longest four-attack looked for at each attacker node, in attacker moves, and the moves it may cost.
const FOURS_LONGEST: u16 = 16;
const FOURS_NODES: u64 = 2_000;

/// Replays claims. Wins once verified are remembered in the map given.
pub(crate) struct Verifier<'b, 'a, 'h> {
    budget: &'b mut Budget<'a>,
    /// The move that is said to win in a position, if any.
    hint: &'h dyn Fn(&Board) -> Option<Point>,
    fours: &'h mut FourSearch,
    verified: &'h mut HashMap<u64, u16>,
}

impl<'b, 'a, 'h> Verifier<'b, 'a, 'h> {
    pub(crate) const fn new(
        budget: &'b mut Budget<'a>,
        hint: &'h dyn Fn(&Board) -> Option<Point>,
        fours: &'h mut FourSearch,
        verified: &'h mut HashMap<u64, u16>,
    ) -> Self {
        Self { budget, hint, fours, verified }
    }

    /// The side to move wins with this many of its own moves at most; `None` when that could not be shown.
    /// `deepest` bounds the attacker moves followed.
    pub(crate) fn attacker_wins(&mut self, board: &mut Board, deepest: u16) -> Option<u16> {
        if let Some(&moves) = self.verified.get(&board.hash()) {
            return Some(moves);
        }
        let us = board.side();
        if board.count(us, Threat::Five) > 0 {
            return Some(1);
        }
        if self.budget.exhausted() || deepest <= 1 {
            return None;
        }
        let moves = match self.by_fours(board) {
            Some(moves) => moves,
            None => {
                let point = self.move_to_try(board)?;
                if board.is_forbidden(point, us) {
                    return None;
                }
                self.budget.spend();
                board.play(point);
                let won = self.defender_loses(board, deepest - 1);
                board.undo();
                1 + won?
            }
        };
        self.verified.insert(board.hash(), moves);
        Some(moves)
    }

    /// The attacker's move where fours alone do not win: a forced block, a double three, or what is remembered.
    fn move_to_try(&self, board: &Board) -> Option<Point> {
        let us = board.side();
        let mut blocks = board.points(us.other(), Threat::Five);
        if let Some(block) = blocks.next() {
            return blocks.next().is_none().then_some(block);
        }
        (self.hint)(board).or_else(|| board.points(us, Threat::DoubleThree).next())
    }

    fn by_fours(&mut self, board: &mut Board) -> Option<u16> {
        if board.fours(board.side()) == 0 {
            return None;
        }
        let mut budget = Budget::new(FOURS_NODES, self.budget.stop);
        let outcome = self.fours.solve(board, FOURS_LONGEST, &mut budget);
        self.budget.nodes += budget.nodes;
        match outcome {
            Four::Win(moves) => Some(moves),
            Four::Fail(_) => None,
        }
    }

    /// The other side wins, whatever legal move the side to move plays: the winner's moves on the longest defence.
    pub(crate) fn defender_loses(&mut self, board: &mut Board, deepest: u16) -> Option<u16> {
        let us = board.side();
        if board.count(us, Threat::Five) > 0 {
            return None;
        }
        let mut replies: Vec<Point> = board.grid().empty().collect();
        // The replies most likely to hold come first, so that false claims fall early.
        replies.sort_by_key(|&point| std::cmp::Reverse(board.urgency(point)));
        let mut longest = 1;
        for reply in replies {
            if board.is_forbidden(reply, us) {
                continue;
            }
            if !self.budget.spend() {
                return None;
            }
            board.play(reply);
            let won = self.attacker_wins(board, deepest);
            board.undo();
            longest = longest.max(won?);
        }
        Some(longest)
    }
}
