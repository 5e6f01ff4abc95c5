//! Black-box tests of the HTTP floor: the real router behind a real port.

// Helpers of tests are tests too: a failed step must fail the test right there.
#![allow(clippy::unwrap_used)]

mod access;
mod analysis;
mod bad_bodies;
mod board;
mod client;
mod comparison;
mod edges;
mod evaluation;
mod failures;
mod fairness;
mod gomoku;
mod gomoku_bad_bodies;
mod gomoku_levels;
mod hostile;
mod levels;
mod moves;
mod openapi;
mod pictures;
mod public_cases;
mod service_info;
mod sharing;
mod small_boards;
mod streams;
