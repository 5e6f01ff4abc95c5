//! Plays our engine against itself with different settings, both colours on every opening, at a node limit a move:
//! `cargo run --release -p gomoku --example duel -- OPENINGS NODES_A NODES_B [TECHNIQUE_INDICES_OFF_IN_B] [PAIRS]`.
//! `OPENINGS` is a file of `eval<TAB>moves` lines. Prints wins, draws and losses of A and the Elo difference.

use std::sync::Arc;

use gomoku::point::{Point, RowOne, Size};
use gomoku::position::{Position, Status};
use gomoku::query::{Goal, Query};
use gomoku::rules::Rule;
use gomoku::search::GomokuSearch;
use gomoku::search::table::Table;
use gomoku::search::techniques::{Technique, Techniques};
use searchkit::clock::StoppedClock;
use searchkit::crew;
use searchkit::stop::StopFlag;

struct Player {
    nodes: u64,
    techniques: Techniques,
    table: Arc<Table>,
}

impl Player {
    fn choose(&self, position: &Position) -> Option<Point> {
        let query = Query {
            position: position.clone(),
            goal: Goal::BestMove,
            root_moves: None,
            depth: None,
            nodes: Some(self.nodes),
            techniques: self.techniques,
            threads: 1,
        };
        let search = GomokuSearch::new(&query, Arc::clone(&self.table));
        crew::run(&search, 1, &StoppedClock, None, &StopFlag::new(), &|_| {}).best_move()
    }
}

/// Points of the first player (black's seat) from one game.
fn play(black: &Player, white: &Player, opening: &[Point]) -> f64 {
    black.table.new_generation();
    white.table.new_generation();
    let mut position = match Position::from_moves(Size::DEFAULT, Rule::Freestyle, opening) {
        Ok(position) => position,
        Err(_) => return 0.5,
    };
    while position.status() == Status::InProgress {
        let player = if position.stones().is_multiple_of(2) { black } else { white };
        let Some(next) = player.choose(&position).and_then(|point| position.play(point).ok()) else { break };
        position = next;
    }
    match position.status() {
        Status::Won(gomoku::color::Color::Black) => 1.0,
        Status::Won(gomoku::color::Color::White) => 0.0,
        _ => 0.5,
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, nodes_a, nodes_b, rest @ ..] = &arguments[..] else {
        return Err("usage: duel OPENINGS NODES_A NODES_B [TECHNIQUE_INDICES_OFF_IN_B|-] [PAIRS]".into());
    };
    let off: Vec<usize> = rest
        .first()
        .map(|text| text.split(',').filter_map(|word| word.parse().ok()).collect())
        .unwrap_or_default();
    let pairs: usize = rest.get(1).map_or(Ok(20), |text| text.parse())?;
    let techniques_b = off
        .iter()
        .filter_map(|&index| Technique::ALL.get(index))
        .fold(Techniques::ALL, |all, &technique| all.without(technique));
    let player = |nodes: &String, techniques| -> Result<Player, std::num::ParseIntError> {
        Ok(Player { nodes: nodes.parse()?, techniques, table: Arc::new(Table::new(16 << 20)) })
    };
    let a = player(nodes_a, Techniques::ALL)?;
    let b = player(nodes_b, techniques_b)?;
    let text = std::fs::read_to_string(file)?;
    let openings = text.lines().filter_map(|line| line.split_once('\t')).take(pairs);
    let (mut points, mut games, mut counts) = (0.0, 0.0, [0; 3]);
    for (_, moves) in openings {
        let opening: Vec<Point> =
            moves.split(' ').filter_map(|name| Point::parse(name, Size::DEFAULT, RowOne::Top).ok()).collect();
        for result in [play(&a, &b, &opening), 1.0 - play(&b, &a, &opening)] {
            points += result;
            games += 1.0;
            counts[(2.0 - 2.0 * result) as usize] += 1;
        }
    }
    let share: f64 = (points / games).clamp(0.001, 0.999);
    let elo = -400.0 * (1.0 / share - 1.0).log10();
    let [won, drawn, lost] = counts;
    println!("A {nodes_a} against B {nodes_b} (off in B: {off:?}): {won}/{drawn}/{lost}, Elo of A {elo:+.0}");
    Ok(())
}
