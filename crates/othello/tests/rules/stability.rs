//! Stability is a lower bound of what really never turns, and the tempting rules that go further are refuted.

use std::collections::HashMap;

use othello::board::Size;
use othello::stability::{lower_bound, stable_discs, stable_discs_on, upper_bound};
use serde::Deserialize;

use crate::data::{Golden, Random, golden, squares};

#[derive(Deserialize)]
struct Tables {
    exact_stable_sets: Vec<StableSet>,
    cutoff_counterexamples: Vec<Cut>,
    rule_counterexamples: Vec<Rule>,
}

#[derive(Deserialize)]
struct StableSet {
    #[serde(flatten)]
    position: Golden,
    value: i32,
    exact_black: Vec<String>,
    exact_white: Vec<String>,
    conservative_full_lines_black: Vec<String>,
    conservative_full_lines_white: Vec<String>,
    corner_edge_runs_black: Vec<String>,
    corner_edge_runs_white: Vec<String>,
    upper_bound: i32,
    lower_bound: i32,
}

#[derive(Deserialize)]
struct Cut {
    #[serde(flatten)]
    position: Golden,
    stability: String,
    empties: i32,
    stable_me: i32,
    stable_opp: i32,
    unsound_rule_would_return: i32,
    value: i32,
    upper_bound: i32,
    lower_bound: i32,
}

#[derive(Deserialize)]
struct Rule {
    #[serde(flatten)]
    position: Golden,
    rule: String,
    falsely_stable: String,
    flipped_by: String,
    owner: String,
}

fn tables() -> Tables {
    golden("othello_stability.json")
}

#[test]
fn golden_sets_hold_ours_and_ours_hold_the_conservative_ones() {
    for case in tables().exact_stable_sets {
        let board = case.position.position();
        let (black, white) =
            (board.discs(othello::position::Color::Black), board.discs(othello::position::Color::White));
        for (own, other, exact, conservative, runs) in [
            (
                black,
                white,
                &case.exact_black,
                &case.conservative_full_lines_black,
                &case.corner_edge_runs_black,
            ),
            (
                white,
                black,
                &case.exact_white,
                &case.conservative_full_lines_white,
                &case.corner_edge_runs_white,
            ),
        ] {
            let found = stable_discs(own, other);
            assert_eq!(found & !squares(exact), 0, "more than exact on {}", case.position.board);
            assert_eq!(
                squares(conservative) & !found,
                0,
                "a known one is missing on {}",
                case.position.board
            );
            assert_eq!(squares(runs) & !found, 0, "a corner run is missing on {}", case.position.board);
        }
    }
}

#[test]
fn golden_bounds_follow_from_the_exact_sets_and_ours_enclose_the_value() {
    for case in tables().exact_stable_sets {
        let position = case.position.position();
        let (own, other) = (position.board().player, position.board().opponent);
        let (exact_own, exact_other) = match case.position.side.as_str() {
            "X" => (squares(&case.exact_black), squares(&case.exact_white)),
            _ => (squares(&case.exact_white), squares(&case.exact_black)),
        };
        assert_eq!(upper_bound(Size::Eight, exact_other), case.upper_bound);
        assert_eq!(lower_bound(Size::Eight, exact_own), case.lower_bound);
        let (upper, lower) = (
            upper_bound(Size::Eight, stable_discs(other, own)),
            lower_bound(Size::Eight, stable_discs(own, other)),
        );
        assert!(case.upper_bound <= upper && lower <= case.lower_bound, "{}", case.position.board);
        assert!((lower..=upper).contains(&case.value), "{}", case.position.board);
    }
}

/// Every disc that the crate calls stable, against playing everything out on the naive board.
#[test]
fn no_stable_disc_ever_turns_on_random_nearly_full_boards_of_any_size() {
    let mut random = Random(11);
    let mut found_some = 0;
    for (side, boards) in [(4, 400), (6, 300), (8, 300)] {
        let size = Size::from_side(side).unwrap();
        for round in 0..boards {
            let grid = random.grid(side, 1 + round % 6);
            let board = grid.position().board();
            let (own, other) = grid.exactly_stable(&mut HashMap::new());
            let ours = stable_discs_on(size, board.player, board.opponent);
            let theirs = stable_discs_on(size, board.opponent, board.player);
            assert_eq!((ours & !own, theirs & !other), (0, 0), "{grid:?}");
            found_some += u32::from(ours != 0);
        }
    }
    assert!(found_some > 500, "only {found_some} boards had stable discs");
}

/// "The side that leads by more stable discs than there are empties has won" (founding text 002) returns that lead as a
/// value. On each of these boards the other side wins, even where the stable sets are exact.
#[test]
fn the_cut_on_a_lead_in_stable_discs_is_refuted() {
    let cuts = tables().cutoff_counterexamples;
    assert!(cuts.iter().any(|case| case.stability == "exact"));
    for case in cuts {
        let grid = case.position.grid();
        let value = grid.value(&mut HashMap::new());
        assert_eq!(value, case.value, "{}", case.position.board);
        let lead = case.stable_me - case.stable_opp;
        assert!(lead.abs() > case.empties, "the rule must apply");
        assert_eq!(lead, case.unsound_rule_would_return);
        assert_eq!(
            lead.signum(),
            -value.signum(),
            "the rule names the wrong winner on {}",
            case.position.board
        );
        if case.stability == "exact" {
            let (own, other) = grid.exactly_stable(&mut HashMap::new());
            assert_eq!(
                (own.count_ones() as i32, other.count_ones() as i32),
                (case.stable_me, case.stable_opp)
            );
        }
        let board = case.position.position().board();
        let upper = upper_bound(Size::Eight, stable_discs(board.opponent, board.player));
        let lower = lower_bound(Size::Eight, stable_discs(board.player, board.opponent));
        assert!(lower <= case.lower_bound && case.upper_bound <= upper, "{}", case.position.board);
        assert!((lower..=upper).contains(&value), "{}", case.position.board);
    }
}

/// Each of these discs is stable by some looser rule and turns at the very next move.
#[test]
fn discs_that_looser_rules_call_stable_are_not_stable_for_us() {
    for case in tables().rule_counterexamples {
        let position = case.position.position();
        let disc = squares(&[case.falsely_stable]);
        let turned = position.flips(case.flipped_by.parse().unwrap());
        assert_ne!(turned & disc, 0, "{}: the disc turns on {}", case.rule, case.position.board);
        assert_ne!(case.owner, case.position.side);
        let board = position.board();
        assert_ne!(board.opponent & disc, 0);
        assert_eq!(
            stable_discs(board.opponent, board.player) & disc,
            0,
            "{} on {}",
            case.rule,
            case.position.board
        );
    }
}
