//! How the program ends: one exit code for each kind of end, documented in `--help`.

use std::process::ExitCode;

/// The codes that a caller can tell apart. From 65 on they are those of the BSD `sysexits` convention.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// The command ran, and its answer is no: a value differs from the file, the service is not ready.
    Negative = 1,
    /// The command line was not understood.
    Usage = 2,
    /// The input was read but does not mean anything: not a position, not a JSON question.
    Data = 65,
    /// An input file cannot be read.
    NoInput = 66,
    /// An address cannot be bound or a service cannot be reached.
    Unavailable = 69,
    /// The program found a fault in itself: the start-up self-test failed, or a search broke.
    Internal = 70,
    /// A setting is refused: value, combination, or a `DISCERN_*` name that nobody reads.
    Config = 78,
}

/// Shown at the end of every `--help`.
pub const CODES_HELP: &str = "\
Exit codes:
  0   done
  1   the answer is no: a value differs from the file, the service is not ready
  2   the command line was not understood
  65  the input is not a position or not a question
  66  an input file cannot be read
  69  an address cannot be bound, or a service cannot be reached
  70  a fault in the program itself (start-up self-test, broken search)
  74  standard output cannot be written
  78  a setting is refused: a value, a combination, or an unknown DISCERN_ variable
  129, 130, 143  forced to end by a second SIGHUP, SIGINT or SIGTERM while draining";

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// An end that is not success, with the sentence to print on standard error.
#[derive(Debug)]
pub struct Failure {
    /// The code to exit with.
    pub exit: Exit,
    /// One sentence for a person; nothing is printed when it is empty.
    pub message: String,
}

impl Failure {
    /// An end with this code and sentence.
    pub fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self { exit, message: message.into() }
    }

    /// The command has already said all there is to say.
    pub const fn silent(exit: Exit) -> Self {
        Self { exit, message: String::new() }
    }
}

/// What every command returns.
pub type Outcome = Result<(), Failure>;
