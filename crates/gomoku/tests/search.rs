//! The search against the golden tactics and the public cases, and as a citizen of the pool.
#![expect(clippy::unwrap_used, reason = "a test says what is wrong by panicking")]

mod support;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use gomoku::color::Color;
use gomoku::point::{Point, Size};
use gomoku::position::{Position, Status};
use gomoku::query::{Bound, Goal, Query, Score, Snapshot, Value};
use gomoku::rules::Rule;
use gomoku::search::GomokuSearch;
use gomoku::search::table::Table;
use gomoku::search::techniques::{Technique, Techniques};
use searchkit::clock::{Clock, MonotonicClock, StoppedClock};
use searchkit::control::Control;
use searchkit::crew;
use searchkit::search::{Leave, Search};
use searchkit::stop::{StopFlag, StopReason};
use serde_json::Value as Json;
use support::{after, data, joined_points, points};

fn query(position: &Position, goal: Goal, depth: u8) -> Query {
    Query {
        position: position.clone(),
        goal,
        root_moves: None,
        depth: Some(depth),
        nodes: None,
        techniques: Techniques::ALL,
        threads: 1,
    }
}

fn search(query: &Query) -> GomokuSearch {
    GomokuSearch::new(query, Arc::new(Table::new(1 << 22)))
}

fn run(query: &Query) -> Snapshot {
    crew::run(&search(query), query.threads, &StoppedClock, None, &StopFlag::new(), &|_| {})
}

fn tactics(kind: &str) -> Vec<(Position, Json)> {
    let golden: Json = serde_json::from_str(&data("gomoku_tactics.json")).unwrap();
    let cases = golden[kind].as_array().unwrap();
    assert!(!cases.is_empty());
    let position = |case: &Json| {
        let side = if case["side"] == "X" { Color::Black } else { Color::White };
        support::board(Rule::Freestyle, case["board"].as_str().unwrap(), side)
    };
    cases.iter().map(|case| (position(case), case.clone())).collect()
}

fn golden_points(case: &Json) -> Vec<Point> {
    let coordinate = |rc: &Json, i: usize| rc[i].as_u64().unwrap() as u8;
    let mut points: Vec<Point> = case
        .as_array()
        .unwrap()
        .iter()
        .map(|rc| Point::new(coordinate(rc, 1), coordinate(rc, 0)).unwrap())
        .collect();
    points.sort_unstable();
    points
}

fn value(snapshot: &Snapshot) -> Value {
    snapshot.moves[0].score.unwrap().value
}

#[test]
fn immediate_wins_are_taken_at_every_depth() {
    let cases = tactics("win_now").into_iter().chain(tactics("immediate"));
    let mut seen = 0;
    for (position, case) in cases.filter(|(_, case)| case["winning_moves"].is_array()) {
        for depth in 1..=4 {
            let snapshot = run(&query(&position, Goal::BestMove, depth));
            assert!(golden_points(&case["winning_moves"]).contains(&snapshot.best_move().unwrap()), "{case}");
            assert_eq!(value(&snapshot), Value::WinIn { moves: 1 });
        }
        seen += 1;
    }
    assert_eq!(seen, 8 + 3);
}

#[test]
fn a_five_is_a_win_in_one_whatever_is_asked_and_switched_off() {
    for (position, case) in tactics("win_now") {
        for goal in [Goal::BestMove, Goal::AllMoves] {
            let asked = Query { techniques: Techniques::NONE, ..query(&position, goal, 1) };
            let snapshot = run(&asked);
            let winning: Vec<Point> = snapshot
                .moves
                .iter()
                .filter(|entry| entry.score.unwrap().value == Value::WinIn { moves: 1 })
                .map(|entry| entry.point)
                .collect();
            assert!(!winning.is_empty(), "{case}");
            if goal == Goal::AllMoves {
                let mut winning = winning;
                winning.sort_unstable();
                assert_eq!(winning, golden_points(&case["winning_moves"]), "{case}");
            }
        }
    }
}

#[test]
fn the_only_block_is_found_at_every_depth() {
    let cases = tactics("must_block").into_iter().chain(tactics("immediate"));
    for (position, case) in cases.filter(|(_, case)| case["only_move"].is_array()) {
        for depth in 1..=4 {
            let snapshot = run(&query(&position, Goal::BestMove, depth));
            assert_eq!(vec![snapshot.best_move().unwrap()], golden_points(&case["only_move"]), "{case}");
        }
    }
}

#[test]
fn two_five_points_of_the_other_side_are_a_loss_with_a_move_to_play() {
    for (position, case) in tactics("lost_to_two_fives") {
        let snapshot = run(&query(&position, Goal::BestMove, 6));
        assert_eq!(value(&snapshot), Value::LossIn { moves: 1 }, "{case}");
        assert!(position.check(snapshot.best_move().unwrap()).is_ok());
    }
}

