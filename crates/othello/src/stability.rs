//! Discs that can never be turned again, whatever both sides do: a sound lower bound of that set, never a guess.
//!
//! A disc is turned along one of the four lines through it, between a newly placed disc and another disc of the side
//! that placed it. So a disc is safe on a line when the line has no empty cell left, when the disc stands at its end,
//! or when its neighbour on that line is a disc of its own colour that is itself stable: such a neighbour neither
//! turns with it nor ends the run. A disc that is safe on all four lines is stable. On the border only the border
//! line matters, and there every possible course of play is looked through in advance.
//!
//! Rules that call more discs stable (every run from a border cell, three safe neighbours, and so on) are wrong, and
//! so is the cut "a lead in stable discs larger than the number of empties wins": the tests show positions that
//! refute each. What stable discs do prove is [`upper_bound`] and [`lower_bound`].

use crate::board::Size;
use crate::simd;

/// Stable discs of `own` against `other` on the 8x8 board: every disc in the result is stable, some stable discs may be
/// missing.
#[inline]
pub fn stable_discs(own: u64, other: u64) -> u64 {
    simd::supported_discs(own, stable_border_discs(own, other), own | other)
}

/// [`stable_discs`] for a board of any size. Smaller boards take a plain way that knows less about their borders.
pub fn stable_discs_on(size: Size, own: u64, other: u64) -> u64 {
    match size {
        Size::Eight => stable_discs(own, other),
        Size::Four | Size::Six => plain_stable_discs(size, own, other),
    }
}

/// The most discs by which the side to move can win when these discs of the opponent are stable, under either rule for
/// empty squares.
pub const fn upper_bound(size: Size, stable_opponent: u64) -> i32 {
    cell_count(size) - 2 * stable_opponent.count_ones() as i32
}

/// The least final disc difference for the side to move when these discs of its own are stable, under either rule for
/// empty squares.
pub const fn lower_bound(size: Size, stable_own: u64) -> i32 {
    2 * stable_own.count_ones() as i32 - cell_count(size)
}

const fn cell_count(size: Size) -> i32 {
    size.cells().count_ones() as i32
}

const COLUMN_A: u64 = 0x0101_0101_0101_0101;

/// The stable discs of `own` on the border of the 8x8 board.
#[inline]
fn stable_border_discs(own: u64, other: u64) -> u64 {
    let top = stable_on_edge(own as u8, other as u8);
    let bottom = stable_on_edge((own >> 56) as u8, (other >> 56) as u8);
    let left = stable_on_edge(column_byte(own), column_byte(other));
    let right = stable_on_edge(column_byte(own >> 7), column_byte(other >> 7));
    u64::from(top) | u64::from(bottom) << 56 | byte_column(left) | byte_column(right) << 7
}

/// Column a as a byte, row 1 in bit 0.
#[inline]
fn column_byte(bits: u64) -> u8 {
    /// Moves the bit of row r to bit 56 + r.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    ((bits & COLUMN_A).wrapping_mul(GATHER) >> 56) as u8
}

/// A byte laid out along column a, bit 0 in row 1. Half a byte at a time, because the products of a whole one overlap.
#[inline]
fn byte_column(byte: u8) -> u64 {
    /// Moves bit r of half a byte to bit 8 * r.
    const SPREAD: u64 = 0x0020_4081;
    /// The first bit of each of four bytes.
    const ROWS: u64 = 0x0101_0101;
    let (low, high) = (u64::from(byte & 15), u64::from(byte >> 4));
    ((low * SPREAD) & ROWS) | ((high * SPREAD) & ROWS) << 32
}

#[inline]
fn stable_on_edge(own: u8, other: u8) -> u8 {
    EDGE_STABLE[usize::from(BASE_3[usize::from(own)]) + 2 * usize::from(BASE_3[usize::from(other)])]
}

/// Fillings of an edge of eight cells.
const EDGES: usize = 6561;

/// The bits of a byte read as digits in base 3.
static BASE_3: [u16; 256] = base_3();

