//! Every variant against the step-by-step reference on random boards.

use super::{lines, portable, stepwise};

/// Boards tried by [`random_board`] in one test.
const BOARDS: u64 = 2_000_000;

/// SplitMix64 (Steele, Lea, Flood 2014): a reproducible source of random bits.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }
}

/// A board of random density: nearly empty, nearly full, one colour rare, or anything between.
fn random_board(random: &mut Random) -> (u64, u64) {
    let kind = random.next();
    let mut occupied = random.next();
    match kind % 5 {
        0 => occupied |= random.next() | random.next(),
        1 => occupied &= random.next(),
        2 => occupied = !(1 << (kind >> 58)),
        3 => occupied |= random.next() | random.next() | random.next() | random.next(),
        _ => {}
    }
    let mut player = random.next();
    match (kind >> 8) % 4 {
        0 => player &= random.next(),
        1 => player &= random.next() & random.next(),
        2 => player |= random.next(),
        _ => {}
    }
    (player & occupied, occupied & !player)
}

#[test]
fn every_variant_finds_the_moves_of_the_reference() {
    let mut random = Random(1);
    for _ in 0..BOARDS {
        let (player, opponent) = random_board(&mut random);
        let expected = stepwise::moves(player, opponent);
        assert_eq!(super::moves(player, opponent), expected, "{player:#x} {opponent:#x}");
        assert_eq!(portable::moves(player, opponent), expected, "{player:#x} {opponent:#x}");
    }
}

#[test]
fn every_variant_turns_the_discs_of_the_reference() {
    let mut random = Random(2);
    let mut turned = 0;
    for _ in 0..BOARDS / 4 {
        let (player, opponent) = random_board(&mut random);
        for square in 0..64 {
            if (player | opponent) >> square & 1 == 1 {
                continue;
            }
            let expected = stepwise::flips(player, opponent, square);
            assert_eq!(
                super::flips(player, opponent, square),
                expected,
                "{player:#x} {opponent:#x} {square}"
            );
            assert_eq!(
                portable::flips(player, opponent, square),
                expected,
                "{player:#x} {opponent:#x} {square}"
            );
            turned += u64::from(expected != 0);
        }
    }
    assert!(turned > BOARDS / 4, "the boards must offer moves, or nothing was tested");
}

#[test]
fn a_square_has_flips_exactly_when_it_is_a_move() {
    let mut random = Random(3);
    for _ in 0..BOARDS / 8 {
        let (player, opponent) = random_board(&mut random);
        let by_flips = (0..64)
            .filter(|&square| (player | opponent) >> square & 1 == 0)
            .filter(|&square| super::flips(player, opponent, square) != 0)
            .fold(0, |moves, square| moves | 1 << square);
        assert_eq!(super::moves(player, opponent), by_flips, "{player:#x} {opponent:#x}");
    }
}

#[test]
fn last_move_counts_are_those_of_the_flips() {
    let mut random = Random(4);
    for _ in 0..BOARDS / 8 {
        let (player, _) = random_board(&mut random);
        for square in 0..64 {
            let player = player & !(1 << square);
            let expected = stepwise::flips(player, !player & !(1 << square), square).count_ones();
            assert_eq!(super::last_flip_count(player, square), expected, "{player:#x} {square}");
            assert_eq!(lines::last_flip_count(player, square), expected, "{player:#x} {square}");
        }
    }
}

#[test]
fn every_variant_supports_the_same_stable_discs() {
    let mut random = Random(5);
    let mut grown = 0;
    for _ in 0..BOARDS / 8 {
        let (own, other) = random_board(&mut random);
        // Any border discs may be handed in: the variants must only agree on what follows from them.
        let stable = own & random.next() & !0x007E_7E7E_7E7E_7E00;
        let expected = portable::supported_discs(own, stable, own | other);
        assert_eq!(
            super::supported_discs(own, stable, own | other),
            expected,
            "{own:#x} {other:#x} {stable:#x}"
        );
        grown += u32::from(expected != stable);
    }
    assert!(grown > 1_000, "interior discs must have been found, {grown} boards had some");
}

/// One opponent disc at the end of a row and one of the player at the start of the next: neighbours as bits, strangers
/// on the board.
#[test]
fn runs_do_not_wrap_around_the_border() {
    for row in 0..7 {
        let (end, start) = (1u64 << (row * 8 + 7), 1u64 << (row * 8 + 8));
        for (player, opponent) in
            [(start, end), (end, start), (start << 1, start | end), (end >> 1, end | start)]
        {
            let expected = stepwise::moves(player, opponent);
            assert_eq!(super::moves(player, opponent), expected, "{player:#x} {opponent:#x}");
            assert_eq!(portable::moves(player, opponent), expected, "{player:#x} {opponent:#x}");
        }
        assert_eq!(super::moves(start, end), 0);
        assert_eq!(super::moves(end, start), 0);
    }
}

/// Six discs turned on every full line that is long enough, from both of its ends.
#[test]
fn the_longest_runs_turn() {
    for row in 0..8 {
        let line = 0x7E_u64 << (row * 8);
        assert_eq!(super::flips(0x80 << (row * 8), line, row * 8), line);
        assert_eq!(super::flips(0x01 << (row * 8), line, row * 8 + 7), line);
        let line = 0x0001_0101_0101_0100_u64 << row;
        assert_eq!(super::flips(1 << (56 + row), line, row), line);
        assert_eq!(super::flips(1 << row, line, 56 + row), line);
    }
    let falling = 0x0040_2010_0804_0200;
    assert_eq!(super::flips(1 << 63, falling, 0), falling);
    assert_eq!(super::flips(1, falling, 63), falling);
    let rising = 0x0002_0408_1020_4000;
    assert_eq!(super::flips(1 << 56, rising, 7), rising);
    assert_eq!(super::flips(1 << 7, rising, 56), rising);
}
