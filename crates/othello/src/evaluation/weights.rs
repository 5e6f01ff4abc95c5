//! What one count of each term is worth, in hundredths of a disc, by the number of empty squares.
//!
//! `cargo run --release -p othello --example fit_first_evaluation` fits this table by least squares and prints it with
//! its errors; `docs/ENGINE.md` tells the data and the figures. A weight is given at a few numbers of empties and
//! interpolated linearly between them.

use super::terms::COUNTS;

/// The worth of one count of each term, in hundredths of a disc.
pub type Weights = [i16; COUNTS];

/// The weights for a position with this many empty squares, 0..=64.
pub fn weights(empties: u32) -> &'static Weights {
    static TABLE: [Weights; 65] = interpolated();
    &TABLE[empties as usize]
}

/// The numbers of empties at which weights were fitted, ascending.
pub const ANCHORS: [u8; 8] = [12, 15, 18, 24, 32, 40, 48, 56];

/// The fitted weights at each of [`ANCHORS`], terms in the order of [`Term::ALL`](super::terms::Term::ALL).
#[rustfmt::skip]
const FITTED: [Weights; ANCHORS.len()] = [
    [55, -44, 12, 39, -25, 21, 12, 25, 147, 380, -89, -4, 60, -458, -109, 118],
    [65, -38, 25, 25, -30, 12, 18, 21, 137, 471, -100, -4, 106, -526, -140, 120],
    [78, -32, 37, 4, -42, 0, 24, 19, 129, 577, -112, -2, 82, -584, -175, 123],
    [142, 144, 91, 52, -57, -40, 117, 37, 142, 428, -180, -6, 362, -528, -196, 111],
    [131, 193, 96, 43, -69, -47, 135, 39, 148, 547, -195, -4, 0, -540, -202, 127],
    [-4, 283, 108, -101, -76, -41, 150, 60, 164, 502, -210, -11, 0, -525, -70, 296],
    [-5, 390, 155, -370, -125, -30, 136, 151, 162, 126, -161, -51, 0, -451, -50, 254],
    [-112, 69, 26, -146, -115, -5, 93, 103, 102, -18, -98, -16, 0, -129, -112, -18],
];

const fn interpolated() -> [Weights; 65] {
    let mut table = [[0; COUNTS]; 65];
    let mut empties = 0;
    while empties <= 64 {
        let mut upper = 0;
        while upper < ANCHORS.len() - 1 && (ANCHORS[upper] as usize) < empties {
            upper += 1;
        }
        let lower = if upper == 0 || empties >= ANCHORS[upper] as usize { upper } else { upper - 1 };
        let span = ANCHORS[upper] as i32 - ANCHORS[lower] as i32;
        let mut count = 0;
        while count < COUNTS {
            let (from, to) = (FITTED[lower][count] as i32, FITTED[upper][count] as i32);
            table[empties][count] = if span == 0 {
                to as i16
            } else {
                (from + (to - from) * (empties as i32 - ANCHORS[lower] as i32) / span) as i16
            };
            count += 1;
        }
        empties += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_keep_their_own_weights_and_the_rest_lies_between() {
        for (fitted, anchor) in FITTED.iter().zip(ANCHORS) {
            assert_eq!(weights(u32::from(anchor)), fitted);
        }
        let (from, to) = (weights(32), weights(40));
        for (place, weight) in weights(36).iter().enumerate() {
            let (low, high) = (from[place].min(to[place]), from[place].max(to[place]));
            assert!((low..=high).contains(weight), "count {place}");
        }
        assert_eq!(weights(0), &FITTED[0]);
        assert_eq!(weights(64), &FITTED[ANCHORS.len() - 1]);
    }
}
