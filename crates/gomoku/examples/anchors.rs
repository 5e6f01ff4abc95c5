//! How often the engine avoids a move after which the other side has a proven win, in the last ten positions in which the
//! loser of a recorded game was to move:
//! `cargo run --release -p gomoku --example anchors -- GAMES NODES PROOF_NODES [EVERY]`.
//! `GAMES` holds a game a line as JSON (`moves`, `result`, `rule`); only every `EVERY`th game is taken. A win is proven by a
//! threat search of so many nodes, replayed against every reply, so "none" only says that this search finds none.

use std::sync::Arc;

use gomoku::Neighborhood;
use gomoku::board::Board;
use gomoku::point::{Point, RowOne, Size};
use gomoku::position::{Position, Status};
use gomoku::query::Query;
use gomoku::rules::Rule;
use gomoku::search::GomokuSearch;
use gomoku::search::table::Table;
use gomoku::threats::{Verdict, vct};
use searchkit::clock::StoppedClock;
use searchkit::crew;
use searchkit::stop::StopFlag;

/// Positions of the loser that are taken from each game.
const LAST: usize = 10;

/// Whether the side to move has a win that a threat search of so many nodes proves.
fn wins(position: &Position, nodes: u64) -> bool {
    if position.status() != Status::InProgress {
        return false;
    }
    let mut board = Board::new(position, Neighborhood::Square(2));
    matches!(vct(&mut board, nodes, &|| false).verdict, Verdict::Win { .. })
}

fn choose(position: &Position, nodes: u64, table: &Arc<Table>) -> Option<Point> {
    let query = Query::best_move(position.clone(), nodes);
    let search = GomokuSearch::new(&query, Arc::clone(table));
    crew::run(&search, 1, &StoppedClock, None, &StopFlag::new(), &|_| {}).best_move()
}

/// The last positions of the loser, with the moves played there; earliest first.
fn of_the_loser(game: &serde_json::Value) -> Option<Vec<(Position, Point)>> {
    let rule = Rule::from_name(game["rule"].as_str()?).ok()?;
    let black_lost = match game["result"].as_str()? {
        "1-0" => false,
        "0-1" => true,
        _ => return None,
    };
    let names = game["moves"].as_str()?.split(' ');
    let points: Option<Vec<Point>> =
        names.map(|name| Point::parse(name, Size::DEFAULT, RowOne::Top).ok()).collect();
    let mut position = Position::empty(Size::DEFAULT, rule);
    let mut found = Vec::new();
    for (index, point) in points?.into_iter().enumerate() {
        if index.is_multiple_of(2) == black_lost {
            found.push((position.clone(), point));
        }
        position = position.play(point).ok()?;
    }
    let opening = usize::try_from(game["opening"].as_u64().unwrap_or(0)).ok()?;
    found.retain(|(position, _)| usize::from(position.stones()) >= opening);
    Some(found.split_off(found.len().saturating_sub(LAST)))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, nodes, proof, rest @ ..] = &arguments[..] else {
        return Err("usage: anchors GAMES NODES PROOF_NODES [EVERY]".into());
    };
    let (nodes, proof): (u64, u64) = (nodes.parse()?, proof.parse()?);
    let every: usize = rest.first().map_or(Ok(1), |text| text.parse())?;
    let table = Arc::new(Table::new(16 << 20));
    let (mut positions, mut loser_gave, mut we_gave, mut only_we, mut holdable) = (0, 0, 0, 0, 0);
    for line in std::fs::read_to_string(file)?.lines().step_by(every) {
        let game: serde_json::Value = serde_json::from_str(line)?;
        for (position, played) in of_the_loser(&game).unwrap_or_default() {
            table.new_generation();
            let Some(chosen) = choose(&position, nodes, &table) else { continue };
            let gives = |point| position.play(point).is_ok_and(|after| wins(&after, proof));
            let (theirs, ours) = (gives(played), gives(chosen));
            positions += 1;
            loser_gave += u32::from(theirs);
            we_gave += u32::from(ours);
            only_we += u32::from(ours && !theirs);
            holdable += u32::from(!(ours && theirs));
        }
    }
    println!(
        "{positions} positions: a proven win was given by the loser in {loser_gave}, by us in {we_gave} ({only_we} where the \
         loser's move gave none); where one of the two moves gave none ({holdable}), ours gave none in {}",
        holdable - only_we
    );
    Ok(())
}
