//! The tables an incremental board reads, built once a rule.

use std::sync::OnceLock;

use crate::board::NEARNESS;
use crate::color::Color;
use crate::lines::{self, Line, LineTable};
use crate::point::FRAME;
use crate::rules::Rule;
use crate::threat::Threat;
use crate::weights::{Weights, Worth};

/// Unordered combinations of four line classes: C(14 + 3, 4).
pub const CODES: usize = 2_380;

/// What one combination of four lines means for one colour under one rule: the part read at every change. One word, so
/// that it is read, kept and added to the evaluation at once: what the cell is worth on move in the highest 24 bits, what it
/// is worth waiting in 24 below, and in the lowest 16 the threat and whether to ask the rule itself before black plays here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Meaning(i64);

const WAITING: u32 = 16;
const ON_MOVE: u32 = 40;
const ASK_JUDGE: i64 = 1 << 4;

impl Meaning {
    /// No line at all.
    pub(crate) const NONE: Self = Self::new(Threat::Quiet, false, Worth::NONE);

    const fn new(threat: Threat, ask_judge: bool, worth: Worth) -> Self {
        let asks = if ask_judge { ASK_JUDGE } else { 0 };
        Self(((worth.on_move as i64) << ON_MOVE) + ((worth.waiting as i64) << WAITING) + asks + threat as i64)
    }

    /// The index of the [`Threat`].
    #[inline]
    pub(crate) const fn threat(self) -> u8 {
        self.0 as u8 & 15
    }

    pub(crate) const fn asks_judge(self) -> bool {
        self.0 & ASK_JUDGE != 0
    }

    const fn worth(self) -> Worth {
        let sum = Sum(self.0).worth();
        Worth { on_move: sum.0 as i16, waiting: sum.1 as i16 }
    }
}

/// What many cells are worth together: the sum of their meanings. A board has at most 400 cells, whose lowest parts add up to
/// less than 16 bits and whose others stay within 24.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Sum(i64);

/// Beyond this a sum over 400 cells might not stay within 24 bits.
const GREATEST_WORTH: i16 = 20_000;

impl Sum {
    /// Of no cells.
    pub(crate) const NONE: Self = Self(0);

    #[inline]
    pub(crate) const fn add(&mut self, meaning: Meaning) {
        self.0 = self.0.wrapping_add(meaning.0);
    }

    #[inline]
    pub(crate) const fn subtract(&mut self, meaning: Meaning) {
        self.0 = self.0.wrapping_sub(meaning.0);
    }

    /// What the cells are worth to their owner on move, and to it when it waits.
    #[inline]
    pub(crate) const fn worth(self) -> (i32, i32) {
        let above_low = self.0 >> WAITING;
        let waiting = ((above_low << (64 - 24)) >> (64 - 24)) as i32;
        (((above_low - waiting as i64) >> (ON_MOVE - WAITING)) as i32, waiting)
    }
}

/// How urgent it is to play on a cell with one combination of four lines.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Urgency {
    /// For the owner of the lines.
    pub(crate) attack: i16,
    /// For the opponent.
    pub(crate) defence: i16,
}

/// Everything that depends on the rule alone.
pub(crate) struct Tables {
    pub(crate) rule: Rule,
    pub(crate) reach: usize,
    pub(crate) lines: LineTable,
    codes: Codes,
    /// By pairs of line classes, black's before white's.
    meanings: Box<[Meaning; 2 * PAIRS_OF_PAIRS]>,
    /// How far white's meanings stand behind black's: not at all where they are the same, so that both colours read the
    /// same memory.
    apart: usize,
    urgencies: [Box<[Urgency]>; 2],
    pub(crate) zobrist: Box<[[u64; 2]]>,
    /// What it is worth to be on move, in parts of a unit.
    pub(crate) tempo: i16,
    /// How urgent nearness to the last move is, and to the one before it.
    pub(crate) nearness: [[i16; NEARNESS]; 2],
}

/// Hash difference between the two sides to move.
pub(crate) const SIDE_KEY: u64 = 0x9d39_247e_3377_6d41;

