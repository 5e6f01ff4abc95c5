//! Every decision of the pool, as a pure state machine: no threads, no clock, no locks. Events come in with the time
//! they happened at; what the threads must do comes out as [`Order`]s.
//!
//! Invariants (the property tests in `schedule/tests.rs` check them against any sequence of events):
//! - every job taken in gets exactly one terminal outcome: answered, failed, or cancelled by its last waiter;
//! - no worker is idle while a waiting job may have it (work is conserved);
//! - inside a class the client that has had least of the workers' time is next (see `shares`; who waits for the same job
//!   pays for it in equal parts, see `joining`);
//! - with two or more workers, batch never holds all of them, and no more batch jobs are begun than it may hold;
//! - a helper is recalled as soon as waiting work could use its worker; the last worker of an interactive job never is;
//! - once interactive work has waited `patience`, batch seats are recalled for it; a batch job left by its last
//!   worker waits before all fresh batch jobs and is never refused or forgotten;
//! - a fresh job is answered as expired once its deadline has passed and it has waited `margin`; a begun one is
//!   answered with what it has at its deadline plus `margin`, whatever its workers do.

mod joining;

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use searchkit::stop::StopReason;

use super::forecast::{Experience, Load};
use super::queue::{JobId, Queue};
use super::seats::{Seat, Seats, WorkerId};
use super::shares::Shares;
use super::stats::Counts;
use super::submission::{Class, ClientId, Failure, PerClass, Refusal, Submission};

/// The least time after which a refused caller is told to come back: no answer invites a tight loop.
const SHORTEST_RETRY: Duration = Duration::from_millis(10);

/// The fixed numbers of a schedule.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rules {
    /// Worker threads, at least 1.
    pub(super) workers: usize,
    /// The most fresh jobs of each class that may wait.
    pub(super) queue: PerClass<usize>,
    /// How long interactive work waits before batch seats are recalled for it.
    pub(super) patience: Duration,
    /// How long after its deadline a job is answered whatever its workers do.
    pub(super) margin: Duration,
}

/// What the threads must do after an event, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// Tell a worker to come back from its search.
    Recall(WorkerId),
    /// Tell a whole search to end.
    Stop(JobId, StopReason),
    /// Give a job's waiters their answer: the one and only.
    Answer(JobId, Verdict, Meter),
    /// The job is over and nobody works on it: its memory can go.
    Forget(JobId, Meter),
}

/// How a job ends for its waiters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// With the search's snapshot.
    Snapshot,
    /// Without one.
    Failed(Failure),
}

/// What a job has cost so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Meter {
    /// Time spent waiting for a first worker, and again after every interruption.
    pub(super) queued: Duration,
    /// Worker time, summed over its seats.
    pub(super) busy: Duration,
}

/// How a worker came back from a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Return {
    /// The search is over.
    Done,
    /// The worker was recalled.
    Recalled,
    /// The search panicked.
    Panicked,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// In the queue since this moment.
    Waiting(Duration),
    /// At least one worker sits on it.
    Working,
    /// Its outcome is decided; it is kept until its last worker is back.
    Ending,
}

#[derive(Debug)]
struct Entry {
    submission: Submission,
    /// Everybody who has asked for it, the one who handed it in first.
    clients: Vec<ClientId>,
    /// In whose line it waits before it begins.
    line: ClientId,
    /// The most seats it can use.
    wanted: usize,
    submitted: Duration,
    begun: Option<Duration>,
    stage: Stage,
    meter: Meter,
    /// Its key in `alarms`.
    alarm: Option<Duration>,
}

