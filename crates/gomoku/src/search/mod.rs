//! Search: how a position's value is found.
//!
//! - [`techniques`]: what a search may use, each switchable;
//! - [`table`]: what is known about positions met before, shared by all threads;
//! - `worker`: what one thread carries; `midgame`: the search it runs; `score`: estimates and distances to a win;
//! - `root`: the root moves and who searches which.
//!
//! A [`GomokuSearch`] hands its root moves out as units to however many threads call
//! [`work`](searchkit::search::Search::work). The first move of an iteration sets the window of the others.

mod midgame;
mod ordering;
mod root;
mod score;
mod selectivity;
pub mod table;
pub mod techniques;
mod worker;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use searchkit::control::{Control, Interrupt};
use searchkit::search::{Leave, Search};
use searchkit::stop::StopReason;

use crate::board::Board;
use crate::grid::Cell;
use crate::point::Point;
use crate::position::{Position, Status};
use crate::query::{Bound, Goal, Query, Snapshot, Statistics};
use crate::threat::Threat;
use crate::threats;

use root::{Root, Task};
use score::{INFINITE, PROVEN, win_in};
use selectivity::Expect;
use table::Table;
use techniques::{Technique, Techniques};
use worker::{Common, NEIGHBORHOOD, Worker};

/// Deepest iteration: beyond it a search only repeats itself.
const DEEPEST_ITERATION: u8 = 60;

/// Half the first window around the previous value, in evaluation units; it grows by half when missed.
const ASPIRATION: i32 = 30;

/// Depth from which windows are narrow.
const ASPIRATION_DEPTH: u8 = 4;

/// Nodes of the four-search at the root.
const ROOT_FOURS_NODES: u64 = 200_000;

/// How long a thread without work sleeps before it looks around again.
const NAP: Duration = Duration::from_micros(300);

/// A search for the answer to one [`Query`].
pub struct GomokuSearch {
    position: Position,
    table: Arc<Table>,
    techniques: Techniques,
    node_limit: u64,
    width: usize,
    nodes: AtomicU64,
    state: Mutex<State>,
    changed: Condvar,
}

/// What threads change under the lock, never for long.
struct State {
    root: Root,
    statistics: Statistics,
    /// Workers whose threads have left, with what they have learnt.
    idle: Vec<Worker>,
}

