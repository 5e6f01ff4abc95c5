//! The questions of a load: random positions, the same sequence for the same seed.

use std::str::FromStr;

use othello::board::Size;
use othello::position::{Position, Status};
use othello::square::{Move, Squares};
use serde_json::{Value, json};

/// Kinds of requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The best move within some ms.
    Deadline,
    /// The exact value of a position near its end.
    Endgame,
    /// A stream, read to its end.
    Stream,
    /// A stream that is left after the first record.
    Leave,
    /// One of a few questions that are asked again and again.
    Repeat,
    /// Legal moves.
    Moves,
}

/// Names of the kinds.
const KINDS: [(&str, Kind); 6] = [
    ("deadline", Kind::Deadline),
    ("endgame", Kind::Endgame),
    ("stream", Kind::Stream),
    ("leave", Kind::Leave),
    ("repeat", Kind::Repeat),
    ("moves", Kind::Moves),
];

/// Kinds of requests with their weights.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mix(Vec<(Kind, u32)>);

impl FromStr for Mix {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let part = |part: &str| -> Result<(Kind, u32), String> {
            let (name, weight) = part.split_once('=').unwrap_or((part, "1"));
            let kind = KINDS.iter().find(|(known, _)| *known == name.trim());
            let known = KINDS.map(|(name, _)| name).join(", ");
            let (_, kind) = kind.ok_or_else(|| format!("{name} is none of {known}"))?;
            let weight: u32 = weight.trim().parse().map_err(|_| format!("{weight} is no weight"))?;
            Ok((*kind, weight))
        };
        let parts: Vec<(Kind, u32)> = text.split(',').map(part).collect::<Result<_, _>>()?;
        let whole = parts.iter().map(|&(_, weight)| u64::from(weight)).sum::<u64>();
        if (1..=1_000_000).contains(&whole) {
            Ok(Self(parts))
        } else {
            Err("weights add up to 1 at least".into())
        }
    }
}

/// Reads `1..200`.
pub fn parse_range(text: &str) -> Result<(u64, u64), String> {
    let (least, most) = text.split_once("..").ok_or("two numbers with .. between them")?;
    let number = |text: &str| text.trim().parse::<u64>().map_err(|_| format!("{text} is no number"));
    let (least, most) = (number(least)?, number(most)?);
    if (1..=most).contains(&least) { Ok((least, most)) } else { Err("from 1 on, the least first".to_owned()) }
}

/// One request.
#[derive(Debug, Clone)]
pub struct Question {
    /// Its kind.
    pub kind: Kind,
    /// Its body.
    pub body: Value,
    /// Its deadline in ms, when the answer is to be measured against it.
    pub time_ms: Option<u64>,
    position: Position,
}

impl Question {
    /// Whether this is an answer that the rules allow.
    pub fn allows(&self, best_move: Option<&str>) -> bool {
        match (self.position.status(), best_move) {
            (Status::Finished, None) | (Status::MustPass, Some("pass")) => true,
            (Status::InProgress, Some(name)) => {
                Squares(self.position.moves()).any(|square| square.to_string() == name)
            }
            _ => false,
        }
    }
}

/// An endless sequence of questions.
#[derive(Debug)]
pub struct Questions {
    random: Random,
    mix: Mix,
    time_ms: (u64, u64),
    threads: u64,
}

/// How many questions are asked again and again.
const REPEATED: u64 = 16;

impl Questions {
    /// The sequence of this seed.
    pub fn new(seed: u64, mix: &Mix, time_ms: (u64, u64), threads: u64) -> Self {
        Self { random: Random(seed), mix: mix.clone(), time_ms, threads }
    }

    /// The next question.
    pub fn next(&mut self) -> Question {
        let kind = self.kind();
        let (least, most) = self.time_ms;
        let time_ms = least + self.random.below(most - least + 1);
        let threads = self.threads;
        let (position, limits, measured) = match kind {
            Kind::Deadline | Kind::Stream => {
                (self.position(6, 40), json!({"time_ms": time_ms}), Some(time_ms))
            }
            Kind::Leave => (self.position(6, 30), json!({"time_ms": 60_000}), None),
            Kind::Endgame => {
                (self.position(44, 50), json!({"exact_from_empties": 20, "time_ms": 30_000}), None)
            }
            Kind::Moves => (self.position(6, 50), Value::Null, None),
            Kind::Repeat => {
                let mut own = Random(self.random.below(REPEATED));
                (random_position(&mut own, 6, 20), json!({"depth": 10, "exact_from_empties": 0}), None)
            }
        };
        let board = othello::notation::print::board(position);
        let side = position.side().to_string();
        let mut body = json!({"board": board, "side_to_move": side});
        if !limits.is_null() {
            body["limits"] = limits;
            body["threads"] = json!(threads);
        }
        Question { kind, body, time_ms: measured, position }
    }

    fn kind(&mut self) -> Kind {
        let whole: u64 = self.mix.0.iter().map(|&(_, weight)| u64::from(weight)).sum();
        let mut at = self.random.below(whole);
        for &(kind, weight) in &self.mix.0 {
            match at.checked_sub(u64::from(weight)) {
                Some(rest) => at = rest,
                None => return kind,
            }
        }
        Kind::Deadline
    }

    fn position(&mut self, least: u64, most: u64) -> Position {
        random_position(&mut self.random, least, most)
    }
}

/// A position after so many random moves from the start, fewer when the game ends before.
fn random_position(random: &mut Random, least: u64, most: u64) -> Position {
    let plies = least + random.below(most - least + 1);
    let mut position = Position::start(Size::Eight);
    for _ in 0..plies {
        let squares: Vec<_> = Squares(position.moves()).collect();
        let mv = if squares.is_empty() {
            Move::Pass
        } else {
            Move::Place(squares[random.below(squares.len() as u64) as usize])
        };
        let Ok(after) = position.play(mv) else { break };
        position = after;
    }
    position
}

/// SplitMix64 (Steele, Lea, Flood 2014).
#[derive(Debug)]
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number from 0 to below `bound`, which is at least 1.
    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_asks_the_same_and_keeps_to_the_mix() {
        let mix: Mix = "deadline=3,moves,repeat=0".parse().expect("a mix");
        let ask = |seed| {
            let mut questions = Questions::new(seed, &mix, (5, 9), 1);
            (0..200).map(|_| questions.next()).collect::<Vec<_>>()
        };
        let (first, again, other) = (ask(1), ask(1), ask(2));
        let bodies =
            |list: &[Question]| list.iter().map(|question| question.body.clone()).collect::<Vec<_>>();
        assert_eq!(bodies(&first), bodies(&again));
        assert_ne!(bodies(&first), bodies(&other));
        let timed = first.iter().filter(|question| question.kind == Kind::Deadline).count();
        assert!((120..180).contains(&timed) && first.iter().all(|question| question.kind != Kind::Repeat));
        for question in first {
            assert!(question.time_ms.is_none_or(|time_ms| (5..=9).contains(&time_ms)));
            assert!(!question.allows(Some("z9")));
        }
    }

    #[test]
    fn a_mix_and_a_range_are_read_or_refused() {
        assert!("deadline=0".parse::<Mix>().is_err() && "chess=1".parse::<Mix>().is_err());
        assert_eq!(parse_range("1..200"), Ok((1, 200)));
        for bad in ["200", "0..5", "9..5", "a..b"] {
            assert!(parse_range(bad).is_err(), "{bad}");
        }
    }
}
