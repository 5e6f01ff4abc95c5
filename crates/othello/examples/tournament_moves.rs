//! Measures the static evaluation and the moves of a short search on positions of ordinary tournament games, against
//! perfect play.
//!
//! Usage: `cargo run --release -p othello --example tournament_moves -- WTHOR_FOLDER POSITIONS MS [WEIGHTS]`
//!
//! So many positions of every number of empties from 14 to 24, each from another game, drawn with a fixed seed. Each is
//! judged, searched for MS milliseconds of processor time on one thread with a fresh table of 64 MB, solved, and solved
//! again after the move that the search found. WEIGHTS is a packed file to use instead of the built-in weights.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use othello::board::{Board, Size};
use othello::evaluation::Evaluator;
use othello::evaluation::network::{loaded, packed};
use othello::position::{EmptiesRule, Position};
use othello::query::{Goal, Query, Selectivity};
use othello::search::endgame;
use othello::search::root::OthelloSearch;
use othello::search::table::Table;
use othello::search::worker::{NodeBudget, Rules, Worker};
use othello::square::Move;
use othello::wthor::{Archive, Game};
use rustix::time::{ClockId, clock_gettime};
use searchkit::clock::{Clock, StoppedClock};
use searchkit::control::Control;
use searchkit::stop::StopFlag;

/// The processor time of the calling thread.
struct ThreadTime;

impl Clock for ThreadTime {
    fn now(&self) -> Duration {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        Duration::try_from(time).expect("processor time is never negative")
    }
}

/// What was found on the positions of one number of empties.
#[derive(Default, Clone, Copy)]
struct Tally {
    positions: u32,
    error: f64,
    surplus: f64,
    loss: i32,
    best: u32,
}

impl Tally {
    fn add(&mut self, other: Self) {
        self.positions += other.positions;
        self.error += other.error;
        self.surplus += other.surplus;
        self.loss += other.loss;
        self.best += other.best;
    }

    fn print(&self, name: &str) {
        let count = f64::from(self.positions.max(1));
        println!(
            "{name:>7}  {:9}  {:5.2}  {:+5.2}  {:5.3}  {:5.1} %",
            self.positions,
            self.error / count,
            self.surplus / count,
            f64::from(self.loss) / count,
            100.0 * f64::from(self.best) / count
        );
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, count, time_ms, rest @ ..] = arguments.as_slice() else {
        return Err("usage: tournament_moves WTHOR_FOLDER POSITIONS MS [WEIGHTS]".into());
    };
    match rest.first() {
        Some(weights) => loaded::install(packed::unpack(&std::fs::read(weights)?)?)?,
        None => loaded::load()?,
    }
    let (count, time) = (count.parse()?, Duration::from_millis(time_ms.parse()?));
    let games = games(Path::new(folder))?;
    let table = Arc::new(Table::new(1 << 26));
    let mut random = 0x9E37_79B9_7F4A_7C15_u64;
    let mut all = Tally::default();
    println!("empties  positions  error  surplus  loss  best move");
    for empties in 14..=24 {
        let mut tally = Tally::default();
        while tally.positions < count {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let game = &games[(random >> 33) as usize % games.len()];
            if let Some(position) = position_of(game, empties) {
                tally.add(measure(position, time, &table));
            }
        }
        tally.print(&empties.to_string());
        all.add(tally);
    }
    all.print("all");
    Ok(())
}

fn games(folder: &Path) -> Result<Vec<Game>, Box<dyn Error>> {
    let mut files: Vec<_> = std::fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    files.retain(|file| file.path().extension().is_some_and(|name| name == "wtb"));
    files.sort_by_key(|file| file.file_name());
    let mut games = Vec::new();
    for file in files {
        games.extend(Archive::read(&std::fs::read(file.path())?)?.games);
    }
    Ok(games)
}

/// The position of a game with so many empties, if there is a choice of moves.
fn position_of(game: &Game, empties: u32) -> Option<Position> {
    let mut position = Position::start(Size::Eight);
    for &square in &game.squares {
        if position.moves() == 0 {
            position = position.play(Move::Pass).ok()?;
        }
        if position.empty().count_ones() == empties {
            return (position.moves().count_ones() > 1).then_some(position);
        }
        position = position.play(Move::Place(square)).ok()?;
    }
    None
}

fn measure(position: Position, time: Duration, table: &Arc<Table>) -> Tally {
    let board = position.board();
    let estimate = f64::from(Evaluator::new(board, Size::Eight).value(board)) / 100.0;
    let query = Query {
        position,
        goal: Goal::BestMove,
        root_moves: None,
        depth: None,
        nodes: None,
        exact_from_empties: 20,
        selectivity: Selectivity::P73,
        empties_rule: EmptiesRule::Winner,
        threads: 1,
    };
    let search = OthelloSearch::new(query, Arc::clone(table));
    let deadline = Some(ThreadTime.now() + time);
    let answer = searchkit::crew::run(&search, 1, &ThreadTime, deadline, &StopFlag::new(), &|_| ());
    let Some(Move::Place(square)) = answer.moves.first().map(|found| found.mv) else {
        return Tally::default();
    };
    let best = solve(table, board);
    let own = -solve(table, board.after(square.bit(), board.flips(square)));
    let surplus = estimate - f64::from(best);
    Tally { positions: 1, error: surplus.abs(), surplus, loss: best - own, best: u32::from(own == best) }
}

/// The exact score of a position for the side to move.
fn solve(table: &Table, board: Board) -> i32 {
    table.new_generation();
    let rules = Rules { size: Size::Eight, empties: EmptiesRule::Winner };
    let (stop, recall, budget) = (StopFlag::new(), AtomicBool::new(false), NodeBudget::new(None));
    let control =
        Control { stop: &stop, recall: &recall, clock: &StoppedClock, deadline: None, on_progress: &|| () };
    let mut worker = Worker::new(table, rules, &control, &budget);
    endgame::solve(&mut worker, board, -64, 64, Selectivity::Full).expect("nobody interrupts")
}
