//! Solves positions of published collections and compares every value, or measures tournament positions:
//!
//! ```text
//! check_published hard-20.obf [STEP]            every move of every STEP-th position (of the first move alone above 20 empties)
//! check_published endgame-reviews.jsonl [STEP]  every move of every position of reviewed games
//! check_published exact-endgames.bin [STEP]     every STEP-th record: both boards and the value
//! check_published WTH_2023.wtb STEP EMPTIES     the position of every STEP-th game with so many empties: times, no values
//! ```
//!
//! One thread, a 128 MB table, emptied before every position. Processor time as Linux counts it. Fails when a value differs.

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use othello::board::{Board, Size};
use othello::notation::{obf, transcript};
use othello::position::{EmptiesRule, Position, Status};
use othello::query::Selectivity;
use othello::search::endgame;
use othello::search::table::Table;
use othello::search::worker::{NodeBudget, Rules, Worker};
use othello::square::{Move, Squares};
use othello::wthor::Archive;
use searchkit::clock::StoppedClock;
use searchkit::control::Control;
use searchkit::stop::StopFlag;

/// Most empties of positions whose every move is solved; above, only the value of the position is.
const EVERY_MOVE_TO_EMPTIES: u32 = 20;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// What has been solved so far.
#[derive(Default)]
struct Tally {
    positions: u64,
    values: u64,
    wrong: u64,
    /// By empties: positions, nodes, processor time, the longest of them.
    by_empties: BTreeMap<u32, (u64, u64, Duration, Duration)>,
}

struct Checker {
    table: Table,
    tally: Tally,
}

impl Checker {
    fn score(&mut self, board: Board) -> (i32, u64) {
        let rules = Rules { size: Size::Eight, empties: EmptiesRule::Winner };
        let (stop, recall, budget) = (StopFlag::new(), AtomicBool::new(false), NodeBudget::new(None));
        let control = Control {
            stop: &stop,
            recall: &recall,
            clock: &StoppedClock,
            deadline: None,
            on_progress: &|| (),
        };
        let mut worker = Worker::new(&self.table, rules, &control, &budget);
        let score = endgame::solve(&mut worker, board, -64, 64, Selectivity::Full);
        (score.expect("nobody interrupts"), worker.finish().nodes)
    }

    /// Solves a position in one piece, and counts its time.
    fn value(&mut self, board: Board, expected: Option<i32>, name: &str) {
        self.table.new_generation();
        let before = processor_time();
        let (score, nodes) = self.score(board);
        let spent = processor_time() - before;
        let (count, all_nodes, all, longest) =
            self.tally.by_empties.entry(board.occupied().count_zeros()).or_default();
        *count += 1;
        *all_nodes += nodes;
        *all += spent;
        *longest = spent.max(*longest);
        self.tally.positions += 1;
        if let Some(expected) = expected {
            self.compare(score, expected, name);
        }
    }

    /// Solves every move of a position.
    fn every_move(&mut self, position: Position, expected: &[(Move, i32)], name: &str) -> Result<()> {
        self.table.new_generation();
        let before = processor_time();
        let mut nodes = 0;
        let moves = Squares(position.moves()).count();
        if moves != expected.len() {
            return Err(format!("{name}: {moves} moves are legal, {} have a value", expected.len()).into());
        }
        for &(mv, value) in expected {
            let (score, spent) = self.score(position.play(mv)?.board());
            nodes += spent;
            self.compare(-score, value, &format!("{name} {mv}"));
        }
        let spent = processor_time() - before;
        let (count, all_nodes, all, longest) =
            self.tally.by_empties.entry(position.empty().count_ones()).or_default();
        *count += 1;
        *all_nodes += nodes;
        *all += spent;
        *longest = spent.max(*longest);
        self.tally.positions += 1;
        Ok(())
    }

    fn compare(&mut self, found: i32, expected: i32, name: &str) {
        self.tally.values += 1;
        if found != expected {
            self.tally.wrong += 1;
            println!("WRONG {name}: {found:+} instead of {expected:+}");
        }
    }
}

/// Processor time this thread has used so far.
fn processor_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(text.split(' ').next().and_then(|field| field.parse().ok()).unwrap_or(0))
}

