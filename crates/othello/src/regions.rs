//! Regions of empty cells, whose sizes decide who has the last move in each: the parity that players count.
//!
//! Two empty cells belong to one region when they touch along a side or at a corner. Who moves first in a region with
//! an even number of cells will not have its last move if both sides play it out in turn; with an odd number he will.

use crate::board::Size;

/// The connected regions of these empty cells, in the order of their lowest cells. The sets are disjoint and together
/// they are `empty`.
pub fn regions(size: Size, empty: u64) -> Vec<u64> {
    let mut rest = empty & size.cells();
    let mut found = Vec::new();
    while rest != 0 {
        let mut region = rest & rest.wrapping_neg();
        loop {
            let grown = touching(region) & rest;
            if grown == region {
                break;
            }
            region = grown;
        }
        rest &= !region;
        found.push(region);
    }
    found
}

/// The four quarters of a board: top left, top right, bottom left, bottom right.
pub const fn quadrants(size: Size) -> [u64; 4] {
    let half = size.side() as u32 / 2;
    let left = size.cells() & (0x0101_0101_0101_0101 * ((1 << half) - 1));
    let top = size.cells() & ((1 << (8 * half)) - 1);
    let (right, bottom) = (size.cells() & !left, size.cells() & !top);
    [left & top, right & top, left & bottom, right & bottom]
}

/// The cells of a set and all cells next to them in any of the eight directions.
pub const fn touching(set: u64) -> u64 {
    const NOT_COLUMN_A: u64 = 0xFEFE_FEFE_FEFE_FEFE;
    const NOT_COLUMN_H: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let row = set | (set << 1 & NOT_COLUMN_A) | (set >> 1 & NOT_COLUMN_H);
    row | row << 8 | row >> 8
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regions by walking from cell to cell over coordinates.
    fn walked(size: Size, empty: u64) -> Vec<u64> {
        let side = i32::from(size.side());
        let is_empty = |row: i32, column: i32| {
            (0..side).contains(&row) && (0..side).contains(&column) && empty >> (row * 8 + column) & 1 == 1
        };
        let mut seen = 0_u64;
        let mut found = Vec::new();
        for start in 0..64 {
            if seen >> start & 1 == 1 || !is_empty(start / 8, start % 8) {
                continue;
            }
            let (mut region, mut open) = (0_u64, vec![start]);
            while let Some(cell) = open.pop() {
                if seen >> cell & 1 == 1 {
                    continue;
                }
                seen |= 1 << cell;
                region |= 1 << cell;
                for (row, column) in (-1..=1).flat_map(|row| (-1..=1).map(move |column| (row, column))) {
                    if is_empty(cell / 8 + row, cell % 8 + column) {
                        open.push(cell + row * 8 + column);
                    }
                }
            }
            found.push(region);
        }
        found
    }

    #[test]
    fn regions_are_those_that_a_walk_over_the_board_finds() {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        for round in 0..3_000 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            // Sparse sets fall apart into many regions.
            let empty =
                state & state.rotate_left(23) & if round % 2 == 0 { u64::MAX } else { state.rotate_left(41) };
            for size in Size::ALL {
                assert_eq!(regions(size, empty), walked(size, empty & size.cells()), "{size:?} {empty:#x}");
            }
        }
    }

    #[test]
    fn quadrants_share_the_board_evenly() {
        for size in Size::ALL {
            let quarters = quadrants(size);
            assert_eq!(quarters.iter().fold(0, |all, quarter| all ^ quarter), size.cells(), "{size:?}");
            assert!(quarters.iter().all(|quarter| quarter.count_ones() * 4 == size.cells().count_ones()));
            assert_eq!(quarters[0] & 1, 1, "the first holds a1");
            assert_eq!(quarters[1] >> (size.side() - 1) & 1, 1, "the second holds the other end of row 1");
        }
    }
}
