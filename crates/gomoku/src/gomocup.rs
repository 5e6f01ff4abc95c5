//! The Gomocup (Piskvork) text protocol as a state machine: lines in, lines or a question to think about out. Reading,
//! writing, the clock and the search belong to whoever drives it.
//!
//! Points are `x,y` from 0 at the top left. The first stone of a game is black's, so colours follow from the number of
//! stones. The meaning of the commands is that of the public protocol description.

use crate::color::Color;
use crate::grid::Cell;
use crate::point::{Point, Size};
use crate::position::{Position, Status};
use crate::query::Value;
use crate::rules::Rule;
use crate::swap2::{Swap2Snapshot, chance, worth_to_layer};
use crate::tables::Tables;

/// What to do after a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Print these lines (none for commands that have no answer).
    Say(Vec<String>),
    /// Think, then call [`Gomocup::answer`].
    Think(Box<Question>),
    /// Leave.
    Quit,
}

/// What the manager waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// The position; the engine is to move.
    pub position: Position,
    /// Milliseconds for the answer, counted from the arrival of the command; the margin is taken off already.
    pub time_ms: u64,
    /// Most nodes, when the manager limits them.
    pub nodes: Option<u64>,
    /// Deepest iteration, when the manager limits it.
    pub depth: Option<u8>,
    kind: QuestionKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum QuestionKind {
    /// A move.
    Move,
    /// A move, or the other colour.
    Swap,
}

impl Question {
    /// Whether the answer may be to take the other colour.
    pub fn may_swap(&self) -> bool {
        self.kind == QuestionKind::Swap
    }

    /// Whether three stones are to be judged: which colour to take, or which two stones to add.
    pub fn is_swap2(&self) -> bool {
        self.kind == QuestionKind::Swap && self.position.stones() == 3
    }
}

/// What is being read, line by line.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Reading {
    Commands,
    /// Stones until `DONE`, with what is asked then.
    Stones(QuestionKind, Vec<(Point, Owner)>),
}

/// Whose stone, as the manager says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    Own,
    Opponent,
    /// In an opening exchange stones have an order but no owner yet.
    InOrder,
}

/// Time limits as the manager gives them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Clock {
    turn_ms: u64,
    /// What is left of the game; `None` without a limit.
    left_ms: Option<u64>,
}

/// `time_left` of a game without a limit.
const NO_LIMIT_MS: u64 = 2_147_483_647;

/// Of what is left of the game one move may take this share at most.
const MOVES_TO_GO: u64 = 20;

/// Chances that lie closer than this are the same to the engine. Two more stones are laid only where they are worth as
/// much as the better colour: the choice, and the risk of choosing wrongly, is then the other side's.
const SAME_CHANCE: f64 = 0.01;

/// The first three stones of swap2 when the engine lays them, as offsets from the centre: l6 m6 n5 on 15x15, one of the
/// openings that an outside engine found balanced at half a million nodes.
const OPENING: [(i8, i8); 3] = [(4, -2), (5, -2), (6, -3)];

impl Clock {
    /// What a move may take. A sixteenth of short limits and 30 ms of long ones stay in reserve.
    fn budget_ms(self) -> u64 {
        let share = self.left_ms.map_or(u64::MAX, |left| left / MOVES_TO_GO);
        let limit = self.turn_ms.min(share);
        limit - limit.div_ceil(16).min(30)
    }
}

/// One conversation with a manager.
#[derive(Debug, Clone)]
pub struct Gomocup {
    about: String,
    position: Option<Position>,
    rule: Rule,
    clock: Clock,
    nodes: Option<u64>,
    depth: Option<u8>,
    memory_bytes: Option<u64>,
    reading: Reading,
}

/// The name of a point in the protocol.
fn name(point: Point) -> String {
    format!("{},{}", point.x(), point.y())
}

fn error(text: &str) -> Step {
    Step::Say(vec![format!("ERROR {text}")])
}

fn ok() -> Step {
    Step::Say(vec!["OK".to_owned()])
}

