//! The forbidden points of renju, against public boards and against the rule written out word by word.

#![expect(clippy::unwrap_used, reason = "a test says what is wrong by panicking")]

mod support;

use gomoku::color::Color;
use gomoku::grid::{Cell, Grid};
use gomoku::point::{Point, RowOne, Size};
use gomoku::position::{IllegalMove, Position};
use gomoku::rules::Rule;
use gomoku::rules::renju::Forbidden;
use support::{Random, board, data};

/// The rule in its own words: fours and threes are sets of stones on a line, found by trying every stretch of five
/// points. Slow on purpose, and sharing nothing with the judge under test.
struct Literal {
    side: i32,
    /// 0 empty, 1 black, 2 white.
    cells: Vec<u8>,
}

type Place = (i32, i32);

const DIRECTIONS: [Place; 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

impl Literal {
    fn new(grid: &Grid) -> Self {
        let cells = grid
            .size()
            .points()
            .map(|point| match grid.get(point) {
                Cell::Stone(Color::Black) => 1,
                Cell::Stone(Color::White) => 2,
                Cell::Empty | Cell::Wall => 0,
            })
            .collect();
        Self { side: i32::from(grid.size().get()), cells }
    }

    fn get(&self, (x, y): Place) -> Option<u8> {
        let inside = (0..self.side).contains(&x) && (0..self.side).contains(&y);
        inside.then(|| self.cells[(y * self.side + x) as usize])
    }

    fn with(&self, (x, y): Place) -> Self {
        let mut cells = self.cells.clone();
        cells[(y * self.side + x) as usize] = 1;
        Self { side: self.side, cells }
    }

    /// All stretches of `length` points through `through` along a direction, each with its two neighbours.
    fn stretches(&self, through: Place, direction: Place, length: i32) -> Vec<Vec<Place>> {
        let at = |k: i32| (through.0 + k * direction.0, through.1 + k * direction.1);
        (1 - length..=0).map(|first| (first - 1..=first + length).map(at).collect()).collect()
    }

    /// Whether black has exactly five through this stone in this direction: five stones between two non-black.
    fn exactly_five(&self, through: Place, direction: Place) -> bool {
        self.stretches(through, direction, 5).iter().any(|stretch| {
            stretch[1..6].iter().all(|&place| self.get(place) == Some(1))
                && self.get(stretch[0]) != Some(1)
                && self.get(stretch[6]) != Some(1)
        })
    }

    fn any_five(&self, through: Place) -> bool {
        DIRECTIONS.iter().any(|&direction| self.exactly_five(through, direction))
    }

    fn overline(&self, through: Place) -> bool {
        DIRECTIONS.iter().any(|&direction| {
            let six = self.stretches(through, direction, 6);
            six.iter().any(|s| s[1..7].iter().all(|&place| self.get(place) == Some(1)))
        })
    }

    /// The fours of a stone in a direction: every set of four stones, this one among them, that one more stone
    /// turns into exactly five; with the number of points that do so.
    fn fours(&self, through: Place, direction: Place) -> Vec<(Vec<Place>, usize)> {
        let mut found: Vec<(Vec<Place>, usize)> = Vec::new();
        for stretch in self.stretches(through, direction, 5) {
            let five = &stretch[1..6];
            let stones: Vec<Place> =
                five.iter().copied().filter(|&place| self.get(place) == Some(1)).collect();
            let empty: Vec<Place> =
                five.iter().copied().filter(|&place| self.get(place) == Some(0)).collect();
            if stones.len() == 4 && empty.len() == 1 && self.with(empty[0]).exactly_five(through, direction) {
                match found.iter_mut().find(|(set, _)| *set == stones) {
                    Some((_, points)) => *points += 1,
                    None => found.push((stones, 1)),
                }
            }
        }
        found
    }

    fn three(&self, through: Place, direction: Place) -> bool {
        let mut places: Vec<Place> = self
            .stretches(through, direction, 5)
            .concat()
            .into_iter()
            .filter(|&p| self.get(p) == Some(0))
            .collect();
        places.sort_unstable();
        places.dedup();
        places.into_iter().any(|place| {
            let after = self.with(place);
            let straight = after
                .fours(through, direction)
                .iter()
                .any(|(set, points)| *points == 2 && set.contains(&place));
            straight && !after.any_five(place) && self.forbidden(place).is_none()
        })
    }

    fn forbidden(&self, place: Place) -> Option<Forbidden> {
        let after = self.with(place);
        if after.any_five(place) {
            return None;
        }
        if after.overline(place) {
            return Some(Forbidden::Overline);
        }
        let fours: Vec<usize> =
            DIRECTIONS.iter().map(|&direction| after.fours(place, direction).len()).collect();
        if fours.iter().sum::<usize>() >= 2 {
            return Some(Forbidden::DoubleFour);
        }
        let threes = (0..4).filter(|&i| fours[i] == 0 && after.three(place, DIRECTIONS[i])).count();
        (threes >= 2).then_some(Forbidden::DoubleThree)
    }
}

#[derive(serde::Deserialize)]
struct Case {
    id: String,
    board: String,
    point: String,
    forbidden: Option<String>,
    makes_five: bool,
}

#[test]
fn public_boards_are_judged_right() {
    let mut cases = 0;
    for line in data("renju-forbidden.jsonl").lines() {
        let case: Case = serde_json::from_str(line).unwrap();
        let position = board(Rule::Renju, &case.board, Color::Black);
        let point = Point::parse(&case.point, Size::DEFAULT, RowOne::Bottom).unwrap();
        let verdict = position.forbidden(point);
        assert_eq!(verdict.map(Forbidden::name), case.forbidden.as_deref(), "{}", case.id);
        assert_eq!(
            Rule::Renju.makes_five(position.grid(), point, Color::Black),
            case.makes_five,
            "{}",
            case.id
        );
        let played = position.play(point);
        assert_eq!(played.err(), verdict.map(IllegalMove::Forbidden), "{}", case.id);
        assert!(position.with_side(Color::White).play(point).is_ok(), "white may play anywhere: {}", case.id);
        cases += 1;
    }
    assert_eq!(cases, 11);
}

/// A board with clusters of black stones, so that fours and threes are common.
fn random_board(random: &mut Random) -> Position {
    let size = Size::new(6 + random.below(10) as u8).unwrap();
    let black = 15 + random.below(25);
    let white = 5 + random.below(20);
    let stones: Vec<(Point, Color)> = size
        .points()
        .filter_map(|point| match random.below(100) {
            roll if roll < black => Some((point, Color::Black)),
            roll if roll < black + white => Some((point, Color::White)),
            _ => None,
        })
        .collect();
    match Position::from_stones(size, Rule::Renju, &stones, Color::Black) {
        Ok(position) => position,
        Err(_) => random_board(random),
    }
}

#[test]
fn the_judge_equals_the_rule_word_by_word() {
    let boards = if cfg!(debug_assertions) { 2_000 } else { 100_000 };
    let mut random = Random(1);
    let mut seen = [0_usize; 4];
    for _ in 0..boards {
        let position = random_board(&mut random);
        let literal = Literal::new(position.grid());
        // A dozen points a board: all kinds come up, and the slow rule stays affordable.
        let empty: Vec<Point> = position.grid().empty().collect();
        for _ in 0..12 {
            let point = empty[random.below(empty.len())];
            let expected = literal.forbidden((i32::from(point.x()), i32::from(point.y())));
            assert_eq!(position.forbidden(point), expected, "{point:?} on {:?}", position.grid());
            seen[match expected {
                None => 0,
                Some(Forbidden::Overline) => 1,
                Some(Forbidden::DoubleFour) => 2,
                Some(Forbidden::DoubleThree) => 3,
            }] += 1;
        }
    }
    assert!(seen.iter().all(|&count| count * 200 > boards), "every verdict comes up: {seen:?}");
}
