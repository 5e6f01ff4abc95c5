//! The use cases of Gomoku, one a file.

mod analyze;
mod legal_moves;
mod play;
mod swap2;
mod threats;
