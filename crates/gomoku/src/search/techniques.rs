//! The techniques a search can do without, so that each one's worth can be measured.

/// One technique.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Technique {
    /// Remember positions in the transposition table.
    Table,
    /// Try moves that cut elsewhere at the same ply early.
    Killers,
    /// Order quiet moves by how often they cut.
    History,
    /// Try the move that cut after the same previous move early.
    CounterMoves,
    /// Search late moves at reduced depth first.
    LateMoveReductions,
    /// Never reduce or skip a move that makes a four or an open three.
    TacticalExemption,
    /// Skip late quiet moves at low depth.
    MoveCountPruning,
    /// Cut when the evaluation is far above beta.
    ReverseFutility,
    /// Replace a shallow subtree far below alpha by a four-search.
    Razoring,
    /// Start each iteration with a narrow window around the last value.
    Aspiration,
    /// Answering a four costs no depth.
    FourExtension,
    /// Look for a win by fours at leaves.
    LeafFours,
    /// Look for a win by fours before the first iteration.
    RootFours,
    /// Look for a win by threats between iterations.
    RootThreats,
    /// Against an open-four threat, generate only moves that can hold.
    ThreatGeneration,
    /// Search late root moves at reduced depth first.
    RootReductions,
}

impl Technique {
    /// All techniques.
    pub const ALL: [Self; 16] = [
        Self::Table,
        Self::Killers,
        Self::History,
        Self::CounterMoves,
        Self::LateMoveReductions,
        Self::TacticalExemption,
        Self::MoveCountPruning,
        Self::ReverseFutility,
        Self::Razoring,
        Self::Aspiration,
        Self::FourExtension,
        Self::LeafFours,
        Self::RootFours,
        Self::RootThreats,
        Self::ThreatGeneration,
        Self::RootReductions,
    ];
}

/// A set of techniques.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Techniques(u32);

impl Techniques {
    /// Every technique: the engine as it plays.
    pub const ALL: Self = Self((1 << Technique::ALL.len()) - 1);
    /// None: plain alpha-beta with static verdicts and ordering by patterns, the reference for the others.
    pub const NONE: Self = Self(0);

    /// Whether a technique is in use.
    pub const fn has(self, technique: Technique) -> bool {
        self.0 >> technique as u32 & 1 == 1
    }

    /// This set and one more.
    #[must_use]
    pub const fn with(self, technique: Technique) -> Self {
        Self(self.0 | 1 << technique as u32)
    }

    /// This set less one.
    #[must_use]
    pub const fn without(self, technique: Technique) -> Self {
        Self(self.0 & !(1 << technique as u32))
    }
}

impl Default for Techniques {
    fn default() -> Self {
        Self::ALL
    }
}
