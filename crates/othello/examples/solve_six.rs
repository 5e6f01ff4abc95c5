//! Solves the 6x6 board with the product solver: the start under both rules for empty squares, or a sample of positions.
//!
//! - `cargo run --release -p othello --example solve_six -- start [winner|nobody|both] [THREADS] [TABLE_MIB]` prints
//!   every better answer with its nodes and time while it searches, then one line with the proven value, the line
//!   behind it, nodes (every position on which a move has been made, last discs counted once as well) and time. The
//!   published value is 16 to 20, -4 for black (Joel Feinstein, 1993).
//! - `... -- sample COUNT EMPTIES` solves so many positions reached by random moves, one thread, 64 MiB of table
//!   kept from one to the next, and prints nodes and process CPU time.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use othello::board::Size;
use othello::position::{EmptiesRule, Position};
use othello::query::{Goal, Query, RootMove, Selectivity, Snapshot};
use othello::search::root::OthelloSearch;
use othello::search::table::Table;
use othello::square::{Move, Squares};
use rustix::time::{ClockId, clock_gettime};
use searchkit::clock::{Clock, MonotonicClock};
use searchkit::stop::StopFlag;

const RULES: [(&str, EmptiesRule); 2] = [("winner", EmptiesRule::Winner), ("nobody", EmptiesRule::Nobody)];

const USAGE: &str =
    "usage: solve_six start [winner|nobody|both] [THREADS] [TABLE_MIB] | sample COUNT EMPTIES";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["start", rest @ ..] => {
            let asked = rest.first().copied().unwrap_or("both");
            let threads = rest.get(1).map_or(Ok(1), |count| count.parse())?;
            let table_mib: usize = rest.get(2).map_or(Ok(512), |size| size.parse())?;
            let rules: Vec<_> =
                RULES.into_iter().filter(|(name, _)| asked == "both" || asked == *name).collect();
            if rules.is_empty() {
                return Err(USAGE.into());
            }
            for (name, rule) in rules {
                prove(name, rule, threads, table_mib << 20);
            }
            Ok(())
        }
        ["sample", count, empties] => {
            sample(count.parse()?, empties.parse()?);
            Ok(())
        }
        _ => Err(USAGE.into()),
    }
}

/// Solves positions with so many empties.
fn sample(count: u32, empties: u32) {
    let table = Arc::new(Table::new(64 << 20));
    let mut random = 0x9E37_79B9_7F4A_7C15_u64;
    let (mut solved, mut nodes, mut most) = (0, 0, 0);
    let before = cpu_seconds();
    while solved < count {
        let Some(position) = played(&mut random, empties) else { continue };
        let search = OthelloSearch::new(query(position, EmptiesRule::Winner, 1), Arc::clone(&table));
        let answer =
            searchkit::crew::run(&search, 1, &MonotonicClock::new(), None, &StopFlag::new(), &|_| ());
        solved += 1;
        nodes += answer.statistics.nodes;
        most = most.max(answer.statistics.nodes);
    }
    let seconds = cpu_seconds() - before;
    println!(
        "{count} positions with {empties} empties: {nodes} nodes, most in one {most}, {seconds:.2} CPU s, {:.1} ms a position",
        seconds * 1000.0 / f64::from(count)
    );
}

/// A position reached by random moves in which a side can move; `None` when the game ended before.
fn played(random: &mut u64, empties: u32) -> Option<Position> {
    let mut position = Position::start(Size::Six);
    while position.empty().count_ones() > empties || position.moves() == 0 {
        let moves = position.moves();
        let next = if moves == 0 {
            Move::Pass
        } else {
            // Xorshift (G. Marsaglia 2003).
            *random ^= *random << 13;
            *random ^= *random >> 7;
            *random ^= *random << 17;
            Move::Place(Squares(moves).nth((*random >> 32) as usize % moves.count_ones() as usize)?)
        };
        position = position.play(next).ok()?;
    }
    Some(position)
}

/// Processor time of this process so far, seconds.
fn cpu_seconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::try_from(time).expect("processor time is never negative").as_secs_f64()
}

fn query(position: Position, empties_rule: EmptiesRule, threads: usize) -> Query {
    Query {
        position,
        goal: Goal::BestMove,
        root_moves: None,
        depth: None,
        nodes: None,
        exact_from_empties: 64,
        selectivity: Selectivity::P73,
        empties_rule,
        threads,
    }
}

fn prove(name: &str, empties_rule: EmptiesRule, threads: usize, table_bytes: usize) {
    let query = query(Position::start(Size::Six), empties_rule, threads);
    let search = OthelloSearch::new(query, Arc::new(Table::new(table_bytes)));
    let clock = MonotonicClock::new();
    let report = |snapshot: &Snapshot| print_row(name, snapshot, &clock);
    let answer = searchkit::crew::run(&search, threads, &clock, None, &StopFlag::new(), &report);
    print!("proven, empty squares to {name}: ");
    print_row(name, &answer, &clock);
}

fn print_row(name: &str, snapshot: &Snapshot, clock: &MonotonicClock) {
    let Some(RootMove { score, principal_variation, .. }) = snapshot.moves.first() else { return };
    let line: Vec<String> = principal_variation.iter().map(ToString::to_string).collect();
    println!(
        "{name} depth {} {}% {} nodes {:.1} s {:?} {}",
        snapshot.depth,
        snapshot.selectivity.percent(),
        snapshot.statistics.nodes,
        clock.now().as_secs_f64(),
        score.map(|score| (score.value, score.bound)),
        line.join(" ")
    );
}
