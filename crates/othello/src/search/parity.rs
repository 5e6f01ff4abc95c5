//! Parity by quadrants: a region with an odd number of empty squares promises its first mover the last move in it,
//! so squares of odd regions are tried first.

use crate::board::Size;

/// For every square of the 8x8 grid, the quadrant of the board it lies in.
pub type Quadrants = [u64; 64];

static FOUR: Quadrants = quadrants(Size::Four);
static SIX: Quadrants = quadrants(Size::Six);
static EIGHT: Quadrants = quadrants(Size::Eight);

/// The quadrants of a board of this size.
pub const fn of(size: Size) -> &'static Quadrants {
    match size {
        Size::Four => &FOUR,
        Size::Six => &SIX,
        Size::Eight => &EIGHT,
    }
}

/// All squares of the quadrants in which the number of `empty` squares is odd. After a disc on `square` the set is
/// this one `^ quadrants[square]`.
pub fn odd(quadrants: &Quadrants, empty: u64) -> u64 {
    let mut odd = 0;
    let mut rest = empty;
    while rest != 0 {
        odd ^= quadrants[rest.trailing_zeros() as usize];
        rest &= rest - 1;
    }
    odd
}

const fn quadrants(size: Size) -> Quadrants {
    let half = size.side() as usize / 2;
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        if size.cells() >> square & 1 == 1 {
            let (top, left) = (square / 8 / half * half, square % 8 / half * half);
            let mut cell = 0;
            while cell < half * half {
                table[square] |= 1 << ((top + cell / half) * 8 + left + cell % half);
                cell += 1;
            }
        }
        square += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_quadrants_tile_every_board() {
        for size in Size::ALL {
            let quadrants = of(size);
            let mut seen: Vec<u64> = quadrants.iter().copied().filter(|&quadrant| quadrant != 0).collect();
            seen.sort_unstable();
            seen.dedup();
            assert_eq!(seen.len(), 4);
            assert_eq!(seen.iter().fold(0, |all, quadrant| all | quadrant), size.cells());
            assert!((0..64).all(|square| quadrants[square] == 0 || quadrants[square] >> square & 1 == 1));
        }
    }

    #[test]
    fn odd_quadrants_are_those_with_an_odd_count() {
        let quadrants = of(Size::Eight);
        let (top_left, bottom_right) = (0x0F0F_0F0F, 0xF0F0_F0F0_0000_0000);
        assert_eq!(odd(quadrants, 0b1), top_left);
        assert_eq!(odd(quadrants, 0b11), 0);
        assert_eq!(odd(quadrants, 1 << 63 | 0b111), top_left | bottom_right);
    }
}
