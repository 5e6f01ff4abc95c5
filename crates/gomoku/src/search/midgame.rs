//! The search proper: principal variation search with static verdicts, threat-class move generation and a four-search
//! at the leaves.
//!
//! Late move reductions follow ln(depth) * ln(index), a form shared by most engines; the three-step re-search (reduced
//! zero window, full-depth zero window, full window) and the exemption of tactical moves are those of the founding
//! text 003, with its tactical test made on patterns alone.

use crate::color::Color;
use crate::evaluation::estimate;
use crate::point::Point;
use crate::query::Bound;
use crate::rules::Rule;
use crate::threat::Threat;
use crate::threats::{Budget, Four};

use super::ordering::{Ordered, pick};
use super::score::{PROVEN, from_table, loss_in, to_table, win_in};
use super::selectivity::{
    Expect, FUTILITY_DEPTH, RAZOR_DEPTH, RAZOR_MARGIN, Trend, UNKNOWN_DEPTH, Weight, futility_margin,
    is_exempt, moves_tried,
};
use super::table::Entry;
use super::techniques::Technique;
use super::worker::{Common, DEEPEST, Worker};

/// Moves a four-search at a leaf may play, and its longest attack in attacker moves.
const LEAF_FOURS_NODES: u64 = 120;
const LEAF_FOURS_LONGEST: u16 = 8;

/// Whether the side to move faces an open four.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Calm,
    Threatened,
}

/// What is known of a node when its moves are tried.
pub(super) struct Node {
    pub(super) depth: i32,
    pub(super) ply: usize,
    pub(super) expect: Expect,
    pub(super) trend: Trend,
    pub(super) state: State,
    pub(super) evaluation: i32,
}

/// What the patterns alone say about a position.
enum Verdict {
    /// The score.
    Decided(i32),
    /// The one five of the other side must be blocked.
    Forced,
    /// Anything may be best.
    Open,
}

impl Worker {
    /// The score of the position after the move that was looked at last, for the side to move there, within the window or a
    /// bound beyond it (fail-soft). The move is played only when something must be searched below it.
    fn search(
        &mut self,
        common: &Common<'_>,
        depth: i32,
        window: (i32, i32),
        ply: usize,
        expect: Expect,
    ) -> i32 {
        self.lines[ply].clear();
        let outlook = self.board.outlook();
        if self.interrupted.is_some() || outlook.empties() == 0 {
            return 0;
        }
        if ply >= DEEPEST {
            return estimate(outlook.promise());
        }
        // Nothing is better than winning at once, nothing worse than losing after the next two moves.
        let alpha = window.0.max(loss_in(1, ply));
        let beta = window.1.min(win_in(1, ply));
        if alpha >= beta {
            return alpha;
        }
        match self.static_verdict(ply) {
            Verdict::Decided(score) => {
                self.statistics.static_verdicts += 1;
                score
            }
            Verdict::Forced => {
                self.entered(|worker| worker.search_forced(common, depth, (alpha, beta), ply, expect))
            }
            Verdict::Open => self.search_open(common, depth, (alpha, beta), ply, expect),
        }
    }

    /// What is found with the move that was looked at last on the board.
    fn entered<T>(&mut self, find: impl FnOnce(&mut Self) -> T) -> T {
        self.board.enter();
        let found = find(self);
        self.board.undo();
        found
    }

    /// Blocks the one five of the other side.
    fn search_forced(
        &mut self,
        common: &Common<'_>,
        depth: i32,
        (alpha, beta): (i32, i32),
        ply: usize,
        expect: Expect,
    ) -> i32 {
        let us = self.board.side();
        let block = self.board.points(us.other(), Threat::Five).next();
        let Some(block) = block.filter(|&block| !self.board.is_forbidden(block, us)) else {
            // Renju: black may not block, so the five comes.
            self.statistics.static_verdicts += 1;
            return loss_in(1, ply);
        };
        let free = depth <= 0 || common.techniques.has(Technique::FourExtension);
        let depth = if free { depth } else { depth - 1 };
        let score = self.after(common, block, depth, (alpha, beta), ply, expect.first());
        if score > alpha {
            self.set_line(ply, block);
        }
        score
    }

