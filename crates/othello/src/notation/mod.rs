//! Positions and games as people and programs write them, read into domain values or refused with place and reason,
//! and printed back. No serialisation: callers hand in texts and slices.
//!
//! One room a form; [`text::read`] finds out which form a pasted text has. Everything that a reader had to decide for
//! the writer is returned as an [`Assumption`], so that nothing is assumed in silence.

pub mod bitboards;
pub mod board_text;
pub mod cells;
mod error;
mod grid;
pub mod obf;
pub mod pasted_board;
pub mod print;
mod read;
pub mod text;
pub mod transcript;

pub use error::{NotationError, Place, Reason, UnreadForm, Variant};
pub use grid::{size_of_cells, size_of_side};
pub use read::{Assumption, BitOrder, Coding, Format, Read};
