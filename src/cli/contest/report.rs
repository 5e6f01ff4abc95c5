//! What came of a match, for people and for programs.

use std::fmt::Display;

use contest::player::FaultKind;
use contest::series::{Contestant, Results};
use contest::statistics::{Interval, Tally};
use serde_json::{Value, json};

/// What the margins of a game count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Margins {
    /// Discs.
    Discs,
    /// Only who won.
    Winner,
}

/// The state of a match beside its progress bar.
pub fn short(tally: &Tally) -> String {
    let games = format!("+{} ={} -{}", tally.wins, tally.draws, tally.losses);
    tally.elo().map_or(games.clone(), |elo| format!("{games} Elo {}", with_ends(elo)))
}

/// The whole result.
pub fn lines<M>(names: &[String; 2], results: &Results<M>, margins: Margins) -> Vec<String> {
    let tally = &results.tally;
    let mut lines = vec![
        format!("A  {}", names[0]),
        format!("B  {}", names[1]),
        format!("{} games: A won {}, drew {}, lost {}", tally.games(), tally.wins, tally.draws, tally.losses),
        format!("pairs by A's half points 0..4: {:?}", tally.pairs),
    ];
    if let (Some(score), Some(elo), Some(margin)) = (tally.score(), tally.elo(), tally.margin_a_game()) {
        let margin = match margins {
            Margins::Discs => format!(" {margin:+.2} discs a game,"),
            Margins::Winner => String::new(),
        };
        lines.push(format!(
            "score {:.1} % ({:.1} to {:.1}),{margin} Elo {}",
            100.0 * score.value,
            100.0 * score.low,
            100.0 * score.high,
            with_ends(elo)
        ));
    }
    for (contestant, name) in [(Contestant::A, 'A'), (Contestant::B, 'B')] {
        let time = results.time_a_move(contestant).as_secs_f64() * 1_000.0;
        let mut line = format!("{name}: {time:.1} ms a move");
        for kind in FaultKind::ALL {
            if let Some(count) = results.faults.get(&(contestant, kind)) {
                line.push_str(&format!(", {count} games lost by {}", kind.name().replace('_', " ")));
            }
        }
        lines.push(line);
    }
    // The first fault tells most about what is wrong.
    if let Some((_, fault)) = results.games.iter().find_map(|game| game.fault()) {
        lines.push(format!("first fault: {fault}"));
    }
    lines
}

/// An estimate with the ends of its interval, as `+12 (-3 to +27)`.
fn with_ends(elo: Interval) -> String {
    format!("{:+.0} ({:+.0} to {:+.0})", elo.value, elo.low, elo.high)
}

/// The whole result with every game.
pub fn json<M: Display>(names: &[String; 2], seed: u64, results: &Results<M>, margins: Margins) -> Value {
    let tally = &results.tally;
    let faults = |contestant| -> Value {
        let count = |kind: FaultKind| results.faults.get(&(contestant, kind)).copied().unwrap_or(0);
        FaultKind::ALL
            .iter()
            .map(|&kind| (kind.name().to_owned(), json!(count(kind))))
            .collect::<serde_json::Map<_, _>>()
            .into()
    };
    let milliseconds = |contestant| results.time_a_move(contestant).as_secs_f64() * 1_000.0;
    let games: Vec<Value> = results
        .games
        .iter()
        .map(|game| {
            let black = match game.first {
                Contestant::A => "a",
                Contestant::B => "b",
            };
            json!({
                "pair": game.pair,
                "black": black,
                "moves": game.record.moves.iter().map(M::to_string).collect::<Vec<_>>(),
                "margin_of_a": game.margin_of_a(),
                "fault": game.fault().map(|(loser, fault)| json!({
                    "by": if loser == Contestant::A { "a" } else { "b" },
                    "kind": fault.kind().name(),
                    "detail": fault.to_string(),
                })),
            })
        })
        .collect();
    let discs = match margins {
        Margins::Discs => tally.margin_a_game(),
        Margins::Winner => None,
    };
    json!({
        "a": names[0],
        "b": names[1],
        "seed": seed,
        "games_played": tally.games(),
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "pairs_by_half_points": tally.pairs,
        "score": tally.score().map(interval),
        "discs_a_game": discs,
        "elo": tally.elo().map(interval),
        "ms_a_move": {"a": milliseconds(Contestant::A), "b": milliseconds(Contestant::B)},
        "faults": {"a": faults(Contestant::A), "b": faults(Contestant::B)},
        "games": games,
    })
}

/// An infinite end (every point won) is `null`: JSON has no infinity.
fn interval(interval: Interval) -> Value {
    json!({"value": interval.value, "low": interval.low, "high": interval.high})
}
