//! Where the process stands in its life: starting, ready, draining. It only moves forward.

use std::sync::atomic::{AtomicU8, Ordering};

use crate::wire::service_info::StateReply;

const STARTING: u8 = 0;
const READY: u8 = 1;
const DRAINING: u8 = 2;

/// The life of this process. Starts as starting.
#[derive(Debug, Default)]
pub struct Lifecycle(AtomicU8);

impl Lifecycle {
    /// All is loaded and listening: work may come. Does nothing while draining.
    pub fn ready(&self) {
        self.0.fetch_max(READY, Ordering::Relaxed);
    }

    /// No more work is taken in. There is no way back.
    pub fn drain(&self) {
        self.0.fetch_max(DRAINING, Ordering::Relaxed);
    }

    /// The state now.
    pub fn state(&self) -> StateReply {
        match self.0.load(Ordering::Relaxed) {
            STARTING => StateReply::Starting,
            READY => StateReply::Ready,
            _ => StateReply::Draining,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_no_way_back() {
        let life = Lifecycle::default();
        assert_eq!(life.state(), StateReply::Starting);
        life.ready();
        assert_eq!(life.state(), StateReply::Ready);
        life.drain();
        life.ready();
        assert_eq!(life.state(), StateReply::Draining);
    }
}
