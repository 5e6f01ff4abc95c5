//! The numbers of the evaluation and of move ordering, by hand.
//!
//! Unit of `value` and `tempo`: 1/200 of a logit of winning. The starting point is the order of the classes; each step
//! up is worth about twice the one below, and combinations that threaten twice are worth more than their parts.

use crate::lines::Line;
use crate::rules::Rule;
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

/// The weights of one rule.
pub(crate) struct Weights {
    pub(crate) tempo: [i16; Threat::COUNT],
}

impl Weights {
    /// The weights of a rule. For now one set serves all of them.
    pub(crate) const fn of(_rule: Rule) -> Self {
        Self { tempo: TEMPO }
    }

    /// What an empty cell is worth to the colour whose lines these are.
    pub(crate) fn value(&self, threat: Threat, lines: [Line; 4]) -> i16 {
        if threat == Threat::Foul {
            return 0;
        }
        lines.iter().map(|&line| LINE_VALUE[line as usize]).sum::<i16>() + THREAT_VALUE[threat as usize]
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
