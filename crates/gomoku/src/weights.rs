//! The numbers of the evaluation and of move ordering. The values of combinations and of being on move are fitted on
//! games that the engine played against itself (`crates/gomoku-train`), starting from the ones by hand below, which stay
//! for combinations that no game showed; move ordering is by hand.
//!
//! Unit of `value` and `tempo`: 1/200 of a logit of winning. The starting point is the order of the classes; each step
//! up is worth about twice the one below, and combinations that threaten twice are worth more than their parts.

use crate::lines::Line;
use crate::rules::Rule;
use crate::tables::CODES;
use crate::threat::Threat;

/// Worth of a line class to the owner of the cell, by [`Line`].
const LINE_VALUE: [i16; Line::COUNT] = [0, 0, 1, 2, 5, 6, 7, 6, 14, 17, 12, 25, 0, 0];

/// What a combination is worth beyond its lines, by [`Threat`].
const THREAT_VALUE: [i16; Threat::COUNT] = [0, 0, 0, 3, 3, 0, 6, 16, 0, 6, 20, 0, 0, 0];

/// What it is worth to be on move when one has at least one cell of a kind, by [`Threat`].
const TEMPO: [i16; Threat::COUNT] = [4, 4, 4, 4, 6, 8, 10, 20, 6, 10, 30, 0, 0, 0];

/// How urgent a cell of a kind is for its owner, by [`Threat`].
const URGENCY: [i16; Threat::COUNT] = [0, 60, 50, 140, 170, 300, 480, 1200, 180, 520, 2400, 4000, 8000, 0];

/// How urgent a line class is for its owner, by [`Line`].
const LINE_URGENCY: [i16; Line::COUNT] = [0, 2, 6, 8, 20, 24, 28, 18, 40, 46, 30, 50, 50, 0];

/// The fitted numbers as `gomoku-train fit` writes them: little-endian 16-bit integers, first the value of each
/// combination, then what each kind of threat is worth to the side on move, then to the other side.
static FITTED: &[u8] = include_bytes!("../data/weights.bin");

/// Numbers in the file.
const NUMBERS: usize = CODES + 2 * Threat::COUNT;

const _: () = assert!(FITTED.len() == 2 * NUMBERS, "the file holds all numbers and no more");

fn fitted(index: usize) -> i16 {
    i16::from_le_bytes([FITTED[2 * index], FITTED[2 * index + 1]])
}

/// The weights of one rule.
pub(crate) struct Weights {
    /// What it is worth to be on move when one has at least one cell of a kind, and what it costs when the other has.
    pub(crate) tempo: [[i16; Threat::COUNT]; 2],
}

impl Weights {
    /// The weights of a rule. One set serves all of them: combinations mean the same under each.
    pub(crate) fn of(_rule: Rule) -> Self {
        let tempo = |side: usize| std::array::from_fn(|kind| fitted(CODES + side * Threat::COUNT + kind));
        Self { tempo: [tempo(0), tempo(1)] }
    }

    /// What an empty cell with this combination is worth to the colour whose lines these are.
    pub(crate) fn value(&self, threat: Threat, combination: usize) -> i16 {
        if threat == Threat::Foul { 0 } else { fitted(combination) }
    }

    /// How urgent it is for the owner of the lines to play here.
    pub(crate) fn attack(&self, threat: Threat, lines: [Line; 4]) -> i16 {
        if threat == Threat::Foul {
            return 0;
        }
        lines.iter().map(|&line| LINE_URGENCY[line as usize]).sum::<i16>() + URGENCY[threat as usize]
    }

    /// How urgent it is for the other side to play here.
    pub(crate) fn defence(&self, threat: Threat, lines: [Line; 4]) -> i16 {
        self.attack(threat, lines) / 4 * 3
    }
}

/// The numbers by hand, in the order of the file: what the fit starts from.
pub(crate) fn by_hand(combinations: &[[Line; 4]]) -> Vec<f32> {
    let value = |&lines: &[Line; 4]| {
        let threat = Threat::of(Rule::Freestyle, crate::color::Color::White, lines);
        let of_lines: i16 = lines.iter().map(|&line| LINE_VALUE[line as usize]).sum();
        f32::from(of_lines + THREAT_VALUE[threat as usize])
    };
    let tempo = TEMPO.iter().map(|&number| f32::from(number));
    combinations.iter().map(value).chain(tempo).chain([0.0; Threat::COUNT]).collect()
}
