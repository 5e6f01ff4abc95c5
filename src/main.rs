//! The `discern` program. All it does lives in the library, so that tests and tools reach it too.
#![forbid(unsafe_code)]

use std::process::ExitCode;

/// Requests allocate many small pieces on several threads at once; the allocator of musl takes one lock for all of them.
#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    discern::cli::main()
}
