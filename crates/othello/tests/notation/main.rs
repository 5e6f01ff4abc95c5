//! Notations: collected samples, real games, prints read back, and texts that nobody wrote on purpose.

mod edge_games;
mod format_samples;
mod round_trips;
mod samples;
mod strange_texts;