/// The state machine. See the head of this file.
#[derive(Debug)]
pub(super) struct Schedule {
    rules: Rules,
    queue: Queue,
    seats: Seats,
    shares: Shares,
    jobs: HashMap<JobId, Entry>,
    /// When a job must be looked at whatever happens.
    alarms: BTreeSet<(Duration, JobId)>,
    experience: Experience,
    counts: Counts,
    next_id: u64,
    admission: Admission,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Admission {
    Open,
    /// Nothing comes in; what is in goes on.
    Closed,
    /// Nothing comes in, nothing begins.
    Halted,
}

impl Schedule {
    pub(super) fn new(rules: Rules) -> Self {
        Self {
            rules,
            queue: Queue::new(rules.queue),
            seats: Seats::new(rules.workers),
            shares: Shares::default(),
            jobs: HashMap::new(),
            alarms: BTreeSet::new(),
            experience: Experience::new(),
            counts: Counts::default(),
            next_id: 0,
            admission: Admission::Open,
        }
    }

    /// A search asks to be taken in. `width` is the most threads the search itself can use.
    pub(super) fn submit(
        &mut self,
        submission: Submission,
        width: usize,
        now: Duration,
        orders: &mut Vec<Order>,
    ) -> Result<JobId, Refusal> {
        let admitted = self.admit(&submission, now);
        if let Err(refusal) = admitted {
            self.counts.refused += 1;
            return Err(refusal);
        }
        self.counts.admitted += 1;
        let id = JobId(self.next_id);
        self.next_id += 1;
        let entry = Entry {
            submission,
            clients: vec![submission.client],
            line: submission.client,
            wanted: submission.threads.min(width).min(self.rules.workers).max(1),
            submitted: now,
            begun: None,
            stage: Stage::Waiting(now),
            meter: Meter::default(),
            alarm: None,
        };
        self.jobs.insert(id, entry);
        self.queue.push(submission.class, submission.client, id);
        self.shares.enter(submission.client);
        self.set_alarm(id);
        self.rebalance(now, orders);
        Ok(id)
    }

    /// A free worker asks for a job. Also answers what has expired meanwhile, so that nothing late is begun.
    pub(super) fn seat(&mut self, worker: WorkerId, now: Duration, orders: &mut Vec<Order>) -> Option<JobId> {
        self.ring_alarms(now, orders);
        let id = match self.offer()? {
            Offer::Lead(class) => {
                let running = self.running(now);
                let rank = |client| ranked(&self.shares, &running, client);
                self.queue.pop(class, rank).expect("an offer to lead comes from a non-empty queue")
            }
            Offer::Help(id) => id,
        };
        let entry = self.jobs.get_mut(&id).expect("offered jobs are known");
        if let Stage::Waiting(since) = entry.stage {
            entry.meter.queued += now.saturating_sub(since);
            entry.stage = Stage::Working;
        }
        entry.begun.get_or_insert(now);
        let class = entry.submission.class;
        self.seats.take(worker, Seat { job: id, class, since: now, leaving: false });
        self.set_alarm(id);
        self.rebalance(now, orders);
        Some(id)
    }

    /// A worker is back from its job.
    pub(super) fn leave(&mut self, worker: WorkerId, how: Return, now: Duration, orders: &mut Vec<Order>) {
        let seat = self.seats.free(worker);
        let id = seat.job;
        let entry = self.jobs.get_mut(&id).expect("a job with a seat is known");
        let busy = now.saturating_sub(seat.since);
        entry.meter.busy += busy;
        let open = entry.stage != Stage::Ending;
        self.charge(id, busy);
        match how {
            Return::Done if open => {
                self.learn(id, now);
                self.counts.completed += 1;
                self.end(id, Some(Verdict::Snapshot), now, orders);
            }
            Return::Panicked => {
                self.counts.panics += 1;
                if open {
                    self.counts.failed += 1;
                    orders.push(Order::Stop(id, StopReason::Cancelled));
                    self.end(id, Some(Verdict::Failed(Failure::Panicked)), now, orders);
                }
            }
            Return::Done | Return::Recalled => {}
        }
        if self.seats.at(id) == 0 {
            self.last_worker_left(id, seat.class, now, orders);
        }
        self.rebalance(now, orders);
    }

