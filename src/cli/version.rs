//! What was built: version and the CPU that it needs.

/// The version of the package.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The x86-64 level whose instructions this build was allowed to use. A CPU below it cannot run this build; engines may
/// use more than the level where they find it at run time.
pub const CPU_LEVEL: &str = if cfg!(not(target_arch = "x86_64")) {
    std::env::consts::ARCH
} else if cfg!(all(target_feature = "avx512f", target_feature = "avx512bw", target_feature = "avx512vl")) {
    "x86-64-v4"
} else if cfg!(all(target_feature = "avx2", target_feature = "bmi2", target_feature = "fma")) {
    "x86-64-v3"
} else if cfg!(all(target_feature = "sse4.2", target_feature = "popcnt")) {
    "x86-64-v2"
} else {
    "x86-64"
};

/// The line of `discern --version`, without the program's name.
pub fn long() -> String {
    format!("{VERSION} ({CPU_LEVEL})")
}
