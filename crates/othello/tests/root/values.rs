//! What the values are.

use othello::board::Size;
use othello::position::{Color, EmptiesRule, Position, Status};
use othello::query::{Bound, Goal, Selectivity, Value};
use othello::square::{Move, Squares};
use othello::symmetry::Symmetry;
use searchkit::stop::StopReason;

use crate::{Random, TABLE, answer, best_value, check_moves, data, obf, plain, query, values};

fn exact(discs: i32) -> Value {
    Value::Exact { discs: discs as i8 }
}

#[test]
fn ffo_1_to_19_have_their_published_value_in_every_move() {
    for (index, problem) in obf::read(&data("ffo-1-19.obf")).into_iter().enumerate() {
        let asked = query(problem.position, Goal::AllMoves);
        let found = answer(&asked, 1 << 24);
        check_moves(&asked, &found);
        let mut published: Vec<_> = problem.moves.iter().map(|&(mv, discs)| (mv, exact(discs))).collect();
        published.sort_by_key(|(mv, _)| *mv);
        assert_eq!(values(&found), published, "FFO {}", index + 1);
        assert!(found.complete);
        assert_eq!(found.stop_reason, Some(StopReason::Solved));
        assert!(found.moves.iter().all(|entry| entry.score.unwrap().bound == Bound::Exact));
    }
}

#[test]
fn proven_lines_are_played_out_to_the_score_they_promise() {
    for problem in obf::read(&data("ffo-1-19.obf")) {
        let found = answer(&query(problem.position, Goal::BestMove), TABLE);
        let best = &found.moves[0];
        let end = best.principal_variation.iter().fold(problem.position, |at, &mv| plain::after(at, mv));
        assert_eq!(end.status(), Status::Finished);
        let same_side = end.side() == problem.position.side();
        let score = end.final_score(EmptiesRule::Winner) * if same_side { 1 } else { -1 };
        assert_eq!(best.score.unwrap().value, exact(score));
    }
}

#[test]
fn values_of_a_fixed_depth_are_those_of_plain_minimax() {
    let mut random = Random(1);
    for case in 0..30 {
        let size = if case % 5 == 0 { Size::Six } else { Size::Eight };
        let empties = 16 + random.below(15) as u32;
        let position = random.played(size, empties);
        let depth = 1 + (case % 4) as u8;
        let mut asked = query(position, Goal::AllMoves);
        asked.depth = Some(depth);
        let found = answer(&asked, TABLE);
        check_moves(&asked, &found);
        assert_eq!((found.depth, found.complete), (depth, true));
        assert_eq!(found.stop_reason, Some(StopReason::Depth));
        for entry in &found.moves {
            let child = plain::after(position, entry.mv);
            let below = if entry.mv == Move::Pass { depth } else { depth - 1 };
            let value = match child.status() {
                Status::Finished => exact(-child.final_score(EmptiesRule::Winner)),
                _ => Value::Estimate { centidiscs: -plain::value(child, below, EmptiesRule::Winner) as i16 },
            };
            assert_eq!(entry.score.unwrap().value, value, "{position:?}");
        }
    }
}

#[test]
fn a_table_of_one_line_gives_the_values_of_a_large_one() {
    let mut random = Random(2);
    for _ in 0..6 {
        let mut asked = query(random.played(Size::Eight, 36), Goal::AllMoves);
        asked.depth = Some(6);
        assert_eq!(values(&answer(&asked, 64)), values(&answer(&asked, 1 << 22)));
    }
}

#[test]
fn any_number_of_threads_gives_the_same_values_without_selectivity() {
    let mut random = Random(3);
    for goal in [Goal::AllMoves, Goal::BestMove, Goal::TopN(3)] {
        for empties in [12, 34] {
            for _ in 0..3 {
                let mut asked = query(random.played(Size::Eight, empties), goal);
                asked.depth = Some(if empties == 12 { 60 } else { 7 });
                let alone = answer(&asked, TABLE);
                for threads in [2, 4] {
                    asked.threads = threads;
                    let together = answer(&asked, TABLE);
                    check_moves(&asked, &together);
                    assert_eq!(best_value(&together), best_value(&alone));
                    if goal == Goal::AllMoves {
                        assert_eq!(values(&together), values(&alone));
                    }
                }
            }
        }
    }
}

