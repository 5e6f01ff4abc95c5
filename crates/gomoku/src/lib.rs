//! Gomoku as an engine sees it: rules, line patterns, threats, evaluation and search. Floor 1: no serialisation, no
//! async runtime, no I/O, no environment, and no clock but the one handed in; it builds for
//! `wasm32-unknown-unknown`.
#![forbid(unsafe_code)]

pub mod board;
pub mod color;
pub mod evaluation;
pub mod gomocup;
pub mod grid;
pub mod level;
pub mod lines;
mod log;
pub mod notation;
mod plane;
pub mod point;
pub mod position;
pub mod query;
mod rows;
pub mod rules;
pub mod search;
pub mod swap2;
pub mod symmetry;
mod tables;
pub mod threat;
pub mod threats;
mod weights;

pub use plane::Neighborhood;
