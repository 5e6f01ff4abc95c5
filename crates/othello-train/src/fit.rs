//! Fits the weights of one group of empties to labelled positions.
//!
//! Stochastic gradient descent on Huber's loss (squared for small errors), one sample at a time; every row has its own step size (AdaGrad,
//! Duchi, Hazan and Singer 2011) that shrinks with the gradients it has seen, and all steps shrink over the run along
//! a cosine.

use std::f32::consts::PI;

use othello::board::Size;
use othello::evaluation::network::indices::{Indices, View};
use othello::evaluation::network::model::{
    COARSE_PER_DISC, FINE_PER_COARSE, HIDDEN_ONE, Head, OUTPUT_SCALE, SCALAR_SCALE, Stage,
};
use othello::evaluation::network::shapes::{self, INSTANCES};
use othello::evaluation::network::{HIDDEN, LANES, packed};

use crate::random::Random;
use crate::sample::{Sample, Source};

/// Which model is fitted: a linear table alone, or with hidden units beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Kind {
    /// Only the linear table.
    Linear,
    /// The linear table and the hidden units.
    Network,
}

/// How to fit.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// Which model.
    pub kind: Kind,
    /// Passes over the samples.
    pub epochs: u32,
    /// Seed of the starting weights and of the order of samples.
    pub seed: u64,
    /// Error from which on the loss grows only in proportion (Huber's loss), discs.
    pub linear_beyond: f32,
    /// Weight of the noisy labels of recorded games; that of all others is 1.
    pub recorded_weight: f32,
    /// A sample that the weights judge this many discs from even counts half; those nearer count more.
    pub half_weight_at: f32,
}

/// First step of a hidden weight, in units of the hidden sum.
const HIDDEN_STEP: f32 = 0.03;
/// First step of a linear weight, discs.
const LINEAR_STEP: f32 = 0.15;
/// First step of a bias, in units of the hidden sum. The shared numbers see every sample, so their steps shrink much
/// faster than those of rows and start larger.
const BIAS_STEP: f32 = 0.2;
/// First step of an output weight, discs.
const OUTPUT_STEP: f32 = 2.0;
/// First step of a mobility or parity weight, discs.
const SCALAR_STEP: f32 = 0.2;
/// Largest hidden weight that the packed rows can hold.
const HIDDEN_LIMIT: f32 = 127.0 / HIDDEN_ONE as f32;
/// Largest linear weight that the packed rows can hold, discs.
const LINEAR_LIMIT: f32 = 127.0 / COARSE_PER_DISC as f32;
/// Largest output weight that the packed head can hold, discs.
const OUTPUT_LIMIT: f32 = i16::MAX as f32 / (100 * OUTPUT_SCALE) as f32;
/// Squared gradients that every row is taken to have seen before the first, as so many samples would bring: AdaGrad's
/// first steps are as long as steps can be, whatever the error, and 50 rows that take them at once are noise.
const SEEN_BEFORE: [f32; 2] = [100.0 * 800.0, 100.0 * 15.0];
/// Keeps the first step finite where no gradient has been seen.
const SMALLEST: f32 = 1e-6;
/// Lane of the linear table among the numbers of a row being fitted.
const LINEAR: usize = HIDDEN;
/// Mobility of both sides and parity.
const SCALARS: usize = 3;

/// The weights of one group of empties while they are fitted.
pub struct Fit {
    kind: Kind,
    /// The trained row that stands for each row.
    standing: Vec<u32>,
    first_row: [usize; INSTANCES],
    rows: Vec<[f32; LANES]>,
    /// Gradients seen so far, squared and added: hidden units together, and the linear weight.
    seen: Vec<[f32; 2]>,
    bias: [f32; LANES],
    output: [f32; HIDDEN],
    scalars: [f32; SCALARS],
    seen_bias: [f32; LANES],
    seen_output: [f32; HIDDEN],
    seen_scalars: [f32; SCALARS],
}

/// One sample on its way through the model.
struct Pass {
    rows: [u32; INSTANCES],
    sums: [f32; LANES],
    scalars: [f32; SCALARS],
    discs: f32,
}

impl Fit {
    /// Starting weights: no linear table, small random hidden rows.
    pub fn new(settings: Settings) -> Self {
        let offsets = shapes::row_offsets();
        let mut random = Random::new(settings.seed);
        let standing = packed::standing_rows();
        let mut first_row = [0; INSTANCES];
        for (first, instance) in first_row.iter_mut().zip(shapes::instances()) {
            *first = offsets[instance.shape];
        }
        let mut rows = vec![[0.0; LANES]; standing.len()];
        let mut bias = [0.0; LANES];
        let mut output = [0.0; HIDDEN];
        if settings.kind == Kind::Network {
            for row in &mut rows {
                row[..HIDDEN].fill_with(|| random.signed_unit() * 0.03);
            }
            bias[..HIDDEN].fill(0.7);
            for (unit, weight) in output.iter_mut().enumerate() {
                *weight = if unit % 2 == 0 { 6.0 } else { -6.0 };
            }
        }
        let seen = vec![SEEN_BEFORE; standing.len()];
        Self {
            kind: settings.kind,
            standing,
            first_row,
            rows,
            seen,
            bias,
            output,
            scalars: [0.0; SCALARS],
            seen_bias: [0.0; LANES],
            seen_output: [0.0; HIDDEN],
            seen_scalars: [0.0; SCALARS],
        }
    }

