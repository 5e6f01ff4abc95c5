//! Measures how far shallow values lie from deep ones, which sets the margins of ProbCut.
//!
//! Usage: `cargo run --release -p othello --example fit_probcut -- WTHOR_FOLDER POSITIONS DEEPEST [WEIGHTS]`
//!
//! Positions: from tournament games, a game a position, 12 to 52 empties, after which none to five random moves are
//! played (a search tree is full of bad moves). Each is searched to every depth up to DEEPEST without selectivity.
//! Prints, for every pair of depths of one parity and every group of empties, the standard deviation of the
//! difference of the two values and that of the fitted model, in discs, and the least-squares coefficients of
//! ln(sigma) = a + b * ln(depth - shallow) + c * shallow + d * empties. WEIGHTS is a packed
//! file to use instead of the built-in weights.

use std::error::Error;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use othello::board::{Board, Size};
use othello::evaluation::network::{loaded, packed};
use othello::position::{EmptiesRule, Position};
use othello::query::Selectivity;
use othello::search::heuristics::Heuristics;
use othello::search::midgame;
use othello::search::probcut;
use othello::search::table::Table;
use othello::search::worker::{NodeBudget, Rules, Worker};
use othello::square::{Move, Square, Squares};
use searchkit::clock::StoppedClock;
use searchkit::control::Control;
use searchkit::stop::StopFlag;

/// Width of one group of empties.
const GROUP: u32 = 10;
const COEFFICIENTS: usize = 4;

/// SplitMix64 (Steele, Lea, Flood 2014).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ mixed >> 31) % limit as u64) as usize
    }
}

struct Sample {
    empties: u32,
    /// Values at depths 0, 1, 2... in discs.
    values: Vec<f64>,
}

/// One cell of the table: a pair of depths in one group of empties.
struct Cell {
    deep: usize,
    shallow: usize,
    empties: f64,
    count: usize,
    sigma: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, count, deepest, rest @ ..] = arguments.as_slice() else {
        return Err("usage: fit_probcut WTHOR_FOLDER POSITIONS DEEPEST [WEIGHTS]".into());
    };
    if let Some(weights) = rest.first() {
        loaded::install(packed::unpack(&std::fs::read(weights)?)?)?;
    }
    let boards = boards(Path::new(folder), count.parse()?)?;
    let samples = search(&boards, deepest.parse()?);
    let cells = cells(&samples);
    let fitted = fit(&cells);
    println!("deep shallow empties positions sigma model built-in");
    for cell in &cells {
        let built_in = probcut::sigma(cell.deep as u8, cell.shallow as u8, cell.empties as u32) / 100.0;
        let model: f64 = features(cell).iter().zip(fitted).map(|(feature, factor)| feature * factor).sum();
        let Cell { deep, shallow, empties, count, sigma } = cell;
        println!("{deep:4} {shallow:7} {empties:7} {count:9} {sigma:5.2} {:5.2} {built_in:5.2}", model.exp());
    }
    let [constant, difference, shallow, empties] = fitted;
    println!(
        "ln sigma = {constant:.4} + {difference:.4} ln(depth - shallow) + {shallow:.4} shallow + {empties:.4} empties"
    );
    Ok(())
}

fn boards(folder: &Path, count: usize) -> Result<Vec<Board>, Box<dyn Error>> {
    let mut records = Vec::new();
    let mut files: Vec<_> = std::fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    files.sort_by_key(|file| file.file_name());
    for file in files.iter().filter(|file| file.path().extension().is_some_and(|name| name == "wtb")) {
        records.extend(std::fs::read(file.path())?[16..].chunks_exact(68).map(<[u8]>::to_vec));
    }
    let mut random = Random(1);
    let mut boards = Vec::new();
    while boards.len() < count {
        let record = &records[random.below(records.len())];
        let discs = 12 + random.below(41);
        if let Some(position) = replayed(&record[8..8 + discs - 4], &mut random) {
            boards.push(position.board());
        }
    }
    Ok(boards)
}

