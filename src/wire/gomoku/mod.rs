//! Gomoku on the wire: requests read into values with every fault named, and replies as serialisable types.

pub mod analysis;
pub mod analysis_reply;
pub mod moves;
pub mod position;
pub mod position_reply;
pub mod schema;
pub mod swap2;
pub mod telling;
pub mod threats;
