//! What the pool itself costs and how punctual it is: `cargo bench --bench pool`. Its searches only wait, so the
//! figures are those of queue, threads and tickets, not of an engine.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::{Duration, Instant};

use discern::pool::{Class, ClientId, Ends, Failure, Pool, Refusal, Settings, Submission, Ticket};
use searchkit::control::{Control, Interrupt};
use searchkit::search::{Leave, Search};
use tokio::runtime::Runtime;

/// A search that is done at once.
struct Instantly;

impl Search for Instantly {
    type Snapshot = ();

    fn width(&self) -> usize {
        1
    }

    fn work(&self, _: &Control<'_>) -> Leave {
        Leave::Done
    }

    fn snapshot(&self) {}
}

/// A search that runs until it is told to stop, and polls as often as engines must.
struct Endless;

/// Engines poll at least once a millisecond; most of them more often.
const POLL: Duration = Duration::from_micros(500);

impl Search for Endless {
    type Snapshot = ();

    fn width(&self) -> usize {
        1
    }

    fn work(&self, control: &Control<'_>) -> Leave {
        loop {
            match control.interrupt() {
                Some(Interrupt::Stop(_)) => return Leave::Done,
                Some(Interrupt::Recall) => return Leave::Recalled,
                None => std::thread::sleep(POLL),
            }
        }
    }

    fn snapshot(&self) {}
}

fn main() {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime can be had");
    round_trips(&runtime);
    time_to_idle();
    time_to_make_room(&runtime);
    times_to_come_back(&runtime);
    punctuality(&runtime);
}

fn pool(workers: usize) -> Pool {
    Pool::start(Settings::new(NonZeroUsize::new(workers).expect("a pool has workers")))
        .expect("threads can be had")
}

fn request(class: Class, client: u64, deadline: Option<Duration>) -> Submission {
    Submission { class, client: ClientId(client), deadline, ends: Ends::AtDeadline, threads: 1 }
}

fn take_in<S: Search>(pool: &Pool, search: S, submission: Submission) -> Ticket<S::Snapshot> {
    pool.submit(search, submission).expect("there is a place")
}

fn percentiles(what: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let at = |percent: usize| times[(times.len() - 1) * percent / 100];
    println!("{what}: p50 {:?}, p99 {:?}, max {:?} ({} samples)", at(50), at(99), at(100), times.len());
}

/// From submission to answer of a search that does nothing, on an idle pool.
fn round_trips(runtime: &Runtime) {
    let pool = pool(2);
    let times = (0..20_000).map(|_| {
        let start = Instant::now();
        let ticket = take_in(&pool, Instantly, request(Class::Interactive, 1, None));
        runtime.block_on(ticket.finished()).expect("an idle pool answers");
        start.elapsed()
    });
    percentiles("round trip of an empty search", times.collect());
}

/// From the last of 500 dropped tickets to an idle pool.
fn time_to_idle() {
    let pool = pool(2);
    let times = (0..20).map(|_| {
        let tickets: Vec<_> =
            (0..500).map(|client| take_in(&pool, Endless, request(Class::Batch, client, None))).collect();
        drop(tickets);
        let dropped = Instant::now();
        while pool.stats().busy > 0 {
            std::thread::sleep(POLL / 5);
        }
        dropped.elapsed()
    });
    percentiles("pool idle after the last of 500 dropped tickets", times.collect());
}

/// From the submission of an interactive search to its answer while a batch search holds the only worker.
fn time_to_make_room(runtime: &Runtime) {
    let pool = pool(1);
    let _long = take_in(&pool, Endless, request(Class::Batch, 1, None));
    let times = (0..50).map(|_| {
        while pool.stats().busy == 0 {
            std::thread::sleep(POLL);
        }
        let start = Instant::now();
        let ticket = take_in(&pool, Instantly, request(Class::Interactive, 2, None));
        runtime.block_on(ticket.finished()).expect("batch makes room");
        start.elapsed()
    });
    percentiles("answer of an empty interactive search while batch holds the only worker", times.collect());
}

