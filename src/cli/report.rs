//! Rows and totals of many solved positions, for people and for programs.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use othello::notation::obf::Entry;
use serde_json::json;

use super::exit::{Exit, Failure, Outcome};
use super::output::Output;
use super::solving::{Solved, Solver, mega_per_second};

/// Who reads the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A table.
    Table,
    /// One JSON object a line, the totals last.
    JsonLines,
}

/// One position of a set, with the number people know it by.
#[derive(Debug)]
pub struct Numbered<'a> {
    /// Its number.
    pub number: usize,
    /// The position and the values that the file gives.
    pub entry: &'a Entry,
}

/// Sums over the positions so far.
#[derive(Debug, Default)]
struct Totals {
    positions: u64,
    mismatches: u64,
    nodes: u64,
    elapsed: Duration,
    cpu: Duration,
}

/// Solves every position, prints a row for each and the totals. A progress bar goes to standard error when a person
/// looks at it.
///
/// # Errors
/// With code 1 when a value differs from the file's.
pub fn solve_all(solver: &Solver, positions: &[Numbered<'_>], form: Form) -> Outcome {
    let mut output = Output::stdout();
    let bar = progress_bar(positions.len() as u64);
    if form == Form::Table {
        let [number, empties, value, best, file] = ["no.", "empties", "value", "best", "file"];
        let head = format!("{number:>4} {empties:>7} {value:>5} {best:>4} {file:>5}");
        bar.suspend(|| {
            output.line(format!("{head} {:>15} {:>10} {:>10} {:>7}", "nodes", "ms", "cpu ms", "Mn/s"))
        });
    }
    let mut totals = Totals::default();
    for position in positions {
        bar.set_message(format!("no. {}", position.number));
        let solved = solver.solve(position.entry.read.position)?;
        let matches = agrees(position.entry, &solved);
        totals.add(&solved, matches);
        let row = match form {
            Form::Table => table_row(position, &solved, matches),
            Form::JsonLines => json_row(position, &solved, matches),
        };
        bar.suspend(|| output.line(row));
        bar.inc(1);
    }
    bar.finish_and_clear();
    output.line(match form {
        Form::Table => totals.sentence(),
        Form::JsonLines => totals.json(),
    });
    if totals.mismatches > 0 { Err(Failure::silent(Exit::Negative)) } else { Ok(()) }
}

/// A bar on standard error; hidden when that is no terminal.
fn progress_bar(length: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} {msg} {elapsed} (about {eta} left)")
        .expect("the template is well formed");
    let bar = ProgressBar::new(length).with_style(style);
    // Between two rows only time moves, and it should be seen to.
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
}

/// Whether value and move agree with the file; `None` when the file gives no values. The move must be one of the best.
fn agrees(entry: &Entry, solved: &Solved) -> Option<bool> {
    let expected = expected(entry)?;
    let of_move = entry.read.values.iter().find(|&&(mv, _)| Some(mv) == solved.best);
    let right_move = of_move.is_none_or(|&(_, value)| i32::from(value) == expected);
    Some(solved.value == expected && right_move)
}

/// The value of the position in the file: that of its best move.
fn expected(entry: &Entry) -> Option<i32> {
    entry.read.values.iter().map(|&(_, value)| i32::from(value)).max()
}

fn table_row(position: &Numbered<'_>, solved: &Solved, matches: Option<bool>) -> String {
    let file = expected(position.entry).map_or("-".to_owned(), |value| format!("{value:+}"));
    let best = solved.best.map_or("-".to_owned(), |mv| mv.to_string());
    format!(
        "{:>4} {:>7} {:>+5} {best:>4} {file:>5} {:>15} {:>10} {:>10} {:>7.1}{}",
        position.number,
        position.entry.read.position.empty().count_ones(),
        solved.value,
        solved.nodes,
        solved.elapsed.as_millis(),
        solved.cpu.as_millis(),
        mega_per_second(solved.nodes, solved.cpu),
        if matches == Some(false) { "  DIFFERS" } else { "" },
    )
}

fn json_row(position: &Numbered<'_>, solved: &Solved, matches: Option<bool>) -> String {
    let line: Vec<_> = solved.line.iter().map(ToString::to_string).collect();
    json!({
        "number": position.number,
        "line": position.entry.line + 1,
        "empties": position.entry.read.position.empty().count_ones(),
        "value": solved.value,
        "best_move": solved.best.map(|mv| mv.to_string()),
        "principal_variation": line,
        "expected": expected(position.entry),
        "matches": matches,
        "nodes": solved.nodes,
        "elapsed_ms": solved.elapsed.as_millis() as u64,
        "cpu_ms": solved.cpu.as_millis() as u64,
    })
    .to_string()
}

impl Totals {
    fn add(&mut self, solved: &Solved, matches: Option<bool>) {
        self.positions += 1;
        self.mismatches += u64::from(matches == Some(false));
        self.nodes += solved.nodes;
        self.elapsed += solved.elapsed;
        self.cpu += solved.cpu;
    }

    fn sentence(&self) -> String {
        format!(
            "{} positions, {} differ from the file; {} nodes, {:.2} s, {:.2} s of CPU, {:.1} Mn/s of CPU",
            self.positions,
            self.mismatches,
            self.nodes,
            self.elapsed.as_secs_f64(),
            self.cpu.as_secs_f64(),
            mega_per_second(self.nodes, self.cpu),
        )
    }

    fn json(&self) -> String {
        json!({ "total": {
            "positions": self.positions,
            "mismatches": self.mismatches,
            "nodes": self.nodes,
            "elapsed_ms": self.elapsed.as_millis() as u64,
            "cpu_ms": self.cpu.as_millis() as u64,
        }})
        .to_string()
    }
}

#[cfg(test)]
mod tests {
    use othello::notation::obf::read_file;
    use othello::notation::transcript::read_move;

    use super::*;

    const FFO_1: &str = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12;";

    fn solved(value: i32, best: &str) -> Solved {
        Solved {
            value,
            best: Some(read_move(best).expect("a move")),
            line: Vec::new(),
            nodes: 1,
            elapsed: Duration::ZERO,
            cpu: Duration::ZERO,
        }
    }

    #[test]
    fn a_row_agrees_when_value_and_move_do() {
        let entries = read_file(FFO_1).expect("one position");
        assert_eq!(agrees(&entries[0], &solved(18, "g8")), Some(true));
        assert_eq!(agrees(&entries[0], &solved(12, "g8")), Some(false), "wrong value");
        assert_eq!(agrees(&entries[0], &solved(18, "h1")), Some(false), "a move of another value");
    }

    #[test]
    fn a_file_without_values_is_never_contradicted() {
        let bare = FFO_1.split_once(';').expect("it has values").0;
        let entries = read_file(bare).expect("one position");
        assert_eq!(agrees(&entries[0], &solved(18, "g8")), None);
    }
}
