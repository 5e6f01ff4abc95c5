//! Playing strengths for Othello: what each of the thirty levels searches and how it chooses.
//!
//! Levels differ in four things: how deep they look, from how many empties on they play perfectly, how often they slip
//! ([`choose`](searchkit::level::choose)), and how much they like to turn discs, which is how beginners play. The
//! strongest slip never. `docs/ENGINE.md` has the table with what neighbours score against each other.

use searchkit::level::{self, Level, Noise};

use crate::position::{EmptiesRule, Position};
use crate::query::{Bound, Goal, Query, RootMove, Selectivity, Value};
use crate::square::Move;
use crate::symmetry::Symmetry;

/// What a level does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Strength {
    /// Depth of its search in plies.
    pub depth: u8,
    /// With so many empties or fewer it searches to the end instead.
    pub exact_from_empties: u8,
    /// Discs by which a move must be worse to be chosen e times less often than the best; 0 for no slips.
    pub temperature: f64,
    /// Discs that it believes one turned disc to be worth, beyond what its search says.
    pub greed: f64,
}

const fn row(depth: u8, exact_from_empties: u8, temperature: f64, greed: f64) -> Strength {
    Strength { depth, exact_from_empties, temperature, greed }
}

/// Strengths by level. Depths are searched at [`SELECTIVITY`].
const STRENGTHS: [Strength; Level::COUNT as usize] = [
    row(1, 0, 24.0, 3.0),
    row(1, 0, 14.0, 2.0),
    row(1, 1, 9.0, 1.0),
    row(1, 2, 5.0, 0.4),
    row(1, 4, 4.0, 0.0),
    row(2, 4, 3.5, 0.0),
    row(2, 6, 2.8, 0.0),
    row(3, 6, 2.2, 0.0),
    row(3, 8, 1.7, 0.0),
    row(4, 8, 1.3, 0.0),
    row(4, 10, 0.9, 0.0),
    row(5, 10, 0.6, 0.0),
    row(6, 12, 0.3, 0.0),
    row(7, 12, 0.0, 0.0),
    row(8, 14, 0.0, 0.0),
    row(9, 14, 0.0, 0.0),
    row(10, 16, 0.0, 0.0),
    row(11, 16, 0.0, 0.0),
    row(12, 18, 0.0, 0.0),
    row(13, 18, 0.0, 0.0),
    row(14, 20, 0.0, 0.0),
    row(15, 20, 0.0, 0.0),
    row(16, 21, 0.0, 0.0),
    row(17, 21, 0.0, 0.0),
    row(18, 22, 0.0, 0.0),
    row(19, 22, 0.0, 0.0),
    row(20, 23, 0.0, 0.0),
    row(21, 24, 0.0, 0.0),
    row(22, 24, 0.0, 0.0),
    row(24, 25, 0.0, 0.0),
];

/// The selectivity of all levels' estimates.
pub const SELECTIVITY: Selectivity = Selectivity::P73;

/// What this level does.
pub const fn strength(level: Level) -> Strength {
    STRENGTHS[level.index()]
}

impl Strength {
    /// Whether it may play another move than the best one it sees.
    pub const fn slips(&self) -> bool {
        self.temperature > 0.0 || self.greed > 0.0
    }

    /// The search that it plays by, on one thread: so it is the same every time. A player that slips weighs every
    /// move, for whatever `goal`.
    pub fn query(&self, position: Position, goal: Goal, empties_rule: EmptiesRule) -> Query {
        let to_the_end = position.empty().count_ones() <= u32::from(self.exact_from_empties);
        Query {
            position,
            goal: if self.slips() { Goal::AllMoves } else { goal },
            root_moves: None,
            depth: (!to_the_end).then_some(self.depth),
            nodes: None,
            exact_from_empties: if to_the_end { self.exact_from_empties } else { 0 },
            selectivity: SELECTIVITY,
            empties_rule,
            threads: 1,
        }
    }

    /// The move to play out of what [`query`](Self::query) found, best first. The same seed makes the same choice in
    /// the same position, however it is turned or mirrored. `None` when there is no move.
    pub fn choose(&self, position: Position, moves: &[RootMove], seed: u64) -> Option<Move> {
        let best = moves.first()?.mv;
        // A search that was cut short has not valued every move; then its own order counts.
        let values: Option<Vec<f64>> = moves.iter().map(discs).collect();
        let Some(values) = values.filter(|_| self.slips()) else { return Some(best) };
        let (canonical, symmetry) = Symmetry::canonical(position.board(), position.size());
        let mut felt: Vec<(Move, f64)> = moves.iter().map(|root| root.mv).zip(values).collect();
        felt.sort_by_key(|&(mv, _)| symmetry.mv(mv, position.size()));
        let felt_values: Vec<f64> = felt
            .iter()
            .map(|&(mv, value)| match mv {
                Move::Place(square) => value + self.greed * f64::from(position.flips(square).count_ones()),
                Move::Pass => value,
            })
            .collect();
        let decision =
            canonical.player.rotate_left(23) ^ canonical.opponent.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let chosen = level::choose(&felt_values, self.temperature, &mut Noise::new(seed, decision))?;
        Some(felt[chosen].0)
    }
}