    /// Plays a move, searches to `depth` below it, and takes it back. The window and the score are the mover's.
    pub(super) fn after(
        &mut self,
        common: &Common<'_>,
        point: Point,
        depth: i32,
        window: (i32, i32),
        ply: usize,
        below: Expect,
    ) -> i32 {
        self.count(common, 1);
        common.table.prefetch(self.board.hash_after(point));
        self.board.foresee(point);
        -self.search(common, depth, (-window.1, -window.0), ply + 1, below)
    }

    /// What the patterns decide: fives, forced blocks, open fours, and double threats against a side without fours.
    fn static_verdict(&self, ply: usize) -> Verdict {
        let outlook = self.board.outlook();
        let us = outlook.side();
        let them = us.other();
        if outlook.count(us, Threat::Five) > 0 {
            return Verdict::Decided(win_in(1, ply));
        }
        match outlook.count(them, Threat::Five) {
            0 => {}
            1 => return Verdict::Forced,
            _ => return Verdict::Decided(loss_in(1, ply)),
        }
        // For black under renju these shapes may hold a forbidden point; the searches below find out.
        let rule = self.board.rule();
        if rule == Rule::Renju && us == Color::Black {
            return Verdict::Open;
        }
        if outlook.count(us, Threat::OpenFour) > 0 {
            return Verdict::Decided(win_in(2, ply));
        }
        // Without a four the other side cannot gain a move, and one reply stops only one of two threats.
        let double = outlook.count(us, Threat::FourThree) + outlook.count(us, Threat::DoubleThree);
        if double > 0 && outlook.fours(them) == 0 && rule != Rule::Renju {
            return Verdict::Decided(win_in(3, ply));
        }
        Verdict::Open
    }

    fn search_open(
        &mut self,
        common: &Common<'_>,
        depth: i32,
        (alpha, beta): (i32, i32),
        ply: usize,
        expect: Expect,
    ) -> i32 {
        let zero_window = beta - alpha == 1;
        let outlook = self.board.outlook();
        let threatened = outlook.count(outlook.side().other(), Threat::OpenFour) > 0;
        // A leaf that must answer an open three is not judged as it stands: the answer is looked at first.
        let answers = threatened && common.techniques.has(Technique::ThreatGeneration);
        let depth = if answers { depth.max(1) } else { depth };
        let evaluation = estimate(outlook.promise());
        self.evaluations[ply] = evaluation;
        if depth <= 0 {
            // Not looked up: what is remembered is seldom of use here, and asking costs more than the evaluation.
            return self.leaf(common, evaluation, beta, ply);
        }
        let known = self.probe(common);
        if let Some(entry) = known
            && zero_window
            && let Some(score) = enough(entry, depth, (alpha, beta), ply)
        {
            self.statistics.table_cutoffs += 1;
            return score;
        }
        let better = ply >= 2 && evaluation > self.evaluations[ply - 2];
        let node = Node {
            depth,
            ply,
            expect,
            trend: if better { Trend::Improving } else { Trend::Worsening },
            state: if threatened { State::Threatened } else { State::Calm },
            evaluation,
        };
        if zero_window
            && !threatened
            && alpha.abs() < PROVEN
            && beta.abs() < PROVEN
            && let Some(score) = self.cut_by_evaluation(common, &node, (alpha, beta))
        {
            return score;
        }
        let known = known.and_then(|entry| entry.best);
        self.entered(|worker| worker.search_moves(common, node, known, (alpha, beta)))
    }