#[test]
fn best_move_and_top_n_agree_with_all_moves() {
    let mut random = Random(4);
    for case in 0..8 {
        let empties = if case % 2 == 0 { 11 } else { 30 };
        let position = random.played(Size::Eight, empties);
        let ask = |goal| {
            let mut asked = query(position, goal);
            asked.depth = Some(if empties == 11 { 60 } else { 5 });
            let found = answer(&asked, TABLE);
            check_moves(&asked, &found);
            found
        };
        let all = ask(Goal::AllMoves);
        let hundredths = |value| match value {
            Value::Exact { discs } => i32::from(discs) * 100,
            Value::Estimate { centidiscs } => i32::from(centidiscs),
            Value::Sign { .. } => panic!("no sign was asked"),
        };
        for (goal, count) in [(Goal::BestMove, 1), (Goal::TopN(3), 3)] {
            let some = ask(goal);
            for (place, entry) in some.moves.iter().enumerate() {
                let truth = all.moves.iter().find(|other| other.mv == entry.mv).unwrap().score.unwrap();
                let (found, truth) = (entry.score.unwrap(), hundredths(truth.value));
                if place < count {
                    assert_eq!(found.value, all.moves[place].score.unwrap().value);
                    assert_eq!(found.bound, Bound::Exact);
                }
                match found.bound {
                    Bound::Exact => assert_eq!(hundredths(found.value), truth),
                    Bound::Upper => assert!(hundredths(found.value) >= truth),
                    Bound::Lower => assert!(hundredths(found.value) <= truth),
                }
            }
        }
    }
}

#[test]
fn a_known_value_stands_before_every_upper_bound() {
    let mut random = Random(5);
    let mut mixed = 0;
    for _ in 0..40 {
        let position = random.played(Size::Eight, 40);
        let mut asked = query(position, Goal::BestMove);
        (asked.depth, asked.exact_from_empties) = (Some(6), 0);
        let found = answer(&asked, TABLE);
        let upper: Vec<bool> =
            found.moves.iter().map(|entry| entry.score.unwrap().bound == Bound::Upper).collect();
        assert!(upper.is_sorted(), "{upper:?}");
        mixed += usize::from(upper.iter().filter(|upper| !**upper).count() > 1);
    }
    assert!(mixed > 0, "no search valued a move besides the best one");
}

#[test]
fn the_winner_is_that_of_the_exact_score() {
    let mut random = Random(5);
    for rule in [EmptiesRule::Winner, EmptiesRule::Nobody] {
        for threads in [1, 2] {
            for _ in 0..12 {
                let mut asked = query(random.played(Size::Eight, 10), Goal::WinLossDraw);
                asked.empties_rule = rule;
                asked.threads = threads;
                let sign = answer(&asked, TABLE);
                asked.goal = Goal::BestMove;
                let Value::Exact { discs } = best_value(&answer(&asked, TABLE)) else {
                    panic!("ten empties are solved")
                };
                assert_eq!(best_value(&sign), Value::Sign { sign: discs.signum() });
                assert_eq!(sign.stop_reason, Some(StopReason::Solved));
                check_moves(&asked, &sign);
            }
        }
    }
}

#[test]
fn few_empties_are_valued_as_plain_minimax_values_them() {
    let mut random = Random(6);
    for rule in [EmptiesRule::Winner, EmptiesRule::Nobody] {
        for empties in 1..=7 {
            for size in [Size::Six, Size::Eight] {
                let mut asked = query(random.played(size, empties), Goal::AllMoves);
                asked.empties_rule = rule;
                let found = answer(&asked, 1 << 16);
                check_moves(&asked, &found);
                for entry in found.moves {
                    let truth = -plain::score(plain::after(asked.position, entry.mv), rule);
                    assert_eq!(entry.score.unwrap().value, exact(truth));
                }
            }
        }
    }
}

#[test]
fn four_by_four_is_lost_for_the_first_mover() {
    // The value with discs on the board is the seeds' (minus eight), confirmed by full enumeration.
    for (rule, discs) in [(EmptiesRule::Winner, -10), (EmptiesRule::Nobody, -8)] {
        let mut asked = query(Position::start(Size::Four), Goal::AllMoves);
        asked.empties_rule = rule;
        let found = answer(&asked, TABLE);
        assert_eq!(found.moves.len(), 4);
        assert!(found.moves.iter().all(|entry| entry.score.unwrap().value == exact(discs)));
    }
}