fn problems(checker: &mut Checker, text: &str, step: usize) -> Result<()> {
    for entry in obf::read_file(text)?.into_iter().step_by(step) {
        let position = entry.read.position;
        // The source fills rows up with an entry that is no move.
        let expected: Vec<(Move, i32)> = entry
            .read
            .values
            .iter()
            .filter(|(mv, _)| *mv != Move::Pass || position.status() == Status::MustPass)
            .map(|&(mv, value)| (mv, i32::from(value)))
            .collect();
        let name = format!("line {}", entry.line + 1);
        if position.empty().count_ones() <= EVERY_MOVE_TO_EMPTIES {
            checker.every_move(position, &expected, &name)?;
        } else {
            let best = expected.iter().map(|&(_, value)| value).max();
            checker.value(position.board(), best, &name);
        }
    }
    Ok(())
}

fn reviews(checker: &mut Checker, text: &str, step: usize) -> Result<()> {
    for line in text.lines() {
        let game: serde_json::Value = serde_json::from_str(line)?;
        let missing = || format!("a game without what a review has: {line:.60}");
        let moves = game["moves"].as_str().ok_or_else(missing)?;
        let plies = game["plies"].as_array().ok_or_else(missing)?;
        for ply in plies.iter().step_by(step) {
            let number = ply["ply"].as_u64().ok_or_else(missing)? as usize;
            let before = moves.get(..2 * (number - 1)).ok_or_else(missing)?;
            let mut position = Position::start(Size::Eight);
            if !before.is_empty() {
                position = transcript::read(before, position)?.position;
            }
            if position.status() == Status::MustPass {
                position = position.play(Move::Pass)?;
            }
            if ply["empties"].as_u64() != Some(u64::from(position.empty().count_ones())) {
                return Err(format!("{}: ply {number} has other empties", game["id"]).into());
            }
            let scores = ply["scores"].as_object().ok_or_else(missing)?;
            let expected = scores
                .iter()
                .map(|(mv, value)| {
                    Ok((transcript::read_move(mv)?, value.as_i64().ok_or_else(missing)? as i32))
                })
                .collect::<Result<Vec<_>>>()?;
            checker.every_move(position, &expected, &format!("{} ply {number}", game["id"]))?;
        }
    }
    Ok(())
}

/// Bytes of a record: both boards, then the value.
const RECORD: usize = 17;

fn records(checker: &mut Checker, bytes: &[u8], step: usize) -> Result<()> {
    for (index, record) in bytes.chunks_exact(RECORD).enumerate().step_by(step) {
        let board = |at: usize| -> Result<u64> { Ok(u64::from_le_bytes(record[at..at + 8].try_into()?)) };
        let position = Board { player: board(0)?, opponent: board(8)? };
        checker.value(position, Some(i32::from(record[16] as i8)), &format!("record {index}"));
    }
    Ok(())
}

fn tournaments(checker: &mut Checker, bytes: &[u8], step: usize, empties: u32) -> Result<()> {
    for (index, game) in Archive::read(bytes)?.games.iter().enumerate().step_by(step) {
        let mut position = Position::start(Size::Eight);
        for &square in &game.squares {
            if position.status() == Status::MustPass {
                position = position.play(Move::Pass)?;
            }
            if position.empty().count_ones() == empties {
                checker.value(position.board(), None, &format!("game {index}"));
                break;
            }
            position = position.play(Move::Place(square))?;
        }
    }
    Ok(())
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let file = arguments.first().ok_or("usage: check_published FILE [STEP [EMPTIES]]")?;
    let step = arguments.get(1).map_or(Ok(1), |step| step.parse())?;
    let bytes = std::fs::read(file)?;
    let mut checker = Checker { table: Table::new(128 << 20), tally: Tally::default() };
    match file.rsplit('.').next() {
        Some("obf") => problems(&mut checker, std::str::from_utf8(&bytes)?, step)?,
        Some("jsonl") => reviews(&mut checker, std::str::from_utf8(&bytes)?, step)?,
        Some("bin") => records(&mut checker, &bytes, step)?,
        Some("wtb") => {
            let empties = arguments.get(2).ok_or("how many empties?")?.parse()?;
            tournaments(&mut checker, &bytes, step, empties)?;
        }
        _ => return Err("only .obf, .jsonl, .bin and .wtb files are known".into()),
    }
    let Tally { positions, values, wrong, by_empties } = checker.tally;
    for (empties, (count, nodes, spent, longest)) in by_empties {
        println!(
            "{empties:2} empties: {count} positions, {:.3} M nodes and {:.2} ms each, longest {:.1} ms",
            nodes as f64 / count as f64 / 1e6,
            spent.as_secs_f64() * 1e3 / count as f64,
            longest.as_secs_f64() * 1e3,
        );
    }
    println!("{positions} positions, {values} values compared, {wrong} wrong");
    if wrong > 0 { Err("values differ".into()) } else { Ok(()) }
}
