//! Why a search ended, and the flag that ends one from outside.

use std::sync::atomic::{AtomicU8, Ordering};

/// Why a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum StopReason {
    /// Every asked value is proven to the end of the game.
    Solved = 1,
    /// The asked depth was reached.
    Depth,
    /// The node limit was reached.
    Nodes,
    /// The deadline was reached.
    Time,
    /// Nobody waits for the answer any more.
    Cancelled,
    /// The process is shutting down.
    Draining,
    /// Only one move is legal and its value was not asked for.
    OnlyMove,
    /// The game is over: there is no move to value.
    NoMove,
}

impl StopReason {
    const ALL: [Self; 8] = [
        Self::Solved,
        Self::Depth,
        Self::Nodes,
        Self::Time,
        Self::Cancelled,
        Self::Draining,
        Self::OnlyMove,
        Self::NoMove,
    ];
}

/// Ends a search from outside, once: the first reason given is the one that stays.
#[derive(Debug, Default)]
pub struct StopFlag(AtomicU8);

impl StopFlag {
    /// A flag that is not set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks the search to end. Does nothing when it was asked before.
    pub fn request(&self, reason: StopReason) {
        // The flag carries no data besides itself, so no ordering with other memory is needed.
        let _ = self.0.compare_exchange(0, reason as u8, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// The reason given, if the search was asked to end.
    pub fn reason(&self) -> Option<StopReason> {
        let raw = self.0.load(Ordering::Relaxed);
        StopReason::ALL.get(usize::from(raw).wrapping_sub(1)).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_reason_stays() {
        let flag = StopFlag::new();
        assert_eq!(flag.reason(), None);
        flag.request(StopReason::Cancelled);
        flag.request(StopReason::Time);
        assert_eq!(flag.reason(), Some(StopReason::Cancelled));
    }

    #[test]
    fn every_reason_survives_the_flag() {
        for reason in StopReason::ALL {
            let flag = StopFlag::new();
            flag.request(reason);
            assert_eq!(flag.reason(), Some(reason));
        }
    }
}