impl Tables {
    /// The tables of a rule. The first call for a rule builds them (some milliseconds).
    pub(crate) fn of(rule: Rule) -> &'static Self {
        static TABLES: [OnceLock<Tables>; 3] = [const { OnceLock::new() }; 3];
        TABLES[rule as usize].get_or_init(|| Self::build(rule))
    }

    fn build(rule: Rule) -> Self {
        let combinations = combinations();
        let weights = Weights::of(rule);
        let meanings = Color::BOTH.map(|color| {
            let meaning = |(combination, &lines): (usize, &[Line; 4])| {
                let threat = Threat::of(rule, color, lines);
                let worth = weights.worth(threat, combination);
                assert!(worth.on_move.abs().max(worth.waiting.abs()) <= GREATEST_WORTH, "sums have room");
                Meaning::new(threat, Threat::may_be_double_three(rule, color, lines), worth)
            };
            combinations.iter().enumerate().map(meaning).collect()
        });
        let urgencies = Color::BOTH.map(|color| {
            let urgency = |(combination, &lines): (usize, &[Line; 4])| {
                let threat = Threat::of(rule, color, lines);
                let attack = weights.attack(threat, combination);
                Urgency { attack, defence: weights.defence(threat, combination) }
            };
            combinations.iter().enumerate().map(urgency).collect()
        });
        let codes = Codes::new(&combinations);
        let spread = |by_code: &Vec<Meaning>| -> Vec<Meaning> {
            codes.combinations.iter().map(|&code| by_code[usize::from(code)]).collect()
        };
        let spread: Box<[Meaning]> = meanings.iter().flat_map(spread).collect();
        let meanings = spread.try_into().expect("there is a meaning for every pair of pairs");
        let apart = if rule == Rule::Renju { PAIRS_OF_PAIRS } else { 0 };
        Self {
            rule,
            reach: lines::reach(rule),
            lines: LineTable::build(rule),
            codes,
            meanings,
            apart,
            urgencies,
            zobrist: zobrist(),
            tempo: weights.tempo,
            nearness: weights.nearness,
        }
    }

    /// Every number of the evaluation and of move ordering, in a fixed order.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = i16> + '_ {
        let places = self.codes.first_places();
        let values = Color::BOTH.into_iter().flat_map(move |color| {
            let worth = |&place: &usize| self.meanings[place + color.index() * self.apart].worth();
            let both = |worth: Worth| [worth.on_move, worth.waiting];
            places.iter().map(worth).flat_map(both).collect::<Vec<_>>()
        });
        let urgencies = self.urgencies.iter().flatten().flat_map(|urgency| [urgency.attack, urgency.defence]);
        values.chain(urgencies).chain([self.tempo]).chain(self.nearness.into_iter().flatten())
    }

    /// What one colour's four lines mean, given in the colour's four bits of each byte.
    #[inline]
    pub(crate) fn meaning(&self, lines: u32, color: Color) -> Meaning {
        self.meanings[(self.codes.place(lines, color) + color.index() * self.apart) % (2 * PAIRS_OF_PAIRS)]
    }

    /// How urgent the same lines are.
    #[inline]
    pub(crate) fn urgency(&self, lines: u32, color: Color) -> &Urgency {
        &self.urgencies[color.index()][usize::from(self.code(lines, color))]
    }

    /// The number of the combination of one colour's four lines.
    pub(crate) fn code(&self, lines: u32, color: Color) -> u16 {
        self.codes.combinations[self.codes.place(lines, color)]
    }
}

/// Unordered pairs of line classes: C(14 + 1, 2).
const PAIRS: usize = 105;

/// Pairs of pairs, with room for each second pair up to the next power of two.
const PAIRS_OF_PAIRS: usize = PAIRS_ROOM * PAIRS_ROOM;
const PAIRS_ROOM: usize = PAIRS.next_power_of_two();

/// Four line classes to the number of their combination, in two small steps that stay in the first-level cache.
struct Codes {
    /// Two classes, four bits each, to the number of their unordered pair.
    pairs: [u8; 256],
    /// Two pairs to the combination.
    combinations: Box<[u16; PAIRS_OF_PAIRS]>,
}

impl Codes {
    fn new(combinations: &[[Line; 4]]) -> Self {
        // By the stronger of the two first: the weak pairs that nearly all cells have then lie close together in memory.
        let mut known: Vec<[Line; 2]> = Vec::with_capacity(PAIRS);
        for (i, &strong) in Line::ALL.iter().enumerate() {
            known.extend(Line::ALL.iter().take(i + 1).map(|&weak| [weak, strong]));
        }
        debug_assert_eq!(known.len(), PAIRS);
        let mut pairs = [0; 256];
        for &a in &Line::ALL {
            for &b in &Line::ALL {
                let (weak, strong) = (a.min(b) as usize, a.max(b) as usize);
                let found = strong * (strong + 1) / 2 + weak;
                pairs[(a as usize) << 4 | b as usize] = found as u8;
            }
        }
        let mut codes = Box::new([0_u16; PAIRS_OF_PAIRS]);
        for (i, first) in known.iter().enumerate() {
            for (j, second) in known.iter().enumerate() {
                let mut four = [first[0], first[1], second[0], second[1]];
                four.sort_unstable();
                let found = combinations.binary_search(&four).expect("every combination is listed");
                codes[i * PAIRS_ROOM + j] = found as u16;
            }
        }
        Self { pairs, combinations: codes }
    }

    /// Where the tables by pairs of pairs have these lines of one colour.
    #[inline]
    fn place(&self, lines: u32, color: Color) -> usize {
        let own = lines >> (4 * color.index()) & 0x0f0f_0f0f;
        // 0x0b0a becomes 0xba in each half.
        let pairs = own | own >> 4;
        let first = self.pairs[(pairs & 0xff) as usize];
        let second = self.pairs[(pairs >> 16 & 0xff) as usize];
        (usize::from(first) * PAIRS_ROOM + usize::from(second)) % PAIRS_OF_PAIRS
    }

    /// The first place of each combination.
    fn first_places(&self) -> Vec<usize> {
        let place = |code| self.combinations.iter().position(|&known| usize::from(known) == code);
        (0..CODES).filter_map(place).collect()
    }
}

/// All combinations of four line classes, each sorted weakest first, in lexicographic order.
pub(crate) fn combinations() -> Vec<[Line; 4]> {
    let mut all = Vec::with_capacity(CODES);
    for (i, &a) in Line::ALL.iter().enumerate() {
        for (j, &b) in Line::ALL.iter().enumerate().skip(i) {
            for (k, &c) in Line::ALL.iter().enumerate().skip(j) {
                all.extend(Line::ALL.iter().skip(k).map(|&d| [a, b, c, d]));
            }
        }
    }
    debug_assert_eq!(all.len(), CODES);
    all
}

/// Random keys from a splitmix64 sequence with a fixed seed, so that hashes are the same in every process.
fn zobrist() -> Box<[[u64; 2]]> {
    let mut state = 0x0123_4567_89ab_cdef_u64;
    let mut next = move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    (0..FRAME).map(|_| [next(), next()]).collect()
}
