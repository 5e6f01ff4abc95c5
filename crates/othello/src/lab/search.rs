//! The lab's one search: fail-soft negamax with every technique of [`Technique`] in its place.

use std::collections::HashMap;

use searchkit::control::Interrupt;

use crate::board::{Board, Size};
use crate::lab::leaf;
use crate::lab::ordering::{self, Candidate, Memory};
use crate::lab::technique::{EndScore, Method, RootReduction, Technique};
use crate::position::{Position, Status};
use crate::square::{Move, Square};
use crate::stability;

/// Beyond every value: the starting window is (-`INFINITE`, `INFINITE`).
const INFINITE: i32 = i32::MAX;
/// Nodes between two looks at the interrupt: well below a millisecond of work.
const NODES_PER_POLL: u64 = 512;
/// Most positions that one search remembers, about 16 MB: several searches run at once, for as long as a request may
/// take. What comes later is searched without being remembered, which keeps node counts the same on every machine.
const MOST_REMEMBERED: usize = 1 << 18;

/// What a search counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counters {
    /// Positions visited, the root not counted; see the module's counting rule.
    pub nodes: u64,
    /// Forced passes among the nodes.
    pub passes: u64,
    /// Null-move searches made.
    pub null_tries: u64,
    /// Returns caused by a null move.
    pub null_cuts: u64,
    /// Verification rounds begun.
    pub verifications: u64,
    /// Moves searched shallower at first.
    pub lmr_reduced: u64,
    /// Beta cuts by a move that had been reduced at first.
    pub lmr_cuts: u64,
    /// Reduced moves searched again in full.
    pub re_searches: u64,
    /// Beta cuts by a real move.
    pub beta_cuts: u64,
    /// Of these, by the first move tried.
    pub first_move_cuts: u64,
    /// Positions answered from the table.
    pub table_hits: u64,
    /// Cuts by a proven bound from stable discs.
    pub stability_cuts: u64,
}

/// What a search found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// Value for the side to move, in the units of the configuration's leaf and end score.
    pub score: i32,
    /// The best move, the first in order among equals; `None` when the game is over.
    pub best_move: Option<Move>,
    /// What it took.
    pub counters: Counters,
}

/// Searches `depth` plies (0 values the position itself).
///
/// `poll` is asked every few hundred nodes whether to give up.
///
/// # Errors
/// The interrupt that `poll` returned; there is no partial result.
pub fn search(
    technique: &Technique,
    position: Position,
    depth: u8,
    poll: &mut dyn FnMut() -> Option<Interrupt>,
) -> Result<Outcome, Interrupt> {
    let mut lab = Lab {
        technique,
        size: position.size(),
        memory: Memory::new(),
        table: HashMap::new(),
        counters: Counters::default(),
        poll,
    };
    let (score, best_move) = match position.status() {
        Status::Finished => (leaf::end_value(technique, position.board()), None),
        Status::MustPass => (lab.after_pass(&Node::root(position.board(), depth))?, Some(Move::Pass)),
        Status::InProgress => lab.root(position.board(), depth)?,
    };
    Ok(Outcome { score, best_move, counters: lab.counters })
}

/// Whether the node may try a null move: never twice in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum NullRight {
    Allowed,
    Forbidden,
}

/// Whether the node is on the principal variation as the founding text marks it: only the node after a forced pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Marked {
    Principal,
    Other,
}

/// One call of the search.
#[derive(Debug, Clone, Copy)]
struct Node {
    board: Board,
    depth: i32,
    alpha: i32,
    beta: i32,
    ply: u8,
    null_right: NullRight,
    marked: Marked,
}

impl Node {
    fn root(board: Board, depth: u8) -> Self {
        Self {
            board,
            depth: i32::from(depth),
            alpha: -INFINITE,
            beta: INFINITE,
            ply: 0,
            null_right: NullRight::Allowed,
            marked: Marked::Other,
        }
    }

    /// The other side's node on `board`, one ply on, under the negated window.
    fn child(&self, board: Board, depth: i32) -> Self {
        Self {
            board,
            depth,
            alpha: -self.beta,
            beta: -self.alpha,
            ply: self.ply + 1,
            null_right: NullRight::Allowed,
            marked: Marked::Other,
        }
    }
}

/// What must agree for a remembered value to stand for a new search: everything the value can depend on.
#[derive(PartialEq, Eq, Hash)]
struct TableKey {
    board: Board,
    depth: i32,
    null_right: NullRight,
    marked: Marked,
    reduces: bool,
}