/// A burst of 400 requests of 200 ms at once, then silence: whether those refused are taken in when they come back at
/// the time they were told, one after the other.
fn times_to_come_back(runtime: &Runtime) {
    const BURST: u64 = 400;
    const TIME: Duration = Duration::from_millis(200);
    let pool = pool(8);
    let ask =
        |client: u64| pool.submit(Endless, request(Class::Interactive, client, Some(pool.now() + TIME)));
    let (mut tickets, mut told) = (Vec::new(), Vec::new());
    for client in 0..BURST {
        match ask(client) {
            Ok(ticket) => tickets.push(ticket),
            Err(Refusal::Overloaded { retry_after }) => told.push((pool.now() + retry_after, client)),
            Err(Refusal::Draining) => panic!("nobody drains this pool"),
        }
    }
    told.sort_unstable();
    let taken_in = told.iter().filter(|(at, client)| {
        runtime.block_on(async { tokio::time::sleep(at.saturating_sub(pool.now())).await });
        ask(*client).is_ok()
    });
    let taken_in = taken_in.count();
    println!(
        "{} of {BURST} requests at once refused, {taken_in} taken in at the time they were told",
        told.len()
    );
}

/// How one request of the overload test ended.
enum Outcome {
    /// Answered this long after its deadline.
    Answered(Duration),
    Refused {
        /// Whether the same request was taken in when it came back at the time it was told.
        taken_in_later: bool,
    },
    /// Failed this long after its deadline.
    Expired(Duration),
}

/// 2,000 requests of 1 to 200 ms, evenly spread, arriving at twice the rate that eight workers can serve.
fn punctuality(runtime: &Runtime) {
    const WORKERS: u32 = 8;
    const REQUESTS: u32 = 2_000;
    let mean = Duration::from_micros(100_500);
    let gap = mean / WORKERS / 2;
    let pool = Arc::new(pool(WORKERS as usize));
    let outcomes = runtime.block_on(async {
        let start = tokio::time::Instant::now();
        let mut requests = Vec::new();
        for number in 0..REQUESTS {
            tokio::time::sleep_until(start + gap * number).await;
            // 73 has no common factor with 200: every length comes ten times, in a scattered order.
            let time = Duration::from_millis(u64::from(number * 73 % 200 + 1));
            requests.push(tokio::spawn(one_request(Arc::clone(&pool), u64::from(number % 7), time)));
        }
        let mut outcomes = Vec::new();
        for request in requests {
            outcomes.push(request.await.expect("requests do not panic"));
        }
        outcomes
    });
    report(&outcomes);
}

async fn one_request(pool: Arc<Pool>, client: u64, time: Duration) -> Outcome {
    let deadline = pool.now() + time;
    match pool.submit(Endless, request(Class::Interactive, client, Some(deadline))) {
        Ok(ticket) => match ticket.finished().await {
            Ok(_) => Outcome::Answered(pool.now().saturating_sub(deadline)),
            Err(Failure::ExpiredInQueue { .. }) => Outcome::Expired(pool.now().saturating_sub(deadline)),
            Err(failure) => panic!("{failure}"),
        },
        Err(Refusal::Overloaded { retry_after }) => {
            tokio::time::sleep(retry_after).await;
            let again = request(Class::Interactive, client, Some(pool.now() + time));
            // The ticket is dropped at once, so that coming back adds no load.
            Outcome::Refused { taken_in_later: pool.submit(Endless, again).is_ok() }
        }
        Err(Refusal::Draining) => panic!("nobody drains this pool"),
    }
}

fn report(outcomes: &[Outcome]) {
    let (mut answered, mut expired) = (Vec::new(), Vec::new());
    let (mut refused, mut taken_in_later) = (0, 0);
    for outcome in outcomes {
        match *outcome {
            Outcome::Answered(late) => answered.push(late),
            Outcome::Expired(late) => expired.push(late),
            Outcome::Refused { taken_in_later: taken } => {
                refused += 1;
                taken_in_later += u32::from(taken);
            }
        }
    }
    println!(
        "{} requests of 1 to 200 ms at twice the capacity: {} answered, {} expired in the queue, {refused} refused, \
         {taken_in_later} of them taken in at the time they were told",
        outcomes.len(),
        answered.len(),
        expired.len()
    );
    percentiles("  answers after their deadline", answered);
    if !expired.is_empty() {
        percentiles("  expiries after their deadline", expired);
    }
}