    /// Nobody waits for this job any more.
    pub(super) fn cancel(&mut self, id: JobId, now: Duration, orders: &mut Vec<Order>) {
        let Some(entry) = self.jobs.get(&id) else { return };
        if entry.stage == Stage::Ending {
            return;
        }
        self.counts.cancelled += 1;
        orders.push(Order::Stop(id, StopReason::Cancelled));
        self.end(id, None, now, orders);
        self.rebalance(now, orders);
    }

    /// Time has passed: see [`next_tick`](Self::next_tick).
    pub(super) fn tick(&mut self, now: Duration, orders: &mut Vec<Order>) {
        self.ring_alarms(now, orders);
        self.rebalance(now, orders);
    }

    /// When [`tick`](Self::tick) must be called next if nothing else happens, not before `now` in effect: a time in
    /// the past means at once.
    pub(super) fn next_tick(&self) -> Option<Duration> {
        let alarm = self.alarms.first().map(|&(time, _)| time);
        alarm.into_iter().chain(self.patience_ends()).min()
    }

    /// Takes in no more work.
    pub(super) fn close(&mut self) {
        if self.admission == Admission::Open {
            self.admission = Admission::Closed;
        }
    }

    /// Ends everything: what has begun is answered with what it has once its workers are back, the rest fails.
    pub(super) fn halt(&mut self, now: Duration, orders: &mut Vec<Order>) {
        self.admission = Admission::Halted;
        for id in self.open_jobs() {
            let entry = &self.jobs[&id];
            match (entry.stage, entry.begun) {
                (Stage::Working, _) => orders.push(Order::Stop(id, StopReason::Draining)),
                (_, Some(_)) => {
                    self.counts.completed += 1;
                    orders.push(Order::Stop(id, StopReason::Draining));
                    self.end(id, Some(Verdict::Snapshot), now, orders);
                }
                (_, None) => {
                    self.counts.failed += 1;
                    self.end(id, Some(Verdict::Failed(Failure::Draining)), now, orders);
                }
            }
        }
    }

    /// Answers everything still open at once, whatever the workers do. Follows [`halt`](Self::halt).
    pub(super) fn abandon(&mut self, now: Duration, orders: &mut Vec<Order>) {
        for id in self.open_jobs() {
            self.counts.completed += 1;
            self.counts.overdue += 1;
            self.end(id, Some(Verdict::Snapshot), now, orders);
        }
    }

    /// Whether nothing waits and nobody works.
    pub(super) fn is_idle(&self) -> bool {
        self.jobs.is_empty()
    }

    /// Whether an idle worker would get a job now.
    pub(super) fn has_offer(&self) -> bool {
        self.seats.idle() > 0 && self.offer().is_some()
    }

    /// How many jobs have begun, whether or not a worker sits on them now, and are not decided.
    pub(super) fn open_begun(&self, class: Class) -> usize {
        self.jobs
            .values()
            .filter(|entry| {
                entry.submission.class == class && entry.begun.is_some() && entry.stage != Stage::Ending
            })
            .count()
    }

    /// How long a job has waited in all up to when it was last given to a worker.
    pub(super) fn queued(&self, id: JobId) -> Duration {
        self.jobs[&id].meter.queued
    }

    pub(super) fn waiting(&self, class: Class) -> usize {
        self.queue.len(class)
    }

    /// For how long the job that has waited longest in its present place has waited.
    pub(super) fn oldest_wait(&self, class: Class, now: Duration) -> Option<Duration> {
        self.queue
            .waiting(class)
            .filter_map(|id| self.waiting_since(id))
            .min()
            .map(|since| now.saturating_sub(since))
    }

    pub(super) fn seats(&self) -> &Seats {
        &self.seats
    }

    pub(super) fn counts(&self) -> Counts {
        self.counts
    }

    pub(super) fn is_open(&self) -> bool {
        self.admission == Admission::Open
    }

    /// What a job has cost, seats still taken included.
    fn meter(&self, id: JobId, now: Duration) -> Meter {
        let mut meter = self.jobs[&id].meter;
        if let Some(since) = self.waiting_since(id) {
            meter.queued += now.saturating_sub(since);
        }
        for (_, seat) in self.seats.taken().filter(|(_, seat)| seat.job == id) {
            meter.busy += now.saturating_sub(seat.since);
        }
        meter
    }

