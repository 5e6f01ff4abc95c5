//! One unit of work: one root move searched in one window.

use searchkit::control::Control;

use super::OthelloSearch;
use super::iteration::Unit;
use super::plan::Stage;
use crate::board::Board;
use crate::query::{Selectivity, Statistics};
use crate::search::endgame;
use crate::search::heuristics::Heuristics;
use crate::search::leaf_cache::LeafCache;
use crate::search::midgame;
use crate::search::sharing::{self, Lease};
use crate::search::worker::Worker;
use crate::square::{Move, Square, Squares};

/// What a thread keeps from one unit of a search to the next.
#[derive(Default)]
pub(super) struct Memory {
    heuristics: Heuristics,
    /// Nothing before the first unit, and while a unit has it.
    leaf_cache: Option<LeafCache>,
}

/// What came of a unit.
pub(super) struct Outcome {
    /// Fail-soft value for the side to move at the root, in the stage's unit; `None` when it was cut short.
    pub(super) value: Option<i32>,
    /// The line behind the value, from the reply to the root move on.
    pub(super) line: Vec<Move>,
    /// What the unit cost, also when it was cut short.
    pub(super) statistics: Statistics,
}

/// A proven line is played out to the end of the game when the table's part of it comes so close.
const PLAYED_OUT_FROM_EMPTIES: u32 = 12;

impl OthelloSearch {
    /// Searches one unit, until it is done or `control` interrupts it.
    pub(super) fn search_unit(&self, unit: Unit, control: &Control<'_>, memory: &mut Memory) -> Outcome {
        let leaf_cache = memory.leaf_cache.take().unwrap_or_else(LeafCache::new);
        let mut worker = Worker::with_cache(&self.table, self.rules, control, &self.budget, leaf_cache)
            .in_crew(&self.crew);
        worker.techniques = self.techniques;
        worker.statistics.nodes += 1;
        let found = self.value(&mut worker, unit, &mut memory.heuristics);
        let (value, line) = found.map_or((None, Vec::new()), |(value, line)| (Some(value), line));
        let (statistics, leaf_cache) = worker.finish_with_cache();
        memory.leaf_cache = Some(leaf_cache);
        Outcome { value, line, statistics }
    }

    /// Searches a move of a node that another thread shares.
    pub(super) fn help(&self, lease: Lease<'_>, control: &Control<'_>, memory: &mut Memory) {
        let leaf_cache = memory.leaf_cache.take().unwrap_or_else(LeafCache::new);
        let worker = Worker::with_cache(&self.table, self.rules, control, &self.budget, leaf_cache)
            .in_crew(&self.crew);
        memory.leaf_cache = Some(sharing::help(worker, lease));
    }

    fn value(
        &self,
        worker: &mut Worker<'_>,
        unit: Unit,
        heuristics: &mut Heuristics,
    ) -> Option<(i32, Vec<Move>)> {
        let group = &self.groups[unit.index];
        let (alpha, beta) = (-unit.window.1, -unit.window.0);
        let (value, line) = match unit.stage {
            Stage::Depth(plies) => {
                let plies = if group.is_pass { plies } else { plies - 1 };
                let selectivity = self.query.selectivity;
                let found =
                    midgame::search(worker, heuristics, group.child, plies, (alpha, beta), selectivity)?;
                (found.value, found.line)
            }
            Stage::End(selectivity) => {
                // The plan has put the first pass of a proof into a stage of its own.
                let discs = endgame::solve_at_once(worker, group.child, alpha, beta, selectivity)?;
                let proven = selectivity == Selectivity::Full && alpha < discs && discs < beta;
                (discs, if proven { played_out(worker, group.child, discs) } else { Vec::new() })
            }
            Stage::Sign => {
                let discs = endgame::solve(worker, group.child, alpha, beta, Selectivity::Full)?;
                (discs.signum(), Vec::new())
            }
        };
        let line = if line.is_empty() { best_reply(worker, group.child) } else { line };
        Some((-value, line))
    }
}

/// The table's best move in this position, behind a pass if one is forced; nothing when it has none.
fn best_reply(worker: &mut Worker<'_>, board: Board) -> Vec<Move> {
    let size = worker.rules.size;
    let must_pass = board.moves(size) == 0;
    let mover = if must_pass { board.pass() } else { board };
    let best = worker.table.probe(mover).and_then(|entry| entry.moves[0]);
    let legal = best.filter(|square| square.bit() & mover.moves(size) != 0);
    let place = legal.map(Move::Place);
    if must_pass {
        place.map_or_else(Vec::new, |place| vec![Move::Pass, place])
    } else {
        Vec::from_iter(place)
    }
}

/// The proven line from `board`, worth `discs` to the side to move: what the table holds of it, and the last plies
/// searched again, which costs next to nothing.
fn played_out(worker: &mut Worker<'_>, board: Board, discs: i32) -> Vec<Move> {
    let size = worker.rules.size;
    let mut line = endgame::principal_variation(worker, board);
    let (mut board, mut discs) = (board, discs);
    for &mv in &line {
        board = match mv {
            Move::Place(square) => board.after(square.bit(), board.flips(square)),
            Move::Pass => board.pass(),
        };
        discs = -discs;
    }
    while worker.rules.empty(board).count_ones() <= PLAYED_OUT_FROM_EMPTIES {
        if board.moves(size) == 0 {
            if board.pass().moves(size) == 0 {
                break;
            }
            line.push(Move::Pass);
            board = board.pass();
        } else {
            let Some((square, child)) = move_worth(worker, board, discs) else { break };
            line.push(Move::Place(square));
            board = child;
        }
        discs = -discs;
    }
    line
}

/// The first move that reaches a value, and the position after it. `None` when the worker was interrupted.
fn move_worth(worker: &mut Worker<'_>, board: Board, discs: i32) -> Option<(Square, Board)> {
    for square in Squares(board.moves(worker.rules.size)) {
        let child = board.after(square.bit(), board.flips(square));
        worker.statistics.nodes += 1;
        if -endgame::solve(worker, child, -discs, -discs + 1, Selectivity::Full)? >= discs {
            return Some((square, child));
        }
    }
    None
}