/// A poisoned lock means that another thread panicked between two complete states, so the data is whole.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl GomokuSearch {
    /// A search for this query, with a table of its own for as long as it lasts: a table that served another search
    /// must be given a [new generation](Table::new_generation) first. A legal move is in the snapshot from now on.
    pub fn new(query: &Query, table: Arc<Table>) -> Self {
        let position = query.position.clone();
        let points = root_points(&position, query);
        let wanted = match query.goal {
            Goal::BestMove => 1,
            Goal::TopN(count) => usize::from(count.max(1)),
            Goal::AllMoves => points.len().max(1),
        };
        let deepest = query.depth.unwrap_or(DEEPEST_ITERATION).clamp(1, DEEPEST_ITERATION);
        let with_threats = query.goal == Goal::BestMove
            && (query.techniques.has(Technique::RootFours) || query.techniques.has(Technique::RootThreats));
        let limit = query.nodes.unwrap_or(u64::MAX);
        let mut root = Root::new(points, wanted, deepest, with_threats.then_some(limit));
        if root.entries.is_empty() {
            root.stop_reason = Some(StopReason::NoMove);
        }
        Self {
            width: query.threads.clamp(1, root.entries.len().max(1)),
            position,
            table,
            techniques: query.techniques,
            node_limit: limit,
            nodes: AtomicU64::new(0),
            state: Mutex::new(State { root, statistics: Statistics::default(), idle: Vec::new() }),
            changed: Condvar::new(),
        }
    }

    /// Ends the search for this reason, unless it has ended.
    fn end(&self, reason: StopReason) {
        let mut state = lock(&self.state);
        state.root.stop_reason.get_or_insert(reason);
        drop(state);
        self.changed.notify_all();
    }

    /// Searches for a win by fours, then by threats: its score and line.
    fn search_threats(
        &self,
        worker: &mut Worker,
        common: &Common<'_>,
        nodes: u64,
    ) -> Option<(i32, Vec<Point>)> {
        let stop = || common.interrupt().is_some();
        let mut win = None;
        if self.techniques.has(Technique::RootFours) {
            let answer = threats::vcf(&mut worker.board, ROOT_FOURS_NODES.min(nodes), &stop);
            win = worker.take_threats(common, answer);
        }
        let free = worker.board.count(worker.board.side().other(), Threat::Five) == 0;
        if win.is_none() && free && self.techniques.has(Technique::RootThreats) {
            let answer = threats::vct(&mut worker.board, nodes, &stop);
            win = worker.take_threats(common, answer);
        }
        worker.interrupted = common.interrupt();
        win.map(|(moves, line)| (win_in(moves, 0), line))
    }

    /// Searches one root move; its score and how it relates to the true one.
    fn search_root_move(&self, worker: &mut Worker, common: &Common<'_>, task: Task) -> (i32, Bound) {
        let Task::Move { point, depth, alpha, previous, index } = task else { return (0, Bound::Upper) };
        worker.lines[1].clear();
        // A five ends the game, so there is no position below it to search.
        if worker.board.threat(point, worker.board.side()) == Threat::Five {
            return (win_in(1, 0), Bound::Exact);
        }
        let depth = i32::from(depth) - 1;
        if alpha > -INFINITE {
            // Where the best move so far loses, any other may be the one that holds, so none is looked at less.
            let reduce = self.techniques.has(Technique::RootReductions) && alpha.abs() < PROVEN;
            let reduced = if reduce { worker.root_reduction(point, depth, index) } else { 0 };
            if reduced > 0 {
                worker.statistics.reduced_probes += 1;
                let score = worker.after(common, point, depth - reduced, (alpha, alpha + 1), 0, Expect::Cut);
                if score <= alpha || worker.interrupted.is_some() {
                    return (score, Bound::Upper);
                }
                worker.statistics.full_depth_re_searches += 1;
            }
            let score = worker.after(common, point, depth, (alpha, alpha + 1), 0, Expect::Cut);
            if score <= alpha || worker.interrupted.is_some() {
                return (score, Bound::Upper);
            }
            worker.statistics.full_window_re_searches += 1;
            return (worker.after(common, point, depth, (alpha, INFINITE), 0, Expect::Value), Bound::Exact);
        }
        let narrow = self.techniques.has(Technique::Aspiration) && depth >= i32::from(ASPIRATION_DEPTH) - 1;
        let center = previous.filter(|score| narrow && score.abs() < PROVEN);
        let Some(center) = center else {
            return (
                worker.after(common, point, depth, (-INFINITE, INFINITE), 0, Expect::Value),
                Bound::Exact,
            );
        };
        let mut margins = (ASPIRATION, ASPIRATION);
        loop {
            let low = if margins.0 > 2_000 { -INFINITE } else { center - margins.0 };
            let high = if margins.1 > 2_000 { INFINITE } else { center + margins.1 };
            let score = worker.after(common, point, depth, (low, high), 0, Expect::Value);
            if worker.interrupted.is_some() || (score > low && score < high) {
                return (score, Bound::Exact);
            }
            worker.statistics.full_window_re_searches += 1;
            if score <= low {
                margins.0 *= 3;
            } else {
                margins.1 *= 3;
            }
        }
    }

    /// Does one task with a worker. Returns why the thread must leave, if it must.
    fn perform(&self, worker: &mut Worker, common: &Common<'_>, task: Task) -> Option<Interrupt> {
        let before = worker.statistics.nodes;
        let news = match task {
            Task::Threats(nodes) => {
                let win = self.search_threats(worker, common, nodes);
                let mut state = lock(&self.state);
                state.statistics.add(&std::mem::take(&mut worker.statistics));
                if win.is_none() && worker.interrupted.is_some() {
                    state.root.give_back_threats();
                } else {
                    state.root.deliver_threats(win, nodes);
                }
                true
            }
            Task::Move { point, .. } => {
                let (score, bound) = self.search_root_move(worker, common, task);
                let mut line = Vec::new();
                if bound == Bound::Exact {
                    line.push(point);
                    line.extend_from_slice(&worker.lines[1]);
                }
                // Bounds are not reported as proven, so only exact scores are worth a replay.
                let claim = bound == Bound::Exact && score.abs() >= PROVEN && worker.interrupted.is_none();
                let score = if claim { worker.verify(common, point, score) } else { score };
                worker.report(common);
                let nodes = worker.statistics.nodes - before;
                let mut state = lock(&self.state);
                state.statistics.add(&std::mem::take(&mut worker.statistics));
                if worker.interrupted.is_some() {
                    state.root.give_back(point);
                    false
                } else {
                    state.root.deliver(point, score, bound, line, nodes)
                }
            }
            Task::Wait | Task::Done => return None,
        };
        self.changed.notify_all();
        // A snapshot is costly beside a move that was only shown not to be better.
        if news {
            (common.control.on_progress)();
        }
        worker.interrupted
    }
}

