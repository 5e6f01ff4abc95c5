//! How often the engine plays what strong engines played in recorded games, and how well its values foretell how those games
//! ended: `cargo run --release -p gomoku --example agreement -- GAMES LIMIT PLAYERS [EVERY]`. `GAMES` holds a game a line as
//! JSON (`black`, `white`, `moves`, `result`, `rule`, `opening`), `LIMIT` is `nodes=N` or `static` (the evaluation alone),
//! `PLAYERS` are names with commas between them; only every `EVERY`th of their moves is looked at. Positions in which a five
//! is to be made or blocked are left out.

use std::fs;
use std::sync::Arc;

use gomoku::Neighborhood;
use gomoku::board::Board;
use gomoku::color::Color;
use gomoku::evaluation::evaluate;
use gomoku::point::{Point, RowOne, Size};
use gomoku::position::Position;
use gomoku::query::{Query, Value};
use gomoku::rules::Rule;
use gomoku::search::GomokuSearch;
use gomoku::search::table::Table;
use gomoku::threat::Threat;
use searchkit::clock::StoppedClock;
use searchkit::crew;
use searchkit::stop::StopFlag;

type Fault = Box<dyn std::error::Error>;

/// A position of a game, what was played there, and what came of it for the player to move: 1, 0.5 or 0.
struct Moment {
    position: Position,
    board: Board,
    played: Point,
    result: f64,
}

/// The moments of one game in which one of the players was to move and had a choice.
fn moments(game: &serde_json::Value, players: &[&str]) -> Option<Vec<Moment>> {
    let rule = Rule::from_name(game["rule"].as_str()?).ok()?;
    let black = match game["result"].as_str()? {
        "1-0" => 1.0,
        "0-1" => 0.0,
        _ => 0.5,
    };
    let opening = usize::try_from(game["opening"].as_u64()?).ok()?;
    let mut position = Position::empty(Size::DEFAULT, rule);
    let mut board = Board::new(&position, Neighborhood::Square(2));
    let mut found = Vec::new();
    for (index, name) in game["moves"].as_str()?.split(' ').enumerate() {
        let played = Point::parse(name, Size::DEFAULT, RowOne::Top).ok()?;
        let side = position.side();
        let (seat, result) = if side == Color::Black { ("black", black) } else { ("white", 1.0 - black) };
        let fives = Color::BOTH.iter().any(|&color| board.count(color, Threat::Five) > 0);
        if index >= opening && players.contains(&game[seat].as_str()?) && !fives {
            found.push(Moment { position: position.clone(), board: board.clone(), played, result });
        }
        position = position.play(played).ok()?;
        board.play(played);
    }
    Some(found)
}

/// The best move and its value in units; a proven win or loss counts as a large one.
fn think(position: &Position, nodes: u64, table: &Arc<Table>) -> Option<(Point, f64)> {
    table.new_generation();
    let query = Query::best_move(position.clone(), nodes);
    let search = GomokuSearch::new(&query, Arc::clone(table));
    let snapshot = crew::run(&search, 1, &StoppedClock, None, &StopFlag::new(), &|_| {});
    let best = snapshot.moves.first()?;
    let units = match best.score?.value {
        Value::Estimate { units } => f64::from(units),
        Value::WinIn { .. } => PROVEN,
        Value::LossIn { .. } => -PROVEN,
    };
    Some((best.point, units))
}

/// What a proven win counts as, in units: beyond it estimates are cut off too.
const PROVEN: f64 = 1_200.0;

/// Mean cross entropy of the results when so many units are one logit.
fn error(samples: &[(f64, f64)], scale: f64) -> f64 {
    let loss = |&(units, result): &(f64, f64)| {
        let chance = 1.0 / (1.0 + (-units.clamp(-PROVEN, PROVEN) / scale).exp());
        -(result * chance.ln() + (1.0 - result) * (1.0 - chance).ln())
    };
    samples.iter().map(loss).sum::<f64>() / samples.len().max(1) as f64
}

/// The share of pairs of a won and a lost position in which the won one has the higher value.
fn ranking(samples: &[(f64, f64)]) -> f64 {
    let of = |result: f64| samples.iter().filter(move |sample| sample.1 == result).map(|sample| sample.0);
    let (mut right, mut pairs) = (0.0, 0.0_f64);
    for won in of(1.0) {
        for lost in of(0.0) {
            pairs += 1.0;
            right += if won > lost {
                1.0
            } else if won < lost {
                0.0
            } else {
                0.5
            };
        }
    }
    right / pairs.max(1.0)
}

/// Prints how well values foretell results, with the scale that suits them best.
fn foretelling(name: &str, samples: &[(f64, f64)]) {
    let scales = (1..=80).map(|step| f64::from(step) * 25.0);
    let best = scales.min_by(|&a, &b| error(samples, a).total_cmp(&error(samples, b))).unwrap_or(200.0);
    println!(
        "{name}: {} values, ranked right {:.4}, cross entropy {:.4} at 200 units a logit, {:.4} at {best:.0}",
        samples.len(),
        ranking(samples),
        error(samples, 200.0),
        error(samples, best)
    );
}

fn main() -> Result<(), Fault> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, limit, players, rest @ ..] = &arguments[..] else {
        return Err("usage: agreement GAMES nodes=N|static PLAYERS [EVERY]".into());
    };
    let nodes: Option<u64> = limit.strip_prefix("nodes=").map(str::parse).transpose()?;
    let players: Vec<&str> = players.split(',').collect();
    let every: usize = rest.first().map_or(Ok(1), |text| text.parse())?;
    let mut found = Vec::new();
    for line in fs::read_to_string(file)?.lines() {
        found.extend(moments(&serde_json::from_str(line)?, &players).unwrap_or_default());
    }
    let table = Arc::new(Table::new(2 << 20));
    let mut values: [Vec<(f64, f64)>; 4] = Default::default();
    let (mut same, mut count) = (0, 0);
    for moment in found.iter().step_by(every) {
        let units = match nodes {
            Some(nodes) => {
                let Some((point, units)) = think(&moment.position, nodes, &table) else { continue };
                count += 1;
                same += usize::from(point == moment.played);
                units
            }
            None => f64::from(evaluate(&moment.board)),
        };
        let phase = usize::from(moment.position.stones() / 12).min(3);
        values[phase].push((units, moment.result));
    }
    println!(
        "the same move {same} of {count} times ({:.2} %)",
        100.0 * same as f64 / f64::from(count.max(1) as u32)
    );
    for (phase, samples) in values.iter().enumerate() {
        foretelling(&format!("from {} stones", 12 * phase), samples);
    }
    foretelling("all", &values.concat());
    Ok(())
}