/// A move's exact value at its depth in discs.
fn discs(root: &RootMove) -> Option<f64> {
    let score = root.score.filter(|score| score.bound == Bound::Exact)?;
    match score.value {
        Value::Exact { discs } => Some(f64::from(discs)),
        Value::Estimate { centidiscs } => Some(f64::from(centidiscs) / 100.0),
        Value::Sign { .. } => None,
    }
}

/// Empties from which on a game with a clock needs next to no time any more: the rest is solved in milliseconds.
const QUICK_FROM_EMPTIES: u32 = 14;
/// The time kept for those last moves, counted in moves.
const QUICK_MOVES: u32 = 3;

/// How many more moves of the side to move are worth thinking about, this one included: what the time left is shared
/// out among.
pub fn moves_to_think_about(position: Position) -> u32 {
    let empties = position.empty().count_ones();
    empties.saturating_sub(QUICK_FROM_EMPTIES).div_ceil(2) + QUICK_MOVES.min(empties.div_ceil(2)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;
    use crate::query::Score;
    use crate::square::Square;

    #[test]
    fn no_level_looks_less_far_or_slips_more_than_the_one_before() {
        for pair in STRENGTHS.windows(2) {
            assert!(pair[0].depth <= pair[1].depth);
            assert!(pair[0].exact_from_empties <= pair[1].exact_from_empties);
            assert!(pair[0].temperature >= pair[1].temperature);
            assert!(pair[0].greed >= pair[1].greed);
            assert_ne!(pair[0], pair[1]);
        }
    }

    fn valued(position: Position, value: impl Fn(Square) -> i16) -> Vec<RootMove> {
        let score = |square| Score {
            value: Value::Estimate { centidiscs: value(square) },
            bound: Bound::Exact,
            depth: 1,
            selectivity: Selectivity::Full,
        };
        let root = |square| RootMove {
            mv: Move::Place(square),
            score: Some(score(square)),
            principal_variation: Vec::new(),
            nodes: 0,
        };
        let mut moves: Vec<RootMove> = crate::square::Squares(position.moves()).map(root).collect();
        moves.sort_by_key(|root| std::cmp::Reverse(discs(root).map(|discs| (discs * 100.0) as i64)));
        moves
    }

    #[test]
    fn strong_levels_play_the_best_move_and_weak_ones_slip_now_and_then() {
        let position =
            crate::notation::transcript::read("f5d6c3d3c4", Position::start(Size::Eight)).unwrap().position;
        let moves = valued(position, |square| -100 * i16::from(square.index() % 8));
        let slips = |level| {
            let strength = strength(Level::new(level).unwrap());
            (0..400).filter(|&seed| strength.choose(position, &moves, seed) != Some(moves[0].mv)).count()
        };
        assert_eq!(slips(20), 0);
        assert!(slips(1) > slips(8) && slips(8) > 0, "{} {}", slips(1), slips(8));
    }

    #[test]
    fn a_turned_position_gets_the_turned_choice() {
        let position =
            crate::notation::transcript::read("f5d6c3", Position::start(Size::Eight)).unwrap().position;
        let (weakest, size) = (strength(Level::MIN), Size::Eight);
        for symmetry in Symmetry::ALL {
            let turned = symmetry.board(position.board(), size);
            let (white, black) = (turned.player, turned.opponent);
            let turned = Position::new(size, black, white, position.side()).unwrap();
            for seed in 0..50 {
                let choice = weakest.choose(position, &valued(position, |_| 0), seed).unwrap();
                let turned_choice = weakest.choose(turned, &valued(turned, |_| 0), seed);
                assert_eq!(turned_choice, Some(symmetry.mv(choice, size)));
            }
        }
    }

    #[test]
    fn a_search_that_was_cut_short_is_played_as_it_stands() {
        let position = Position::start(Size::Eight);
        let mut moves = valued(position, |_| 0);
        moves[2].score = None;
        for seed in 0..50 {
            assert_eq!(strength(Level::MIN).choose(position, &moves, seed), Some(moves[0].mv));
        }
        assert_eq!(strength(Level::MIN).choose(position, &[], 1), None);
    }

    #[test]
    fn the_moves_to_think_about_grow_with_the_empties() {
        let with_empties = |empties: u32| {
            let black = if empties == 64 { 0 } else { u64::MAX << empties };
            moves_to_think_about(Position::new(Size::Eight, black, 0, crate::position::Color::Black).unwrap())
        };
        assert_eq!([0, 1, 2, 6, 14, 20, 60].map(with_empties), [1, 1, 1, 3, 3, 6, 26]);
    }
}