impl Search for GomokuSearch {
    type Snapshot = Snapshot;

    fn width(&self) -> usize {
        self.width
    }

    fn work(&self, control: &Control<'_>) -> Leave {
        let common = Common {
            table: &self.table,
            techniques: self.techniques,
            nodes: &self.nodes,
            node_limit: self.node_limit,
            control,
        };
        let mut worker: Option<Worker> = None;
        let leave = loop {
            if let Some(interrupt) = common.interrupt() {
                match interrupt {
                    Interrupt::Recall => break Leave::Recalled,
                    Interrupt::Stop(reason) => self.end(reason),
                }
            }
            let mut state = lock(&self.state);
            match state.root.next_task() {
                Task::Done => break Leave::Done,
                Task::Wait => {
                    let woken = self.changed.wait_timeout(state, NAP);
                    drop(woken);
                }
                task @ (Task::Threats(_) | Task::Move { .. }) => {
                    let idle = if worker.is_none() { state.idle.pop() } else { None };
                    drop(state);
                    let own =
                        worker.get_or_insert_with(|| idle.unwrap_or_else(|| Worker::new(&self.position)));
                    own.interrupted = None;
                    self.perform(own, &common, task);
                }
            }
        };
        if let Some(worker) = worker {
            lock(&self.state).idle.push(worker);
        }
        leave
    }

    fn snapshot(&self) -> Snapshot {
        let state = lock(&self.state);
        let root = &state.root;
        let complete =
            matches!(root.stop_reason, Some(StopReason::Depth | StopReason::Solved | StopReason::NoMove));
        Snapshot {
            moves: root.moves(),
            depth: root.completed,
            complete,
            statistics: state.statistics,
            table_fill_permille: self.table.fill_permille(),
            stop_reason: root.stop_reason,
        }
    }

    fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }
}

/// The root moves of a query, most urgent first. Empty when the game is over.
fn root_points(position: &Position, query: &Query) -> Vec<Point> {
    if position.status() != Status::InProgress {
        return Vec::new();
    }
    let mut board = Board::new(position, NEIGHBORHOOD);
    let us = board.side();
    let mut points = match (&query.root_moves, query.goal) {
        (Some(points), _) => points.clone(),
        (None, Goal::AllMoves) => board.candidates(),
        (None, Goal::BestMove | Goal::TopN(_)) => forced_or_candidates(&board),
    };
    points.retain(|&point| board.grid().get(point) == Cell::Empty && !board.is_forbidden(point, us));
    points.sort_unstable();
    points.dedup();
    if points.is_empty() {
        // Every candidate is forbidden or was refused: any legal move is better than none.
        points.extend(position.legal_moves().first());
    }
    points.sort_by_key(|&point| std::cmp::Reverse(board.urgency(point)));
    points
}

/// The legal points that a search without named root moves values, row by row: those near stones. At least one when any
/// move is legal.
pub fn candidates(position: &Position) -> Vec<Point> {
    if position.status() != Status::InProgress {
        return Vec::new();
    }
    let mut board = Board::new(position, NEIGHBORHOOD);
    let us = board.side();
    let mut points = board.candidates();
    points.retain(|&point| !board.is_forbidden(point, us));
    if points.is_empty() {
        points.extend(position.legal_moves().first());
    }
    points
}

/// The one move that a player who asks for the best one need not think about: the only block of a five, a five of its own
/// when there is no other, or the only legal candidate.
pub fn only_move(position: &Position) -> Option<Point> {
    let query = Query::best_move(position.clone(), 1);
    match root_points(position, &query)[..] {
        [only] => Some(only),
        _ => None,
    }
}

/// The moves that can hold against a threat of the other side, or all candidates.
fn forced_or_candidates(board: &Board) -> Vec<Point> {
    let us = board.side();
    let them = us.other();
    let own_win = board.count(us, Threat::Five) > 0;
    if own_win {
        return board.points(us, Threat::Five).collect();
    }
    if board.count(them, Threat::Five) > 0 {
        return board.points(them, Threat::Five).collect();
    }
    board.candidates()
}
