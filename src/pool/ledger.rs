//! Where the pool writes down what it did for whom. What a search costs is known only afterwards, and a search whose
//! caller has left costs as much as any other; so the pool itself reports it.

use std::time::Duration;

use super::submission::ClientId;

/// Takes in what searches cost.
pub trait Ledger: Send + Sync {
    /// Searches of `client` took `busy` more time of worker threads, as of `now` on the pool's clock. A search is charged
    /// when it is answered, before its callers see the answer, and for the rest when its last worker has left it. A search
    /// that several clients share is charged to all of them in equal parts. Must not block, nor call the pool.
    fn charge(&self, client: ClientId, busy: Duration, now: Duration);
}
