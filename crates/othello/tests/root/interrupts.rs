//! Stopping, recalling, limits.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use othello::board::Size;
use othello::position::{Color, EmptiesRule, Position};
use othello::query::{Goal, Score, Selectivity, Value};
use othello::search::root::OthelloSearch;
use othello::search::table::Table;
use searchkit::clock::{Clock, StoppedClock};
use searchkit::control::Control;
use searchkit::search::{Leave, Search};
use searchkit::stop::{StopFlag, StopReason};

use crate::{Random, TABLE, answer, best_value, check_moves, query, values};

/// A clock that goes on by one tick with every look at it.
struct TickingClock(AtomicU64);

impl Clock for TickingClock {
    fn now(&self) -> Duration {
        Duration::from_millis(self.0.fetch_add(1, Ordering::Relaxed))
    }
}

#[test]
fn a_legal_best_move_stands_before_any_work() {
    let asked = query(Position::start(Size::Eight), Goal::BestMove);
    let search = OthelloSearch::new(asked.clone(), Arc::new(Table::new(TABLE)));
    let snapshot = search.snapshot();
    check_moves(&asked, &snapshot);
    assert!(snapshot.best_move().is_some());
    assert_eq!((snapshot.depth, snapshot.stop_reason, snapshot.complete), (0, None, false));
}

#[test]
fn before_the_first_iteration_every_move_is_valued_as_it_looks() {
    let mut random = Random(24);
    for goal in [Goal::BestMove, Goal::AllMoves, Goal::TopN(2)] {
        let asked = query(random.played(Size::Eight, 40), goal);
        let found = OthelloSearch::new(asked.clone(), Arc::new(Table::new(TABLE))).snapshot();
        check_moves(&asked, &found);
        assert_eq!(found.depth, 0);
        let scores: Vec<_> = found.moves.iter().map(|entry| entry.score.expect("a first glance")).collect();
        assert!(scores.iter().all(|score| score.depth == 1), "{scores:?}");
        let value = |score: &Score| match score.value {
            Value::Estimate { centidiscs } => centidiscs,
            _ => panic!("nothing is proven: {score:?}"),
        };
        assert!(scores.is_sorted_by_key(|score| std::cmp::Reverse(value(score))), "{scores:?}");
    }
}

#[test]
fn a_move_that_ends_the_game_is_proven_however_short_the_search() {
    // c1 turns the only white disc.
    let position = Position::new(Size::Eight, 0b001, 0b010, Color::Black).expect("two discs");
    for (rule, discs) in [(EmptiesRule::Winner, 64), (EmptiesRule::Nobody, 3)] {
        let mut asked = query(position, Goal::AllMoves);
        (asked.depth, asked.empties_rule) = (Some(2), rule);
        assert_eq!(best_value(&answer(&asked, TABLE)), Value::Exact { discs });
    }
}

#[test]
fn whenever_the_deadline_comes_a_legal_answer_stands() {
    let mut random = Random(21);
    for goal in [Goal::BestMove, Goal::AllMoves, Goal::TopN(2), Goal::WinLossDraw] {
        for ticks in [0, 1, 2, 5, 17, 60, 200] {
            let mut asked = query(random.played(Size::Eight, 24 + (ticks % 9) as u32), goal);
            asked.selectivity = Selectivity::P73;
            let search = OthelloSearch::new(asked.clone(), Arc::new(Table::new(TABLE)));
            let clock = TickingClock(AtomicU64::new(0));
            let deadline = Some(Duration::from_millis(ticks));
            let found = searchkit::crew::run(&search, 1, &clock, deadline, &StopFlag::new(), &|_| ());
            check_moves(&asked, &found);
            assert!(!found.complete);
            assert_eq!(found.stop_reason, Some(StopReason::Time));
        }
    }
}

#[test]
fn a_search_cut_short_keeps_its_last_finished_iteration() {
    let mut random = Random(22);
    for _ in 0..4 {
        let mut asked = query(random.played(Size::Eight, 30), Goal::AllMoves);
        asked.nodes = Some(30_000);
        let cut = answer(&asked, TABLE);
        assert_eq!((cut.complete, cut.stop_reason), (false, Some(StopReason::Nodes)));
        asked.nodes = None;
        asked.depth = Some(cut.depth);
        let whole = answer(&asked, TABLE);
        assert_eq!(values(&cut), values(&whole));
        assert!(cut.moves.iter().all(|entry| entry.score.unwrap().depth == cut.depth));
    }
}

