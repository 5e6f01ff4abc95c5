//! The tables an incremental board reads, built once a rule.

use std::sync::OnceLock;

use crate::color::Color;
use crate::lines::{self, Line, LineTable};
use crate::point::FRAME;
use crate::rules::Rule;
use crate::threat::Threat;
use crate::weights::Weights;

/// Unordered combinations of four line classes: C(14 + 3, 4).
pub const CODES: usize = 2_380;

/// What one combination of four lines means for one colour under one rule: the part read at every change.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Meaning {
    pub(crate) threat: Threat,
    /// Ask the rule itself before black plays here.
    pub(crate) ask_judge: bool,
    /// What such an empty cell is worth to its owner in the evaluation.
    pub(crate) value: i16,
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
    /// By colour and combination.
    meanings: [Box<[Meaning]>; 2],
    urgencies: [Box<[Urgency]>; 2],
    pub(crate) zobrist: Box<[[u64; 2]]>,
    pub(crate) tempo: [[i16; Threat::COUNT]; 2],
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
                Meaning {
                    threat,
                    ask_judge: Threat::may_be_double_three(rule, color, lines),
                    value: weights.value(threat, combination),
                }
            };
            combinations.iter().enumerate().map(meaning).collect()
        });
        let urgencies = Color::BOTH.map(|color| {
            let urgency = |&lines: &[Line; 4]| {
                let threat = Threat::of(rule, color, lines);
                Urgency { attack: weights.attack(threat, lines), defence: weights.defence(threat, lines) }
            };
            combinations.iter().map(urgency).collect()
        });
        Self {
            rule,
            reach: lines::reach(rule),
            lines: LineTable::build(rule),
            codes: Codes::new(&combinations),
            meanings,
            urgencies,
            zobrist: zobrist(),
            tempo: weights.tempo,
        }
    }

    /// Every number of the evaluation and of move ordering, in a fixed order.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = i16> + '_ {
        let values = self.meanings.iter().flatten().map(|meaning| meaning.value);
        let urgencies = self.urgencies.iter().flatten().flat_map(|urgency| [urgency.attack, urgency.defence]);
        values.chain(urgencies).chain(self.tempo.into_iter().flatten())
    }

    #[inline]
    pub(crate) fn meaning(&self, color: Color, code: u16) -> &Meaning {
        &self.meanings[color.index()][usize::from(code)]
    }

    pub(crate) fn urgency(&self, color: Color, code: u16) -> &Urgency {
        &self.urgencies[color.index()][usize::from(code)]
    }

    /// The number of the combination of one colour's four lines, given in the colour's four bits of each byte.
    #[inline]
    pub(crate) fn code(&self, lines: u32, color: Color) -> u16 {
        let own = lines >> (4 * color.index()) & 0x0f0f_0f0f;
        // 0x0b0a becomes 0xba in each half.
        let pairs = own | own >> 4;
        let first = self.codes.pairs[(pairs & 0xff) as usize];
        let second = self.codes.pairs[(pairs >> 16 & 0xff) as usize];
        self.codes.combinations[usize::from(first) * PAIRS + usize::from(second)]
    }
}

/// Unordered pairs of line classes: C(14 + 1, 2).
const PAIRS: usize = 105;

/// Four line classes to the number of their combination, in two small steps that stay in the first-level cache.
struct Codes {
    /// Two classes, four bits each, to the number of their unordered pair.
    pairs: [u8; 256],
    /// Two pairs to the combination.
    combinations: Box<[u16]>,
}

impl Codes {
    fn new(combinations: &[[Line; 4]]) -> Self {
        let mut known: Vec<[Line; 2]> = Vec::with_capacity(PAIRS);
        for (i, &a) in Line::ALL.iter().enumerate() {
            known.extend(Line::ALL.iter().skip(i).map(|&b| [a, b]));
        }
        debug_assert_eq!(known.len(), PAIRS);
        let mut pairs = [0; 256];
        for &a in &Line::ALL {
            for &b in &Line::ALL {
                let found = known.binary_search(&[a.min(b), a.max(b)]).expect("every pair is listed");
                pairs[(a as usize) << 4 | b as usize] = found as u8;
            }
        }
        let mut codes = vec![0_u16; PAIRS * PAIRS].into_boxed_slice();
        for (i, first) in known.iter().enumerate() {
            for (j, second) in known.iter().enumerate() {
                let mut four = [first[0], first[1], second[0], second[1]];
                four.sort_unstable();
                let found = combinations.binary_search(&four).expect("every combination is listed");
                codes[i * PAIRS + j] = found as u16;
            }
        }
        Self { pairs, combinations: codes }
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
