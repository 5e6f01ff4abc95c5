//! The midgame search: so many plies ahead, then the static evaluation.
//!
//! Principal variation search over hundredths of a disc. At [`Selectivity::Full`] its value is a pure function of
//! position and depth: no reductions, no cuts on estimates, and table entries cut only when they come from a search of
//! exactly the same depth and selectivity. Order of search, table contents and number of threads then change the work
//! but never the value. Below that, ProbCut ([`probcut`](super::probcut)) leaves out what a shallower search calls
//! hopeless or won.

mod null_move;

use crate::board::Board;
use crate::evaluation::{Evaluator, LIMIT};
use crate::query::Selectivity;
use crate::search::endgame;
use crate::search::heuristics::Heuristics;
use crate::search::probcut;
use crate::search::table::{Bounds, Entry, Reach};
use crate::search::techniques::Technique;
use crate::search::worker::Worker;
use crate::square::{Move, Square, Squares};

/// Below every value, in hundredths of a disc.
const WORST: i32 = -LIMIT - 1;
/// Hundredths in one disc.
const DISC: i32 = 100;

/// Least depth in plies at which the table is worth its memory access.
const TABLE_FROM_DEPTH: u8 = 2;
/// Least depth in plies at which children are looked up in the table for a cutoff before any of them is searched.
const ETC_FROM_DEPTH: u8 = 4;
/// Least depth in plies at which moves are ordered by their static evaluation; below, counting replies is cheaper.
const EVALUATE_FROM_DEPTH: u8 = 3;
/// Least depth in plies at which moves are ordered by a search of one ply; every further `SHALLOW_STEP` add one.
const SHALLOW_FROM_DEPTH: u8 = 10;
/// See [`SHALLOW_FROM_DEPTH`].
const SHALLOW_STEP: u8 = 4;

/// Least depth in plies at which late moves may be looked at less deeply first.
const REDUCE_FROM_DEPTH: u8 = 5;
/// Place in the order, from 0, from which a move is late.
const REDUCE_FROM_PLACE: usize = 3;
/// How many plies a late move's first look saves. Even, because values of odd and even depths differ by who moved last.
const REDUCED_BY: u8 = 2;

/// Worth of the table's move in the ordering, above everything else; the older table move comes next.
const TABLE_MOVE: i32 = 1 << 24;
/// Worth of a move that leaves the opponent without discs.
const WIPE_OUT: i32 = 1 << 26;
/// Worth of a killer of this ply.
const KILLER: i32 = 50;
/// Worth of one reply less for the opponent, beside the evaluation.
const REPLY: i32 = 100;
/// Worth of taking a corner where moves are ordered by replies alone.
const CORNER: i32 = 200;

/// What a depth-limited search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Value for the side to move, hundredths of a disc, as a fail-soft search of the asked window shows it.
    pub value: i32,
    /// The line behind it when the value lies inside the window, else empty. Passes included.
    pub line: Vec<Move>,
}

/// A legal move waiting to be searched.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    square: Square,
    flips: u64,
    child: Board,
    worth: i32,
}

/// Searches `board` to `depth` plies (a pass is free) in the window `alpha..beta`, all in hundredths of a disc: the
/// value is exact strictly between the two, an upper bound up to `alpha`, a lower bound from `beta` on. A depth that
/// reaches the end of the game is handed to the exact solver.
///
/// Returns `None` when the worker was interrupted; nothing half-searched is left in the table.
pub fn search(
    worker: &mut Worker<'_>,
    heuristics: &mut Heuristics,
    board: Board,
    depth: u8,
    window: (i32, i32),
    selectivity: Selectivity,
) -> Option<Found> {
    let (alpha, beta) = window;
    debug_assert!(alpha < beta);
    if u32::from(depth) >= worker.rules.empty(board).count_ones() {
        let whole = (alpha.div_euclid(DISC), (beta + DISC - 1).div_euclid(DISC));
        let discs = endgame::solve(worker, board, whole.0, whole.1, Selectivity::Full)?;
        let inside = whole.0 < discs && discs < whole.1;
        let line = if inside { endgame::principal_variation(worker, board) } else { Vec::new() };
        return Some(Found { value: discs * DISC, line });
    }
    let evaluator = Evaluator::new(board, worker.rules.size);
    let mut midgame = Midgame {
        worker,
        heuristics,
        evaluator,
        selectivity,
        candidates: Vec::new(),
        probcut_level: 0,
        null_level: 0,
    };
    let mut line = Vec::new();
    let value = midgame.open_window(board, depth, alpha, beta, &mut line)?;
    if value <= alpha || value >= beta {
        line.clear();
    }
    Some(Found { value, line })
}

