//! What an answer took, and how much of a request's time its search gets.

use std::time::Duration;

/// What an answer took so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Times {
    /// Milliseconds from the arrival of the request.
    pub elapsed_ms: u64,
    /// Milliseconds of it spent waiting for a thread.
    pub queued_ms: u64,
    /// Milliseconds that the search ran, which may be more: it may have run for somebody else before.
    pub ran_ms: u64,
}

impl Times {
    /// Of an answer that was there after this time, without a search.
    pub fn of_answer(elapsed: Duration) -> Self {
        Self { elapsed_ms: millis(elapsed), ..Self::default() }
    }
}

/// Whole milliseconds.
pub fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// The part of a request's time that the search gets; the rest is for the way back.
pub const fn search_ms(time_ms: u64) -> u64 {
    const MOST_KEPT_MS: u64 = 30;
    let share = time_ms / 10;
    time_ms - if share < MOST_KEPT_MS { share } else { MOST_KEPT_MS }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_search_never_gets_more_than_the_request_and_always_something() {
        for (time_ms, expected) in
            [(1, 1), (9, 9), (10, 9), (100, 90), (300, 270), (1_000, 970), (60_000, 59_970)]
        {
            assert_eq!(search_ms(time_ms), expected);
        }
    }
}
