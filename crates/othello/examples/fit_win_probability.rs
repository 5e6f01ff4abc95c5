//! Fits how likely a side is to win, given what a search says, to games of this engine against itself.
//!
//! Usage: `cargo run --release -p othello --example fit_win_probability -- OPENINGS GAMES SEED [WEIGHTS]`
//!
//! OPENINGS has one line of moves a line (`crates/othello/data/xot.txt`). A game begins with an opening, goes on with a
//! random number of weak moves (so that there are won and lost positions), and is then played to its end by a six-ply
//! search that solves the last 14 empties. Every third position of that last part is searched within several numbers of
//! nodes at several selectivities; each estimate is one sample, and the game's result is what came of it. One game in
//! five is held out. Prints the coefficients of least logarithmic loss, and how often positions with
//! about one chance were won, for both parts. The held-out games are judged by the coefficients in use as well, and the
//! two compared game by game. WEIGHTS is a packed file to use instead of the built-in weights.

use std::error::Error;
use std::sync::Arc;

use othello::board::Size;
use othello::evaluation::network::{loaded, packed};
use othello::level::Strength;
use othello::notation::transcript;
use othello::position::{EmptiesRule, Position, Status};
use othello::query::{Bound, Goal, Query, Selectivity, Snapshot, Value};
use othello::search::root::OthelloSearch;
use othello::search::table::Table;
use othello::square::Move;
use othello::win_probability::{Coefficients, FITTED, width};
use searchkit::clock::StoppedClock;
use searchkit::stop::StopFlag;

const WEAK: Strength = Strength { depth: 1, exact_from_empties: 0, temperature: 4.0, greed: 0.0 };
const STRONG: Strength = Strength { depth: 6, exact_from_empties: 14, temperature: 0.0, greed: 0.0 };
/// Most weak moves after an opening.
const MOST_WEAK: u64 = 36;
const NODES: [u64; 4] = [60, 600, 6_000, 40_000];
const SELECTIVITIES: [Selectivity; 4] =
    [Selectivity::P73, Selectivity::P73, Selectivity::P95, Selectivity::Full];
/// Every such position of the strong part is taken.
const STEP: usize = 3;
const HELD_OUT: usize = 5;

/// One estimate and what came of it.
struct Sample {
    discs: f64,
    empties: u32,
    depth: u8,
    selectivity: Selectivity,
    /// 1, a half or 0 for the side to move.
    result: f64,
    game: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [openings, games, seed, rest @ ..] = arguments.as_slice() else {
        return Err("usage: fit_win_probability OPENINGS GAMES SEED [WEIGHTS]".into());
    };
    if let Some(weights) = rest.first() {
        loaded::install(packed::unpack(&std::fs::read(weights)?)?)?;
    }
    let (games, seed): (usize, u64) = (games.parse()?, seed.parse()?);
    let text = std::fs::read_to_string(openings)?;
    let lines: Vec<&str> = text.lines().collect();
    let table = Arc::new(Table::new(1 << 24));
    let mut samples = Vec::new();
    for game in 0..games {
        let line = lines[game * 7 % lines.len()];
        let start = transcript::read(line, Position::start(Size::Eight))?.position;
        samples.extend(play(start, game, seed, &table));
    }
    let (held_out, fitted): (Vec<Sample>, Vec<Sample>) =
        samples.into_iter().partition(|sample| sample.game % HELD_OUT == 0);
    let coefficients = fit(&fitted);
    println!("{} samples of {games} games, {} held out", fitted.len() + held_out.len(), held_out.len());
    println!("{coefficients:?}");
    calibration("fitted", &fitted, coefficients);
    calibration("held out", &held_out, coefficients);
    calibration("held out, coefficients in use", &held_out, FITTED);
    let (less, error) = less_loss(&held_out, FITTED, coefficients);
    println!("held out: {less:.4} less than with the coefficients in use (standard error {error:.4})");
    Ok(())
}

fn run(query: Query, table: &Arc<Table>) -> Snapshot {
    let search = OthelloSearch::new(query, Arc::clone(table));
    searchkit::crew::run(&search, 1, &StoppedClock, None, &StopFlag::new(), &|_| ())
}

