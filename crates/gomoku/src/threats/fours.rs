//! Wins by continuous fours: every move of the attacker makes a four, so every reply is forced.

use crate::board::{Board, nearness};
use crate::color::Color;
use crate::point::Point;
use crate::threat::Threat;

use super::{Budget, ThreatAnswer, Verdict};

/// Attacker moves beyond which the search gives up: more than a board of fours has room for.
const LONGEST: u16 = 200;

/// What a position is known not to have, for one attacker to move.
#[derive(Debug, Clone, Copy)]
struct Failure {
    hash: u64,
    /// No win within this many attacker moves; [`COMPLETE`] when none at all.
    within: u16,
}

const COMPLETE: u16 = u16::MAX;

/// Greatest class of nearness that is nearby.
const NEARBY: usize = 4;

/// Which fours may follow an attacker's move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Follow {
    /// All of them.
    Anywhere,
    /// Those on a line with it, at most four steps away, and those within two columns and rows. A failure is no proof.
    Nearby,
}

/// Outcome of one node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Four {
    /// A win with this many attacker moves.
    Win(u16),
    /// No win within the depth asked; `true` when there is none at any depth.
    Fail(Completeness),
}

/// Whether a failure holds at every depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Completeness {
    /// No win by fours that may be played exists.
    Complete,
    /// Longer attacks were not looked at.
    Cut,
}

/// A four-search with its memory. The memory stays valid between positions, because it is keyed by the whole position (and by
/// the last move, where that decides what may follow) and speaks of it alone.
pub(crate) struct FourSearch {
    follow: Follow,
    failures: Box<[Failure]>,
    /// The winning line of the last win, five first.
    line: Vec<Point>,
}

impl FourSearch {
    /// A search that remembers `1 << bits` positions.
    pub(crate) fn new(bits: u32, follow: Follow) -> Self {
        let empty = Failure { hash: 0, within: 0 };
        Self { follow, failures: vec![empty; 1 << bits].into_boxed_slice(), line: Vec::new() }
    }

    /// The winning line of the last win found.
    pub(crate) fn take_line(&mut self) -> Vec<Point> {
        let mut line = std::mem::take(&mut self.line);
        line.reverse();
        line
    }

    /// The shortest win of the side to move with at most `longest` moves.
    pub(crate) fn solve(&mut self, board: &mut Board, longest: u16, budget: &mut Budget<'_>) -> Four {
        for depth in 1..=longest {
            self.line.clear();
            match self.attack(board, depth, None, budget) {
                Four::Win(moves) => return Four::Win(moves),
                Four::Fail(Completeness::Complete) => return Four::Fail(Completeness::Complete),
                Four::Fail(Completeness::Cut) if budget.exhausted() => break,
                Four::Fail(Completeness::Cut) => {}
            }
        }
        Four::Fail(Completeness::Cut)
    }

    fn slot(&self, hash: u64) -> usize {
        hash as usize & (self.failures.len() - 1)
    }

    fn known_failure(&self, hash: u64, depth: u16) -> Option<Four> {
        let known = self.failures[self.slot(hash)];
        match known.within {
            within if known.hash != hash || within < depth => None,
            COMPLETE => Some(Four::Fail(Completeness::Complete)),
            _ => Some(Four::Fail(Completeness::Cut)),
        }
    }

    /// Whether the side to move wins with at most `depth` of its own moves, five included.
    /// `last` is its last move in the attack.
    fn attack(
        &mut self,
        board: &mut Board,
        depth: u16,
        last: Option<Point>,
        budget: &mut Budget<'_>,
    ) -> Four {
        let us = board.side();
        let them = us.other();
        if board.count(us, Threat::Five) > 0 {
            self.line.extend(board.points(us, Threat::Five).next());
            return Four::Win(1);
        }
        if board.fours(us) == 0 || board.count(them, Threat::Five) > 1 {
            return Four::Fail(Completeness::Complete);
        }
        if depth <= 1 || budget.exhausted() {
            return Four::Fail(Completeness::Cut);
        }
        let near = last.filter(|_| self.follow == Follow::Nearby);
        let hash = board.hash() ^ near.map_or(0, key);
        if let Some(failure) = self.known_failure(hash, depth) {
            return failure;
        }
        let mut completeness = Completeness::Complete;
        for point in attacks(board, near) {
            if board.is_forbidden(point, us) {
                continue;
            }
            match self.try_four(board, point, depth, budget) {
                Four::Win(moves) => return Four::Win(moves),
                Four::Fail(Completeness::Cut) => completeness = Completeness::Cut,
                Four::Fail(Completeness::Complete) => {}
            }
        }
        // A failure for want of budget says nothing about the position.
        if !budget.exhausted() {
            let within = if completeness == Completeness::Complete { COMPLETE } else { depth };
            let slot = self.slot(hash);
            self.failures[slot] = Failure { hash, within };
        }
        Four::Fail(completeness)
    }

