//! The rules against golden tables, real games and an independent slow implementation.

mod data;
mod endings;
mod movegen;
mod naive;
mod perft;
mod stability;
mod wthor;
