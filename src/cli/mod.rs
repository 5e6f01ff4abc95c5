//! The command line: one file a command. Nothing above it; it parses, wires the floors below together, and prints.

mod analyze;
mod bench;
mod compare;
mod contest;
mod exit;
mod gomocup;
mod gtp;
mod health;
mod key;
mod lines;
mod load;
mod logging;
mod nboard;
mod openapi;
mod output;
mod perft;
mod report;
mod serve;
mod settings;
mod solve;
mod solving;
mod thinking;
mod version;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};

use exit::{CODES_HELP, Exit, Outcome};

/// Othello and Gomoku analysis: the best move, the value of every move, and how sure the answer is.
#[derive(Debug, Parser)]
#[command(name = "discern", version = version::long(), after_help = CODES_HELP, subcommand_required = true,
          arg_required_else_help = true)]
struct Line {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the service.
    Serve(serve::ServeArgs),
    /// Analyse a position, for people or for programs.
    Analyze(analyze::AnalyzeArgs),
    /// Prove the values of the positions of a file.
    Solve(solve::SolveArgs),
    /// Print the node count that names this version of the engine, or solve known problems.
    Bench(bench::BenchArgs),
    /// Count lines of play.
    Perft(perft::PerftArgs),
    /// Print the OpenAPI document of the service.
    Openapi,
    /// Play Gomoku with a manager that speaks the Gomocup protocol.
    Gomocup(gomocup::GomocupArgs),
    /// Search one position with several pruning techniques, side by side.
    Compare(compare::CompareArgs),
    /// Play two engines against each other over many openings: win ratio, discs a game, Elo.
    Match(contest::MatchArgs),
    /// Play Othello with a program that speaks the Go Text Protocol.
    Gtp(gtp::GtpArgs),
    /// Play and analyse Othello for a board that speaks the NBoard protocol.
    Nboard(nboard::NboardArgs),
    /// Put a load on a running service and measure how it holds.
    Load(load::LoadArgs),
    /// Ask a running service whether it is ready.
    Health(health::HealthArgs),
    /// Make an API key.
    Key(key::KeyArgs),
}

/// Runs the program and says how it ended.
pub fn main() -> ExitCode {
    let whole = Line::command();
    let parsed = whole.clone().try_get_matches();
    let parsed = parsed.and_then(|matches| Ok((Line::from_arg_matches(&matches)?, matches)));
    let (line, matches) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => return refused(&error),
    };
    match run(&line.command, &whole, &matches) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if !failure.message.is_empty() {
                // With standard error closed there is nobody to tell; the exit code still says it.
                let _ = writeln!(io::stderr(), "discern: {}", failure.message);
            }
            failure.exit.into()
        }
    }
}

fn run(command: &Command, whole: &clap::Command, matches: &ArgMatches) -> Outcome {
    match command {
        Command::Serve(args) => {
            let (name, matches) = matches.subcommand().expect("clap has just matched a subcommand");
            let own = whole.find_subcommand(name).expect("it is one of ours");
            serve::run(args, whole, own, matches)
        }
        Command::Analyze(args) => analyze::run(args),
        Command::Solve(args) => solve::run(args),
        Command::Bench(args) => bench::run(args),
        Command::Perft(args) => perft::run(args),
        Command::Openapi => openapi::run(),
        Command::Gomocup(args) => gomocup::run(args),
        Command::Compare(args) => compare::run(args),
        Command::Match(args) => contest::run(args),
        Command::Gtp(args) => gtp::run(args),
        Command::Nboard(args) => nboard::run(args),
        Command::Load(args) => load::run(args),
        Command::Health(args) => health::run(args),
        Command::Key(args) => key::run(args),
    }
}

/// Ends on a command line that clap refuses, or that asked for help.
fn refused(error: &clap::Error) -> ExitCode {
    // As above: the exit code says it as well.
    let _ = error.print();
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => ExitCode::SUCCESS,
        // A value may come from a flag or from a variable; either way the settings are at fault, not the spelling.
        ErrorKind::ValueValidation | ErrorKind::InvalidValue if is_serve() => Exit::Config.into(),
        _ => Exit::Usage.into(),
    }
}

/// Whether the service was to be started: only its settings have an exit code of their own.
fn is_serve() -> bool {
    std::env::args_os().nth(1).is_some_and(|command| command == "serve")
}