/// One call of [`search`].
struct Midgame<'s, 'w> {
    worker: &'s mut Worker<'w>,
    heuristics: &'s mut Heuristics,
    evaluator: Evaluator,
    selectivity: Selectivity,
    /// The moves of all nodes on the current path, one node's after another's: each node works on its own end of it.
    candidates: Vec<Candidate>,
    /// How many ProbCut searches the current node lies in.
    probcut_level: u8,
    /// How many null moves lead to the current node.
    null_level: u8,
}

impl Midgame<'_, '_> {
    /// A node of the principal variation: the first move with the whole window, the others only asked whether they
    /// are better. `line` receives the moves behind a value inside the window.
    fn open_window(
        &mut self,
        board: Board,
        depth: u8,
        alpha: i32,
        beta: i32,
        line: &mut Vec<Move>,
    ) -> Option<i32> {
        line.clear();
        if depth == 0 || alpha + 1 == beta {
            return self.zero_window(board, depth, alpha);
        }
        self.worker.go_on()?;
        let moves = board.moves(self.worker.rules.size);
        if moves == 0 {
            let passed = |search: &mut Self, line: &mut Vec<Move>| {
                search.open_window(board.pass(), depth, -beta, -alpha, line)
            };
            return self.without_moves(board, line, passed);
        }
        let entry = self.probe(board, depth);
        if let Some(value) = self.table_cutoff(entry, depth, alpha, beta) {
            return Some(value);
        }
        let base = self.candidates.len();
        self.list_moves(board, moves);
        self.order(board, depth, base, entry)?;
        let (mut best, mut best_move) = (WORST, None);
        let mut below = Vec::new();
        for taken in base..self.candidates.len() {
            let candidate = self.pick(taken);
            let from = alpha.max(best);
            self.evaluator.play(candidate.square, candidate.flips);
            self.worker.statistics.nodes += 1;
            let value = if taken == base {
                -self.open_window(candidate.child, depth - 1, -beta, -from, &mut below)?
            } else {
                let value = -self.zero_window(candidate.child, depth - 1, -from - 1)?;
                if value > from && value < beta {
                    self.worker.statistics.re_searches += 1;
                    -self.open_window(candidate.child, depth - 1, -beta, -from, &mut below)?
                } else {
                    value
                }
            };
            self.evaluator.undo(candidate.square, candidate.flips);
            if value > best {
                (best, best_move) = (value, Some(candidate.square));
                if value > alpha {
                    line.clear();
                    line.push(Move::Place(candidate.square));
                    line.append(&mut below);
                }
                if value >= beta {
                    self.count_cutoff(board, depth, candidate.square, taken - base);
                    break;
                }
            }
        }
        self.candidates.truncate(base);
        self.store(board, depth, (alpha, beta), best, best_move);
        Some(best)
    }

    /// Whether the side to move gets more than `alpha`, fail-soft. The evaluator stands at `board`, also afterwards.
    fn zero_window(&mut self, board: Board, depth: u8, alpha: i32) -> Option<i32> {
        if depth == 0 {
            return Some(self.leaf(board));
        }
        self.worker.go_on()?;
        let moves = board.moves(self.worker.rules.size);
        if moves == 0 {
            let passed =
                |search: &mut Self, _: &mut Vec<Move>| search.zero_window(board.pass(), depth, -alpha - 1);
            return self.without_moves(board, &mut Vec::new(), passed);
        }
        if depth == 1 {
            return Some(self.last_ply(board, moves, alpha));
        }
        let entry = self.probe(board, depth);
        if let Some(value) = self.table_cutoff(entry, depth, alpha, alpha + 1) {
            return Some(value);
        }
        if let Some(value) = self.null_move(board, depth, alpha)? {
            return Some(value);
        }
        if let Some(value) = self.probcut(board, depth, alpha)? {
            return Some(value);
        }
        let base = self.candidates.len();
        self.list_moves(board, moves);
        if let Some(value) = self.children_cutoff(base, depth, alpha) {
            self.candidates.truncate(base);
            return Some(value);
        }
        self.order(board, depth, base, entry)?;
        let (mut best, mut best_move) = (WORST, None);
        for taken in base..self.candidates.len() {
            let candidate = self.pick(taken);
            let reduction = self.reduction(depth, taken - base);
            self.evaluator.play(candidate.square, candidate.flips);
            self.worker.statistics.nodes += 1;
            let mut value = -self.zero_window(candidate.child, depth - 1 - reduction, -alpha - 1)?;
            if reduction > 0 && value > alpha {
                self.worker.statistics.re_searches += 1;
                value = -self.zero_window(candidate.child, depth - 1, -alpha - 1)?;
            }
            self.evaluator.undo(candidate.square, candidate.flips);
            if value > best {
                (best, best_move) = (value, Some(candidate.square));
                if value > alpha {
                    self.count_cutoff(board, depth, candidate.square, taken - base);
                    break;
                }
            }
        }
        self.candidates.truncate(base);
        self.store(board, depth, (alpha, alpha + 1), best, best_move);
        Some(best)
    }

