//! The search proper: principal variation search with static verdicts, threat-class move generation and a four-search
//! at the leaves.
//!
//! Late move reductions follow ln(depth) * ln(index), a form shared by most engines; the three-step re-search (reduced
//! zero window, full-depth zero window, full window) and the exemption of tactical moves are those of the founding
//! text 003, with its tactical test made on patterns alone.

use std::sync::LazyLock;

use crate::evaluation::evaluate;
use crate::point::Point;
use crate::query::Bound;
use crate::rules::Rule;
use crate::threat::Threat;
use crate::threats::{self, Budget, Four};

use super::score::{INFINITE, PROVEN, from_table, loss_in, to_table, win_in};
use super::table::Entry;
use super::techniques::Technique;
use super::worker::{Common, DEEPEST, Worker};
use crate::color::Color;

/// Moves a four-search at a leaf may play, and its longest attack in attacker moves.
const LEAF_FOURS_NODES: u64 = 120;
const LEAF_FOURS_LONGEST: u16 = 8;

/// Evaluation units a ply of depth is trusted to change, for cutting above beta and giving up below alpha.
const FUTILITY_MARGIN: i32 = 70;
const RAZOR_MARGIN: i32 = 130;

/// Deepest remaining depth at which these cuts are made.
const FUTILITY_DEPTH: i32 = 5;
const RAZOR_DEPTH: i32 = 2;
const COUNT_PRUNING_DEPTH: i32 = 7;

/// Ordering bonuses beyond the urgency of the patterns.
const TABLE_MOVE: i32 = 1 << 24;
const KILLER: i32 = 120;
const COUNTER: i32 = 60;
/// History is ±8,192; its share of an ordering score is divided by this.
const HISTORY_SHARE: i32 = 64;

/// What the patterns alone say about a position.
enum Verdict {
    /// The score.
    Decided(i32),
    /// One move must be played.
    Forced(Point),
    /// Anything may be best.
    Open,
}

/// Plies by which a late quiet move is reduced, by depth and index.
static REDUCTIONS: LazyLock<[[u8; 64]; 64]> = LazyLock::new(|| {
    std::array::from_fn(|depth| {
        std::array::from_fn(|index| {
            let product = (depth.max(1) as f64).ln() * (index.max(1) as f64).ln();
            // The divisor was chosen by hand; 1.2 in its place scored 61-3-56 at 6,000 nodes a move.
            (product / 1.8).round() as u8
        })
    })
});

fn reduction(depth: i32, index: usize) -> i32 {
    i32::from(REDUCTIONS[depth.clamp(0, 63) as usize][index.min(63)])
}

/// Quiet moves tried at this depth before the rest is skipped.
const fn wide_moves_tried(depth: i32, improving: bool) -> usize {
    let full = 6 + 2 * depth as usize + (depth * depth) as usize / 2;
    if improving { full } else { full / 2 + 2 }
}

/// The same for a search that goes deep instead of wide.
const fn narrow_moves_tried(depth: i32, improving: bool) -> usize {
    let full = 4 + depth as usize + (depth * depth) as usize / 3;
    if improving { full } else { full / 2 + 2 }
}

/// How freely a move may be reduced or skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Weight {
    /// It makes a four or an open three: never.
    Forcing,
    /// It spoils one of the other side's: less than a quiet one.
    Spoiling,
    /// Freely.
    Quiet,
}

impl Worker {
    /// The score of the position for the side to move, within the window or a bound beyond it (fail-soft).
    pub(super) fn search(&mut self, common: &Common<'_>, depth: i32, window: (i32, i32), ply: usize) -> i32 {
        self.lines[ply].clear();
        if self.interrupted.is_some() || self.board.empties() == 0 {
            return 0;
        }
        if ply >= DEEPEST {
            return evaluate(&self.board);
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
            Verdict::Forced(point) => {
                let free = depth <= 0 || common.techniques.has(Technique::FourExtension);
                let depth = if free { depth } else { depth - 1 };
                let score = self.after(common, point, depth, (alpha, beta), ply);
                if score > alpha {
                    self.set_line(ply, point);
                }
                score
            }
            Verdict::Open => self.search_open(common, depth, (alpha, beta), ply),
        }
    }

