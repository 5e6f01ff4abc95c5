//! Moves and flips with AVX2: one 64-bit lane for each of the four axes.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::lines::{NEAR_END, RAYS, STRIDES};

/// The empty cells of the 8x8 grid where the player turns at least one disc.
#[inline]
pub fn moves(player: u64, opponent: u64) -> u64 {
    // SAFETY: this file is only compiled when the whole build targets AVX2.
    unsafe { moves_avx2(player, opponent) }
}

/// The discs that the player turns with a disc on the empty cell `square` (0..64); 0 when there are none.
#[inline]
pub fn flips(player: u64, opponent: u64, square: usize) -> u64 {
    // SAFETY: this file is only compiled when the whole build targets AVX2.
    unsafe { flips_avx2(player, opponent, square & 63) }
}

/// `stable` (border discs of `own` that are known to be stable) with the interior discs of `own` that are stable because
/// each of the four lines through them is full or has a stable neighbour of `own`.
#[inline]
pub fn supported_discs(own: u64, stable: u64, occupied: u64) -> u64 {
    // SAFETY: this file is only compiled when the whole build targets AVX2.
    unsafe { supported_discs_avx2(own, stable, occupied) }
}

/// Four times the same bitboard.
#[inline]
#[target_feature(enable = "avx2")]
fn spread(bits: u64) -> __m256i {
    _mm256_set1_epi64x(bits as i64)
}

/// The four bitboards in the order of the array.
#[inline]
#[target_feature(enable = "avx2")]
fn load(lanes: &[u64; 4]) -> __m256i {
    // SAFETY: the array is 32 readable bytes, and this load asks for no alignment.
    unsafe { _mm256_loadu_si256(lanes.as_ptr().cast()) }
}

/// The distances between neighbours, times `factor`.
#[inline]
#[target_feature(enable = "avx2")]
fn strides<const FACTOR: i64>() -> __m256i {
    let [a, b, c, d] = STRIDES.map(|stride| i64::from(stride) * FACTOR);
    _mm256_setr_epi64x(a, b, c, d)
}

/// The union of the four lanes.
#[inline]
#[target_feature(enable = "avx2")]
fn union(lanes: __m256i) -> u64 {
    let halves = _mm_or_si128(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256::<1>(lanes));
    _mm_cvtsi128_si64(_mm_or_si128(halves, _mm_unpackhi_epi64(halves, halves))) as u64
}

/// The cells common to the four lanes.
#[inline]
#[target_feature(enable = "avx2")]
fn common(lanes: __m256i) -> u64 {
    let halves = _mm_and_si128(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256::<1>(lanes));
    _mm_cvtsi128_si64(_mm_and_si128(halves, _mm_unpackhi_epi64(halves, halves))) as u64
}

/// Runs of opponent discs beside the player's, grown by doubling, both ways along all axes at once.
#[inline]
#[target_feature(enable = "avx2")]
fn moves_avx2(player: u64, opponent: u64) -> u64 {
    /// Cells where a run may lie: sideways never in a border column, or shifts would wrap into the next row.
    const INNER: [u64; 4] = [0x7E7E_7E7E_7E7E_7E7E, 0x7E7E_7E7E_7E7E_7E7E, u64::MAX, 0x7E7E_7E7E_7E7E_7E7E];
    let (one, two) = (strides::<1>(), strides::<2>());
    let own = spread(player);
    let between = _mm256_and_si256(spread(opponent), load(&INNER));
    let mut up = _mm256_and_si256(between, _mm256_sllv_epi64(own, one));
    let mut down = _mm256_and_si256(between, _mm256_srlv_epi64(own, one));
    up = _mm256_or_si256(up, _mm256_and_si256(between, _mm256_sllv_epi64(up, one)));
    down = _mm256_or_si256(down, _mm256_and_si256(between, _mm256_srlv_epi64(down, one)));
    let pairs_up = _mm256_and_si256(between, _mm256_sllv_epi64(between, one));
    let pairs_down = _mm256_srlv_epi64(pairs_up, one);
    up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, two)));
    down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, two)));
    up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, two)));
    down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, two)));
    let ends = _mm256_or_si256(_mm256_sllv_epi64(up, one), _mm256_srlv_epi64(down, one));
    union(ends) & !(player | opponent)
}

