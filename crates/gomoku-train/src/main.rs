//! Trains the Gomoku evaluation: plays games against itself, fits the weights to them, packs them.

#![forbid(unsafe_code)]

mod calibrate;
mod fit;
mod import;
mod order;
mod play;
mod random;
mod record;
mod solve;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Parser, Subcommand};
use gomoku::evaluation::UNITS_PER_LOGIT;
use gomoku::rules::Rule;

use crate::fit::Fit;

#[derive(Parser)]
#[command(version, about = "Trains the Gomoku evaluation")]
struct Arguments {
    #[command(subcommand)]
    command: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Plays games into a file; goes on where it was stopped.
    Play {
        /// The file.
        file: PathBuf,
        /// Games wanted in the file.
        #[arg(long)]
        games: usize,
        /// The rule: freestyle, standard or renju.
        #[arg(long, default_value = "freestyle", value_parser = rule)]
        rule: Rule,
        /// Nodes a move.
        #[arg(long, default_value_t = 1_500)]
        nodes: u64,
        /// Number of the first game; files that shall differ need numbers that do.
        #[arg(long, default_value_t = 0)]
        first: u64,
    },
    /// Fits what an estimate means as a chance of winning to how the games of some files ended.
    Calibrate {
        /// Files of games.
        #[arg(required = true)]
        games: Vec<PathBuf>,
    },
    /// Turns recorded games of other engines (JSON, one a line) into a file of games.
    Import {
        /// The recorded games.
        recorded: PathBuf,
        /// The rule whose games are taken.
        #[arg(long, default_value = "freestyle", value_parser = rule)]
        rule: Rule,
        /// Number of the first game.
        #[arg(long, default_value_t = 0)]
        first: u64,
        /// The file to write.
        #[arg(long)]
        out: PathBuf,
    },
    /// Fits the weights to the games of some files and writes them as the engine reads them.
    Fit {
        /// Files of games.
        #[arg(required = true)]
        games: Vec<PathBuf>,
        /// The rule that the games were played by.
        #[arg(long, default_value = "freestyle", value_parser = rule)]
        rule: Rule,
        /// Files of games whose moves are what move ordering shall foretell; all games where none are named.
        #[arg(long = "order")]
        order: Vec<PathBuf>,
        /// The file to write.
        #[arg(long)]
        out: PathBuf,
    },
}

fn rule(name: &str) -> Result<Rule, gomoku::rules::UnsupportedRule> {
    Rule::from_name(name)
}

fn main() -> anyhow::Result<()> {
    match Arguments::parse().command {
        Action::Play { file, games, rule, nodes, first } => {
            play::play_games(&file, play::Settings { rule, nodes, first, games })
        }
        Action::Import { recorded, rule, first, out } => {
            let text =
                fs::read_to_string(&recorded).with_context(|| format!("reading {}", recorded.display()))?;
            let lines: String =
                import::games(&text, rule, first)?.iter().map(|game| game.line() + "\n").collect();
            fs::write(&out, lines).with_context(|| format!("writing {}", out.display()))
        }
        Action::Calibrate { games } => calibrate_games(&games),
        Action::Fit { games, rule, order, out } => {
            let order = if order.is_empty() { &games } else { &order };
            fit_games(&games, order, rule, &out)
        }
    }
}

fn read(files: &[PathBuf]) -> anyhow::Result<Vec<record::Game>> {
    let mut games = Vec::new();
    for file in files {
        games.extend(record::read(file)?);
    }
    Ok(games)
}

fn calibrate_games(files: &[PathBuf]) -> anyhow::Result<()> {
    let games = read(files)?;
    let samples = calibrate::samples(&games);
    let fitted = calibrate::fit(&samples);
    println!("{} games, {} estimates: {fitted:.0} units to a logit", games.len(), samples.len());
    for scale in [UNITS_PER_LOGIT, fitted] {
        let error = |held_out| calibrate::error(&samples, scale, held_out);
        println!("{scale:.0}: cross entropy {:.4}, held out {:.4}", error(false), error(true));
    }
    for (count, told, came) in calibrate::reliability(&samples, fitted) {
        println!("{count} estimates: told {told:.3}, came {came:.3}");
    }
    Ok(())
}

fn fit_games(files: &[PathBuf], order: &[PathBuf], rule: Rule, out: &Path) -> anyhow::Result<()> {
    let games = read(files)?;
    let samples = fit::samples(&games, rule);
    let mut fit = Fit::new();
    let errors = |fit: &Fit| (fit.error(&samples, false), fit.error(&samples, true));
    let before = errors(&fit);
    fit.train(&samples);
    let after = errors(&fit);
    println!(
        "{} games, {} positions; cross entropy of the results, trained on and held out:",
        games.len(),
        samples.len()
    );
    println!("knowing nothing {:.4} {:.4}, fitted {:.4} {:.4}", before.0, before.1, after.0, after.1);
    let choices = order::choices(&read(order)?, rule);
    let order = order::Order::fit(&choices);
    let (loss, [first, third, eighth]) = order.report(&choices);
    println!(
        "{} choices; held out: cross entropy {loss:.4}, the move chosen is first {first:.3}, among three {third:.3}, among eight {eighth:.3}",
        choices.len()
    );
    println!("{:.1?} {:.2?}", order.sides(), order.nearness());
    fs::write(out, fit.pack(rule, &order)).with_context(|| format!("writing {}", out.display()))
}
