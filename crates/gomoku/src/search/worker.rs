//! What one thread carries through a search: its board, its ordering tables, its counters, and the way to hear that it
//! must stop.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};

use searchkit::control::{Control, Interrupt};
use searchkit::stop::StopReason;

use crate::board::Board;
use crate::color::Color;
use crate::evaluation::ESTIMATE_LIMIT;
use crate::plane::Neighborhood;
use crate::point::{FRAME, Point};
use crate::position::Position;
use crate::query::{Bound, Statistics};
use crate::threats::{Budget, Follow, FourSearch, ThreatAnswer, Verdict, Verifier};

use super::ordering::Ordered;
use super::score::{PROVEN, loss_in, win_in};
use super::table::Table;
use super::techniques::Techniques;

/// Plies below the root at which a search evaluates whatever it meets.
pub(super) const DEEPEST: usize = 120;

/// The cells a search looks at around stones: 5x5 and the rays out to distance 4.
pub(super) const NEIGHBORHOOD: Neighborhood = Neighborhood::Rays(2);

/// Bits of a thread's memory of four-searches at leaves: 256 KiB.
const LEAF_MEMORY_BITS: u32 = 14;

/// Nodes between two looks at the outside world: some hundred microseconds.
const POLL_NODES: u64 = 256;

/// Moves a replay of a claim may cost at most, its share of the nodes searched so far, what it may cost in any case, and the
/// most attacker moves it follows. A claim that cannot be shown yet is an estimate until the search has spent more.
const VERIFY_NODES: u64 = 150_000;
const VERIFY_SHARE: u64 = 8;
const VERIFY_LEAST: u64 = 1_000;
const VERIFY_MOVES: u16 = 40;

/// Verified wins remembered at once.
const VERIFIED_LIMIT: usize = 200_000;

/// History scores stay within ± this.
const HISTORY_LIMIT: i32 = 8_192;

/// What all threads of a search share while they search.
pub(super) struct Common<'a> {
    pub(super) table: &'a Table,
    pub(super) techniques: Techniques,
    /// Nodes of all threads, added up now and then.
    pub(super) nodes: &'a AtomicU64,
    pub(super) node_limit: u64,
    pub(super) control: &'a Control<'a>,
}

impl Common<'_> {
    /// Whether the thread must leave.
    pub(super) fn interrupt(&self) -> Option<Interrupt> {
        if self.nodes.load(Ordering::Relaxed) >= self.node_limit {
            self.control.stop.request(StopReason::Nodes);
        }
        self.control.interrupt()
    }
}

/// One thread's part of a search.
pub(super) struct Worker {
    pub(super) board: Board,
    pub(super) statistics: Statistics,
    fours: FourSearch,
    /// The one for leaves.
    pub(super) leaf_fours: FourSearch,
    /// Two quiet moves a ply that cut there last.
    killers: Vec<[Option<Point>; 2]>,
    /// By colour and cell, how well a quiet move did lately.
    history: Box<[[i32; FRAME]; 2]>,
    /// By colour and cell of the previous move, the quiet move that refuted it last.
    counters: Box<[[Option<Point>; FRAME]; 2]>,
    pub(super) evaluations: Vec<i32>,
    /// Room for the moves of each ply, and for the quiet ones tried.
    pub(super) moves: Vec<Vec<Ordered>>,
    pub(super) quiet: Vec<Vec<Point>>,
    /// The best line found below each ply.
    pub(super) lines: Vec<Vec<Point>>,
    /// Wins shown against every reply, by position: the winner's moves.
    verified: HashMap<u64, u16>,
    /// Set when the thread must leave: every score from then on means nothing.
    pub(super) interrupted: Option<Interrupt>,
    unreported: u64,
}

impl Worker {
    pub(super) fn new(position: &Position) -> Self {
        Self {
            board: Board::new(position, NEIGHBORHOOD),
            statistics: Statistics::default(),
            fours: FourSearch::new(LEAF_MEMORY_BITS, Follow::Anywhere),
            leaf_fours: FourSearch::new(LEAF_MEMORY_BITS, Follow::Nearby),
            killers: vec![[None; 2]; DEEPEST + 2],
            history: Box::new([[0; FRAME]; 2]),
            counters: Box::new([[None; FRAME]; 2]),
            evaluations: vec![0; DEEPEST + 2],
            moves: vec![Vec::new(); DEEPEST + 2],
            quiet: vec![Vec::new(); DEEPEST + 2],
            lines: vec![Vec::new(); DEEPEST + 2],
            verified: HashMap::new(),
            interrupted: None,
            unreported: 0,
        }
    }

