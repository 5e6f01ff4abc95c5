//! A few known answers, asked before the port opens: rules, evaluation and solver of this build on this processor.

use std::num::NonZeroUsize;

use othello::board::Size;
use othello::evaluation::network::loaded;
use othello::evaluation::network::packed::UnpackError;
use othello::notation::obf;
use othello::perft::{Counting, perft};
use othello::position::Position;

use crate::cli::solving::Solver;

/// Lines of eight plies from the start, as published (Aart Bik's perft page).
const PERFT_8: u64 = 390_216;

/// FFO problem 1: fourteen empties, 18 discs by G8 (Fédération Française d'Othello).
const FFO_1: &str = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18;";

/// What came out otherwise than known.
#[derive(Debug, thiserror::Error)]
pub enum Broken {
    /// The rules miscount.
    #[error("{0} lines of eight plies instead of {PERFT_8}")]
    Rules(u64),
    /// The evaluation computes other values than where its weights were packed.
    #[error("{0}")]
    Evaluation(#[from] UnpackError),
    /// The solver is wrong.
    #[error("the known endgame has value {value} by {best} instead of +18 by g8")]
    Solver {
        /// Value found.
        value: i32,
        /// Move found.
        best: String,
    },
    /// The solver did not finish.
    #[error("{0}")]
    Search(String),
}

/// Asks; takes a few hundredths of a second.
///
/// # Errors
/// The first answer that is wrong.
pub fn run() -> Result<(), Broken> {
    let lines = perft(Position::start(Size::Eight), 8, Counting::PUBLISHED);
    if lines != PERFT_8 {
        return Err(Broken::Rules(lines));
    }
    loaded::load()?;
    let read = obf::read_line(FFO_1).expect("the problem is well formed");
    let solved = Solver::new(NonZeroUsize::MIN, 1).solve(read.position);
    let solved = solved.map_err(|failure| Broken::Search(failure.message))?;
    let best = solved.best.map(|mv| mv.to_string()).unwrap_or_default();
    if solved.value != 18 || best != "g8" {
        return Err(Broken::Solver { value: solved.value, best });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn this_build_passes() {
        super::run().expect("known answers");
    }
}
