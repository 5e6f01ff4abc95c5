//! The static evaluation: what the empty cells promise each side, and what it is worth to be on move.

use std::sync::LazyLock;

use crate::board::Board;
use crate::rules::Rule;
use crate::tables::Tables;
use crate::threat::Threat;

/// Largest absolute value of an estimate; every proven win or loss lies beyond it.
pub const ESTIMATE_LIMIT: i32 = 20_000;

/// Units of the evaluation that make one logit of winning probability.
pub const UNITS_PER_LOGIT: f64 = 200.0;

/// Combinations of the four line classes of a cell.
pub const COMBINATIONS: usize = crate::tables::CODES;

/// The kinds of threats that count for the side on move, as [`Threat`] indices.
pub const TEMPO_KINDS: std::ops::RangeInclusive<usize> =
    Threat::OpenTwo as usize..=Threat::FourThree as usize;

/// The numbers by hand that a fit of the weights starts from: one a combination, one a kind of threat for the side on move,
/// one a kind for the other side, in units of the evaluation.
pub fn by_hand() -> Vec<f32> {
    crate::weights::by_hand(&crate::tables::combinations())
}

/// The estimate for the side to move, in 1/200 of a logit, within ±[`ESTIMATE_LIMIT`].
pub fn evaluate(board: &Board) -> i32 {
    let (own, other) = board.values();
    let now = own - other;
    // Whoever moved last has gained by it and will lose some of it to the answer; the mean of the last two positions
    // takes this swing out (Rapfi's classical evaluation does the same).
    let promise = board.values_before().map_or(now, |(own, other)| (now + own - other) / 2);
    let [own, other] = board.tempo();
    let (us, them) = (board.side(), board.side().other());
    let present = |color, worth: &[i16; Threat::COUNT]| -> i32 {
        TEMPO_KINDS
            .filter(|&kind| board.count(color, Threat::from_index(kind as u8)) > 0)
            .map(|kind| i32::from(worth[kind]))
            .sum()
    };
    let on_move = present(us, own) + present(them, other);
    (promise + on_move).clamp(-ESTIMATE_LIMIT, ESTIMATE_LIMIT)
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
