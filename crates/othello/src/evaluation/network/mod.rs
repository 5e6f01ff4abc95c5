//! The trained evaluation: a narrow network over pattern indices.
//!
//! Fifty pattern instances (edges, corner blocks, rows, diagonals) each have an index that says how their cells are
//! occupied. Every index selects a row of [`LANES`] small integers; symmetric copies of a shape share rows. The rows
//! of all instances are added up; the first lanes are hidden units (clipped, squared, weighed), the last two add up a
//! plain linear table. Weights are separate for each group of empties ([`stages`]).
//!
//! The kind of model is the one measured best at equal memory and data in this project's own experiment; the training
//! is in `crates/othello-train`.

pub mod indices;
pub mod loaded;
pub mod model;
pub mod packed;
pub mod shapes;
pub mod stages;

/// Numbers in a row: [`HIDDEN`] hidden units and the two lanes of the linear table.
pub const LANES: usize = 16;
/// Hidden units.
pub const HIDDEN: usize = LANES - 2;
