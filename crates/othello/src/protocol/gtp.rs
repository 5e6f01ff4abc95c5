//! The Go Text Protocol, version 2 (Gunnar Farnebäck's specification), as Othello programs speak it: black is the side
//! that begins, `A1` is the upper left corner, a pass is made only where there is no legal move.

use std::time::Duration;

use searchkit::game_clock::GameClock;
use searchkit::level::Level;

use crate::board::Size;
use crate::level::moves_to_think_about;
use crate::notation::{print, transcript};
use crate::position::{Color, Position, Status};
use crate::square::Move;

/// The commands that are understood.
const COMMANDS: [&str; 17] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
    "undo",
    "time_settings",
    "time_left",
    "reg_genmove",
    "showboard",
    "level",
];

/// Longest game that is kept for `undo`; no game of Othello has more moves, passes included.
const MOST_MOVES: usize = 128;

/// What to do after a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Print this text; nothing when it is empty.
    Say(String),
    /// Think, then call [`Gtp::answer`].
    Think(Question),
    /// Print this text and leave.
    Quit(String),
}

/// A move that is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// The position; the side asked for is to move and has a legal move.
    pub position: Position,
    /// Its clock, when the other side of the conversation has set one.
    pub clock: Option<GameClock>,
    /// The strength asked for with `level`, if any.
    pub level: Option<Level>,
    id: String,
    keep: Keep,
}

/// What becomes of a generated move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Keep {
    /// It is made on the board.
    Made,
    /// It is only told.
    Told,
}

/// Time limits as `time_settings` gives them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Settings {
    main: Duration,
    period: Duration,
    /// Moves in a period; none means that time does not count once the main time is over.
    stones: u32,
}

/// One side's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Left {
    time: Duration,
    /// Moves that the time is for; `None` for the main time.
    stones: Option<u32>,
}

impl Left {
    /// Takes the time of one move off. A period begins anew when its moves have been made.
    fn spend(&mut self, used: Duration, settings: Option<Settings>) {
        self.time = self.time.saturating_sub(used);
        let Some(stones) = self.stones else { return };
        *self = match settings {
            Some(settings) if stones <= 1 => Self { time: settings.period, stones: Some(settings.stones) },
            _ => Self { stones: Some(stones.saturating_sub(1).max(1)), ..*self },
        };
    }
}

/// One conversation.
#[derive(Debug, Clone)]
pub struct Gtp {
    version: &'static str,
    /// The positions of the game, one after each command that moved; the last is the current one.
    game: Vec<Position>,
    settings: Option<Settings>,
    left: [Option<Left>; 2],
    level: Option<Level>,
}

type Said = Result<String, &'static str>;

impl Gtp {
    /// A conversation at its beginning.
    pub fn new(version: &'static str) -> Self {
        Self {
            version,
            game: vec![Position::start(Size::Eight)],
            settings: None,
            left: [None; 2],
            level: None,
        }
    }

    /// The current position.
    pub fn position(&self) -> Position {
        *self.game.last().expect("a game has a position from its start on")
    }

    /// Takes in a line. Never fails: what is not understood is answered as the protocol says.
    pub fn line(&mut self, line: &str) -> Step {
        let clean = clean(line);
        let mut words = clean.split_whitespace().peekable();
        let numbered = words.peek().is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
        let id = if numbered { words.next().unwrap_or_default().to_owned() } else { String::new() };
        let Some(command) = words.next() else {
            // Empty lines and comments have no answer.
            return Step::Say(if id.is_empty() { String::new() } else { failure(&id, "unknown command") });
        };
        let arguments: Vec<&str> = words.collect();
        let said = match command {
            "quit" => return Step::Quit(success(&id, "")),
            "genmove" => return self.generate(id, &arguments, Keep::Made),
            "reg_genmove" => return self.generate(id, &arguments, Keep::Told),
            _ => self.command(command, &arguments),
        };
        Step::Say(match said {
            Ok(text) => success(&id, &text),
            Err(reason) => failure(&id, reason),
        })
    }