    /// How many plies less a move in this place of the order is looked at first.
    fn reduction(&self, depth: u8, place: usize) -> u8 {
        let reduced = self.selectivity != Selectivity::Full
            && depth >= REDUCE_FROM_DEPTH
            && place >= REDUCE_FROM_PLACE
            && self.worker.techniques.has(Technique::LateMoveReductions);
        if reduced { REDUCED_BY } else { 0 }
    }

    /// Zero window with one ply left: every child is only evaluated.
    fn last_ply(&mut self, board: Board, moves: u64, alpha: i32) -> i32 {
        let mut best = WORST;
        // Corners are most often good enough.
        let corners = self.worker.rules.size.corners();
        for square in Squares(moves & corners).chain(Squares(moves & !corners)) {
            let flips = board.flips(square);
            let child = board.after(square.bit(), flips);
            self.evaluator.play(square, flips);
            self.worker.statistics.nodes += 1;
            let value = -self.leaf(child);
            self.evaluator.undo(square, flips);
            best = best.max(value);
            if best > alpha {
                break;
            }
        }
        best
    }

    /// The value of a position that is not searched further.
    fn leaf(&self, board: Board) -> i32 {
        // The evaluation knows no wipe-outs, and they are certain.
        if board.player == 0 || board.opponent == 0 {
            return self.worker.rules.final_score(board) * DISC;
        }
        self.evaluator.value(board)
    }

    /// A pass, or the end of the game.
    fn without_moves(
        &mut self,
        board: Board,
        line: &mut Vec<Move>,
        passed: impl FnOnce(&mut Self, &mut Vec<Move>) -> Option<i32>,
    ) -> Option<i32> {
        if board.pass().moves(self.worker.rules.size) == 0 {
            return Some(self.worker.rules.final_score(board) * DISC);
        }
        self.worker.statistics.nodes += 1;
        self.evaluator.pass();
        let value = -passed(self, line)?;
        self.evaluator.pass();
        line.insert(0, Move::Pass);
        Some(value)
    }

    fn probe(&mut self, board: Board, depth: u8) -> Option<Entry> {
        if depth < TABLE_FROM_DEPTH { None } else { self.worker.probe(board) }
    }

    /// The value when the table already shows that it lies outside the window.
    fn table_cutoff(&mut self, entry: Option<Entry>, depth: u8, alpha: i32, beta: i32) -> Option<i32> {
        let bounds = entry?.depth_bounds(depth, self.selectivity)?;
        let (lower, upper) = (i32::from(bounds.lower), i32::from(bounds.upper));
        let value = if lower >= beta {
            lower
        } else if upper <= alpha {
            upper
        } else {
            return None;
        };
        self.worker.statistics.table_cutoffs += 1;
        Some(value)
    }

    /// The value when the table shows that one of the moves is good enough.
    fn children_cutoff(&mut self, base: usize, depth: u8, alpha: i32) -> Option<i32> {
        if depth < ETC_FROM_DEPTH {
            return None;
        }
        for index in base..self.candidates.len() {
            let entry = self.worker.probe(self.candidates[index].child);
            if let Some(bounds) = entry.and_then(|entry| entry.depth_bounds(depth - 1, self.selectivity))
                && -i32::from(bounds.upper) > alpha
            {
                self.worker.statistics.etc_cutoffs += 1;
                return Some(-i32::from(bounds.upper));
            }
        }
        None
    }

