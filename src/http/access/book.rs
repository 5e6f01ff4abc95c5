//! What every client has used: the balances of the quota, and the search time of each key for the operator.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::quota::Quota;
use super::{Access, Identity};
use crate::pool::{ClientId, Ledger};

/// The one ledger of a server.
#[derive(Debug)]
pub struct Book {
    quota: Option<Quota>,
    keys: Vec<Account>,
    /// Search time of callers without a key, in ns.
    others_ns: AtomicU64,
}

/// The search time of all keys of one name.
#[derive(Debug)]
struct Account {
    client: ClientId,
    name: String,
    used_ns: AtomicU64,
}

impl Book {
    /// An empty book for these clients.
    pub fn new(access: &Access) -> Self {
        let account = |name: &str| Account {
            client: Identity::Key(name).client(),
            name: name.to_owned(),
            used_ns: AtomicU64::new(0),
        };
        Self {
            quota: access.quota.map(Quota::new),
            keys: access.keys.names().into_iter().map(account).collect(),
            others_ns: AtomicU64::new(0),
        }
    }

    /// The balances, where there is a quota.
    pub fn quota(&self) -> Option<&Quota> {
        self.quota.as_ref()
    }

    /// Search time since the start by the name of the key, without one last under the empty name.
    pub fn used(&self) -> impl Iterator<Item = (&str, Duration)> {
        let time = |ns: &AtomicU64| Duration::from_nanos(ns.load(Ordering::Relaxed));
        let keys = self.keys.iter().map(move |account| (account.name.as_str(), time(&account.used_ns)));
        keys.chain([("", time(&self.others_ns))])
    }
}

impl Ledger for Book {
    fn charge(&self, client: ClientId, busy: Duration, now: Duration) {
        let account = self.keys.iter().find(|account| account.client == client);
        let used_ns = account.map_or(&self.others_ns, |account| &account.used_ns);
        used_ns.fetch_add(u64::try_from(busy.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
        if let Some(quota) = &self.quota {
            quota.charge(client, busy, now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ApiKey, KeyEntry, KeyRing};
    use super::*;

    #[test]
    fn search_time_is_written_down_by_key_and_all_the_rest_together() {
        let entry =
            |name: &str| KeyEntry { name: name.to_owned(), hash: ApiKey::random().expect("random").hash() };
        let keys = KeyRing::new(vec![entry("site"), entry("lab"), entry("site")]).expect("no doubles");
        let book = Book::new(&Access { keys, ..Access::default() });
        let charge = |client, ms| book.charge(client, Duration::from_millis(ms), Duration::ZERO);
        charge(Identity::Key("site").client(), 5);
        charge(Identity::Key("site").client(), 7);
        charge(Identity::Key("gone").client(), 1);
        charge(Identity::Network([1, 2, 3, 4].into()).client(), 2);
        let used: Vec<_> = book.used().map(|(name, time)| (name.to_owned(), time.as_millis())).collect();
        assert_eq!(used, [("site".to_owned(), 12), ("lab".to_owned(), 0), (String::new(), 3)]);
    }
}
