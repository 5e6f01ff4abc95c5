//! The four directions of a cell put together: what one stone there threatens.

use crate::color::Color;
use crate::lines::Line;
use crate::rules::Rule;

/// What a stone on a cell makes in all, weakest first (fouls last).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Threat {
    /// Nothing that must be looked at.
    Quiet,
    /// An open two.
    OpenTwo,
    /// A three that can only become a simple four.
    Three,
    /// Two or more open twos.
    OpenTwos,
    /// A three together with another three or an open two.
    ThreePlus,
    /// An open three.
    OpenThree,
    /// An open three together with a three or an open two.
    OpenThreePlus,
    /// Two or more open threes.
    DoubleThree,
    /// A four.
    Four,
    /// A four together with a three or an open two.
    FourPlus,
    /// A four together with an open three.
    FourThree,
    /// An open four, or two fours: five follows unless the opponent makes five first.
    OpenFour,
    /// Five: the game is won.
    Five,
    /// Forbidden to black under renju for certain: an overline or two fours. A double three is not counted here.
    Foul,
}

impl Threat {
    /// Number of kinds.
    pub const COUNT: usize = 14;

    const ALL: [Self; Self::COUNT] = [
        Self::Quiet,
        Self::OpenTwo,
        Self::Three,
        Self::OpenTwos,
        Self::ThreePlus,
        Self::OpenThree,
        Self::OpenThreePlus,
        Self::DoubleThree,
        Self::Four,
        Self::FourPlus,
        Self::FourThree,
        Self::OpenFour,
        Self::Five,
        Self::Foul,
    ];

    /// The kinds that make at least one four and no five, strongest first.
    pub const FOURS: [Self; 4] = [Self::OpenFour, Self::FourThree, Self::FourPlus, Self::Four];

    /// The kinds that make at least one open three and no four, strongest first.
    pub const OPEN_THREES: [Self; 3] = [Self::DoubleThree, Self::OpenThreePlus, Self::OpenThree];

    pub(crate) const fn from_index(index: u8) -> Self {
        Self::ALL[index as usize]
    }

    /// Whether a stone here makes a four (no five, no foul).
    pub const fn makes_four(self) -> bool {
        matches!(self, Self::OpenFour | Self::FourThree | Self::FourPlus | Self::Four)
    }

    /// What the four lines of a cell make together.
    pub fn of(rule: Rule, color: Color, lines: [Line; 4]) -> Self {
        let count = |kind: fn(Line) -> bool| lines.iter().filter(|&&line| kind(line)).count();
        let fours = count(|line| line == Line::Four);
        let open_fours = count(|line| line == Line::OpenFour);
        let open_threes = count(Line::is_open_three);
        let threes = count(|line| line == Line::Three);
        let open_twos = count(Line::is_open_two);
        let black_renju = rule == Rule::Renju && color == Color::Black;
        if lines.contains(&Line::Five) {
            return Self::Five;
        }
        if black_renju && (lines.contains(&Line::Foul) || fours + open_fours >= 2) {
            return Self::Foul;
        }
        match (fours, open_threes, threes, open_twos) {
            _ if open_fours > 0 || fours >= 2 => Self::OpenFour,
            (1, 1.., _, _) => Self::FourThree,
            (1, 0, t, w) if t + w > 0 => Self::FourPlus,
            (1, _, _, _) => Self::Four,
            (0, 2.., _, _) => Self::DoubleThree,
            (0, 1, t, w) if t + w > 0 => Self::OpenThreePlus,
            (0, 1, _, _) => Self::OpenThree,
            (0, 0, t, w) if t >= 2 || (t == 1 && w > 0) => Self::ThreePlus,
            (_, _, _, 2..) => Self::OpenTwos,
            (_, _, 1.., _) => Self::Three,
            (_, _, _, 1) => Self::OpenTwo,
            _ => Self::Quiet,
        }
    }

    /// Whether these lines may be a double three for black under renju, so that the rule itself must be asked.
    pub fn may_be_double_three(rule: Rule, color: Color, lines: [Line; 4]) -> bool {
        rule == Rule::Renju
            && color == Color::Black
            && lines.iter().filter(|line| line.is_open_three()).count() >= 2
    }
}
