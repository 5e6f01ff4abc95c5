//! The protocol of the NBoard board (Chris Welty), versions 1 and 2. As its description asks, a line that is not
//! understood is ignored; this side says so in a `status` line, which boards show to their user.

use std::time::Duration;

use searchkit::level::Level;

use super::ggf;
use crate::board::Size;
use crate::position::{Position, Status};
use crate::query::{RootMove, Score, Value};
use crate::square::Move;

/// What to do after a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Print these lines; there may be none.
    Say(Vec<String>),
    /// Print these lines, think, and answer with [`go`].
    Go(Vec<String>, Question),
    /// Print these lines, think about the best so many moves, and answer with [`hints`] as often as they become better.
    Hint(Vec<String>, Question, u8),
    /// Print these lines, think about each of these positions of the game, last one first, and answer with [`analysis`].
    Analyze(Vec<String>, Vec<(usize, Question)>),
    /// Leave.
    Quit,
}

/// A position to think about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Question {
    /// The position.
    pub position: Position,
    /// Depth that was set, plies.
    pub depth: Option<u8>,
    /// The strength asked for with `set level`, if any (an addition of this program).
    pub level: Option<Level>,
}

/// One conversation.
#[derive(Debug, Clone)]
pub struct Nboard {
    /// The positions of the game from its start on.
    game: Vec<Position>,
    depth: Option<u8>,
    level: Option<Level>,
}

impl Default for Nboard {
    fn default() -> Self {
        Self { game: vec![Position::start(Size::Eight)], depth: None, level: None }
    }
}

impl Nboard {
    /// The current position.
    pub fn position(&self) -> Position {
        *self.game.last().expect("a game has a position from its start on")
    }

    /// Takes in a line. Never fails: what is not understood is told in a `status` line and changes nothing.
    pub fn line(&mut self, line: &str) -> Step {
        let line = line.trim();
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match command {
            "" | "nboard" => Step::Say(Vec::new()),
            "quit" => Step::Quit,
            "ping" => Step::Say(vec![format!("pong {rest}").trim_end().to_owned()]),
            "learn" => Step::Say(vec!["learned".to_owned()]),
            "set" => Step::Say(self.set(rest).unwrap_or_else(|reason| status(&reason))),
            "move" => Step::Say(self.make(rest)),
            "go" => Step::Go(self.thinking(), self.question(self.position())),
            "hint" => {
                let count = rest.parse().unwrap_or(1_u8).clamp(1, 60);
                Step::Hint(self.thinking(), self.question(self.position()), count)
            }
            "analyze" => {
                let positions = self.game.iter().enumerate().rev();
                let asked = positions.map(|(moves, &position)| (moves, self.question(position))).collect();
                Step::Analyze(self.thinking(), asked)
            }
            // NBoard 1.1 sends moves without a command.
            _ if rest.is_empty() && ggf::read_move(command).is_ok() => Step::Say(self.make(command)),
            _ => Step::Say(status(&format!("does not know `{}`", shortened(command)))),
        }
    }

    fn question(&self, position: Position) -> Question {
        Question { position, depth: self.depth, level: self.level }
    }

    fn thinking(&self) -> Vec<String> {
        status("is thinking")
    }

    fn set(&mut self, rest: &str) -> Result<Vec<String>, String> {
        let (name, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        match name {
            "depth" => {
                let depth = value.trim().parse::<u8>().ok().filter(|depth| (1..=60).contains(depth));
                let depth = depth.ok_or("wants a depth from 1 to 60")?;
                (self.depth, self.level) = (Some(depth), None);
                Ok(vec![format!("set myname Discern{depth}")])
            }
            "level" => {
                let level = value.trim().parse().ok().and_then(Level::new);
                let level = level.ok_or("wants a level from 1 to 30")?;
                self.level = Some(level);
                Ok(vec![format!("set myname DiscernL{level}")])
            }
            "game" => {
                let game = ggf::read(value).map_err(|error| format!("cannot read the game: {error}"))?;
                self.game = vec![game.start];
                for mv in game.moves {
                    self.advance(mv).expect("the reader has played this game");
                }
                Ok(Vec::new())
            }
            // `set contempt` and whatever later versions bring.
            _ => Ok(Vec::new()),
        }
    }

    fn make(&mut self, text: &str) -> Vec<String> {
        let made = ggf::read_move(text.split_whitespace().next().unwrap_or_default())
            .map_err(|error| error.to_string())
            .and_then(|mv| self.advance(mv).map_err(|reason| reason.to_string()));
        made.map_or_else(|reason| status(&format!("cannot make this move: {reason}")), |()| Vec::new())
    }

    /// Makes a move, after a pass that nobody has told.
    fn advance(&mut self, mv: Move) -> Result<(), crate::position::IllegalMove> {
        let mut position = self.position();
        let passes = mv != Move::Pass && position.status() == Status::MustPass;
        if passes {
            position = position.play(Move::Pass)?;
        }
        let next = position.play(mv)?;
        if passes {
            self.game.push(position);
        }
        self.game.push(next);
        Ok(())
    }
}

/// The answer to `go`. Without a value (a forced move) only the move is told.
pub fn go(mv: Move, score: Option<Score>, used: Duration) -> Vec<String> {
    let value = score.map_or_else(String::new, |score| format!("{:.2}", discs(score)));
    let mut lines = vec![format!("=== {}/{value}/{:.2}", name(mv), used.as_secs_f64())];
    lines.extend(status("is waiting"));
    lines
}

/// The answer to `go` when the game is over: a pass is all that is left to say.
pub fn no_move() -> Vec<String> {
    let mut lines = vec!["=== PA".to_owned()];
    lines.extend(status("sees that the game is over"));
    lines
}

/// What has been found out about the best moves.
pub fn hints<'m>(moves: impl Iterator<Item = &'m RootMove>) -> Vec<String> {
    moves
        .filter_map(|root| {
            let score = root.score?;
            let line: String = root.principal_variation.iter().map(|&mv| name(mv)).collect();
            let line = if line.is_empty() { name(root.mv) } else { line };
            // The protocol shows the end of the game and its winner by these words.
            let depth = match score.value {
                Value::Exact { .. } => "100%".to_owned(),
                Value::Sign { .. } => "100%W".to_owned(),
                Value::Estimate { .. } => score.depth.to_string(),
            };
            Some(format!("search {line} {:.2} 0 {depth}", discs(score)))
        })
        .collect()
}

/// What the position after so many moves of the game is worth to its side to move.
pub fn analysis(moves: usize, score: Score) -> String {
    format!("analysis {moves} {:.2}", discs(score))
}

/// Nodes and time of a search.
pub fn node_stats(nodes: u64, used: Duration) -> String {
    format!("nodestats {nodes} {:.2}", used.as_secs_f64())
}

/// Tells that thinking is over.
pub fn waiting() -> Vec<String> {
    status("is waiting")
}

fn status(text: &str) -> Vec<String> {
    vec![format!("status Discern {text}")]
}

fn discs(score: Score) -> f64 {
    match score.value {
        Value::Exact { discs } => f64::from(discs),
        Value::Estimate { centidiscs } => f64::from(centidiscs) / 100.0,
        Value::Sign { sign } => f64::from(sign),
    }
}

fn name(mv: Move) -> String {
    match mv {
        Move::Place(square) => square.to_string().to_uppercase(),
        Move::Pass => "PA".to_owned(),
    }
}

fn shortened(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(24).collect()
}