    /// Asks a shallower search whether this node is all but decided.
    fn probcut(&mut self, board: Board, depth: u8, alpha: i32) -> Option<Option<i32>> {
        if self.selectivity == Selectivity::Full || self.probcut_level >= probcut::MOST_LEVELS {
            return Some(None);
        }
        let empties = self.worker.rules.empty(board).count_ones();
        let Some(plan) = probcut::plan(depth, empties, self.selectivity) else { return Some(None) };
        // The static evaluation tells which of the two questions is worth asking.
        let estimate = self.leaf(board);
        let high = alpha + 1 + plan.margin;
        let low = alpha - plan.margin;
        let mut decided = None;
        self.probcut_level += 1;
        if estimate > alpha && high < LIMIT && self.zero_window(board, plan.depth, high - 1)? >= high {
            decided = Some(alpha + 1);
        }
        if estimate <= alpha && low > -LIMIT && self.zero_window(board, plan.depth, low)? <= low {
            decided = Some(alpha);
        }
        self.probcut_level -= 1;
        self.worker.statistics.probcut_cutoffs += u64::from(decided.is_some());
        Some(decided)
    }

    /// Appends all legal moves to the candidates.
    fn list_moves(&mut self, board: Board, moves: u64) {
        for square in Squares(moves) {
            let flips = board.flips(square);
            let child = board.after(square.bit(), flips);
            self.candidates.push(Candidate { square, flips, child, worth: 0 });
        }
    }

    /// Judges the candidates from `base` on: the higher the worth, the earlier a move is searched.
    fn order(&mut self, board: Board, depth: u8, base: usize, entry: Option<Entry>) -> Option<()> {
        let table_moves = entry.map_or([None, None], |entry| entry.moves);
        let corners = self.worker.rules.size.corners();
        for index in base..self.candidates.len() {
            let Candidate { square, flips, child, .. } = self.candidates[index];
            let replies = child.moves(self.worker.rules.size);
            let mobility = (replies.count_ones() + (replies & corners).count_ones()) as i32;
            let worth = if child.player == 0 {
                WIPE_OUT
            } else if table_moves[0] == Some(square) {
                TABLE_MOVE
            } else if table_moves[1] == Some(square) {
                TABLE_MOVE / 2
            } else {
                let looks = if depth < EVALUATE_FROM_DEPTH {
                    if corners & square.bit() != 0 { CORNER } else { 0 }
                } else {
                    self.evaluator.play(square, flips);
                    let value = -self.shallow(child, depth)?;
                    self.evaluator.undo(square, flips);
                    value
                };
                looks - mobility * REPLY + self.remembered(board, square)
            };
            self.candidates[index].worth = worth;
        }
        Some(())
    }

    /// What cuts at other nodes add to a move's worth.
    fn remembered(&self, board: Board, square: Square) -> i32 {
        let techniques = self.worker.techniques;
        let often = if techniques.has(Technique::History) { self.heuristics.worth(board, square) } else { 0 };
        let killer = techniques.has(Technique::Killers) && self.heuristics.is_killer(board, square);
        often + if killer { KILLER } else { 0 }
    }

    /// What a child looks like for ordering at a node of this depth.
    fn shallow(&mut self, child: Board, depth: u8) -> Option<i32> {
        if depth < SHALLOW_FROM_DEPTH {
            return Some(self.leaf(child));
        }
        let plies = 1 + (depth - SHALLOW_FROM_DEPTH) / SHALLOW_STEP;
        self.open_window(child, plies, -LIMIT - 1, LIMIT + 1, &mut Vec::new())
    }

    /// Brings the best of the candidates from `taken` on to that place and returns it.
    fn pick(&mut self, taken: usize) -> Candidate {
        let mut best = taken;
        for index in taken + 1..self.candidates.len() {
            if self.candidates[index].worth > self.candidates[best].worth {
                best = index;
            }
        }
        self.candidates.swap(taken, best);
        self.candidates[taken]
    }

    fn count_cutoff(&mut self, board: Board, depth: u8, square: Square, place: usize) {
        self.worker.statistics.beta_cutoffs += 1;
        self.worker.statistics.first_move_cutoffs += u64::from(place == 0);
        self.heuristics.reward(board, square, depth);
    }

    fn store(&mut self, board: Board, depth: u8, window: (i32, i32), value: i32, best: Option<Square>) {
        if depth < TABLE_FROM_DEPTH {
            return;
        }
        self.worker.statistics.table_stores += 1;
        let bounds = Bounds::from_search(window.0, window.1, value);
        self.worker.table.store(board, Reach::Plies(depth), self.selectivity, bounds, best);
    }
}
