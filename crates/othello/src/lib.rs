//! Othello as an engine sees it: rules, notation, evaluation and search. Floor 1: no serialisation, no async
//! runtime, no I/O, no environment, and no clock but the one handed in; it builds for `wasm32-unknown-unknown`.

pub mod bench;
pub mod board;
pub mod evaluation;
pub mod lab;
pub mod level;
pub mod notation;
pub mod openings;
pub mod perft;
pub mod position;
pub mod protocol;
pub mod query;
pub mod regions;
pub mod search;
pub mod simd;
pub mod square;
pub mod stability;
pub mod symmetry;
pub mod win_probability;
pub mod wthor;