    /// Plays a move, searches to `depth` below it, and takes it back. The window and the score are the mover's.
    pub(super) fn after(
        &mut self,
        common: &Common<'_>,
        point: Point,
        depth: i32,
        window: (i32, i32),
        ply: usize,
    ) -> i32 {
        self.count(common, 1);
        self.board.play(point);
        let score = -self.search(common, depth, (-window.1, -window.0), ply + 1);
        self.board.undo();
        score
    }

    /// What the patterns decide: fives, forced blocks, open fours, and double threats against a side without fours.
    fn static_verdict(&mut self, ply: usize) -> Verdict {
        let us = self.board.side();
        let them = us.other();
        if self.board.count(us, Threat::Five) > 0 {
            return Verdict::Decided(win_in(1, ply));
        }
        match self.board.count(them, Threat::Five) {
            0 => {}
            1 => {
                let block = self.board.points(them, Threat::Five).next();
                return match block {
                    Some(block) if !self.board.is_forbidden(block, us) => Verdict::Forced(block),
                    // Renju: black may not block, so the five comes.
                    _ => Verdict::Decided(loss_in(1, ply)),
                };
            }
            _ => return Verdict::Decided(loss_in(1, ply)),
        }
        // For black under renju these shapes may hold a forbidden point; the searches below find out.
        if self.board.rule() == Rule::Renju && us == Color::Black {
            return Verdict::Open;
        }
        if self.board.count(us, Threat::OpenFour) > 0 {
            return Verdict::Decided(win_in(2, ply));
        }
        // Without a four the other side cannot gain a move, and one reply stops only one of two threats.
        let double = self.board.count(us, Threat::FourThree) + self.board.count(us, Threat::DoubleThree);
        if double > 0 && self.board.fours(them) == 0 && self.board.rule() != Rule::Renju {
            return Verdict::Decided(win_in(3, ply));
        }
        Verdict::Open
    }

