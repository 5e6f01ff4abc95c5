//! Matches between two builds of the engine, both colours on every opening, at equal CPU time or equal nodes a move:
//! `rivals OPENINGS PAIRS LIMIT A B [RULE]`, where `A` and `B` are command lines of this program with the argument `play`,
//! built from two states of the source, and `LIMIT` is `cpu=MICROSECONDS` or `nodes=N`. `A` and `B` may have limits of their
//! own, written before them: `nodes=4000:/old/rivals play`. Ends early when the result is clear.
//!
//! As a player it reads a line `LIMIT RULE MOVES` and answers `MOVE NODES MICROSECONDS`; `new` begins a game. CPU time is
//! what the scheduler says this process has run, so that a busy machine costs both players the same.

mod cpu;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use gomoku::color::Color;
use gomoku::point::{Point, RowOne, Size};
use gomoku::position::{Position, Status};
use gomoku::query::{Goal, Query};
use gomoku::rules::Rule;
use gomoku::search::GomokuSearch;
use gomoku::search::table::Table;
use gomoku::search::techniques::{Technique, Techniques};
use searchkit::clock::Clock;
use searchkit::crew;
use searchkit::stop::StopFlag;

use cpu::CpuClock;

type Fault = Box<dyn std::error::Error>;

/// Bytes of a player's table.
const TABLE_BYTES: usize = 32 << 20;

/// Answers positions until the input ends. `off` are indices of techniques that the player does without.
fn play(off: &[String]) -> Result<(), Fault> {
    let off = off.iter().flat_map(|text| text.split(',')).filter_map(|word| word.parse::<usize>().ok());
    let techniques = off
        .filter_map(|index| Technique::ALL.get(index))
        .fold(Techniques::ALL, |all, &technique| all.without(technique));
    let table = Arc::new(Table::new(TABLE_BYTES));
    let mut output = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        if line == "new" {
            table.new_generation();
            continue;
        }
        let began = CpuClock.now();
        let mut words = line.split(' ');
        let (Some(limit), Some(rule)) = (words.next(), words.next()) else {
            return Err("an empty line".into());
        };
        let points: Vec<Point> =
            words.filter_map(|name| Point::parse(name, Size::DEFAULT, RowOne::Top).ok()).collect();
        let (nodes, cpu) = match limit.split_once('=') {
            Some(("nodes", number)) => (Some(number.parse()?), None),
            Some(("cpu", number)) => (None, Some(Duration::from_micros(number.parse()?))),
            _ => return Err("a limit is nodes=N or cpu=MICROSECONDS".into()),
        };
        let query = Query {
            position: Position::from_moves(Size::DEFAULT, Rule::from_name(rule)?, &points)?,
            goal: Goal::BestMove,
            root_moves: None,
            depth: None,
            nodes,
            techniques,
            threads: 1,
        };
        let search = GomokuSearch::new(&query, Arc::clone(&table));
        let deadline = cpu.map(|cpu| began + cpu);
        let snapshot = crew::run(&search, 1, &CpuClock, deadline, &StopFlag::new(), &|_| {});
        let best = snapshot.best_move().ok_or("no move is left")?;
        let used = CpuClock.now().saturating_sub(began).as_micros();
        writeln!(output, "{} {} {used}", best.name(Size::DEFAULT, RowOne::Top), snapshot.statistics.nodes)?;
        output.flush()?;
    }
    Ok(())
}

/// A player in a process of its own, and what it has used.
struct Rival {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    limit: String,
    moves: u64,
    nodes: u64,
    microseconds: u64,
}

impl Rival {
    fn start(command: &str, limit: &str) -> Result<Self, Fault> {
        let own = command
            .split_once(':')
            .filter(|(limit, _)| limit.starts_with("nodes=") || limit.starts_with("cpu="));
        let (limit, command) = own.unwrap_or((limit, command));
        let mut words = command.split_whitespace();
        let mut process = Command::new(words.next().ok_or("an empty command")?)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let input = process.stdin.take().ok_or("no input")?;
        let output = BufReader::new(process.stdout.take().ok_or("no output")?);
        Ok(Self { process, input, output, limit: limit.to_owned(), moves: 0, nodes: 0, microseconds: 0 })
    }

