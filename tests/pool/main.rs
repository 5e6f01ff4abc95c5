//! The pool from outside: real threads, small searches that the tests control.

mod fakes;
mod stress;

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use discern::pool::{
    Class, ClientId, Ends, Failure, Finished, Ledger, PerClass, Pool, Refusal, Settings, Stats, Submission,
    Ticket,
};
use fakes::{Deaf, Gate, Gated, Logged, PATIENCE, Panicking};
use searchkit::stop::StopReason;

fn pool(workers: usize) -> Pool {
    Pool::start(Settings::new(NonZeroUsize::new(workers).expect("a pool has workers")))
        .expect("threads can be had")
}

fn interactive(client: u64) -> Submission {
    Submission {
        class: Class::Interactive,
        client: ClientId(client),
        deadline: None,
        ends: Ends::AtDeadline,
        threads: 1,
    }
}

fn batch(client: u64) -> Submission {
    Submission { class: Class::Batch, ..interactive(client) }
}

/// Drives a future on this thread, with a bound.
fn wait<F: Future>(future: F) -> F::Output {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime can be had");
    runtime.block_on(async { tokio::time::timeout(PATIENCE, future).await.expect("an answer comes") })
}

fn answer<T>(ticket: &Ticket<T>) -> Result<Finished<T>, Failure> {
    wait(ticket.finished())
}

/// Waits until the pool's numbers are as expected.
fn wait_for_stats(pool: &Pool, reached: impl Fn(&Stats) -> bool) -> Stats {
    let start = std::time::Instant::now();
    loop {
        let stats = pool.stats();
        if reached(&stats) {
            return stats;
        }
        assert!(start.elapsed() < PATIENCE, "the pool never got there: {stats:?}");
        std::thread::yield_now();
    }
}

#[test]
fn a_search_runs_and_its_answer_is_there_for_every_handle() {
    let pool = pool(2);
    let gate = Gate::new();
    let ticket = pool.submit(Gated::new(&gate, 1), interactive(1)).unwrap();
    let other = ticket.downgrade().upgrade().unwrap();
    gate.allow_progress();
    gate.wait_until(|state| state.progress == 0 && state.inside == 1);
    assert!(ticket.try_finished().is_none());
    gate.open();
    let finished = answer(&ticket).unwrap();
    assert_eq!((*finished.snapshot, finished.stopped), (1, None));
    assert_eq!(*answer(&other).unwrap().snapshot, 1);
    assert_eq!(wait_for_stats(&pool, |stats| stats.busy == 0).counts.completed, 1);
}

/// What was charged, in the order of its charging.
#[derive(Default)]
struct Noted(Mutex<Vec<(ClientId, Duration)>>);

impl Ledger for Noted {
    fn charge(&self, client: ClientId, busy: Duration, _: Duration) {
        self.0.lock().expect("nothing panics here").push((client, busy));
    }
}

#[test]
fn clients_that_share_a_search_pay_for_it_in_equal_parts() {
    let pool = pool(1);
    let ledger = Arc::new(Noted::default());
    pool.charge_to(Arc::clone(&ledger) as Arc<dyn Ledger>);
    let gate = Gate::new();
    let ticket = pool.submit(Gated::new(&gate, 1), interactive(1)).unwrap();
    for client in [2, 1, 2, 3] {
        ticket.share(ClientId(client));
    }
    gate.wait_until(|state| state.inside == 1);
    gate.open();
    let busy = answer(&ticket).unwrap().busy;
    let charged = ledger.0.lock().unwrap().clone();
    let (clients, parts): (Vec<_>, Vec<_>) = charged[..3].iter().copied().unzip();
    assert_eq!(clients, [ClientId(1), ClientId(2), ClientId(3)]);
    assert!(parts.iter().all(|part| *part == busy / 3 && !part.is_zero()), "{parts:?} of {busy:?}");
}

#[test]
fn handles_and_their_futures_may_cross_threads() {
    fn crosses<T: Send>(value: T) -> T {
        value
    }
    let pool = crosses(pool(1));
    let gate = Gate::new();
    gate.open();
    let ticket = crosses(pool.submit(Gated::new(&gate, 1), interactive(1)).unwrap());
    let mut stream = crosses(ticket.snapshots());
    wait(crosses(stream.next()));
    assert!(wait(crosses(ticket.finished())).is_ok());
}