#[test]
fn exactly_the_golden_replies_hold() {
    for (position, case) in tactics("must_defend").into_iter().chain(tactics("demo")) {
        let asked = Query { root_moves: Some(position.legal_moves()), ..query(&position, Goal::AllMoves, 1) };
        let snapshot = run(&asked);
        assert_eq!(snapshot.moves.len(), position.legal_moves().len());
        let lost = |score: Score| matches!(score.value, Value::LossIn { moves: 1 | 2 });
        let mut holding: Vec<Point> = snapshot
            .moves
            .iter()
            .filter(|entry| !lost(entry.score.unwrap()))
            .map(|entry| entry.point)
            .collect();
        holding.sort_unstable();
        assert_eq!(holding, golden_points(&case["holding_replies"]), "{case}");
        // Deeper, the move chosen is still one of them; when nothing holds, the loss is said.
        let deeper = run(&query(&position, Goal::BestMove, 4));
        if holding.is_empty() {
            assert!(matches!(value(&deeper), Value::LossIn { .. }), "{case}");
        } else {
            assert!(holding.contains(&deeper.best_move().unwrap()), "{case}");
        }
    }
}

#[test]
fn white_holds_the_seed_demo_by_g8_or_k8() {
    let (demo, _) = tactics("demo").remove(0);
    for depth in [2, 4, 6, 8] {
        let best = run(&query(&demo, Goal::BestMove, depth)).best_move().unwrap();
        assert!(points("g8 k8").contains(&best), "depth {depth}: {best:?}");
    }
}

#[test]
fn the_shortest_four_attack_is_the_answer() {
    for (position, case) in tactics("vcf") {
        let snapshot = run(&query(&position, Goal::BestMove, 6));
        let Value::WinIn { moves } = value(&snapshot) else { panic!("{case}") };
        assert!(u64::from(moves) <= case["attacker_moves"].as_u64().unwrap(), "{case}");
    }
}

#[test]
fn public_case_a_four_is_blocked() {
    // PG03: white threatens e7.
    let position = Position::from_moves(
        Size::DEFAULT,
        Rule::Freestyle,
        &joined_points("h8h7i7g9h6g5g7i6g8f8f6e5f5j10i10i11k9h10j12l10"),
    )
    .unwrap();
    let snapshot = run(&query(&position, Goal::BestMove, 4));
    assert_eq!(snapshot.best_move(), Some(points("e7")[0]));
}

#[test]
fn public_case_a_defence_on_a_forbidden_point_is_a_loss_answered_in_time() {
    // PG01 and PG02.
    let position =
        Position::from_moves(Size::DEFAULT, Rule::Renju, &joined_points("h8g6f6g5f7g4h7g3g2a1")).unwrap();
    let snapshot = run(&query(&position, Goal::BestMove, 10));
    assert_eq!(value(&snapshot), Value::LossIn { moves: 1 });
    assert!(position.check(snapshot.best_move().unwrap()).is_ok());
    assert_eq!(snapshot.stop_reason, Some(StopReason::Solved));
}

#[test]
fn black_never_answers_with_a_forbidden_point() {
    for line in data("renju-forbidden.jsonl").lines() {
        let case: Json = serde_json::from_str(line).unwrap();
        let position = support::board(Rule::Renju, case["board"].as_str().unwrap(), Color::Black);
        let asked = Query { root_moves: None, ..query(&position, Goal::AllMoves, 2) };
        for entry in run(&asked).moves {
            assert!(position.check(entry.point).is_ok(), "{}", case["id"]);
        }
    }
}

#[test]
fn finished_games_have_no_move() {
    let won = after(Rule::Freestyle, "h5 a1 h6 a2 h7 a3 h8 a4 h9");
    let snapshot = run(&query(&won, Goal::BestMove, 4));
    assert!(snapshot.moves.is_empty());
    assert_eq!(snapshot.stop_reason, Some(StopReason::NoMove));
}

#[test]
fn a_win_is_claimed_only_where_plain_search_agrees() {
    // Self-play positions: whenever the full search claims a win, plain alpha-beta without any technique does not see
    // the other side holding for as many plies.
    let mut random = support::Random(5);
    let mut claims = 0;
    for _ in 0..100 {
        let mut position = Position::empty(Size::new(9).unwrap(), Rule::Freestyle);
        for _ in 0..14 {
            let moves = run(&query(&position, Goal::TopN(3), 1)).moves;
            position = position.play(moves[random.below(moves.len().min(4))].point).unwrap();
            if position.status() != Status::InProgress {
                break;
            }
        }
        if position.status() != Status::InProgress {
            continue;
        }
        let snapshot = run(&query(&position, Goal::BestMove, 4));
        let plies = match value(&snapshot) {
            Value::WinIn { moves } if moves <= 3 => 2 * moves as u8 - 1,
            _ => continue,
        };
        claims += 1;
        let plain = Query { techniques: Techniques::NONE, ..query(&position, Goal::BestMove, plies) };
        let checked = run(&plain);
        assert!(
            matches!(value(&checked), Value::WinIn { .. }),
            "{:?} {} to move: {:?} against {:?}",
            position.grid(),
            position.side(),
            snapshot.moves[0],
            checked.moves[0]
        );
    }
    assert!(claims > 3, "{claims} claims");
}

