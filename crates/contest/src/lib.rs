//! Matches between two players of a two-player game, whatever the game: who plays whom from which opening, who sees that
//! the rules and the time are kept, and what the results prove.
//!
//! - [`game`]: what a game must tell about itself;
//! - [`player`]: what a player must be able to do, and how it can fail;
//! - [`referee`]: one game;
//! - [`series`]: pairs of games over openings, both colours each, on several threads;
//! - [`statistics`]: win ratio, margin, Elo difference with its interval;
//! - [`program`]: a program that is talked to in lines of text, with time limits;
//! - [`random`]: reproducible choice of openings.
#![forbid(unsafe_code)]

pub mod game;
pub mod player;
pub mod program;
pub mod random;
pub mod referee;
pub mod series;
pub mod statistics;
