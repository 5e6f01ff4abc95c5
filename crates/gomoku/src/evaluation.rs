//! The static evaluation: what the empty cells promise each side, and what it is worth to be on move.

use std::sync::LazyLock;

use crate::board::Board;
use crate::color::Color;
use crate::lines::Line;
use crate::rules::Rule;
use crate::tables::Tables;
use crate::threat::Threat;
use crate::weights::PARTS;

/// Largest absolute value of an estimate; every proven win or loss lies beyond it.
pub const ESTIMATE_LIMIT: i32 = 20_000;

/// Units of the evaluation that make one logit of winning probability.
pub const UNITS_PER_LOGIT: f64 = 200.0;

/// Combinations of the four line classes of a cell.
pub const COMBINATIONS: usize = crate::tables::CODES;

/// The lines of a combination, and the threat that they make for white (only black under renju has fouls).
///
/// # Panics
/// When the number is not below [`COMBINATIONS`].
pub fn shape(rule: Rule, combination: usize) -> ([Line; 4], Threat) {
    static ALL: LazyLock<Vec<[Line; 4]>> = LazyLock::new(crate::tables::combinations);
    let lines = ALL[combination];
    (lines, Threat::of(rule, Color::White, lines))
}

/// Units of urgency in which a move is e times as likely to be a strong player's choice.
pub const URGENCY_PER_LOGIT: f64 = 100.0;

/// Parts of a unit that a fitted number counts.
pub const PARTS_PER_UNIT: i32 = PARTS;

/// The estimate for the side to move, in 1/200 of a logit, within ±[`ESTIMATE_LIMIT`].
pub fn evaluate(board: &Board) -> i32 {
    estimate(board.promise())
}

/// The estimate of a position that promises so much.
pub(crate) fn estimate(promise: i32) -> i32 {
    (promise / PARTS).clamp(-ESTIMATE_LIMIT, ESTIMATE_LIMIT)
}

/// The chance of winning that an estimate stands for, 0..=1.
pub fn win_probability(estimate: i32) -> f64 {
    1.0 / (1.0 + (-f64::from(estimate) / UNITS_PER_LOGIT).exp())
}

/// Names the weights of all rules: estimates of two builds can only agree when this does.
pub fn id() -> &'static str {
    static ID: LazyLock<String> = LazyLock::new(|| {
        let numbers = Rule::ALL.into_iter().flat_map(|rule| Tables::of(rule).numbers());
        // FNV-1a with 64 bits.
        let hash = numbers.flat_map(i16::to_le_bytes).fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        format!("{hash:016x}")
    });
    &ID
}
