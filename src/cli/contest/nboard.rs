//! A program that speaks the NBoard protocol (version 1 or 2), as a player.

use std::time::{Duration, Instant};

use contest::player::{Fault, Player};
use contest::program::Program;
use othello::notation::transcript;
use othello::square::Move;

use super::game::Othello;

/// How long a program may take to answer a ping between moves.
const PATIENCE: Duration = Duration::from_secs(30);

/// The standard start in the game format that the protocol carries.
const START: &str = "set game (;GM[Othello]PC[discern]PB[black]PW[white]RE[?]TI[0]TY[8]BO[8 ---------------------------O*------*O--------------------------- *];)";

/// A running program.
pub struct NboardPlayer {
    program: Program,
    pings: u32,
}

impl NboardPlayer {
    /// Starts a program and tells it the depth to search to, if any.
    ///
    /// # Errors
    /// When it does not start.
    pub fn start(command: &str, depth: Option<u8>) -> Result<Self, Fault> {
        let mut program = Program::start(command)?;
        program.say("nboard 2")?;
        if let Some(depth) = depth {
            program.say(&format!("set depth {depth}"))?;
        }
        Ok(Self { program, pings: 0 })
    }

    /// Waits until the program has taken in everything said so far.
    fn settle(&mut self) -> Result<(), Fault> {
        self.pings += 1;
        let pong = format!("pong {}", self.pings);
        self.program.say(&format!("ping {}", self.pings))?;
        let deadline = Some(Instant::now() + PATIENCE);
        while self.program.hear(deadline)? != pong {}
        Ok(())
    }
}

impl Player<Othello> for NboardPlayer {
    fn begin(&mut self) -> Result<(), Fault> {
        self.program.say(START)?;
        self.settle()
    }

    fn hear(&mut self, _: &Othello, &mv: &Move) -> Result<(), Fault> {
        self.program.say(&match mv {
            Move::Place(square) => format!("move {}", square.to_string().to_uppercase()),
            Move::Pass => "move PA".to_owned(),
        })
    }

    fn choose(&mut self, _: &Othello, deadline: Option<Instant>) -> Result<Move, Fault> {
        self.settle()?;
        self.program.say("go")?;
        loop {
            let line = self.program.hear(deadline)?;
            if let Some(answer) = line.strip_prefix("===") {
                // `F5/2.00/0.1`: the move, then its value and time where the program gives them.
                let word = answer.trim().split(['/', ' ']).next().unwrap_or_default();
                return transcript::read_move(word)
                    .map_err(|_| Fault::Garbled(format!("`{line}` as an answer to `go`")));
            }
        }
    }
}