/// For every filling of an edge, `BASE_3[own] + 2 * BASE_3[other]`: the discs of `own` that no course of play on the
/// edge turns. Either side may place a disc on any empty cell at any time here, since moves are often legal because
/// of what they turn elsewhere.
static EDGE_STABLE: [u8; EDGES] = edge_stable();

const fn base_3() -> [u16; 256] {
    let mut table = [0; 256];
    let mut byte = 1;
    while byte < 256 {
        table[byte] = 3 * table[byte >> 1] + (byte & 1) as u16;
        byte += 1;
    }
    table
}

/// Full edges first, so that every successor is known when it is needed.
#[allow(long_running_const_eval)]
const fn edge_stable() -> [u8; EDGES] {
    let digits = base_3();
    let mut table = [0; EDGES];
    let mut empties = 0;
    while empties <= 8 {
        let mut own = 0_u32;
        while own < 256 {
            let mut other = !own & 0xFF;
            loop {
                if (own | other).count_ones() + empties == 8 {
                    let index = digits[own as usize] + 2 * digits[other as usize];
                    table[index as usize] = edge_stable_here(&table, &digits, own, other);
                }
                if other == 0 {
                    break;
                }
                other = (other - 1) & !own & 0xFF;
            }
            own += 1;
        }
        empties += 1;
    }
    table
}

/// The discs of `own` that stay whatever is placed next, and stay in all that follows.
const fn edge_stable_here(table: &[u8; EDGES], digits: &[u16; 256], own: u32, other: u32) -> u8 {
    let mut stable = own;
    let mut cell = 0;
    while cell < 8 {
        if (own | other) >> cell & 1 == 0 && stable != 0 {
            let gained = edge_flips(own, other, cell);
            let (mine, theirs) = (own | gained | 1 << cell, other & !gained);
            stable &= table[(digits[mine as usize] + 2 * digits[theirs as usize]) as usize] as u32;
            let lost = edge_flips(other, own, cell);
            let (mine, theirs) = (own & !lost, other | lost | 1 << cell);
            stable &= table[(digits[mine as usize] + 2 * digits[theirs as usize]) as usize] as u32;
        }
        cell += 1;
    }
    stable as u8
}

/// The discs of `other` on an edge that turn when `own` fills `cell`.
const fn edge_flips(own: u32, other: u32, cell: u32) -> u32 {
    let mut found = 0;
    let mut run = 0;
    let mut next = 1 << cell << 1;
    while next & other != 0 {
        run |= next;
        next <<= 1;
    }
    if next & own != 0 {
        found |= run;
    }
    run = 0;
    next = 1 << cell >> 1;
    while next & other != 0 {
        run |= next;
        next >>= 1;
    }
    if next & own != 0 {
        found |= run;
    }
    found
}

/// Steps (row, column) of the four axes.
const AXES: [(i8, i8); 4] = [(0, 1), (1, -1), (1, 0), (1, 1)];

/// The rule of this module as it reads, on a board of any size.
fn plain_stable_discs(size: Size, own: u64, other: u64) -> u64 {
    let safe_lines = AXES.map(|axis| cells_where(size, |cell| line_is_full(size, own | other, cell, axis)));
    let mut stable = 0;
    loop {
        let grown = own
            & cells_where(size, |cell| {
                AXES.iter().zip(safe_lines).all(|(&(row, column), safe)| {
                    let supports = |to| neighbour(size, cell, to).is_none_or(|next| stable >> next & 1 == 1);
                    safe >> cell & 1 == 1 || supports((row, column)) || supports((-row, -column))
                })
            });
        if grown == stable {
            return stable;
        }
        stable = grown;
    }
}

fn cells_where(size: Size, mut holds: impl FnMut(u8) -> bool) -> u64 {
    (0..64)
        .filter(|&cell| size.cells() >> cell & 1 == 1 && holds(cell))
        .fold(0, |cells, cell| cells | 1 << cell)
}

/// The grid index of the next cell in a direction; `None` beyond the border.
fn neighbour(size: Size, cell: u8, (row, column): (i8, i8)) -> Option<u8> {
    let inside = 0..size.side() as i8;
    let (row, column) = ((cell / 8) as i8 + row, (cell % 8) as i8 + column);
    (inside.contains(&row) && inside.contains(&column)).then_some((row * 8 + column) as u8)
}

