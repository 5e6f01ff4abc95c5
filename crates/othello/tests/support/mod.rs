//! What the solver's tests stand on: readers of the committed data, a repeatable source of random positions, and a
//! slow solver that shares nothing with the fast one.

pub mod naive;
pub mod obf;

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use othello::board::{Board, Size};
use othello::position::{EmptiesRule, Position};
use othello::query::{Selectivity, Statistics};
use othello::search::endgame;
use othello::search::table::Table;
use othello::search::worker::{NodeBudget, Rules, Worker};
use othello::square::Move;
use searchkit::clock::StoppedClock;
use searchkit::control::Control;
use searchkit::stop::StopFlag;

/// A file of the committed Othello data.
pub fn data(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/othello").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Runs `job` with a worker that nobody interrupts, and returns its counters too.
pub fn with_worker<T>(
    table: &Table,
    rules: Rules,
    job: impl FnOnce(&mut Worker<'_>) -> T,
) -> (T, Statistics) {
    with_budget(table, rules, None, job)
}

/// The same with a limit on the nodes.
pub fn with_budget<T>(
    table: &Table,
    rules: Rules,
    nodes: Option<u64>,
    job: impl FnOnce(&mut Worker<'_>) -> T,
) -> (T, Statistics) {
    let (stop, recall) = (StopFlag::new(), AtomicBool::new(false));
    let control =
        Control { stop: &stop, recall: &recall, clock: &StoppedClock, deadline: None, on_progress: &|| () };
    let budget = NodeBudget::new(nodes);
    let mut worker = Worker::new(table, rules, &control, &budget);
    let result = job(&mut worker);
    (result, worker.finish())
}

/// The exact score of a board with this table.
pub fn score(table: &Table, rules: Rules, board: Board) -> i32 {
    with_worker(table, rules, |worker| endgame::solve(worker, board, -64, 64, Selectivity::Full))
        .0
        .expect("nobody interrupts")
}

/// The exact value of every legal move of a position (a pass among them).
pub fn values(table: &Table, position: Position, empties: EmptiesRule) -> Vec<(Move, i32)> {
    let rules = Rules { size: position.size(), empties };
    othello::square::Squares(position.moves())
        .map(|square| {
            let mv = Move::Place(square);
            (mv, -score(table, rules, position.play(mv).expect("the move is legal").board()))
        })
        .collect()
}

/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers on every machine.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    /// A position of a game of random moves with this many empty squares, or where that game ended before.
    pub fn played(&mut self, size: Size, empties: u32) -> Position {
        let mut position = Position::start(size);
        while position.empty().count_ones() > empties {
            let moves: Vec<_> = othello::square::Squares(position.moves()).map(Move::Place).collect();
            let mv = match moves.len() {
                0 => Move::Pass,
                some => moves[self.below(some as u64) as usize],
            };
            match position.play(mv) {
                Ok(next) => position = next,
                Err(_) => break,
            }
        }
        position
    }

    /// Discs strewn over the board so that this many squares stay empty; most of one colour when `lopsided`.
    pub fn strewn(&mut self, size: Size, empties: u32, own_of_16: u64) -> Board {
        let mut squares: Vec<_> = othello::square::Squares(size.cells()).collect();
        let mut board = Board { player: 0, opponent: 0 };
        while squares.len() > empties as usize {
            let square = squares.swap_remove(self.below(squares.len() as u64) as usize);
            if self.below(16) < own_of_16 {
                board.player |= square.bit();
            } else {
                board.opponent |= square.bit();
            }
        }
        board
    }
}
