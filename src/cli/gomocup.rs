//! `discern gomocup`: plays Gomoku with a manager that speaks the Gomocup (Piskvork) protocol on standard input and
//! output.

use std::io::{self, BufRead};
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, value_parser};
use gomoku::gomocup::{Gomocup, Question, Step};
use gomoku::position::Position;
use gomoku::query::{Goal, Query};
use gomoku::search::table::Table;
use gomoku::search::techniques::Techniques;
use gomoku::search::{self, GomokuSearch};
use gomoku::swap2::{Swap2Query, Swap2Search};
use searchkit::clock::{Clock, MonotonicClock};
use searchkit::crew;
use searchkit::stop::StopFlag;

use super::exit::{Exit, Failure, Outcome};
use super::output::Output;

/// How strong and how large the engine may be.
#[derive(Debug, Args)]
pub struct GomocupArgs {
    /// Threads to search with.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u16).range(1..=256))]
    threads: u16,

    /// Memory for the transposition table, in MiB; the manager's `max_memory` bounds it further.
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = value_parser!(u32).range(1..=65_536))]
    table_mib: u32,
}

/// Nodes that a swap2 search may plan with for each millisecond of the question: fewer than half of what a slow core does.
const SWAP2_NODES_A_MS: u64 = 100;

/// Part of the manager's `max_memory` that the table may take.
const TABLE_SHARE: u64 = 2;

/// Reads commands until `END` or the end of the input.
pub fn run(args: &GomocupArgs) -> Outcome {
    let clock = MonotonicClock::new();
    let about = concat!(r#"name="Discern", version=""#, env!("CARGO_PKG_VERSION"), r#"", country="-""#);
    let mut gomocup = Gomocup::new(about);
    let mut output = Output::stdout();
    // Made before the first command, so that the first move does not pay for it.
    let mut table = Arc::new(Table::new(table_bytes(args, &gomocup)));
    table.touch();
    let mut last = None;
    for line in io::stdin().lock().lines() {
        let line = line.map_err(|error| Failure::new(Exit::NoInput, format!("standard input: {error}")))?;
        let arrived = clock.now();
        match gomocup.line(&line) {
            Step::Say(lines) => {
                for line in lines {
                    output.line(line);
                }
            }
            Step::Think(question) => {
                if begins_anew(last.as_ref(), &question.position) {
                    table.new_generation();
                }
                last = Some(question.position.clone());
                let allowed = table_bytes(args, &gomocup);
                if table.bytes() > allowed {
                    table = Arc::new(Table::new(allowed));
                }
                let decided = if question.is_swap2() {
                    decide_opening(&mut gomocup, &question, &table, (&clock, arrived))
                } else {
                    None
                };
                let answer = decided
                    .unwrap_or_else(|| think(&mut gomocup, &question, &table, args, (&clock, arrived)));
                output.line(answer);
            }
            Step::Quit => break,
        }
    }
    Ok(())
}

/// Whether what the table holds is of another game than this position: the same stones mean something else under another
/// rule or on another board.
fn begins_anew(last: Option<&Position>, now: &Position) -> bool {
    last.is_some_and(|last| {
        (last.rule(), last.size()) != (now.rule(), now.size()) || now.stones() < last.stones()
    })
}

fn table_bytes(args: &GomocupArgs, gomocup: &Gomocup) -> usize {
    let asked = u64::from(args.table_mib) << 20;
    let allowed = gomocup.memory_bytes().map_or(asked, |bytes| bytes / TABLE_SHARE);
    usize::try_from(asked.min(allowed)).unwrap_or(usize::MAX)
}

/// Decides an opening of three stones in half of the time; `None` when a move is needed after all.
fn decide_opening(
    gomocup: &mut Gomocup,
    question: &Question,
    table: &Arc<Table>,
    (clock, arrived): (&MonotonicClock, Duration),
) -> Option<String> {
    let nodes = question.nodes.unwrap_or_else(|| question.time_ms.saturating_mul(SWAP2_NODES_A_MS)).max(1);
    let query = Swap2Query { position: question.position.clone(), nodes };
    let search = Swap2Search::new(query, Arc::clone(table));
    let deadline = Some(arrived + Duration::from_millis(question.time_ms / 2));
    let found = crew::run(&search, 1, clock, deadline, &StopFlag::new(), &|_| {});
    gomocup.decide(question, &found)
}

/// Searches until the time is up. What the table holds from earlier moves of the game stays useful.
fn think(
    gomocup: &mut Gomocup,
    question: &Question,
    table: &Arc<Table>,
    args: &GomocupArgs,
    (clock, arrived): (&MonotonicClock, Duration),
) -> String {
    if let Some(only) = search::only_move(&question.position).filter(|_| !question.may_swap()) {
        return gomocup.answer(question, only, None);
    }
    let query = Query {
        position: question.position.clone(),
        goal: Goal::BestMove,
        root_moves: None,
        depth: question.depth,
        nodes: question.nodes,
        techniques: Techniques::ALL,
        threads: usize::from(args.threads),
    };
    let search = GomokuSearch::new(&query, Arc::clone(table));
    let deadline = Some(arrived + Duration::from_millis(question.time_ms));
    let snapshot = crew::run(&search, query.threads, clock, deadline, &StopFlag::new(), &|_| {});
    match snapshot.moves.first() {
        Some(best) => gomocup.answer(question, best.point, best.score.map(|score| score.value)),
        None => "ERROR no legal move is left".to_owned(),
    }
}
