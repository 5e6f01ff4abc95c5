//! Last-move counts with the BMI2 bit gather instruction. It is slow on Zen 1 and Zen 2: builds for those leave
//! BMI2 out of their target features.
#![allow(unsafe_code)]

use std::arch::x86_64::_pext_u64;

use super::lines::{RAYS, TURNED};

/// The whole line through a square along each slanted or upright axis, and where on it the square lies.
#[derive(Clone, Copy)]
struct Lines {
    masks: [u64; 3],
    places: [u8; 3],
}

/// For every square: the rising diagonal, the column, the falling diagonal.
static LINES: [Lines; 64] = all_lines();

const fn all_lines() -> [Lines; 64] {
    let mut table = [Lines { masks: [0; 3], places: [0; 3] }; 64];
    let mut square = 0;
    while square < 64 {
        let mut line = 0;
        while line < 3 {
            let (up, down) = (RAYS[square].up[line + 1], RAYS[square].down[line + 1]);
            table[square].masks[line] = up | down | 1 << square;
            table[square].places[line] = down.count_ones() as u8;
            line += 1;
        }
        square += 1;
    }
    table
}

/// How many discs the player turns by filling `square` (0..64) of an 8x8 board, the only empty cell: every other cell
/// that is not the player's is taken as the opponent's. The bit of `square` itself must be clear in `player`.
#[inline]
pub fn last_flip_count(player: u64, square: usize) -> u32 {
    // SAFETY: this file is only compiled when the whole build targets BMI2.
    unsafe { last_flip_count_bmi2(player, square & 63) }
}

#[inline]
#[target_feature(enable = "bmi2")]
fn last_flip_count_bmi2(player: u64, square: usize) -> u32 {
    let Lines { masks, places } = &LINES[square];
    let across = (player >> (square & 56)) as u8;
    let mut turned = TURNED[square & 7][usize::from(across)];
    for (&mask, &place) in masks.iter().zip(places) {
        let pattern = _pext_u64(player, mask) as u8;
        turned += TURNED[usize::from(place & 7)][usize::from(pattern)];
    }
    u32::from(turned)
}
