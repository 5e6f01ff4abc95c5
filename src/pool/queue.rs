//! The waiting room: which job is next. A pure data structure: no threads, no clock.
//!
//! Invariants:
//! - a job is in the queue at most once;
//! - fresh jobs of a class never outnumber its bound, and a client never holds more fresh places of a class than it
//!   leaves free, so that a newcomer finds a place however greedy the others are (dynamic thresholds: Choudhury and
//!   Hahne, "Dynamic queue length thresholds for shared-memory packet switches", 1998, with factor 1);
//! - interactive jobs leave before batch jobs; inside a class interrupted jobs leave first (they hold memory), then
//!   jobs of the client that the caller ranks lowest (it has had least), clients of one rank take turns, and each client's
//!   own jobs leave in the order they came;
//! - a client without fresh jobs leaves no trace: the tables are as small as the queue.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};
use std::time::Duration;

use super::submission::{Class, ClientId, PerClass};

/// Names a job for as long as the process lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct JobId(pub(super) u64);

/// The waiting room of both classes.
#[derive(Debug)]
pub(super) struct Queue {
    lines: PerClass<Line>,
}

/// The waiting room of one class.
#[derive(Debug)]
struct Line {
    /// The most fresh jobs.
    bound: usize,
    /// How many fresh jobs there are.
    fresh: usize,
    /// Jobs that were begun and interrupted.
    interrupted: VecDeque<JobId>,
    /// Clients with fresh jobs, the one whose turn is next in front.
    turns: VecDeque<ClientId>,
    /// The fresh jobs of each client in `turns`.
    jobs: HashMap<ClientId, VecDeque<JobId>>,
}

impl Queue {
    pub(super) fn new(bounds: PerClass<usize>) -> Self {
        Self {
            lines: PerClass { interactive: Line::new(bounds.interactive), batch: Line::new(bounds.batch) },
        }
    }

    /// Whether there is a place for one more fresh job of this client.
    pub(super) fn has_place(&self, class: Class, client: ClientId) -> bool {
        let line = self.lines.of(class);
        line.held_by(client) < line.bound.saturating_sub(line.fresh)
    }

    /// Puts a fresh job at the end of its client's line. The caller has asked [`has_place`](Self::has_place).
    pub(super) fn push(&mut self, class: Class, client: ClientId, job: JobId) {
        let line = self.lines.of_mut(class);
        line.fresh += 1;
        let jobs = line.jobs.entry(client).or_default();
        if jobs.is_empty() {
            line.turns.push_back(client);
        }
        jobs.push_back(job);
    }

    /// Puts a job that was begun and interrupted before all fresh jobs of its class. There is always a place: the
    /// schedule never has more begun batch jobs than batch may hold workers.
    pub(super) fn push_interrupted(&mut self, class: Class, job: JobId) {
        self.lines.of_mut(class).interrupted.push_back(job);
    }

    /// Takes the next job of a class out: one of the client with the lowest rank.
    pub(super) fn pop(&mut self, class: Class, rank: impl Fn(ClientId) -> Duration) -> Option<JobId> {
        let line = self.lines.of_mut(class);
        if let Some(job) = line.interrupted.pop_front() {
            return Some(job);
        }
        let (place, _) =
            line.turns.iter().enumerate().min_by_key(|(place, client)| (rank(**client), *place))?;
        let client = line.turns.remove(place).expect("the place was just found");
        let jobs = line.jobs.get_mut(&client).expect("a client with a turn has jobs");
        let job = jobs.pop_front().expect("a client with a turn has at least one job");
        if jobs.is_empty() {
            line.jobs.remove(&client);
        } else {
            line.turns.push_back(client);
        }
        line.fresh -= 1;
        Some(job)
    }

    /// Takes one job out wherever it stands; nothing happens when it is not there.
    pub(super) fn remove(&mut self, class: Class, client: ClientId, job: JobId) {
        let line = self.lines.of_mut(class);
        line.interrupted.retain(|&waiting| waiting != job);
        let Some(jobs) = line.jobs.get_mut(&client) else { return };
        let before = jobs.len();
        jobs.retain(|&waiting| waiting != job);
        line.fresh -= before - jobs.len();
        if jobs.is_empty() {
            line.jobs.remove(&client);
            line.turns.retain(|&waiting| waiting != client);
        }
    }

    /// How many jobs of a class wait, interrupted ones included.
    pub(super) fn len(&self, class: Class) -> usize {
        let line = self.lines.of(class);
        line.fresh + line.interrupted.len()
    }

    /// The jobs of a class that would leave before a job this client pushed now, in the order they would leave, when each
    /// job that leaves raises the rank of its client by its cost.
    pub(super) fn before_newcomer(
        &self,
        class: Class,
        client: ClientId,
        rank: impl Fn(ClientId) -> Duration,
        cost: impl Fn(JobId) -> Duration,
    ) -> Vec<JobId> {
        let line = self.lines.of(class);
        let mut before: Vec<JobId> = line.interrupted.iter().copied().collect();
        let own = line.held_by(client);
        let newcomer = (own == 0).then_some(client);
        // The next job of each client: lowest rank first, then whose turn is nearest.
        let mut next: BinaryHeap<Reverse<(Duration, usize, ClientId, usize)>> = BinaryHeap::new();
        for (turn, &waiting) in line.turns.iter().chain(&newcomer).enumerate() {
            next.push(Reverse((rank(waiting), turn, waiting, 0)));
        }
        let mut turn = next.len();
        while let Some(Reverse((rank, _, waiting, index))) = next.pop() {
            if waiting == client && index == own {
                break;
            }
            let Some(&job) = line.jobs.get(&waiting).and_then(|jobs| jobs.get(index)) else { continue };
            before.push(job);
            next.push(Reverse((rank + cost(job), turn, waiting, index + 1)));
            turn += 1;
        }
        before
    }

    /// Every waiting job of a class, in no useful order.
    pub(super) fn waiting(&self, class: Class) -> impl Iterator<Item = JobId> + '_ {
        let line = self.lines.of(class);
        line.interrupted.iter().copied().chain(line.jobs.values().flatten().copied())
    }
}

impl Line {
    fn new(bound: usize) -> Self {
        Self { bound, fresh: 0, interrupted: VecDeque::new(), turns: VecDeque::new(), jobs: HashMap::new() }
    }

    fn held_by(&self, client: ClientId) -> usize {
        self.jobs.get(&client).map_or(0, VecDeque::len)
    }
}

#[cfg(test)]
mod tests;
