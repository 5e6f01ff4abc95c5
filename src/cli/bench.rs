//! `discern bench`: the node count that names a version of the engine, and the endgame problems that others publish.

use clap::{Args, Subcommand};
use othello::bench;
use othello::notation::obf;
use serde_json::json;

use super::exit::Outcome;
use super::output::Output;
use super::report::{Form, Numbered, solve_all};
use super::solve::{Means, parse_range};

/// FFO problems 20 to 79 (Fédération Française d'Othello), the first line is problem 20.
const FFO_FROM_20: &str = include_str!("../../tests/data/othello/ffo-20-79.obf");

/// Number of the first problem in [`FFO_FROM_20`].
const FIRST_PROBLEM: usize = 20;

/// Which bench.
#[derive(Debug, Args)]
pub struct BenchArgs {
    #[command(subcommand)]
    which: Option<Which>,

    /// Print JSON.
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Which {
    /// Solve FFO problems, one row each: nodes, time, processor time.
    Endgame(EndgameArgs),
}

/// Which problems, and with what.
#[derive(Debug, Args)]
struct EndgameArgs {
    /// FFO problems, from 20 on.
    #[arg(long, value_name = "FROM-TO", default_value = "40-49", value_parser = parse_range)]
    range: std::ops::RangeInclusive<usize>,

    #[command(flatten)]
    means: Means,
}

/// Runs the bench.
pub fn run(args: &BenchArgs) -> Outcome {
    match &args.which {
        None => {
            signature(args);
            Ok(())
        }
        Some(Which::Endgame(endgame)) => {
            let entries = obf::read_file(FFO_FROM_20).expect("the problems are well formed");
            let numbered =
                entries.iter().zip(FIRST_PROBLEM..).map(|(entry, number)| Numbered { number, entry });
            let positions: Vec<_> =
                numbered.filter(|position| endgame.range.contains(&position.number)).collect();
            let form = if args.json { Form::JsonLines } else { Form::Table };
            solve_all(&endgame.means.solver(), &positions, form)
        }
    }
}

/// Prints the nodes of the fixed bench: the same on every machine for one version of the engine.
fn signature(args: &BenchArgs) {
    let nodes = bench::signature(&bench::run());
    Output::stdout().line(if args.json {
        json!({ "bench_nodes": nodes }).to_string()
    } else {
        format!("Bench: {nodes}")
    });
}
