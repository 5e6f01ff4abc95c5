//! Measures what the moves of a search with a fixed time lose against perfect play.
//!
//! Usage: `cargo run --release -p othello --example move_loss -- FILE.obf MS [EXACT_FROM_EMPTIES]`
//!
//! FILE gives the exact value of every move of each position (`hard-20.obf`, `ffo-20-79.obf`). Every position of 14 to 24
//! empties is searched for MS milliseconds of processor time, so that a busy machine does not matter, on one thread
//! with a fresh table of 64 MB, as the service does by default (the proof is tried from 20 empties on).

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use othello::notation::obf;
use othello::position::EmptiesRule;
use othello::query::{Goal, Query, Selectivity, Value};
use othello::search::root::OthelloSearch;
use othello::search::table::Table;
use rustix::time::{ClockId, clock_gettime};
use searchkit::clock::Clock;
use searchkit::stop::StopFlag;

/// The processor time of the calling thread.
struct ThreadTime;

impl Clock for ThreadTime {
    fn now(&self) -> Duration {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        Duration::try_from(time).expect("processor time is never negative")
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, time_ms, rest @ ..] = arguments.as_slice() else {
        return Err("usage: move_loss FILE.obf MS [EXACT_FROM_EMPTIES]".into());
    };
    let time = Duration::from_millis(time_ms.parse()?);
    let exact_from_empties = rest.first().map_or(Ok(20), |empties| empties.parse())?;
    let text = std::fs::read_to_string(file)?;
    let table = Arc::new(Table::new(1 << 26));
    // The evaluation is unpacked at its first use, which is nobody's thinking time.
    othello::evaluation::network::loaded::load()?;
    let (mut moves, mut best_found, mut loss, mut greatest, mut proven, mut nodes) = (0, 0, 0, 0, 0, 0);
    for entry in obf::read_file(&text)? {
        let position = entry.read.position;
        if !(14..=24).contains(&position.empty().count_ones()) {
            continue;
        }
        let query = Query {
            position,
            goal: Goal::BestMove,
            root_moves: None,
            depth: None,
            nodes: None,
            exact_from_empties,
            selectivity: Selectivity::P73,
            empties_rule: EmptiesRule::Winner,
            threads: 1,
        };
        let search = OthelloSearch::new(query, Arc::clone(&table));
        let deadline = Some(ThreadTime.now() + time);
        let answer = searchkit::crew::run(&search, 1, &ThreadTime, deadline, &StopFlag::new(), &|_| ());
        let Some(head) = answer.moves.first() else { continue };
        let value = |mv| entry.read.values.iter().find(|(known, _)| *known == mv).map(|&(_, value)| value);
        let (Some((_, best)), Some(own)) = (entry.read.values.first(), value(head.mv)) else { continue };
        let lost = i32::from(best - own);
        moves += 1;
        best_found += i32::from(lost == 0);
        loss += lost;
        greatest = greatest.max(lost);
        proven += i32::from(matches!(head.score.map(|score| score.value), Some(Value::Exact { .. })));
        nodes += answer.statistics.nodes;
    }
    let share = |count: i32| 100.0 * f64::from(count) / f64::from(moves.max(1));
    println!(
        "{moves} positions, {time_ms} ms each: mean loss {:.3} discs, greatest {greatest}, best move {:.1} %, proven {:.1} %, \
         {nodes} nodes",
        f64::from(loss) / f64::from(moves.max(1)),
        share(best_found),
        share(proven)
    );
    Ok(())
}
