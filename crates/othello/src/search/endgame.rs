//! The exact solver: what a position is worth if both sides play perfectly to the end.

use crate::board::{Board, Size};
use crate::query::Selectivity;
use crate::search::near_leaf;
use crate::search::ordering::MoveList;
use crate::search::parity;
use crate::search::patterns::{Patterns, Regions};
use crate::search::table::{Bounds, Reach};
use crate::search::verdict;
use crate::search::worker::Worker;
use crate::search::{ANY_MOVES, WORST};
use crate::square::{Move, Square};
use crate::stability::{stable_discs_on, upper_bound};

/// From so many empties on, children are looked up in the table before any of them is searched. At 12 that saves fewer
/// nodes than it costs time.
const CHILDREN_LOOKED_UP: u32 = 13;
/// From so many empties on, the learned estimate helps to order the moves.
const ESTIMATED: u32 = 10;
/// From so many empties on, moves are ordered by looking ahead: one ply, and one more for every three empties.
const LOOKED_AHEAD: u32 = 14;
/// Furthest look ahead for ordering.
const MOST_PLIES_AHEAD: u32 = 6;
/// From so many empties on, a proof begins with a search at 73 %, which costs little and shows it the good moves.
const GUESSED_FIRST: u32 = 14;
/// A stability cutoff is tried when it would succeed with this many discs (twice their number) not stable.
pub(super) const HARDLY_EVER_STABLE: i32 = 16;

/// The score of `board` for the side to move at the end of the game, in whole discs, as a search of the window
/// `alpha..beta` shows it (fail-soft): exact when it lies strictly between the two, an upper bound when it is at most
/// `alpha`, a lower bound when it is at least `beta`.
///
/// Below [`Selectivity::Full`] the score is an estimate that is right with about that probability.
///
/// Returns `None` when the worker was interrupted; nothing half-searched is left in the table.
pub fn solve(
    worker: &mut Worker<'_>,
    board: Board,
    alpha: i32,
    beta: i32,
    selectivity: Selectivity,
) -> Option<i32> {
    let empties = worker.rules.empty(board).count_ones();
    if selectivity == Selectivity::Full && is_guessed_first(worker.rules.size, empties) {
        solve_at_once(worker, board, alpha, beta, Selectivity::P73)?;
    }
    solve_at_once(worker, board, alpha, beta, selectivity)
}

/// [`solve`] without a first pass, for callers who have made that pass already.
pub fn solve_at_once(
    worker: &mut Worker<'_>,
    board: Board,
    alpha: i32,
    beta: i32,
    selectivity: Selectivity,
) -> Option<i32> {
    debug_assert!(alpha < beta);
    let odd = parity::odd(worker.quadrants, worker.rules.empty(board));
    Endgame { worker, selectivity }.open_window(board, alpha, beta, odd)
}

/// Whether a proof with so many empties begins with a pass at [`Selectivity::P73`]. On the smallest board
/// nothing is learned that such a pass could cut on.
pub fn is_guessed_first(size: Size, empties: u32) -> bool {
    Regions::of(size).is_some() && empties >= GUESSED_FIRST
}

/// The line of best moves that the table holds, from `board` on: as far as every position on it has an exact score
/// at full selectivity. Only legal moves, forced passes included.
pub fn principal_variation(worker: &Worker<'_>, board: Board) -> Vec<Move> {
    let size = worker.rules.size;
    let mut line = Vec::new();
    let mut board = board;
    loop {
        let moves = board.moves(size);
        if moves == 0 {
            if board.pass().moves(size) == 0 {
                return line;
            }
            line.push(Move::Pass);
            board = board.pass();
            continue;
        }
        let best = worker
            .table
            .probe(board)
            .filter(|entry| {
                entry.end_bounds(Selectivity::Full).is_some_and(|bounds| bounds.exact().is_some())
            })
            .and_then(|entry| entry.moves[0])
            .filter(|best| best.bit() & moves != 0);
        let Some(square) = best else {
            // A pass at the end says nothing when the move after it is not known.
            if line.last() == Some(&Move::Pass) {
                line.pop();
            }
            return line;
        };
        line.push(Move::Place(square));
        board = board.after(square.bit(), board.flips(square));
    }
}

/// One call of [`solve`].
pub(super) struct Endgame<'w, 'a> {
    pub(super) worker: &'w mut Worker<'a>,
    pub(super) selectivity: Selectivity,
}

