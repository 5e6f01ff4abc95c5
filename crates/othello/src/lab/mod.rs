//! The pruning lab: the searches of the founding texts, small, readable and exact to the node, on 4x4, 6x6 and 8x8
//! boards, with every technique a switch. It teaches what each technique does, and the product engine is tested
//! against it.
//!
//! # Depth
//!
//! One unit everywhere: a ply, that is one disc placed. A forced pass is free. A position without a legal move is
//! handled before the depth is looked at, so even at depth 0 the search walks through passes and sees that a game is
//! over. A null move costs its reduction and the ply given away.
//!
//! # Counting
//!
//! Every visit of a position is one node: real moves, repeated searches, null-move and verification searches, passes,
//! leaves, positions answered from the table. The root itself is not counted. A null-move cut is counted when the node
//! returns because of it, a verification when its round begins (whether or not it confirms), a reduction when the
//! shallower search is made, a re-search when it is repeated in full, a beta cut when a real move ends its node.
//! Moves tried during a verification count as nodes and as nothing else. Reduced root moves are counted like all
//! others.
//!
//! # Values
//!
//! Always those of the side to move, empty squares to nobody. The search is fail-soft: a value outside of the window
//! is a bound. Only the root move that is told as best has a value without a bound.

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