    /// Tries the moves of a node, one after another.
    fn search_moves(
        &mut self,
        common: &Common<'_>,
        mut node: Node,
        known: Option<Point>,
        (alpha, beta): (i32, i32),
    ) -> i32 {
        let unknown = known.is_none() && node.state == State::Calm && node.expect != Expect::All;
        if unknown && node.depth >= UNKNOWN_DEPTH {
            node.depth -= 1;
        }
        // The lists of a ply serve again and again.
        let mut moves = std::mem::take(&mut self.moves[node.ply]);
        let mut quiet = std::mem::take(&mut self.quiet[node.ply]);
        self.list_moves(common, known, &node, &mut moves);
        quiet.clear();
        let found = self.try_moves(common, &node, (&mut moves, &mut quiet), (alpha, beta));
        self.moves[node.ply] = moves;
        self.quiet[node.ply] = quiet;
        if self.interrupted.is_some() {
            return 0;
        }
        let Some((best, best_move)) = found else {
            // No reply touches every threat, or under renju all that do are forbidden: the open four follows, and the five
            // after it.
            return if node.state == State::Threatened { loss_in(2, node.ply) } else { node.evaluation };
        };
        let bound = if best >= beta {
            Bound::Lower
        } else if best > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let entry = Entry { score: to_table(best, node.ply), bound, depth: node.depth, best: best_move };
        self.store(common, entry);
        best
    }

    /// The best score, and the move that has it if it is above alpha; `None` when there is no move.
    fn try_moves(
        &mut self,
        common: &Common<'_>,
        node: &Node,
        (moves, quiet): (&mut Vec<Ordered>, &mut Vec<Point>),
        (mut alpha, beta): (i32, i32),
    ) -> Option<(i32, Option<Point>)> {
        let us = self.board.side();
        let has = |technique| common.techniques.has(technique);
        let calm = node.state == State::Calm;
        let prune = has(Technique::MoveCountPruning) && beta - alpha == 1 && calm;
        let most_tried = moves_tried(node.depth, node.trend);
        self.statistics.expanded += u64::from(!moves.is_empty());
        let mut best = None;
        let mut searched = 0_usize;
        let mut at = 0;
        let mut skipping = false;
        while at < moves.len() {
            // A loss is not believed before every move was tried.
            let losing = best.is_none_or(|(score, _)| score <= -PROVEN);
            if prune && !skipping && !losing && searched >= most_tried {
                // From here on only exempt moves are searched, so the others need not be put in order any more.
                skipping = true;
                self.skip_quiet(common, moves, at);
                continue;
            }
            let point = pick(moves, at);
            at += 1;
            if self.board.is_forbidden(point, us) {
                continue;
            }
            let weight = self.weight(point);
            if weight == Weight::Quiet {
                quiet.push(point);
            }
            let reduce = has(Technique::LateMoveReductions) && node.depth >= 3 && searched >= 3 && calm;
            let reduced = if reduce && !is_exempt(common, weight) {
                self.reduction(node.depth, searched, point, weight, node.expect)
            } else {
                0
            };
            let score = self.search_move(common, point, (node, reduced, searched), (alpha, beta));
            if self.interrupted.is_some() {
                return None;
            }
            searched += 1;
            if best.is_none_or(|(known, _)| score > known) {
                best = Some((score, (score > alpha).then_some(point)));
            }
            if score > alpha {
                alpha = score;
                self.set_line(node.ply, point);
            }
            if alpha >= beta {
                self.statistics.cutoffs += 1;
                self.statistics.first_move_cutoffs += u64::from(searched == 1);
                if weight == Weight::Quiet {
                    self.learn_cutoff(node.ply, node.depth, quiet);
                }
                break;
            }
        }
        best
    }

    /// Leaves only the moves from `at` on that are never skipped.
    fn skip_quiet(&mut self, common: &Common<'_>, moves: &mut Vec<Ordered>, at: usize) {
        let mut kept = at;
        for from in at..moves.len() {
            if is_exempt(common, self.weight(moves[from].point())) {
                moves[kept] = moves[from];
                kept += 1;
            }
        }
        self.statistics.pruned_moves += (moves.len() - kept) as u64;
        moves.truncate(kept);
    }

