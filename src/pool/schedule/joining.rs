//! Several clients who wait for one job: what it takes is counted to each in equal parts, and it waits in the line in which
//! its turn comes first, so that nobody waits longer for having asked what a greedy client had asked before.

use std::time::Duration;

use super::{Schedule, Stage};
use crate::pool::queue::JobId;
use crate::pool::submission::{Class, ClientId};

impl Schedule {
    /// One more client waits for this job. Nothing happens when it does already, or when the job is over.
    pub(in crate::pool) fn join(&mut self, id: JobId, client: ClientId, now: Duration) {
        let Some(entry) = self.jobs.get(&id) else { return };
        if entry.stage == Stage::Ending || entry.clients.contains(&client) {
            return;
        }
        let (class, line) = (entry.submission.class, entry.line);
        let comes_sooner = entry.begun.is_none()
            && self.queue.has_place(class, client)
            && !self.before_newcomer(class, client, now).contains(&id);
        if comes_sooner {
            self.queue.remove(class, line, id);
            self.queue.push(class, client, id);
        }
        let entry = self.jobs.get_mut(&id).expect("it was just there");
        entry.line = if comes_sooner { client } else { line };
        entry.clients.push(client);
        self.shares.enter(client);
    }

    /// A worker has spent this time on a job.
    pub(super) fn charge(&mut self, id: JobId, busy: Duration) {
        let clients = &self.jobs[&id].clients;
        let each = part(busy, clients.len());
        for &client in clients {
            self.shares.charge(client, each);
        }
    }

    /// The jobs that would leave the queue before one that this client handed in now.
    pub(super) fn before_newcomer(&self, class: Class, client: ClientId, now: Duration) -> Vec<JobId> {
        let running = self.running(now);
        let rank = |client| super::ranked(&self.shares, &running, client);
        let cost = |id| self.experience.expected_end(self.load(id), now).saturating_sub(now);
        self.queue.before_newcomer(class, client, rank, cost)
    }
}

/// What one of so many pays.
pub(super) fn part(whole: Duration, payers: usize) -> Duration {
    whole / u32::try_from(payers).unwrap_or(u32::MAX).max(1)
}
