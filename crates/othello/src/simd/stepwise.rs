//! The test reference: moves and flips by walking the eight directions one step at a time.

const NOT_COLUMN_A: u64 = 0xFEFE_FEFE_FEFE_FEFE;
const NOT_COLUMN_H: u64 = 0x7F7F_7F7F_7F7F_7F7F;

/// One step in each of the eight directions, dropping what would leave the board.
const STEPS: [fn(u64) -> u64; 8] = [
    |bits| (bits << 1) & NOT_COLUMN_A,
    |bits| (bits >> 1) & NOT_COLUMN_H,
    |bits| bits << 8,
    |bits| bits >> 8,
    |bits| (bits << 9) & NOT_COLUMN_A,
    |bits| (bits >> 9) & NOT_COLUMN_H,
    |bits| (bits << 7) & NOT_COLUMN_H,
    |bits| (bits >> 7) & NOT_COLUMN_A,
];

/// The empty cells of the 8x8 grid where the player turns at least one disc.
pub fn moves(player: u64, opponent: u64) -> u64 {
    let mut found = 0;
    for step in STEPS {
        let mut run = step(player) & opponent;
        for _ in 0..5 {
            run |= step(run) & opponent;
        }
        found |= step(run);
    }
    found & !(player | opponent)
}

/// The discs that the player turns from the empty cell `square`.
pub fn flips(player: u64, opponent: u64, square: usize) -> u64 {
    let mut found = 0;
    for step in STEPS {
        let mut run = 0;
        let mut next = step(1 << square);
        while next & opponent != 0 {
            run |= next;
            next = step(next);
        }
        if next & player != 0 {
            found |= run;
        }
    }
    found
}
