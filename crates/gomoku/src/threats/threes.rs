//! Wins by continuous threats: every move of the attacker makes a four or an open three.
//!
//! Depth-first, deepening by the number of threes the attack may spend; fours are free up to a bound. At every attacker
//! node a four-search is tried first. Defences are all replies that can hold (see `defences`), so a claimed win is one
//! against every reply; before it is reported it is nevertheless replayed against all legal moves (see `replay`).

use std::collections::HashMap;

use crate::board::Board;
use crate::point::Point;
use crate::threat::Threat;

use super::{Budget, Completeness, Four, FourSearch, ThreatAnswer, Verdict, defences, replay};

/// What the attack may spend on one branch, round by round: threes, and fours thrown in between them.
const ROUNDS: [Left; 11] = [
    Left::of(0, 0),
    Left::of(1, 0),
    Left::of(2, 0),
    Left::of(2, 1),
    Left::of(3, 1),
    Left::of(2, 3),
    Left::of(3, 3),
    Left::of(4, 3),
    Left::of(5, 4),
    Left::of(6, 4),
    Left::of(8, 6),
];

/// Moves a four-search inside the attack may play. The first two rounds look deeper, because there are few positions.
const FOURS_NODES: u64 = 400;
const FOURS_NODES_FIRST: u64 = 4_000;

/// Moves a four-search may play in the replay: what was found once with the help of a fresh memory must be found again.
pub(super) const FOURS_NODES_REPLAY: u64 = 40_000;

/// Longest four-attack looked for inside, in attacker moves.
const FOURS_LONGEST: u16 = 16;

/// What is left to the attacker on this branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Left {
    threes: u8,
    fours: u8,
}

impl Left {
    const fn of(threes: u8, fours: u8) -> Self {
        Self { threes, fours }
    }
}

/// A proven attacker move.
#[derive(Debug, Clone, Copy)]
pub(super) enum Proof {
    /// A four-search proves the rest.
    Fours,
    /// This move wins.
    Move(Point),
}

/// What a node came to.
#[derive(Debug, Clone, Copy)]
enum Outcome {
    /// The attacker wins with so many of its moves.
    Win(u16),
    /// No win within what was left; none at all when complete.
    Fail(Completeness),
}

/// A position in which the attack failed.
#[derive(Debug, Clone, Copy)]
struct Failure {
    /// With this much left.
    left: Left,
    completeness: Completeness,
}

pub(super) struct ThreeSearch<'b, 'a> {
    pub(super) fours: FourSearch,
    pub(super) budget: &'b mut Budget<'a>,
    failed: HashMap<u64, Failure>,
    fours_nodes: u64,
    /// Winning moves found, by position.
    pub(super) proofs: HashMap<u64, Proof>,
}

impl<'b, 'a> ThreeSearch<'b, 'a> {
    pub(super) fn new(budget: &'b mut Budget<'a>) -> Self {
        Self {
            fours: FourSearch::new(budget.limit.max(1).ilog2().clamp(8, 16), super::Follow::Anywhere),
            budget,
            failed: HashMap::new(),
            fours_nodes: FOURS_NODES_FIRST,
            proofs: HashMap::new(),
        }
    }

    /// A win by fours from here, within so many nodes.
    pub(super) fn win_by_fours(&mut self, board: &mut Board, nodes: u64) -> Option<u16> {
        if board.count(board.side(), Threat::Five) == 0 && board.fours(board.side()) == 0 {
            return None;
        }
        let mut budget = Budget::new(nodes, self.budget.stop);
        let outcome = self.fours.solve(board, FOURS_LONGEST, &mut budget);
        self.budget.nodes += budget.nodes;
        match outcome {
            Four::Win(moves) => Some(moves),
            Four::Fail(Completeness::Complete | Completeness::Cut) => None,
        }
    }

    /// The attacker moves.
    fn attack(&mut self, board: &mut Board, left: Left) -> Outcome {
        if let Some(moves) = self.win_by_fours(board, self.fours_nodes) {
            self.proofs.insert(board.hash(), Proof::Fours);
            return Outcome::Win(moves);
        }
        let hash = board.hash();
        let known = self.failed.get(&hash).copied();
        match known {
            Some(Failure { completeness: Completeness::Complete, .. }) => {
                return Outcome::Fail(Completeness::Complete);
            }
            Some(failed) if failed.left.threes >= left.threes && failed.left.fours >= left.fours => {
                return Outcome::Fail(Completeness::Cut);
            }
            _ if self.budget.exhausted() => return Outcome::Fail(Completeness::Cut),
            _ => {}
        }
        let us = board.side();
        let (attacks, mut completeness) = self.attacks(board, left);
        for (point, left) in attacks {
            if board.is_forbidden(point, us) {
                continue;
            }
            self.budget.spend();
            board.play(point);
            let won = self.defend(board, left);
            board.undo();
            match won {
                Outcome::Win(moves) => {
                    self.proofs.insert(hash, Proof::Move(point));
                    return Outcome::Win(moves + 1);
                }
                Outcome::Fail(Completeness::Cut) => completeness = Completeness::Cut,
                Outcome::Fail(Completeness::Complete) => {}
            }
            if self.budget.exhausted() {
                return Outcome::Fail(Completeness::Cut);
            }
        }
        let left = known.map_or(left, |failed| failed.left.max(left));
        self.failed.insert(hash, Failure { left, completeness });
        Outcome::Fail(completeness)
    }