impl Endgame<'_, '_> {
    /// Principal variation search: the first move with the whole window, the others only asked whether they are better.
    fn open_window(&mut self, board: Board, alpha: i32, beta: i32, odd: u64) -> Option<i32> {
        if alpha + 1 == beta {
            return self.zero_window(board, alpha, odd);
        }
        self.worker.go_on()?;
        let moves = board.moves(self.worker.rules.size);
        if moves == 0 {
            return self.without_moves(board, |search| search.open_window(board.pass(), -beta, -alpha, odd));
        }
        let entry = self.worker.probe(board);
        let mut list = MoveList::<ANY_MOVES>::new();
        list.make(self.worker, board, moves);
        let empties = self.worker.rules.empty(board).count_ones();
        self.judge(&mut list, board, empties);
        list.prefer(entry.map_or([None; 2], |entry| entry.moves));
        let (mut best, mut best_move) = (WORST, None);
        let mut taken = 0;
        loop {
            let from = alpha.max(best);
            let mut asked = None;
            if taken > 0 && taken + 1 < list.len() && self.wants_help(empties) {
                let shared = self.share(list.rest(taken), from, odd)?;
                list.keep(taken, &shared.rest);
                match shared.best {
                    Some((score, candidate)) if score > from => asked = Some((score, candidate)),
                    _ => (best, best_move) = shared.better_than(best, best_move),
                }
            }
            let Some(candidate) = asked.map(|(_, candidate)| candidate).or_else(|| list.next(taken)) else {
                break;
            };
            taken += usize::from(asked.is_none());
            let odd = odd ^ self.worker.quadrants[usize::from(candidate.square.index())];
            let mut score = match asked {
                Some((score, _)) => score,
                None if taken == 1 => -self.open_window(candidate.child, -beta, -from, odd)?,
                None => -self.zero_window(candidate.child, -from - 1, odd)?,
            };
            // Only the first move had the whole window. What the others show above `from` is a lower bound, also when it was
            // the second move and another thread that showed it.
            let is_bound = asked.is_some() || taken > 1;
            if is_bound && score > from && score < beta {
                self.worker.statistics.re_searches += 1;
                score = -self.open_window(candidate.child, -beta, -score + 1, odd)?;
            }
            if score > best {
                (best, best_move) = (score, Some(candidate.square));
                if score >= beta {
                    self.count_cutoff(taken);
                    break;
                }
            }
        }
        self.store(board, alpha, beta, best, best_move);
        Some(best)
    }

    /// Whether the side to move gets more than `alpha`, fail-soft.
    pub(super) fn zero_window(&mut self, board: Board, alpha: i32, odd: u64) -> Option<i32> {
        let empties = self.worker.rules.empty(board).count_ones();
        if empties <= near_leaf::MOST_EMPTIES {
            return Some(near_leaf::zero_window(self.worker, board, alpha, odd));
        }
        self.worker.table.prefetch(board);
        self.worker.go_on()?;
        if let Some(score) = stability_cutoff(self.worker, board, alpha, HARDLY_EVER_STABLE) {
            return Some(score);
        }
        let moves = board.moves(self.worker.rules.size);
        if moves == 0 {
            return self.without_moves(board, |search| search.zero_window(board.pass(), -alpha - 1, odd));
        }
        let entry = self.worker.probe(board);
        if let Some(bounds) = entry.and_then(|entry| entry.end_bounds(self.selectivity)) {
            let (lower, upper) = (i32::from(bounds.lower), i32::from(bounds.upper));
            if lower > alpha || upper <= alpha {
                self.worker.statistics.table_cutoffs += 1;
                return Some(if lower > alpha { lower } else { upper });
            }
        }
        if empties >= verdict::FEWEST_EMPTIES
            && let Some(score) = verdict::guess(self.worker, board, alpha, self.selectivity)
        {
            self.worker.statistics.probcut_cutoffs += 1;
            self.store(board, alpha, alpha + 1, score, None);
            return Some(score);
        }
        let hints = entry.map_or([None; 2], |entry| entry.moves);
        match empties {
            ..=12 => self.try_moves::<12>(board, alpha, odd, moves, hints),
            13..=16 => self.try_moves::<16>(board, alpha, odd, moves, hints),
            _ => self.try_moves::<ANY_MOVES>(board, alpha, odd, moves, hints),
        }
    }