    fn try_four(&mut self, board: &mut Board, point: Point, depth: u16, budget: &mut Budget<'_>) -> Four {
        let us = board.side();
        budget.spend();
        board.play(point);
        let outcome = match forced_reply(board, us) {
            Reply::Lost(defence, five) => {
                self.line.extend([five, defence]);
                Four::Win(2)
            }
            Reply::Only(reply) => {
                budget.spend();
                board.play(reply);
                let outcome = self.attack(board, depth - 1, Some(point), budget);
                board.undo();
                match outcome {
                    Four::Win(moves) => {
                        self.line.push(reply);
                        Four::Win(moves + 1)
                    }
                    failure => failure,
                }
            }
        };
        board.undo();
        if matches!(outcome, Four::Win(_)) {
            self.line.push(point);
        }
        outcome
    }
}

/// What the defender can do about a four that left no five of its own.
enum Reply {
    /// Nothing: a reply that fails, and the five that follows.
    Lost(Point, Point),
    /// One reply, forced.
    Only(Point),
}

/// The defender's answer to the four that `attacker` has just made.
fn forced_reply(board: &mut Board, attacker: Color) -> Reply {
    let fives: Vec<Point> = board.points(attacker, Threat::Five).take(2).collect();
    match fives[..] {
        [first, second] => Reply::Lost(first, second),
        [only] if !board.is_forbidden(only, attacker.other()) => Reply::Only(only),
        // Black may not block there. What black plays instead does not matter, so any legal point serves the line.
        [only] => {
            let black = attacker.other();
            let empty: Vec<Point> = board.grid().empty().filter(|&point| point != only).collect();
            let elsewhere = empty.into_iter().find(|&point| !board.is_forbidden(point, black));
            Reply::Lost(elsewhere.unwrap_or(only), only)
        }
        [] | [_, _, _, ..] => unreachable!("a four leaves one five point or more, and two were taken"),
    }
}

/// Tells what is known of a position after different moves apart: an odd number's multiples.
const fn key(last: Point) -> u64 {
    (last.cell() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The fours the side to move can make, strongest first, those nearby alone where a point is given; only the block when the
/// other side threatens five.
fn attacks(board: &Board, near: Option<Point>) -> Vec<Point> {
    let us = board.side();
    if let Some(block) = board.points(us.other(), Threat::Five).next() {
        return if board.threat(block, us).makes_four() { vec![block] } else { Vec::new() };
    }
    let open_fours: Vec<Point> = board.points(us, Threat::OpenFour).collect();
    let others = [Threat::FourThree, Threat::FourPlus, Threat::Four];
    let all = open_fours.into_iter().chain(others.into_iter().flat_map(|kind| board.points(us, kind)));
    all.filter(|&point| near.is_none_or(|last| nearness(last, point) <= NEARBY)).collect()
}

/// Bits of the memory of a search for one position: at most 4 MiB, and no more than its nodes can fill, because a
/// search of a few thousand nodes would spend its time on clearing memory.
const MEMORY_BITS: (u32, u32) = (8, 18);

/// Searches for the shortest win of the side to move by continuous fours, playing at most `node_limit` moves. `stop` is
/// asked every few hundred nodes. The side to move must not have lost already.
pub fn vcf(board: &mut Board, node_limit: u64, stop: &dyn Fn() -> bool) -> ThreatAnswer {
    let mut search =
        FourSearch::new(node_limit.max(1).ilog2().clamp(MEMORY_BITS.0, MEMORY_BITS.1), Follow::Anywhere);
    let mut budget = Budget::new(node_limit, stop);
    let outcome = search.solve(board, LONGEST, &mut budget);
    let verdict = match outcome {
        Four::Win(attacker_moves) => Verdict::Win { attacker_moves, line: search.take_line() },
        Four::Fail(Completeness::Complete) => Verdict::None,
        Four::Fail(Completeness::Cut) => Verdict::Unknown,
    };
    ThreatAnswer { verdict, nodes: budget.nodes }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plane::Neighborhood;
    use crate::point::Size;
    use crate::position::Position;
    use crate::rules::Rule;

    #[test]
    fn wins_by_fours_nearby_are_wins_by_fours_and_most_wins_are_found() {
        let never = || false;
        let [mut anywhere, mut nearby] =
            [Follow::Anywhere, Follow::Nearby].map(|follow| FourSearch::new(12, follow));
        let (mut wins, mut found) = (0, 0);
        let mut random = 0x2545_f491_4f6c_dd1d_u64;
        for _ in 0..400 {
            let empty = Position::empty(Size::DEFAULT, Rule::Freestyle);
            let mut board = Board::new(&empty, Neighborhood::Square(1));
            for _ in 0..24 {
                let points = board.candidates();
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                board.play(points[random as usize % points.len()]);
            }
            let mut solve = |search: &mut FourSearch| match search.solve(
                &mut board,
                12,
                &mut Budget::new(20_000, &never),
            ) {
                Four::Win(moves) => Some(moves),
                Four::Fail(_) => None,
            };
            let (all, near) = (solve(&mut anywhere), solve(&mut nearby));
            wins += u32::from(all.is_some());
            found += u32::from(near.is_some());
            assert!(near.is_none_or(|near| all.is_some_and(|all| all <= near)), "{all:?} {near:?}");
        }
        assert!(wins > 40 && found > wins * 3 / 4, "{found} of {wins}");
    }
}
