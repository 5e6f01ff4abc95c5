//! `discern solve FILE.obf`: proves the value of every position of a file and compares it with the file's.

use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::{Args, value_parser};
use othello::notation::obf;

use super::exit::{Exit, Failure, Outcome};
use super::report::{Form, Numbered, solve_all};
use super::solving::Solver;

/// Largest file that is read, in bytes. A position takes about 200.
const MAX_FILE_BYTES: u64 = 64 << 20;

/// What to solve, and with what.
#[derive(Debug, Args)]
pub struct SolveArgs {
    /// OBF file: a board of 64 characters, the side to move, and `; MOVE:VALUE` entries, one position a line.
    file: PathBuf,

    /// Only the first so many positions.
    #[arg(long, value_name = "N", conflicts_with = "range", value_parser = value_parser!(u32).range(1..))]
    first: Option<u32>,

    /// Only these positions, counted from 1: 3-7.
    #[arg(long, value_name = "FROM-TO", value_parser = parse_range)]
    range: Option<RangeInclusive<usize>>,

    #[command(flatten)]
    means: Means,

    /// Print one JSON object a line: a row for each position, then the totals.
    #[arg(long)]
    json: bool,
}

/// What a solving command works with.
#[derive(Debug, Args)]
pub struct Means {
    /// Threads to search with.
    #[arg(long, value_name = "COUNT", default_value = "1")]
    pub threads: NonZeroUsize,

    /// Size of the transposition table, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = value_parser!(u32).range(1..=1_048_576))]
    pub table_mib: u32,
}

impl Means {
    /// A solver with these means.
    pub fn solver(&self) -> Solver {
        Solver::new(self.threads, self.table_mib as usize)
    }
}

/// Reads the file, solves, prints.
pub fn run(args: &SolveArgs) -> Outcome {
    let entries = read(&args.file)?;
    let wanted = match (&args.range, args.first) {
        (Some(range), _) => range.clone(),
        (None, Some(first)) => 1..=first as usize,
        (None, None) => 1..=entries.len(),
    };
    let positions: Vec<_> = entries
        .iter()
        .enumerate()
        .map(|(index, entry)| Numbered { number: index + 1, entry })
        .filter(|position| wanted.contains(&position.number))
        .collect();
    if positions.is_empty() {
        let message =
            format!("{}: none of its {} positions is asked for", args.file.display(), entries.len());
        return Err(Failure::new(Exit::Data, message));
    }
    let form = if args.json { Form::JsonLines } else { Form::Table };
    solve_all(&args.means.solver(), &positions, form)
}

fn read(path: &PathBuf) -> Result<Vec<obf::Entry>, Failure> {
    let unreadable = |error| Failure::new(Exit::NoInput, format!("{}: {error}", path.display()));
    let length = std::fs::metadata(path).map_err(unreadable)?.len();
    if length > MAX_FILE_BYTES {
        let message =
            format!("{}: {length} bytes are more than the {MAX_FILE_BYTES} that are read", path.display());
        return Err(Failure::new(Exit::Data, message));
    }
    let text = std::fs::read_to_string(path).map_err(unreadable)?;
    obf::read_file(&text).map_err(|error| Failure::new(Exit::Data, format!("{}: {error}", path.display())))
}

/// Reads `3-7` or `5`.
pub fn parse_range(text: &str) -> Result<RangeInclusive<usize>, String> {
    let shape = "two positions counted from 1, the first not after the second: 3-7";
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    match (from.parse(), to.parse()) {
        (Ok(from), Ok(to)) if 1 <= from && from <= to => Ok(from..=to),
        _ => Err(shape.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_count_from_one() {
        assert_eq!(parse_range("3-7"), Ok(3..=7));
        assert_eq!(parse_range("5"), Ok(5..=5));
        for bad in ["0-3", "7-3", "", "-", "a-b", "1-", "-3"] {
            assert!(parse_range(bad).is_err(), "{bad}");
        }
    }
}
