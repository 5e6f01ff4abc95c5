//! Solves the positions of a problem file exactly with one thread and prints nodes and processor time:
//! `endgame_bench FILE.obf [FIRST_LINE LAST_LINE [MEGABYTES]]`.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use othello::board::Size;
use othello::notation::obf;
use othello::position::EmptiesRule;
use othello::query::Selectivity;
use othello::search::endgame;
use othello::search::table::Table;
use othello::search::worker::{NodeBudget, Rules, Worker};
use searchkit::clock::StoppedClock;
use searchkit::control::Control;
use searchkit::stop::StopFlag;

/// Processor time this thread has used so far, as Linux counts it.
fn processor_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(text.split(' ').next().and_then(|field| field.parse().ok()).unwrap_or(0))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let file = arguments.first().ok_or("usage: endgame_bench FILE.obf [FIRST_LINE LAST_LINE [MEGABYTES]]")?;
    let number = |index: usize, default: usize| arguments.get(index).map_or(Ok(default), |text| text.parse());
    let (first, last, megabytes) = (number(1, 1)?, number(2, usize::MAX)?, number(3, 128)?);
    let table = Table::new(megabytes << 20);
    let rules = Rules { size: Size::Eight, empties: EmptiesRule::Winner };
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for entry in obf::read_file(&std::fs::read_to_string(file)?)? {
        let line = entry.line + 1;
        if line < first || line > last {
            continue;
        }
        table.new_generation();
        let position = entry.read.position;
        let (stop, recall, budget) = (StopFlag::new(), AtomicBool::new(false), NodeBudget::new(None));
        let control = Control {
            stop: &stop,
            recall: &recall,
            clock: &StoppedClock,
            deadline: None,
            on_progress: &|| (),
        };
        let mut worker = Worker::new(&table, rules, &control, &budget);
        let start = processor_time();
        let score = endgame::solve(&mut worker, position.board(), -64, 64, Selectivity::Full);
        let spent = processor_time() - start;
        let statistics = worker.finish();
        (nodes, time) = (nodes + statistics.nodes, time + spent);
        println!(
            "{line:4} {:2} empties {:+3} {:12} nodes {:8.3} s {:6.1} M/s  table {}",
            position.empty().count_ones(),
            score.unwrap_or(-99),
            statistics.nodes,
            spent.as_secs_f64(),
            statistics.nodes as f64 / 1e6 / spent.as_secs_f64(),
            table.fill_permille(),
        );
    }
    println!(
        "total {nodes} nodes {:.3} s {:.1} M/s",
        time.as_secs_f64(),
        nodes as f64 / 1e6 / time.as_secs_f64()
    );
    Ok(())
}
