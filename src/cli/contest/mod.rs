//! `discern match`: two players against each other over many openings, and what the results prove.
//!
//! The frame (pairs of games, refereeing, statistics) is the `contest` crate and knows no game; this room brings the
//! games' rules, openings and players to it.

mod game;
mod gomoku;
mod gtp;
mod nboard;
mod openings;
mod own;
mod report;
mod setting;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use ::gomoku::rules::{Rule, UnsupportedRule};
use clap::{Args, ValueEnum, value_parser};
use contest::game::Game;
use contest::random;
use contest::series::{self, Maker, Plan};
use indicatif::{ProgressBar, ProgressStyle};

use super::exit::{Exit, Failure, Outcome};
use super::output::Output;
use game::Othello;
use report::Margins;
use setting::Setting;

/// Who plays, over how many games, from which openings.
#[derive(Debug, Args)]
#[command(after_help = PLAYERS_HELP)]
pub struct MatchArgs {
    /// The player whose results are told.
    a: String,

    /// Its opponent.
    b: String,

    /// The game.
    #[arg(long, value_enum, default_value_t = Played::Othello)]
    game: Played,

    /// With --game gomoku: freestyle, standard or renju.
    #[arg(long, value_name = "RULE", default_value = "freestyle", value_parser = rule)]
    rule: Rule,

    /// Games; each opening is played twice, once with each colour.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = value_parser!(u32).range(2..=1_000_000))]
    games: u32,

    /// Which openings are drawn; the same number draws the same ones.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Openings to draw from, one line of moves each, instead of the built-in ones: 1,000 of XOT for Othello, about 100
    /// balanced ones for Gomoku.
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,

    /// A player that takes longer for a move loses the game.
    #[arg(long, value_name = "MS", default_value_t = 60_000, value_parser = value_parser!(u64).range(1..))]
    move_limit_ms: u64,

    /// Games at once.
    #[arg(long, value_name = "COUNT", default_value = "1")]
    jobs: NonZeroUsize,

    /// Print one JSON object, all games included.
    #[arg(long)]
    json: bool,
}

const PLAYERS_HELP: &str = "\
Players:
  discern                          this engine, 100 ms a move
  discern,KEY=VALUE,...            with level, seed, time_ms, nodes, depth, selectivity,
                                   exact_from_empties, threads, table_mib, and for the lab
                                   techniques (+null_move-killers, none+history)
  gtp:COMMAND                      a program that speaks the Go Text Protocol for Othello
  nboard:COMMAND                   a program that speaks the NBoard protocol
  nboard,depth=N:COMMAND           with `set depth N` at the start

With --game gomoku:
  discern,KEY=VALUE,...            with level, seed, time_ms, nodes, depth, threads, table_mib, without (a technique)
  gomocup:COMMAND                  a program that speaks the Gomocup protocol, 100 ms a move
  gomocup,time_ms=N,nodes=N:COMMAND

  discern match discern,depth=8 discern,depth=6 --games 400
  discern match --game gomoku discern,nodes=20000 'gomocup:/other/discern gomocup' --rule standard
  discern match discern,time_ms=50 'nboard:/other/discern nboard --time-ms 50'";

/// The games that matches are played in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Played {
    /// Othello on the 8x8 board.
    Othello,
    /// Gomoku on the 15x15 board.
    Gomoku,
}

fn rule(name: &str) -> Result<Rule, UnsupportedRule> {
    Rule::from_name(name)
}

/// Plays the match and prints what came of it.
pub fn run(args: &MatchArgs) -> Outcome {
    match args.game {
        Played::Othello => {
            let lines = openings::load(args.openings.as_deref())?;
            let [a, b]: [Setting; 2] = settings(args)?;
            contest(args, Othello::start(), &lines, [&|| a.player(), &|| b.player()], Margins::Discs)
        }
        Played::Gomoku => {
            let lines = gomoku::openings(args.openings.as_deref(), args.rule)?;
            let [a, b]: [gomoku::Setting; 2] = settings(args)?;
            let makers: [Maker<'_, gomoku::Board>; 2] =
                [&|| Ok(a.player(args.rule)), &|| Ok(b.player(args.rule))];
            contest(args, gomoku::Board::start(args.rule), &lines, makers, Margins::Winner)
        }
    }
}

/// Both players as the command line writes them.
fn settings<S: FromStr<Err = String>>(args: &MatchArgs) -> Result<[S; 2], Failure> {
    let read = |text: &String| text.parse().map_err(|message| Failure::new(Exit::Usage, message));
    Ok([read(&args.a)?, read(&args.b)?])
}

fn contest<G: Game>(
    args: &MatchArgs,
    start: G,
    lines: &[Vec<G::Move>],
    makers: [Maker<'_, G>; 2],
    margins: Margins,
) -> Outcome {
    // An odd number of games is rounded up to whole pairs.
    let pairs = (args.games as usize).div_ceil(2);
    let drawn = random::choice(lines.len(), pairs, args.seed).into_iter();
    let plan = Plan {
        start,
        openings: drawn.map(|index| lines[index].clone()).collect(),
        move_limit: Some(Duration::from_millis(args.move_limit_ms)),
        jobs: args.jobs.get(),
    };
    let bar = progress_bar(pairs as u64);
    let results = series::play(&plan, makers, |results| {
        bar.set_message(report::short(&results.tally));
        bar.inc(1);
    });
    bar.finish_and_clear();
    let results = results.map_err(|fault| Failure::new(Exit::Unavailable, fault.to_string()))?;
    let mut output = Output::stdout();
    let names = [args.a.clone(), args.b.clone()];
    if args.json {
        output.line(report::json(&names, args.seed, &results, margins).to_string());
    } else {
        report::lines(&names, &results, margins).iter().for_each(|line| output.line(line));
    }
    Ok(())
}

/// A bar on standard error; hidden when that is no terminal.
fn progress_bar(pairs: u64) -> ProgressBar {
    let style =
        ProgressStyle::with_template("{wide_bar} {pos}/{len} pairs {msg} {elapsed} (about {eta} left)")
            .expect("the template is well formed");
    ProgressBar::new(pairs).with_style(style)
}
