//! Moves and flips with plain 64-bit arithmetic, for any CPU.

use super::lines::{NEAR_END, RAYS, STRIDES};

/// Columns b to g. A run of turned discs that goes sideways never includes a border column, so masking the opponent
/// with this keeps shifts from wrapping into the next row.
const INNER_COLUMNS: u64 = 0x7E7E_7E7E_7E7E_7E7E;

/// The empty cells of the 8x8 grid where the player turns at least one disc.
#[inline]
pub fn moves(player: u64, opponent: u64) -> u64 {
    let inner = opponent & INNER_COLUMNS;
    let found = run_ends::<1>(player, inner)
        | run_ends::<7>(player, inner)
        | run_ends::<8>(player, opponent)
        | run_ends::<9>(player, inner);
    found & !(player | opponent)
}

/// The cells just behind a run of `between` discs that begins next to a disc of the player, both ways along the axis
/// whose neighbours are `STRIDE` bits apart. The run is grown by doubling: one, two, four, six discs.
#[inline(always)]
fn run_ends<const STRIDE: u32>(player: u64, between: u64) -> u64 {
    let mut up = between & (player << STRIDE);
    let mut down = between & (player >> STRIDE);
    up |= between & (up << STRIDE);
    down |= between & (down >> STRIDE);
    let pairs_up = between & (between << STRIDE);
    let pairs_down = pairs_up >> STRIDE;
    up |= pairs_up & (up << (2 * STRIDE));
    down |= pairs_down & (down >> (2 * STRIDE));
    up |= pairs_up & (up << (2 * STRIDE));
    down |= pairs_down & (down >> (2 * STRIDE));
    (up << STRIDE) | (down >> STRIDE)
}

/// The discs that the player turns with a disc on the empty cell `square` (0..64); 0 when there are none.
///
/// On each ray the first cell without a disc of the opponent decides: if the player owns it, everything before it
/// turns.
#[inline]
pub fn flips(player: u64, opponent: u64, square: usize) -> u64 {
    let rays = &RAYS[square & 63];
    let mut found = 0;
    for ray in rays.up {
        let stops = ray & !opponent;
        let outflank = stops & stops.wrapping_neg() & player;
        found |= ray & outflank.wrapping_sub(u64::from(outflank != 0));
    }
    for ray in rays.down {
        let stops = ray & !opponent;
        // With no stop at all the highest bit would not exist; bit 0 stands in for it, and the mask with `stops` drops it.
        let highest = (1 << 63) >> (stops | 1).leading_zeros();
        let outflank = highest & stops & player;
        found |= ray & (outflank << 1).wrapping_neg();
    }
    found
}

/// The cells that are not on the border.
const INTERIOR: u64 = 0x007E_7E7E_7E7E_7E00;

/// `stable` (border discs of `own` that are known to be stable) with the interior discs of `own` that are stable because
/// each of the four lines through them is full or has a stable neighbour of `own`.
#[inline]
pub fn supported_discs(own: u64, stable: u64, occupied: u64) -> u64 {
    let full = [
        full_lines::<0>(occupied),
        full_lines::<1>(occupied),
        full_lines::<2>(occupied),
        full_lines::<3>(occupied),
    ];
    let inner = own & INTERIOR;
    let mut stable = stable | (inner & full[0] & full[1] & full[2] & full[3]);
    if stable == 0 {
        return 0;
    }
    loop {
        // Neighbours of interior cells never wrap, and no other cell is asked about.
        let supported = full.into_iter().zip(STRIDES).fold(inner & !stable, |held, (full, stride)| {
            held & (full | stable << stride | stable >> stride)
        });
        if supported == 0 {
            return stable;
        }
        stable |= supported;
    }
}

/// The occupied cells whose whole line along an axis is occupied. Runs of occupied cells that reach the border are
/// found by doubling, both ways.
#[inline(always)]
fn full_lines<const AXIS: usize>(occupied: u64) -> u64 {
    let mut up = occupied;
    let mut down = occupied;
    for step in 0..3 {
        let distance = STRIDES[AXIS] << step;
        up &= (up >> distance) | NEAR_END.up[step][AXIS];
        down &= (down << distance) | NEAR_END.down[step][AXIS];
    }
    up & down
}
