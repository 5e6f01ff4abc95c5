//! A program that speaks the Gomocup (Piskvork) protocol, as a player: a fresh process for every game.

use std::thread;
use std::time::{Duration, Instant};

use contest::game::Game;
use contest::player::{Fault, Player};
use contest::program::Program;
use gomoku::point::{Point, Size};
use gomoku::rules::Rule;

use super::{Board, Stone};

/// How long a program may take to be ready for a game.
const PATIENCE: Duration = Duration::from_secs(30);

/// Time between an answer and the next command: some programs print their move before they can take a command.
const PAUSE: Duration = Duration::from_millis(10);

/// What a program is told before a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Terms {
    /// The command line.
    pub command: String,
    /// Milliseconds a move.
    pub time_ms: u64,
    /// Nodes a move, for programs that know `max_node`.
    pub nodes: Option<u64>,
}

/// A program at the board.
pub struct GomocupPlayer {
    terms: Terms,
    rule: Rule,
    program: Option<Program>,
    moves: Vec<Stone>,
    /// How many of the moves the program knows.
    known: usize,
    answered: Instant,
}

impl GomocupPlayer {
    /// A player that starts the program when a game begins.
    pub fn new(terms: Terms, rule: Rule) -> Self {
        Self { terms, rule, program: None, moves: Vec::new(), known: 0, answered: Instant::now() }
    }

    fn program(&mut self) -> Result<&mut Program, Fault> {
        self.program.as_mut().ok_or_else(|| Fault::Crashed("the program was not started".to_owned()))
    }

    /// Hears until the program says something that is an answer.
    fn answer(&mut self, deadline: Option<Instant>) -> Result<String, Fault> {
        loop {
            let line = self.program()?.hear(deadline)?;
            let word = line.split_whitespace().next().unwrap_or_default().to_ascii_uppercase();
            match word.as_str() {
                "" | "MESSAGE" | "DEBUG" | "UNKNOWN" | "SUGGEST" => {}
                "ERROR" => return Err(Fault::Garbled(line)),
                _ => return Ok(line),
            }
        }
    }

    /// Asks for a move in the shortest way that the program can follow.
    fn ask(&mut self) -> Result<(), Fault> {
        let moves = self.moves.clone();
        match moves.split_last() {
            None => self.program()?.say("BEGIN"),
            Some((last, before)) if self.known > 0 && self.known == before.len() => {
                let line = format!("TURN {}", name(*last));
                self.program()?.say(&line)
            }
            Some(_) => {
                let program = self.program()?;
                program.say("BOARD")?;
                for (index, &stone) in moves.iter().enumerate() {
                    // Stones alternate, and the program is to move.
                    let owner = if (moves.len() - index).is_multiple_of(2) { 1 } else { 2 };
                    program.say(&format!("{},{owner}", name(stone)))?;
                }
                program.say("DONE")
            }
        }
    }
}

/// A move as the protocol writes it.
fn name(Stone(point): Stone) -> String {
    format!("{},{}", point.x(), point.y())
}

/// The number of a rule in `INFO rule`.
const fn number(rule: Rule) -> u8 {
    match rule {
        Rule::Freestyle => 0,
        Rule::Standard => 1,
        Rule::Renju => 4,
    }
}

fn read(line: &str) -> Option<Stone> {
    let (x, y) = line.split_once(',')?;
    Point::new(x.trim().parse().ok()?, y.trim().parse().ok()?).map(Stone)
}

impl Player<Board> for GomocupPlayer {
    fn begin(&mut self) -> Result<(), Fault> {
        let mut program = Program::start(&self.terms.command)?;
        program.say(&format!("START {}", Size::DEFAULT.get()))?;
        self.program = Some(program);
        self.answer(Some(Instant::now() + PATIENCE))?;
        let Terms { time_ms, nodes, .. } = self.terms;
        let (rule, no_limit) = (number(self.rule), i32::MAX);
        let mut infos = vec![
            format!("INFO rule {rule}"),
            format!("INFO timeout_turn {time_ms}"),
            "INFO timeout_match 0".to_owned(),
            format!("INFO time_left {no_limit}"),
        ];
        infos.extend(nodes.map(|nodes| format!("INFO max_node {nodes}")));
        let program = self.program()?;
        infos.iter().try_for_each(|line| program.say(line))?;
        self.moves.clear();
        self.known = 0;
        Ok(())
    }

    fn hear(&mut self, _: &Board, &stone: &Stone) -> Result<(), Fault> {
        self.moves.push(stone);
        Ok(())
    }

    fn choose(&mut self, board: &Board, deadline: Option<Instant>) -> Result<Stone, Fault> {
        thread::sleep(PAUSE.saturating_sub(self.answered.elapsed()));
        self.ask()?;
        let line = self.answer(deadline)?;
        self.answered = Instant::now();
        let stone = read(&line)
            .ok_or_else(|| Fault::Garbled(format!("`{line}` as a move with {} stones", board.0.stones())))?;
        // A move that the rules refuse ends the game, so what the program then knows does not matter.
        self.known = self.moves.len() + usize::from(board.play(&stone).is_ok());
        Ok(stone)
    }
}
