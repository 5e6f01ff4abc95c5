//! Prints how many times a second one core plays a move and takes it back:
//! `cargo run --release -p gomoku --example speed -- [ROUNDS]` (400 rounds of 60 stones unless said).

use std::time::Instant;

use gomoku::Neighborhood;
use gomoku::board::Board;
use gomoku::point::{Point, Size};
use gomoku::position::Position;
use gomoku::rules::Rule;

fn main() {
    let size = Size::DEFAULT;
    let rounds: u32 = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(400);
    for rule in Rule::ALL {
        let mut board = Board::new(&Position::empty(size, rule), Neighborhood::Rays(3));
        let mut state = 7_u64;
        // Stones near other stones, as a search plays them; every new stone starts a round over all candidates.
        let (mut pairs, started) = (0_u64, Instant::now());
        for _ in 0..rounds {
            while board.plies() > 0 {
                board.undo();
            }
            for _ in 0..60 {
                let candidates = board.candidates();
                for &point in &candidates {
                    board.play(point);
                    board.undo();
                }
                pairs += candidates.len() as u64;
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let chosen: Point = candidates[(state >> 33) as usize % candidates.len()];
                board.play(chosen);
            }
        }
        let seconds = started.elapsed().as_secs_f64();
        println!("{rule}: {:.2} M move+undo/s ({pairs} pairs)", pairs as f64 / seconds / 1e6);
    }
}