    /// Goes on from weights that are in use, such as those of a neighbouring group.
    pub fn from_stage(settings: Settings, stage: &Stage) -> Self {
        let mut fit = Self::new(settings);
        let discs = |coarse: i32, fine: i32| {
            (coarse * FINE_PER_COARSE + fine) as f32 / (COARSE_PER_DISC * FINE_PER_COARSE) as f32
        };
        for (row, packed) in fit.rows.iter_mut().zip(&stage.rows) {
            for (weight, &lane) in row.iter_mut().zip(&packed[..HIDDEN]) {
                *weight = f32::from(lane) / HIDDEN_ONE as f32;
            }
            row[LINEAR] = discs(packed[HIDDEN].into(), packed[HIDDEN + 1].into());
        }
        let head = &stage.head;
        for unit in 0..HIDDEN {
            fit.bias[unit] = f32::from(head.bias[unit]) / HIDDEN_ONE as f32;
            fit.output[unit] = f32::from(head.output[unit]) / (100 * OUTPUT_SCALE) as f32;
        }
        fit.bias[LINEAR] = discs(head.bias[HIDDEN].into(), head.bias[HIDDEN + 1].into());
        let scalars = [head.own_mobility, head.other_mobility, head.odd_empties];
        fit.scalars = scalars.map(|scalar| f32::from(scalar) / (100 * SCALAR_SCALE) as f32);
        fit
    }

    /// Fits to the samples. `report` hears the number of each finished epoch and its mean absolute error while
    /// training, in discs.
    pub fn train(&mut self, samples: &[Sample], settings: Settings, report: &mut dyn FnMut(u32, f32)) {
        let mut order: Vec<u32> = (0..samples.len() as u32).collect();
        let mut random = Random::new(settings.seed ^ 0x5DEE_CE66);
        let total = (samples.len() * settings.epochs as usize).max(1) as f32;
        let mut done = 0usize;
        for epoch in 1..=settings.epochs {
            random.shuffle(&mut order);
            let mut error = 0.0f64;
            for &number in &order {
                let sample = &samples[number as usize];
                let weight = if sample.source() == Source::Recorded { settings.recorded_weight } else { 1.0 };
                let rate = 0.5 * (1.0 + (PI * done as f32 / total).cos());
                error += f64::from(self.step(sample, rate, settings, weight).abs());
                done += 1;
            }
            report(epoch, (error / samples.len().max(1) as f64) as f32);
        }
    }

    /// Mean absolute error on samples, discs.
    pub fn mean_absolute_error(&self, samples: &[Sample]) -> f64 {
        let sum: f64 =
            samples.iter().map(|sample| f64::from((self.forward(sample).discs - discs(sample)).abs())).sum();
        sum / samples.len().max(1) as f64
    }

    fn forward(&self, sample: &Sample) -> Pass {
        let board = sample.board;
        let indices = Indices::new(board).seen_from(View::First);
        let mut rows = [0; INSTANCES];
        let mut sums = self.bias;
        for ((row, &index), &first) in rows.iter_mut().zip(&indices).zip(&self.first_row) {
            *row = self.standing[first + usize::from(index)];
            for (sum, weight) in sums.iter_mut().zip(&self.rows[*row as usize]) {
                *sum += weight;
            }
        }
        let scalars = [
            board.moves(Size::Eight).count_ones() as f32,
            board.pass().moves(Size::Eight).count_ones() as f32,
            (sample.empties() & 1) as f32,
        ];
        let hidden: f32 =
            sums[..HIDDEN].iter().zip(&self.output).map(|(&sum, weight)| squared(sum) * weight).sum();
        let linear: f32 = scalars.iter().zip(&self.scalars).map(|(value, weight)| value * weight).sum();
        Pass { rows, sums, scalars, discs: hidden + sums[LINEAR] + linear }
    }

    /// One step down the gradient of the loss, half the squared error up to a bound and straight beyond; returns the
    /// error before it, discs.
    fn step(&mut self, sample: &Sample, rate: f32, settings: Settings, weight: f32) -> f32 {
        let pass = self.forward(sample);
        let error = pass.discs - discs(sample);
        // By the estimate, not by the label: weights by the label would draw all estimates towards even.
        let balance = 1.0 / (1.0 + (pass.discs / settings.half_weight_at).powi(2));
        let slope = error.clamp(-settings.linear_beyond, settings.linear_beyond) * weight * balance;
        let gradient = self.gradient(&pass, slope);
        self.step_head(&pass, &gradient, slope, rate);
        self.step_rows(&pass, &gradient, rate);
        error
    }