    fn choose(&mut self, rule: Rule, names: &str) -> Result<Point, Fault> {
        writeln!(self.input, "{} {rule} {names}", self.limit)?;
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        let words: Vec<&str> = line.split_whitespace().collect();
        let [point, nodes, microseconds] = words[..] else {
            return Err(format!("no answer to {names}").into());
        };
        self.moves += 1;
        self.nodes += nodes.parse::<u64>()?;
        self.microseconds += microseconds.parse::<u64>()?;
        Ok(Point::parse(point, Size::DEFAULT, RowOne::Top)?)
    }

    fn used(&self) -> String {
        let moves = self.moves.max(1);
        format!("{} us, {} nodes a move", self.microseconds / moves, self.nodes / moves)
    }
}

/// Points of black in one game.
fn game(black: &mut Rival, white: &mut Rival, rule: Rule, opening: &str) -> Result<f64, Fault> {
    writeln!(black.input, "new")?;
    writeln!(white.input, "new")?;
    let points: Result<Vec<Point>, _> =
        opening.split(' ').map(|name| Point::parse(name, Size::DEFAULT, RowOne::Top)).collect();
    let mut position = Position::from_moves(Size::DEFAULT, rule, &points?)?;
    let mut names = opening.to_owned();
    while position.status() == Status::InProgress {
        let player = if position.side() == Color::Black { &mut *black } else { &mut *white };
        let point = player.choose(rule, &names)?;
        position = position.play(point)?;
        names = format!("{names} {}", point.name(Size::DEFAULT, RowOne::Top));
    }
    Ok(match position.status().winner() {
        Some(Color::Black) => 1.0,
        Some(Color::White) => 0.0,
        None => 0.5,
    })
}

/// The Elo difference of a share of the points.
fn elo(share: f64) -> f64 {
    let share = share.clamp(0.001, 0.999);
    -400.0 * (1.0 / share - 1.0).log10()
}

/// Share of the points, and its standard error from pairs of games.
fn share(pairs: &[f64]) -> (f64, f64) {
    let count = pairs.len() as f64;
    let mean = pairs.iter().sum::<f64>() / count;
    let variance = pairs.iter().map(|pair| (pair - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    (mean / 2.0, (variance / count).sqrt() / 2.0)
}

/// Pairs after which a clear result ends the match, and how many standard errors from a half are clear.
const FEWEST_PAIRS: usize = 30;
const CLEAR: f64 = 3.2;

fn main() -> Result<(), Fault> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [word, off @ ..] = &arguments[..]
        && word == "play"
    {
        return play(off);
    }
    let [file, pairs, limit, a, b, rest @ ..] = &arguments[..] else {
        return Err("usage: rivals OPENINGS PAIRS LIMIT A B [RULE]".into());
    };
    let rule = rest.first().map_or(Ok(Rule::Freestyle), |name| Rule::from_name(name))?;
    let (mut a, mut b) = (Rival::start(a, limit)?, Rival::start(b, limit)?);
    let text = fs::read_to_string(file)?;
    let openings: Vec<&str> = text.lines().filter_map(|line| Some(line.split_once('\t')?.1)).collect();
    let mut results = Vec::new();
    let mut counts = [0; 3];
    for opening in openings.iter().cycle().take(pairs.parse()?) {
        let first = game(&mut a, &mut b, rule, opening)?;
        let second = 1.0 - game(&mut b, &mut a, rule, opening)?;
        for result in [first, second] {
            counts[(2.0 - 2.0 * result) as usize] += 1;
        }
        results.push(first + second);
        let (share, error) = share(&results);
        if results.len().is_multiple_of(10) {
            eprintln!("{} pairs: {share:.3} +- {error:.3} {counts:?}", results.len());
        }
        if results.len() >= FEWEST_PAIRS && (share - 0.5).abs() > CLEAR * error {
            break;
        }
    }
    let (share, error) = share(&results);
    let [won, drawn, lost] = counts;
    println!(
        "A {won}/{drawn}/{lost}, Elo {:+.0} [{:+.0}, {:+.0}]; A used {}, B {}",
        elo(share),
        elo(share - 1.96 * error),
        elo(share + 1.96 * error),
        a.used(),
        b.used()
    );
    for rival in [a, b] {
        drop(rival.input);
        let mut process = rival.process;
        process.wait()?;
    }
    Ok(())
}