    fn waiting_since(&self, id: JobId) -> Option<Duration> {
        match self.jobs[&id].stage {
            Stage::Waiting(since) => Some(since),
            Stage::Working | Stage::Ending => None,
        }
    }

    fn open_jobs(&self) -> Vec<JobId> {
        let mut open: Vec<JobId> =
            self.jobs.iter().filter(|(_, entry)| entry.stage != Stage::Ending).map(|(&id, _)| id).collect();
        open.sort_unstable();
        open
    }

    /// How many seats batch may hold.
    fn batch_seats(&self) -> usize {
        if self.rules.workers == 1 { 1 } else { self.rules.workers - 1 }
    }
}

/// What a client has had of the workers up to now.
fn ranked(shares: &Shares, running: &HashMap<ClientId, Duration>, client: ClientId) -> Duration {
    shares.tally(client) + running.get(&client).copied().unwrap_or_default()
}

/// What an idle worker would do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Offer {
    /// Begin (or resume) the next job of this class.
    Lead(Class),
    /// Join this job.
    Help(JobId),
}

/// Admission.
impl Schedule {
    fn admit(&self, submission: &Submission, now: Duration) -> Result<(), Refusal> {
        if self.admission != Admission::Open {
            return Err(Refusal::Draining);
        }
        let wait = self.expected_wait(submission, now);
        let too_late = submission.deadline.is_some_and(|deadline| {
            // A deadline that has just passed on its way here is still answered when a worker is free at once.
            now >= deadline.saturating_add(self.rules.margin) || (!wait.is_zero() && now + wait >= deadline)
        });
        if too_late || !self.queue.has_place(submission.class, submission.client) {
            return Err(Refusal::Overloaded { retry_after: wait.max(SHORTEST_RETRY) });
        }
        Ok(())
    }

    /// How long a job submitted now would wait for its first worker. An estimate: see `forecast`.
    fn expected_wait(&self, submission: &Submission, now: Duration) -> Duration {
        let mut ahead = Vec::new();
        for class in Class::ALL.into_iter().filter(|&class| class <= submission.class) {
            if class == submission.class {
                ahead.extend(self.before_newcomer(class, submission.client, now));
            } else {
                ahead.extend(self.queue.waiting(class));
            }
        }
        let loads = ahead.into_iter().map(|id| self.load(id));
        let start = self.experience.expected_start(&self.free_at(submission.class, now), loads);
        start.saturating_sub(now)
    }

    /// When each worker that a job of this class may have is expected to be free.
    fn free_at(&self, class: Class, now: Duration) -> Vec<Duration> {
        let mut leads = BTreeSet::new();
        let mut free_at = vec![now; self.seats.idle()];
        let mut batch = Vec::new();
        for (_, seat) in self.seats.taken() {
            // Leaving workers and all but one worker of a job are free as soon as they are asked.
            let end = if seat.leaving || !leads.insert(seat.job) {
                now
            } else {
                self.experience.expected_end(self.load(seat.job), now)
            };
            match (class, seat.class) {
                (Class::Interactive, Class::Batch) => free_at.push(end.min(now + self.rules.patience)),
                (Class::Batch, Class::Batch) => batch.push(end),
                _ => free_at.push(end),
            }
        }
        if class == Class::Batch {
            // Batch has its own seats first, and of the others no more than its bound.
            free_at.sort_unstable();
            batch.extend(free_at);
            batch.truncate(self.batch_seats());
            return batch;
        }
        free_at
    }

    /// How long each client's workers have been at their present jobs, which its tally does not hold yet.
    fn running(&self, now: Duration) -> HashMap<ClientId, Duration> {
        let mut running: HashMap<ClientId, Duration> = HashMap::new();
        for (_, seat) in self.seats.taken() {
            let clients = &self.jobs[&seat.job].clients;
            let each = joining::part(now.saturating_sub(seat.since), clients.len());
            for &client in clients {
                *running.entry(client).or_default() += each;
            }
        }
        running
    }

