//! Fits the weights that order moves inside the solver to positions with proven values, and writes them as the solver
//! embeds them: `fit_ordering EXACT-ENDGAMES.bin WEIGHTS.bin [EPOCHS]`.
//!
//! The file holds records of 17 bytes: discs of the side to move, of the other side (8 bytes each, little endian), and
//! the final disc difference. The model is a sum of pattern weights plus the mobility of both sides and the parity
//! of the empties, fitted to the squared error by stochastic gradient steps scaled per weight (AdaGrad). Only the
//! pattern weights are written: the solver weighs mobility by itself. The last 50,000 records are held out.

use othello::board::{Board, Size};
use othello::search::patterns::{LANES, PER_DISC, WEIGHTS, mirrored_rows, rows};

const RECORD: usize = 17;
const HELD_OUT: usize = 50_000;
/// Mobility of the mover, of the other side, an odd number of empties, and always.
const EXTRAS: usize = 4;
const STEP: f32 = 0.4;

struct Sample {
    rows: [u32; LANES],
    extras: [f32; EXTRAS],
    value: f32,
}

fn sample(record: &[u8], twins: &[usize]) -> Sample {
    let word = |at: usize| u64::from_le_bytes(record[at..at + 8].try_into().expect("eight bytes"));
    let board = Board { player: word(0), opponent: word(8) };
    let extras = [
        board.moves(Size::Eight).count_ones() as f32 / 8.0,
        board.pass().moves(Size::Eight).count_ones() as f32 / 8.0,
        (board.occupied().count_zeros() % 2) as f32,
        1.0,
    ];
    Sample { rows: rows(board).map(|row| twins[row] as u32), extras, value: f32::from(record[16] as i8) }
}

struct Model {
    weights: Vec<f32>,
    steps: Vec<f32>,
    extras: [f32; EXTRAS],
}

impl Model {
    fn value(&self, sample: &Sample) -> f32 {
        let patterns: f32 = sample.rows.iter().map(|&row| self.weights[row as usize]).sum();
        patterns + self.extras.iter().zip(sample.extras).map(|(weight, count)| weight * count).sum::<f32>()
    }

    fn learn(&mut self, sample: &Sample, rate: f32) {
        let error = (sample.value - self.value(sample)) / 16.0;
        for &row in &sample.rows {
            let row = row as usize;
            self.steps[row] += error * error;
            self.weights[row] += rate * error / (self.steps[row] + 1.0).sqrt();
        }
        for (weight, count) in self.extras.iter_mut().zip(sample.extras) {
            *weight += 0.001 * rate * error * count;
        }
    }

    fn mean_error(&self, samples: &[Sample]) -> f32 {
        let total: f64 = samples.iter().map(|s| f64::from((s.value - self.value(s)).abs())).sum();
        (total / samples.len() as f64) as f32
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, output, rest @ ..] = arguments.as_slice() else {
        return Err("usage: fit_ordering EXACT-ENDGAMES.bin WEIGHTS.bin [EPOCHS]".into());
    };
    let epochs: usize = rest.first().map_or(Ok(10), |text| text.parse())?;
    let twins = mirrored_rows();
    let bytes = std::fs::read(input)?;
    let samples: Vec<Sample> = bytes.chunks_exact(RECORD).map(|record| sample(record, &twins)).collect();
    let (training, held_out) = samples.split_at(samples.len() - HELD_OUT);
    let mut model = Model { weights: vec![0.0; WEIGHTS], steps: vec![0.0; WEIGHTS], extras: [0.0; EXTRAS] };
    for epoch in 0..epochs {
        let rate = STEP * (1.0 + (std::f32::consts::PI * epoch as f32 / epochs as f32).cos());
        for sample in training {
            model.learn(sample, rate);
        }
        println!(
            "epoch {epoch}: mean error held out {:.3}, extras {:?}",
            model.mean_error(held_out),
            model.extras
        );
    }
    let packed: Vec<u8> = (0..WEIGHTS)
        .map(|row| {
            let weight = if row + 1 == WEIGHTS { 0.0 } else { model.weights[twins[row]] };
            (weight * PER_DISC as f32).round().clamp(-127.0, 127.0) as i8 as u8
        })
        .collect();
    std::fs::write(output, packed)?;
    Ok(())
}
