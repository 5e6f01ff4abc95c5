//! Games that lead to the positions to be labelled: a random beginning that is thrown away, then play by the
//! evaluation with some noise, so that sensible and odd shapes are both seen.

use othello::board::{Board, Size};
use othello::evaluation::Evaluator;
use othello::position::Position;
use othello::square::{Square, Squares};

use crate::random::Random;

/// Fewest random moves at the beginning.
const RANDOM_MOVES_MIN: u64 = 6;
/// One move in so many after the beginning is random too.
const STRAY_MOVE_EVERY: u64 = 16;
/// Spread of the noise on the value of a move, hundredths of a disc: about the error of the evaluation itself.
const NOISE_CENTIDISCS: f32 = 250.0;

/// Plays one game and returns the positions that have one of the wanted numbers of empties and a legal move. The
/// random beginning ends at the latest with the first wanted position.
pub fn positions(random: &mut Random, wanted: std::ops::RangeInclusive<u32>) -> Vec<Board> {
    let mut board = Position::start(Size::Eight).board();
    let most = u64::from(60 - wanted.end());
    let random_moves = RANDOM_MOVES_MIN.min(most) + random.below(most.saturating_sub(RANDOM_MOVES_MIN) + 1);
    let mut found = Vec::new();
    let mut played = 0;
    loop {
        let mut moves = board.moves(Size::Eight);
        if moves == 0 {
            board = board.pass();
            moves = board.moves(Size::Eight);
            if moves == 0 {
                return found;
            }
        }
        let empties = (!board.occupied()).count_ones();
        if empties < *wanted.start() {
            return found;
        }
        if wanted.contains(&empties) {
            found.push(board);
        }
        let stray = played < random_moves || random.below(STRAY_MOVE_EVERY) == 0;
        let square = if stray { any_move(random, moves) } else { noisy_best(random, board, moves) };
        board = board.after(square.bit(), board.flips(square));
        played += 1;
    }
}

fn any_move(random: &mut Random, moves: u64) -> Square {
    let number = random.below(u64::from(moves.count_ones())) as usize;
    Squares(moves).nth(number).expect("the number is below the count of moves")
}

fn noisy_best(random: &mut Random, board: Board, moves: u64) -> Square {
    let value = |square: Square| {
        let next = board.after(square.bit(), board.flips(square));
        -Evaluator::new(next, Size::Eight).value(next)
    };
    let noisy: Vec<(i32, Square)> = Squares(moves)
        .map(|square| (value(square) + (random.signed_unit() * NOISE_CENTIDISCS) as i32, square))
        .collect();
    noisy.into_iter().max_by_key(|&(value, _)| value).expect("there is a legal move").1
}