    /// The answer to a question, and the move made if it was `genmove`. `used` is what thinking took off the clock.
    pub fn answer(&mut self, question: &Question, mv: Move, used: Duration) -> String {
        if question.keep == Keep::Made {
            let side = question.position.side();
            if let Some(left) = &mut self.left[side as usize] {
                left.spend(used, self.settings);
            }
            match question.position.play(mv) {
                Ok(next) => self.remember(next),
                Err(_) => return failure(&question.id, "no legal move was found"),
            }
        }
        success(&question.id, &name(mv))
    }

    fn command(&mut self, command: &str, arguments: &[&str]) -> Said {
        match (command, arguments) {
            ("protocol_version", _) => Ok("2".to_owned()),
            ("name", _) => Ok("Discern".to_owned()),
            ("version", _) => Ok(self.version.to_owned()),
            ("list_commands", _) => Ok(COMMANDS.join("\n")),
            ("known_command", [name]) => Ok(COMMANDS.contains(name).to_string()),
            ("boardsize", [size]) => match size.parse::<u32>() {
                Ok(8) => self.clear(),
                Ok(_) => Err("unacceptable size"),
                Err(_) => Err("boardsize not an integer"),
            },
            ("clear_board", _) => self.clear(),
            // Komi means nothing here, but every driver sends it.
            ("komi", [komi]) => komi.parse::<f64>().map(|_| String::new()).map_err(|_| "komi not a float"),
            ("play", [color, mv]) => self.play(color, mv),
            ("undo", _) => {
                if self.game.len() < 2 {
                    return Err("cannot undo");
                }
                self.game.pop();
                Ok(String::new())
            }
            ("time_settings", [main, period, stones]) => self.set_time(main, period, stones),
            ("time_left", [color, time, stones]) => self.set_left(color, time, stones),
            ("showboard", _) => Ok(format!("\n{}", board(self.position()))),
            ("level", [number]) => {
                let level = number.parse().ok().and_then(Level::new);
                self.level = Some(level.ok_or("a level is a number from 1 to 30")?);
                Ok(String::new())
            }
            (known, _) if COMMANDS.contains(&known) => Err("syntax error"),
            _ => Err("unknown command"),
        }
    }

    fn clear(&mut self) -> Said {
        self.game = vec![Position::start(Size::Eight)];
        self.left = self.settings.map_or([None; 2], |settings| [full_clock(settings); 2]);
        Ok(String::new())
    }

    fn remember(&mut self, position: Position) {
        if self.game.len() == MOST_MOVES {
            self.game.remove(0);
        }
        self.game.push(position);
    }