impl Gomocup {
    /// A conversation at its beginning. `about` is the answer to `ABOUT`: `name="…", version="…"` and so on.
    pub fn new(about: impl Into<String>) -> Self {
        Self {
            about: about.into(),
            position: None,
            rule: Rule::Freestyle,
            clock: Clock { turn_ms: 30_000, left_ms: None },
            nodes: None,
            depth: None,
            memory_bytes: None,
            reading: Reading::Commands,
        }
    }

    /// Memory the manager allows for everything, if it has said so.
    pub const fn memory_bytes(&self) -> Option<u64> {
        self.memory_bytes
    }

    /// Takes in one line, with or without its line end.
    pub fn line(&mut self, line: &str) -> Step {
        let line = line.trim();
        if let Reading::Stones(kind, stones) = &mut self.reading {
            if line.eq_ignore_ascii_case("done") {
                let (kind, stones) = (*kind, std::mem::take(stones));
                self.reading = Reading::Commands;
                return self.set_board(kind, &stones);
            }
            return match stone(line) {
                Some(stone) => {
                    stones.push(stone);
                    Step::Say(Vec::new())
                }
                None => error("a stone is x,y or x,y,owner"),
            };
        }
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        self.command(&command.to_ascii_uppercase(), rest.trim())
    }

    fn command(&mut self, command: &str, rest: &str) -> Step {
        match command {
            "" => Step::Say(Vec::new()),
            "START" => self.start(rest.parse().ok().and_then(Size::new)),
            "RECTSTART" => match rest.split_once(',') {
                Some((width, height)) if width.trim() == height.trim() => {
                    self.start(width.trim().parse().ok().and_then(Size::new))
                }
                _ => error("only square boards are supported"),
            },
            "RESTART" => match &self.position {
                Some(position) => self.start(Some(position.size())),
                None => error("no board: START comes first"),
            },
            "INFO" => self.info(rest),
            "ABOUT" => Step::Say(vec![self.about.clone()]),
            "END" => Step::Quit,
            "BEGIN" => self.think(QuestionKind::Move),
            "TURN" => self.turn(rest),
            "PLAY" => self.forced(rest),
            "TAKEBACK" => self.take_back(rest),
            "BOARD" | "SWAP2BOARD" if self.position.is_none() => error("no board: START comes first"),
            "BOARD" => {
                self.reading = Reading::Stones(QuestionKind::Move, Vec::new());
                Step::Say(Vec::new())
            }
            "SWAP2BOARD" => {
                self.reading = Reading::Stones(QuestionKind::Swap, Vec::new());
                Step::Say(Vec::new())
            }
            _ => Step::Say(vec![format!("UNKNOWN command {command}")]),
        }
    }

    fn start(&mut self, size: Option<Size>) -> Step {
        match size {
            Some(size) => {
                // Built now, because the time for this answer does not count and that of the first move does.
                Tables::of(self.rule);
                self.position = Some(Position::empty(size, self.rule));
                ok()
            }
            None => error("the board must be square with a side of 5 to 20"),
        }
    }

