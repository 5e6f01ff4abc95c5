//! The engines as the analysis board takes them along into the browser, for when the service cannot be reached.
//!
//! A question is a path and a body as the service takes them, an answer is the body that the service would send: requests
//! are read and replies written by the service's own `wire` room, which is compiled into this crate a second time, so
//! neither rules nor forms exist twice. There are no threads: one instance does one search at a time, and the board
//! shares the root moves out over as many instances as it likes.
//!
//! [`answer`] is the whole crate for tests on an ordinary machine; in WebAssembly the module `calls` hands texts in and out
//! through linear memory.

pub mod answer;
#[cfg(target_arch = "wasm32")]
mod calls;
mod gomoku_analysis;
mod othello_analysis;
mod searching;

// One source for both: a crate of its own would have to be a floor between the engines and the service.
#[path = "../../../src/wire/mod.rs"]
pub mod wire;
