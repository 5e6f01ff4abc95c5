//! Proves the value of the 6x6 start with the product solver, under both rules for empty squares.
//!
//! Usage: `cargo run --release -p othello --example solve_six -- [winner|nobody|both] [THREADS] [TABLE_MIB]`
//!
//! Prints every better answer with its nodes and time while it searches, then one line with the proven value, the line
//! behind it, nodes (every position on which a move has been made, last discs counted once as well) and time. The
//! published value is 16 to 20, -4 for black (Joel Feinstein, 1993).

use std::error::Error;
use std::sync::Arc;

use othello::board::Size;
use othello::position::{EmptiesRule, Position};
use othello::query::{Goal, Query, RootMove, Selectivity, Snapshot};
use othello::search::root::OthelloSearch;
use othello::search::table::Table;
use searchkit::clock::{Clock, MonotonicClock};
use searchkit::stop::StopFlag;

const RULES: [(&str, EmptiesRule); 2] = [("winner", EmptiesRule::Winner), ("nobody", EmptiesRule::Nobody)];

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let asked = arguments.next().unwrap_or_else(|| "both".to_owned());
    let threads = arguments.next().map_or(Ok(1), |count| count.parse())?;
    let table_mib: usize = arguments.next().map_or(Ok(512), |size| size.parse())?;
    let rules: Vec<_> = RULES.into_iter().filter(|(name, _)| asked == "both" || asked == *name).collect();
    if rules.is_empty() {
        return Err("usage: solve_six [winner|nobody|both] [THREADS] [TABLE_MIB]".into());
    }
    for (name, rule) in rules {
        prove(name, rule, threads, table_mib << 20);
    }
    Ok(())
}

fn prove(name: &str, empties_rule: EmptiesRule, threads: usize, table_bytes: usize) {
    let position = Position::start(Size::Six);
    let query = Query {
        position,
        goal: Goal::BestMove,
        root_moves: None,
        depth: None,
        nodes: None,
        exact_from_empties: 64,
        selectivity: Selectivity::P73,
        empties_rule,
        threads,
    };
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