    /// Settings have no answer, but a rule that is not played is better said than silently replaced.
    fn info(&mut self, rest: &str) -> Step {
        let (key, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let number: Option<u64> = value.trim().parse().ok();
        match (key.to_ascii_lowercase().as_str(), number) {
            ("timeout_turn", Some(ms)) => self.clock.turn_ms = ms,
            ("timeout_match", Some(0)) => self.clock.left_ms = None,
            ("time_left", Some(ms)) => self.clock.left_ms = (ms < NO_LIMIT_MS).then_some(ms),
            ("max_memory", Some(bytes)) => self.memory_bytes = (bytes > 0).then_some(bytes),
            ("max_node", Some(nodes)) => self.nodes = (nodes > 0).then_some(nodes),
            ("max_depth", Some(depth)) => self.depth = (depth > 0).then_some(depth.min(60) as u8),
            ("rule", Some(bits)) if bits & 8 != 0 => return error("the rule caro is not supported"),
            ("rule", Some(bits)) => {
                let rule = if bits & 4 != 0 {
                    Rule::Renju
                } else if bits & 1 != 0 {
                    Rule::Standard
                } else {
                    Rule::Freestyle
                };
                return self.set_rule(rule);
            }
            _ => {}
        }
        Step::Say(Vec::new())
    }

    fn set_rule(&mut self, rule: Rule) -> Step {
        self.rule = rule;
        Tables::of(rule);
        if let Some(position) = &self.position {
            let stones = stones_of(position);
            match Position::from_stones(position.size(), rule, &stones, position.side()) {
                Ok(position) => self.position = Some(position),
                Err(_) => return error("the stones on the board do not fit this rule"),
            }
        }
        Step::Say(Vec::new())
    }

    fn point(&self, text: &str) -> Option<Point> {
        let (point, _) = stone(text)?;
        self.position.as_ref().is_some_and(|position| position.size().contains(point)).then_some(point)
    }

    fn turn(&mut self, rest: &str) -> Step {
        let Some(point) = self.point(rest) else { return error("TURN needs x,y on the board") };
        match self.play(point) {
            Ok(()) => self.think(QuestionKind::Move),
            Err(step) => step,
        }
    }

    /// The manager plays the engine's move itself.
    fn forced(&mut self, rest: &str) -> Step {
        let Some(point) = self.point(rest) else { return error("PLAY needs x,y on the board") };
        match self.play(point) {
            Ok(()) => Step::Say(vec![name(point)]),
            Err(step) => step,
        }
    }

    fn play(&mut self, point: Point) -> Result<(), Step> {
        let Some(position) = &self.position else { return Err(error("no board: START comes first")) };
        match position.play(point) {
            Ok(next) => {
                self.position = Some(next);
                Ok(())
            }
            Err(reason) => Err(error(&reason.to_string())),
        }
    }

    fn take_back(&mut self, rest: &str) -> Step {
        let (Some(point), Some(position)) = (self.point(rest), &self.position) else {
            return error("TAKEBACK needs x,y on the board");
        };
        let mut stones = stones_of(position);
        let before = stones.len();
        stones.retain(|&(at, _)| at != point);
        if stones.len() == before {
            return error("there is no stone to take back");
        }
        match Position::from_stones(position.size(), position.rule(), &stones, position.side().other()) {
            Ok(position) => {
                self.position = Some(position);
                ok()
            }
            Err(reason) => error(&reason.to_string()),
        }
    }

    fn set_board(&mut self, kind: QuestionKind, stones: &[(Point, Owner)]) -> Step {
        let Some(size) = self.position.as_ref().map(Position::size) else {
            return error("no board: START comes first");
        };
        let side = if stones.len().is_multiple_of(2) { Color::Black } else { Color::White };
        let color = |index: usize, owner: Owner| match owner {
            Owner::Own => side,
            Owner::Opponent => side.other(),
            Owner::InOrder if index.is_multiple_of(2) => Color::Black,
            Owner::InOrder => Color::White,
        };
        let stones: Vec<(Point, Color)> =
            stones.iter().enumerate().map(|(index, &(point, owner))| (point, color(index, owner))).collect();
        match Position::from_stones(size, self.rule, &stones, side) {
            Ok(position) => {
                self.position = Some(position);
                if kind == QuestionKind::Swap && stones.is_empty() { self.open() } else { self.think(kind) }
            }
            Err(reason) => error(&reason.to_string()),
        }
    }

    /// The three stones of swap2, laid by the engine.
    fn open(&mut self) -> Step {
        let Some(size) = self.position.as_ref().map(Position::size) else {
            return error("no board: START comes first");
        };
        let side = i16::from(size.get());
        let place = |offset: i8| (side / 2 + i16::from(offset)).clamp(0, side - 1) as u8;
        let points = OPENING.map(|(x, y)| Point::new(place(x), place(y)));
        let mut names = Vec::new();
        for point in points.into_iter().flatten() {
            if let Err(step) = self.play(point) {
                return step;
            }
            names.push(name(point));
        }
        Step::Say(vec![names.join(" ")])
    }

    fn think(&self, kind: QuestionKind) -> Step {
        let Some(position) = self.position.clone() else { return error("no board: START comes first") };
        if position.status() != Status::InProgress {
            return error("the game is over");
        }
        let time_ms = self.clock.budget_ms();
        Step::Think(Box::new(Question { position, time_ms, nodes: self.nodes, depth: self.depth, kind }))
    }

    /// The line that decides an opening of three stones, given what a swap2 search has found: two more stones, or the
    /// other colour. `None` when white is kept, so that a move is needed, and when the search has found nothing yet.
    pub fn decide(&mut self, question: &Question, found: &Swap2Snapshot) -> Option<String> {
        let white = chance(found.white.filter(|_| question.is_swap2())?);
        let better = white.max(1.0 - white);
        let laid = found.laid.as_ref().filter(|laid| worth_to_layer(laid.white) >= better - SAME_CHANCE);
        if let Some(laid) = laid {
            let names: Vec<String> = laid.stones.iter().copied().map(name).collect();
            let played = laid.stones.iter().try_for_each(|&point| self.play(point));
            return played.is_ok().then(|| names.join(" "));
        }
        (white < 0.5).then(|| "SWAP".to_owned())
    }

    /// The line that answers a question, given the best move found and its value for the side to move. The move must be
    /// legal.
    pub fn answer(&mut self, question: &Question, point: Point, value: Option<Value>) -> String {
        let worse = match value {
            Some(Value::Estimate { units }) => units < 0,
            Some(Value::LossIn { .. }) => true,
            Some(Value::WinIn { .. }) | None => false,
        };
        if question.kind == QuestionKind::Swap && worse {
            // The other side's seat is the better one.
            return "SWAP".to_owned();
        }
        match self.play(point) {
            Ok(()) | Err(Step::Quit) => name(point),
            Err(Step::Say(lines)) => lines.join(" "),
            Err(Step::Think(_)) => name(point),
        }
    }
}

fn stones_of(position: &Position) -> Vec<(Point, Color)> {
    position
        .size()
        .points()
        .filter_map(|point| match position.grid().get(point) {
            Cell::Stone(color) => Some((point, color)),
            Cell::Empty | Cell::Wall => None,
        })
        .collect()
}

/// Reads `x,y` or `x,y,owner`.
fn stone(text: &str) -> Option<(Point, Owner)> {
    let mut numbers = text.split(',').map(|part| part.trim().parse::<u8>());
    let (x, y) = (numbers.next()?.ok()?, numbers.next()?.ok()?);
    let owner = match numbers.next() {
        None => Owner::InOrder,
        Some(Ok(1)) => Owner::Own,
        Some(Ok(2 | 3)) => Owner::Opponent,
        Some(_) => return None,
    };
    let point = Point::new(x, y)?;
    numbers.next().is_none().then_some((point, owner))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn say(step: Step) -> String {
        match step {
            Step::Say(lines) => lines.join("|"),
            step => panic!("{step:?}"),
        }
    }

    fn think(step: Step) -> Question {
        match step {
            Step::Think(question) => *question,
            step => panic!("{step:?}"),
        }
    }

    fn started(size: &str) -> Gomocup {
        let mut gomocup = Gomocup::new("name=\"x\"");
        assert_eq!(say(gomocup.line(&format!("START {size}\r\n"))), "OK");
        gomocup
    }

    #[test]
    fn a_game_is_played_move_by_move() {
        let mut gomocup = started("15");
        let question = think(gomocup.line("BEGIN"));
        let center = Point::new(7, 7).unwrap();
        assert_eq!(gomocup.answer(&question, center, None), "7,7");
        assert!(say(gomocup.line("TURN 7,7")).starts_with("ERROR"));
        let question = think(gomocup.line("turn 8,8"));
        assert_eq!(question.position.stones(), 2);
        assert_eq!(question.position.side(), Color::Black);
        assert_eq!(say(gomocup.line("TAKEBACK 8,8")), "OK");
        assert_eq!(think(gomocup.line("TURN 0,0")).position.stones(), 2);
        assert_eq!(gomocup.line("END"), Step::Quit);
    }

    #[test]
    fn a_board_is_read_with_owners() {
        let mut gomocup = started("20");
        for line in ["BOARD", "10,10,2", "10,11,1", "11,11,2"] {
            assert_eq!(say(gomocup.line(line)), "");
        }
        let question = think(gomocup.line("DONE"));
        assert_eq!(question.position.side(), Color::White);
        assert_eq!(question.position.grid().stones(Color::Black).count(), 2);
    }

    #[test]
    fn sizes_and_rules_that_are_not_played_are_refused_in_words() {
        let mut gomocup = Gomocup::new("");
        for line in
            ["START 4", "START 21", "START x", "RECTSTART 15,14", "BEGIN", "INFO rule 8", "TURN 1,1", "BOARD"]
        {
            assert!(say(gomocup.line(line)).starts_with("ERROR"), "{line}");
        }
        assert_eq!(say(gomocup.line("RECTSTART 10,10")), "OK");
        assert!(say(gomocup.line("FLY")).starts_with("UNKNOWN"));
    }

    #[test]
    fn rules_follow_the_bits() {
        for (bits, rule) in
            [(0, Rule::Freestyle), (1, Rule::Standard), (2, Rule::Freestyle), (4, Rule::Renju)]
        {
            let mut gomocup = started("15");
            assert_eq!(say(gomocup.line(&format!("INFO rule {bits}"))), "");
            assert_eq!(think(gomocup.line("BEGIN")).position.rule(), rule);
        }
    }

    #[test]
    fn time_is_kept_with_a_margin() {
        let mut gomocup = started("15");
        let mut budget = |lines: &[&str]| {
            for line in lines {
                assert_eq!(say(gomocup.line(line)), "");
            }
            think(gomocup.line("BEGIN")).time_ms
        };
        assert_eq!(budget(&["INFO timeout_turn 100"]), 93);
        assert_eq!(budget(&["INFO timeout_turn 1000"]), 970);
        assert_eq!(budget(&["INFO time_left 10000"]), 470);
        assert_eq!(budget(&["INFO time_left 2147483647"]), 970);
        assert_eq!(budget(&["INFO timeout_turn 0"]), 0);
    }

    #[test]
    fn swap2_takes_the_better_colour() {
        let mut gomocup = started("15");
        gomocup.line("SWAP2BOARD");
        let opening = say(gomocup.line("DONE"));
        assert_eq!(opening.split(' ').count(), 3);
        let mut gomocup = started("15");
        for line in ["SWAP2BOARD", "7,7", "8,7", "9,9"] {
            assert_eq!(say(gomocup.line(line)), "");
        }
        let question = think(gomocup.line("DONE"));
        assert_eq!(question.position.side(), Color::White);
        let move_to_make = Point::new(6, 6).unwrap();
        let bad = Some(Value::Estimate { units: -50 });
        assert_eq!(gomocup.clone().answer(&question, move_to_make, bad), "SWAP");
        assert_eq!(gomocup.answer(&question, move_to_make, Some(Value::WinIn { moves: 3 })), "6,6");
    }

    #[test]
    fn three_stones_are_answered_by_what_is_worth_most() {
        let three = || {
            let mut gomocup = started("15");
            ["SWAP2BOARD", "7,7", "8,7", "9,9"]
                .iter()
                .for_each(|line| assert_eq!(say(gomocup.line(line)), ""));
            let question = think(gomocup.line("DONE"));
            assert!(question.is_swap2());
            (gomocup, question)
        };
        let found = |white: i16, laid: Option<i16>| Swap2Snapshot {
            white: Some(Value::Estimate { units: white }),
            laid: laid.map(|units| crate::swap2::Laid {
                stones: [(5, 5), (6, 9)].into_iter().filter_map(|(x, y)| Point::new(x, y)).collect(),
                white: Value::Estimate { units },
            }),
            nodes: 1,
            stop_reason: None,
        };
        for (white, laid, expected) in [
            (-200, Some(0), Some("SWAP")),
            (200, Some(0), None),
            (0, Some(0), Some("5,5 6,9")),
            (-2, Some(1), Some("5,5 6,9")),
            (0, Some(300), None),
            (-1, None, Some("SWAP")),
        ] {
            let (mut gomocup, question) = three();
            assert_eq!(
                gomocup.decide(&question, &found(white, laid)).as_deref(),
                expected,
                "{white} {laid:?}"
            );
        }
        let (mut gomocup, question) = three();
        gomocup.decide(&question, &found(0, Some(0)));
        // The other side has taken white and plays on the board of five stones.
        assert!(!think(gomocup.line("TURN 1,1")).is_swap2());
    }
}
