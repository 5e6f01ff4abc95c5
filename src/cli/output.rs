//! Standard output that may be closed at any time, and whether a person is looking at it.

use std::io::{self, ErrorKind, IsTerminal, Write};
use std::process;

/// Writes to standard output. When the reader has gone away (`discern … | head`), the program ends quietly: nobody
/// wants the rest.
#[derive(Debug)]
pub struct Output {
    inner: io::BufWriter<io::Stdout>,
}

impl Output {
    /// The process's standard output.
    pub fn stdout() -> Self {
        Self { inner: io::BufWriter::new(io::stdout()) }
    }

    /// Writes one line and hands it on at once, so that a program reading along sees every line when it is made.
    pub fn line(&mut self, text: impl AsRef<str>) {
        if let Err(error) = self.try_line(text) {
            leave(&error);
        }
    }

    /// The same for a program that goes on without a reader.
    ///
    /// # Errors
    /// What the system says.
    pub fn try_line(&mut self, text: impl AsRef<str>) -> io::Result<()> {
        self.inner.write_all(text.as_ref().as_bytes())?;
        self.inner.write_all(b"\n")?;
        self.inner.flush()
    }
}

/// Ends the process because its output cannot be written: quietly when the reader left, in words otherwise.
fn leave(error: &io::Error) -> ! {
    if error.kind() == ErrorKind::BrokenPipe {
        process::exit(0);
    }
    // Standard error may be gone as well; there is nobody left to tell then.
    let _ = writeln!(io::stderr(), "discern: cannot write to standard output: {error}");
    process::exit(74);
}

/// Who reads the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// A terminal.
    Person,
    /// A pipe or a file.
    Program,
}

impl Audience {
    /// Who reads standard error, where progress bars and logs go.
    pub fn of_stderr() -> Self {
        if io::stderr().is_terminal() { Self::Person } else { Self::Program }
    }
}
