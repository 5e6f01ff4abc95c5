//! Measures how many positions a second the trained evaluation judges as the midgame search asks it to: a move is made,
//! the position after it judged, the move taken back.
//!
//! Usage: `cargo run --release -p othello --example evaluation_speed -- OPENINGS [SECONDS]`
//!
//! Positions: games from OPENINGS (`crates/othello/data/xot.txt`) continued by one move after the other in a fixed
//! pseudo-random way, all stages of the game alike. Time is processor time of the thread.

use std::error::Error;
use std::time::Duration;

use othello::board::{Board, Size};
use othello::evaluation::Evaluator;
use othello::notation::transcript;
use othello::position::Position;
use othello::square::{Square, Squares};
use rustix::time::{ClockId, clock_gettime};

fn thread_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::try_from(time).expect("processor time is never negative")
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [openings, rest @ ..] = arguments.as_slice() else {
        return Err("usage: evaluation_speed OPENINGS [SECONDS]".into());
    };
    let least = Duration::from_secs(rest.first().map_or(Ok(3), |seconds| seconds.parse())?);
    let text = std::fs::read_to_string(openings)?;
    let mut boards = Vec::new();
    for line in text.lines().step_by(10) {
        let start = transcript::read(line, Position::start(Size::Eight))?.position;
        boards.extend(game(start.board(), line.len() as u64 + boards.len() as u64));
    }
    let lines: Vec<(Board, Evaluator)> =
        boards.into_iter().map(|board| (board, Evaluator::new(board, Size::Eight))).collect();
    let begun = thread_time();
    let (mut judged, mut sum) = (0_u64, 0_i64);
    while thread_time() - begun < least {
        for (board, evaluator) in &lines {
            let mut evaluator = evaluator.clone();
            for square in Squares(board.moves(Size::Eight)) {
                let flips = board.flips(square);
                evaluator.play(square, flips);
                sum += i64::from(evaluator.value(board.after(square.bit(), flips)));
                evaluator.undo(square, flips);
                judged += 1;
            }
        }
    }
    let seconds = (thread_time() - begun).as_secs_f64();
    println!(
        "{} positions, {judged} judged in {seconds:.2} s: {:.2} M a second (checksum {sum})",
        lines.len(),
        judged as f64 / seconds / 1e6
    );
    Ok(())
}

/// The positions of one game from here on.
fn game(mut board: Board, mut state: u64) -> Vec<Board> {
    let mut boards = Vec::new();
    loop {
        if board.moves(Size::Eight) == 0 {
            board = board.pass();
        }
        let moves: Vec<Square> = Squares(board.moves(Size::Eight)).collect();
        if moves.is_empty() {
            return boards;
        }
        boards.push(board);
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let square = moves[(state >> 33) as usize % moves.len()];
        board = board.after(square.bit(), board.flips(square));
    }
}