fn line_is_full(size: Size, occupied: u64, cell: u8, (row, column): (i8, i8)) -> bool {
    let full_towards = |direction| {
        std::iter::successors(Some(cell), |&at| neighbour(size, at, direction))
            .all(|at| occupied >> at & 1 == 1)
    };
    full_towards((row, column)) && full_towards((-row, -column))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random fillings of the board, most of them nearly full, where discs become stable.
    fn boards() -> impl Iterator<Item = (u64, u64)> {
        let mut state = 0x2545_F491_4F6C_DD1D_u64;
        let mut next = move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        (0..20_000).map(move |_| {
            let occupied = next() | next() | next() | next() & next();
            let own = next() | next() & next();
            (own & occupied, occupied & !own)
        })
    }

    #[test]
    fn the_fast_way_knows_all_that_the_plain_one_knows_and_the_same_inside() {
        const BORDER: u64 = !0x007E_7E7E_7E7E_7E00;
        let mut inside = 0;
        for (own, other) in boards() {
            let (fast, plain) = (stable_discs(own, other), plain_stable_discs(Size::Eight, own, other));
            assert_eq!(plain & !fast, 0, "{own:#x} {other:#x}");
            // More discs known on the border may support more inside; without any more, the two must agree.
            if (fast ^ plain) & BORDER == 0 {
                assert_eq!(fast, plain, "{own:#x} {other:#x}");
                inside += u32::from(fast & !BORDER != 0);
            }
        }
        assert!(inside > 100, "interior discs must have been compared, {inside} boards had some");
    }

    /// Each entry is what its own successors keep, found by another way of turning discs; a full edge keeps everything.
    /// By induction over the empty cells the whole table is what playing every edge out would give.
    #[test]
    fn the_edge_table_is_what_playing_every_edge_out_gives() {
        fn kept(own: u32, other: u32) -> u32 {
            let mut kept = own;
            for cell in (0..8).filter(|cell| (own | other) >> cell & 1 == 0) {
                let gained = walked(own, other, cell);
                kept &= kept_after(own | gained | 1 << cell, other & !gained);
                let lost = walked(other, own, cell);
                kept &= kept_after(own & !lost, other | lost | 1 << cell);
            }
            kept
        }
        for own in 0..256_u32 {
            for other in (0..256).filter(|other| own & other == 0) {
                assert_eq!(
                    u32::from(stable_on_edge(own as u8, other as u8)),
                    kept(own, other),
                    "{own} {other}"
                );
            }
        }
    }

    fn kept_after(own: u32, other: u32) -> u32 {
        u32::from(stable_on_edge(own as u8, other as u8))
    }

    /// Discs of `other` between `cell` and the next disc of `own` on each side, cell by cell.
    fn walked(own: u32, other: u32, cell: i32) -> u32 {
        let mut found = 0;
        for step in [-1, 1] {
            let run: Vec<i32> = (1..8)
                .map(|distance| cell + step * distance)
                .take_while(|at| (0..8).contains(at) && other >> at & 1 == 1)
                .collect();
            let end = cell + step * (run.len() as i32 + 1);
            if (0..8).contains(&end) && own >> end & 1 == 1 {
                found |= run.iter().fold(0, |bits, at| bits | 1 << at);
            }
        }
        found
    }

    #[test]
    fn nothing_is_stable_on_an_empty_board_and_everything_on_a_full_one() {
        assert_eq!(stable_discs(0, 0), 0);
        for size in Size::ALL {
            let own = size.cells() & 0x5A5A_1234_9876_FFFF;
            assert_eq!(stable_discs_on(size, own, size.cells() & !own), own);
        }
    }

    #[test]
    fn columns_keep_their_order_as_bytes() {
        for byte in 0..=255 {
            assert_eq!(column_byte(byte_column(byte)), byte);
            assert_eq!(byte_column(byte) & !COLUMN_A, 0);
        }
        assert_eq!(byte_column(0b1000_0001), 1 | 1 << 56);
        assert_eq!(column_byte(1 << 8 | 1 << 9), 0b10);
    }
}
