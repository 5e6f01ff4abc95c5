//! A program that speaks the Go Text Protocol (version 2) for Othello, as a player.

use std::time::{Duration, Instant};

use contest::player::{Fault, Player};
use contest::program::Program;
use othello::notation::transcript;
use othello::position::{Color, Position};
use othello::square::Move;

use super::game::Othello;

/// How long a program may take for anything but a move.
const PATIENCE: Duration = Duration::from_secs(30);

/// A running program.
pub struct GtpPlayer {
    program: Program,
    /// The move it has just generated, which it has made on its own board already.
    generated: Option<Move>,
}

impl GtpPlayer {
    /// Starts a program.
    ///
    /// # Errors
    /// When it does not start.
    pub fn start(command: &str) -> Result<Self, Fault> {
        Ok(Self { program: Program::start(command)?, generated: None })
    }

    /// Sends a command and gives what a successful answer says; an answer that says no is `Err` inside.
    fn ask(&mut self, command: &str, deadline: Option<Instant>) -> Result<Result<String, String>, Fault> {
        self.program.say(command)?;
        let mut answer: Option<(bool, String)> = None;
        loop {
            let line = self.program.hear(deadline)?;
            match &mut answer {
                None if line.is_empty() => {}
                None => {
                    let good = match line.as_bytes()[0] {
                        b'=' => true,
                        b'?' => false,
                        // Programs that greet, or log to standard output, are forgiven.
                        _ => continue,
                    };
                    let text = line[1..].trim_start_matches(|c: char| c.is_ascii_digit()).trim();
                    answer = Some((good, text.to_owned()));
                }
                Some((good, text)) if line.is_empty() => {
                    return Ok(if *good { Ok(std::mem::take(text)) } else { Err(std::mem::take(text)) });
                }
                Some((_, text)) => {
                    text.push('\n');
                    text.push_str(&line);
                }
            }
        }
    }

    fn must(&mut self, command: &str, deadline: Option<Instant>) -> Result<String, Fault> {
        let answer = self.ask(command, deadline)?;
        answer.map_err(|reason| Fault::Garbled(format!("`{command}` is refused: {reason}")))
    }
}

fn patience() -> Option<Instant> {
    Some(Instant::now() + PATIENCE)
}

const fn letter(color: Color) -> char {
    match color {
        Color::Black => 'B',
        Color::White => 'W',
    }
}

/// A move as Othello programs read it: `F5`, `PASS`.
fn name(mv: Move) -> String {
    mv.to_string().to_uppercase()
}

/// Reads a generated move.
fn read(text: &str, position: Position) -> Result<Move, Fault> {
    let word = text.split_whitespace().next().unwrap_or_default();
    transcript::read_move(word).map_err(|_| {
        Fault::Garbled(format!("`{text}` as a move with {} empties", position.empty().count_ones()))
    })
}

impl Player<Othello> for GtpPlayer {
    fn begin(&mut self) -> Result<(), Fault> {
        self.generated = None;
        // Programs that only know one board may not know this command.
        let _refused_is_fine = self.ask("boardsize 8", patience())?;
        self.must("clear_board", patience())?;
        Ok(())
    }

    fn hear(&mut self, &Othello(position): &Othello, &mv: &Move) -> Result<(), Fault> {
        if self.generated.take() == Some(mv) {
            return Ok(());
        }
        self.must(&format!("play {} {}", letter(position.side()), name(mv)), patience())?;
        Ok(())
    }

    fn choose(&mut self, &Othello(position): &Othello, deadline: Option<Instant>) -> Result<Move, Fault> {
        let text = self.must(&format!("genmove {}", letter(position.side())), deadline)?;
        let mv = read(&text, position)?;
        self.generated = Some(mv);
        Ok(mv)
    }
}