    fn search_open(&mut self, common: &Common<'_>, depth: i32, window: (i32, i32), ply: usize) -> i32 {
        let (mut alpha, beta) = window;
        let pv_node = beta - alpha > 1;
        let us = self.board.side();
        let threatened = self.board.count(us.other(), Threat::OpenFour) > 0;
        // A leaf that must answer an open three is not judged as it stands: the answer is looked at first.
        let depth = if threatened && common.techniques.has(Technique::ThreatGeneration) {
            depth.max(1)
        } else {
            depth
        };
        let known = self.probe(common);
        if let Some(entry) = known
            && !pv_node
            && entry.depth >= depth
        {
            let score = from_table(entry.score, ply);
            let enough = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => score >= beta,
                Bound::Upper => score <= alpha,
            };
            if enough {
                self.statistics.table_cutoffs += 1;
                return score;
            }
        }
        let evaluation = evaluate(&self.board);
        self.evaluations[ply] = evaluation;
        if depth <= 0 {
            return self.leaf(common, evaluation, beta, ply);
        }
        let calm = !pv_node && !threatened && alpha.abs() < PROVEN && beta.abs() < PROVEN;
        if calm && let Some(score) = self.cut_by_evaluation(common, depth, evaluation, (alpha, beta), ply) {
            return score;
        }
        let mut moves = self.moves(common, known.and_then(|entry| entry.best), ply, threatened);
        if moves.is_empty() {
            // No reply touches every threat: the open four follows, and the five after it.
            return if threatened { loss_in(2, ply) } else { evaluation };
        }
        self.statistics.expanded += 1;
        let improving = ply >= 2 && evaluation > self.evaluations[ply - 2];
        let start = alpha;
        let mut best = -INFINITE;
        let mut best_move = None;
        let mut quiet: Vec<Point> = Vec::new();
        let mut searched = 0_usize;
        let narrow = common.techniques.has(Technique::Narrowing);
        let most_tried =
            if narrow { narrow_moves_tried(depth, improving) } else { wide_moves_tried(depth, improving) };
        let mut at = 0;
        let mut skipping = false;
        while at < moves.len() {
            let prune = common.techniques.has(Technique::MoveCountPruning)
                && !pv_node
                && !threatened
                && best > -PROVEN
                && depth <= COUNT_PRUNING_DEPTH
                && searched >= most_tried;
            if prune && !skipping {
                // From here on only exempt moves are searched, so the others need not be put in order any more.
                skipping = true;
                let before = moves.len();
                let mut kept = moves.split_off(at);
                kept.retain(|&mv| self.is_exempt(common, mv.point()));
                moves.extend(kept);
                self.statistics.pruned_moves += (before - moves.len()) as u64;
                continue;
            }
            let point = pick(&mut moves, at);
            at += 1;
            if self.board.is_forbidden(point, us) {
                continue;
            }
            let weight = self.weight(point);
            let tactical = weight != Weight::Quiet;
            let exempt = self.is_exempt(common, point);
            if !tactical {
                quiet.push(point);
            }
            let reduce = common.techniques.has(Technique::LateMoveReductions)
                && depth >= 3
                && searched >= 3
                && !exempt
                && !threatened;
            let reduced = if reduce {
                let history = self.history(us, point) / 3_000;
                let less = i32::from(pv_node) + i32::from(weight == Weight::Spoiling);
                (reduction(depth, searched) - less - history).clamp(0, depth - 2)
            } else {
                0
            };
            let score = self.search_move(common, point, (depth, reduced), (alpha, beta), (ply, searched));
            if self.interrupted.is_some() {
                return 0;
            }
            searched += 1;
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(point);
                    alpha = score;
                    self.set_line(ply, point);
                }
            }
            if alpha >= beta {
                self.statistics.cutoffs += 1;
                self.statistics.first_move_cutoffs += u64::from(searched == 1);
                if !tactical {
                    self.learn_cutoff(ply, depth, &quiet);
                }
                break;
            }
        }
        if searched == 0 {
            // Renju: black has only forbidden points to answer with.
            return if threatened { loss_in(2, ply) } else { evaluation };
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > start {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.store(common, Entry { score: to_table(best, ply), bound, depth, best: best_move });
        best
    }

    /// One move by the three steps: reduced zero window, full-depth zero window, full window. `place` is the ply and
    /// the number of moves searched before.
    fn search_move(
        &mut self,
        common: &Common<'_>,
        point: Point,
        (depth, reduced): (i32, i32),
        (alpha, beta): (i32, i32),
        place: (usize, usize),
    ) -> i32 {
        let (ply, searched) = place;
        if searched == 0 {
            return self.after(common, point, depth - 1, (alpha, beta), ply);
        }
        let mut score = alpha + 1;
        if reduced > 0 {
            self.statistics.reduced_probes += 1;
            score = self.after(common, point, depth - 1 - reduced, (alpha, alpha + 1), ply);
            if score > alpha {
                self.statistics.full_depth_re_searches += 1;
            }
        }
        if score > alpha {
            score = self.after(common, point, depth - 1, (alpha, alpha + 1), ply);
        }
        if score > alpha && score < beta {
            self.statistics.full_window_re_searches += 1;
            score = self.after(common, point, depth - 1, (alpha, beta), ply);
        }
        score
    }

    /// Whether a move is never reduced nor skipped.
    fn is_exempt(&self, common: &Common<'_>, point: Point) -> bool {
        let weight = self.weight(point);
        common.techniques.has(Technique::TacticalExemption)
            && (weight == Weight::Forcing
                || (weight == Weight::Spoiling && !common.techniques.has(Technique::Narrowing)))
    }

    /// What a move does to fours and open threes, judged on patterns alone.
    fn weight(&self, point: Point) -> Weight {
        let strong = |color| {
            let threat = self.board.threat(point, color);
            threat >= Threat::OpenThree && threat != Threat::Foul
        };
        let us = self.board.side();
        match (strong(us), strong(us.other())) {
            (true, _) => Weight::Forcing,
            (false, true) => Weight::Spoiling,
            (false, false) => Weight::Quiet,
        }
    }

    /// By how many plies a late root move is searched less at first.
    pub(super) fn root_reduction(&self, point: Point, depth: i32, index: usize) -> i32 {
        let reduced = match self.weight(point) {
            Weight::Forcing => 0,
            Weight::Spoiling => reduction(depth, index) - 1,
            Weight::Quiet => reduction(depth, index),
        };
        reduced.clamp(0, (depth - 1).max(0))
    }

    /// Cuts that trust the evaluation at low depth.
    fn cut_by_evaluation(
        &mut self,
        common: &Common<'_>,
        depth: i32,
        evaluation: i32,
        (alpha, beta): (i32, i32),
        ply: usize,
    ) -> Option<i32> {
        if common.techniques.has(Technique::ReverseFutility)
            && depth <= FUTILITY_DEPTH
            && evaluation - FUTILITY_MARGIN * depth >= beta
        {
            self.statistics.futility_cutoffs += 1;
            return Some(evaluation - FUTILITY_MARGIN * depth);
        }
        if common.techniques.has(Technique::Razoring)
            && depth <= RAZOR_DEPTH
            && evaluation + RAZOR_MARGIN * depth <= alpha
        {
            let score = self.leaf(common, evaluation, beta, ply);
            if score <= alpha {
                self.statistics.razored += 1;
                return Some(score);
            }
        }
        None
    }

    /// A leaf: a win by fours, or the evaluation.
    fn leaf(&mut self, common: &Common<'_>, evaluation: i32, beta: i32, ply: usize) -> i32 {
        let us = self.board.side();
        if evaluation >= beta || !common.techniques.has(Technique::LeafFours) || self.board.fours(us) == 0 {
            return evaluation;
        }
        self.statistics.leaf_four_searches += 1;
        // Some hundred nodes at most, so the look outside can wait until they are counted.
        let mut budget = Budget::new(LEAF_FOURS_NODES, &|| false);
        let outcome = self.fours.solve(&mut self.board, LEAF_FOURS_LONGEST, &mut budget);
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
        let found = common.table.probe(self.board.hash());
        self.statistics.table_hits += u64::from(found.is_some());
        found
    }

    fn store(&mut self, common: &Common<'_>, entry: Entry) {
        if common.techniques.has(Technique::Table) {
            self.statistics.table_stores += 1;
            common.table.store(self.board.hash(), entry);
        }
    }

    /// The moves worth trying with their ordering scores, in no order.
    fn moves(
        &self,
        common: &Common<'_>,
        table_move: Option<Point>,
        ply: usize,
        threatened: bool,
    ) -> Vec<Ordered> {
        let us = self.board.side();
        let points = if threatened && common.techniques.has(Technique::ThreatGeneration) {
            threats::against_open_four(&self.board, us.other())
        } else {
            self.board.candidates()
        };
        let has = |technique| common.techniques.has(technique);
        let killers = if has(Technique::Killers) { self.killers(ply) } else { [None; 2] };
        let counter = if has(Technique::CounterMoves) { self.counter() } else { None };
        let order = |point: Point| {
            if table_move == Some(point) {
                return TABLE_MOVE;
            }
            let mut score = self.board.urgency(point) + self.board.nearness(point);
            if killers.contains(&Some(point)) {
                score += KILLER;
            }
            if counter == Some(point) {
                score += COUNTER;
            }
            if has(Technique::History) {
                score += self.history(us, point) / HISTORY_SHARE;
            }
            score
        };
        points.into_iter().map(|point| Ordered::new(order(point), point)).collect()
    }
}

/// A move with its ordering score in one number: the score above the cell, counted down, so that equal scores are taken
/// in board order, the same everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Ordered(i64);

impl Ordered {
    const fn new(score: i32, point: Point) -> Self {
        Self((score as i64) << 16 | (0xffff - point.cell() as i64))
    }

    const fn point(self) -> Point {
        Point::from_cell((0xffff - (self.0 & 0xffff)) as usize)
    }
}

/// Brings the best of the moves from `at` on to `at`. Most nodes cut early, so sorting them all would be a waste.
fn pick(moves: &mut [Ordered], at: usize) -> Point {
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
