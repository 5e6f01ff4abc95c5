//! The question an analysis answers, and the answer.

use searchkit::stop::StopReason;

use crate::point::Point;
use crate::position::Position;
use crate::search::techniques::Techniques;

/// What the caller wants to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Goal {
    /// The best move with its value; other moves may be bounds.
    BestMove,
    /// The value of every asked root move; of every candidate (empty points near stones) when none are named.
    AllMoves,
    /// The values of the best so many moves, at least 1; the rest may be bounds.
    TopN(u8),
}

/// One analysis question. Time is not part of it: the deadline comes with the [`Control`](searchkit::control::Control)
/// of the threads that work on the search.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Query {
    /// The position to analyse, side to move included.
    pub position: Position,
    /// What is asked.
    pub goal: Goal,
    /// The legal moves to consider; the engine's candidates when `None`. Must name at least one legal move when the
    /// position has any; illegal ones are left out.
    pub root_moves: Option<Vec<Point>>,
    /// Deepest iteration in plies, at least 1; no limit when `None`.
    pub depth: Option<u8>,
    /// Most nodes to search, at least 1; no limit when `None`. With one thread the count at which the search stops is
    /// reproducible.
    pub nodes: Option<u64>,
    /// The search techniques to use: all of them for strength, fewer to measure what one is worth.
    pub techniques: Techniques,
    /// Most threads to use, at least 1.
    pub threads: usize,
}

impl Query {
    /// The question of a player who may spend so many nodes on one thread: the best move, by all techniques.
    pub const fn best_move(position: Position, nodes: u64) -> Self {
        Self {
            position,
            goal: Goal::BestMove,
            root_moves: None,
            depth: None,
            nodes: Some(nodes),
            techniques: Techniques::ALL,
            threads: 1,
        }
    }
}

/// What a value means, seen from the side to move at the root.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Value {
    /// The side to move wins.
    WinIn {
        /// Its own moves up to and including the five, at least 1.
        moves: u16,
    },
    /// The side to move loses against best play.
    LossIn {
        /// The winner's moves up to and including the five, at least 1.
        moves: u16,
    },
    /// A heuristic estimate.
    Estimate {
        /// In 1/200 of a logit of the winning probability (see
        /// [`win_probability`](crate::evaluation::win_probability)).
        units: i16,
    },
}

/// How the true value (of a search to this depth) relates to the one given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bound {
    /// Equal.
    Exact,
    /// At least the one given: a win may be shorter.
    Lower,
    /// At most the one given.
    Upper,
}

/// A value with everything needed to know how sure it is. Seen from the side to move at the root.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Score {
    /// The value.
    pub value: Value,
    /// Its relation to the true value.
    pub bound: Bound,
    /// Depth in plies that it was searched to; 0 when a threat search proved it.
    pub depth: u8,
}

/// One root move with its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RootMove {
    /// The move.
    pub point: Point,
    /// Its value for the side to move at the root; `None` until the first iteration reached it.
    pub score: Option<Score>,
    /// The line behind the value, this move first.
    pub principal_variation: Vec<Point>,
    /// Nodes spent on this move.
    pub nodes: u64,
}

/// Counters of one search. All threads added up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Statistics {
    /// Moves made on the board, those of the threat searches included.
    pub nodes: u64,
    /// Of these, moves made by the threat searches.
    pub threat_nodes: u64,
    /// Nodes in which moves were tried one after another.
    pub expanded: u64,
    /// Beta cutoffs by a searched move. The cutoff rate is `cutoffs / expanded`.
    pub cutoffs: u64,
    /// Beta cutoffs by the first move searched.
    pub first_move_cutoffs: u64,
    /// Moves first searched at reduced depth, at every level.
    pub reduced_probes: u64,
    /// Reduced moves searched again at full depth with a zero window.
    pub full_depth_re_searches: u64,
    /// Moves searched again with the full window.
    pub full_window_re_searches: u64,
    /// Quiet moves never searched because enough others had failed.
    pub pruned_moves: u64,
    /// Transposition table look-ups.
    pub table_probes: u64,
    /// Look-ups that found the position.
    pub table_hits: u64,
    /// Cutoffs from a table bound.
    pub table_cutoffs: u64,
    /// Entries written.
    pub table_stores: u64,
    /// Nodes decided by the patterns alone.
    pub static_verdicts: u64,
    /// Four-searches at leaves, and how many of them won.
    pub leaf_four_searches: u64,
    /// See `leaf_four_searches`.
    pub leaf_four_wins: u64,
    /// Cutoffs by the evaluation far above beta.
    pub futility_cutoffs: u64,
    /// Subtrees replaced by a four-search because the evaluation was far below alpha.
    pub razored: u64,
}

impl Statistics {
    /// Adds another thread's counters.
    pub fn add(&mut self, other: &Self) {
        self.nodes += other.nodes;
        self.threat_nodes += other.threat_nodes;
        self.expanded += other.expanded;
        self.cutoffs += other.cutoffs;
        self.first_move_cutoffs += other.first_move_cutoffs;
        self.reduced_probes += other.reduced_probes;
        self.full_depth_re_searches += other.full_depth_re_searches;
        self.full_window_re_searches += other.full_window_re_searches;
        self.pruned_moves += other.pruned_moves;
        self.table_probes += other.table_probes;
        self.table_hits += other.table_hits;
        self.table_cutoffs += other.table_cutoffs;
        self.table_stores += other.table_stores;
        self.static_verdicts += other.static_verdicts;
        self.leaf_four_searches += other.leaf_four_searches;
        self.leaf_four_wins += other.leaf_four_wins;
        self.futility_cutoffs += other.futility_cutoffs;
        self.razored += other.razored;
    }
}

/// The answer to a [`Query`], as of some moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// The asked root moves, best first; empty when the game is over.
    pub moves: Vec<RootMove>,
    /// Depth of the last finished iteration, plies; 0 before the first.
    pub depth: u8,
    /// Whether every asked value is final at the asked limits (nothing was cut short by time, nodes or a stop).
    pub complete: bool,
    /// Counters so far.
    pub statistics: Statistics,
    /// Share of the transposition table in use by this search, 0..=1000.
    pub table_fill_permille: u16,
    /// Why the search ended; `None` while it runs.
    pub stop_reason: Option<StopReason>,
}

impl Snapshot {
    /// The move to play: the head of the list.
    pub fn best_move(&self) -> Option<Point> {
        self.moves.first().map(|best| best.point)
    }
}