#[derive(Clone, Copy)]
struct TableEntry {
    lower: i32,
    upper: i32,
    best: Square,
}

struct Lab<'a> {
    technique: &'a Technique,
    size: Size,
    memory: Memory,
    table: HashMap<TableKey, TableEntry>,
    counters: Counters,
    poll: &'a mut dyn FnMut() -> Option<Interrupt>,
}

impl Lab<'_> {
    fn root(&mut self, board: Board, depth: u8) -> Result<(i32, Option<Move>), Interrupt> {
        let mut node = Node::root(board, depth);
        if depth == 0 {
            return Ok((leaf::value(self.technique.leaf, self.size, board), None));
        }
        let mut best = (-INFINITE, None);
        let list = ordering::candidates(self.technique, self.size, board, 0, &self.memory, None);
        for (index, candidate) in list.into_iter().enumerate() {
            if self.technique.method == Method::AlphaBeta {
                node.alpha = best.0;
            }
            let child = board.after(candidate.square.bit(), candidate.flips);
            let score = self.root_move(&node, child, index)?;
            if score > best.0 {
                best = (score, Some(Move::Place(candidate.square)));
            }
        }
        Ok(best)
    }

    fn root_move(&mut self, node: &Node, child: Board, index: usize) -> Result<i32, Interrupt> {
        let full = node.depth - 1;
        let root_reduction = self.technique.root_reduction;
        let rule = self.technique.late_move_reduction.filter(|rule| {
            root_reduction != RootReduction::Never
                && node.depth >= i32::from(rule.min_depth)
                && index >= usize::from(rule.first_index)
        });
        let Some(rule) = rule else { return Ok(-self.visit(&node.child(child, full))?) };
        self.counters.lmr_reduced += 1;
        let reduced = -self.visit(&node.child(child, full - i32::from(rule.reduction)))?;
        if root_reduction == RootReduction::Reduce || reduced <= node.alpha {
            return Ok(reduced);
        }
        self.counters.re_searches += 1;
        Ok(-self.visit(&node.child(child, full))?)
    }

    /// Searches a node and counts it.
    fn visit(&mut self, node: &Node) -> Result<i32, Interrupt> {
        self.counters.nodes += 1;
        if self.counters.nodes.is_multiple_of(NODES_PER_POLL)
            && let Some(interrupt) = (self.poll)()
        {
            return Err(interrupt);
        }
        if node.board.moves(self.size) == 0 {
            if node.board.pass().moves(self.size) == 0 {
                return Ok(leaf::end_value(self.technique, node.board));
            }
            self.counters.passes += 1;
            return self.after_pass(node);
        }
        if node.depth <= 0 {
            return Ok(leaf::value(self.technique.leaf, self.size, node.board));
        }
        if let Some(bound) = self.stability_cut(node) {
            self.counters.stability_cuts += 1;
            return Ok(bound);
        }
        let key = TableKey {
            board: node.board,
            depth: node.depth,
            null_right: node.null_right,
            marked: node.marked,
            reduces: self.technique.late_move_reduction.is_some_and(|rule| node.ply >= rule.min_ply),
        };
        let entry = if self.technique.table { self.table.get(&key).copied() } else { None };
        if let Some(value) = entry.and_then(|entry| entry.answer(node)) {
            self.counters.table_hits += 1;
            return Ok(value);
        }
        if let Some(value) = self.null_move_cut(node)? {
            return Ok(value);
        }
        let (best, square) = self.real_moves(node, entry.map(|entry| entry.best))?;
        if self.technique.table && (entry.is_some() || self.table.len() < MOST_REMEMBERED) {
            let unknown = TableEntry { lower: -INFINITE, upper: INFINITE, best: square };
            self.table.entry(key).or_insert(unknown).tighten(node, best, square);
        }
        Ok(best)
    }

    /// The other side moves at the same depth; its node is the only one that counts as principal.
    fn after_pass(&mut self, node: &Node) -> Result<i32, Interrupt> {
        let mut child = node.child(node.board.pass(), node.depth);
        child.null_right = node.null_right;
        child.marked = Marked::Principal;
        Ok(-self.visit(&child)?)
    }

    fn null_move_cut(&mut self, node: &Node) -> Result<Option<i32>, Interrupt> {
        let Some(rule) = self.technique.null_move else { return Ok(None) };
        let forbidden = node.null_right == NullRight::Forbidden || node.marked == Marked::Principal;
        if forbidden || node.depth < i32::from(rule.min_depth) {
            return Ok(None);
        }
        let depth = node.depth - 1 - i32::from(rule.reduction);
        self.counters.null_tries += 1;
        let mut passed = node.child(node.board.pass(), depth);
        passed.beta = passed.alpha.saturating_add(1);
        passed.null_right = NullRight::Forbidden;
        let value = -self.visit(&passed)?;
        if value < node.beta || (rule.verified && !self.verify(node, depth)?) {
            return Ok(None);
        }
        self.counters.null_cuts += 1;
        Ok(Some(value))
    }

    /// Whether some real move reaches beta at the reduced depth.
    fn verify(&mut self, node: &Node, depth: i32) -> Result<bool, Interrupt> {
        self.counters.verifications += 1;
        let list = ordering::candidates(self.technique, self.size, node.board, node.ply, &self.memory, None);
        for Candidate { square, flips } in list {
            let mut child = node.child(node.board.after(square.bit(), flips), depth);
            child.null_right = NullRight::Forbidden;
            if -self.visit(&child)? >= node.beta {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn real_moves(&mut self, node: &Node, hint: Option<Square>) -> Result<(i32, Square), Interrupt> {
        let list = ordering::candidates(self.technique, self.size, node.board, node.ply, &self.memory, hint);
        let mut window = *node;
        let mut best = (-INFINITE, list[0].square);
        for (index, Candidate { square, flips }) in list.into_iter().enumerate() {
            let child = node.board.after(square.bit(), flips);
            let reduction = self.reduction(node, index);
            let mut value = -self.visit(&window.child(child, node.depth - 1 - reduction))?;
            if reduction > 0 {
                self.counters.lmr_reduced += 1;
                if value > window.alpha {
                    self.counters.re_searches += 1;
                    value = -self.visit(&window.child(child, node.depth - 1))?;
                }
            }
            if value > best.0 {
                best = (value, square);
            }
            if self.technique.method == Method::Minimax {
                continue;
            }
            window.alpha = window.alpha.max(value);
            if window.alpha >= window.beta {
                self.note_cut(node, index, square, reduction);
                break;
            }
        }
        Ok(best)
    }

    fn reduction(&self, node: &Node, index: usize) -> i32 {
        match self.technique.late_move_reduction {
            Some(rule)
                if node.depth >= i32::from(rule.min_depth)
                    && node.ply >= rule.min_ply
                    && index >= usize::from(rule.first_index)
                    && node.marked == Marked::Other =>
            {
                i32::from(rule.reduction)
            }
            _ => 0,
        }
    }

    fn note_cut(&mut self, node: &Node, index: usize, square: Square, reduction: i32) {
        self.counters.beta_cuts += 1;
        self.counters.first_move_cuts += u64::from(index == 0);
        self.counters.lmr_cuts += u64::from(reduction > 0);
        self.memory.note_cutoff(node.ply, node.depth, square);
    }

    /// A bound on the final disc difference that already settles the window. Only where the search reaches the end of
    /// the game and scores it in discs; elsewhere the bound and the values it would be compared with are different
    /// things.
    fn stability_cut(&self, node: &Node) -> Option<i32> {
        let cells = self.size.cells();
        let empties = (cells & !node.board.occupied()).count_ones() as i32;
        let usable =
            self.technique.stability && self.technique.end_score == EndScore::Discs && node.depth >= empties;
        if !usable {
            return None;
        }
        let Board { player, opponent } = node.board;
        let own = stability::stable_discs_on(self.size, player, opponent);
        let other = stability::stable_discs_on(self.size, opponent, player);
        let disc = self.technique.leaf.units_per_disc();
        let lower = stability::lower_bound(self.size, own) * disc;
        let upper = stability::upper_bound(self.size, other) * disc;
        if upper <= node.alpha {
            Some(upper)
        } else if lower >= node.beta {
            Some(lower)
        } else {
            None
        }
    }
}

impl TableEntry {
    /// The value this entry proves for the node's window, if it does.
    fn answer(&self, node: &Node) -> Option<i32> {
        if self.lower >= node.beta || self.lower == self.upper {
            Some(self.lower)
        } else if self.upper <= node.alpha {
            Some(self.upper)
        } else {
            None
        }
    }

    fn tighten(&mut self, node: &Node, value: i32, square: Square) {
        if value > node.alpha {
            self.lower = self.lower.max(value);
            self.best = square;
        }
        if value < node.beta {
            self.upper = self.upper.min(value);
        }
    }
}