fn play(start: Position, game: usize, seed: u64, table: &Arc<Table>) -> Vec<Sample> {
    let seed = seed.wrapping_mul(1_000_003).wrapping_add(game as u64);
    // A golden-ratio sequence spreads the lengths evenly.
    let weak_moves = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) % (MOST_WEAK + 1);
    let mut position = start;
    let mut strong_part = Vec::new();
    let mut made = 0;
    while position.status() != Status::Finished {
        if position.status() == Status::MustPass {
            position = position.play(Move::Pass).expect("a pass is forced");
            continue;
        }
        let strength = if made < weak_moves { WEAK } else { STRONG };
        if made >= weak_moves {
            strong_part.push(position);
        }
        made += 1;
        let snapshot = run(strength.query(position, Goal::BestMove, EmptiesRule::Winner), table);
        let mv = strength.choose(position, &snapshot.moves, seed).expect("there is a legal move");
        position = position.play(mv).expect("the move is legal");
    }
    let (last, margin) = (position.side(), position.final_score(EmptiesRule::Winner));
    let offset = game % STEP;
    let mut samples = Vec::new();
    for (index, position) in strong_part.into_iter().enumerate().skip(offset).step_by(STEP) {
        let own = if position.side() == last { margin } else { -margin };
        let result = (f64::from(own.signum()) + 1.0) / 2.0;
        for (place, nodes) in NODES.into_iter().enumerate() {
            let selectivity = SELECTIVITIES[(index / STEP + place + game) % SELECTIVITIES.len()];
            let query = Query {
                nodes: Some(nodes),
                depth: None,
                exact_from_empties: 0,
                selectivity,
                ..STRONG.query(position, Goal::BestMove, EmptiesRule::Winner)
            };
            let snapshot = run(query, table);
            let Some(score) = snapshot.moves.first().and_then(|best| best.score) else { continue };
            if let (Value::Estimate { centidiscs }, Bound::Exact) = (score.value, score.bound) {
                samples.push(Sample {
                    discs: f64::from(centidiscs) / 100.0,
                    empties: position.empty().count_ones(),
                    depth: score.depth,
                    selectivity: score.selectivity,
                    result,
                    game,
                });
            }
        }
    }
    samples
}

fn of(parameters: [f64; 4]) -> Coefficients {
    let [base, unseen, empties, selectivity] = parameters;
    Coefficients { base, unseen, empties, selectivity }
}

fn chance(sample: &Sample, coefficients: Coefficients) -> f64 {
    let width = width(coefficients, sample.empties, sample.depth, sample.selectivity);
    1.0 / (1.0 + (-sample.discs / width).exp())
}

fn loss(samples: &[Sample], coefficients: Coefficients) -> f64 {
    let of_sample = |sample: &Sample| {
        let chance = chance(sample, coefficients).clamp(1e-9, 1.0 - 1e-9);
        -(sample.result * chance.ln() + (1.0 - sample.result) * (1.0 - chance).ln())
    };
    samples.iter().map(of_sample).sum::<f64>() / samples.len().max(1) as f64
}

/// How much less the loss is with `new` than with `old`, and the standard error of that. Estimates of one game are not
/// independent, so the error is that of sums over games.
fn less_loss(samples: &[Sample], old: Coefficients, new: Coefficients) -> (f64, f64) {
    let count = samples.len().max(1) as f64;
    let less = |part: &[Sample]| loss(part, old) - loss(part, new);
    let mean = less(samples);
    let of_game = |part: &[Sample]| (less(part) - mean) * part.len() as f64;
    let squares: f64 =
        samples.chunk_by(|one, next| one.game == next.game).map(|part| of_game(part).powi(2)).sum();
    (mean, squares.sqrt() / count)
}

/// Least loss by trying steps along each parameter, ever smaller ones: four parameters need nothing finer.
fn fit(samples: &[Sample]) -> Coefficients {
    let mut parameters = [1.0, 0.3, 0.0, 0.0];
    let mut least = loss(samples, of(parameters));
    let mut step = 0.5;
    while step > 1e-4 {
        let mut better = false;
        for index in 0..parameters.len() {
            for sign in [1.0, -1.0] {
                let mut tried = parameters;
                tried[index] += sign * step;
                let loss = loss(samples, of(tried));
                if loss < least {
                    (parameters, least, better) = (tried, loss, true);
                }
            }
        }
        if !better {
            step /= 2.0;
        }
    }
    of(parameters)
}

/// How often positions with about one chance were won.
fn calibration(name: &str, samples: &[Sample], coefficients: Coefficients) {
    println!("{name}: mean logarithmic loss {:.4}", loss(samples, coefficients));
    println!("| chance given | mean | won | samples |\n| --- | --- | --- | --- |");
    for tenth in 0..10 {
        let within = |chance: f64| (chance * 10.0).floor().min(9.0) as usize == tenth;
        let cell: Vec<(f64, f64)> = samples
            .iter()
            .map(|sample| (chance(sample, coefficients), sample.result))
            .filter(|&(chance, _)| within(chance))
            .collect();
        let mean =
            |value: fn(&(f64, f64)) -> f64| cell.iter().map(value).sum::<f64>() / cell.len().max(1) as f64;
        println!(
            "| {} to {} % | {:.1} % | {:.1} % | {} |",
            10 * tenth,
            10 * tenth + 10,
            100.0 * mean(|pair| pair.0),
            100.0 * mean(|pair| pair.1),
            cell.len()
        );
    }
}
