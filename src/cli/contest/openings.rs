//! Openings to play matches from.

use std::path::Path;

use othello::board::Size;
use othello::notation::transcript;
use othello::position::Position;
use othello::square::Move;

use crate::cli::exit::{Exit, Failure};

/// One opening of eight moves a line; see the README beside the file.
const XOT: &str = include_str!("../../../crates/othello/data/xot.txt");

/// Largest file that is read, in bytes.
const MAX_FILE_BYTES: u64 = 16 << 20;

/// The openings of a file, or the built-in ones. Empty lines and lines that begin with `#` are skipped.
///
/// # Errors
/// When the file cannot be read, is empty, or a line is not a legal line of play.
pub fn load(file: Option<&Path>) -> Result<Vec<Vec<Move>>, Failure> {
    let Some(file) = file else {
        return Ok(read(XOT).expect("a test replays the built-in openings"));
    };
    let text = read_file(file)?;
    let lines =
        read(&text).map_err(|message| Failure::new(Exit::Data, format!("{}: {message}", file.display())))?;
    if lines.is_empty() {
        return Err(Failure::new(Exit::Data, format!("{}: no opening in it", file.display())));
    }
    Ok(lines)
}

/// The text of a file that is not too large.
///
/// # Errors
/// When it cannot be read, or is.
pub(super) fn read_file(file: &Path) -> Result<String, Failure> {
    let unreadable = |error| Failure::new(Exit::NoInput, format!("{}: {error}", file.display()));
    let length = std::fs::metadata(file).map_err(unreadable)?.len();
    if length > MAX_FILE_BYTES {
        let message =
            format!("{}: {length} bytes are more than the {MAX_FILE_BYTES} that are read", file.display());
        return Err(Failure::new(Exit::Data, message));
    }
    std::fs::read_to_string(file).map_err(unreadable)
}

fn read(text: &str) -> Result<Vec<Vec<Move>>, String> {
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    lines
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(number, line)| {
            let read = transcript::read(line, Position::start(Size::Eight));
            read.map(|read| read.moves).map_err(|error| format!("line {number}: {error}"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_openings_are_a_thousand_legal_lines_of_eight_moves() {
        let openings = load(None).unwrap();
        assert_eq!(openings.len(), 1_000);
        assert!(openings.iter().all(|opening| opening.len() == 8));
    }

    #[test]
    fn a_line_that_is_illegal_is_named() {
        assert_eq!(read("f5d6\n\n# names\n F5 f6 ").unwrap().len(), 2);
        assert!(read("f5d6\nf5f5").unwrap_err().starts_with("line 2: "));
    }
}