#[test]
fn a_weak_ticket_does_not_keep_the_search_alive() {
    let pool = pool(1);
    let gate = Gate::new();
    let ticket = pool.submit(Gated::new(&gate, 1), interactive(1)).unwrap();
    gate.wait_until(|state| state.inside == 1);
    let weak = ticket.downgrade();
    drop(ticket);
    assert!(weak.upgrade().is_none());
    let stats = wait_for_stats(&pool, |stats| stats.busy == 0);
    assert_eq!((stats.counts.cancelled, stats.counts.completed), (1, 0));
}

#[test]
fn a_stream_shows_the_present_snapshot_then_the_new_ones_then_ends() {
    let pool = pool(1);
    let gate = Gate::new();
    let ticket = pool.submit(Gated::new(&gate, 1), interactive(1)).unwrap();
    gate.wait_until(|state| state.inside == 1);
    let mut stream = ticket.snapshots();
    drop(ticket);
    let first = wait(stream.next()).unwrap();
    gate.allow_progress();
    let second = wait(stream.next()).unwrap();
    assert_eq!((*first, *second), (0, 1));
    gate.open();
    assert_eq!(wait(stream.next()), None);
    assert_eq!(*answer(stream.ticket()).unwrap().snapshot, 1);
}

#[test]
fn dropping_500_tickets_while_their_searches_run_and_wait_leaves_the_pool_idle() {
    let pool = pool(2);
    let gate = Gate::new();
    // 500 clients with one search each: every one has a place in a line of 1,024.
    let tickets: Vec<_> =
        (0..500).map(|client| pool.submit(Gated::new(&gate, 2), batch(client)).unwrap()).collect();
    gate.wait_until(|state| state.inside >= 1);
    drop(tickets);
    let stats = wait_for_stats(&pool, |stats| stats.busy == 0);
    assert_eq!(stats.waiting, PerClass { interactive: 0, batch: 0 });
    assert_eq!((stats.counts.cancelled, stats.counts.completed), (500, 0));
}

#[test]
fn interactive_work_overtakes_batch_work() {
    let pool = pool(1);
    let gate = Gate::new();
    let running = pool.submit(Gated::new(&gate, 1), interactive(1)).unwrap();
    gate.wait_until(|state| state.inside == 1);
    let log = Arc::default();
    let logged = |name, log: &Arc<Mutex<Vec<&'static str>>>| Logged { name, log: Arc::clone(log) };
    let late = pool.submit(logged("batch", &log), batch(2)).unwrap();
    let early = pool.submit(logged("interactive", &log), interactive(3)).unwrap();
    gate.open();
    for ticket in [&late, &early] {
        answer(ticket).unwrap();
    }
    assert_eq!(*log.lock().unwrap(), ["interactive", "batch"]);
    drop(running);
}

#[test]
fn a_modest_client_does_not_wait_for_all_of_a_greedy_one() {
    let pool = pool(1);
    let gate = Gate::new();
    let running = pool.submit(Gated::new(&gate, 1), interactive(9)).unwrap();
    gate.wait_until(|state| state.inside == 1);
    let log: Arc<Mutex<Vec<&'static str>>> = Arc::default();
    let submit =
        |name, client| pool.submit(Logged { name, log: Arc::clone(&log) }, interactive(client)).unwrap();
    let mut tickets: Vec<_> = (0..5).map(|_| submit("greedy", 1)).collect();
    tickets.extend((0..2).map(|_| submit("modest", 2)));
    gate.open();
    for ticket in &tickets {
        answer(ticket).unwrap();
    }
    let served = log.lock().unwrap().clone();
    // The greedy client came first. From then on it is a matter of the time that its jobs took, which differs from run to
    // run; but the other one's few are never left to the end.
    assert_eq!(served[..2], ["greedy", "modest"]);
    assert!(served[2..5].contains(&"modest"), "{served:?}");
    drop(running);
}

#[test]
fn a_batch_search_makes_room_for_interactive_work_and_completes_later() {
    let pool = pool(1);
    let (long, short) = (Gate::new(), Gate::new());
    let batch_ticket = pool.submit(Gated::new(&long, 1), batch(1)).unwrap();
    long.wait_until(|state| state.inside == 1);
    long.allow_progress();
    long.wait_until(|state| state.progress == 0);
    let ticket = pool.submit(Gated::new(&short, 1), interactive(2)).unwrap();
    short.wait_until(|state| state.inside == 1);
    assert_eq!(long.wait_until(|_| true).inside, 0);
    assert_eq!(pool.stats().begun, PerClass { interactive: 1, batch: 1 });
    short.open();
    answer(&ticket).unwrap();
    long.wait_until(|state| state.inside == 1 && state.entered == 2);
    long.open();
    let finished = answer(&batch_ticket).unwrap();
    assert_eq!(*finished.snapshot, 1, "the search went on where it was interrupted");
    assert!(finished.queued > Duration::ZERO);
    assert_eq!(pool.stats().counts.interrupted, 1);
}