    /// The threats of the side to move with what is left after each, most urgent first; complete when none was left out
    /// for want of something left.
    fn attacks(&self, board: &Board, left: Left) -> (Vec<(Point, Left)>, Completeness) {
        let us = board.side();
        let after = |point: Point| {
            let threat = board.threat(point, us);
            if threat.makes_four() {
                left.fours.checked_sub(1).map(|fours| Left { fours, ..left })
            } else if Threat::OPEN_THREES.contains(&threat) {
                left.threes.checked_sub(1).map(|threes| Left { threes, ..left })
            } else {
                None
            }
        };
        if let Some(block) = board.points(us.other(), Threat::Five).next() {
            // A forced block costs nothing; whether it keeps the attack alive shows after it.
            return (vec![(block, after(block).unwrap_or(left))], Completeness::Complete);
        }
        let kinds = Threat::OPEN_THREES.into_iter().chain(Threat::FOURS);
        let all: Vec<Point> = kinds.flat_map(|kind| board.points(us, kind)).collect();
        let mut moves: Vec<(Point, Left)> =
            all.iter().filter_map(|&point| after(point).map(|left| (point, left))).collect();
        moves.sort_by_key(|&(point, _)| std::cmp::Reverse(board.urgency(point)));
        let whole = moves.len() == all.len();
        (moves, if whole { Completeness::Complete } else { Completeness::Cut })
    }

    /// The defender moves: the longest the defence lasts if every reply loses.
    fn defend(&mut self, board: &mut Board, left: Left) -> Outcome {
        let defender = board.side();
        let attacker = defender.other();
        if board.count(defender, Threat::Five) > 0 {
            return Outcome::Fail(Completeness::Complete);
        }
        let fives: Vec<Point> = board.points(attacker, Threat::Five).take(2).collect();
        let replies = match fives[..] {
            [] if board.count(attacker, Threat::OpenFour) > 0 => defences::against_open_four(board, attacker),
            [] => return Outcome::Fail(Completeness::Complete),
            [only] if !board.is_forbidden(only, defender) => vec![only],
            _ => return Outcome::Win(1),
        };
        // With no reply that could hold, the open four follows and then the five.
        let mut longest = 2;
        for reply in replies {
            if board.is_forbidden(reply, defender) {
                continue;
            }
            self.budget.spend();
            board.play(reply);
            let won = self.attack(board, left);
            board.undo();
            match won {
                Outcome::Win(moves) => longest = longest.max(moves),
                failure => return failure,
            }
        }
        Outcome::Win(longest)
    }
}

/// Searches for a win of the side to move by fours and open threes, playing at most `node_limit` moves. `stop` is asked
/// every few hundred nodes. A win is reported only after it held in a replay against every legal reply; its line
/// follows a longest defence, but a shorter win may exist. None is said only when every threat was followed to its end
/// against some reply after which no threat wins: then there is no win by fours and open threes alone.
pub fn vct(board: &mut Board, node_limit: u64, stop: &dyn Fn() -> bool) -> ThreatAnswer {
    let mut budget = Budget::new(node_limit, stop);
    let mut search = ThreeSearch::new(&mut budget);
    let mut verdict = Verdict::Unknown;
    for left in ROUNDS {
        search.fours_nodes = if left.threes < 2 { FOURS_NODES_FIRST } else { FOURS_NODES };
        match search.attack(board, left) {
            Outcome::Win(_) => {
                if let Some((attacker_moves, line)) = replay::against_everything(board, &mut search) {
                    verdict = Verdict::Win { attacker_moves, line };
                }
                break;
            }
            _ if search.budget.exhausted() => break,
            Outcome::Fail(Completeness::Complete) => {
                verdict = Verdict::None;
                break;
            }
            Outcome::Fail(Completeness::Cut) => {}
        }
    }
    ThreatAnswer { verdict, nodes: budget.nodes }
}
