//! Playing strengths for Gomoku: what each of the thirty levels searches and how it chooses, and how a game clock is
//! shared out.
//!
//! Weak levels weigh every move at a small depth and slip ([`choose`](searchkit::level::choose)); a win or a loss weighs
//! the more the nearer it is, so that a beginner sees an open five before a plan of three moves. Strong levels play the
//! best move that a number of nodes finds.

use searchkit::level::{self, Level, Noise};

use crate::color::Color;
use crate::grid::Cell;
use crate::point::Point;
use crate::position::Position;
use crate::query::{Bound, Goal, Query, RootMove, Value};
use crate::search::techniques::Techniques;
use crate::symmetry::Symmetry;

/// What a level does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Strength {
    /// Deepest iteration of its search, plies; no limit when `None`.
    pub depth: Option<u8>,
    /// Nodes of its search; no limit when `None`.
    pub nodes: Option<u64>,
    /// Evaluation units by which a move must be worse to be chosen e times less often than the best; 0 for no slips.
    pub temperature: f64,
}

const fn slips(depth: u8, temperature: f64) -> Strength {
    Strength { depth: Some(depth), nodes: None, temperature }
}

const fn plays(nodes: u64) -> Strength {
    Strength { depth: None, nodes: Some(nodes), temperature: 0.0 }
}

/// Strengths by level. From the first that does not slip on, each has about 1.6 times the nodes of the one before.
const STRENGTHS: [Strength; Level::COUNT as usize] = [
    slips(1, 1_100.0),
    slips(1, 700.0),
    slips(1, 450.0),
    slips(1, 300.0),
    slips(1, 200.0),
    slips(1, 130.0),
    slips(2, 100.0),
    slips(2, 70.0),
    slips(2, 50.0),
    slips(3, 40.0),
    slips(3, 28.0),
    slips(4, 20.0),
    slips(4, 12.0),
    plays(1_000),
    plays(1_600),
    plays(2_500),
    plays(4_000),
    plays(6_500),
    plays(10_000),
    plays(16_000),
    plays(25_000),
    plays(40_000),
    plays(65_000),
    plays(100_000),
    plays(160_000),
    plays(250_000),
    plays(400_000),
    plays(650_000),
    plays(1_000_000),
    plays(1_600_000),
];

/// What a win is worth to a player who may slip, divided by the moves that it takes: a five at once is worth as much as
/// twenty logits.
const WIN_WORTH: f64 = 4_000.0;

/// What this level does.
pub const fn strength(level: Level) -> Strength {
    STRENGTHS[level.index()]
}

impl Strength {
    /// Whether it may play another move than the best one it sees.
    pub const fn slips(&self) -> bool {
        self.temperature > 0.0
    }

    /// The search that it plays by, on one thread: so it is the same every time. A player that slips weighs every
    /// candidate, for whatever `goal`.
    pub fn query(&self, position: Position, goal: Goal) -> Query {
        Query {
            position,
            goal: if self.slips() { Goal::AllMoves } else { goal },
            root_moves: None,
            depth: self.depth,
            nodes: self.nodes,
            techniques: Techniques::ALL,
            threads: 1,
        }
    }

    /// The move to play out of what [`query`](Self::query) found, best first. The same seed makes the same choice in
    /// the same position, however it is turned or mirrored. `None` when there is no move.
    pub fn choose(&self, position: &Position, moves: &[RootMove], seed: u64) -> Option<Point> {
        let best = moves.first()?.point;
        // A search that was cut short has not valued every move; then its own order counts.
        let worths: Option<Vec<f64>> = moves.iter().map(worth).collect();
        let Some(worths) = worths.filter(|_| self.slips()) else { return Some(best) };
        let (canonical, symmetry) = Symmetry::canonical(position);
        let mut felt: Vec<(Point, f64)> = moves.iter().map(|root| root.point).zip(worths).collect();
        felt.sort_by_key(|&(point, _)| symmetry.apply(point, position.size()));
        let values: Vec<f64> = felt.iter().map(|&(_, worth)| worth).collect();
        let mut noise = Noise::new(seed, decision(&canonical));
        let chosen = level::choose(&values, self.temperature, &mut noise)?;
        Some(felt[chosen].0)
    }
}

/// What a move seems worth, in evaluation units; `None` when it has no value, or only a bound on an estimate.
fn worth(root: &RootMove) -> Option<f64> {
    let score = root.score?;
    match score.value {
        Value::WinIn { moves } => Some(WIN_WORTH / f64::from(moves.max(1))),
        Value::LossIn { moves } => Some(-WIN_WORTH / f64::from(moves.max(1))),
        Value::Estimate { units } => (score.bound == Bound::Exact).then(|| f64::from(units)),
    }
}

/// Names a decision: a hash of the stones (FNV-1a with 64 bits), the same in every process.
fn decision(position: &Position) -> u64 {
    let code = |point| match position.grid().get(point) {
        Cell::Empty | Cell::Wall => 0_u64,
        Cell::Stone(Color::Black) => 1,
        Cell::Stone(Color::White) => 2,
    };
    position
        .size()
        .points()
        .map(code)
        .fold(0xcbf2_9ce4_8422_2325, |hash, code| (hash ^ code).wrapping_mul(0x0000_0100_0000_01b3))
}

