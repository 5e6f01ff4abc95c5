//! Protocols over which programs play Othello with each other, as state machines: lines in, lines or a question to think
//! about out. Reading, writing, the clock and the search belong to whoever drives them.
//!
//! - [`gtp`]: the Go Text Protocol, version 2, as Othello programs speak it;
//! - [`nboard`]: the protocol of the NBoard board, versions 1 and 2;
//! - [`ggf`]: the form of games that NBoard's protocol carries.

pub mod ggf;
pub mod gtp;
pub mod nboard;