#[test]
fn batch_never_holds_all_of_two_workers() {
    let pool = pool(2);
    let (first, second, quick) = (Gate::new(), Gate::new(), Gate::new());
    let wide = Submission { threads: 2, ..batch(1) };
    let _first = pool.submit(Gated::new(&first, 2), wide).unwrap();
    let _second = pool.submit(Gated::new(&second, 2), wide).unwrap();
    first.wait_until(|state| state.inside == 1);
    quick.open();
    // The other worker is free for this one, though two batch searches with room for four threads are there.
    answer(&pool.submit(Gated::new(&quick, 1), interactive(2)).unwrap()).unwrap();
    let stats = pool.stats();
    assert_eq!((stats.waiting.batch, stats.counts.interrupted), (1, 0));
    assert_eq!(first.wait_until(|_| true).most_inside, 1);
}

#[test]
fn idle_workers_help_and_are_recalled_when_work_waits() {
    let pool = pool(2);
    let (wide, narrow) = (Gate::new(), Gate::new());
    let helped = pool.submit(Gated::new(&wide, 8), Submission { threads: 2, ..interactive(1) }).unwrap();
    wide.wait_until(|state| state.inside == 2);
    let ticket = pool.submit(Gated::new(&narrow, 1), interactive(2)).unwrap();
    narrow.wait_until(|state| state.inside == 1);
    assert_eq!(wide.wait_until(|state| state.inside == 1).most_inside, 2);
    narrow.open();
    answer(&ticket).unwrap();
    wide.wait_until(|state| state.inside == 2);
    wide.open();
    answer(&helped).unwrap();
    assert_eq!(pool.stats().counts.interrupted, 0);
}

#[test]
fn a_panic_is_answered_stops_the_other_threads_and_heals() {
    let pool = pool(2);
    let gate = Gate::new();
    let search = Panicking { gate: Arc::clone(&gate), crew: 2 };
    let ticket = pool.submit(search, Submission { threads: 2, ..interactive(1) }).unwrap();
    assert_eq!(answer(&ticket).unwrap_err(), Failure::Panicked);
    let stats = wait_for_stats(&pool, |stats| stats.busy == 0);
    assert_eq!((stats.counts.panics, stats.counts.failed), (1, 1));
    // Both workers are still there.
    let healthy = Gate::new();
    let ticket = pool.submit(Gated::new(&healthy, 2), Submission { threads: 2, ..interactive(1) }).unwrap();
    healthy.wait_until(|state| state.inside == 2);
    healthy.open();
    answer(&ticket).unwrap();
}

#[test]
fn the_watchdog_answers_for_a_search_that_does_not_stop() {
    let pool = pool(1);
    let gate = Gate::new();
    let deadline = Some(pool.now() + Duration::from_millis(300));
    let ticket = pool.submit(Deaf(Arc::clone(&gate)), Submission { deadline, ..interactive(1) }).unwrap();
    let finished = answer(&ticket).unwrap();
    assert_eq!((*finished.snapshot, finished.stopped), ("so far", Some(StopReason::Time)));
    assert!(!ticket.usage().is_settled());
    let stats = pool.stats();
    assert_eq!((stats.busy, stats.counts.overdue), (1, 1));
    gate.open();
    wait_for_stats(&pool, |stats| stats.busy == 0);
    let late = ticket.usage().busy();
    assert!(late > Duration::ZERO, "{late:?}");
}

#[test]
fn a_search_ends_at_its_deadline() {
    let pool = pool(1);
    let gate = Gate::new();
    let deadline = Some(pool.now() + Duration::from_millis(300));
    let ticket = pool.submit(Gated::new(&gate, 1), Submission { deadline, ..interactive(1) }).unwrap();
    assert_eq!(answer(&ticket).unwrap().stopped, Some(StopReason::Time));
    assert!(Some(pool.now()) >= deadline);
}

#[test]
fn a_request_whose_deadline_passes_in_the_queue_is_told_so() {
    let pool = pool(1);
    let gate = Gate::new();
    // The pool has learnt that searches without a deadline are quick, so it takes the second one in.
    gate.open();
    for _ in 0..100 {
        answer(&pool.submit(Gated::new(&gate, 1), interactive(1)).unwrap()).unwrap();
    }
    let stuck = Gate::new();
    let _running = pool.submit(Gated::new(&stuck, 1), interactive(1)).unwrap();
    stuck.wait_until(|state| state.inside == 1);
    let deadline = Some(pool.now() + Duration::from_millis(500));
    let ticket = pool.submit(Gated::new(&gate, 1), Submission { deadline, ..interactive(2) }).unwrap();
    let failure = answer(&ticket).unwrap_err();
    assert!(
        matches!(failure, Failure::ExpiredInQueue { queued, .. } if queued >= Duration::from_millis(400))
    );
    assert_eq!(pool.stats().counts.expired, 1);
}

