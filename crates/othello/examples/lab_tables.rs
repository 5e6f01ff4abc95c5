//! Prints the tables of `docs/LAB.md`.
//!
//! Usage: `cargo run --release -p othello --example lab_tables -- demo|agreement|roots|stability|aids [MAX_DEPTH]`
//!
//! - `demo`: the four named configurations on the demo position of the first founding text.
//! - `agreement`: over all golden positions, how often each keeps score and move of the plain search, and at what
//!   share of its nodes.
//! - `roots`: what reducing late root moves does to the demo.
//! - `stability`: where the cut "stable difference > empties" names the wrong winner, beside the true value and the
//!   bounds that stable discs do prove.
//! - `aids`: nodes with orderings, killers, history and table, none of which changes a value.

use std::error::Error;
use std::path::Path;

use othello::board::Size;
use othello::lab::{
    Counters, EndScore, LateMoveReduction, Leaf, Method, Ordering, Outcome, RootReduction, Technique, search,
};
use othello::position::{Color, Position};
use othello::square::{Move, Squares};
use othello::stability;
use serde_json::Value;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Deepest search of each table unless another is asked.
const MAX_DEPTH: u8 = 7;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let table = arguments.next().unwrap_or_default();
    let max_depth = arguments.next().map_or(Ok(MAX_DEPTH), |depth| depth.parse())?;
    match table.as_str() {
        "demo" => demo(max_depth),
        "agreement" => agreement(max_depth),
        "roots" => roots(max_depth),
        "stability" => stable_cut(),
        "aids" => aids(max_depth),
        _ => Err("usage: lab_tables demo|agreement|roots|stability|aids [MAX_DEPTH]".into()),
    }
}

fn golden(name: &str) -> Result<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/seeds").join(name);
    Ok(serde_json::from_str(&std::fs::read_to_string(path)?)?)
}

/// The 8x8 position of an entry of the golden files.
fn position(entry: &Value) -> Result<Position> {
    let board = entry["board"].as_str().ok_or("an entry without a board")?;
    let discs = |symbol| board.bytes().rev().fold(0, |set: u64, cell| set << 1 | u64::from(cell == symbol));
    let side = if entry["side"] == "X" { Color::Black } else { Color::White };
    Position::new(Size::Eight, discs(b'X'), discs(b'O'), side).ok_or_else(|| "discs overlap".into())
}

fn positions() -> Result<Vec<Position>> {
    golden("othello_selective.json")?["positions"]
        .as_array()
        .ok_or("no positions")?
        .iter()
        .map(position)
        .collect()
}

fn run(technique: &Technique, position: Position, depth: u8) -> Outcome {
    search(technique, position, depth, &mut || None).unwrap_or_else(|_| unreachable!("nobody interrupts"))
}

fn best(outcome: &Outcome) -> String {
    outcome.best_move.map_or_else(|| "-".to_owned(), |best| best.to_string())
}

fn demo(max_depth: u8) -> Result<()> {
    let demo = positions()?[0];
    println!(
        "| depth | configuration | score | move | nodes | null cuts | verifications | lmr cuts | re-searches |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for depth in 4..=max_depth {
        for (name, technique) in Technique::NAMED {
            let found = run(&technique, demo, depth);
            let Counters { nodes, null_cuts, verifications, lmr_cuts, re_searches, .. } = found.counters;
            println!(
                "| {depth} | {name} | {} | {} | {nodes} | {null_cuts} | {verifications} | {lmr_cuts} | {re_searches} |",
                found.score,
                best(&found)
            );
        }
    }
    Ok(())
}

fn agreement(max_depth: u8) -> Result<()> {
    let positions = positions()?;
    println!(
        "| depth | configuration | positions | same score | same move | both | nodes of plain | null cuts | of verifications |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for depth in 4..=max_depth {
        let plain: Vec<Outcome> =
            positions.iter().map(|&position| run(&Technique::PLAIN, position, depth)).collect();
        let plain_nodes: u64 = plain.iter().map(|outcome| outcome.counters.nodes).sum();
        for (name, technique) in &Technique::NAMED[1..] {
            let (mut score, mut mv, mut both, mut nodes) = (0, 0, 0, 0);
            let (mut null_cuts, mut verifications) = (0, 0);
            for (&position, plain) in positions.iter().zip(&plain) {
                let found = run(technique, position, depth);
                let (same_score, same_move) =
                    (found.score == plain.score, found.best_move == plain.best_move);
                score += u32::from(same_score);
                mv += u32::from(same_move);
                both += u32::from(same_score && same_move);
                nodes += found.counters.nodes;
                null_cuts += found.counters.null_cuts;
                verifications += found.counters.verifications;
            }
            let share = 100.0 * nodes as f64 / plain_nodes as f64;
            println!(
                "| {depth} | {name} | {} | {score} | {mv} | {both} | {share:.1} % | {null_cuts} | {verifications} |",
                positions.len()
            );
        }
    }
    Ok(())
}

