//! What each technique is worth in nodes: all of them, then each switched off, at a fixed depth over some positions:
//! `cargo run --release -p gomoku --example worth -- [DEPTH]`. Node counts do not depend on the machine.

use std::sync::Arc;

use gomoku::point::{Point, RowOne, Size};
use gomoku::position::Position;
use gomoku::query::{Goal, Query, Statistics};
use gomoku::rules::Rule;
use gomoku::search::GomokuSearch;
use gomoku::search::table::Table;
use gomoku::search::techniques::{Technique, Techniques};
use searchkit::clock::StoppedClock;
use searchkit::crew;
use searchkit::stop::StopFlag;

const POSITIONS: [&str; 8] = [
    "h8 i9 g9",
    "h8 h9 i10 j11",
    "e3 d4 c3 g3 f4 e4 f5",
    "h8 i9 g9 h7 i8 g8",
    "h8 i8 i7 h7 h9 g10 j6",
    "h8 h7 i7 g9 i9 i8 j10 k11",
    "c3 d4 e3 d3 d5 c4 e5 f6 b4",
    "h8 i7 j9 i9 i8 j8 h9 k10 g7",
];

/// A side that would run for hours is cut here and marked.
const NODE_LIMIT: u64 = 3_000_000;

fn total(techniques: Techniques, depth: u8) -> (Statistics, usize) {
    let mut statistics = Statistics::default();
    let mut cut = 0;
    for moves in POSITIONS {
        let points: Vec<Point> =
            moves.split(' ').filter_map(|name| Point::parse(name, Size::DEFAULT, RowOne::Top).ok()).collect();
        let Ok(position) = Position::from_moves(Size::DEFAULT, Rule::Freestyle, &points) else { continue };
        let query = Query {
            position,
            goal: Goal::BestMove,
            root_moves: None,
            depth: Some(depth),
            nodes: Some(NODE_LIMIT),
            techniques,
            threads: 1,
        };
        let search = GomokuSearch::new(&query, Arc::new(Table::new(64 << 20)));
        let snapshot = crew::run(&search, 1, &StoppedClock, None, &StopFlag::new(), &|_| {});
        statistics.add(&snapshot.statistics);
        cut += usize::from(!snapshot.complete);
    }
    (statistics, cut)
}

fn main() {
    let depth = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(5);
    let (all, _) = total(Techniques::ALL, depth);
    println!("Bench: {} nodes at depth {depth} over {} positions", all.nodes, POSITIONS.len());
    println!("{all:?}");
    for technique in Technique::ALL {
        let (without, cut) = total(Techniques::ALL.without(technique), depth);
        let ratio = without.nodes as f64 / all.nodes as f64;
        println!("| {technique:?} | {} | {ratio:.2} | {cut} |", without.nodes);
    }
}