#[test]
fn a_request_that_would_wait_past_its_deadline_is_refused_with_the_time_to_come_back() {
    let pool = pool(1);
    let gate = Gate::new();
    let busy_until = pool.now() + Duration::from_secs(600);
    let long = Submission { deadline: Some(busy_until), ..interactive(1) };
    let _running = pool.submit(Gated::new(&gate, 1), long).unwrap();
    gate.wait_until(|state| state.inside == 1);
    let hasty = Submission { deadline: Some(pool.now() + Duration::from_secs(1)), ..interactive(2) };
    let Err(Refusal::Overloaded { retry_after }) = pool.submit(Gated::new(&gate, 1), hasty) else {
        panic!("the wait of ten minutes is known beforehand");
    };
    assert!(
        retry_after > Duration::from_secs(500) && retry_after <= Duration::from_secs(600),
        "{retry_after:?}"
    );
    assert_eq!(pool.stats().counts.refused, 1);
}

#[test]
fn a_full_queue_refuses_but_keeps_a_place_for_another_client() {
    let queue = PerClass { interactive: 4, batch: 4 };
    let pool = Pool::start(Settings { queue, ..Settings::new(NonZeroUsize::MIN) }).unwrap();
    let gate = Gate::new();
    let mut tickets = vec![pool.submit(Gated::new(&gate, 1), interactive(1)).unwrap()];
    gate.wait_until(|state| state.inside == 1);
    let mut admitted = |client| match pool.submit(Gated::new(&gate, 1), interactive(client)) {
        Ok(ticket) => {
            tickets.push(ticket);
            true
        }
        Err(Refusal::Overloaded { .. }) => false,
        Err(Refusal::Draining) => panic!("the pool is open"),
    };
    let greedy: Vec<bool> = (0..4).map(|_| admitted(1)).collect();
    assert_eq!(greedy, [true, true, false, false]);
    assert_eq!([admitted(2), admitted(2), admitted(3), admitted(4)], [true, false, true, false]);
}

#[test]
fn a_drain_lets_work_finish_within_its_bound() {
    let pool = pool(1);
    let gate = Gate::new();
    let tickets: Vec<_> =
        (0..3).map(|client| pool.submit(Gated::new(&gate, 1), interactive(client)).unwrap()).collect();
    gate.wait_until(|state| state.inside == 1);
    std::thread::scope(|scope| {
        let drain = scope.spawn(|| pool.drain(PATIENCE));
        wait_for_stats(&pool, |stats| !stats.open);
        assert_eq!(pool.submit(Gated::new(&gate, 1), interactive(1)).err(), Some(Refusal::Draining));
        gate.open();
        let drained = drain.join().unwrap();
        assert!(drained.in_time);
        assert_eq!(drained.stuck_threads, 0);
    });
    for ticket in &tickets {
        assert_eq!(answer(ticket).unwrap().stopped, None);
    }
}

#[test]
fn a_drain_stops_what_outlasts_its_bound_and_every_waiter_is_answered() {
    let pool = pool(1);
    let gate = Gate::new();
    let running = pool.submit(Gated::new(&gate, 1), interactive(1)).unwrap();
    gate.wait_until(|state| state.inside == 1);
    let waiting = pool.submit(Gated::new(&gate, 1), interactive(2)).unwrap();
    let drained = pool.drain(Duration::ZERO);
    assert!(!drained.in_time);
    assert_eq!(drained.stuck_threads, 0);
    assert_eq!(answer(&running).unwrap().stopped, Some(StopReason::Draining));
    assert_eq!(answer(&waiting).unwrap_err(), Failure::Draining);
}

#[test]
fn a_drain_answers_for_a_search_that_does_not_stop() {
    let pool = pool(2);
    let gate = Gate::new();
    let ticket = pool.submit(Deaf(Arc::clone(&gate)), interactive(1)).unwrap();
    gate.wait_until(|state| state.entered == 1);
    let drained = pool.drain(Duration::ZERO);
    assert_eq!(drained.stuck_threads, 1);
    assert_eq!(*answer(&ticket).unwrap().snapshot, "so far");
    gate.open();
}