#[test]
fn every_technique_can_be_switched_off_and_the_tactics_still_hold() {
    let (position, case) = tactics("must_defend").remove(0);
    for technique in Technique::ALL {
        let asked =
            Query { techniques: Techniques::ALL.without(technique), ..query(&position, Goal::BestMove, 4) };
        let best = run(&asked).best_move().unwrap();
        assert!(golden_points(&case["holding_replies"]).contains(&best), "without {technique:?}");
    }
    let plain = Query { techniques: Techniques::NONE, ..query(&position, Goal::BestMove, 2) };
    assert!(golden_points(&case["holding_replies"]).contains(&run(&plain).best_move().unwrap()));
}

#[test]
fn all_moves_values_every_candidate_and_top_n_its_head() {
    let position = after(Rule::Standard, "h8 i9 g9 h7");
    let all = run(&query(&position, Goal::AllMoves, 3));
    let exact = |entry: &gomoku::query::RootMove| entry.score.unwrap().bound == Bound::Exact;
    assert!(all.moves.iter().all(exact));
    assert!(all.complete);
    let top = run(&query(&position, Goal::TopN(3), 3));
    assert!(top.moves[..3].iter().all(exact));
    assert_eq!(all.moves.len(), top.moves.len());
}

#[test]
fn one_thread_gives_the_same_answer_twice() {
    let position = after(Rule::Freestyle, "h8 i9 g9 h7 i8 g8 h10 j6");
    let asked = Query { nodes: Some(60_000), ..query(&position, Goal::BestMove, 60) };
    let first = run(&asked);
    assert_eq!(first.stop_reason, Some(StopReason::Nodes));
    assert_eq!(first, run(&asked));
    assert!(first.statistics.nodes < 60_000 + 30_000);
}

#[test]
fn several_threads_share_a_search() {
    let position = after(Rule::Freestyle, "h8 i9 g9 h7 i8 g8 h10 j6");
    let asked = Query { threads: 3, ..query(&position, Goal::AllMoves, 3) };
    let one = run(&Query { threads: 1, ..asked.clone() });
    let three = run(&asked);
    assert_eq!(three.stop_reason, Some(StopReason::Depth));
    assert_eq!(three.moves.len(), one.moves.len());
    assert!(three.moves.iter().all(|entry| entry.score.unwrap().depth == 3));
}

#[test]
fn a_move_is_there_before_the_search_begins_and_after_a_stop_at_once() {
    let position = after(Rule::Freestyle, "h8 i9 g9");
    let search = search(&query(&position, Goal::BestMove, 20));
    assert!(position.check(search.snapshot().best_move().unwrap()).is_ok());
    let stop = StopFlag::new();
    stop.request(StopReason::Cancelled);
    let snapshot = crew::run(&search, 1, &StoppedClock, None, &stop, &|_| {});
    assert_eq!(snapshot.stop_reason, Some(StopReason::Cancelled));
    assert!(position.check(snapshot.best_move().unwrap()).is_ok());
}

/// A clock that advances by one microsecond a reading: deadlines without real time.
struct CountingClock(AtomicU32);

impl Clock for CountingClock {
    fn now(&self) -> Duration {
        Duration::from_micros(u64::from(self.0.fetch_add(1, Ordering::Relaxed)))
    }
}

#[test]
fn a_deadline_ends_the_search_with_the_best_so_far() {
    let position = after(Rule::Freestyle, "h8 i9 g9 h7 i8 g8 h10 j6");
    let clock = CountingClock(AtomicU32::new(0));
    let search = search(&query(&position, Goal::BestMove, 60));
    let deadline = Some(Duration::from_micros(400));
    let snapshot = crew::run(&search, 1, &clock, deadline, &StopFlag::new(), &|_| {});
    assert_eq!(snapshot.stop_reason, Some(StopReason::Time));
    assert!(snapshot.depth >= 1);
    assert!(position.check(snapshot.best_move().unwrap()).is_ok());
    // The clock is read at most every 256 nodes, so little is searched after the deadline.
    assert!(snapshot.statistics.nodes < 400 * 1_000);
}

#[test]
fn a_recalled_thread_leaves_and_another_finishes() {
    let position = after(Rule::Freestyle, "h8 i9 g9 h7 i8 g8 h10 j6");
    let search = search(&query(&position, Goal::BestMove, 5));
    let (stop, recall, clock) = (StopFlag::new(), AtomicBool::new(true), MonotonicClock::new());
    let control =
        Control { stop: &stop, recall: &recall, clock: &clock, deadline: None, on_progress: &|| {} };
    assert_eq!(search.work(&control), Leave::Recalled);
    assert_eq!(search.snapshot().stop_reason, None);
    recall.store(false, Ordering::Relaxed);
    assert_eq!(search.work(&control), Leave::Done);
    assert_eq!(search.snapshot().stop_reason, Some(StopReason::Depth));
}