/// On each ray the first cell without a disc of the opponent decides: if the player owns it, everything before it
/// turns.
#[inline]
#[target_feature(enable = "avx2")]
fn flips_avx2(player: u64, opponent: u64, square: usize) -> u64 {
    let rays = &RAYS[square];
    let (own, other) = (spread(player), spread(opponent));
    let zero = _mm256_setzero_si256();

    let up = load(&rays.up);
    let stops = _mm256_andnot_si256(other, up);
    let outflank = _mm256_and_si256(own, _mm256_and_si256(stops, _mm256_sub_epi64(zero, stops)));
    let before = _mm256_and_si256(up, _mm256_add_epi64(outflank, _mm256_set1_epi64x(-1)));
    let found_up = _mm256_andnot_si256(_mm256_cmpeq_epi64(outflank, zero), before);

    // Towards lower indices the first stop is the highest bit: what lies at or behind it is found by smearing the
    // stops down the ray. Bits that leave the ray never come back to it.
    let down = load(&rays.down);
    let stops = _mm256_andnot_si256(other, down);
    let one = strides::<1>();
    let mut behind = _mm256_or_si256(stops, _mm256_srlv_epi64(stops, one));
    behind = _mm256_or_si256(behind, _mm256_srlv_epi64(behind, strides::<2>()));
    behind = _mm256_or_si256(behind, _mm256_srlv_epi64(behind, strides::<4>()));
    let first = _mm256_andnot_si256(_mm256_srlv_epi64(behind, one), stops);
    let outflank = _mm256_and_si256(own, first);
    let before = _mm256_andnot_si256(behind, down);
    let found_down = _mm256_andnot_si256(_mm256_cmpeq_epi64(outflank, zero), before);

    union(_mm256_or_si256(found_up, found_down))
}

#[inline]
#[target_feature(enable = "avx2")]
fn supported_discs_avx2(own: u64, stable: u64, occupied: u64) -> u64 {
    /// The cells that are not on the border.
    const INTERIOR: u64 = 0x007E_7E7E_7E7E_7E00;
    let one = strides::<1>();
    let full = full_lines(occupied);
    let inner = own & INTERIOR;
    let mut stable = stable | (inner & common(full));
    if stable == 0 {
        return 0;
    }
    loop {
        // Neighbours of interior cells never wrap, and no other cell is asked about.
        let lanes = spread(stable);
        let beside = _mm256_or_si256(_mm256_sllv_epi64(lanes, one), _mm256_srlv_epi64(lanes, one));
        let supported = common(_mm256_or_si256(beside, full)) & inner & !stable;
        if supported == 0 {
            return stable;
        }
        stable |= supported;
    }
}

/// For each axis the occupied cells whose whole line is occupied. Runs of occupied cells that reach the border are found
/// by doubling, both ways.
#[inline]
#[target_feature(enable = "avx2")]
fn full_lines(occupied: u64) -> __m256i {
    let mut up = spread(occupied);
    let mut down = up;
    let distances = [strides::<1>(), strides::<2>(), strides::<4>()];
    for (step, distance) in distances.into_iter().enumerate() {
        let (end_up, end_down) = (load(&NEAR_END.up[step]), load(&NEAR_END.down[step]));
        up = _mm256_and_si256(up, _mm256_or_si256(_mm256_srlv_epi64(up, distance), end_up));
        down = _mm256_and_si256(down, _mm256_or_si256(_mm256_sllv_epi64(down, distance), end_down));
    }
    _mm256_and_si256(up, down)
}
