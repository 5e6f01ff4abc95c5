//! Discern: Othello and Gomoku analysis as a service and on the command line.

fn main() {}
