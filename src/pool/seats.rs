//! Which worker works on what. A pure table: no threads, no clock.
//!
//! Every thread that works on a job holds a *seat* there. A seat is *leaving* once its worker was told to come back
//! (recalled, or its job is over); until it does, the worker is promised but not free. The seats of a job beyond
//! its last staying one are *helpers*: the job goes on without them.

use std::collections::HashMap;
use std::time::Duration;

use super::queue::JobId;
use super::submission::Class;

/// Names a worker thread, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct WorkerId(pub(super) usize);

/// One worker at work on one job.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seat {
    pub(super) job: JobId,
    pub(super) class: Class,
    /// When the worker sat down.
    pub(super) since: Duration,
    /// Whether the worker was told to come back.
    pub(super) leaving: bool,
}

/// The seats of all workers; `None` is an idle worker.
#[derive(Debug)]
pub(super) struct Seats(Vec<Option<Seat>>);

impl Seats {
    pub(super) fn new(workers: usize) -> Self {
        Self(vec![None; workers])
    }

    pub(super) fn workers(&self) -> usize {
        self.0.len()
    }

    pub(super) fn take(&mut self, worker: WorkerId, seat: Seat) {
        let place = &mut self.0[worker.0];
        debug_assert!(place.is_none(), "a worker sits on one seat at a time");
        *place = Some(seat);
    }

    pub(super) fn free(&mut self, worker: WorkerId) -> Seat {
        self.0[worker.0].take().expect("only a seated worker leaves")
    }

    /// Every taken seat.
    pub(super) fn taken(&self) -> impl Iterator<Item = (WorkerId, &Seat)> {
        self.0
            .iter()
            .enumerate()
            .filter_map(|(index, seat)| seat.as_ref().map(|seat| (WorkerId(index), seat)))
    }

    pub(super) fn idle(&self) -> usize {
        self.0.iter().filter(|seat| seat.is_none()).count()
    }

    /// Workers that are free or on their way back.
    pub(super) fn promised(&self) -> usize {
        self.0.iter().filter(|seat| seat.is_none_or(|seat| seat.leaving)).count()
    }

    /// All seats of a class, leaving ones included: what the bound on batch counts.
    pub(super) fn held_by(&self, class: Class) -> usize {
        self.taken().filter(|(_, seat)| seat.class == class).count()
    }

    /// All seats of a job, leaving ones included.
    pub(super) fn at(&self, job: JobId) -> usize {
        self.taken().filter(|(_, seat)| seat.job == job).count()
    }

    /// Seats per job that are not leaving.
    pub(super) fn staying(&self) -> HashMap<JobId, usize> {
        let mut counts = HashMap::new();
        for (_, seat) in self.taken().filter(|(_, seat)| !seat.leaving) {
            *counts.entry(seat.job).or_insert(0) += 1;
        }
        counts
    }

    /// Staying seats of a class, and how many jobs they belong to.
    pub(super) fn staying_of(&self, class: Class) -> (usize, usize) {
        let mut jobs: Vec<JobId> = self
            .taken()
            .filter(|(_, seat)| !seat.leaving && seat.class == class)
            .map(|(_, seat)| seat.job)
            .collect();
        let seats = jobs.len();
        jobs.sort_unstable();
        jobs.dedup();
        (seats, jobs.len())
    }

    /// Marks the helper to recall next as leaving: from the job of the given classes with the most staying seats, the
    /// worker that came last.
    pub(super) fn recall_helper(&mut self, classes: &[Class]) -> Option<WorkerId> {
        let staying = self.staying();
        let (worker, _) = self
            .taken()
            .filter(|(_, seat)| !seat.leaving && classes.contains(&seat.class) && staying[&seat.job] > 1)
            .max_by_key(|(worker, seat)| (staying[&seat.job], seat.since, *worker))?;
        self.mark_leaving(worker);
        Some(worker)
    }

    /// Marks the batch seat that has been held longest as leaving, also when it is the last one of its job.
    pub(super) fn recall_batch(&mut self) -> Option<WorkerId> {
        let (worker, _) = self
            .taken()
            .filter(|(_, seat)| !seat.leaving && seat.class == Class::Batch)
            .min_by_key(|(worker, seat)| (seat.since, *worker))?;
        self.mark_leaving(worker);
        Some(worker)
    }

    /// Marks every seat of a job that is over as leaving and returns the workers concerned.
    pub(super) fn recall_job(&mut self, job: JobId) -> Vec<WorkerId> {
        let workers: Vec<WorkerId> = self
            .taken()
            .filter(|(_, seat)| seat.job == job && !seat.leaving)
            .map(|(worker, _)| worker)
            .collect();
        for &worker in &workers {
            self.mark_leaving(worker);
        }
        workers
    }

    fn mark_leaving(&mut self, worker: WorkerId) {
        self.0[worker.0].as_mut().expect("only taken seats are marked").leaving = true;
    }
}
