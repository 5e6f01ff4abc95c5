//! `discern gtp`: plays Othello with a program that speaks the Go Text Protocol on standard input and output.

use std::io;

use clap::Args;
use othello::protocol::gtp::{Gtp, Step};
use othello::query::Goal;
use othello::square::Move;
use searchkit::stop::StopFlag;

use super::exit::{Exit, Failure, Outcome};
use super::lines::read_line;
use super::output::Output;
use super::thinking::{Strength, ThinkingArgs};

/// How strong to play.
#[derive(Debug, Args)]
pub struct GtpArgs {
    #[command(flatten)]
    thinking: ThinkingArgs,
}

/// Answers commands until `quit` or the end of the input.
pub fn run(args: &GtpArgs) -> Outcome {
    let usual = args.thinking.strength();
    let thinker = args.thinking.thinker()?;
    let mut gtp = Gtp::new(env!("CARGO_PKG_VERSION"));
    let mut output = Output::stdout();
    let mut input = io::stdin().lock();
    let failed = |error| Failure::new(Exit::NoInput, format!("standard input: {error}"));
    while let Some(line) = read_line(&mut input).map_err(failed)? {
        match gtp.line(&line) {
            Step::Say(text) if text.is_empty() => {}
            Step::Say(text) => output.line(text),
            Step::Think(question) => {
                let strength = Strength { level: question.level.or(usual.level), ..usual.clone() };
                let thought = thinker.think(
                    question.position,
                    Goal::BestMove,
                    &strength,
                    question.clock,
                    &StopFlag::new(),
                    &|_| {},
                );
                let mv = thought.choice.unwrap_or(Move::Pass);
                output.line(gtp.answer(&question, mv, thought.used));
            }
            Step::Quit(text) => {
                output.line(text);
                break;
            }
        }
    }
    Ok(())
}
