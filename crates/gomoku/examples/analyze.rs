//! Searches some positions for a while (CPU time) and prints depth, speed and verdicts:
//! `cargo run --release -p gomoku --example analyze -- [milliseconds] [moves]`.

mod cpu;

use std::sync::Arc;
use std::time::Duration;

use gomoku::point::{Point, RowOne, Size};
use gomoku::position::Position;
use gomoku::query::{Goal, Query};
use gomoku::rules::Rule;
use gomoku::search::GomokuSearch;
use gomoku::search::table::Table;
use gomoku::search::techniques::Techniques;
use searchkit::clock::Clock;
use searchkit::crew;
use searchkit::stop::StopFlag;

use cpu::CpuClock;

/// Quiet openings and middle games, in play order.
const POSITIONS: [&str; 10] = [
    "h8",
    "h8 i9 g9",
    "h8 h9 i10 j11",
    "e3 d4 c3 g3 f4 e4 f5",
    "h8 i9 g9 h7 i8 g8",
    "h8 i8 i7 h7 h9 g10 j6",
    "h8 g9 i9 g7 g8 i7 h6",
    "h8 h7 i7 g9 i9 i8 j10 k11",
    "c3 d4 e3 d3 d5 c4 e5 f6 b4",
    "h8 i7 j9 i9 i8 j8 h9 k10 g7",
];

fn main() {
    let mut arguments = std::env::args().skip(1);
    let milliseconds: u64 = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(1_000);
    let asked: Vec<String> = arguments.collect();
    let positions: Vec<String> =
        if asked.is_empty() { POSITIONS.map(str::to_owned).to_vec() } else { vec![asked.join(" ")] };
    let table = Arc::new(Table::new(64 << 20));
    for moves in positions {
        let points: Vec<Point> = moves
            .split_whitespace()
            .filter_map(|name| Point::parse(name, Size::DEFAULT, RowOne::Top).ok())
            .collect();
        let position = match Position::from_moves(Size::DEFAULT, Rule::Freestyle, &points) {
            Ok(position) => position,
            Err(error) => {
                println!("{moves}: {error}");
                continue;
            }
        };
        let query = Query {
            position,
            goal: Goal::BestMove,
            root_moves: None,
            depth: None,
            nodes: None,
            techniques: Techniques::ALL,
            threads: 1,
        };
        table.new_generation();
        let search = GomokuSearch::new(&query, Arc::clone(&table));
        let began = CpuClock.now();
        let deadline = Some(began + Duration::from_millis(milliseconds));
        let snapshot = crew::run(&search, 1, &CpuClock, deadline, &StopFlag::new(), &|_| {});
        let seconds = CpuClock.now().saturating_sub(began).as_secs_f64();
        let statistics = snapshot.statistics;
        let name = |point: &Point| point.name(Size::DEFAULT, RowOne::Top);
        let best = &snapshot.moves[0];
        let line: Vec<String> = best.principal_variation.iter().map(name).collect();
        println!(
            "{moves}: depth {} {:?} {} | {:.2} M nodes/s, {} nodes, {:.0}% threats, cutoffs {:.0}% first {:.0}%",
            snapshot.depth,
            best.score.map(|score| score.value),
            line.join(" "),
            statistics.nodes as f64 / seconds / 1e6,
            statistics.nodes,
            100.0 * statistics.threat_nodes as f64 / statistics.nodes.max(1) as f64,
            100.0 * statistics.cutoffs as f64 / statistics.expanded.max(1) as f64,
            100.0 * statistics.first_move_cutoffs as f64 / statistics.cutoffs.max(1) as f64,
        );
    }
}
