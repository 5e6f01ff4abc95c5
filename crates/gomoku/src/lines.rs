//! Line patterns: what one stone on an empty cell makes along one line, judged by meaning.
//!
//! A window is the cells around the stone, four each way (five where only an exact five wins, because the cell beyond
//! decides about an overline). Its class follows by recursion on what one more stone makes, never from run lengths:
//! a four is a line in which one more stone makes five, an open three one in which one more stone makes an open four,
//! and so on, so broken shapes need no cases of their own. Only fives through the centre stone count, and all of them
//! lie inside the window. The scheme (a table over the surroundings of an empty cell, classes by recursion) is the one
//! strong open engines share; the recursion here differs in that it never re-centres.

use crate::color::Color;
use crate::rules::Rule;

/// What a stone makes along one line, weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Line {
    /// No five can ever arise through the stone.
    Dead,
    /// One more stone makes a two.
    One,
    /// One more stone makes an open two.
    OpenOne,
    /// One more stone makes a three.
    Two,
    /// One or two further stones each make an open three.
    OpenTwo,
    /// Three further stones each make an open three.
    OpenTwoWide,
    /// Four or more further stones each make an open three.
    OpenTwoWidest,
    /// One more stone makes a four.
    Three,
    /// Exactly one further stone makes an open four.
    OpenThree,
    /// Two or more further stones each make an open four.
    OpenThreeWide,
    /// Exactly one further stone makes five.
    Four,
    /// Two or more further stones make five.
    OpenFour,
    /// Five.
    Five,
    /// A longer row where only an exact five counts; for black under renju also two fours in one line.
    Foul,
}

impl Line {
    /// Number of kinds.
    pub const COUNT: usize = 14;

    /// All kinds, weakest first.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Dead,
        Self::One,
        Self::OpenOne,
        Self::Two,
        Self::OpenTwo,
        Self::OpenTwoWide,
        Self::OpenTwoWidest,
        Self::Three,
        Self::OpenThree,
        Self::OpenThreeWide,
        Self::Four,
        Self::OpenFour,
        Self::Five,
        Self::Foul,
    ];

    /// Whether one more stone makes an open four.
    pub const fn is_open_three(self) -> bool {
        matches!(self, Self::OpenThree | Self::OpenThreeWide)
    }

    /// Whether one more stone makes an open three.
    pub const fn is_open_two(self) -> bool {
        matches!(self, Self::OpenTwo | Self::OpenTwoWide | Self::OpenTwoWidest)
    }
}

/// A cell of a window as the owner of the centre stone sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    /// Empty.
    Empty = 0,
    /// A stone of the same colour.
    Own = 1,
    /// A stone of the other colour, or the wall.
    Blocked = 2,
}

/// How fives are counted in a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Five or more win.
    AtLeastFive,
    /// Exactly five wins.
    ExactlyFive,
    /// Exactly five wins, and two fours in one line are a foul.
    RenjuBlack,
}

impl Kind {
    const fn of(rule: Rule, color: Color) -> Self {
        match (rule, color) {
            (Rule::Standard, _) => Self::ExactlyFive,
            (Rule::Renju, Color::Black) => Self::RenjuBlack,
            (Rule::Freestyle, _) | (Rule::Renju, Color::White) => Self::AtLeastFive,
        }
    }

    const fn exact(self) -> bool {
        !matches!(self, Self::AtLeastFive)
    }
}

/// Cells each way that decide about a line under a rule.
pub(crate) const fn reach(rule: Rule) -> usize {
    match rule {
        Rule::Freestyle => 4,
        Rule::Standard | Rule::Renju => 5,
    }
}

/// Cells each way in the base-3 codes used while classifying: enough for every rule.
pub(crate) const HALF: usize = 5;
const CENTER: usize = HALF;
const WINDOW: usize = 2 * HALF + 1;

/// 3^10: the surroundings of a cell as one colour sees them.
const SURROUNDINGS: usize = 59_049;

