//! The order in which moves are tried.

use crate::point::Point;
use crate::threats;

use super::midgame::{Node, State};
use super::techniques::Technique;
use super::worker::{Common, Worker};

/// Ordering bonuses beyond the urgency of the patterns.
const TABLE_MOVE: i32 = 1 << 24;
const KILLER: i32 = 120;
const COUNTER: i32 = 60;
/// History is ±8,192; its share of an ordering score is divided by this.
const HISTORY_SHARE: i32 = 64;

impl Worker {
    /// The moves worth trying with their ordering scores, in no order.
    pub(super) fn list_moves(
        &self,
        common: &Common<'_>,
        table_move: Option<Point>,
        node: &Node,
        into: &mut Vec<Ordered>,
    ) {
        let us = self.board.side();
        let has = |technique| common.techniques.has(technique);
        let killers = if has(Technique::Killers) { self.killers(node.ply) } else { [None; 2] };
        let counter = if has(Technique::CounterMoves) { self.counter() } else { None };
        let with_history = has(Technique::History);
        let nearness = self.board.nearness();
        let order = |point: Point| {
            if table_move == Some(point) {
                return TABLE_MOVE;
            }
            let mut score = self.board.urgency(point) + nearness.of(point);
            if killers.contains(&Some(point)) {
                score += KILLER;
            }
            if counter == Some(point) {
                score += COUNTER;
            }
            if with_history {
                score += self.history(us, point) / HISTORY_SHARE;
            }
            score
        };
        into.clear();
        if node.state == State::Threatened && has(Technique::ThreatGeneration) {
            let points = threats::against_open_four(&self.board, us.other());
            into.extend(points.into_iter().map(|point| Ordered::new(order(point), point)));
        } else {
            self.board.each_candidate(|point| into.push(Ordered::new(order(point), point)));
        }
    }
}

/// A move with its ordering score in one number: the score above the cell, counted down, so that equal scores are taken
/// in board order, the same everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Ordered(i64);

impl Ordered {
    const fn new(score: i32, point: Point) -> Self {
        Self((score as i64) << 16 | (0xffff - point.cell() as i64))
    }

    pub(super) const fn point(self) -> Point {
        Point::from_cell((0xffff - (self.0 & 0xffff)) as usize)
    }
}

/// Brings the best of the moves from `at` on to `at`. Most nodes cut early, so sorting them all would be a waste.
pub(super) fn pick(moves: &mut [Ordered], at: usize) -> Point {
    let (mut best, mut highest) = (at, moves[at]);
    for (other, &mv) in moves.iter().enumerate().skip(at + 1) {
        // Without a branch: which move is the best so far is hard to foresee.
        let better = mv > highest;
        best = if better { other } else { best };
        highest = if better { mv } else { highest };
    }
    moves.swap(at, best);
    highest.point()
}
