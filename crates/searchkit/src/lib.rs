//! What every game search shares. Floor 0: it imports no other floor, knows no game, no I/O, and no clock but the
//! one handed in.

pub mod cells;
pub mod clock;
pub mod control;
pub mod crew;
pub mod game_clock;
pub mod level;
pub mod lines;
pub mod memory;
pub mod search;
pub mod split;
pub mod stop;
mod sync;
