//! Time as the engines see it: a monotonic reading handed in by whoever runs the search.

use std::time::{Duration, Instant};

/// A monotonic clock. Engines read time only through this, so they also build where there is no system clock.
pub trait Clock: Send + Sync {
    /// Time since a fixed origin of this clock's choosing. Never goes backwards.
    fn now(&self) -> Duration;
}

/// The operating system's monotonic clock, counted from the moment this value was made.
#[derive(Debug, Clone, Copy)]
pub struct MonotonicClock {
    origin: Instant,
}

impl MonotonicClock {
    /// A clock whose origin is now.
    pub fn new() -> Self {
        Self { origin: Instant::now() }
    }
}

impl Default for MonotonicClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for MonotonicClock {
    fn now(&self) -> Duration {
        self.origin.elapsed()
    }
}

/// A clock that stands still at zero: for searches bounded by depth or nodes alone, and for tests.
#[derive(Debug, Clone, Copy, Default)]
pub struct StoppedClock;

impl Clock for StoppedClock {
    fn now(&self) -> Duration {
        Duration::ZERO
    }
}
