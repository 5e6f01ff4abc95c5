//! The pruning lab: the searches of the founding texts, small, readable and exact to the node, on 4x4, 6x6 and 8x8
//! boards, with every technique a switch. It teaches what each technique does, and the product engine is tested
//! against it.
//!
//! One unit of depth everywhere: a ply, that is one disc placed. A forced pass is free. Every visit of a position is
//! one node: real moves, repeated searches, null-move and verification searches, passes, leaves; the root itself is
//! not counted.

mod comparison;
mod leaf;
mod ordering;
mod search;
mod technique;

pub use comparison::{Agreement, Comparison, Row, Rows};
pub use search::{Counters, Outcome, search};
pub use technique::{
    EndScore, LateMoveReduction, Leaf, Method, NullMove, Ordering, RootReduction, Technique,
};