/// Classifies windows under one way of counting fives, remembering what it has seen.
struct Classifier {
    kind: Kind,
    known: Vec<Option<Line>>,
}

impl Classifier {
    fn new(kind: Kind) -> Self {
        Self { kind, known: vec![None; SURROUNDINGS] }
    }

    fn code(window: &[Seen; WINDOW]) -> usize {
        let around = (0..WINDOW).rev().filter(|&at| at != CENTER);
        around.fold(0, |code, at| code * 3 + window[at] as usize)
    }

    fn row(window: &[Seen; WINDOW]) -> usize {
        let own = |cell: &&Seen| **cell == Seen::Own;
        1 + window[..CENTER].iter().rev().take_while(own).count()
            + window[CENTER + 1..].iter().take_while(own).count()
    }

    fn classify(&mut self, window: &mut [Seen; WINDOW]) -> Line {
        let code = Self::code(window);
        if let Some(line) = self.known[code] {
            return line;
        }
        let line = self.judge(window);
        self.known[code] = Some(line);
        line
    }

    fn judge(&mut self, window: &mut [Seen; WINDOW]) -> Line {
        let row = Self::row(window);
        if row >= 5 {
            return if row > 5 && self.kind.exact() { Line::Foul } else { Line::Five };
        }
        let mut makes = [0_usize; Line::COUNT];
        let mut five_points = Vec::new();
        for at in 0..WINDOW {
            if window[at] == Seen::Empty {
                window[at] = Seen::Own;
                let line = self.classify(window);
                window[at] = Seen::Empty;
                makes[line as usize] += 1;
                if line == Line::Five {
                    five_points.push(at);
                }
            }
        }
        let any = |lines: &[Line]| lines.iter().map(|&line| makes[line as usize]).sum::<usize>();
        let open_threes = any(&[Line::OpenThree, Line::OpenThreeWide]);
        match five_points[..] {
            // Two points that complete the same four stones stand five apart; closer ones complete two fours.
            [first, second] if self.kind == Kind::RenjuBlack && second - first != 5 => Line::Foul,
            [_, _, ..] => Line::OpenFour,
            [_] => Line::Four,
            [] if any(&[Line::OpenFour]) >= 2 => Line::OpenThreeWide,
            [] if any(&[Line::OpenFour]) == 1 => Line::OpenThree,
            [] if any(&[Line::Four]) > 0 => Line::Three,
            [] if open_threes >= 4 => Line::OpenTwoWidest,
            [] if open_threes == 3 => Line::OpenTwoWide,
            [] if open_threes > 0 => Line::OpenTwo,
            [] if any(&[Line::Three]) > 0 => Line::Two,
            [] if any(&[Line::OpenTwo, Line::OpenTwoWide, Line::OpenTwoWidest]) > 0 => Line::OpenOne,
            [] if any(&[Line::Two]) > 0 => Line::One,
            [] => Line::Dead,
        }
    }
}

/// The class of one window, computed from scratch: `before` are the cells on one side of the stone, nearest first,
/// `after` those on the other. Cells not given (beyond the fifth they do not matter) count as blocked.
pub fn classify(rule: Rule, color: Color, before: &[Seen], after: &[Seen]) -> Line {
    let mut window = [Seen::Blocked; WINDOW];
    window[CENTER] = Seen::Own;
    for (k, &seen) in before.iter().take(HALF).enumerate() {
        window[CENTER - 1 - k] = seen;
    }
    for (k, &seen) in after.iter().take(HALF).enumerate() {
        window[CENTER + 1 + k] = seen;
    }
    Classifier::new(Kind::of(rule, color)).classify(&mut window)
}