#[test]
fn the_four_first_moves_have_one_value_and_stand_in_order_of_their_squares() {
    let mut asked = query(Position::start(Size::Eight), Goal::AllMoves);
    for depth in 1..=7 {
        asked.depth = Some(depth);
        let found = answer(&asked, TABLE);
        let moves: Vec<Move> = found.moves.iter().map(|entry| entry.mv).collect();
        assert_eq!(moves, Squares(asked.position.moves()).map(Move::Place).collect::<Vec<_>>());
        assert!(found.moves.iter().all(|entry| entry.score == found.moves[0].score));
        check_moves(&asked, &found);
    }
}

#[test]
fn a_turned_question_gets_the_turned_answer() {
    let mut random = Random(8);
    for goal in [Goal::AllMoves, Goal::BestMove] {
        let position = random.played(Size::Eight, 34);
        let mut asked = query(position, goal);
        asked.depth = Some(5);
        asked.selectivity = Selectivity::P73;
        let first = answer(&asked, TABLE);
        for symmetry in Symmetry::ALL {
            let image = |color| symmetry.set(position.discs(color), Size::Eight);
            let turned =
                Position::new(Size::Eight, image(Color::Black), image(Color::White), position.side());
            asked.position = turned.unwrap();
            let second = answer(&asked, TABLE);
            assert_eq!(second.statistics, first.statistics);
            for entry in &first.moves {
                let mv = symmetry.mv(entry.mv, Size::Eight);
                let same =
                    second.moves.iter().find(|other| other.mv == mv).expect("the turned move is listed");
                assert_eq!(same.score, entry.score);
                let line = entry.principal_variation.iter().map(|&mv| symmetry.mv(mv, Size::Eight));
                assert_eq!(same.principal_variation, line.collect::<Vec<_>>());
            }
        }
    }
}

#[test]
fn swapping_the_colours_changes_nothing() {
    let position = Random(9).played(Size::Eight, 30);
    let swapped = Position::new(
        Size::Eight,
        position.discs(Color::White),
        position.discs(Color::Black),
        position.side().other(),
    );
    let mut asked = query(position, Goal::AllMoves);
    asked.depth = Some(5);
    let first = answer(&asked, TABLE);
    asked.position = swapped.unwrap();
    assert_eq!(answer(&asked, TABLE), first);
}

#[test]
fn only_the_asked_moves_are_valued_and_any_split_of_them_gives_the_same_values() {
    let position = Random(10).played(Size::Eight, 30);
    let mut asked = query(position, Goal::AllMoves);
    asked.depth = Some(5);
    let whole = values(&answer(&asked, TABLE));
    let mut parts = Vec::new();
    for mask in [0x5555_5555_5555_5555, 0xAAAA_AAAA_AAAA_AAAA] {
        if position.moves() & mask != 0 {
            asked.root_moves = Some(mask);
            let part = answer(&asked, TABLE);
            check_moves(&asked, &part);
            parts.extend(values(&part));
        }
    }
    parts.sort_by_key(|(mv, _)| *mv);
    assert_eq!(parts, whole);
}

#[test]
fn a_forced_pass_is_the_one_valued_move() {
    let mut random = Random(11);
    let mut seen = 0;
    while seen < 5 {
        let empties = 4 + random.below(16) as u32;
        let position = random.played(Size::Eight, empties);
        if position.status() != Status::MustPass {
            continue;
        }
        seen += 1;
        let asked = query(position, Goal::BestMove);
        let found = answer(&asked, TABLE);
        check_moves(&asked, &found);
        let after = answer(&query(plain::after(position, Move::Pass), Goal::BestMove), TABLE);
        let (Value::Exact { discs: own }, Value::Exact { discs: other }) =
            (best_value(&found), best_value(&after))
        else {
            panic!("both are solved")
        };
        assert_eq!(own, -other);
    }
}

#[test]
fn a_finished_game_has_no_moves() {
    let full = Position::new(Size::Eight, u64::MAX, 0, Color::White).unwrap();
    let found = answer(&query(full, Goal::AllMoves), TABLE);
    assert!(found.moves.is_empty() && found.complete);
    assert_eq!(found.stop_reason, Some(StopReason::NoMove));
    assert_eq!(found.statistics.nodes, 0);
}
