//! The eight terms of the first evaluation, each counted for one colour at a time.
//!
//! Their names and meanings follow the seed program's list: positional, mobility, corners, frontier, material, parity,
//! danger and stable. A term is one or more counts; weights turn counts into hundredths of a disc. Every count treats
//! the two colours and all symmetric squares alike, so the evaluation does too.

use std::ops::Range;

use super::geometry::{CLASSES, Geometry};
use crate::board::{Board, Size};
use crate::regions::touching;

/// How many counts the eight terms have together.
pub const COUNTS: usize = CLASSES + 8;

/// What is counted for one colour, term by term in the order of [`Term::ALL`].
pub type Counts = [i16; COUNTS];

/// The parity term is silent with more empty squares than this: who moves last is still open then.
pub const PARITY_FROM_EMPTIES: u32 = 24;

/// One term of the evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Term {
    /// Discs by the kind of square they lie on (corners and the four middle squares aside).
    Positional,
    /// Legal moves.
    Mobility,
    /// Corners owned.
    Corners,
    /// Discs that touch an empty square: each is a target for the other side.
    Frontier,
    /// Discs.
    Material,
    /// Having the last move, when few squares are empty.
    Parity,
    /// Discs on X and C squares beside a corner that is still empty.
    Danger,
    /// Discs that can never be turned, as far as corners and borders prove it.
    Stable,
}

impl Term {
    /// All terms, in the order in which their counts are stored.
    pub const ALL: [Self; 8] = [
        Self::Positional,
        Self::Mobility,
        Self::Corners,
        Self::Frontier,
        Self::Material,
        Self::Parity,
        Self::Danger,
        Self::Stable,
    ];

    /// The places of this term's counts in [`Counts`].
    pub const fn places(self) -> Range<usize> {
        match self {
            Self::Positional => 0..CLASSES,
            Self::Mobility => CLASSES..CLASSES + 1,
            Self::Corners => CLASSES + 1..CLASSES + 2,
            Self::Frontier => CLASSES + 2..CLASSES + 3,
            Self::Material => CLASSES + 3..CLASSES + 4,
            Self::Parity => CLASSES + 4..CLASSES + 5,
            Self::Danger => CLASSES + 5..CLASSES + 7,
            Self::Stable => CLASSES + 7..CLASSES + 8,
        }
    }

    /// What each of this term's counts counts, in the order of [`Term::places`]. Square classes are named by their
    /// distances from the two nearest borders, as far as they have no name of their own.
    pub const fn parts(self) -> &'static [&'static str] {
        match self {
            Self::Positional => &[
                "c_squares",
                "a_squares",
                "b_squares",
                "x_squares",
                "inner_1_2",
                "inner_1_3",
                "inner_2_2",
                "inner_2_3",
            ],
            Self::Mobility => &["legal_moves"],
            Self::Corners => &["corners"],
            Self::Frontier => &["frontier_discs"],
            Self::Material => &["discs"],
            Self::Parity => &["last_move"],
            Self::Danger => &["x_squares_by_empty_corner", "c_squares_by_empty_corner"],
            Self::Stable => &["stable_discs"],
        }
    }

    /// The term's name in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Positional => "positional",
            Self::Mobility => "mobility",
            Self::Corners => "corners",
            Self::Frontier => "frontier",
            Self::Material => "material",
            Self::Parity => "parity",
            Self::Danger => "danger",
            Self::Stable => "stable",
        }
    }
}

/// Counts all terms for the side to move.
pub fn counts(board: Board, size: Size) -> Counts {
    let geometry = Geometry::of(size);
    let empty = geometry.cells & !board.occupied();
    let own = board.player;
    let mut counts = [0; COUNTS];
    counts[..CLASSES].copy_from_slice(&positional(own, geometry));
    counts[CLASSES] = number(board.moves(size));
    counts[CLASSES + 1] = number(own & geometry.corners);
    counts[CLASSES + 2] = frontier(own, empty);
    counts[CLASSES + 3] = number(own);
    counts[CLASSES + 5] = dangerous_x_squares(own, empty, geometry);
    counts[CLASSES + 6] = dangerous_c_squares(own, empty, geometry);
    counts[CLASSES + 7] = number(stable(own, geometry));
    counts
}

/// Counts all terms for the side to move (first) and for the other side.
pub fn counts_of_both(board: Board, size: Size) -> (Counts, Counts) {
    let (mut player, mut opponent) = (counts(board, size), counts(board.pass(), size));
    let empties = (size.cells() & !board.occupied()).count_ones();
    let place = Term::Parity.places().start;
    (player[place], opponent[place]) = parity(empties);
    (player, opponent)
}

/// Discs on each square class.
fn positional(own: u64, geometry: &Geometry) -> [i16; CLASSES] {
    geometry.classes.map(|class| number(own & class))
}

/// Discs with an empty neighbour in any of the eight directions.
fn frontier(own: u64, empty: u64) -> i16 {
    number(own & touching(empty))
}

/// Who has the last move if both sides move in turn to the end: 1 for that side, 0 for the other; nobody while many
/// squares are empty. The side to move comes first.
fn parity(empties: u32) -> (i16, i16) {
    if empties > PARITY_FROM_EMPTIES {
        (0, 0)
    } else if empties % 2 == 1 {
        (1, 0)
    } else {
        (0, 1)
    }
}

/// Discs diagonally beside an empty corner.
fn dangerous_x_squares(own: u64, empty: u64, geometry: &Geometry) -> i16 {
    number(own & geometry.x_squares & touching(empty & geometry.corners))
}

/// Discs beside an empty corner along the border.
fn dangerous_c_squares(own: u64, empty: u64, geometry: &Geometry) -> i16 {
    number(own & geometry.c_squares & touching(empty & geometry.corners))
}

/// Discs that can never be turned: each of the four lines through them has the border or another such disc on at
/// least one side. Growing the set from nothing starts at owned corners, runs along the borders and then inward. It
/// misses some stable discs and never names an unstable one.
fn stable(own: u64, geometry: &Geometry) -> u64 {
    let mut found = own & geometry.corners;
    if found == 0 {
        return 0;
    }
    loop {
        // A shift that wraps around a row lands on a side column, which its line's border supports anyway.
        let horizontal = found << 1 | found >> 1 | geometry.side_columns;
        let vertical = found << 8 | found >> 8 | geometry.side_rows;
        let falling = found << 9 | found >> 9 | geometry.border;
        let rising = found << 7 | found >> 7 | geometry.border;
        let grown = own & horizontal & vertical & falling & rising;
        if grown == found {
            return found;
        }
        found = grown;
    }
}

/// The size of a set of squares.
const fn number(set: u64) -> i16 {
    set.count_ones() as i16
}
