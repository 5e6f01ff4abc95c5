//! The numbers of the evaluation and of move ordering, fitted to games (`crates/gomoku-train`).
//!
//! A cell promises its owner something else when the owner is on move than when the owner must wait: the shape can be played
//! on at once, or the other side may spoil it first. So there are two numbers for each combination.

use crate::board::NEARNESS;
use crate::rules::Rule;
use crate::tables::CODES;
use crate::threat::Threat;

/// Parts of an evaluation unit (1/200 of a logit of winning) that the numbers count. A board has hundreds of empty cells of
/// the same few combinations, so whole units would be too coarse.
pub(crate) const PARTS: i32 = 16;

/// What a cell is worth to the owner of its lines, in parts of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Worth {
    /// When the owner is on move.
    pub(crate) on_move: i16,
    /// When the other side is.
    pub(crate) waiting: i16,
}

impl Worth {
    pub(crate) const NONE: Self = Self { on_move: 0, waiting: 0 };
}

/// The fitted numbers as `gomoku-train fit` writes them: little-endian 16-bit integers in parts of a unit. First what each
/// combination is worth to the side on move, then what it is worth to the side that waits (less than nothing for the side on
/// move), then what being on move is worth by itself. Then, in [units of urgency](crate::evaluation::URGENCY_PER_LOGIT), how
/// urgent a combination is for its owner, how urgent for the other side, and how urgent nearness to the last move and to the
/// one before it is.
static FITTED: &[u8] = include_bytes!("../data/weights.bin");

/// Numbers in the file.
const NUMBERS: usize = 4 * CODES + 1 + 2 * NEARNESS;

const _: () = assert!(FITTED.len() == 2 * NUMBERS, "the file holds all numbers and no more");

fn fitted(index: usize) -> i16 {
    i16::from_le_bytes([FITTED[2 * index], FITTED[2 * index + 1]])
}

/// Urgency of making or stopping a five, which no choice in a game is asked about.
const FIVE_URGENCY: i16 = 3_000;

/// The weights of one rule.
pub(crate) struct Weights {
    /// What it is worth to be on move, in parts of a unit.
    pub(crate) tempo: i16,
    /// How urgent nearness to the last move is, and to the one before it.
    pub(crate) nearness: [[i16; NEARNESS]; 2],
}

impl Weights {
    /// The weights of a rule. One set serves all of them: combinations mean the same under each.
    pub(crate) fn of(_rule: Rule) -> Self {
        let nearness =
            |back: usize| std::array::from_fn(|class| fitted(4 * CODES + 1 + back * NEARNESS + class));
        Self { tempo: fitted(2 * CODES), nearness: [nearness(0), nearness(1)] }
    }

    /// What an empty cell with this combination is worth to the colour whose lines these are.
    pub(crate) fn worth(&self, threat: Threat, combination: usize) -> Worth {
        match threat {
            Threat::Foul => Worth::NONE,
            _ => Worth { on_move: fitted(combination), waiting: fitted(CODES + combination) },
        }
    }

    /// How urgent it is for the owner of the lines to play here.
    pub(crate) fn attack(&self, threat: Threat, combination: usize) -> i16 {
        match threat {
            Threat::Foul => 0,
            Threat::Five => FIVE_URGENCY,
            _ => fitted(2 * CODES + 1 + combination),
        }
    }

    /// How urgent it is for the other side to play here.
    pub(crate) fn defence(&self, threat: Threat, combination: usize) -> i16 {
        match threat {
            Threat::Foul => 0,
            Threat::Five => FIVE_URGENCY,
            _ => fitted(3 * CODES + 1 + combination),
        }
    }
}
