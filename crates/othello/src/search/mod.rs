//! Search: how a position's value is found.
//!
//! - [`table`]: what is known about positions met before, shared by all threads of a search;
//! - [`worker`]: what one thread carries through a search: rules, counters, and the way to hear that it must stop;
//! - [`root`]: iterations over the root moves, shared by any number of threads, and the answer at any moment;
//! - [`midgame`]: so many plies ahead, then the static evaluation;
//! - [`probcut`]: when a shallower search makes a deep one superfluous, and how sure that is;
//! - [`techniques`]: what the midgame search can do with or without;
//! - [`heuristics`]: what a thread remembers about moves that cut;
//! - [`endgame`]: the exact solver, from its entry point down to where lists and tables still pay;
//! - `near_leaf`: five empties up to there, without the shared table;
//! - `leaf_cache`: what one thread remembers of positions near the leaves;
//! - `last_four`: the last four empties, where a node must cost nanoseconds;
//! - `ordering`: which move to try first;
//! - `shallow`: a look a few plies ahead, for ordering far from the leaves;
//! - [`sharing`]: nodes of the solver searched by several threads side by side;
//! - `verdict`: ProbCut inside the solver, below full selectivity;
//! - [`patterns`]: the learned estimate behind that;
//! - `parity`: whose turn it is to move last in a corner of the board.

pub mod endgame;
pub mod heuristics;
mod last_four;
mod leaf_cache;
pub mod midgame;
mod near_leaf;
mod ordering;
mod parity;
pub mod patterns;
pub mod probcut;
pub mod root;
mod shallow;
pub mod sharing;
pub mod table;
pub mod techniques;
mod verdict;
pub mod worker;

/// Most legal moves that any arrangement of discs can have: a square can only be played beside a disc, and both colours
/// must be there.
const ANY_MOVES: usize = 62;

/// Below every score in whole discs.
const WORST: i32 = -127;