/// The classes of all windows for both colours. A window is a key of two bits a cell, the centre in the middle: 0 empty,
/// 1 black, 2 white, 3 wall; the cell farthest back is in the lowest bits.
///
/// Behind a wall, and behind the second colour met, nothing matters any more, so only 57 halves of four cells differ (120
/// of five): numbering them first makes a table that stays in the first-level cache.
pub(crate) struct LineTable {
    reach: usize,
    /// By half before the centre, the number of that half times [`HALVES`].
    before: Box<[u16; HALF_KEYS]>,
    /// By half after the centre, the number of that half.
    after: Box<[u16; HALF_KEYS]>,
    /// By half after the centre, one bit an empty cell that a stone in the centre may matter to, nearest lowest.
    seen: Box<[u8; HALF_KEYS]>,
    /// The same by half before the centre.
    seen_before: Box<[u8; HALF_KEYS]>,
    /// By both numbers added: low four bits black's [`Line`], high four bits white's.
    classes: Box<[u8; HALVES * HALVES]>,
}

/// Keys of half a window: five cells of two bits.
const HALF_KEYS: usize = 1 << (2 * HALF);

/// Numbers of halves there is room for.
const HALVES: usize = 128;

impl LineTable {
    /// Both colours' classes of the window in the lowest bits, packed as black's in the low and white's in the high four
    /// bits. The bits of the centre and those above the window do not matter.
    #[inline]
    pub(crate) fn get(&self, window: u64) -> u8 {
        let [before, after] = self.halves(window);
        self.classes[usize::from(self.before[before] + self.after[after]) % (HALVES * HALVES)]
    }

    /// The empty cells of a window that a stone in its centre may matter to: one bit a cell after the centre, nearest
    /// lowest, and five bits higher one a cell before it.
    #[inline]
    pub(crate) fn seen_from(&self, window: u64) -> u64 {
        let [before, after] = self.halves(window);
        u64::from(self.seen[after]) | u64::from(self.seen_before[before]) << HALF
    }

    /// The keys of a window's halves.
    #[inline]
    fn halves(&self, window: u64) -> [usize; 2] {
        let mask = (1 << (2 * self.reach)) - 1;
        let half = |shift: usize| (window as usize >> shift & mask) % HALF_KEYS;
        [half(0), half(2 * self.reach + 2)]
    }

    pub(crate) fn build(rule: Rule) -> Self {
        let reach = reach(rule);
        let mut classifiers = Color::BOTH.map(|color| Classifier::new(Kind::of(rule, color)));
        let halves = distinct_halves(reach);
        let number = |cells: [usize; HALF]| {
            let cells = what_matters(cells);
            halves.iter().position(|&half| half == cells).expect("every half is listed") as u16
        };
        let mut before = Box::new([0; HALF_KEYS]);
        let mut after = Box::new([0; HALF_KEYS]);
        let mut seen_after = Box::new([0; HALF_KEYS]);
        let mut seen_before = Box::new([0; HALF_KEYS]);
        for key in 0..1_usize << (2 * reach) {
            let cells = cells_of(key, reach);
            after[key] = number(cells);
            seen_after[key] = empty_cells(what_matters(cells));
            let mut mirrored = cells;
            mirrored[..reach].reverse();
            before[key] = number(mirrored) * HALVES as u16;
            seen_before[key] = empty_cells(what_matters(mirrored));
        }
        let mut classes = Box::new([0; HALVES * HALVES]);
        for (i, back) in halves.iter().enumerate() {
            for (j, front) in halves.iter().enumerate() {
                for color in Color::BOTH {
                    let mut window = [Seen::Blocked; WINDOW];
                    window[CENTER] = Seen::Own;
                    for k in 0..HALF {
                        window[CENTER - 1 - k] = seen(back[k], color);
                        window[CENTER + 1 + k] = seen(front[k], color);
                    }
                    let class = classifiers[color.index()].classify(&mut window) as u8;
                    classes[i * HALVES + j] |= class << (4 * color.index());
                }
            }
        }
        Self { reach, before, after, seen: seen_after, seen_before, classes }
    }
}

