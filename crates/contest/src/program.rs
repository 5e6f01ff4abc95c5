//! A program that is talked to in lines of text over its standard input and output.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use crate::player::Fault;

/// Lines that a program may be ahead of its reader; a program that says more waits.
const LINES_AHEAD: usize = 4_096;
/// Longest line that is read, in bytes.
const LONGEST_LINE: u64 = 1 << 20;
/// How long a program may take to end by itself after its input was closed.
const LEAVE_TIME: Duration = Duration::from_millis(500);

/// A running program. It is ended when this is dropped.
#[derive(Debug)]
pub struct Program {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    name: String,
}

impl Program {
    /// Starts a program: its path or name, and arguments, separated by blanks. Single or double quotes hold words
    /// together.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start(command_line: &str) -> Result<Self, Fault> {
        let crashed = |reason: String| Fault::Crashed(format!("`{command_line}`: {reason}"));
        let words = words(command_line);
        let Some((name, arguments)) = words.split_first() else {
            return Err(crashed("there is no program to start".to_owned()));
        };
        let mut child = Command::new(name)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| crashed(error.to_string()))?;
        let input = child.stdin.take();
        let output = child.stdout.take().expect("its output was asked for as a pipe");
        let (sender, lines) = mpsc::sync_channel(LINES_AHEAD);
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            loop {
                let mut line = Vec::new();
                match std::io::Read::take(&mut output, LONGEST_LINE).read_until(b'\n', &mut line) {
                    Ok(0) | Err(_) => return,
                    Ok(_) => {}
                }
                let text = String::from_utf8_lossy(&line).trim_end().to_owned();
                if sender.send(text).is_err() {
                    return;
                }
            }
        });
        Ok(Self { child, input, lines, name: name.clone() })
    }

    /// Says one line.
    ///
    /// # Errors
    /// When the program is not there any more.
    pub fn say(&mut self, line: &str) -> Result<(), Fault> {
        let input = self.input.as_mut().ok_or_else(|| Fault::Crashed(self.name.clone()))?;
        let written = input.write_all(line.as_bytes()).and_then(|()| input.write_all(b"\n"));
        written
            .and_then(|()| input.flush())
            .map_err(|error| Fault::Crashed(format!("{}: {error}", self.name)))
    }

    /// Hears the next line, without white space at its end; waits for it until the deadline.
    ///
    /// # Errors
    /// When there is none in time, or the program has ended.
    pub fn hear(&mut self, deadline: Option<Instant>) -> Result<String, Fault> {
        let ended = |name: &str| Fault::Crashed(format!("{name} has ended"));
        match deadline {
            None => self.lines.recv().map_err(|_| ended(&self.name)),
            Some(deadline) => {
                let left = deadline.saturating_duration_since(Instant::now());
                self.lines.recv_timeout(left).map_err(|error| match error {
                    RecvTimeoutError::Timeout => Fault::TimedOut,
                    RecvTimeoutError::Disconnected => ended(&self.name),
                })
            }
        }
    }
}

impl Drop for Program {
    /// Closes its input, which asks it to leave, and ends it when it does not.
    fn drop(&mut self) {
        self.input = None;
        let begun = Instant::now();
        while begun.elapsed() < LEAVE_TIME {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                return;
            }
            thread::sleep(Duration::from_millis(2));
        }
        // It may have ended in this very moment; either way it is gone afterwards.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Splits a command line at blanks outside quotes.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = None;
    let mut quote = None;
    for character in line.chars() {
        match (quote, character) {
            (Some(open), _) if character == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(character);
                word.get_or_insert_with(String::new);
            }
            (None, _) if character.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_with(String::new).push(character),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_hold_words_together() {
        assert_eq!(words("a  'b c' d\"e f\"g ''"), ["a", "b c", "de fg", ""]);
        assert_eq!(words("  "), [""; 0]);
    }

    #[test]
    fn a_program_answers_line_by_line() {
        let mut cat = Program::start("cat").unwrap();
        cat.say("one").unwrap();
        cat.say("two").unwrap();
        assert_eq!(cat.hear(None).unwrap(), "one");
        assert_eq!(cat.hear(None).unwrap(), "two");
        assert_eq!(cat.hear(Some(Instant::now())), Err(Fault::TimedOut));
    }

    #[test]
    fn an_ended_or_absent_program_is_a_crash() {
        let mut gone = Program::start("true").unwrap();
        assert!(matches!(gone.hear(None), Err(Fault::Crashed(_))));
        assert!(matches!(Program::start("there-is-no-such-program"), Err(Fault::Crashed(_))));
        assert!(matches!(Program::start(""), Err(Fault::Crashed(_))));
    }
}
