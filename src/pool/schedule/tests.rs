//! The schedule against its invariants, under any sequence of events: a small world of workers that obey the
//! orders late, searches that end, panic or are cancelled at any time, and a clock that jumps.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::super::submission::{ClientId, Ends};
use super::*;

const PATIENCE: Duration = Duration::from_millis(20);
const MARGIN: Duration = Duration::from_millis(10);

#[derive(Debug, Clone, Copy)]
enum Event {
    Submit {
        class: Class,
        client: u64,
        deadline_ms: Option<u64>,
        threads: usize,
        width: usize,
    },
    /// Some time passes and the watchdog looks, if its time has come.
    Pass {
        ms: u64,
    },
    /// The n-th seated worker (in a circle) comes back.
    Return {
        nth: usize,
        how: Return,
    },
    /// The n-th open job (in a circle) loses its last waiter.
    Cancel {
        nth: usize,
    },
    /// Another client waits for the n-th open job (in a circle) too.
    Join {
        nth: usize,
        client: u64,
    },
}

/// What the world remembers of a job, from orders and its own events alone.
#[derive(Debug, Default, Clone, Copy)]
struct Seen {
    class: Option<Class>,
    submitted: Duration,
    deadline: Option<Duration>,
    begun: bool,
    waiting_since: Duration,
    answers: usize,
    cancelled: bool,
    forgotten: bool,
}

impl Seen {
    fn is_over(&self) -> bool {
        self.answers > 0 || self.cancelled
    }
}

struct World {
    schedule: Schedule,
    workers: Vec<Option<JobId>>,
    recalled: Vec<bool>,
    jobs: BTreeMap<JobId, Seen>,
    now: Duration,
    batch_bound: usize,
}

impl World {
    fn new(workers: usize) -> Self {
        let rules = Rules {
            workers,
            queue: PerClass { interactive: 8, batch: 8 },
            patience: PATIENCE,
            margin: MARGIN,
        };
        Self {
            schedule: Schedule::new(rules),
            workers: vec![None; workers],
            recalled: vec![false; workers],
            jobs: BTreeMap::new(),
            now: Duration::ZERO,
            batch_bound: if workers > 1 { workers - 1 } else { 1 },
        }
    }

    fn happen(&mut self, event: Event) {
        let mut orders = Vec::new();
        let now = self.now;
        match event {
            Event::Submit { class, client, deadline_ms, threads, width } => {
                let deadline = deadline_ms.map(|ms| now + Duration::from_millis(ms));
                let submission =
                    Submission { class, client: ClientId(client), deadline, ends: Ends::AtDeadline, threads };
                match self.schedule.submit(submission, width, now, &mut orders) {
                    Ok(id) => {
                        let seen = Seen {
                            class: Some(class),
                            submitted: now,
                            deadline,
                            waiting_since: now,
                            ..Seen::default()
                        };
                        assert!(self.jobs.insert(id, seen).is_none(), "ids are never used twice");
                    }
                    Err(Refusal::Overloaded { retry_after }) => {
                        assert!(retry_after >= SHORTEST_RETRY);
                        let idle_and_empty = self.jobs.values().all(|seen| seen.forgotten);
                        assert!(!idle_and_empty, "an empty pool refuses nobody");
                    }
                    Err(Refusal::Draining) => panic!("this world never drains"),
                }
            }
            Event::Pass { ms } => {
                self.now += Duration::from_millis(ms);
                if self.schedule.next_tick().is_some_and(|at| at <= self.now) {
                    self.schedule.tick(self.now, &mut orders);
                }
            }
            Event::Return { nth, how } => {
                let seated: Vec<usize> =
                    (0..self.workers.len()).filter(|&at| self.workers[at].is_some()).collect();
                let Some(&at) = (!seated.is_empty()).then(|| &seated[nth % seated.len()]) else { return };
                // A search gives a worker back as recalled only if it was.
                let how = if how == Return::Recalled && !self.recalled[at] { Return::Done } else { how };
                self.bring_back(at, how, &mut orders);
            }
            Event::Cancel { nth } => {
                let open: Vec<JobId> = self.open().collect();
                let Some(&id) = (!open.is_empty()).then(|| &open[nth % open.len()]) else { return };
                self.jobs.get_mut(&id).expect("open jobs are seen").cancelled = true;
                self.schedule.cancel(id, now, &mut orders);
            }
            Event::Join { nth, client } => {
                let open: Vec<JobId> = self.open().collect();
                let Some(&id) = (!open.is_empty()).then(|| &open[nth % open.len()]) else { return };
                self.schedule.join(id, ClientId(client), now);
            }
        }
        self.obey(&orders);
        self.idle_workers_ask();
        self.check();
    }