/// The position after these moves and a few random ones, if it has 12 empties or more and a legal move.
fn replayed(moves: &[u8], random: &mut Random) -> Option<Position> {
    let mut position = Position::start(Size::Eight);
    for stored in moves {
        let cell = stored.checked_sub(11)?;
        if position.moves() == 0 {
            position = position.play(Move::Pass).ok()?;
        }
        position = position.play(Move::Place(Square::at(cell / 10, cell % 10)?)).ok()?;
    }
    for _ in 0..random.below(6) {
        let legal: Vec<Square> = Squares(position.moves()).collect();
        if legal.is_empty() {
            return None;
        }
        position = position.play(Move::Place(legal[random.below(legal.len())])).ok()?;
    }
    (position.moves() != 0 && position.empty().count_ones() >= 12).then_some(position)
}

fn search(boards: &[Board], deepest: u8) -> Vec<Sample> {
    let table = Table::new(1 << 24);
    let (stop, recall) = (StopFlag::new(), AtomicBool::new(false));
    let control =
        Control { stop: &stop, recall: &recall, clock: &StoppedClock, deadline: None, on_progress: &|| () };
    let budget = NodeBudget::new(None);
    let rules = Rules { size: Size::Eight, empties: EmptiesRule::Winner };
    let mut heuristics = Heuristics::default();
    let mut value = |board: Board, depth: u8| {
        let mut worker = Worker::new(&table, rules, &control, &budget);
        let window = (-6401, 6401);
        let found = midgame::search(&mut worker, &mut heuristics, board, depth, window, Selectivity::Full);
        f64::from(found.expect("nobody interrupts").value) / 100.0
    };
    boards
        .iter()
        .map(|&board| {
            table.new_generation();
            let empties = (!board.occupied()).count_ones();
            let depths = 0..=deepest.min(empties as u8 - 1);
            Sample { empties, values: depths.map(|depth| value(board, depth)).collect() }
        })
        .collect()
}

fn cells(samples: &[Sample]) -> Vec<Cell> {
    let deepest = samples.iter().map(|sample| sample.values.len()).max().unwrap_or(0);
    let mut cells = Vec::new();
    for deep in 3..deepest {
        for shallow in (deep % 2..deep - 1).step_by(2) {
            for group in 1..=5 {
                let chosen = samples
                    .iter()
                    .filter(|sample| sample.empties / GROUP == group && sample.values.len() > deep);
                let differences: Vec<f64> =
                    chosen.clone().map(|sample| sample.values[deep] - sample.values[shallow]).collect();
                if differences.len() < 20 {
                    continue;
                }
                let count = differences.len();
                let mean_empties = chosen.map(|sample| f64::from(sample.empties)).sum::<f64>() / count as f64;
                // Around zero, not around the mean: ProbCut takes the shallow value as it is.
                let sigma = (differences.iter().map(|d| d * d).sum::<f64>() / count as f64).sqrt();
                cells.push(Cell { deep, shallow, empties: mean_empties.round(), count, sigma });
            }
        }
    }
    cells
}

fn features(cell: &Cell) -> [f64; COEFFICIENTS] {
    [1.0, ((cell.deep - cell.shallow) as f64).ln(), cell.shallow as f64, cell.empties]
}

/// Least squares of ln(sigma), each cell by its number of positions.
fn fit(cells: &[Cell]) -> [f64; COEFFICIENTS] {
    let mut system = [[0.0; COEFFICIENTS + 1]; COEFFICIENTS];
    for cell in cells {
        let features = features(cell);
        for row in 0..COEFFICIENTS {
            let scaled = cell.count as f64 * features[row];
            for column in 0..COEFFICIENTS {
                system[row][column] += scaled * features[column];
            }
            system[row][COEFFICIENTS] += scaled * cell.sigma.ln();
        }
    }
    for pivot in 0..COEFFICIENTS {
        let pivot_row = system[pivot].map(|entry| entry / system[pivot][pivot]);
        for (row, entries) in system.iter_mut().enumerate() {
            let factor = if row == pivot { 0.0 } else { entries[pivot] };
            for (entry, pivot_entry) in entries.iter_mut().zip(pivot_row) {
                *entry -= factor * pivot_entry;
            }
        }
        system[pivot] = pivot_row;
    }
    system.map(|row| row[COEFFICIENTS])
}
