//! How the listener is doing, for the metrics: how many connections it holds of how many, and how late the threads of the sockets
//! come to their work. Both say why callers wait when the search threads are not the reason.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::task::TaskTracker;

/// Time between two looks at the runtime.
const INTERVAL: Duration = Duration::from_millis(250);
/// Looks after which the largest lag is forgotten, at the latest after twice as many: longer than the usual 15 s between scrapes.
const LOOKS: u32 = 80;

/// What is known of the public listener.
#[derive(Debug, Default)]
pub struct Listening {
    connections: OnceLock<(TaskTracker, usize)>,
    lag: Lag,
}

impl Listening {
    /// The connections are tracked there, and are so many at most. Only the first listener counts.
    pub fn on(&self, open: TaskTracker, most: usize) {
        // A second one has no effect, as documented.
        let _ = self.connections.set((open, most));
    }

    /// Connections held now, and the most there may be; `None` before there is a listener.
    pub fn connections(&self) -> Option<(usize, usize)> {
        self.connections.get().map(|(open, most)| (open.len(), *most))
    }

    /// The largest lag of the last half minute or so.
    pub fn lag(&self) -> Duration {
        self.lag.largest()
    }

    /// Measures how late the runtime is, for as long as it is polled.
    pub async fn watch(&self) {
        for look in 0_u32.. {
            let due = Instant::now() + INTERVAL;
            tokio::time::sleep_until(due).await;
            self.lag.add(due.elapsed());
            if look % LOOKS == 0 {
                self.lag.turn();
            }
        }
    }
}

/// The largest of what was added since the turn before the last.
#[derive(Debug, Default)]
struct Lag {
    now_ns: AtomicU64,
    before_ns: AtomicU64,
}

impl Lag {
    fn add(&self, lag: Duration) {
        self.now_ns.fetch_max(u64::try_from(lag.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    fn turn(&self) {
        self.before_ns.store(self.now_ns.swap(0, Ordering::Relaxed), Ordering::Relaxed);
    }

    fn largest(&self) -> Duration {
        let [now, before] = [&self.now_ns, &self.before_ns].map(|lag| lag.load(Ordering::Relaxed));
        Duration::from_nanos(now.max(before))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_lag_outlives_one_turn_and_not_two() {
        let (lag, ms) = (Lag::default(), Duration::from_millis);
        lag.add(ms(7));
        lag.add(ms(3));
        lag.turn();
        lag.add(ms(2));
        assert_eq!(lag.largest(), ms(7));
        lag.turn();
        assert_eq!(lag.largest(), ms(2));
    }
}