    fn bring_back(&mut self, at: usize, how: Return, orders: &mut Vec<Order>) {
        let id = self.workers[at].take().expect("only a seated worker comes back");
        self.recalled[at] = false;
        if self.workers.iter().all(|&other| other != Some(id)) {
            self.jobs.get_mut(&id).expect("worked on jobs are seen").waiting_since = self.now;
        }
        self.schedule.leave(WorkerId(at), how, self.now, orders);
    }

    fn open(&self) -> impl Iterator<Item = JobId> + '_ {
        self.jobs.iter().filter(|(_, seen)| !seen.is_over()).map(|(&id, _)| id)
    }

    fn obey(&mut self, orders: &[Order]) {
        for order in orders {
            match *order {
                Order::Recall(WorkerId(at)) => {
                    assert!(self.workers[at].is_some(), "only workers at work are recalled");
                    assert!(!self.recalled[at], "a worker is recalled once");
                    self.recalled[at] = true;
                }
                Order::Stop(id, _) => assert!(!self.jobs[&id].forgotten),
                Order::Answer(id, verdict, _) => {
                    let seen = self.jobs.get_mut(&id).expect("answered jobs are seen");
                    seen.answers += 1;
                    assert!(seen.answers == 1 && !seen.cancelled && !seen.forgotten, "one terminal outcome");
                    let expired = matches!(verdict, Verdict::Failed(Failure::ExpiredInQueue { .. }));
                    assert_eq!(expired, !seen.begun, "what has begun has an answer, what has not has none");
                }
                Order::Forget(id, _) => {
                    let seen = self.jobs.get_mut(&id).expect("forgotten jobs are seen");
                    assert!(!seen.forgotten && seen.is_over());
                    seen.forgotten = true;
                    assert!(!self.workers.contains(&Some(id)), "nobody works on what is forgotten");
                }
            }
        }
    }

    fn idle_workers_ask(&mut self) {
        for at in 0..self.workers.len() {
            if self.workers[at].is_some() {
                continue;
            }
            let mut orders = Vec::new();
            let id = self.schedule.seat(WorkerId(at), self.now, &mut orders);
            if let Some(id) = id {
                self.workers[at] = Some(id);
                let seen = self.jobs.get_mut(&id).expect("given jobs are seen");
                assert!(!seen.is_over(), "no worker is given what is over");
                seen.begun = true;
            }
            self.obey(&orders);
        }
    }

    fn waiting(&self, class: Class) -> impl Iterator<Item = &Seen> {
        self.jobs
            .iter()
            .filter(move |(id, seen)| {
                seen.class == Some(class) && !seen.is_over() && !self.workers.contains(&Some(**id))
            })
            .map(|(_, seen)| seen)
    }

    fn seats_of(&self, class: Class) -> usize {
        self.workers.iter().flatten().filter(|id| self.jobs[id].class == Some(class)).count()
    }

    fn check(&self) {
        self.check_seats();
        self.check_recalls();
        self.check_times();
        let counts = self.schedule.counts();
        let ended = counts.completed + counts.cancelled + counts.expired + counts.failed;
        assert_eq!(counts.admitted - ended, self.open().count() as u64);
    }

    fn check_seats(&self) {
        let idle = self.workers.iter().any(Option::is_none);
        let batch_seats = self.seats_of(Class::Batch);
        assert!(batch_seats <= self.batch_bound, "batch holds too many workers");
        let begun = self
            .jobs
            .values()
            .filter(|seen| seen.class == Some(Class::Batch) && seen.begun && !seen.is_over());
        assert!(begun.count() <= self.batch_bound, "more batch jobs have begun than can run");
        if idle {
            assert_eq!(
                self.waiting(Class::Interactive).count(),
                0,
                "a worker idles while interactive work waits"
            );
            let batch_waits = self.waiting(Class::Batch).next().is_some();
            assert!(!batch_waits || batch_seats == self.batch_bound, "a worker idles while batch work waits");
            assert!(!self.schedule.has_offer());
        }
    }

    fn check_recalls(&self) {
        let staying = |id: JobId| {
            (0..self.workers.len()).filter(|&at| self.workers[at] == Some(id) && !self.recalled[at]).count()
        };
        let mut batch_jobs = std::collections::BTreeSet::new();
        let mut helper_stays = false;
        for &id in self.workers.iter().flatten() {
            let seen = &self.jobs[&id];
            if seen.is_over() {
                assert_eq!(staying(id), 0, "everybody is told to leave what is over");
                continue;
            }
            helper_stays |= staying(id) > 1;
            if seen.class == Some(Class::Interactive) {
                assert!(staying(id) > 0, "an interactive job keeps a worker");
            } else if staying(id) > 0 {
                batch_jobs.insert(id);
            }
        }
        let batch_usable = self.waiting(Class::Batch).count().min(self.batch_bound - batch_jobs.len());
        let usable = self.waiting(Class::Interactive).count() + batch_usable;
        let coming =
            (0..self.workers.len()).filter(|&at| self.workers[at].is_none() || self.recalled[at]).count();
        assert!(!helper_stays || coming >= usable, "a helper stays though waiting work could use its worker");
        let impatient =
            self.waiting(Class::Interactive).filter(|seen| self.now >= seen.waiting_since + PATIENCE).count();
        assert!(
            batch_jobs.is_empty() || coming >= impatient,
            "batch stays though interactive work has waited long enough"
        );
    }

    fn check_times(&self) {
        // A watchdog that was just here has nothing left to do: it never turns in a busy loop.
        assert!(self.schedule.next_tick().is_none_or(|at| at > self.now));
        for (_, seen) in self.jobs.iter().filter(|(_, seen)| !seen.is_over()) {
            let Some(deadline) = seen.deadline else { continue };
            let last = if seen.begun { deadline + MARGIN } else { deadline.max(seen.submitted + MARGIN) };
            assert!(self.now < last, "a job is open past its deadline");
        }
    }
}