    fn load(&self, id: JobId) -> Load {
        let submission = &self.jobs[&id].submission;
        Load { class: submission.class, deadline: submission.deadline, ends: submission.ends }
    }

    fn learn(&mut self, id: JobId, now: Duration) {
        let load = self.load(id);
        let begun = self.jobs[&id].begun.expect("a job that is done has begun");
        self.experience.learn(load, begun, now);
    }
}

/// Seats and recalls.
impl Schedule {
    fn offer(&self) -> Option<Offer> {
        if self.admission == Admission::Halted {
            return None;
        }
        if self.queue.len(Class::Interactive) > 0 {
            return Some(Offer::Lead(Class::Interactive));
        }
        let batch_allowed = self.seats.held_by(Class::Batch) < self.batch_seats();
        if batch_allowed && self.queue.len(Class::Batch) > 0 {
            return Some(Offer::Lead(Class::Batch));
        }
        self.neediest(batch_allowed).map(Offer::Help)
    }

    /// The job that an otherwise idle worker helps: interactive before batch, then the one with the fewest workers,
    /// then the oldest.
    fn neediest(&self, batch_allowed: bool) -> Option<JobId> {
        let staying = self.seats.staying();
        staying
            .into_iter()
            .map(|(id, seats)| (id, seats, &self.jobs[&id]))
            .filter(|(id, _, entry)| {
                let class_allowed = batch_allowed || entry.submission.class == Class::Interactive;
                entry.stage == Stage::Working && self.seats.at(*id) < entry.wanted && class_allowed
            })
            .min_by_key(|(id, seats, entry)| (entry.submission.class, *seats, *id))
            .map(|(id, _, _)| id)
    }

    /// Recalls workers for waiting jobs: helpers at once, batch workers once interactive work has waited long enough.
    fn rebalance(&mut self, now: Duration, orders: &mut Vec<Order>) {
        let interactive = self.queue.len(Class::Interactive);
        let (batch_staying, batch_jobs) = self.seats.staying_of(Class::Batch);
        let batch = self.queue.len(Class::Batch).min(self.batch_seats().saturating_sub(batch_jobs));
        // Seats of batch that only helpers hold are made free for batch jobs that wait, even when workers are idle:
        // batch may not sit on those.
        let room = self.batch_seats().saturating_sub(batch_staying);
        for _ in room..batch {
            orders.extend(self.seats.recall_helper(&[Class::Batch]).map(Order::Recall));
        }
        while self.seats.promised() < interactive + batch {
            let helper = self.seats.recall_helper(&[Class::Batch]).or_else(|| {
                // Batch helpers go first whatever the sizes of the crews.
                self.seats.recall_helper(&Class::ALL)
            });
            let Some(worker) = helper else { break };
            orders.push(Order::Recall(worker));
        }
        // All waits are looked at only where that could change something: the queue may be long, and this is done at every event.
        if self.seats.staying_of(Class::Batch).0 == 0 {
            return;
        }
        let impatient = self.interactive_waits().filter(|since| now >= *since + self.rules.patience).count();
        while self.seats.promised() < impatient {
            let Some(worker) = self.seats.recall_batch() else { break };
            orders.push(Order::Recall(worker));
        }
    }

    fn interactive_waits(&self) -> impl Iterator<Item = Duration> + '_ {
        self.queue.waiting(Class::Interactive).filter_map(|id| self.waiting_since(id))
    }

    /// When the next batch seat must be recalled for interactive work, if one may have to be.
    fn patience_ends(&self) -> Option<Duration> {
        if self.seats.staying_of(Class::Batch).0 == 0 {
            return None;
        }
        let mut waits: Vec<Duration> = self.interactive_waits().collect();
        waits.sort_unstable();
        waits.get(self.seats.promised()).map(|since| *since + self.rules.patience)
    }
}