    /// One move by the three steps: reduced zero window, full-depth zero window, full window. `searched` moves of the node
    /// were searched before it.
    fn search_move(
        &mut self,
        common: &Common<'_>,
        point: Point,
        (node, reduced, searched): (&Node, i32, usize),
        (alpha, beta): (i32, i32),
    ) -> i32 {
        let (depth, ply) = (node.depth - 1, node.ply);
        if searched == 0 {
            return self.after(common, point, depth, (alpha, beta), ply, node.expect.first());
        }
        let mut score = alpha + 1;
        if reduced > 0 {
            self.statistics.reduced_probes += 1;
            score = self.after(common, point, depth - reduced, (alpha, alpha + 1), ply, Expect::Cut);
            if score > alpha {
                self.statistics.full_depth_re_searches += 1;
            }
        }
        if score > alpha {
            score = self.after(common, point, depth, (alpha, alpha + 1), ply, node.expect.below());
        }
        if score > alpha && score < beta {
            self.statistics.full_window_re_searches += 1;
            score = self.after(common, point, depth, (alpha, beta), ply, Expect::Value);
        }
        score
    }

    /// Cuts that trust the evaluation at low depth.
    fn cut_by_evaluation(
        &mut self,
        common: &Common<'_>,
        node: &Node,
        (alpha, beta): (i32, i32),
    ) -> Option<i32> {
        let &Node { depth, evaluation, .. } = node;
        let margin = futility_margin(depth, node.trend);
        if common.techniques.has(Technique::ReverseFutility)
            && depth <= FUTILITY_DEPTH
            && evaluation - margin >= beta
        {
            self.statistics.futility_cutoffs += 1;
            return Some(evaluation - margin);
        }
        if common.techniques.has(Technique::Razoring)
            && depth <= RAZOR_DEPTH
            && evaluation + RAZOR_MARGIN * depth <= alpha
        {
            let score = self.leaf(common, evaluation, beta, node.ply);
            if score <= alpha {
                self.statistics.razored += 1;
                return Some(score);
            }
        }
        None
    }

    /// A leaf: a win by fours, or the evaluation.
    fn leaf(&mut self, common: &Common<'_>, evaluation: i32, beta: i32, ply: usize) -> i32 {
        let outlook = self.board.outlook();
        let us = outlook.side();
        // Fours that make nothing else besides lead nowhere: with them left out every win of the bench was still found, by a
        // third of the searches.
        let promising = Threat::FOURS.iter().any(|&kind| kind != Threat::Four && outlook.count(us, kind) > 0);
        if evaluation >= beta || !promising || !common.techniques.has(Technique::LeafFours) {
            return evaluation;
        }
        self.statistics.leaf_four_searches += 1;
        // Some hundred nodes at most, so the look outside can wait until they are counted.
        let mut budget = Budget::new(LEAF_FOURS_NODES, &|| false);
        let point = outlook.point();
        let outcome = self
            .entered(|worker| worker.leaf_fours.solve(&mut worker.board, LEAF_FOURS_LONGEST, &mut budget));
        // The node may be searched on.
        self.board.foresee(point);
        self.statistics.threat_nodes += budget.nodes;
        self.count(common, budget.nodes);
        match outcome {
            Four::Win(moves) => {
                self.statistics.leaf_four_wins += 1;
                win_in(moves, ply)
            }
            Four::Fail(_) => evaluation,
        }
    }

    fn probe(&mut self, common: &Common<'_>) -> Option<Entry> {
        if !common.techniques.has(Technique::Table) {
            return None;
        }
        self.statistics.table_probes += 1;
        let found = common.table.probe(self.board.outlook().hash());
        self.statistics.table_hits += u64::from(found.is_some());
        found
    }

    fn store(&mut self, common: &Common<'_>, entry: Entry) {
        if common.techniques.has(Technique::Table) {
            self.statistics.table_stores += 1;
            common.table.store(self.board.hash(), entry);
        }
    }
}

/// The score that a remembered entry settles a node of no window with, if it does. A proven score holds at any depth.
fn enough(entry: Entry, depth: i32, (alpha, beta): (i32, i32), ply: usize) -> Option<i32> {
    let score = from_table(entry.score, ply);
    let settles = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => score >= beta,
        Bound::Upper => score <= alpha,
    };
    (settles && (entry.depth >= depth || score.abs() >= PROVEN)).then_some(score)
}