#[test]
fn the_best_move_of_a_search_cut_short_is_never_beaten_in_its_own_list() {
    let mut random = Random(23);
    for nodes in (1_000..60_000).step_by(2_500) {
        let mut asked = query(random.played(Size::Eight, 28), Goal::BestMove);
        asked.nodes = Some(nodes);
        let cut = answer(&asked, TABLE);
        check_moves(&asked, &cut);
        let worth = |value| match value {
            othello::query::Value::Estimate { centidiscs } => i32::from(centidiscs),
            othello::query::Value::Exact { discs } => i32::from(discs) * 100,
            othello::query::Value::Sign { .. } => panic!("no sign was asked"),
        };
        let best = worth(best_value(&cut));
        assert!(cut.moves.iter().all(|entry| worth(entry.score.unwrap().value) <= best));
        assert!(cut.moves[0].score.unwrap().depth >= cut.depth);
    }
}

#[test]
fn one_thread_stops_at_the_same_node_every_time() {
    let position = Random(24).played(Size::Eight, 32);
    for nodes in [1, 999, 1_000, 12_345, 100_000] {
        let mut asked = query(position, Goal::BestMove);
        asked.nodes = Some(nodes);
        asked.selectivity = Selectivity::P73;
        let first = answer(&asked, TABLE);
        assert_eq!(answer(&asked, TABLE), first);
        assert!(
            first.statistics.nodes >= nodes && first.statistics.nodes < nodes + 500,
            "{}",
            first.statistics.nodes
        );
    }
}

#[test]
fn a_recalled_thread_leaves_its_work_to_others_and_the_answer_is_the_same() {
    let mut random = Random(25);
    for empties in [13, 30] {
        let mut asked = query(random.played(Size::Eight, empties), Goal::AllMoves);
        asked.depth = Some(if empties == 13 { 60 } else { 6 });
        let undisturbed = answer(&asked, TABLE);
        let search = OthelloSearch::new(asked.clone(), Arc::new(Table::new(TABLE)));
        let (stop, recall) = (StopFlag::new(), AtomicBool::new(false));
        // Recalled at the first look, then after more and more looks.
        let mut looks = 0;
        let mut recalls = 0;
        loop {
            looks += 3;
            recall.store(false, Ordering::Relaxed);
            let clock = RecallingClock { recall: &recall, after: looks, seen: AtomicU64::new(0) };
            let deadline = Some(Duration::MAX);
            let control =
                Control { stop: &stop, recall: &recall, clock: &clock, deadline, on_progress: &|| () };
            match search.work(&control) {
                Leave::Done => break,
                Leave::Recalled => recalls += 1,
            }
            check_moves(&asked, &search.snapshot());
        }
        assert!(recalls > 2, "{recalls}");
        let found = search.snapshot();
        assert_eq!(values(&found), values(&undisturbed));
        assert_eq!(found.stop_reason, undisturbed.stop_reason);
    }
}

/// A clock that recalls its thread after so many looks.
struct RecallingClock<'r> {
    recall: &'r AtomicBool,
    after: u64,
    seen: AtomicU64,
}

impl Clock for RecallingClock<'_> {
    fn now(&self) -> Duration {
        if self.seen.fetch_add(1, Ordering::Relaxed) >= self.after {
            self.recall.store(true, Ordering::Relaxed);
        }
        Duration::ZERO
    }
}

#[test]
fn all_threads_leave_when_the_search_is_cancelled() {
    let asked = {
        let mut asked = query(Position::start(Size::Eight), Goal::BestMove);
        asked.threads = 3;
        asked
    };
    let search = OthelloSearch::new(asked.clone(), Arc::new(Table::new(TABLE)));
    let stop = StopFlag::new();
    // Cancelled by whoever hears of the fourth iteration.
    let cancel = |snapshot: &othello::query::Snapshot| {
        if snapshot.depth >= 4 {
            stop.request(StopReason::Cancelled);
        }
    };
    let found = searchkit::crew::run(&search, 3, &StoppedClock, None, &stop, &cancel);
    check_moves(&asked, &found);
    assert_eq!(found.stop_reason, Some(StopReason::Cancelled));
    assert!(found.depth >= 4);
}

#[test]
fn every_finished_iteration_is_told_once_and_deeper_than_the_one_before() {
    let mut asked = query(Random(26).played(Size::Eight, 30), Goal::AllMoves);
    asked.depth = Some(6);
    let search = OthelloSearch::new(asked, Arc::new(Table::new(TABLE)));
    let depths = std::sync::Mutex::new(Vec::new());
    let note = |snapshot: &othello::query::Snapshot| depths.lock().unwrap().push(snapshot.depth);
    searchkit::crew::run(&search, 1, &StoppedClock, None, &StopFlag::new(), &note);
    assert_eq!(*depths.lock().unwrap(), [1, 2, 3, 4, 5, 6]);
}

#[test]
fn an_only_move_is_estimated_and_then_played_without_more_ado() {
    let mut random = Random(27);
    let position = loop {
        let position = random.played(Size::Eight, 30);
        if position.moves().count_ones() == 1 {
            break position;
        }
    };
    let found = answer(&query(position, Goal::BestMove), TABLE);
    assert_eq!(found.stop_reason, Some(StopReason::OnlyMove));
    assert!(found.moves[0].score.is_some() && found.complete);
}