/// A wall in the bits of a cell.
const WALL: usize = 3;

/// The cells of half a window that goes up from the centre, nearest first, with walls where it does not reach.
fn cells_of(key: usize, reach: usize) -> [usize; HALF] {
    std::array::from_fn(|k| if k < reach { key >> (2 * k) & 3 } else { WALL })
}

/// The same half with walls for all that cannot matter: what lies behind a wall or behind the second colour, which
/// is one wall for each of them.
fn what_matters(mut cells: [usize; HALF]) -> [usize; HALF] {
    let mut met = 0;
    for cell in &mut cells {
        met |= *cell;
        if met == WALL {
            *cell = WALL;
        }
    }
    cells
}

/// One bit an empty cell, nearest lowest.
fn empty_cells(cells: [usize; HALF]) -> u8 {
    cells.iter().enumerate().fold(0, |bits, (k, &cell)| bits | u8::from(cell == 0) << k)
}

fn distinct_halves(reach: usize) -> Vec<[usize; HALF]> {
    let all = (0..1 << (2 * reach)).map(|key| what_matters(cells_of(key, reach)));
    all.collect::<std::collections::BTreeSet<_>>().into_iter().collect()
}

fn seen(bits: usize, color: Color) -> Seen {
    match (bits, color) {
        (0, _) => Seen::Empty,
        (1, Color::Black) | (2, Color::White) => Seen::Own,
        _ => Seen::Blocked,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rule: Rule, color: Color, text: &str) -> Line {
        let cells: Vec<Seen> = text
            .chars()
            .map(|cell| match cell {
                '.' => Seen::Empty,
                'X' | '*' => Seen::Own,
                _ => Seen::Blocked,
            })
            .collect();
        let at = text.find('*').unwrap();
        let before: Vec<Seen> = cells[..at].iter().rev().copied().collect();
        classify(rule, color, &before, &cells[at + 1..])
    }

    #[test]
    fn a_sixth_stone_matters_only_where_five_is_exact() {
        let text = "X.XX*X.#";
        assert_eq!(of(Rule::Freestyle, Color::Black, text), Line::OpenFour);
        assert_eq!(of(Rule::Standard, Color::Black, text), Line::Four);
        assert_eq!(of(Rule::Renju, Color::Black, text), Line::Four);
        assert_eq!(of(Rule::Renju, Color::White, text), Line::OpenFour);
    }

    #[test]
    fn two_fours_in_a_line_are_a_foul_for_renju_black_alone() {
        let text = ".X.X*X.X.";
        assert_eq!(of(Rule::Standard, Color::Black, text), Line::OpenFour);
        assert_eq!(of(Rule::Renju, Color::Black, text), Line::Foul);
        assert_eq!(of(Rule::Renju, Color::White, text), Line::OpenFour);
    }

    #[test]
    fn tables_hold_what_classification_from_scratch_says() {
        for rule in Rule::ALL {
            let table = LineTable::build(rule);
            let reach = reach(rule);
            for key in (0..1_u64 << (4 * reach)).step_by(997) {
                let half = (1 << (2 * reach)) - 1;
                let window = key & half | (key >> (2 * reach)) << (2 * reach + 2);
                for color in Color::BOTH {
                    let cell = |slot: usize| seen((key >> (2 * slot)) as usize & 3, color);
                    let before: Vec<Seen> = (0..reach).rev().map(cell).collect();
                    let after: Vec<Seen> = (reach..2 * reach).map(cell).collect();
                    let expected = classify(rule, color, &before, &after);
                    let packed = table.get(window) >> (4 * color.index()) & 15;
                    assert_eq!(packed, expected as u8, "{rule} {color} {key:#x}");
                }
            }
        }
    }

    #[test]
    fn as_many_halves_differ_as_the_table_has_room_for() {
        assert_eq!((distinct_halves(4).len(), distinct_halves(5).len()), (57, 120));
    }
}
