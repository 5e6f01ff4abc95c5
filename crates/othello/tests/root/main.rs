//! The root of the search, driven as a pool or a tool drives it: values against published and plainly computed ones,
//! the same values on any number of threads, and an answer at whatever moment it is stopped.

mod interrupts;
mod matrix;
#[path = "../support/obf.rs"]
mod obf;
mod plain;
mod shared;
mod values;

use std::path::PathBuf;
use std::sync::Arc;

use othello::board::Size;
use othello::position::{EmptiesRule, Position};
use othello::query::{Goal, Query, Selectivity, Snapshot, Value};
use othello::search::root::OthelloSearch;
use othello::search::table::Table;
use othello::square::{Move, Squares};
use searchkit::clock::StoppedClock;
use searchkit::stop::StopFlag;

/// A file of the committed Othello data.
fn data(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/othello").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A question with nothing but a goal; tests set what they need.
fn query(position: Position, goal: Goal) -> Query {
    Query {
        position,
        goal,
        root_moves: None,
        depth: None,
        nodes: None,
        exact_from_empties: 20,
        selectivity: Selectivity::Full,
        empties_rule: EmptiesRule::Winner,
        threads: 1,
    }
}

/// Runs a search to its end on as many threads as its query names.
fn answer(query: &Query, table_bytes: usize) -> Snapshot {
    let search = OthelloSearch::new(query.clone(), Arc::new(Table::new(table_bytes)));
    searchkit::crew::run(&search, query.threads, &StoppedClock, None, &StopFlag::new(), &|_| ())
}

/// Table size of most tests.
const TABLE: usize = 1 << 22;

/// Each move's value as the snapshot shows it, by move.
fn values(snapshot: &Snapshot) -> Vec<(Move, Value)> {
    let mut values: Vec<_> = snapshot
        .moves
        .iter()
        .map(|entry| (entry.mv, entry.score.expect("every move is valued").value))
        .collect();
    values.sort_by_key(|(mv, _)| *mv);
    values
}

/// The head's value.
fn best_value(snapshot: &Snapshot) -> Value {
    snapshot.moves[0].score.expect("the best move is valued").value
}

/// Checks what holds for every answer: legal moves, each once, legal lines that begin with their move.
fn check_moves(query: &Query, snapshot: &Snapshot) {
    let position = query.position;
    for entry in &snapshot.moves {
        position.play(entry.mv).expect("every root move is legal");
        let mut at = position;
        assert!(entry.score.is_none() || entry.principal_variation.first() == Some(&entry.mv));
        for &mv in &entry.principal_variation {
            at = at.play(mv).expect("lines walk only legal moves");
        }
    }
    let mut moves: Vec<Move> = snapshot.moves.iter().map(|entry| entry.mv).collect();
    moves.sort();
    let asked = query.root_moves.unwrap_or(u64::MAX);
    let mut legal: Vec<Move> = Squares(position.moves() & asked).map(Move::Place).collect();
    if legal.is_empty() && position.status() == othello::position::Status::MustPass {
        legal.push(Move::Pass);
    }
    assert_eq!(moves, legal);
}

/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ mixed >> 31) % limit
    }

    /// A position of a game of random moves with this many empty squares that is not over.
    fn played(&mut self, size: Size, empties: u32) -> Position {
        loop {
            let mut position = Position::start(size);
            while position.empty().count_ones() > empties {
                let moves: Vec<_> = Squares(position.moves()).map(Move::Place).collect();
                let mv = if moves.is_empty() {
                    Move::Pass
                } else {
                    moves[self.below(moves.len() as u64) as usize]
                };
                let Ok(next) = position.play(mv) else { break };
                position = next;
            }
            if position.empty().count_ones() == empties
                && position.status() != othello::position::Status::Finished
            {
                return position;
            }
        }
    }
}
