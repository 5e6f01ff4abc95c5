//! Fits the weights that order moves inside the solver to positions with proven values, and writes them as the solver
//! embeds them:
//!
//! - `fit_ordering eight EXACT-ENDGAMES.bin WEIGHTS.bin [EPOCHS]`: from a file of records of 17 bytes: discs of the side to
//!   move, of the other side (8 bytes each, little endian), and the final disc difference.
//! - `fit_ordering six POSITIONS WEIGHTS.bin [EPOCHS]`: from so many 6x6 positions with 8 to 16 empties, made here by play
//!   that is random in half of its moves and leaves few replies in the others, and solved here.
//!
//! The model is a sum of pattern weights plus the mobility of both sides and the parity of the empties, fitted to the
//! squared error by stochastic gradient steps scaled per weight (AdaGrad). Only the pattern weights are written: the
//! solver weighs mobility by itself. The last twentieth of the positions is held out.

use std::sync::Arc;

use othello::board::{Board, Size};
use othello::position::{Color, EmptiesRule, Position};
use othello::query::{Goal, Query, Selectivity, Value};
use othello::search::patterns::{LANES, PER_DISC, Regions};
use othello::search::root::OthelloSearch;
use othello::search::table::Table;
use othello::square::{Square, Squares};
use searchkit::clock::StoppedClock;
use searchkit::crew;
use searchkit::stop::StopFlag;

const RECORD: usize = 17;
/// One position in so many is held out.
const HELD_OUT_PART: usize = 20;
/// Mobility of the mover, of the other side, an odd number of empties, and always.
const EXTRAS: usize = 4;
const STEP: f32 = 0.4;

struct Sample {
    rows: [u32; LANES],
    extras: [f32; EXTRAS],
    value: f32,
}

/// Positions of one size, ready to be fitted to.
struct Reader {
    size: Size,
    regions: &'static Regions,
    twins: Vec<usize>,
}

impl Reader {
    fn new(size: Size) -> Self {
        let regions = Regions::of(size).expect("sizes six and eight have regions");
        Self { size, regions, twins: regions.mirrored_rows() }
    }

    fn sample(&self, board: Board, value: i8) -> Sample {
        let extras = [
            board.moves(self.size).count_ones() as f32 / 8.0,
            board.pass().moves(self.size).count_ones() as f32 / 8.0,
            (board.occupied().count_ones() % 2) as f32,
            1.0,
        ];
        let rows = self.regions.rows(board).map(|row| self.twins[row] as u32);
        Sample { rows, extras, value: f32::from(value) }
    }

    fn recorded(&self, record: &[u8]) -> Sample {
        let word = |at: usize| u64::from_le_bytes(record[at..at + 8].try_into().expect("eight bytes"));
        self.sample(Board { player: word(0), opponent: word(8) }, record[16] as i8)
    }

    /// Positions of games on this board, with their proven values.
    fn solved(&self, count: usize) -> Vec<Sample> {
        let table = Arc::new(Table::new(1 << 20));
        let mut random = 0x9E37_79B9_7F4A_7C15_u64;
        let mut samples = Vec::with_capacity(count);
        while samples.len() < count {
            let board = self.played(&mut random);
            if board.moves(self.size) != 0 {
                samples.push(self.sample(board, solve(board, self.size, &table)));
            }
        }
        samples
    }

    /// A position with 8 to 16 empties, or the end of a game that was over before.
    fn played(&self, random: &mut u64) -> Board {
        let mut board = Board::start(self.size);
        let wanted = 8 + below(random, 9);
        while (self.size.cells() & !board.occupied()).count_ones() > wanted {
            let mut moves = board.moves(self.size);
            if moves == 0 {
                board = board.pass();
                moves = board.moves(self.size);
            }
            let chosen = if below(random, 2) == 0 {
                let number = below(random, moves.count_ones().max(1));
                Squares(moves).nth(number as usize)
            } else {
                Squares(moves).min_by_key(|&square| self.replies(board, square))
            };
            let Some(square) = chosen else { return board };
            board = board.after(square.bit(), board.flips(square));
        }
        board
    }

    fn replies(&self, board: Board, square: Square) -> u32 {
        board.after(square.bit(), board.flips(square)).moves(self.size).count_ones()
    }
}

/// The next number below `bound` (xorshift, G. Marsaglia 2003).
fn below(random: &mut u64, bound: u32) -> u32 {
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    ((*random >> 32) as u32) % bound
}

fn solve(board: Board, size: Size, table: &Arc<Table>) -> i8 {
    let position =
        Position::new(size, board.player, board.opponent, Color::Black).expect("discs do not overlap");
    let query = Query {
        position,
        goal: Goal::BestMove,
        root_moves: None,
        depth: None,
        nodes: None,
        exact_from_empties: 60,
        selectivity: Selectivity::Full,
        empties_rule: EmptiesRule::Winner,
        threads: 1,
    };
    let search = OthelloSearch::new(query, Arc::clone(table));
    let answer = crew::run(&search, 1, &StoppedClock, None, &StopFlag::new(), &|_| ());
    match answer.moves.first().and_then(|best| best.score).map(|score| score.value) {
        Some(Value::Exact { discs }) => discs,
        other => unreachable!("a search to the end is exact: {other:?}"),
    }
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
    const USAGE: &str = "usage: fit_ordering eight EXACT-ENDGAMES.bin|six POSITIONS WEIGHTS.bin [EPOCHS]";
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [size, input, output, rest @ ..] = arguments.as_slice() else { return Err(USAGE.into()) };
    let epochs: usize = rest.first().map_or(Ok(10), |text| text.parse())?;
    let (reader, samples) = match size.as_str() {
        "eight" => {
            let reader = Reader::new(Size::Eight);
            let bytes = std::fs::read(input)?;
            let samples = bytes.chunks_exact(RECORD).map(|record| reader.recorded(record)).collect();
            (reader, samples)
        }
        "six" => {
            let reader = Reader::new(Size::Six);
            let samples = reader.solved(input.parse()?);
            (reader, samples)
        }
        _ => return Err(USAGE.into()),
    };
    let model = fit(&samples, reader.regions.weights(), epochs);
    std::fs::write(output, packed(&model, &reader.twins))?;
    Ok(())
}

fn fit(samples: &[Sample], weights: usize, epochs: usize) -> Model {
    let (training, held_out) = samples.split_at(samples.len() - samples.len() / HELD_OUT_PART);
    let mut model = Model { weights: vec![0.0; weights], steps: vec![0.0; weights], extras: [0.0; EXTRAS] };
    for epoch in 0..epochs {
        let rate = STEP * (1.0 + (std::f32::consts::PI * epoch as f32 / epochs as f32).cos());
        for sample in training {
            model.learn(sample, rate);
        }
        let error = model.mean_error(held_out);
        println!("epoch {epoch}: mean error held out {error:.3}, extras {:?}", model.extras);
    }
    model
}

/// The weights as the solver embeds them; the last one belongs to idle lanes.
fn packed(model: &Model, twins: &[usize]) -> Vec<u8> {
    let weight = |row: usize| if row + 1 == twins.len() { 0.0 } else { model.weights[twins[row]] };
    (0..twins.len())
        .map(|row| (weight(row) * PER_DISC as f32).round().clamp(-127.0, 127.0) as i8 as u8)
        .collect()
}
