//! What all threads of the pool share: the schedule, the jobs, and the lock around both.
//!
//! Lock discipline:
//! - one mutex; inside it only the schedule decides and flags are set, nothing that takes long or calls foreign
//!   code: answers (they wake waiters), snapshots and the destruction of searches happen after it is released;
//! - a worker is recalled under the mutex and clears its flag under it when it sits down, so that a recall never
//!   reaches the wrong search;
//! - every wait is on a condition variable and re-checks its condition; every change notifies whom it may concern.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use searchkit::clock::Clock;

use super::job::Job;
use super::ledger::Ledger;
use super::queue::JobId;
use super::schedule::{Meter, Order, Return, Rules, Schedule, Verdict};
use super::seats::WorkerId;
use super::stats::Stats;
use super::submission::{Class, ClientId, PerClass, Refusal, Submission};

/// What all threads of the pool share.
pub(super) struct Core {
    state: Mutex<State>,
    /// Idle workers wait here.
    work: Condvar,
    /// The watchdog waits here for the next moment it is needed.
    watch: Condvar,
    /// A drain waits here for jobs and threads to end.
    quiet: Condvar,
    clock: Arc<dyn Clock>,
    rules: Rules,
    /// One recall flag for each worker.
    recall: Vec<AtomicBool>,
    /// Where the cost of searches is written down, if anywhere.
    ledger: OnceLock<Arc<dyn Ledger>>,
    /// Positions visited by all searches that are over.
    nodes: AtomicU64,
}

struct State {
    schedule: Schedule,
    jobs: HashMap<JobId, Arc<dyn Job>>,
    /// When the watchdog has planned to look next.
    watchdog_at: Option<Duration>,
    /// Whether threads that have nothing left to do must end.
    closing: bool,
    /// Threads that have not ended.
    threads: usize,
}

/// What remains to be done after the lock is released.
#[derive(Default)]
pub(super) struct Aftermath {
    answers: Vec<(Arc<dyn Job>, Verdict, Meter)>,
    forgotten: Vec<(Arc<dyn Job>, Meter)>,
}

impl Aftermath {
    fn is_empty(&self) -> bool {
        self.answers.is_empty() && self.forgotten.is_empty()
    }

    /// Charges for the searches, answers the waiters and lets go. Never under the pool's lock.
    fn settle(self, core: &Core) {
        let (ledger, now) = (core.ledger.get(), core.now());
        let charge = |job: &Arc<dyn Job>, meter| {
            if let Some(ledger) = ledger {
                let (clients, busy) = job.charge(meter);
                clients.into_iter().for_each(|client| ledger.charge(client, busy, now));
            }
        };
        for (job, verdict, meter) in self.answers {
            // Before the answer, which tells its caller what is left.
            charge(&job, meter);
            job.answer(verdict, meter);
        }
        for (job, meter) in self.forgotten {
            charge(&job, meter);
            core.nodes.fetch_add(job.nodes(), Ordering::Relaxed);
            job.settle(meter);
        }
    }
}

/// A job that a worker has been given.
pub(super) struct Assignment {
    pub(super) job: Arc<dyn Job>,
    queued: Duration,
}

impl Core {
    pub(super) fn new(rules: Rules, clock: Arc<dyn Clock>) -> Self {
        Self {
            state: Mutex::new(State {
                schedule: Schedule::new(rules),
                jobs: HashMap::new(),
                watchdog_at: None,
                closing: false,
                threads: 0,
            }),
            work: Condvar::new(),
            watch: Condvar::new(),
            quiet: Condvar::new(),
            clock,
            rules,
            recall: (0..rules.workers).map(|_| AtomicBool::new(false)).collect(),
            ledger: OnceLock::new(),
            nodes: AtomicU64::new(0),
        }
    }

    /// Writes what searches cost down there from now on. Only the first ledger counts.
    pub(super) fn charge_to(&self, ledger: Arc<dyn Ledger>) {
        // A second one has no effect, as documented.
        let _ = self.ledger.set(ledger);
    }

    pub(super) fn now(&self) -> Duration {
        self.clock.now()
    }

    pub(super) fn clock(&self) -> &dyn Clock {
        &*self.clock
    }

    pub(super) fn recall_flag(&self, worker: WorkerId) -> &AtomicBool {
        &self.recall[worker.0]
    }

    /// Takes a search in.
    pub(super) fn submit(
        &self,
        submission: Submission,
        width: usize,
        job: &Arc<dyn Job>,
    ) -> Result<JobId, Refusal> {
        let mut state = self.lock();
        let mut orders = Vec::new();
        let id = state.schedule.submit(submission, width, self.now(), &mut orders)?;
        state.jobs.insert(id, Arc::clone(job));
        self.finish_event(state, orders);
        Ok(id)
    }

    /// The last waiter of a job has gone.
    pub(super) fn cancel(&self, id: JobId) {
        self.event(|schedule, now, orders| schedule.cancel(id, now, orders));
    }

    /// One more client waits for a job.
    pub(super) fn join(&self, id: JobId, client: ClientId) {
        self.event(|schedule, now, _| schedule.join(id, client, now));
    }

    /// A worker is back from its job.
    pub(super) fn leave(&self, worker: WorkerId, how: Return) {
        self.event(|schedule, now, orders| schedule.leave(worker, how, now, orders));
    }

