//! Any two bitboards, and any moves from there, against the rules walked square by square.
#![no_main]

use libfuzzer_sys::fuzz_target;
use othello::board::Size;
use othello::position::{Color, Position};
use othello::square::{Move, Square, Squares};

/// What a disc on this square turns: in each direction the other side's discs up to the first of one's own.
fn walked(position: Position, square: Square) -> u64 {
    let side = i32::from(position.size().side());
    let (own, other) = (position.discs(position.side()), position.discs(position.side().other()));
    let bit = |row: i32, column: i32| Square::at(row as u8, column as u8).expect("inside the board").bit();
    let (row, column) = (i32::from(square.row()), i32::from(square.column()));
    let mut flips = 0;
    for (down, right) in [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)] {
        let (mut r, mut c, mut seen) = (row + down, column + right, 0);
        while (0..side).contains(&r) && (0..side).contains(&c) {
            let here = bit(r, c);
            if other & here != 0 {
                seen |= here;
            } else {
                flips |= if own & here != 0 { seen } else { 0 };
                break;
            }
            (r, c) = (r + down, c + right);
        }
    }
    flips
}

fuzz_target!(|input: (u8, u64, u64, bool, Vec<u8>)| {
    let (size, black, white, is_black, moves) = input;
    let size = Size::ALL[usize::from(size) % Size::ALL.len()];
    let side = if is_black { Color::Black } else { Color::White };
    let Some(mut position) = Position::new(size, black & size.cells(), white & !black & size.cells(), side) else { return };
    for byte in moves {
        for square in Squares(position.empty()) {
            let flips = walked(position, square);
            assert_eq!(position.moves() & square.bit() != 0, flips != 0, "{position:?} {square}");
            if flips != 0 {
                assert_eq!(position.flips(square), flips, "{position:?} {square}");
            }
        }
        let mv = Square::new(byte).map_or(Move::Pass, Move::Place);
        if let Ok(after) = position.play(mv) {
            let added = u32::from(mv != Move::Pass);
            let discs = |position: Position| (position.discs(Color::Black) | position.discs(Color::White)).count_ones();
            assert_eq!(discs(after), discs(position) + added);
            assert_eq!(after.discs(Color::Black) & after.discs(Color::White), 0);
            position = after;
        }
    }
});
