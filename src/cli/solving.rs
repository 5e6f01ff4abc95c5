//! Solving one position to its end, with what it cost.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::{Duration, Instant};

use othello::position::{EmptiesRule, Position};
use othello::query::{Goal, Query, Selectivity, Value};
use othello::search::root::OthelloSearch;
use othello::search::table::Table;
use othello::square::Move;
use rustix::time::{ClockId, clock_gettime};
use searchkit::clock::MonotonicClock;
use searchkit::crew;
use searchkit::stop::StopFlag;

use super::exit::{Exit, Failure};

/// A position's proven value, and what proving it took.
#[derive(Debug, Clone)]
pub struct Solved {
    /// Final disc difference for the side to move, empty squares to the winner.
    pub value: i32,
    /// A move that reaches it; `None` when the game is over.
    pub best: Option<Move>,
    /// The line behind it, best move first.
    pub line: Vec<Move>,
    /// Positions visited.
    pub nodes: u64,
    /// Time on the wall.
    pub elapsed: Duration,
    /// Processor time of all threads.
    pub cpu: Duration,
}

/// Threads and memory that solve one position after another.
#[derive(Debug)]
pub struct Solver {
    threads: NonZeroUsize,
    table: Arc<Table>,
}

impl Solver {
    /// A solver with a table of this size, in MiB.
    pub fn new(threads: NonZeroUsize, table_mib: usize) -> Self {
        Self { threads, table: Arc::new(Table::new(table_mib << 20)) }
    }

    /// Solves one position; nothing is kept from one to the next. The best move's value only: other moves are bounds.
    ///
    /// # Errors
    /// When the search ends without a proof, which would be a fault in it.
    pub fn solve(&self, position: Position) -> Result<Solved, Failure> {
        let query = Query {
            position,
            goal: Goal::BestMove,
            root_moves: None,
            depth: None,
            nodes: None,
            exact_from_empties: 64,
            selectivity: Selectivity::P73,
            empties_rule: EmptiesRule::Winner,
            threads: self.threads.get(),
        };
        let (begun, cpu_before) = (Instant::now(), cpu_time());
        let search = OthelloSearch::new(query, Arc::clone(&self.table));
        let snapshot =
            crew::run(&search, self.threads.get(), &MonotonicClock::new(), None, &StopFlag::new(), &|_| {});
        let (elapsed, cpu) = (begun.elapsed(), cpu_time().saturating_sub(cpu_before));
        let (value, line) = match snapshot.moves.first() {
            None => (position.final_score(EmptiesRule::Winner), Vec::new()),
            Some(best) => match best.score.map(|score| score.value) {
                Some(Value::Exact { discs }) => (i32::from(discs), best.principal_variation.clone()),
                other => {
                    let message =
                        format!("the search ended without a proof: {other:?}, {:?}", snapshot.stop_reason);
                    return Err(Failure::new(Exit::Internal, message));
                }
            },
        };
        let best = snapshot.best_move();
        Ok(Solved { value, best, line, nodes: snapshot.statistics.nodes, elapsed, cpu })
    }
}

/// Processor time of this process so far, all threads added up.
fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::try_from(time).expect("processor time is never negative")
}

/// Millions a second, 0 for no time at all.
pub fn mega_per_second(count: u64, time: Duration) -> f64 {
    if time.is_zero() { 0.0 } else { count as f64 / time.as_secs_f64() / 1e6 }
}
