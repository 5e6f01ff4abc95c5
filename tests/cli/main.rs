//! Black-box tests of the program: the real binary, real signals, real ports.

// Helpers of tests are tests too: a failed step must fail the test right there.
#![allow(clippy::unwrap_used)]

mod commands;
mod contest;
mod hardship;
#[cfg(feature = "failpoints")]
mod healing;
mod lifecycle;
mod load;
mod process;
mod remote;
mod settings;
#[cfg(feature = "otlp")]
mod traces;
