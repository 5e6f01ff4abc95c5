//! The queue against a naive model: a flat list, searched for whoever ranks lowest and then has waited longest for a turn.

use proptest::prelude::*;

use super::*;

const BOUND: usize = 6;

/// A fresh job in the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Fresh {
    client: u64,
    job: JobId,
}

/// One class of the queue, told naively. A client's turn comes by its stamp: the step at which it began to wait or
/// was last served.
#[derive(Debug, Clone, Default)]
struct Model {
    interrupted: Vec<JobId>,
    fresh: Vec<Fresh>,
    stamps: Vec<(u64, usize)>,
    step: usize,
    /// What each client has had.
    ranks: [u64; CLIENTS],
    /// What each job of a client raises its rank by.
    costs: [u64; CLIENTS],
}

/// Clients that may push, and one that never does.
const CLIENTS: usize = 5;

impl Model {
    fn held_by(&self, client: u64) -> usize {
        self.fresh.iter().filter(|fresh| fresh.client == client).count()
    }

    fn stamp(&mut self, client: u64) {
        self.step += 1;
        self.stamps.retain(|&(other, _)| other != client);
        self.stamps.push((client, self.step));
    }

    fn push(&mut self, client: u64, job: JobId) {
        if self.held_by(client) == 0 {
            self.stamp(client);
        }
        self.fresh.push(Fresh { client, job });
    }

    fn pop(&mut self) -> Option<JobId> {
        if !self.interrupted.is_empty() {
            return Some(self.interrupted.remove(0));
        }
        let waiting = self.stamps.iter().filter(|&&(client, _)| self.held_by(client) > 0);
        let client = waiting.min_by_key(|&&(client, stamp)| (self.ranks[client as usize], stamp))?.0;
        let place = self.fresh.iter().position(|fresh| fresh.client == client)?;
        let job = self.fresh.remove(place).job;
        self.stamp(client);
        self.ranks[client as usize] += self.costs[client as usize];
        Some(job)
    }

    fn remove(&mut self, job: JobId) {
        self.interrupted.retain(|&waiting| waiting != job);
        self.fresh.retain(|fresh| fresh.job != job);
    }
}

#[derive(Debug, Clone, Copy)]
enum Step {
    Push {
        client: u64,
    },
    Pop,
    /// Puts the job that was popped last back as interrupted.
    Interrupt,
    /// Removes the n-th job ever pushed.
    Remove {
        nth: usize,
        client: u64,
    },
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (0..4u64).prop_map(|client| Step::Push { client }),
        3 => Just(Step::Pop),
        1 => Just(Step::Interrupt),
        1 => (0..40usize, 0..4u64).prop_map(|(nth, client)| Step::Remove { nth, client }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_queue_is_the_naive_model(
        steps in prop::collection::vec(step(), 1..60),
        costs in prop::array::uniform5(0..4u64),
    ) {
        let mut queue = Queue::new(PerClass { interactive: BOUND, batch: 0 });
        let mut model = Model { costs, ..Model::default() };
        let mut owners: Vec<u64> = Vec::new();
        let mut popped: Option<JobId> = None;
        let class = Class::Interactive;
        for step in steps {
            match step {
                Step::Push { client } => {
                    let place = queue.has_place(class, ClientId(client));
                    let free = BOUND - model.fresh.len();
                    prop_assert_eq!(place, model.held_by(client) < free);
                    if place {
                        let job = JobId(owners.len() as u64);
                        owners.push(client);
                        queue.push(class, ClientId(client), job);
                        model.push(client, job);
                    }
                }
                Step::Pop => {
                    let ranks = model.ranks;
                    popped = model.pop();
                    prop_assert_eq!(queue.pop(class, |client| Duration::from_secs(ranks[client.0 as usize])), popped);
                }
                Step::Interrupt => {
                    if let Some(job) = popped.take() {
                        queue.push_interrupted(class, job);
                        model.interrupted.push(job);
                    }
                }
                Step::Remove { nth, client } => {
                    let owner = owners.get(nth).copied().unwrap_or(client);
                    queue.remove(class, ClientId(owner), JobId(nth as u64));
                    model.remove(JobId(nth as u64));
                }
            }
            prop_assert_eq!(queue.len(class), model.interrupted.len() + model.fresh.len());
            prop_assert_eq!(queue.waiting(class).count(), queue.len(class));
            for client in 0..5 {
                let rank = |client: ClientId| Duration::from_secs(model.ranks[client.0 as usize]);
                let cost = |job: JobId| Duration::from_secs(costs[owners[job.0 as usize] as usize]);
                let before = queue.before_newcomer(class, ClientId(client), rank, cost);
                prop_assert_eq!(before, played_forward(&model, client));
            }
        }
    }
}

/// What the model serves before a job that `client` pushed now.
fn played_forward(model: &Model, client: u64) -> Vec<JobId> {
    let mut model = model.clone();
    let newcomer = JobId(u64::MAX);
    model.push(client, newcomer);
    std::iter::from_fn(|| model.pop()).take_while(|&job| job != newcomer).collect()
}

#[test]
fn a_client_alone_gets_half_of_the_places_and_each_further_one_half_of_the_rest() {
    let mut queue = Queue::new(PerClass { interactive: 0, batch: 16 });
    let mut taken = Vec::new();
    let mut next = 0;
    for client in 0..6 {
        let mut places = 0;
        while queue.has_place(Class::Batch, ClientId(client)) {
            queue.push(Class::Batch, ClientId(client), JobId(next));
            next += 1;
            places += 1;
        }
        taken.push(places);
    }
    assert_eq!(taken, [8, 4, 2, 1, 1, 0]);
}
