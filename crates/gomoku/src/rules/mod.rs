//! The three sets of rules, and what ends a game under them.

pub mod renju;

use std::fmt;

use crate::color::Color;
use crate::grid::Grid;
use crate::point::{Point, STEPS};

/// A set of rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Rule {
    /// Five or more in a row win, for both sides.
    #[default]
    Freestyle,
    /// Exactly five in a row win, for both sides; a longer row is nothing.
    Standard,
    /// White wins with five or more, black with exactly five. Black may not make an overline, a double four or a
    /// double three, unless the same stone makes five.
    Renju,
}

/// A name that is no rule this engine plays.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the rule `{}` is not supported; supported are freestyle, standard and renju", .0.escape_debug())]
pub struct UnsupportedRule(pub String);

impl Rule {
    /// All rules.
    pub const ALL: [Self; 3] = [Self::Freestyle, Self::Standard, Self::Renju];

    /// The name used everywhere outside.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Freestyle => "freestyle",
            Self::Standard => "standard",
            Self::Renju => "renju",
        }
    }

    /// The rule with this name.
    ///
    /// # Errors
    /// When no such rule is supported (caro, for example).
    pub fn from_name(name: &str) -> Result<Self, UnsupportedRule> {
        let known = Self::ALL.into_iter().find(|rule| rule.name() == name);
        known.ok_or_else(|| UnsupportedRule(name.to_owned()))
    }

    /// Whether only an exact five counts for this colour.
    pub const fn exact_five(self, color: Color) -> bool {
        match self {
            Self::Freestyle => false,
            Self::Standard => true,
            Self::Renju => matches!(color, Color::Black),
        }
    }

    /// Whether an unbroken row of `length` stones of `color` wins.
    pub const fn wins(self, length: usize, color: Color) -> bool {
        if self.exact_five(color) { length == 5 } else { length >= 5 }
    }

    /// Whether a stone of `color` on this empty point makes five.
    pub fn makes_five(self, grid: &Grid, point: Point, color: Color) -> bool {
        STEPS.iter().any(|&step| self.wins(grid.row_through(point.cell(), step, color), color))
    }

    /// The winning row of `color` on the board, if there is one: its points in order along the line.
    pub fn winning_row(self, grid: &Grid, color: Color) -> Option<Vec<Point>> {
        grid.stones(color).find_map(|point| {
            let cell = point.cell();
            STEPS.iter().find_map(|&step| {
                // Only the first stone of a row is looked at, so that every row is measured once.
                let first = grid.run(cell, step.wrapping_neg(), color) == 0;
                let length = grid.row_through(cell, step, color);
                let row = || (0..length).map(|k| Point::from_cell(cell + k * step)).collect();
                (first && self.wins(length, color)).then(row)
            })
        })
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
