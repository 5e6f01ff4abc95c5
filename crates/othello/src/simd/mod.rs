//! Moves and flips on bitboards: one set of functions, several ways of computing them, chosen when the crate is
//! built.
//!
//! | file | used when |
//! | --- | --- |
//! | `avx2` | the build targets x86-64 with AVX2 |
//! | `portable` | every other build, and with the `portable` feature |
//! | `pext` | last-move counts where the build targets BMI2 |
//!
//! All take the discs of the player and of the opponent on the 8x8 grid and never look at the board size: cells outside
//! a smaller board stay empty, so lines end there.

#[cfg(all(target_arch = "x86_64", target_feature = "avx2", not(feature = "portable")))]
mod avx2;
mod lines;
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2", not(feature = "portable")))]
mod pext;
#[cfg(any(test, feature = "portable", not(all(target_arch = "x86_64", target_feature = "avx2"))))]
mod portable;
#[cfg(test)]
mod stepwise;
#[cfg(test)]
mod tests;

#[cfg(all(target_arch = "x86_64", target_feature = "avx2", not(feature = "portable")))]
pub use avx2::{flips, moves, supported_discs};
#[cfg(any(feature = "portable", not(all(target_arch = "x86_64", target_feature = "bmi2"))))]
pub use lines::last_flip_count;
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2", not(feature = "portable")))]
pub use pext::last_flip_count;
#[cfg(any(feature = "portable", not(all(target_arch = "x86_64", target_feature = "avx2"))))]
pub use portable::{flips, moves, supported_discs};