/// Own moves of a usual game that are worth thinking about: matches of the engine against itself end after 36 to 50
/// stones, and long ones are decided late.
const USUAL_MOVES: u32 = 24;
/// The moves that time is kept for, however long the game has gone on.
const LEAST_MOVES: u32 = 8;

/// How many more moves of the side to move are worth thinking about, this one included: what the time left is shared
/// out among.
pub fn moves_to_think_about(position: &Position) -> u32 {
    let area = position.size().area() as u32;
    let stones = u32::from(position.stones());
    let left = area.saturating_sub(stones).div_ceil(2).max(1);
    USUAL_MOVES.saturating_sub(stones / 2).max(LEAST_MOVES).min(left)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::point::{RowOne, Size};
    use crate::query::Score;
    use crate::rules::Rule;

    fn position(moves: &str) -> Position {
        let point = |name| Point::parse(name, Size::DEFAULT, RowOne::Top).unwrap();
        let points: Vec<Point> = moves.split(' ').map(point).collect();
        Position::from_moves(Size::DEFAULT, Rule::Freestyle, &points).unwrap()
    }

    fn valued(position: &Position, value: impl Fn(Point) -> Value) -> Vec<RootMove> {
        let root = |point| RootMove {
            point,
            score: Some(Score { value: value(point), bound: Bound::Exact, depth: 1 }),
            principal_variation: vec![point],
            nodes: 1,
        };
        let mut moves: Vec<RootMove> = position.legal_moves().into_iter().map(root).collect();
        moves.sort_by_key(|root| std::cmp::Reverse(worth(root).map(|worth| worth as i64)));
        moves
    }

    #[test]
    fn no_level_looks_less_far_or_slips_more_than_the_one_before() {
        for pair in STRENGTHS.windows(2) {
            assert!(pair[0].temperature >= pair[1].temperature);
            assert!(pair[0].depth.unwrap_or(u8::MAX) <= pair[1].depth.unwrap_or(u8::MAX));
            assert!(pair[0].nodes.unwrap_or(0) <= pair[1].nodes.unwrap_or(0));
            assert_ne!(pair[0], pair[1]);
        }
    }

    #[test]
    fn strong_levels_play_the_best_move_and_weak_ones_slip_now_and_then() {
        let position = position("h8 i9 g9");
        let moves = valued(&position, |point| Value::Estimate { units: -40 * i16::from(point.x()) });
        let slips = |level| {
            let strength = strength(Level::new(level).unwrap());
            (0..300).filter(|&seed| strength.choose(&position, &moves, seed) != Some(moves[0].point)).count()
        };
        assert_eq!(slips(20), 0);
        assert!(slips(1) > 100, "{}", slips(1));
        let worst = |level: u8| {
            let strength = strength(Level::new(level).unwrap());
            let far = |seed| strength.choose(&position, &moves, seed).unwrap().x();
            (0..300).map(far).max().unwrap()
        };
        assert!(worst(13) < worst(6) && worst(6) < worst(1), "{} {} {}", worst(13), worst(6), worst(1));
    }

    #[test]
    fn even_beginners_mostly_take_a_five_and_hardly_see_a_far_win() {
        let position = position("h8 i9 g9");
        let (best, beginner) = (position.legal_moves()[50], strength(Level::MIN));
        let taken = |moves: u16| {
            let value = |point| match point == best {
                true => Value::WinIn { moves },
                false => Value::Estimate { units: 0 },
            };
            let moves = valued(&position, value);
            (0..300).filter(|&seed| beginner.choose(&position, &moves, seed) == Some(best)).count()
        };
        // One move in 223 is chosen by chance in 1 or 2 of 300 games.
        assert!(taken(1) > 30 && taken(4) < 15, "{} {}", taken(1), taken(4));
    }

    #[test]
    fn a_turned_position_gets_the_turned_choice() {
        let position = position("h8 i9 g9 k3");
        let weakest = strength(Level::MIN);
        for symmetry in Symmetry::all() {
            let turned = symmetry.of_position(&position);
            for seed in 0..20 {
                let even = |_| Value::Estimate { units: 0 };
                let choice = weakest.choose(&position, &valued(&position, even), seed).unwrap();
                let turned_choice = weakest.choose(&turned, &valued(&turned, even), seed);
                assert_eq!(turned_choice, Some(symmetry.apply(choice, position.size())));
            }
        }
    }

    #[test]
    fn a_search_that_was_cut_short_is_played_as_it_stands() {
        let position = position("h8");
        let mut moves = valued(&position, |_| Value::Estimate { units: 0 });
        moves[2].score = None;
        for seed in 0..20 {
            assert_eq!(strength(Level::MIN).choose(&position, &moves, seed), Some(moves[0].point));
        }
        assert_eq!(strength(Level::MIN).choose(&position, &[], 1), None);
    }

    #[test]
    fn time_is_kept_for_a_game_of_usual_length_and_for_longer_ones() {
        assert_eq!(moves_to_think_about(&position("h8")), 24);
        assert_eq!(moves_to_think_about(&position("h8 i9 g9 k3")), 22);
        let small = Position::empty(Size::new(5).unwrap(), Rule::Freestyle);
        assert_eq!(moves_to_think_about(&small), 13);
    }
}
