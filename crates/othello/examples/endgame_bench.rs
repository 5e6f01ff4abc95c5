//! Solves the positions of a problem file exactly and prints nodes and processor time:
//! `endgame_bench FILE.obf [FIRST_LINE LAST_LINE [MEGABYTES [THREADS [winner]]]]`.
//!
//! Without THREADS the solver alone is measured, in one thread. With it the whole search is, as a service runs it:
//! estimates first, then the proof of the best move, on so many threads; then it also prints the time on the wall and
//! the share of it that threads waited for one another. With `winner` only the winner is asked.

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use othello::board::Size;
use othello::notation::obf;
use othello::position::{EmptiesRule, Position};
use othello::query::{Goal, Query, Selectivity, Value};
use othello::search::endgame;
use othello::search::root::OthelloSearch;
use othello::search::table::Table;
use othello::search::worker::{NodeBudget, Rules, Worker};
use searchkit::clock::{MonotonicClock, StoppedClock};
use searchkit::control::Control;
use searchkit::stop::StopFlag;

/// What one position took, or several together.
#[derive(Default)]
struct Spent {
    nodes: u64,
    processor: Duration,
    wall: Duration,
    /// Time that threads waited, all added up.
    idle: Duration,
    /// Nodes below the root moves that several threads worked on.
    shared: u64,
}

impl Spent {
    fn add(&mut self, other: &Self) {
        self.nodes += other.nodes;
        self.processor += other.processor;
        self.wall += other.wall;
        self.idle += other.idle;
        self.shared += other.shared;
    }

    fn shown(&self, threads: Option<usize>) -> String {
        let seconds = self.processor.as_secs_f64();
        let solver =
            format!("{} nodes {seconds:.3} s {:.1} M/s", self.nodes, self.nodes as f64 / 1e6 / seconds);
        match threads {
            None => solver,
            Some(threads) => {
                let wall = self.wall.as_secs_f64();
                let idle = 100.0 * self.idle.as_secs_f64() / (wall * threads as f64);
                format!("{solver}, wall {wall:.3} s, idle {idle:.1} %, {} nodes shared", self.shared)
            }
        }
    }
}

/// Processor time of all threads of this process so far, as Linux counts it in hundredths of a second; of the only
/// thread more finely.
fn processor_time(threads: Option<usize>) -> Duration {
    let read = |path| std::fs::read_to_string(path).unwrap_or_default();
    if threads.is_none() {
        let text = read("/proc/thread-self/schedstat");
        return Duration::from_nanos(
            text.split(' ').next().and_then(|field| field.parse().ok()).unwrap_or(0),
        );
    }
    // Behind the name in brackets: user and system time are the 12th and 13th fields.
    let text = read("/proc/self/stat");
    let fields = text.rsplit(") ").next().unwrap_or_default().split(' ').skip(11).take(2);
    Duration::from_millis(10 * fields.filter_map(|field| field.parse::<u64>().ok()).sum::<u64>())
}

/// The score by the solver alone.
fn solve(table: &Table, position: Position) -> (i32, Spent) {
    table.new_generation();
    let rules = Rules { size: Size::Eight, empties: EmptiesRule::Winner };
    let (stop, recall, budget) = (StopFlag::new(), AtomicBool::new(false), NodeBudget::new(None));
    let control =
        Control { stop: &stop, recall: &recall, clock: &StoppedClock, deadline: None, on_progress: &|| () };
    let mut worker = Worker::new(table, rules, &control, &budget);
    let (start, begun) = (processor_time(None), Instant::now());
    let score = endgame::solve(&mut worker, position.board(), -64, 64, Selectivity::Full);
    let processor = processor_time(None) - start;
    let spent = Spent {
        nodes: worker.finish().nodes,
        processor,
        wall: begun.elapsed(),
        idle: Duration::ZERO,
        shared: 0,
    };
    (score.expect("nobody interrupts"), spent)
}

/// The score by the whole search.
fn search(
    table: &Arc<Table>,
    position: Position,
    threads: usize,
    goal: Goal,
) -> Result<(i32, Spent), Box<dyn Error>> {
    let query = Query {
        position,
        goal,
        root_moves: None,
        depth: None,
        nodes: None,
        exact_from_empties: 64,
        selectivity: Selectivity::P73,
        empties_rule: EmptiesRule::Winner,
        threads,
    };
    let search = OthelloSearch::new(query, Arc::clone(table));
    let (start, begun) = (processor_time(Some(threads)), Instant::now());
    let clock = MonotonicClock::new();
    let answer = searchkit::crew::run(&search, threads, &clock, None, &StopFlag::new(), &|_| ());
    let spent = Spent {
        nodes: answer.statistics.nodes,
        processor: processor_time(Some(threads)) - start,
        wall: begun.elapsed(),
        idle: search.idle(),
        shared: search.shared_nodes(),
    };
    match answer.moves.first().and_then(|best| best.score).map(|score| score.value) {
        Some(Value::Exact { discs }) => Ok((i32::from(discs), spent)),
        Some(Value::Sign { sign }) => Ok((i32::from(sign), spent)),
        other => Err(format!("no proof: {other:?}").into()),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let usage = "usage: endgame_bench FILE.obf [FIRST_LINE LAST_LINE [MEGABYTES [THREADS [winner]]]]";
    let file = arguments.first().ok_or(usage)?;
    let number = |index: usize, default: usize| arguments.get(index).map_or(Ok(default), |text| text.parse());
    let (first, last, megabytes) = (number(1, 1)?, number(2, usize::MAX)?, number(3, 128)?);
    let threads = arguments.get(4).map(|text| text.parse::<usize>()).transpose()?;
    let goal = match arguments.get(5).map(String::as_str) {
        None => Goal::BestMove,
        Some("winner") => Goal::WinLossDraw,
        Some(_) => return Err(usage.into()),
    };
    let table = Arc::new(Table::new(megabytes << 20));
    let (mut all, mut wrong) = (Spent::default(), 0);
    for entry in obf::read_file(&std::fs::read_to_string(file)?)? {
        let line = entry.line + 1;
        if line < first || line > last {
            continue;
        }
        let position = entry.read.position;
        let (score, spent) = match threads {
            None => solve(&table, position),
            Some(threads) => search(&table, position, threads, goal)?,
        };
        let empties = position.empty().count_ones();
        let fill = table.fill_permille();
        let best = entry.read.values.iter().map(|&(_, value)| i32::from(value)).max();
        let verdict = match best {
            Some(best) if score != if goal == Goal::WinLossDraw { best.signum() } else { best } => {
                wrong += 1;
                format!("  WRONG: the file says {best:+}")
            }
            _ => String::new(),
        };
        println!("{line:4} {empties:2} empties {score:+3} {}  table {fill}{verdict}", spent.shown(threads));
        all.add(&spent);
    }
    println!("total {}", all.shown(threads));
    if wrong > 0 { Err(format!("{wrong} scores differ from the file").into()) } else { Ok(()) }
}
