//! The question an analysis answers, and the answer.

use searchkit::stop::StopReason;

use crate::board::Size;
use crate::position::{EmptiesRule, Position};
use crate::square::Move;
use crate::symmetry::Symmetry;

/// What the caller wants to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Goal {
    /// The best move with its value; other moves may be bounds.
    BestMove,
    /// The value of every asked root move.
    AllMoves,
    /// The values of the best so many moves, at least 1; the rest may be bounds.
    TopN(u8),
    /// Only who wins: 1, 0 or -1.
    WinLossDraw,
}

/// How sure a selective search must be before it prunes on a shallow result: the probability, in percent, that one
/// such cut is right. 100 means that nothing is pruned on an estimate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Selectivity {
    /// 73 %.
    P73,
    /// 87 %.
    P87,
    /// 95 %.
    P95,
    /// 98 %.
    P98,
    /// 99 %.
    P99,
    /// No selective pruning.
    Full,
}

impl Selectivity {
    /// All levels, least sure first.
    pub const ALL: [Self; 6] = [Self::P73, Self::P87, Self::P95, Self::P98, Self::P99, Self::Full];

    /// The level in percent: 73, 87, 95, 98, 99 or 100.
    pub const fn percent(self) -> u8 {
        match self {
            Self::P73 => 73,
            Self::P87 => 87,
            Self::P95 => 95,
            Self::P98 => 98,
            Self::P99 => 99,
            Self::Full => 100,
        }
    }

    /// The level with this percentage, if there is one.
    pub fn from_percent(percent: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.percent() == percent)
    }
}

/// One analysis question. Time is not part of it: the deadline comes with the [`Control`](searchkit::control::Control)
/// of the threads that work on the search.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Query {
    /// The position to analyse, side to move included.
    pub position: Position,
    /// What is asked.
    pub goal: Goal,
    /// The legal moves to consider, as a bitboard; all of them when `None`. Must name at least one legal move when
    /// the position has any.
    pub root_moves: Option<u64>,
    /// Deepest iteration in plies (a pass is free), at least 1; no limit when `None`.
    pub depth: Option<u8>,
    /// Most nodes to search, at least 1; no limit when `None`. With one thread the count at which the search stops is
    /// reproducible.
    pub nodes: Option<u64>,
    /// With this many empties or fewer, go on to the exact score (within the other limits).
    pub exact_from_empties: u8,
    /// The least sure search allowed for estimates; exact answers are always proven at [`Selectivity::Full`].
    pub selectivity: Selectivity,
    /// Who owns the empty squares at the end.
    pub empties_rule: EmptiesRule,
    /// Most threads to use, at least 1.
    pub threads: usize,
}

/// What a value means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Value {
    /// Proven to the end of the game: final disc difference, -64..=64.
    Exact {
        /// Whole discs.
        discs: i8,
    },
    /// A heuristic estimate of the final disc difference.
    Estimate {
        /// Hundredths of a disc, -6400..=6400.
        centidiscs: i16,
    },
    /// Proven winner only: 1 the side to move wins, 0 draw, -1 it loses.
    Sign {
        /// 1, 0 or -1.
        sign: i8,
    },
}

/// How the true value (of a search to this depth) relates to the one given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bound {
    /// Equal.
    Exact,
    /// At least the one given.
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
    /// Depth in plies that it was searched to; all remaining plies when proven.
    pub depth: u8,
    /// Selectivity that it was searched with; full when proven.
    pub selectivity: Selectivity,
}

/// One root move with its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RootMove {
    /// The move.
    pub mv: Move,
    /// Its value for the side to move at the root; `None` until the first iteration reached it.
    pub score: Option<Score>,
    /// The line behind the value, this move first.
    pub principal_variation: Vec<Move>,
    /// Nodes spent on this move.
    pub nodes: u64,
}

/// Counters of one search. All threads added up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Statistics {
    /// Positions visited, counted once for every move or pass made, the last disc included.
    pub nodes: u64,
    /// Transposition table look-ups.
    pub table_probes: u64,
    /// Look-ups that found the position.
    pub table_hits: u64,
    /// Entries written.
    pub table_stores: u64,
    /// Cutoffs from a table bound.
    pub table_cutoffs: u64,
    /// Cutoffs from a stability bound.
    pub stability_cutoffs: u64,
    /// Cutoffs by ProbCut.
    pub probcut_cutoffs: u64,
    /// Cutoffs by enhanced transposition look-ups of the children.
    pub etc_cutoffs: u64,
    /// Beta cutoffs by a searched move.
    pub beta_cutoffs: u64,
    /// Beta cutoffs by the first move searched.
    pub first_move_cutoffs: u64,
    /// Searches repeated with a wider window or more depth.
    pub re_searches: u64,
}

impl std::ops::AddAssign for Statistics {
    fn add_assign(&mut self, other: Self) {
        self.nodes += other.nodes;
        self.table_probes += other.table_probes;
        self.table_hits += other.table_hits;
        self.table_stores += other.table_stores;
        self.table_cutoffs += other.table_cutoffs;
        self.stability_cutoffs += other.stability_cutoffs;
        self.probcut_cutoffs += other.probcut_cutoffs;
        self.etc_cutoffs += other.etc_cutoffs;
        self.beta_cutoffs += other.beta_cutoffs;
        self.first_move_cutoffs += other.first_move_cutoffs;
        self.re_searches += other.re_searches;
    }
}

/// Whether two scores stand side by side in a list that is sorted best first.
fn same_rank(a: Option<Score>, b: Option<Score>) -> bool {
    let rank = |score: Option<Score>| score.map(|score| (score.value, score.bound));
    rank(a) == rank(b)
}

/// The answer to a [`Query`], as of some moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// The asked root moves, best first; one `pass` when the side must pass; empty when the game is over.
    pub moves: Vec<RootMove>,
    /// Depth of the last finished iteration, plies.
    pub depth: u8,
    /// Selectivity of the last finished iteration.
    pub selectivity: Selectivity,
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
    /// The same answer about the position seen through a symmetry, on a board of this size. Where every move was asked for,
    /// equal values stand by square; otherwise the order of the moves is that of the answer.
    #[must_use]
    pub fn seen_through(&self, symmetry: Symmetry, size: Size, goal: Goal) -> Self {
        let image = |root: &RootMove| RootMove {
            mv: symmetry.mv(root.mv, size),
            score: root.score,
            principal_variation: root.principal_variation.iter().map(|&mv| symmetry.mv(mv, size)).collect(),
            nodes: root.nodes,
        };
        let mut moves: Vec<RootMove> = self.moves.iter().map(image).collect();
        if goal == Goal::AllMoves {
            // Moves without a value stand in the order in which they will be searched.
            for equal in moves.chunk_by_mut(|a, b| a.score.is_some() && same_rank(a.score, b.score)) {
                equal.sort_by_key(|root| root.mv);
            }
        }
        Self { moves, ..*self }
    }

    /// The move to play: the head of the list.
    pub fn best_move(&self) -> Option<Move> {
        self.moves.first().map(|best| best.mv)
    }
}