    /// Waits for a job for this worker; `None` when the worker must end.
    pub(super) fn next_job(&self, worker: WorkerId) -> Option<Assignment> {
        let mut state = self.lock();
        loop {
            let mut orders = Vec::new();
            let id = state.schedule.seat(worker, self.now(), &mut orders);
            if let Some(id) = id {
                self.recall[worker.0].store(false, Ordering::Relaxed);
                let assignment = Assignment {
                    job: Arc::clone(state.jobs.get(&id).expect("a job that is given out is known")),
                    queued: state.schedule.queued(id),
                };
                self.finish_event(state, orders);
                assignment.job.begin(assignment.queued);
                return Some(assignment);
            }
            if !orders.is_empty() {
                self.finish_event(state, orders);
                state = self.lock();
                continue;
            }
            if state.closing {
                return None;
            }
            state = self.work.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The watchdog's life: looks at the schedule whenever it says it must be looked at.
    pub(super) fn watch(&self) {
        let mut state = self.lock();
        loop {
            let mut orders = Vec::new();
            let now = self.now();
            state.schedule.tick(now, &mut orders);
            if !orders.is_empty() {
                self.finish_event(state, orders);
                state = self.lock();
                continue;
            }
            if state.closing {
                return;
            }
            state.watchdog_at = state.schedule.next_tick();
            state = match state.watchdog_at {
                Some(at) => {
                    let wait = at.saturating_sub(now);
                    self.watch.wait_timeout(state, wait).unwrap_or_else(PoisonError::into_inner).0
                }
                None => self.watch.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }

    /// The pool in numbers.
    pub(super) fn stats(&self) -> Stats {
        let state = self.lock();
        let schedule = &state.schedule;
        let now = self.now();
        let seats = schedule.seats();
        Stats {
            workers: seats.workers(),
            busy: seats.workers() - seats.idle(),
            waiting: per_class(|class| schedule.waiting(class)),
            waiting_bound: self.rules.queue,
            oldest_wait: per_class(|class| schedule.oldest_wait(class, now)),
            begun: per_class(|class| schedule.open_begun(class)),
            open: schedule.is_open(),
            counts: schedule.counts(),
            nodes: self.nodes.load(Ordering::Relaxed),
        }
    }

    /// Takes in no more work.
    pub(super) fn close(&self) {
        self.lock().schedule.close();
    }

    /// Ends everything that can be ended.
    pub(super) fn halt(&self) {
        self.event(|schedule, now, orders| schedule.halt(now, orders));
    }

    /// Answers everything still open.
    pub(super) fn abandon(&self) {
        self.event(|schedule, now, orders| schedule.abandon(now, orders));
    }

    /// Tells threads that have nothing left to do to end.
    pub(super) fn dismiss(&self) {
        self.lock().closing = true;
        self.work.notify_all();
        self.watch.notify_all();
    }

    /// Waits until no job is left, at most this long. Returns whether none is.
    pub(super) fn wait_idle(&self, at_most: Duration) -> bool {
        self.wait_quiet(at_most, |state| state.schedule.is_idle())
    }

    /// Waits until all threads have ended, at most this long. Returns how many have not.
    pub(super) fn wait_dismissed(&self, at_most: Duration) -> usize {
        self.wait_quiet(at_most, |state| state.threads == 0);
        self.lock().threads
    }

    /// A thread of the pool is about to begin.
    pub(super) fn thread_begins(&self) {
        self.lock().threads += 1;
    }

    /// A thread of the pool is about to end.
    pub(super) fn thread_ends(&self) {
        self.lock().threads -= 1;
        self.quiet.notify_all();
    }

    fn wait_quiet(&self, at_most: Duration, is_quiet: impl Fn(&State) -> bool) -> bool {
        let state = self.lock();
        let (state, _) = self
            .quiet
            .wait_timeout_while(state, at_most, |state| !is_quiet(state))
            .unwrap_or_else(PoisonError::into_inner);
        is_quiet(&state)
    }

    fn event(&self, happen: impl FnOnce(&mut Schedule, Duration, &mut Vec<Order>)) {
        let mut state = self.lock();
        let mut orders = Vec::new();
        happen(&mut state.schedule, self.now(), &mut orders);
        self.finish_event(state, orders);
    }

    /// Carries out the orders of an event: flags under the lock, the rest after it.
    fn finish_event(&self, mut state: MutexGuard<'_, State>, orders: Vec<Order>) {
        let aftermath = self.carry_out(&mut state, orders);
        // One idle worker at a time: whoever sits down wakes the next one if there is more to do.
        if state.schedule.has_offer() {
            self.work.notify_one();
        }
        let next = state.schedule.next_tick();
        if next.is_some_and(|next| state.watchdog_at.is_none_or(|planned| next < planned)) {
            self.watch.notify_one();
        }
        if state.schedule.is_idle() {
            self.quiet.notify_all();
        }
        drop(state);
        if !aftermath.is_empty() {
            aftermath.settle(self);
        }
    }

    fn carry_out(&self, state: &mut State, orders: Vec<Order>) -> Aftermath {
        let mut aftermath = Aftermath::default();
        for order in orders {
            match order {
                Order::Recall(worker) => self.recall[worker.0].store(true, Ordering::Relaxed),
                Order::Stop(id, reason) => known(state, id).stop(reason),
                Order::Answer(id, verdict, meter) => {
                    aftermath.answers.push((Arc::clone(known(state, id)), verdict, meter));
                }
                Order::Forget(id, meter) => {
                    let job = state.jobs.remove(&id).expect("a job is forgotten once");
                    aftermath.forgotten.push((job, meter));
                }
            }
        }
        aftermath
    }

    /// Nothing that runs under the lock leaves the state half changed when it panics, so a poisoned lock is used on.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn known(state: &State, id: JobId) -> &Arc<dyn Job> {
    state.jobs.get(&id).expect("orders concern known jobs")
}

fn per_class<T>(value: impl Fn(Class) -> T) -> PerClass<T> {
    PerClass { interactive: value(Class::Interactive), batch: value(Class::Batch) }
}