fn roots(max_depth: u8) -> Result<()> {
    let demo = positions()?[0];
    // Nothing is reduced below the root: no node is that far from it.
    let late = LateMoveReduction { reduction: 1, min_depth: 3, first_index: 6, min_ply: u8::MAX };
    let plain_inside = Technique { late_move_reduction: Some(late), ..Technique::PLAIN };
    println!("| depth | inside | root moves from the seventh on | score | move | nodes |");
    println!("|---|---|---|---|---|---|");
    for depth in 4..=max_depth {
        for (inside, technique) in
            [("plain", plain_inside), ("verified null move, LMR", Technique::VERIFIED_NULL_MOVE_LMR)]
        {
            for (name, root_reduction) in [
                ("searched in full", RootReduction::Never),
                ("one ply shallower", RootReduction::Reduce),
                ("one ply shallower, again when better", RootReduction::ReduceAndRepeat),
            ] {
                let found = run(&Technique { root_reduction, ..technique }, demo, depth);
                let nodes = found.counters.nodes;
                println!("| {depth} | {inside} | {name} | {} | {} | {nodes} |", found.score, best(&found));
            }
        }
    }
    println!("\nValue of every root move of the demo, each searched in full by the plain search:\n");
    let moves: Vec<_> = Squares(demo.moves()).collect();
    println!("| plies | {} |", moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" | "));
    println!("|---|{}", "---|".repeat(moves.len()));
    for depth in 3..=5 {
        let values: Vec<String> = moves
            .iter()
            .map(|&square| {
                let child = demo.play(Move::Place(square))?;
                Ok((-run(&Technique::PLAIN, child, depth - 1).score).to_string())
            })
            .collect::<Result<_>>()?;
        println!("| {depth} | {} |", values.join(" | "));
    }
    Ok(())
}

fn stable_cut() -> Result<()> {
    let data = golden("othello_stability.json")?;
    let entries = data["cutoff_counterexamples"].as_array().ok_or("no counterexamples")?;
    println!(
        "| position | to move | empties | stable by | own | other | the cut says | true value | bounds from our stable discs |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for entry in entries {
        let position = position(entry)?;
        let board = position.board();
        let own = stability::stable_discs(board.player, board.opponent);
        let other = stability::stable_discs(board.opponent, board.player);
        let (lower, upper) =
            (stability::lower_bound(Size::Eight, own), stability::upper_bound(Size::Eight, other));
        let value = i64::from(
            run(
                &Technique {
                    leaf: Leaf::DiscDifference,
                    end_score: EndScore::Discs,
                    ordering: Ordering::Mobility,
                    table: true,
                    stability: true,
                    ..Technique::PLAIN
                },
                position,
                60,
            )
            .score,
        );
        println!(
            "| `{}` | {} | {} | {} | {} | {} | {} | {value} | {lower} .. {upper} |",
            entry["board"].as_str().unwrap_or_default(),
            entry["side"].as_str().unwrap_or_default(),
            entry["empties"],
            entry["stability"].as_str().unwrap_or_default(),
            entry["stable_me"],
            entry["stable_opp"],
            entry["unsound_rule_would_return"],
        );
    }
    Ok(())
}

fn aids(max_depth: u8) -> Result<()> {
    let positions = positions()?;
    let plain = Technique::PLAIN;
    let minimax = Technique { method: Method::Minimax, ..plain };
    let aids = [
        ("alpha-beta, by index", Technique { ordering: Ordering::Index, ..plain }),
        ("alpha-beta, fewest flips", Technique { ordering: Ordering::FewestFlips, ..plain }),
        ("alpha-beta, by weights (plain)", plain),
        ("alpha-beta, by mobility", Technique { ordering: Ordering::Mobility, ..plain }),
        ("by weights, killers", Technique { killers: true, ..plain }),
        ("by weights, history", Technique { history: true, ..plain }),
        ("by weights, table", Technique { table: true, ..plain }),
        (
            "by mobility, killers, table",
            Technique { ordering: Ordering::Mobility, killers: true, table: true, ..plain },
        ),
    ];
    println!("| depth | search | nodes over all positions | first move cuts |");
    println!("|---|---|---|---|");
    for depth in 4..=max_depth {
        // A full-width tree two plies deeper would take minutes.
        let widest = (depth == 4).then_some(("minimax", minimax));
        for (name, technique) in widest.into_iter().chain(aids) {
            let mut total = Counters::default();
            for &position in &positions {
                let counters = run(&technique, position, depth).counters;
                total.nodes += counters.nodes;
                total.beta_cuts += counters.beta_cuts;
                total.first_move_cuts += counters.first_move_cuts;
            }
            let first = if total.beta_cuts == 0 {
                "-".to_owned()
            } else {
                format!("{:.1} %", 100.0 * total.first_move_cuts as f64 / total.beta_cuts as f64)
            };
            println!("| {depth} | {name} | {} | {first} |", total.nodes);
        }
    }
    Ok(())
}
