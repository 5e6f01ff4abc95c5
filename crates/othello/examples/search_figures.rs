//! Measures the search on a file of positions: one line a position and totals.
//!
//! Usage: `cargo run --release -p othello --example search_figures -- FILE.obf DEPTH PERCENT [FIRST_N [TECHNIQUES [WEIGHTS]]]`
//!
//! Every position is searched to DEPTH plies (60 and more: solved) at this selectivity, goal `best_move`, one thread,
//! fresh table of 64 MB. Where the file gives values: how often the found move is a best one, the mean loss of the
//! found moves, and the mean error of the found value, in discs. TECHNIQUES changes those that the engine uses:
//! `+null_move`, `-killers-history`, `none`, or an empty word; WEIGHTS is a packed file to use instead of the built-in
//! weights. CPU time is that of this process; on a busy machine
//! wall time means little.

use std::error::Error;
use std::sync::Arc;

use othello::evaluation::network::{loaded, packed};
use othello::notation::obf;
use othello::position::{EmptiesRule, Position};
use othello::query::{Goal, Query, Selectivity, Snapshot, Statistics, Value};
use othello::search::root::OthelloSearch;
use othello::search::table::Table;
use othello::search::techniques::Techniques;
use othello::square::Move;
use searchkit::clock::{Clock, MonotonicClock, StoppedClock};
use searchkit::stop::StopFlag;

const TABLE_BYTES: usize = 1 << 26;

#[derive(Default)]
struct Totals {
    positions: u32,
    scored: u32,
    best_found: u32,
    loss: i32,
    error: f64,
    statistics: Statistics,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, depth, percent, rest @ ..] = arguments.as_slice() else {
        return Err("usage: search_figures FILE.obf DEPTH PERCENT [FIRST_N [TECHNIQUES [WEIGHTS]]]".into());
    };
    let selectivity = Selectivity::from_percent(percent.parse()?).ok_or("no such selectivity")?;
    let first: usize = rest.first().map_or(Ok(usize::MAX), |count| count.parse())?;
    let techniques = rest.get(1).map_or("", String::as_str);
    let techniques = Techniques::read(techniques).ok_or("no such technique")?;
    if let Some(weights) = rest.get(2) {
        loaded::install(packed::unpack(&std::fs::read(weights)?)?)?;
    }
    let text = std::fs::read_to_string(file)?;
    let table = Arc::new(Table::new(TABLE_BYTES));
    let mut totals = Totals::default();
    let clock = MonotonicClock::new();
    for entry in obf::read_file(&text)?.into_iter().take(first) {
        let answer = solve(entry.read.position, depth.parse()?, selectivity, techniques, &table);
        totals.add(&entry.read.values, &answer);
    }
    totals.print(clock.now().as_secs_f64());
    Ok(())
}

fn solve(
    position: Position,
    depth: u8,
    selectivity: Selectivity,
    techniques: Techniques,
    table: &Arc<Table>,
) -> Snapshot {
    let query = Query {
        position,
        goal: Goal::BestMove,
        root_moves: None,
        depth: Some(depth),
        nodes: None,
        exact_from_empties: 0,
        selectivity,
        empties_rule: EmptiesRule::Winner,
        threads: 1,
    };
    let search = OthelloSearch::new(query, Arc::clone(table)).with_techniques(techniques);
    searchkit::crew::run(&search, 1, &StoppedClock, None, &StopFlag::new(), &|_| ())
}

impl Totals {
    fn add(&mut self, values: &[(Move, i8)], answer: &Snapshot) {
        self.positions += 1;
        self.statistics += answer.statistics;
        let (Some(head), Some((_, best))) = (answer.moves.first(), values.first()) else { return };
        let Some(score) = head.score else { return };
        let value = match score.value {
            Value::Exact { discs } => f64::from(discs),
            Value::Estimate { centidiscs } => f64::from(centidiscs) / 100.0,
            Value::Sign { .. } => return,
        };
        let Some((_, true_value)) = values.iter().find(|(mv, _)| *mv == head.mv) else { return };
        self.scored += 1;
        self.best_found += u32::from(true_value == best);
        self.loss += i32::from(best - true_value);
        self.error += (value - f64::from(*best)).abs();
    }

    fn print(&self, seconds: f64) {
        let s = &self.statistics;
        println!("{} positions, {} nodes, {seconds:.2} s wall", self.positions, s.nodes);
        println!(
            "cutoffs: table {}, children {}, ProbCut {}, moves {} (first {:.1} %)",
            s.table_cutoffs,
            s.etc_cutoffs,
            s.probcut_cutoffs,
            s.beta_cutoffs,
            100.0 * s.first_move_cutoffs as f64 / s.beta_cutoffs.max(1) as f64
        );
        if self.scored > 0 {
            let count = f64::from(self.scored);
            println!(
                "{} scored: best move {:.1} %, mean loss {:.2} discs, mean error of the value {:.2} discs",
                self.scored,
                100.0 * f64::from(self.best_found) / count,
                f64::from(self.loss) / count,
                self.error / count
            );
        }
    }
}
