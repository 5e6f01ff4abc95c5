//! Fits the weights of the first evaluation by least squares and prints them with their errors.
//!
//! Usage: `cargo run --release -p othello --example fit_first_evaluation -- EXACT_ENDGAMES.bin WTHOR_FOLDER`
//!
//! Labels. With 12 to 18 empties: the proven values of the first file (17 bytes a record: both bitboards, value). With
//! 24 empties and more: positions of tournament games (56 down to 24 empties), labelled with the game's
//! score under best play from 24 empties on. Every seventeenth record of the first file and every seventeenth game are
//! held out; the printed errors are those of the rounded, interpolated weights on the held-out part.
//!
//! The weights at an anchor are fitted on the positions up to the neighbouring anchors, near ones counting more
//! (triangular kernel), with a small ridge so that counts that never occur keep the weight 0.

use std::error::Error;
use std::path::Path;

use othello::board::{Board, Size};
use othello::evaluation::Evaluator;
use othello::evaluation::terms::{COUNTS, counts_of_both};
use othello::evaluation::weights::ANCHORS;
use othello::position::Position;
use othello::square::{Move, Square};

/// Every so many-th record is held out.
const HELD_OUT: usize = 17;
/// Added to the diagonal of the normal equations for every position: as if each count had this variance of its own.
const RIDGE: f64 = 0.002;

struct Sample {
    board: Board,
    discs: i32,
}

impl Sample {
    fn empties(&self) -> usize {
        (!self.board.occupied()).count_ones() as usize
    }

    fn features(&self) -> [f64; COUNTS] {
        let (player, opponent) = counts_of_both(self.board, Size::Eight);
        std::array::from_fn(|place| f64::from(player[place] - opponent[place]))
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, endgames, games] = arguments.as_slice() else {
        return Err("usage: fit_first_evaluation EXACT_ENDGAMES.bin WTHOR_FOLDER".into());
    };
    let (mut train, mut held_out) = (Vec::new(), Vec::new());
    read_endgames(Path::new(endgames), &mut train, &mut held_out)?;
    read_games(Path::new(games), &mut train, &mut held_out)?;
    println!("{} positions to fit, {} held out", train.len(), held_out.len());
    for (anchor, empties) in ANCHORS.into_iter().enumerate() {
        match fit(anchor, &train) {
            Some(weights) => {
                let rounded: Vec<i32> =
                    weights.iter().map(|weight| (weight * 100.0).round() as i32).collect();
                println!("{empties:2} empties: {rounded:?},");
            }
            None => println!("{empties:2} empties: no data"),
        }
    }
    print_errors(&held_out);
    Ok(())
}

fn read_endgames(
    file: &Path,
    train: &mut Vec<Sample>,
    held_out: &mut Vec<Sample>,
) -> Result<(), Box<dyn Error>> {
    for (index, record) in std::fs::read(file)?.chunks_exact(17).enumerate() {
        let player = u64::from_le_bytes(record[..8].try_into()?);
        let opponent = u64::from_le_bytes(record[8..16].try_into()?);
        let sample = Sample { board: Board { player, opponent }, discs: i32::from(record[16] as i8) };
        if index % HELD_OUT == 0 { held_out.push(sample) } else { train.push(sample) }
    }
    Ok(())
}

fn read_games(
    folder: &Path,
    train: &mut Vec<Sample>,
    held_out: &mut Vec<Sample>,
) -> Result<(), Box<dyn Error>> {
    let mut files: Vec<_> = std::fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    files.sort_by_key(|file| file.file_name());
    let mut game = 0;
    for file in files.iter().filter(|file| file.path().extension().is_some_and(|name| name == "wtb")) {
        let bytes = std::fs::read(file.path())?;
        for record in bytes[16..].chunks_exact(68) {
            let samples = if game % HELD_OUT == 0 { &mut *held_out } else { &mut *train };
            read_game(record, samples);
            game += 1;
        }
    }
    Ok(())
}