/// Ends.
impl Schedule {
    /// Decides a job's outcome. Without a verdict nobody is told: the last waiter has gone.
    fn end(&mut self, id: JobId, verdict: Option<Verdict>, now: Duration, orders: &mut Vec<Order>) {
        let meter = self.meter(id, now);
        orders.extend(verdict.map(|verdict| Order::Answer(id, verdict, meter)));
        let entry = self.jobs.get_mut(&id).expect("only known jobs end");
        let (class, line) = (entry.submission.class, entry.line);
        let was_waiting = matches!(entry.stage, Stage::Waiting(_));
        entry.stage = Stage::Ending;
        self.set_alarm(id);
        if was_waiting {
            self.queue.remove(class, line, id);
            self.forget(id, meter, orders);
            return;
        }
        orders.extend(self.seats.recall_job(id).into_iter().map(Order::Recall));
    }

    fn last_worker_left(&mut self, id: JobId, class: Class, now: Duration, orders: &mut Vec<Order>) {
        let entry = self.jobs.get_mut(&id).expect("a job that was left is known");
        if entry.stage == Stage::Ending {
            let meter = entry.meter;
            self.forget(id, meter, orders);
            return;
        }
        if self.admission == Admission::Halted {
            // It was recalled in the moment the pool halted: nobody will come back to it.
            self.counts.completed += 1;
            self.end(id, Some(Verdict::Snapshot), now, orders);
            let meter = self.jobs.get(&id).map(|entry| entry.meter).unwrap_or_default();
            self.forget(id, meter, orders);
            return;
        }
        self.counts.interrupted += 1;
        entry.stage = Stage::Waiting(now);
        self.queue.push_interrupted(class, id);
        self.set_alarm(id);
    }

    /// Nobody works on the job and nobody waits for it.
    fn forget(&mut self, id: JobId, meter: Meter, orders: &mut Vec<Order>) {
        if let Some(entry) = self.jobs.remove(&id) {
            entry.clients.into_iter().for_each(|client| self.shares.leave(client));
        }
        orders.push(Order::Forget(id, meter));
    }

    /// Answers every job whose alarm has gone off.
    fn ring_alarms(&mut self, now: Duration, orders: &mut Vec<Order>) {
        while let Some(&(time, id)) = self.alarms.first() {
            if time > now {
                break;
            }
            let entry = &self.jobs[&id];
            if entry.begun.is_some() {
                self.counts.completed += 1;
                self.counts.overdue += u64::from(entry.stage == Stage::Working);
                self.learn(id, now);
                orders.push(Order::Stop(id, StopReason::Time));
                self.end(id, Some(Verdict::Snapshot), now, orders);
            } else {
                self.counts.expired += 1;
                let queued = now.saturating_sub(entry.submitted);
                let retry_after = self.expected_wait(&entry.submission, now).max(SHORTEST_RETRY);
                let failure = Failure::ExpiredInQueue { queued, retry_after };
                self.end(id, Some(Verdict::Failed(failure)), now, orders);
            }
        }
    }

    /// Sets the moment at which a job must be looked at, from its stage and deadline.
    fn set_alarm(&mut self, id: JobId) {
        let entry = self.jobs.get_mut(&id).expect("alarms are set for known jobs");
        let margin = self.rules.margin;
        let alarm = match (entry.stage, entry.submission.deadline) {
            (Stage::Ending, _) | (_, None) => None,
            // A worker that is free at once takes the job within the margin even when its deadline is very near.
            (Stage::Waiting(_), Some(deadline)) if entry.begun.is_none() => {
                Some(deadline.max(entry.submitted.saturating_add(margin)))
            }
            (Stage::Waiting(_) | Stage::Working, Some(deadline)) => Some(deadline.saturating_add(margin)),
        };
        if let Some(old) = std::mem::replace(&mut entry.alarm, alarm) {
            self.alarms.remove(&(old, id));
        }
        if let Some(new) = alarm {
            self.alarms.insert((new, id));
        }
    }
}

#[cfg(test)]
mod tests;
