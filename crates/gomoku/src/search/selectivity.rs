//! Which parts of the tree are looked at less: reductions, move counts, margins.

use std::sync::LazyLock;

use crate::point::Point;
use crate::threat::Threat;

use super::techniques::Technique;
use super::worker::{Common, Worker};

/// What a node is expected to be, judged by its parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Expect {
    /// A node of the principal variation: its value is wanted.
    Value,
    /// Some move should be too good.
    Cut,
    /// No move should be good enough.
    All,
}

impl Expect {
    /// What is expected below the first move.
    pub(super) const fn first(self) -> Self {
        match self {
            Self::Value => Self::Value,
            other => other.below(),
        }
    }

    /// What is expected below a move searched with a window of nothing.
    pub(super) const fn below(self) -> Self {
        match self {
            Self::Value | Self::All => Self::Cut,
            Self::Cut => Self::All,
        }
    }
}

/// Whether the side to move stands better than two plies ago.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trend {
    Improving,
    Worsening,
}

/// How freely a move may be reduced or skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weight {
    /// It makes a four or an open three: never.
    Forcing,
    /// It spoils one of the other side's: less than a quiet one.
    Spoiling,
    /// Freely.
    Quiet,
}

/// Sixteenths of a ply, in which reductions are counted.
const SIXTEENTHS: i32 = 16;

/// What ln(depth) * ln(index) is divided by. Divisors from 0.7 to 1.4 were not told apart by 80 games each.
const REDUCTION_DIVISOR: f64 = 1.0;

/// Root moves are reduced less.
const ROOT_DIVISOR: f64 = 1.8;

/// Moves tried besides those that depth allows, and how fast depth allows more.
const TRIED_LEAST: f64 = 3.0;
const TRIED_EXPONENT: f64 = 1.32;

/// History that takes a ply off or puts one on.
const HISTORY_A_PLY: i32 = 3_000;

/// Evaluation units a ply of depth is trusted to change, for cutting above beta, and the deepest remaining depth at which
/// that is done.
const FUTILITY_MARGIN: i32 = 60;
pub(super) const FUTILITY_DEPTH: i32 = 8;

/// The same for giving up below alpha.
pub(super) const RAZOR_MARGIN: i32 = 130;
pub(super) const RAZOR_DEPTH: i32 = 2;

/// Depth from which a node without a remembered move is searched one ply less: its first visit finds the move.
pub(super) const UNKNOWN_DEPTH: i32 = 4;

type Plies = [[i32; 64]; 64];

/// Sixteenths by depth and index.
fn plies(divisor: f64) -> Plies {
    let entry = |depth: usize, index: usize| {
        let product = (depth.max(1) as f64).ln() * (index.max(1) as f64).ln();
        (product * f64::from(SIXTEENTHS) / divisor).round() as i32
    };
    std::array::from_fn(|depth| std::array::from_fn(|index| entry(depth, index)))
}

static REDUCTIONS: LazyLock<Plies> = LazyLock::new(|| plies(REDUCTION_DIVISOR));
static ROOT_REDUCTIONS: LazyLock<Plies> = LazyLock::new(|| plies(ROOT_DIVISOR));

static TRIED: LazyLock<[usize; 64]> = LazyLock::new(|| {
    std::array::from_fn(|depth| (TRIED_LEAST + (depth as f64).powf(TRIED_EXPONENT)) as usize)
});

const fn whole(sixteenths: i32) -> i32 {
    (sixteenths + SIXTEENTHS / 2) / SIXTEENTHS
}

/// Moves tried at this depth before the rest of the quiet ones is skipped: half as many where the side to move fares worse
/// than two plies ago.
pub(super) fn moves_tried(depth: i32, trend: Trend) -> usize {
    let full = TRIED[depth.clamp(0, 63) as usize];
    match trend {
        Trend::Improving => full,
        Trend::Worsening => (full / 2).max(1),
    }
}

/// How much by evaluation the position lies above beta must be at this depth to be trusted to stay there.
pub(super) const fn futility_margin(depth: i32, trend: Trend) -> i32 {
    match trend {
        Trend::Improving => FUTILITY_MARGIN * (depth - 1),
        Trend::Worsening => FUTILITY_MARGIN * depth,
    }
}

/// Whether a move of this weight is never reduced nor skipped.
pub(super) fn is_exempt(common: &Common<'_>, weight: Weight) -> bool {
    weight == Weight::Forcing && common.techniques.has(Technique::TacticalExemption)
}

impl Worker {
    /// What a move does to fours and open threes, judged on patterns alone.
    pub(super) fn weight(&self, point: Point) -> Weight {
        let strong = |color| {
            let threat = self.board.threat(point, color);
            threat >= Threat::OpenThree && threat != Threat::Foul
        };
        let us = self.board.side();
        match (strong(us), strong(us.other())) {
            (true, _) => Weight::Forcing,
            (false, true) => Weight::Spoiling,
            (false, false) => Weight::Quiet,
        }
    }

    /// By how many plies the quiet or spoiling move after `searched` others is searched less at first.
    pub(super) fn reduction(
        &self,
        depth: i32,
        searched: usize,
        point: Point,
        weight: Weight,
        expect: Expect,
    ) -> i32 {
        let history = self.history(self.board.side(), point) * SIXTEENTHS / HISTORY_A_PLY;
        let by_node = match expect {
            Expect::Value => -SIXTEENTHS,
            Expect::Cut => SIXTEENTHS,
            Expect::All => 0,
        };
        let by_weight = if weight == Weight::Spoiling { -SIXTEENTHS } else { 0 };
        let full = REDUCTIONS[depth.clamp(0, 63) as usize][searched.min(63)];
        whole(full - history + by_node + by_weight).clamp(0, depth - 2)
    }

    /// By how many plies a late root move is searched less at first.
    pub(super) fn root_reduction(&self, point: Point, depth: i32, index: usize) -> i32 {
        let full = whole(ROOT_REDUCTIONS[depth.clamp(0, 63) as usize][index.min(63)]);
        let reduced = match self.weight(point) {
            Weight::Forcing => 0,
            Weight::Spoiling => full - 1,
            Weight::Quiet => full,
        };
        reduced.clamp(0, (depth - 1).max(0))
    }
}
