//! Winning, drawing, and moves that are refused; with the public cases PG01 to PG10 that are about rules.

#![expect(clippy::unwrap_used, reason = "a test says what is wrong by panicking")]

mod support;

use gomoku::color::Color;
use gomoku::grid::Grid;
use gomoku::point::{Point, RowOne, Size};
use gomoku::position::{IllegalMove, IllegalSequence, InvalidBoard, Position, Status};
use gomoku::rules::Rule;
use gomoku::rules::renju::Forbidden;
use support::{after, data, joined_points, points};

fn row(from: (u8, u8), step: (u8, u8), length: u8, color: Color) -> Vec<(Point, Color)> {
    (0..length).map(|k| (Point::new(from.0 + k * step.0, from.1 + k * step.1).unwrap(), color)).collect()
}

#[test]
fn the_seed_win_detection_cases_hold_under_freestyle() {
    let tactics: serde_json::Value = serde_json::from_str(&data("gomoku_tactics.json")).unwrap();
    let cases = tactics["win_detection"].as_array().unwrap();
    for case in cases {
        let stones: Vec<(Point, Color)> = case["stones"]
            .as_array()
            .unwrap()
            .iter()
            .map(|rc| {
                let coordinate = |i: usize| rc[i].as_u64().unwrap() as u8;
                (Point::new(coordinate(1), coordinate(0)).unwrap(), Color::Black)
            })
            .collect();
        let position = Position::from_stones(Size::DEFAULT, Rule::Freestyle, &stones, Color::White).unwrap();
        assert_eq!(position.status() == Status::Won(Color::Black), case["five"].as_bool().unwrap(), "{case}");
    }
    assert_eq!(cases.len(), 9);
}

#[test]
fn six_in_a_row_counts_by_rule_and_colour() {
    let six = |rule, color| {
        Position::from_stones(Size::DEFAULT, rule, &row((3, 3), (1, 1), 6, color), Color::Black)
            .unwrap()
            .status()
    };
    for color in Color::BOTH {
        assert_eq!(six(Rule::Freestyle, color), Status::Won(color));
        assert_eq!(six(Rule::Standard, color), Status::InProgress);
    }
    assert_eq!(six(Rule::Renju, Color::White), Status::Won(Color::White));
    assert_eq!(six(Rule::Renju, Color::Black), Status::InProgress);
}

#[test]
fn a_black_overline_is_refused_under_renju_and_nothing_under_standard() {
    // a b c _ e f in row 1: the stone on d1 makes six.
    let mut stones = row((0, 0), (1, 0), 3, Color::Black);
    stones.extend(row((4, 0), (1, 0), 2, Color::Black));
    let d1 = Point::new(3, 0).unwrap();
    let play = |rule| Position::from_stones(Size::DEFAULT, rule, &stones, Color::Black).unwrap().play(d1);
    assert_eq!(play(Rule::Renju).unwrap_err(), IllegalMove::Forbidden(Forbidden::Overline));
    assert_eq!(play(Rule::Standard).unwrap().status(), Status::InProgress);
    assert_eq!(play(Rule::Freestyle).unwrap().status(), Status::Won(Color::Black));
}

#[test]
fn the_first_five_ends_the_game_and_names_the_winner() {
    // PG05, PG06, PG10: black completes h5..h9 with move 9; nothing may follow.
    let moves = points("h5 a1 h6 a2 h7 a3 h8 a4 h9 a5");
    for rule in Rule::ALL {
        let won = Position::from_moves(Size::DEFAULT, rule, &moves[..9]).unwrap();
        assert_eq!(won.status(), Status::Won(Color::Black));
        assert_eq!(won.status().winner(), Some(Color::Black));
        assert_eq!(won.side(), Color::White);
        assert_eq!(won.winning_row().unwrap(), points("h5 h6 h7 h8 h9"));
        assert!(won.legal_moves().is_empty());
        assert_eq!(
            Position::from_moves(Size::DEFAULT, rule, &moves),
            Err(IllegalSequence { index: 9, reason: IllegalMove::Won(Color::Black) })
        );
    }
}

