//! What each client may use: a debt bucket in milliseconds of search threads.
//!
//! What a request costs is known only when it is over, so nothing is taken in advance: a request is let in while its
//! client's balance is positive, and its cost is taken off afterwards, into debt if need be. Time fills the bucket up
//! again at a steady rate. Pure but for the lock around the table: the time is handed in.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::pool::{ClientId, Ledger};

/// The fixed numbers of all buckets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuotaPolicy {
    /// Milliseconds of search threads that a client gets back each second, at least 1. 1000 is one thread all the time.
    pub ms_per_s: u64,
    /// The most that a client can have saved up, in ms of search threads, at least 1.
    pub burst_ms: u64,
}

/// What every request costs besides its search, for reading the question and writing the answer.
pub const REQUEST_COST: Duration = Duration::from_micros(100);

/// Clients remembered at once. One takes some 50 bytes.
const MOST_CLIENTS: usize = 65_536;

/// The balances of all clients.
#[derive(Debug)]
pub struct Quota {
    policy: QuotaPolicy,
    accounts: Mutex<HashMap<ClientId, Account>>,
}

/// One client's bucket.
#[derive(Debug, Clone, Copy)]
struct Account {
    /// In ns of search threads; negative is debt.
    balance_ns: i64,
    /// When the balance was right, on the clock that callers hand in.
    at: Duration,
}

/// How a client stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// What is left, in whole ms of search threads; 0 in debt.
    pub remaining_ms: u64,
    /// Until the bucket is full again.
    pub full_in: Duration,
}

/// A client has used up what it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exhausted {
    /// Until its next request is let in.
    pub retry_after: Duration,
}

impl Quota {
    /// Full buckets for everybody.
    pub fn new(policy: QuotaPolicy) -> Self {
        Self { policy, accounts: Mutex::default() }
    }

    /// The numbers that hold for everybody.
    pub fn policy(&self) -> QuotaPolicy {
        self.policy
    }

    /// Lets a request of this client in and takes off what every request costs.
    ///
    /// # Errors
    /// When the balance is used up; nothing is taken off then.
    pub fn admit(&self, client: ClientId, now: Duration) -> Result<(), Exhausted> {
        match self.retry_after(client, now) {
            Some(retry_after) => Err(Exhausted { retry_after }),
            None => {
                self.charge(client, REQUEST_COST, now);
                Ok(())
            }
        }
    }

    /// Until the next request of this client is let in; `None` when it would be now.
    pub fn retry_after(&self, client: ClientId, now: Duration) -> Option<Duration> {
        let balance = self.account(&self.lock(), client, now).balance_ns;
        // One millisecond more than nothing, so that the caller is not refused by a rounding.
        (balance <= 0).then(|| self.time_to_earn(1_000_000 - balance))
    }

    /// How this client stands.
    pub fn standing(&self, client: ClientId, now: Duration) -> Standing {
        let balance = self.account(&self.lock(), client, now).balance_ns;
        Standing {
            remaining_ms: u64::try_from(balance / 1_000_000).unwrap_or(0),
            full_in: self.time_to_earn(self.burst_ns() - balance),
        }
    }

    /// How many clients have less than a full bucket, about.
    pub fn clients(&self) -> usize {
        self.lock().len()
    }

    fn burst_ns(&self) -> i64 {
        i64::try_from(self.policy.burst_ms.saturating_mul(1_000_000)).unwrap_or(i64::MAX)
    }

    /// How long a bucket takes to gain this much; nothing for what is not missing.
    fn time_to_earn(&self, missing_ns: i64) -> Duration {
        let missing = u128::try_from(missing_ns).unwrap_or(0);
        let nanos = (missing * 1_000).div_ceil(u128::from(self.policy.ms_per_s.max(1)));
        Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
    }

    /// A client's account as of now. One that is not in the table has a full bucket.
    fn account(&self, accounts: &HashMap<ClientId, Account>, client: ClientId, now: Duration) -> Account {
        let full = Account { balance_ns: self.burst_ns(), at: now };
        accounts.get(&client).map_or(full, |account| self.brought_forward(*account, now))
    }

    fn brought_forward(&self, account: Account, now: Duration) -> Account {
        let elapsed = now.saturating_sub(account.at).as_nanos();
        let gained = i64::try_from(elapsed * u128::from(self.policy.ms_per_s) / 1_000).unwrap_or(i64::MAX);
        Account {
            balance_ns: account.balance_ns.saturating_add(gained).min(self.burst_ns()),
            at: now.max(account.at),
        }
    }