    /// The moves of a zero-window position with at most `N` empties, one after the other.
    #[inline]
    fn try_moves<const N: usize>(
        &mut self,
        board: Board,
        alpha: i32,
        odd: u64,
        moves: u64,
        hints: [Option<Square>; 2],
    ) -> Option<i32> {
        let empties = self.worker.rules.empty(board).count_ones();
        let (mut best, mut best_move) = (WORST, None);
        let mut moves = moves;
        let mut tried = 0;
        // A move that was best here before is tried before the others are even made.
        if let Some(square) = hints[0].filter(|hint| hint.bit() & moves != 0) {
            self.worker.statistics.nodes += 1;
            let child = board.after(square.bit(), board.flips(square));
            let odd = odd ^ self.worker.quadrants[usize::from(square.index())];
            let score = -self.zero_window(child, -alpha - 1, odd)?;
            (best, best_move) = (score, Some(square));
            if score > alpha {
                self.count_cutoff(1);
                self.store(board, alpha, alpha + 1, best, best_move);
                return Some(best);
            }
            moves &= !square.bit();
            tried = 1;
        }
        let mut list = MoveList::<N>::new();
        list.make(self.worker, board, moves);
        if empties >= CHILDREN_LOOKED_UP
            && let Some(score) = self.child_cutoff(&mut list, alpha)
        {
            return Some(score);
        }
        if moves & moves.wrapping_sub(1) != 0 {
            self.judge(&mut list, board, empties);
            list.prefer([hints[1], None]);
        }
        let mut taken = 0;
        loop {
            if tried + taken > 0 && taken + 1 < list.len() && self.wants_help(empties) {
                let shared = self.share(list.rest(taken), alpha, odd)?;
                (best, best_move) = shared.better_than(best, best_move);
                if best > alpha {
                    self.count_cutoff(tried + taken + 1);
                }
                break;
            }
            let Some(candidate) = list.next(taken) else { break };
            taken += 1;
            let odd = odd ^ self.worker.quadrants[usize::from(candidate.square.index())];
            let score = -self.zero_window(candidate.child, -alpha - 1, odd)?;
            if score > best {
                (best, best_move) = (score, Some(candidate.square));
                if score > alpha {
                    self.count_cutoff(tried + taken);
                    break;
                }
            }
        }
        self.store(board, alpha, alpha + 1, best, best_move);
        Some(best)
    }

    /// Gives every move its worth, the more carefully the more empties are left.
    fn judge<const N: usize>(&mut self, list: &mut MoveList<N>, board: Board, empties: u32) {
        let size = self.worker.rules.size;
        let Some(regions) = Regions::of(size).filter(|_| empties >= ESTIMATED) else {
            return list.judge_quickly(size);
        };
        let patterns = Patterns::of(regions, board);
        if empties < LOOKED_AHEAD {
            list.judge(board, &patterns, size);
        } else {
            let plies = ((empties - LOOKED_AHEAD) / 3).clamp(1, MOST_PLIES_AHEAD);
            list.judge_deeply(self.worker, board, &patterns, plies);
        }
    }

    /// Enhanced transposition cutoff: a child that the table already knows to be good enough.
    fn child_cutoff<const N: usize>(&mut self, list: &mut MoveList<N>, alpha: i32) -> Option<i32> {
        for child in list.children() {
            self.worker.table.prefetch(child);
        }
        for child in list.children() {
            let known = self.worker.probe(child);
            if let Some(bounds) = known.and_then(|entry| entry.end_bounds(self.selectivity)) {
                let score = -i32::from(bounds.upper);
                if score > alpha {
                    self.worker.statistics.etc_cutoffs += 1;
                    return Some(score);
                }
            }
        }
        None
    }

    /// A pass, or the end of the game.
    fn without_moves(
        &mut self,
        board: Board,
        after_pass: impl FnOnce(&mut Self) -> Option<i32>,
    ) -> Option<i32> {
        if board.pass().moves(self.worker.rules.size) == 0 {
            return Some(self.worker.rules.final_score(board));
        }
        self.worker.statistics.nodes += 1;
        after_pass(self).map(|score| -score)
    }

    fn count_cutoff(&mut self, taken: usize) {
        self.worker.statistics.beta_cutoffs += 1;
        self.worker.statistics.first_move_cutoffs += u64::from(taken == 1);
    }

    fn store(&mut self, board: Board, alpha: i32, beta: i32, score: i32, best: Option<Square>) {
        self.worker.statistics.table_stores += 1;
        let bounds = Bounds::from_search(alpha, beta, score);
        self.worker.table.store(board, Reach::End, self.selectivity, bounds, best);
    }
}

/// The most the side to move can get when enough discs of the opponent are stable, if that is at most `alpha`. Not tried
/// unless it would succeed with at least `unstable` discs (twice their number) not stable.
#[inline]
pub(super) fn stability_cutoff(
    worker: &mut Worker<'_>,
    board: Board,
    alpha: i32,
    unstable: i32,
) -> Option<i32> {
    let size = worker.rules.size;
    // Fewer discs than that are never stable enough, and all of them hardly ever are.
    if upper_bound(size, board.opponent) + unstable > alpha {
        return None;
    }
    let bound = upper_bound(size, stable_discs_on(size, board.opponent, board.player));
    (bound <= alpha).then(|| {
        worker.statistics.stability_cutoffs += 1;
        bound
    })
}