fn event() -> impl Strategy<Value = Event> {
    let class = prop_oneof![Just(Class::Interactive), Just(Class::Batch)];
    let how = prop_oneof![
        3 => Just(Return::Done),
        4 => Just(Return::Recalled),
        1 => Just(Return::Panicked)
    ];
    let deadline = prop_oneof![Just(None), (0..200u64).prop_map(Some)];
    prop_oneof![
        4 => (class, 0..3u64, deadline, 0..5usize, 1..5usize).prop_map(
            |(class, client, deadline_ms, threads, width)| Event::Submit {
                class, client, deadline_ms, threads, width
            }
        ),
        3 => (0..40u64).prop_map(|ms| Event::Pass { ms }),
        4 => (0..8usize, how).prop_map(|(nth, how)| Event::Return { nth, how }),
        1 => (0..8usize).prop_map(|nth| Event::Cancel { nth }),
        1 => (0..8usize, 0..4u64).prop_map(|(nth, client)| Event::Join { nth, client }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_invariants_hold_under_any_events(
        workers in 1..5usize,
        events in prop::collection::vec(event(), 1..80),
    ) {
        let mut world = World::new(workers);
        for event in events {
            world.happen(event);
        }
        // Whatever state that was, everything comes to an end.
        for _ in 0..10_000 {
            if world.jobs.values().all(|seen| seen.forgotten) {
                break;
            }
            world.happen(Event::Return { nth: 0, how: Return::Done });
        }
        prop_assert!(world.jobs.values().all(|seen| seen.forgotten));
        prop_assert!(world.schedule.is_idle());
        prop_assert_eq!(world.schedule.next_tick(), None);
    }

    #[test]
    fn a_halt_leaves_no_waiter_without_an_answer(
        workers in 1..5usize,
        events in prop::collection::vec(event(), 1..60),
        obedient in any::<bool>(),
    ) {
        let mut world = World::new(workers);
        for event in events {
            world.happen(event);
        }
        let mut orders = Vec::new();
        world.schedule.halt(world.now, &mut orders);
        if obedient {
            for at in 0..workers {
                if world.workers[at].is_some() {
                    world.bring_back(at, Return::Recalled, &mut orders);
                }
            }
            prop_assert!(world.schedule.is_idle());
        }
        world.schedule.abandon(world.now, &mut orders);
        prop_assert_eq!(world.schedule.seat(WorkerId(0), world.now, &mut orders), None);
        let answered: Vec<JobId> = orders
            .iter()
            .filter_map(|order| if let Order::Answer(id, ..) = order { Some(*id) } else { None })
            .collect();
        let open: Vec<JobId> = world.open().collect();
        let mut once = answered.clone();
        once.sort_unstable();
        prop_assert_eq!(once, open);
    }
}

/// A schedule of one worker, a long job on it, and an orders list to ignore.
fn busy(end: Duration) -> Schedule {
    let rules = Rules {
        workers: 1,
        queue: PerClass { interactive: 64, batch: 64 },
        patience: PATIENCE,
        margin: MARGIN,
    };
    let mut schedule = Schedule::new(rules);
    let long = submission(1, end);
    let orders = &mut Vec::new();
    schedule.submit(long, 1, Duration::ZERO, orders).expect("an empty pool takes work in");
    schedule.seat(WorkerId(0), Duration::ZERO, orders).expect("there is one job");
    schedule
}

fn submission(client: u64, deadline: Duration) -> Submission {
    Submission {
        class: Class::Interactive,
        client: ClientId(client),
        deadline: Some(deadline),
        ends: Ends::AtDeadline,
        threads: 1,
    }
}

#[test]
fn the_time_to_come_back_is_when_a_worker_is_free() {
    let ms = Duration::from_millis;
    let mut schedule = busy(ms(500));
    let orders = &mut Vec::new();
    // One job waits, to run from 500 to 800; a second client's next turn comes after it.
    schedule.submit(submission(2, ms(800)), 1, ms(100), orders).expect("it can begin at 500");
    let refusal = schedule.submit(submission(3, ms(750)), 1, ms(100), orders);
    assert_eq!(refusal, Err(Refusal::Overloaded { retry_after: ms(700) }));
    // A client with no job before it would begin at 800 and has time until 900.
    assert!(schedule.submit(submission(4, ms(900)), 1, ms(100), orders).is_ok());
}

/// After a fresh start nothing is known of what ends by itself, above all not that it takes all the time it could.
#[test]
fn a_job_that_ends_by_itself_is_not_expected_to_last_to_its_deadline() {
    let ms = Duration::from_millis;
    let by_itself = |client| Submission { ends: Ends::ByItself, ..submission(client, ms(60_000)) };
    let mut schedule = busy(ms(100));
    let orders = &mut Vec::new();
    for client in [2, 3, 4] {
        schedule
            .submit(by_itself(client), 1, ms(0), orders)
            .expect("a queue of seconds is short of a minute");
    }
    // It would begin after one, and has time for less.
    let refusal = schedule.submit(submission(5, ms(900)), 1, ms(0), orders);
    assert_eq!(refusal, Err(Refusal::Overloaded { retry_after: ms(3_100) }));
    // What they took is what is expected of the next ones.
    let mut now = ms(100);
    schedule.leave(WorkerId(0), Return::Done, now, orders);
    for _ in [2, 3, 4] {
        schedule.seat(WorkerId(0), now, orders).expect("they wait");
        now += ms(200);
        schedule.leave(WorkerId(0), Return::Done, now, orders);
    }
    let _ = schedule.submit(by_itself(2), 1, now, orders);
    schedule.seat(WorkerId(0), now, orders).expect("it waits");
    let Err(Refusal::Overloaded { retry_after }) =
        schedule.submit(submission(5, now + ms(500)), 1, now, orders)
    else {
        panic!("it would begin too late");
    };
    assert!(retry_after < ms(800), "{retry_after:?}");
}

#[test]
fn a_greedy_client_is_refused_for_the_wait_behind_its_own_work_and_a_modest_one_is_not() {
    let ms = Duration::from_millis;
    let mut schedule = busy(ms(100));
    let orders = &mut Vec::new();
    for number in 1..=4 {
        schedule
            .submit(submission(2, ms(100 + 200 * number)), 1, ms(0), orders)
            .expect("its turn comes in time");
    }
    // Behind its own four jobs, the last of which ends at 900; the modest one has only the first before it.
    assert!(schedule.submit(submission(2, ms(600)), 1, ms(0), orders).is_err());
    assert!(schedule.submit(submission(3, ms(600)), 1, ms(0), orders).is_ok());
}

/// One worker for three seconds; clients 1 and 2 always have four jobs waiting, of 120 ms and of 10 ms.
#[test]
fn two_clients_get_the_same_time_of_the_workers_whatever_their_jobs_take() {
    let ms = Duration::from_millis;
    let run = |client: ClientId| ms(if client.0 == 1 { 120 } else { 10 });
    let rules = Rules {
        workers: 1,
        queue: PerClass { interactive: 64, batch: 64 },
        patience: PATIENCE,
        margin: MARGIN,
    };
    let mut schedule = Schedule::new(rules);
    let orders = &mut Vec::new();
    let submit = |schedule: &mut Schedule, client: u64, now: Duration, orders: &mut Vec<Order>| {
        let submission = Submission { deadline: None, ..submission(client, Duration::ZERO) };
        schedule.submit(submission, 1, now, orders).expect("there is room");
    };
    for client in [1, 2].into_iter().cycle().take(8) {
        submit(&mut schedule, client, ms(0), orders);
    }
    let (mut now, mut served) = (ms(0), [ms(0); 3]);
    while now < ms(3_000) {
        let id = schedule.seat(WorkerId(0), now, orders).expect("there is always work");
        let client = schedule.jobs[&id].submission.client;
        now += run(client);
        served[client.0 as usize] += run(client);
        schedule.leave(WorkerId(0), Return::Done, now, orders);
        submit(&mut schedule, client.0, now, orders);
    }
    let (long, short) = (served[1].as_secs_f64(), served[2].as_secs_f64());
    assert!((0.9..=1.1).contains(&(long / short)), "{served:?}");
}

/// An idle schedule of one worker.
fn idle() -> Schedule {
    Schedule::new(Rules {
        workers: 1,
        queue: PerClass { interactive: 64, batch: 64 },
        patience: PATIENCE,
        margin: MARGIN,
    })
}

#[test]
fn a_job_that_two_wait_for_is_counted_to_each_by_half() {
    let ms = Duration::from_millis;
    let mut schedule = idle();
    let orders = &mut Vec::new();
    let endless = |client| Submission { deadline: None, ..submission(client, Duration::ZERO) };
    let shared = schedule.submit(endless(1), 1, ms(0), orders).expect("there is room");
    schedule.seat(WorkerId(0), ms(0), orders).expect("it waits");
    schedule.join(shared, ClientId(2), ms(40));
    schedule.join(shared, ClientId(2), ms(60));
    // All three have a job that waits; who has had least is next.
    for client in [1, 2, 3] {
        schedule.submit(endless(client), 1, ms(70), orders).expect("there is room");
    }
    schedule.leave(WorkerId(0), Return::Done, ms(100), orders);
    let tallies = [1, 2, 3].map(|client| schedule.shares.tally(ClientId(client)));
    assert_eq!(tallies, [ms(50), ms(50), ms(0)]);
    let next = schedule.seat(WorkerId(0), ms(100), orders).expect("they wait");
    assert_eq!(schedule.jobs[&next].submission.client, ClientId(3));
}

#[test]
fn who_asks_what_waits_in_a_long_line_already_does_not_wait_behind_that_line() {
    let ms = Duration::from_millis;
    let mut schedule = idle();
    let orders = &mut Vec::new();
    let endless = |client| Submission { deadline: None, ..submission(client, Duration::ZERO) };
    let ids: Vec<JobId> =
        (0..10).map(|_| schedule.submit(endless(1), 1, ms(0), orders).expect("there is room")).collect();
    schedule.seat(WorkerId(0), ms(0), orders).expect("they wait");
    schedule.join(ids[9], ClientId(2), ms(10));
    // One that stands in front already keeps its place.
    schedule.join(ids[1], ClientId(3), ms(10));
    schedule.leave(WorkerId(0), Return::Done, ms(20), orders);
    let mut served = Vec::new();
    for at in 0..9 {
        let now = ms(20 + 20 * at);
        served.push(schedule.seat(WorkerId(0), now, orders).expect("they wait"));
        schedule.leave(WorkerId(0), Return::Done, now + ms(20), orders);
    }
    assert!(served[..2].contains(&ids[9]) && served[..2].contains(&ids[1]), "{served:?}");
    assert_eq!(served[2..], ids[2..9]);
    assert!(schedule.is_idle());
}
