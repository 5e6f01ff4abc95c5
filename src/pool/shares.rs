//! How much work each client has had, so that whoever had least is next: fairness by time of workers, not by count of
//! jobs. A pure data structure: no threads, no clock.
//!
//! A client's tally is what its jobs took, but a client that comes (back) after a pause starts no lower than the lowest
//! tally of those who have jobs: pauses are not saved up (start-time fair queueing: Goyal, Vin and Cheng, "Start-time fair
//! queueing: a scheduling algorithm for integrated services packet switching networks", 1996). What a job takes is known
//! only afterwards, so the tally runs behind by the jobs at work; the schedule adds those when it compares.

use std::collections::HashMap;
use std::time::Duration;

use super::submission::ClientId;

/// Clients without jobs that are remembered for their tallies. More are forgotten: they lose nothing by it.
const MOST_ABSENT: usize = 4_096;

/// The tallies of all clients.
#[derive(Debug, Default)]
pub(super) struct Shares {
    clients: HashMap<ClientId, Share>,
    /// The lowest tally of a client with jobs, as of the last arrival; the highest of all where none had jobs. It never
    /// falls.
    floor: Duration,
}

#[derive(Debug, Clone, Copy)]
struct Share {
    tally: Duration,
    /// Jobs that it waits for and that are not forgotten.
    jobs: usize,
}

impl Shares {
    /// A job of this client is taken in.
    pub(super) fn enter(&mut self, client: ClientId) {
        let lowest = self.clients.values().filter(|share| share.jobs > 0).map(|share| share.tally).min();
        // While nobody had jobs nobody waited for anybody: whatever was done before then is settled.
        let settled = || self.clients.values().map(|share| share.tally).max();
        self.floor = self.floor.max(lowest.or_else(settled).unwrap_or_default());
        let share = self.clients.entry(client).or_insert(Share { tally: self.floor, jobs: 0 });
        if share.jobs == 0 {
            share.tally = share.tally.max(self.floor);
        }
        share.jobs += 1;
        if self.clients.len() > 2 * MOST_ABSENT {
            self.clients.retain(|_, share| share.jobs > 0);
        }
    }

    /// A worker has worked for this client.
    pub(super) fn charge(&mut self, client: ClientId, busy: Duration) {
        if let Some(share) = self.clients.get_mut(&client) {
            share.tally += busy;
        }
    }

    /// A job of this client is forgotten.
    pub(super) fn leave(&mut self, client: ClientId) {
        let Some(share) = self.clients.get_mut(&client) else { return };
        share.jobs = share.jobs.saturating_sub(1);
        if share.jobs == 0 && (share.tally <= self.floor || self.clients.len() > MOST_ABSENT) {
            self.clients.remove(&client);
        }
    }

    /// What this client has had, pauses left out. A stranger has had as much as whoever had least.
    pub(super) fn tally(&self, client: ClientId) -> Duration {
        self.clients.get(&client).map_or(self.floor, |share| {
            if share.jobs == 0 { share.tally.max(self.floor) } else { share.tally }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: ClientId = ClientId(1);
    const B: ClientId = ClientId(2);

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn a_pause_is_not_saved_up() {
        let mut shares = Shares::default();
        shares.enter(A);
        shares.charge(A, ms(900));
        shares.enter(B);
        assert_eq!(shares.tally(B), ms(900), "a stranger starts beside whoever had least");
        shares.leave(B);
        shares.charge(A, ms(100));
        shares.enter(B);
        assert_eq!(shares.tally(B), ms(1_000));
    }

    #[test]
    fn a_client_that_was_alone_owes_nothing_to_one_that_comes_later() {
        let mut shares = Shares::default();
        for _ in 0..10 {
            shares.enter(A);
            shares.charge(A, ms(100));
            shares.leave(A);
        }
        shares.enter(B);
        shares.enter(A);
        assert_eq!(shares.tally(A), shares.tally(B));
    }

    #[test]
    fn a_short_absence_wipes_nothing_out() {
        let mut shares = Shares::default();
        shares.enter(A);
        shares.enter(B);
        shares.charge(A, ms(500));
        shares.leave(A);
        shares.charge(B, ms(100));
        shares.enter(A);
        assert_eq!((shares.tally(A), shares.tally(B)), (ms(500), ms(100)));
    }

    #[test]
    fn strangers_by_the_thousand_leave_no_trace() {
        let mut shares = Shares::default();
        shares.enter(A);
        for number in 10..60_000 {
            shares.enter(ClientId(number));
            shares.charge(ClientId(number), ms(1));
            shares.leave(ClientId(number));
        }
        assert!(shares.clients.len() <= 2 * MOST_ABSENT + 1, "{}", shares.clients.len());
    }
}
