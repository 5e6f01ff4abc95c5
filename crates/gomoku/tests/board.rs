//! The incremental board equals a computation from the stones, whatever is played and taken back.
#![expect(clippy::unwrap_used, reason = "a test says what is wrong by panicking")]

mod support;

use gomoku::Neighborhood;
use gomoku::board::Board;
use gomoku::color::Color;
use gomoku::grid::Cell;
use gomoku::lines::{Seen, classify};
use gomoku::point::{Point, Size};
use gomoku::position::Position;
use gomoku::rules::Rule;
use gomoku::threat::Threat;
use proptest::prelude::*;
use support::{data, points};

fn rules() -> impl Strategy<Value = Rule> {
    prop::sample::select(Rule::ALL.to_vec())
}

fn neighborhoods() -> impl Strategy<Value = Neighborhood> {
    prop_oneof![(1_u8..=4).prop_map(Neighborhood::Square), (1_u8..=4).prop_map(Neighborhood::Rays)]
}

/// The threat of a point worked out from the stones by walking, without any table.
fn slow_threat(grid: &gomoku::grid::Grid, rule: Rule, point: Point, color: Color) -> Threat {
    let look = |dx: i32, dy: i32| -> Vec<Seen> {
        (1..=5)
            .map(|k| {
                let (x, y) = (i32::from(point.x()) + k * dx, i32::from(point.y()) + k * dy);
                let inside =
                    x >= 0 && y >= 0 && x < i32::from(grid.size().get()) && y < i32::from(grid.size().get());
                if !inside {
                    return Seen::Blocked;
                }
                match grid.get(Point::new(x as u8, y as u8).unwrap()) {
                    Cell::Empty => Seen::Empty,
                    Cell::Stone(stone) if stone == color => Seen::Own,
                    _ => Seen::Blocked,
                }
            })
            .collect()
    };
    let lines = [(1, 0), (0, 1), (1, 1), (-1, 1)]
        .map(|(dx, dy)| classify(rule, color, &look(-dx, -dy), &look(dx, dy)));
    Threat::of(rule, color, lines)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 150 } else { 3_000 }))]

    #[test]
    fn playing_and_undoing_equals_recomputing(
        side in 5_u8..=20,
        rule in rules(),
        neighborhood in neighborhoods(),
        steps in prop::collection::vec((0_u32..400, 0_u8..3), 1..120),
    ) {
        let size = Size::new(side).unwrap();
        let mut board = Board::new(&Position::empty(size, rule), neighborhood);
        let mut history = vec![board.hash()];
        for (choice, action) in steps {
            let empty: Vec<Point> = board.grid().empty().collect();
            if action == 0 && board.plies() > 0 {
                board.undo();
                history.pop();
                prop_assert_eq!(board.hash(), *history.last().unwrap());
            } else if !empty.is_empty() {
                board.play(empty[choice as usize % empty.len()]);
                history.push(board.hash());
            }
            prop_assert_eq!(board.verify(), Ok(()));
        }
        while board.plies() > 0 {
            board.undo();
        }
        prop_assert_eq!(board.verify(), Ok(()));
        prop_assert_eq!(board.hash(), history[0]);
    }

    #[test]
    fn threats_and_fouls_equal_a_walk_over_the_stones(
        side in 6_u8..=15,
        rule in rules(),
        cells in prop::collection::vec(0_u8..10, 225),
    ) {
        let size = Size::new(side).unwrap();
        let stones: Vec<(Point, Color)> = size.points().zip(cells).filter_map(|(point, cell)| match cell {
            0..=2 => Some((point, Color::Black)),
            3..=4 => Some((point, Color::White)),
            _ => None,
        }).collect();
        // Boards with a five on them are no positions to search.
        if let Ok(position) = Position::from_stones(size, rule, &stones, Color::Black) {
            let mut board = Board::new(&position, Neighborhood::Square(2));
            prop_assert_eq!(board.verify(), Ok(()));
            let empty: Vec<Point> = board.grid().empty().collect();
            for point in empty {
                for color in Color::BOTH {
                    let threat = board.threat(point, color);
                    prop_assert_eq!(threat, slow_threat(board.grid(), rule, point, color));
                    let five = rule.makes_five(board.grid(), point, color);
                    prop_assert_eq!(threat == Threat::Five, five);
                }
                prop_assert_eq!(board.is_forbidden(point, Color::Black), position.forbidden(point).is_some());
                prop_assert!(!board.is_forbidden(point, Color::White));
            }
        }
    }
}

#[test]
fn the_seed_candidate_counts_hold() {
    let tactics: serde_json::Value = serde_json::from_str(&data("gomoku_tactics.json")).unwrap();
    let demo = support::board(Rule::Freestyle, tactics["demo"][0]["board"].as_str().unwrap(), Color::White);
    let empty = Position::empty(Size::DEFAULT, Rule::Freestyle);
    let one = |name: &str| empty.play(points(name)[0]).unwrap();
    let count =
        |position: &Position, radius| Board::new(position, Neighborhood::Square(radius)).candidates().len();
    let counted: Vec<usize> = vec![
        count(&empty, 2),
        count(&one("h8"), 2),
        count(&one("h8"), 1),
        count(&one("h8"), 3),
        count(&one("a1"), 2),
        count(&demo, 2),
    ];
    let golden: Vec<usize> = tactics["candidates"]
        .as_array()
        .unwrap()
        .iter()
        .map(|case| case["candidates"].as_u64().unwrap() as usize)
        .collect();
    assert_eq!(counted, golden);
    assert_eq!(Board::new(&empty, Neighborhood::Square(2)).candidates(), points("h8"));
}
