//! Black-box tests of the HTTP floor: the real router behind a real port.

// Helpers of tests are tests too: a failed step must fail the test right there.
#![allow(clippy::unwrap_used)]

mod client;
mod edges;
mod service_info;