    /// Counts `nodes` moves and looks outside now and then. False when the thread must leave.
    pub(super) fn count(&mut self, common: &Common<'_>, nodes: u64) -> bool {
        self.statistics.nodes += nodes;
        self.unreported += nodes;
        if self.unreported >= POLL_NODES {
            self.report(common);
            if self.interrupted.is_none() {
                self.interrupted = common.interrupt();
            }
        }
        self.interrupted.is_none()
    }

    /// Counts a threat search: the winner's moves and the line, if it won.
    pub(super) fn take_threats(
        &mut self,
        common: &Common<'_>,
        answer: ThreatAnswer,
    ) -> Option<(u16, Vec<Point>)> {
        self.statistics.nodes += answer.nodes;
        self.statistics.threat_nodes += answer.nodes;
        common.nodes.fetch_add(answer.nodes, Ordering::Relaxed);
        match answer.verdict {
            Verdict::Win { attacker_moves, line } => Some((attacker_moves, line)),
            Verdict::None | Verdict::Unknown => None,
        }
    }

    /// Checks the claim that after this root move `score` (the mover's) is a proven win or loss, against every legal
    /// reply of the loser. The score that holds: the claim, a longer win, or an estimate when the claim could not be
    /// shown within the budget.
    pub(super) fn verify(&mut self, common: &Common<'_>, point: Point, score: i32) -> i32 {
        let stop = || common.interrupt().is_some();
        let spent = common.nodes.load(Ordering::Relaxed);
        let limit = (VERIFY_LEAST + spent / VERIFY_SHARE).min(VERIFY_NODES);
        let mut budget = Budget::new(limit, &stop);
        let hint = |board: &Board| {
            let entry = common.table.probe(board.hash())?;
            entry.best.filter(|_| entry.bound != Bound::Upper && entry.score >= PROVEN)
        };
        if self.verified.len() > VERIFIED_LIMIT {
            self.verified.clear();
        }
        self.board.play(point);
        let mut verifier = Verifier::new(&mut budget, &hint, &mut self.fours, &mut self.verified);
        let held = if score > 0 {
            // The own five may be on the board already, so that there is no reply to look at.
            let five = score == win_in(1, 0);
            let moves = if five { Some(0) } else { verifier.defender_loses(&mut self.board, VERIFY_MOVES) };
            moves.map(|moves| win_in(moves + 1, 0).min(score))
        } else {
            verifier.attacker_wins(&mut self.board, VERIFY_MOVES).map(|moves| loss_in(moves, 0).max(score))
        };
        self.board.undo();
        let spent = budget.nodes;
        self.statistics.threat_nodes += spent;
        self.count(common, spent);
        held.unwrap_or(score.clamp(-ESTIMATE_LIMIT, ESTIMATE_LIMIT))
    }

    /// Adds the nodes counted since the last time to the shared sum.
    pub(super) fn report(&mut self, common: &Common<'_>) {
        common.nodes.fetch_add(std::mem::take(&mut self.unreported), Ordering::Relaxed);
    }

    pub(super) fn killers(&self, ply: usize) -> [Option<Point>; 2] {
        self.killers[ply]
    }

    pub(super) fn history(&self, color: Color, point: Point) -> i32 {
        self.history[color.index()][point.cell() % FRAME]
    }

    /// The move that refuted the last move on the board when it was met before.
    pub(super) fn counter(&self) -> Option<Point> {
        let last = self.board.last_move(0)?;
        self.counters[self.board.side().index()][last.cell() % FRAME]
    }

    /// Learns from a beta cutoff by the last of the `tried` quiet moves at this depth.
    pub(super) fn learn_cutoff(&mut self, ply: usize, depth: i32, tried: &[Point]) {
        let Some((&best, others)) = tried.split_last() else { return };
        let [first, _] = self.killers[ply];
        if first != Some(best) {
            self.killers[ply] = [Some(best), first];
        }
        let side = self.board.side();
        if let Some(last) = self.board.last_move(0) {
            self.counters[side.index()][last.cell() % FRAME] = Some(best);
        }
        let bonus = (depth * depth * 16).min(HISTORY_LIMIT / 4);
        let scores = &mut self.history[side.index()];
        // Gravity: the nearer a score is to its limit, the less a bonus moves it.
        let mut nudge = |point: Point, bonus: i32| {
            let score = &mut scores[point.cell() % FRAME];
            *score += bonus - *score * bonus.abs() / HISTORY_LIMIT;
        };
        nudge(best, bonus);
        for &point in others {
            nudge(point, -bonus);
        }
    }

    /// Puts a move and the line found below it at the head of the line of this ply.
    pub(super) fn set_line(&mut self, ply: usize, point: Point) {
        let (above, below) = self.lines.split_at_mut(ply + 1);
        let line = &mut above[ply];
        line.clear();
        line.push(point);
        line.extend_from_slice(&below[0]);
    }
}
