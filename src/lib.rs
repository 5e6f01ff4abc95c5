//! Discern: Othello and Gomoku analysis as a service and on the command line.
//!
//! The house has floors (`docs/ARCHITECTURE.md`): a module imports only from floors below its own. From the
//! bottom: the engine crates; `pool`, `wire` and `client`; `service`; `jobs`; `http`; `cli`.
#![forbid(unsafe_code)]

pub mod cli;
pub mod client;
pub mod http;
pub mod pool;
pub mod service;
pub mod wire;