/// Adds the positions of one game from 56 down to 24 empties. The theoretical score is black's discs.
fn read_game(record: &[u8], samples: &mut Vec<Sample>) {
    let black_discs = i32::from(record[7]) * 2 - 64;
    let mut position = Position::start(Size::Eight);
    for &stored in &record[8..] {
        let empties = position.empty().count_ones();
        if (24..=56).contains(&empties) && position.moves() != 0 {
            let black_to_move = position.side() == othello::position::Color::Black;
            let discs = if black_to_move { black_discs } else { -black_discs };
            samples.push(Sample { board: position.board(), discs });
        }
        let square = stored.checked_sub(11).and_then(|cell| Square::at(cell / 10, cell % 10));
        let (Some(square), true) = (square, empties > 24) else { return };
        if position.moves() == 0 {
            let Ok(passed) = position.play(Move::Pass) else { return };
            position = passed;
        }
        let Ok(next) = position.play(Move::Place(square)) else { return };
        position = next;
    }
}

/// How much a position with so many empties counts at an anchor: 1 at the anchor, 0 at its neighbours.
fn kernel(anchor: usize, empties: usize) -> f64 {
    let at = f64::from(ANCHORS[anchor]);
    let below = if anchor == 0 { 0.0 } else { f64::from(ANCHORS[anchor - 1]) };
    let above = ANCHORS.get(anchor + 1).map_or(64.0, |&next| f64::from(next));
    let distance = empties as f64 - at;
    let width = if distance < 0.0 { at - below } else { above - at };
    (1.0 - distance.abs() / width).max(0.0)
}

/// Least squares by the normal equations; weights in discs. `None` without data.
fn fit(anchor: usize, samples: &[Sample]) -> Option<[f64; COUNTS]> {
    let mut matrix = [[0.0; COUNTS]; COUNTS];
    let mut right = [0.0; COUNTS];
    let mut total = 0.0;
    for sample in samples {
        let importance = kernel(anchor, sample.empties());
        if importance == 0.0 {
            continue;
        }
        let features = sample.features();
        total += importance;
        for row in 0..COUNTS {
            let scaled = importance * features[row];
            right[row] += scaled * f64::from(sample.discs);
            for column in 0..COUNTS {
                matrix[row][column] += scaled * features[column];
            }
        }
    }
    for (place, row) in matrix.iter_mut().enumerate() {
        row[place] += RIDGE * total;
    }
    (total > 0.0).then(|| solve(matrix, right))
}

/// Solves a symmetric positive definite system by elimination.
fn solve(mut matrix: [[f64; COUNTS]; COUNTS], mut right: [f64; COUNTS]) -> [f64; COUNTS] {
    for pivot in 0..COUNTS {
        let pivot_row = matrix[pivot];
        for row in pivot + 1..COUNTS {
            let factor = matrix[row][pivot] / pivot_row[pivot];
            for column in pivot..COUNTS {
                matrix[row][column] -= factor * pivot_row[column];
            }
            right[row] -= factor * right[pivot];
        }
    }
    let mut solution = [0.0; COUNTS];
    for row in (0..COUNTS).rev() {
        let known: f64 = (row + 1..COUNTS).map(|column| matrix[row][column] * solution[column]).sum();
        solution[row] = (right[row] - known) / matrix[row][row];
    }
    solution
}

/// Prints the mean absolute error of the weights that are built in, by the number of empties.
fn print_errors(held_out: &[Sample]) {
    println!("empties  positions  MAE  MAE of always 0 (discs)");
    for empties in 0..=64 {
        let samples: Vec<&Sample> = held_out.iter().filter(|sample| sample.empties() == empties).collect();
        if samples.is_empty() {
            continue;
        }
        let mean = |error: &dyn Fn(&Sample) -> f64| {
            samples.iter().map(|sample| error(sample)).sum::<f64>() / samples.len() as f64
        };
        let own = mean(&|sample| {
            let value = Evaluator::new(sample.board, Size::Eight).value(sample.board);
            (f64::from(value) / 100.0 - f64::from(sample.discs)).abs()
        });
        let zero = mean(&|sample| f64::from(sample.discs).abs());
        println!("{empties:7}  {:9}  {own:.2}  {zero:.2}", samples.len());
    }
}
