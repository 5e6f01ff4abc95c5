//! The protocol of splits in thousands of random orders of its threads, which shuttle chooses. A wait never times out there,
//! so a lost wake-up shows as a deadlock.

use std::ops::ControlFlow;

use super::*;
use shuttle::thread;

/// How many orders each test tries.
const ORDERS: usize = 2_000;

/// Tasks are numbers; a task above [`DEEP`] is split again into tasks of one.
type Numbers = Crew<(), u64, u64>;

/// Tasks above this are split by whoever works on them.
const DEEP: u64 = 10;

/// Works a task out: its own number, by way of a split of its own when it is large. `Break` when the work was called
/// off.
fn work(crew: &Numbers, within: &Arc<Split<(), u64, u64>>, task: u64) -> ControlFlow<(), u64> {
    thread::yield_now();
    if within.is_over() {
        return ControlFlow::Break(());
    }
    if task <= DEEP {
        return ControlFlow::Continue(task);
    }
    let ones = std::iter::repeat_n(1, (task - DEEP) as usize);
    own(crew, Some(within), ones.collect(), u64::MAX)
        .map_or(ControlFlow::Break(()), |sum| ControlFlow::Continue(sum + DEEP))
}

fn work_on(crew: &Numbers, lease: Lease<'_, (), u64, u64>, enough: u64) {
    let split = Arc::clone(lease.split());
    if let ControlFlow::Continue(found) = work(crew, &split, lease.task()) {
        lease.finish(|sum| {
            *sum += found;
            if *sum >= enough { Verdict::Over } else { Verdict::GoOn }
        });
    }
}

/// The owner's part, as a search plays it. `None` when it was called off from above.
fn own(
    crew: &Numbers,
    within: Option<&Arc<Split<(), u64, u64>>>,
    tasks: Vec<u64>,
    enough: u64,
) -> Option<u64> {
    let called_off = || within.is_some_and(|above| above.is_over());
    let opened = crew.open(within.cloned(), (), tasks, 0);
    loop {
        let seen = crew.version();
        if called_off() {
            opened.call_off();
        }
        if let Some(lease) = opened.lease() {
            work_on(crew, lease, enough);
        } else if opened.is_done() {
            break;
        } else if let Some(lease) = crew.lease(Some(opened.split())) {
            work_on(crew, lease, u64::MAX);
        } else {
            crew.wait(seen, Duration::from_secs(1), &crate::clock::StoppedClock);
        }
    }
    let (sum, _) = opened.close();
    if called_off() { None } else { Some(sum) }
}

/// A thread that helps until it is told that all is done.
fn help(crew: &Numbers, finished: &AtomicBool) {
    loop {
        let seen = crew.version();
        if finished.load(Ordering::SeqCst) {
            return;
        }
        match crew.lease(None) {
            // A helper may leave at any time: every third task is given back unfinished.
            Some(lease)
                if lease.task() == 3
                    && shuttle::rand::Rng::r#gen::<bool>(&mut shuttle::rand::thread_rng()) =>
            {
                drop(lease)
            }
            Some(lease) => work_on(crew, lease, u64::MAX),
            None => crew.wait(seen, Duration::from_secs(1), &crate::clock::StoppedClock),
        }
    }
}

fn with_helpers(helpers: usize, owner: impl Fn(&Numbers) + Send + Sync + 'static) {
    shuttle::check_random(
        move || {
            let crew = Arc::new(Numbers::default());
            let finished = Arc::new(AtomicBool::new(false));
            let threads: Vec<_> = (0..helpers)
                .map(|_| {
                    let (crew, finished) = (Arc::clone(&crew), Arc::clone(&finished));
                    thread::spawn(move || help(&crew, &finished))
                })
                .collect();
            owner(&crew);
            finished.store(true, Ordering::SeqCst);
            crew.announce();
            for thread in threads {
                thread.join().unwrap();
            }
            assert!(lock(&crew.state).open.is_empty());
        },
        ORDERS,
    );
}

#[test]
fn everything_is_done_once_whoever_does_it() {
    with_helpers(2, |crew| assert_eq!(own(crew, None, vec![DEEP + 3, 3, 2, DEEP + 1], u64::MAX), Some(29)));
}

#[test]
fn a_split_that_has_enough_ends_with_everybody_out_of_it() {
    with_helpers(2, |crew| {
        let sum = own(crew, None, vec![DEEP + 2, 5, 3, DEEP + 2, 1], 12).unwrap();
        assert!((12..=33).contains(&sum), "{sum}");
    });
}

#[test]
fn a_split_called_off_from_above_comes_to_an_end() {
    with_helpers(1, |crew| {
        let above = crew.open(None, (), [], 0);
        let split = Arc::clone(above.split());
        let found = thread::scope(|scope| {
            scope.spawn(|| above.call_off());
            own(crew, Some(&split), vec![DEEP + 2, 3], u64::MAX)
        });
        assert!(found.is_none_or(|sum| sum == 15), "{found:?}");
    });
}
