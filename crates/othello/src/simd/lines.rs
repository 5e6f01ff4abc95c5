//! Tables of the lines through each square, and last-move counts that need nothing else.

/// The cells from a square (itself left out) to the border, in the eight directions.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Rays {
    /// Towards higher indices: right, down left, down, down right.
    pub up: [u64; 4],
    /// Towards lower indices, in the opposite order of bits: left, up right, up, up left.
    pub down: [u64; 4],
}

/// Distance in bits between neighbours along each axis, in the order of the rays of a square.
pub(super) const STRIDES: [u32; 4] = [1, 7, 8, 9];

/// Steps (row, column) of the rays towards higher indices; the other four are their opposites.
const STEPS: [(i32, i32); 4] = [(0, 1), (1, -1), (1, 0), (1, 1)];

/// The rays from every square.
pub(super) static RAYS: [Rays; 64] = all_rays();

const fn all_rays() -> [Rays; 64] {
    let mut table = [Rays { up: [0; 4], down: [0; 4] }; 64];
    let mut square = 0;
    while square < 64 {
        let mut axis = 0;
        while axis < 4 {
            let (row, column) = STEPS[axis];
            table[square].up[axis] = ray(square, row, column);
            table[square].down[axis] = ray(square, -row, -column);
            axis += 1;
        }
        square += 1;
    }
    table
}

const fn ray(square: usize, row_step: i32, column_step: i32) -> u64 {
    let mut cells = 0;
    let mut row = square as i32 / 8 + row_step;
    let mut column = square as i32 % 8 + column_step;
    while row >= 0 && row < 8 && column >= 0 && column < 8 {
        cells |= 1 << (row * 8 + column);
        row += row_step;
        column += column_step;
    }
    cells
}

/// Cells close to the end of their line, for each axis: `up[step]` those with fewer than `1 << step` cells between
/// them and the end towards higher indices, `down[step]` the same towards lower ones.
pub(super) struct NearEnd {
    pub up: [[u64; 4]; 3],
    pub down: [[u64; 4]; 3],
}

/// See [`NearEnd`].
pub(super) static NEAR_END: NearEnd = near_end();

const fn near_end() -> NearEnd {
    let mut table = NearEnd { up: [[0; 4]; 3], down: [[0; 4]; 3] };
    let mut step = 0;
    while step < 3 {
        let mut axis = 0;
        while axis < 4 {
            let mut square = 0;
            while square < 64 {
                if RAYS[square].up[axis].count_ones() < 1 << step {
                    table.up[step][axis] |= 1 << square;
                }
                if RAYS[square].down[axis].count_ones() < 1 << step {
                    table.down[step][axis] |= 1 << square;
                }
                square += 1;
            }
            axis += 1;
        }
        step += 1;
    }
    table
}

/// `TURNED[place][pattern]`: how many discs turn on a line of eight when the player, whose discs are `pattern`, fills
/// the cell `place` and all other cells are the opponent's. On a shorter line the missing cells are zeros beyond
/// which the player has nothing, so they never count.
pub(super) static TURNED: [[u8; 256]; 8] = turned_table();

const fn turned_table() -> [[u8; 256]; 8] {
    let mut table = [[0; 256]; 8];
    let mut place = 0;
    while place < 8 {
        let mut pattern = 0;
        while pattern < 256 {
            let above = pattern >> (place + 1);
            let below = pattern & ((1 << place) - 1);
            let mut count = 0;
            if above != 0 {
                count += (above as u32).trailing_zeros();
            }
            if below != 0 {
                count += place as u32 - (32 - (below as u32).leading_zeros());
            }
            table[place][pattern] = count as u8;
            pattern += 1;
        }
        place += 1;
    }
    table
}

/// How many discs the player turns by filling `square` (0..64) of an 8x8 board, the only empty cell: every other cell
/// that is not the player's is taken as the opponent's. The bit of `square` itself must be clear in `player`.
///
/// Each line is gathered into a byte by a multiplication and looked up.
#[cfg(any(test, feature = "portable", not(all(target_arch = "x86_64", target_feature = "bmi2"))))]
#[inline]
pub fn last_flip_count(player: u64, square: usize) -> u32 {
    /// Gathers column a into the top byte, row order kept.
    const COLUMN_TO_TOP: u64 = 0x0102_0408_1020_4080;
    /// Gathers the columns of one diagonal into the top byte.
    const ROWS_TO_TOP: u64 = 0x0101_0101_0101_0101;
    let square = square & 63;
    let (row, column) = (square / 8, square % 8);
    let rays = &RAYS[square];
    let on = |axis: usize| player & (rays.up[axis] | rays.down[axis]);
    let across = (player >> (row * 8)) as u8;
    let upright = ((on(2) >> column).wrapping_mul(COLUMN_TO_TOP) >> 56) as u8;
    let rising = (on(1).wrapping_mul(ROWS_TO_TOP) >> 56) as u8;
    let falling = (on(3).wrapping_mul(ROWS_TO_TOP) >> 56) as u8;
    let by_column = &TURNED[column];
    let turned = by_column[usize::from(across)]
        + TURNED[row][usize::from(upright)]
        + by_column[usize::from(rising)]
        + by_column[usize::from(falling)];
    u32::from(turned)
}