#[test]
fn the_only_defence_may_be_a_forbidden_point() {
    // PG01: row 1 at the bottom or the top, the position is the same up to reflection.
    let position =
        Position::from_moves(Size::DEFAULT, Rule::Renju, &joined_points("h8g6f6g5f7g4h7g3g2a1")).unwrap();
    assert_eq!(position.side(), Color::Black);
    let g7 = Point::parse("g7", Size::DEFAULT, RowOne::Top).unwrap();
    assert_eq!(position.forbidden(g7), Some(Forbidden::DoubleThree));
    assert!(Rule::Renju.makes_five(position.grid(), g7, Color::White));
    assert_eq!(position.status(), Status::InProgress);
    assert!(!position.legal_moves().contains(&g7));
    assert!(position.forbidden_points().contains(&(g7, Forbidden::DoubleThree)));
}

#[test]
fn the_side_to_move_is_a_field_of_its_own() {
    // PG09: as many white stones as black, white to move.
    let position = after(Rule::Freestyle, "h8 i9").with_side(Color::White);
    let next = position.play(points("h9")[0]).unwrap();
    assert_eq!(next.grid().stones(Color::White).count(), 2);
    assert_eq!(next.side(), Color::Black);
}

#[test]
fn bad_moves_and_boards_are_refused_with_the_reason() {
    let position = after(Rule::Freestyle, "h8");
    assert_eq!(position.play(points("h8")[0]), Err(IllegalMove::Occupied));
    let outside = Point::new(16, 3).unwrap();
    assert_eq!(position.play(outside), Err(IllegalMove::OffBoard));
    let bad = |stones: &[(Point, Color)]| {
        Position::from_stones(Size::DEFAULT, Rule::Freestyle, stones, Color::Black).unwrap_err()
    };
    let h8 = points("h8")[0];
    assert_eq!(bad(&[(h8, Color::Black), (h8, Color::White)]), InvalidBoard::BadStone(1));
    assert_eq!(bad(&[(outside, Color::Black)]), InvalidBoard::BadStone(0));
    let mut two = row((0, 0), (1, 0), 5, Color::Black);
    two.extend(row((0, 1), (1, 0), 5, Color::White));
    assert_eq!(bad(&two), InvalidBoard::TwoWinners);
    assert_eq!(Rule::from_name("caro").unwrap_err().to_string().split(' ').nth(2), Some("`caro`"));
}

#[test]
fn a_full_board_without_five_is_a_draw() {
    // Pairs of columns shifted by row keep every line below five.
    let size = Size::new(5).unwrap();
    let stones: Vec<(Point, Color)> = size
        .points()
        .map(|p| (p, if (p.x() / 2 + p.y()) % 2 == 0 { Color::Black } else { Color::White }))
        .collect();
    for rule in Rule::ALL {
        let position = Position::from_stones(size, rule, &stones, Color::Black).unwrap();
        assert_eq!(position.status(), Status::Draw);
        assert_eq!(position.play(stones[0].0), Err(IllegalMove::NoMoveLeft));
    }
}

#[test]
fn black_without_a_legal_point_has_lost_under_renju() {
    // Only c1 is left, and a stone there makes six in the first row.
    let size = Size::new(6).unwrap();
    let gap = Point::new(2, 0).unwrap();
    let stones: Vec<(Point, Color)> = size
        .points()
        .filter(|&point| point != gap)
        .map(|p| {
            let white = p.y() > 0 && (p.x() / 2 + p.y()) % 2 == 1;
            (p, if white { Color::White } else { Color::Black })
        })
        .collect();
    let position = Position::from_stones(size, Rule::Renju, &stones, Color::Black).unwrap();
    assert_eq!(position.forbidden(gap), Some(Forbidden::Overline));
    assert_eq!(position.status(), Status::NoLegalMove);
    assert_eq!(position.status().winner(), Some(Color::White));
    assert_eq!(position.play(gap), Err(IllegalMove::NoMoveLeft));
    assert_eq!(position.with_side(Color::White).status(), Status::InProgress);
}

#[test]
fn an_empty_grid_has_no_row() {
    for rule in Rule::ALL {
        for color in Color::BOTH {
            assert_eq!(rule.winning_row(&Grid::new(Size::DEFAULT), color), None);
        }
    }
}
