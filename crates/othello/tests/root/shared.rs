//! Nodes shared by several threads: the same values, and an end whenever somebody is stopped or called away.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use othello::board::Size;
use othello::query::{Goal, Query, Snapshot};
use othello::search::root::OthelloSearch;
use othello::search::table::Table;
use searchkit::clock::Clock;
use searchkit::control::Control;
use searchkit::search::{Leave, Search};
use searchkit::stop::{StopFlag, StopReason};

use crate::{Random, TABLE, answer, best_value, check_moves, query, values};

/// A clock that does something at one of its readings: all threads of a search read it now and then.
struct Alarm<F: Fn() + Send + Sync> {
    reading: AtomicU64,
    /// Which reading.
    at: u64,
    ring: F,
}

impl<F: Fn() + Send + Sync> Clock for Alarm<F> {
    fn now(&self) -> Duration {
        if self.reading.fetch_add(1, Ordering::Relaxed) == self.at {
            (self.ring)();
        }
        Duration::ZERO
    }
}

/// Runs a search on several threads that are stopped together and recalled one by one: `None` for a thread that
/// nobody recalls. Whoever was recalled comes back at once.
fn run_disturbed(
    asked: &Query,
    stop: &StopFlag,
    recalls: &[Option<u64>],
    clock: &dyn Clock,
) -> (Snapshot, u64) {
    let search = OthelloSearch::new(asked.clone(), Arc::new(Table::new(TABLE)));
    std::thread::scope(|scope| {
        for &recalled_after in recalls {
            let search = &search;
            scope.spawn(move || {
                let recall = AtomicBool::new(false);
                let alarm = Alarm {
                    reading: AtomicU64::new(0),
                    at: recalled_after.unwrap_or(u64::MAX),
                    ring: || recall.store(true, Ordering::Relaxed),
                };
                loop {
                    let deadline = Some(Duration::MAX);
                    let clock: &dyn Clock = if recalled_after.is_some() { &alarm } else { clock };
                    let control = Control { stop, recall: &recall, clock, deadline, on_progress: &|| () };
                    match search.work(&control) {
                        Leave::Done => break,
                        Leave::Recalled => recall.store(false, Ordering::Relaxed),
                    }
                }
            });
        }
    });
    (search.snapshot(), search.shared_nodes())
}

#[test]
fn any_number_of_threads_finds_the_same_values() {
    let mut random = Random(31);
    let mut shared = 0;
    for goal in [Goal::BestMove, Goal::AllMoves, Goal::WinLossDraw, Goal::BestMove] {
        let mut asked = query(random.played(Size::Eight, 18), goal);
        let alone = answer(&asked, TABLE);
        for threads in [2, 4] {
            asked.threads = threads;
            let (found, nodes) = run_disturbed(
                &asked,
                &StopFlag::new(),
                &vec![None; threads],
                &searchkit::clock::StoppedClock,
            );
            check_moves(&asked, &found);
            assert_eq!(best_value(&found), best_value(&alone));
            if goal == Goal::AllMoves {
                assert_eq!(values(&found), values(&alone));
            }
            assert_eq!(found.stop_reason, Some(StopReason::Solved));
            shared += nodes;
        }
    }
    assert!(shared > 0, "not one node was shared, so nothing was tested");
}

/// In these positions the move tried second is the best one. When another thread showed that, its bound was taken for the
/// value: a "proof" two discs off in most runs on three threads.
#[test]
fn a_move_that_another_thread_found_better_is_valued_anew() {
    let mut random = Random(99);
    let positions: Vec<_> = (0..247).map(|case| random.played(Size::Eight, 16 + case % 4)).collect();
    for case in [22, 98, 150, 159, 246] {
        let mut asked = query(positions[case], Goal::BestMove);
        let alone = answer(&asked, TABLE);
        for round in 0..6 {
            asked.threads = 3 + round % 2;
            assert_eq!(best_value(&answer(&asked, TABLE)), best_value(&alone), "case {case}, round {round}");
        }
    }
}

#[test]
fn one_thread_shares_nothing() {
    let search = OthelloSearch::new(
        query(Random(32).played(Size::Eight, 17), Goal::BestMove),
        Arc::new(Table::new(TABLE)),
    );
    searchkit::crew::run(&search, 1, &searchkit::clock::StoppedClock, None, &StopFlag::new(), &|_| ());
    assert_eq!((search.shared_nodes(), search.idle()), (0, Duration::ZERO));
}

#[test]
fn threads_that_come_and_go_change_nothing() {
    let mut random = Random(33);
    let mut shared = 0;
    for round in 0..12 {
        let mut asked = query(random.played(Size::Eight, 17), Goal::BestMove);
        let alone = answer(&asked, TABLE);
        asked.threads = 3;
        let recalls = [None, Some(1 + random.below(60)), Some(1 + random.below(400))];
        let (found, nodes) = run_disturbed(
            &asked,
            &StopFlag::new(),
            &recalls[..2 + round % 2],
            &searchkit::clock::StoppedClock,
        );
        check_moves(&asked, &found);
        assert_eq!(best_value(&found), best_value(&alone), "round {round}");
        shared += nodes;
    }
    assert!(shared > 0, "not one node was shared, so nothing was tested");
}

/// Thousands of searches in release builds, hundreds in debug ones.
const CANCELLED: u64 = if cfg!(debug_assertions) { 300 } else { 5_000 };

#[test]
fn a_search_that_is_cancelled_at_any_moment_ends_with_a_legal_answer() {
    let mut random = Random(34);
    let positions: Vec<_> = (0..8).map(|_| random.played(Size::Eight, 18)).collect();
    let (mut cut, mut shared) = (0, 0);
    for round in 0..CANCELLED {
        let mut asked = query(positions[random.below(8) as usize], Goal::BestMove);
        asked.threads = 2 + random.below(2) as usize;
        let stop = StopFlag::new();
        let clock = Alarm {
            reading: AtomicU64::new(0),
            // One reading in about a thousand nodes.
            at: random.below(1 << (1 + round % 10)),
            ring: || stop.request(StopReason::Cancelled),
        };
        let (found, nodes) = run_disturbed(&asked, &stop, &vec![None; asked.threads], &clock);
        check_moves(&asked, &found);
        cut += u64::from(found.stop_reason == Some(StopReason::Cancelled));
        shared += nodes;
    }
    assert!(cut > CANCELLED / 2, "only {cut} searches were cancelled");
    assert!(shared > CANCELLED / 20, "only {shared} nodes were shared");
}
