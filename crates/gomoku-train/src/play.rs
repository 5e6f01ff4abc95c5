//! Self-play: random openings that are about even, then both sides by the engine at a node limit.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use gomoku::evaluation::ESTIMATE_LIMIT;
use gomoku::point::{Point, Size};
use gomoku::position::{Position, Status};
use gomoku::query::{Query, Value};
use gomoku::rules::Rule;
use gomoku::search::GomokuSearch;
use gomoku::search::table::Table;
use searchkit::clock::StoppedClock;
use searchkit::crew;
use searchkit::stop::StopFlag;

use crate::random::Random;
use crate::record::{self, Game};

/// Stones laid at random before the players take over.
const OPENING_STONES: std::ops::RangeInclusive<u64> = 3..=8;
/// How far from the centre the first stone may lie, and from the nearest stone each other one, in columns and rows.
const FIRST_DISTANCE: i32 = 4;
const NEXT_DISTANCE: i32 = 2;
/// An opening is played only when the side to move neither wins nor loses by more than this many units.
const BALANCE_UNITS: i16 = 200;
/// Table of a player: small, so that a new search finds it in the cache.
const TABLE_BYTES: usize = 4 << 20;

/// What self-play needs to know.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// The rule of all games.
    pub rule: Rule,
    /// Nodes a move.
    pub nodes: u64,
    /// Number of the first game of the file.
    pub first: u64,
    /// Games wanted in the file.
    pub games: usize,
}

/// Plays games into a file until it holds as many as wanted, going on where it ends now.
pub fn play_games(path: &Path, settings: Settings) -> anyhow::Result<()> {
    let done = if path.exists() { record::read(path)? } else { Vec::new() };
    // A line that was cut short is played again: the file is cut back to whole games first.
    let file = OpenOptions::new().create(true).truncate(true).write(true).open(path);
    let mut file = file.with_context(|| format!("opening {}", path.display()))?;
    for game in &done {
        writeln!(file, "{}", game.line())?;
    }
    let next = done.last().map_or(settings.first, |last| last.number + 1);
    let table = Arc::new(Table::new(TABLE_BYTES));
    for number in (next..).take(settings.games.saturating_sub(done.len())) {
        let game = play_one(number, settings, &table);
        writeln!(file, "{}", game.line()).with_context(|| format!("writing {}", path.display()))?;
    }
    Ok(())
}

fn play_one(number: u64, settings: Settings, table: &Arc<Table>) -> Game {
    let mut random = Random::new(number);
    let (mut position, mut moves) = loop {
        let (position, moves) = opening(&mut random, settings.rule);
        let balanced =
            think(&position, settings.nodes, table).is_some_and(|(_, score)| score.abs() <= BALANCE_UNITS);
        if balanced {
            break (position, moves);
        }
    };
    let opening = moves.len();
    let mut scores = Vec::new();
    table.new_generation();
    let winner = loop {
        match position.status() {
            Status::InProgress => {}
            over => break over.winner(),
        }
        let Some((point, score)) = think(&position, settings.nodes, table) else { break None };
        scores.push(score);
        // A proven win is as good as won; the moves to its end teach nothing.
        if i32::from(score).abs() > ESTIMATE_LIMIT {
            break Some(if score > 0 { position.side() } else { position.side().other() });
        }
        moves.push(point);
        position = position.play(point).expect("the engine plays legal moves");
    };
    Game { number, winner, opening, moves, scores }
}

/// The best move and its value in evaluation units; a proven win or loss lies beyond every estimate.
fn think(position: &Position, nodes: u64, table: &Arc<Table>) -> Option<(Point, i16)> {
    let query = Query::best_move(position.clone(), nodes);
    let search = GomokuSearch::new(&query, Arc::clone(table));
    let snapshot = crew::run(&search, 1, &StoppedClock, None, &StopFlag::new(), &|_| {});
    let best = snapshot.moves.first()?;
    const PROVEN: i16 = 30_000;
    let score = match best.score.map(|score| score.value) {
        Some(Value::WinIn { moves }) => PROVEN - moves as i16,
        Some(Value::LossIn { moves }) => moves as i16 - PROVEN,
        Some(Value::Estimate { units }) => units,
        None => 0,
    };
    Some((best.point, score))
}

/// Some stones near each other, in a game that is not over.
fn opening(random: &mut Random, rule: Rule) -> (Position, Vec<Point>) {
    let size = Size::DEFAULT;
    let stones = OPENING_STONES.start() + random.below(OPENING_STONES.end() - OPENING_STONES.start() + 1);
    let mut position = Position::empty(size, rule);
    let mut moves: Vec<Point> = Vec::new();
    for _ in 0..stones {
        let near: Vec<Point> =
            position.legal_moves().into_iter().filter(|&point| is_near(point, &moves)).collect();
        if near.is_empty() {
            break;
        }
        let point = near[random.below(near.len() as u64) as usize];
        moves.push(point);
        position = position.play(point).expect("the move is one of the legal ones");
    }
    (position, moves)
}

fn is_near(point: Point, stones: &[Point]) -> bool {
    let within = |other: Point, distance: i32| {
        let apart = |a: u8, b: u8| (i32::from(a) - i32::from(b)).abs();
        apart(point.x(), other.x()) <= distance && apart(point.y(), other.y()) <= distance
    };
    if stones.is_empty() {
        return within(Size::DEFAULT.center(), FIRST_DISTANCE);
    }
    stones.iter().any(|&stone| within(stone, NEXT_DISTANCE))
}
