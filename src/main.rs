//! The `discern` program. All it does lives in the library, so that tests and tools reach it too.

fn main() {}
