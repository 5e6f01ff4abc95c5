//! The switches of the lab, and the named configurations of the founding texts.

/// Full-width or pruned tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    /// Every line is searched.
    Minimax,
    /// Lines that cannot change the value are cut (fail-soft alpha-beta). Same value as [`Method::Minimax`].
    AlphaBeta,
}

/// What a position is worth when the depth runs out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Leaf {
    /// Own discs minus the other side's.
    DiscDifference,
    /// Square weights plus twelve times the mobility difference; the disc difference from ten empties down.
    WeightsAndMobility,
    /// The eight terms of the explained evaluation ([`crate::evaluation::explain`]), hundredths of a disc.
    Terms,
}

impl Leaf {
    /// What one disc is worth in the unit of this leaf, so that a finished game scored in discs can be compared with
    /// it. [`Leaf::WeightsAndMobility`] has points that are no discs; it counts discs itself near the end, so one is 1.
    pub const fn units_per_disc(self) -> i32 {
        match self {
            Self::DiscDifference | Self::WeightsAndMobility => 1,
            Self::Terms => 100,
        }
    }
}

/// What a finished game is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EndScore {
    /// Only the winner counts: plus or minus 2^20, 0 for a draw.
    Winner,
    /// Disc difference, empty squares to nobody, in the unit of the leaf where that counts discs too (see
    /// [`Leaf::units_per_disc`]).
    Discs,
}

impl EndScore {
    /// Value of a won game under [`EndScore::Winner`]: above every leaf value.
    pub const WIN: i32 = 1 << 20;
}

/// In which order moves are tried. Ties by square index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ordering {
    /// By square index alone.
    Index,
    /// By fixed square weight, highest first.
    Weights,
    /// By discs turned, fewest first.
    FewestFlips,
    /// By the moves it leaves the other side, fewest first.
    Mobility,
}

/// Null move: let the other side move twice; when even that reaches beta, the position is taken to be good enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct NullMove {
    /// Plies taken off besides the one given away (R).
    pub reduction: u8,
    /// Least remaining depth at which it is tried; at least `reduction + 1`, or the search after it is a bare leaf.
    pub min_depth: u8,
    /// Whether a real move must confirm the cut, searched to the same reduced depth.
    pub verified: bool,
}

/// Late move reductions: moves far down the order are searched shallower first, and again in full when they turn out
/// better than expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LateMoveReduction {
    /// Plies taken off.
    pub reduction: u8,
    /// Least remaining depth at which moves are reduced; at least `reduction + 1`.
    pub min_depth: u8,
    /// Moves at this place of the order or later are reduced, counted from 0.
    pub first_index: u8,
    /// Nodes nearer to the root than this never reduce.
    pub min_ply: u8,
}

/// Whether late root moves are reduced too. Only there to show why a search must not do it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RootReduction {
    /// Root moves are always searched in full.
    Never,
    /// Late root moves are searched shallower and never again. The depth and place of `late_move_reduction` apply.
    Reduce,
    /// Late root moves are searched shallower, and in full when they beat the best so far.
    ReduceAndRepeat,
}

/// One configuration of the lab's search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Technique {
    /// Full width or pruned.
    pub method: Method,
    /// Value of a position at the depth limit.
    pub leaf: Leaf,
    /// Value of a finished game.
    pub end_score: EndScore,
    /// Order of moves.
    pub ordering: Ordering,
    /// Null move, if used.
    pub null_move: Option<NullMove>,
    /// Late move reductions, if used.
    pub late_move_reduction: Option<LateMoveReduction>,
    /// Reduction of root moves (needs `late_move_reduction`).
    pub root_reduction: RootReduction,
    /// Try the two moves that last cut at this ply first.
    pub killers: bool,
    /// Order by how often (weighted by depth squared) a move has cut before.
    pub history: bool,
    /// Remember positions: same remaining depth and same pruning rights only. A full memory takes in no more.
    pub table: bool,
    /// Cut by proven bounds from stable discs; acts only where the rest of the game is searched and scored in discs.
    pub stability: bool,
}

impl Technique {
    /// Plain alpha-beta with the weights and mobility of the first founding text: the reference of its comparison.
    pub const PLAIN: Self = Self {
        method: Method::AlphaBeta,
        leaf: Leaf::WeightsAndMobility,
        end_score: EndScore::Winner,
        ordering: Ordering::Weights,
        null_move: None,
        late_move_reduction: None,
        root_reduction: RootReduction::Never,
        killers: false,
        history: false,
        table: false,
        stability: false,
    };

    /// [`Technique::PLAIN`] with the null move, R = 2 from depth 3 on.
    pub const NULL_MOVE: Self =
        Self { null_move: Some(NullMove { reduction: 2, min_depth: 3, verified: false }), ..Self::PLAIN };

    /// The null move, confirmed by a real move.
    pub const VERIFIED_NULL_MOVE: Self =
        Self { null_move: Some(NullMove { reduction: 2, min_depth: 3, verified: true }), ..Self::PLAIN };

    /// Verified null move and late move reductions by one ply from the seventh move on.
    pub const VERIFIED_NULL_MOVE_LMR: Self = Self {
        late_move_reduction: Some(LateMoveReduction {
            reduction: 1,
            min_depth: 3,
            first_index: 6,
            min_ply: 2,
        }),
        ..Self::VERIFIED_NULL_MOVE
    };

    /// The four configurations of the first founding text by name.
    pub const NAMED: [(&'static str, Self); 4] = [
        ("plain", Self::PLAIN),
        ("null_move", Self::NULL_MOVE),
        ("verified_null_move", Self::VERIFIED_NULL_MOVE),
        ("verified_null_move_lmr", Self::VERIFIED_NULL_MOVE_LMR),
    ];

    /// Whether the search gives the value that a full-width search to the same depth with the same leaf gives.
    /// Ordering, killers, history, the table and proven bounds never change it; null moves and reductions can.
    pub const fn is_exact_for_depth(&self) -> bool {
        self.null_move.is_none() && self.late_move_reduction.is_none()
    }

    /// The plain exact search that this configuration is measured against: same leaf, end score and ordering, nothing
    /// that can change the value, nothing that only saves work.
    #[must_use]
    pub const fn reference(&self) -> Self {
        Self { leaf: self.leaf, end_score: self.end_score, ordering: self.ordering, ..Self::PLAIN }
    }

    /// Whether this is a plain exact search whose values `other` is meant to give: [`Technique::reference`] of
    /// `other`, if need be with another ordering. An ordering never changes a value, but among moves of equal value it
    /// decides which one is the best move.
    pub fn is_reference_of(&self, other: &Self) -> bool {
        *self == Self { ordering: self.ordering, ..other.reference() }
    }
}
