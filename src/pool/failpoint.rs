//! Breaks a search on purpose, so that a test can watch the real program heal. Built with the feature `failpoints` only.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicI64, Ordering};

/// How many calls of `work` are still to pass before the one that panics; negative once it has.
static TO_PASS: LazyLock<AtomicI64> = LazyLock::new(|| {
    let text = std::env::var("FAILPOINT_SEARCH").unwrap_or_default();
    AtomicI64::new(text.parse().unwrap_or(-1))
});

/// Panics in the call whose number the variable `FAILPOINT_SEARCH` gives, counted from 0.
pub(super) fn pass() {
    assert!(TO_PASS.fetch_sub(1, Ordering::Relaxed) != 0, "a search that was to break");
}