    /// The position with this side to move: the current one, or the one after a pass that the other side must make and
    /// nobody has told.
    fn turn_of(&self, color: Color) -> Result<Position, &'static str> {
        let position = self.position();
        if position.side() == color {
            return Ok(position);
        }
        match position.status() {
            Status::MustPass => position.play(Move::Pass).map_err(|_| "wrong color"),
            _ => Err("wrong color"),
        }
    }

    fn play(&mut self, color: &str, mv: &str) -> Said {
        let color = read_color(color).ok_or("syntax error")?;
        let mv = transcript::read_move(mv).map_err(|_| "syntax error")?;
        let position = self.turn_of(color).map_err(|_| "illegal move")?;
        let next = position.play(mv).map_err(|_| "illegal move")?;
        self.remember(next);
        Ok(String::new())
    }

    fn generate(&mut self, id: String, arguments: &[&str], keep: Keep) -> Step {
        let [color] = arguments else { return Step::Say(failure(&id, "syntax error")) };
        let Some(color) = read_color(color) else { return Step::Say(failure(&id, "syntax error")) };
        // A game that is over has no side to move; a pass is all that is left to say.
        if self.position().status() == Status::Finished {
            return Step::Say(success(&id, &name(Move::Pass)));
        }
        let position = match self.turn_of(color) {
            Ok(position) => position,
            Err(reason) => return Step::Say(failure(&id, reason)),
        };
        let clock = self.clock(color, position);
        let question = Question { position, clock, level: self.level, id, keep };
        if position.status() == Status::MustPass {
            return Step::Say(self.answer(&question, Move::Pass, Duration::ZERO));
        }
        Step::Think(question)
    }

    fn set_time(&mut self, main: &str, period: &str, stones: &str) -> Said {
        let (Some(main), Some(period), Ok(stones)) = (seconds(main), seconds(period), stones.parse()) else {
            return Err("syntax error");
        };
        let settings = Settings { main, period, stones };
        // A period without moves is the protocol's way to say that there is no limit.
        let unlimited = stones == 0 && !period.is_zero();
        self.settings = (!unlimited).then_some(settings);
        self.left = self.settings.map_or([None; 2], |settings| [full_clock(settings); 2]);
        Ok(String::new())
    }

    fn set_left(&mut self, color: &str, time: &str, stones: &str) -> Said {
        let (Some(color), Some(time), Ok(stones)) = (read_color(color), seconds(time), stones.parse::<u32>())
        else {
            return Err("syntax error");
        };
        self.left[color as usize] = Some(Left { time, stones: (stones > 0).then_some(stones) });
        Ok(String::new())
    }

    fn clock(&self, color: Color, position: Position) -> Option<GameClock> {
        let left = self.left[color as usize]?;
        let to_the_end = moves_to_think_about(position);
        let (remaining, moves_left) = match (left.stones, self.settings) {
            (Some(stones), _) => (left.time, stones.min(to_the_end)),
            // Once the main time is over there is at least one period more.
            (None, Some(settings)) if settings.stones > 0 => (left.time + settings.period, to_the_end),
            (None, _) => (left.time, to_the_end),
        };
        Some(GameClock { remaining, increment: Duration::ZERO, moves_left })
    }
}

/// A clock before the first move.
fn full_clock(settings: Settings) -> Option<Left> {
    if settings.main.is_zero() && settings.stones > 0 {
        return Some(Left { time: settings.period, stones: Some(settings.stones) });
    }
    Some(Left { time: settings.main, stones: None })
}

/// The line as the protocol wants it read: no comment, no control characters, tabs as blanks.
fn clean(line: &str) -> String {
    let line = line.split('#').next().unwrap_or_default();
    line.chars().filter_map(|c| if c == '\t' { Some(' ') } else { (!c.is_control()).then_some(c) }).collect()
}

fn success(id: &str, text: &str) -> String {
    format!("={id} {text}\n")
}

fn failure(id: &str, text: &str) -> String {
    format!("?{id} {text}\n")
}

fn read_color(text: &str) -> Option<Color> {
    match text.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(Color::Black),
        "w" | "white" => Some(Color::White),
        _ => None,
    }
}

/// A time in seconds, whole as in the protocol or with decimals as some drivers send it.
fn seconds(text: &str) -> Option<Duration> {
    /// More than any clock shows: a year.
    const MOST: f64 = 366.0 * 86_400.0;
    let seconds: f64 = text.parse().ok()?;
    (0.0..=MOST).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
}

fn name(mv: Move) -> String {
    mv.to_string().to_uppercase()
}

/// The board for people, as `showboard` shows it.
fn board(position: Position) -> String {
    let rows = print::board_rows(position);
    let mut lines = vec!["  A B C D E F G H".to_owned()];
    for (number, row) in rows.iter().enumerate() {
        let cells: Vec<String> = row.chars().map(|cell| cell.to_string()).collect();
        lines.push(format!("{} {}", number + 1, cells.join(" ")));
    }
    lines.push(format!("{} to move", position.side()));
    lines.join("\n")
}
