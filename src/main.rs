//! The `discern` program. All it does lives in the library, so that tests and tools reach it too.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    discern::cli::main()
}