    /// Slope of half the squared error with respect to the sum of each lane.
    fn gradient(&self, pass: &Pass, error: f32) -> [f32; LANES] {
        let mut gradient = [0.0; LANES];
        gradient[LINEAR] = error;
        if self.kind == Kind::Network {
            let hidden = gradient[..HIDDEN].iter_mut().zip(&pass.sums).zip(&self.output);
            for ((slope, &sum), &weight) in hidden {
                // Outside of its range a clipped sum does not move.
                if (0.0..=2.0).contains(&sum) {
                    *slope = error * weight * 2.0 * sum;
                }
            }
        }
        gradient
    }

    fn step_head(&mut self, pass: &Pass, gradient: &[f32; LANES], error: f32, rate: f32) {
        if self.kind == Kind::Network {
            let hidden = self.output.iter_mut().zip(&mut self.seen_output).zip(&pass.sums);
            for ((weight, seen), &sum) in hidden {
                adapt(weight, seen, error * squared(sum), OUTPUT_STEP * rate);
                *weight = weight.clamp(-OUTPUT_LIMIT, OUTPUT_LIMIT);
            }
        }
        for ((bias, seen), &slope) in self.bias.iter_mut().zip(&mut self.seen_bias).zip(gradient) {
            adapt(bias, seen, slope, BIAS_STEP * rate);
        }
        for ((weight, seen), value) in self.scalars.iter_mut().zip(&mut self.seen_scalars).zip(pass.scalars) {
            adapt(weight, seen, error * value, SCALAR_STEP * rate);
        }
    }

    fn step_rows(&mut self, pass: &Pass, gradient: &[f32; LANES], rate: f32) {
        let hidden_square: f32 = gradient[..HIDDEN].iter().map(|g| g * g).sum::<f32>() / HIDDEN as f32;
        let linear_square = gradient[LINEAR] * gradient[LINEAR];
        for &row in &pass.rows {
            let seen = &mut self.seen[row as usize];
            seen[0] += hidden_square;
            seen[1] += linear_square;
            let hidden_rate = HIDDEN_STEP * rate / (seen[0].sqrt() + SMALLEST);
            let linear_rate = LINEAR_STEP * rate / (seen[1].sqrt() + SMALLEST);
            let weights = &mut self.rows[row as usize];
            for (weight, g) in weights[..HIDDEN].iter_mut().zip(&gradient[..HIDDEN]) {
                *weight = (*weight - hidden_rate * g).clamp(-HIDDEN_LIMIT, HIDDEN_LIMIT);
            }
            weights[LINEAR] =
                (weights[LINEAR] - linear_rate * gradient[LINEAR]).clamp(-LINEAR_LIMIT, LINEAR_LIMIT);
        }
    }

    /// The weights as the search uses them.
    pub fn quantised(&self) -> Stage {
        let linear_steps = |discs: f32| -> (i32, i32) {
            let fine = (discs * (COARSE_PER_DISC * FINE_PER_COARSE) as f32).round() as i32;
            let coarse = (fine + FINE_PER_COARSE / 2).div_euclid(FINE_PER_COARSE).clamp(-127, 127);
            (coarse, fine - coarse * FINE_PER_COARSE)
        };
        let mut head = Head::default();
        for unit in 0..HIDDEN {
            head.bias[unit] = (self.bias[unit] * HIDDEN_ONE as f32).round() as i16;
            head.output[unit] = (self.output[unit] * (100 * OUTPUT_SCALE) as f32).round() as i16;
        }
        let (coarse, fine) = linear_steps(self.bias[LINEAR]);
        head.bias[HIDDEN] = coarse as i16;
        head.bias[HIDDEN + 1] = fine as i16;
        let scalar = |weight: f32| (weight * (100 * SCALAR_SCALE) as f32).round() as i16;
        head.own_mobility = scalar(self.scalars[0]);
        head.other_mobility = scalar(self.scalars[1]);
        head.odd_empties = scalar(self.scalars[2]);
        let rows = self.standing.iter().map(|&standing| {
            let weights = &self.rows[standing as usize];
            let mut row = [0i8; LANES];
            for (lane, weight) in row[..HIDDEN].iter_mut().zip(weights) {
                *lane = (weight * HIDDEN_ONE as f32).round() as i8;
            }
            let (coarse, fine) = linear_steps(weights[LINEAR]);
            row[HIDDEN] = coarse as i8;
            row[HIDDEN + 1] = fine as i8;
            row
        });
        Stage { head, rows: rows.collect() }
    }
}

fn squared(sum: f32) -> f32 {
    let clipped = sum.clamp(0.0, 2.0);
    clipped * clipped
}

fn discs(sample: &Sample) -> f32 {
    f32::from(sample.centidiscs) / 100.0
}

/// One AdaGrad step of a single number.
fn adapt(weight: &mut f32, seen: &mut f32, gradient: f32, step: f32) {
    *seen += gradient * gradient;
    *weight -= step * gradient / (seen.sqrt() + SMALLEST);
}