    /// Makes room: full buckets are what an unknown client has anyway, so they go first. When clients with open balances
    /// fill the table, the better half of them is forgiven; whoever is deep in debt stays in it.
    fn make_room(&self, accounts: &mut HashMap<ClientId, Account>, now: Duration) {
        if accounts.len() < MOST_CLIENTS {
            return;
        }
        let full = self.burst_ns();
        accounts.retain(|_, account| self.brought_forward(*account, now).balance_ns < full);
        if accounts.len() < MOST_CLIENTS {
            return;
        }
        let balance = |account: &Account| self.brought_forward(*account, now).balance_ns;
        let mut balances: Vec<i64> = accounts.values().map(balance).collect();
        let middle = balances.len() / 2;
        let (_, &mut median, _) = balances.select_nth_unstable(middle);
        let mut room_for_equals =
            middle - accounts.values().filter(|account| balance(account) < median).count();
        accounts.retain(|_, account| {
            let equal = balance(account) == median && room_for_equals > 0;
            room_for_equals -= usize::from(equal);
            equal || balance(account) < median
        });
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ClientId, Account>> {
        // Every change of the table is one insertion or removal, so it is whole even after a panic.
        self.accounts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ledger for Quota {
    fn charge(&self, client: ClientId, busy: Duration, now: Duration) {
        if busy.is_zero() {
            return;
        }
        let mut accounts = self.lock();
        if !accounts.contains_key(&client) {
            self.make_room(&mut accounts, now);
        }
        let mut account = self.account(&accounts, client, now);
        let cost = i64::try_from(busy.as_nanos()).unwrap_or(i64::MAX);
        account.balance_ns = account.balance_ns.saturating_sub(cost);
        accounts.insert(client, account);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POLICY: QuotaPolicy = QuotaPolicy { ms_per_s: 500, burst_ms: 2_000 };
    const ME: ClientId = ClientId(1);
    const OTHER: ClientId = ClientId(2);

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn a_stranger_has_a_full_bucket() {
        let quota = Quota::new(POLICY);
        assert_eq!(quota.standing(ME, ms(7)), Standing { remaining_ms: 2_000, full_in: Duration::ZERO });
        assert_eq!(quota.clients(), 0);
    }

    #[test]
    fn debt_is_paid_off_by_time_at_the_rate_of_the_policy() {
        let quota = Quota::new(POLICY);
        quota.charge(ME, ms(5_000), ms(0));
        assert_eq!(quota.standing(ME, ms(0)).remaining_ms, 0);
        // 3,001 ms are missing until 1 ms is there, at half a ms each ms.
        assert_eq!(quota.admit(ME, ms(0)), Err(Exhausted { retry_after: ms(6_002) }));
        assert!(quota.admit(ME, ms(5_999)).is_err());
        assert_eq!(quota.admit(ME, ms(6_002)), Ok(()));
        assert_eq!(quota.admit(OTHER, ms(0)), Ok(()), "one client's debt is not another's");
    }

    #[test]
    fn a_refused_request_costs_nothing_and_an_admitted_one_a_tenth_of_a_millisecond() {
        let quota = Quota::new(POLICY);
        for _ in 0..10 {
            quota.admit(ME, ms(0)).expect("there is plenty");
        }
        assert_eq!(quota.standing(ME, ms(0)), Standing { remaining_ms: 1_999, full_in: ms(2) });
        quota.charge(ME, ms(3_000), ms(0));
        let before = quota.admit(ME, ms(0));
        assert_eq!(quota.admit(ME, ms(0)), before);
    }

    #[test]
    fn savings_end_at_the_burst() {
        let quota = Quota::new(POLICY);
        quota.charge(ME, ms(100), ms(0));
        assert_eq!(quota.standing(ME, ms(1_000_000)).remaining_ms, 2_000);
    }

    #[test]
    fn a_clock_that_seems_to_go_back_takes_and_gives_nothing() {
        let quota = Quota::new(POLICY);
        quota.charge(ME, ms(1_000), ms(500));
        quota.charge(ME, ms(100), ms(400));
        assert_eq!(quota.standing(ME, ms(500)).remaining_ms, 900);
    }

    #[test]
    fn the_table_is_bounded_and_debt_outlives_the_crowd() {
        let quota = Quota::new(POLICY);
        quota.charge(ME, ms(900_000), ms(0));
        for client in 10..10 + 2 * MOST_CLIENTS as u64 {
            quota.charge(ClientId(client), ms(1), ms(0));
            assert!(quota.lock().len() <= MOST_CLIENTS);
        }
        assert!(quota.admit(ME, ms(1)).is_err());
    }
}
