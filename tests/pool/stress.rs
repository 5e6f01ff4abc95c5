//! Thousands of searches that come, end, break and lose their waiters at random, from several threads at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use discern::pool::{Class, ClientId, Ends, Failure, PerClass, Pool, Refusal, Settings, Submission};
use searchkit::control::{Control, Interrupt};
use searchkit::search::{Leave, Search};
use std::num::NonZeroUsize;

use super::{wait, wait_for_stats};

const CALLERS: u64 = 4;
const SUBMISSIONS_PER_CALLER: u64 = 2_000;

/// Marsaglia's xorshift generator with his first triple of shifts (2003): a fixed seed gives every run the same
/// requests, though not the same interleaving.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}

/// Counts to its goal, a unit at a time, on any number of threads; may panic half way.
struct Counting {
    goal: usize,
    count: AtomicUsize,
    breaks: bool,
    _alive: Alive,
}

/// Counts the searches that exist.
struct Alive(Arc<AtomicUsize>);

impl Alive {
    fn new(count: &Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Ordering::SeqCst);
        Self(Arc::clone(count))
    }
}

impl Drop for Alive {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Search for Counting {
    type Snapshot = usize;

    fn width(&self) -> usize {
        3
    }

    fn work(&self, control: &Control<'_>) -> Leave {
        loop {
            match control.interrupt() {
                Some(Interrupt::Stop(_)) => return Leave::Done,
                Some(Interrupt::Recall) => return Leave::Recalled,
                None => {}
            }
            let count = self.count.fetch_add(1, Ordering::Relaxed);
            assert!(!self.breaks || count != self.goal / 2, "this search is made to break");
            if count >= self.goal {
                return Leave::Done;
            }
            if count.is_multiple_of(64) {
                (control.on_progress)();
                std::thread::yield_now();
            }
        }
    }

    fn snapshot(&self) -> usize {
        self.count.load(Ordering::Relaxed)
    }
}

/// What became of a caller's searches.
#[derive(Default, Debug)]
struct Tally {
    admitted: u64,
    refused: u64,
    dropped: u64,
    answered: u64,
    expired: u64,
    panicked: u64,
}

fn caller(pool: &Pool, number: u64, alive: &Arc<AtomicUsize>) -> Tally {
    let mut random = Random(0x9E37_79B9_7F4A_7C15 ^ (number + 1));
    let mut tally = Tally::default();
    let mut held = Vec::new();
    for _ in 0..SUBMISSIONS_PER_CALLER {
        let search = Counting {
            goal: random.below(4_000) as usize,
            count: AtomicUsize::new(0),
            breaks: random.below(500) == 0,
            _alive: Alive::new(alive),
        };
        let submission = Submission {
            class: if random.below(2) == 0 { Class::Interactive } else { Class::Batch },
            client: ClientId(random.below(6)),
            deadline: (random.below(3) > 0).then(|| pool.now() + Duration::from_millis(random.below(40))),
            ends: if random.below(2) == 0 { Ends::AtDeadline } else { Ends::ByItself },
            threads: random.below(4) as usize,
        };
        match pool.submit(search, submission) {
            Ok(ticket) => {
                tally.admitted += 1;
                held.push(ticket);
            }
            Err(Refusal::Overloaded { .. }) => tally.refused += 1,
            Err(Refusal::Draining) => panic!("nobody drains this pool"),
        }
        while held.len() > random.below(24) as usize {
            let ticket = held.swap_remove(random.below(held.len() as u64) as usize);
            match random.below(3) {
                0 => {
                    tally.dropped += 1;
                    drop(ticket);
                    continue;
                }
                1 => {
                    let mut stream = ticket.snapshots();
                    while wait(stream.next()).is_some() {}
                }
                _ => {}
            }
            match wait(ticket.finished()) {
                Ok(_) => tally.answered += 1,
                Err(Failure::ExpiredInQueue { .. }) => tally.expired += 1,
                Err(Failure::Panicked) => tally.panicked += 1,
                Err(Failure::Draining) => panic!("nobody drains this pool"),
            }
        }
    }
    tally.dropped += held.len() as u64;
    tally
}

#[test]
fn thousands_of_searches_at_random_leave_nothing_behind() {
    let queue = PerClass { interactive: 16, batch: 16 };
    let workers = NonZeroUsize::new(3).expect("three is not zero");
    let pool = Pool::start(Settings { queue, ..Settings::new(workers) }).expect("threads can be had");
    let alive = Arc::new(AtomicUsize::new(0));
    let tallies: Vec<Tally> = std::thread::scope(|scope| {
        let callers: Vec<_> = (0..CALLERS)
            .map(|number| {
                scope.spawn({
                    let (pool, alive) = (&pool, &alive);
                    move || caller(pool, number, alive)
                })
            })
            .collect();
        callers.into_iter().map(|caller| caller.join().expect("callers do not panic")).collect()
    });
    let stats = wait_for_stats(&pool, |stats| stats.busy == 0);
    let sum = |field: fn(&Tally) -> u64| tallies.iter().map(field).sum::<u64>();
    let counts = stats.counts;
    assert_eq!(stats.waiting, PerClass { interactive: 0, batch: 0 });
    assert_eq!((counts.admitted, counts.refused), (sum(|tally| tally.admitted), sum(|tally| tally.refused)));
    assert_eq!(counts.admitted, counts.completed + counts.cancelled + counts.expired + counts.failed);
    // A dropped ticket may have been answered, or may have expired or broken, just before.
    assert!(counts.cancelled <= sum(|tally| tally.dropped));
    assert!(counts.completed >= sum(|tally| tally.answered) && counts.expired >= sum(|tally| tally.expired));
    assert!(sum(|tally| tally.answered) > 0 && sum(|tally| tally.panicked) > 0, "{tallies:?}");
    pool.drain(Duration::ZERO);
    assert_eq!(alive.load(Ordering::SeqCst), 0, "every search was let go");
}
