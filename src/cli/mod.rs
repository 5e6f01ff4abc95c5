//! The command line: one file a command. Nothing above it; it parses, wires the floors below together, and prints.

mod exit;
mod gomocup;
mod health;
mod output;
mod version;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

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
    /// Play Gomoku with a manager that speaks the Gomocup protocol.
    Gomocup(gomocup::GomocupArgs),
    /// Ask a running service whether it is ready.
    Health(health::HealthArgs),
}

/// Runs the program and says how it ended.
pub fn main() -> ExitCode {
    let matches = match Line::command().try_get_matches() {
        Ok(matches) => matches,
        Err(error) => return refused(&error),
    };
    let line = match Line::from_arg_matches(&matches) {
        Ok(line) => line,
        Err(error) => return refused(&error),
    };
    let outcome = run(&line.command);
    match outcome {
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

fn run(command: &Command) -> Outcome {
    match command {
        Command::Gomocup(args) => gomocup::run(args),
        Command::Health(args) => health::run(args),
    }
}

/// Ends on a command line that clap refuses, or that asked for help.
fn refused(error: &clap::Error) -> ExitCode {
    // As above: the exit code says it as well.
    let _ = error.print();
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => ExitCode::SUCCESS,
        _ => Exit::Usage.into(),
    }
}
