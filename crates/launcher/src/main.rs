//! Starts the build of Discern that this CPU can run: `discern.v3` where the CPU offers x86-64-v3, else `discern.v2`.
//!
//! A program built for a newer level dies of an illegal instruction on an older CPU, before it can say why. This
//! launcher is built for the oldest x86-64 there is, looks, and replaces itself with the right build, or refuses in
//! words. It lies in the folder of the builds and hands on its arguments.
#![forbid(unsafe_code)]

use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::ExitCode;

/// A feature of the CPU, and whether it is there.
type Feature = (&'static str, bool);

/// Which build to start.
///
/// # Errors
/// The names of the features that even the oldest build needs and this CPU lacks.
fn choose(v2: &[Feature], v3: &[Feature]) -> Result<&'static str, Vec<&'static str>> {
    let missing: Vec<_> = v2.iter().filter(|(_, present)| !present).map(|&(name, _)| name).collect();
    if !missing.is_empty() {
        return Err(missing);
    }
    Ok(if v3.iter().all(|&(_, present)| present) { "discern.v3" } else { "discern.v2" })
}

/// Features of x86-64-v2 beyond the first x86-64 (System V ABI, AMD64 supplement), as far as a program can ask.
#[cfg(target_arch = "x86_64")]
fn level_2() -> Vec<Feature> {
    use std::arch::is_x86_feature_detected as has;
    vec![
        ("cmpxchg16b", has!("cmpxchg16b")),
        ("popcnt", has!("popcnt")),
        ("sse3", has!("sse3")),
        ("ssse3", has!("ssse3")),
        ("sse4.1", has!("sse4.1")),
        ("sse4.2", has!("sse4.2")),
    ]
}

/// Features of x86-64-v3 beyond x86-64-v2.
#[cfg(target_arch = "x86_64")]
fn level_3() -> Vec<Feature> {
    use std::arch::is_x86_feature_detected as has;
    vec![
        ("avx", has!("avx")),
        ("avx2", has!("avx2")),
        ("bmi1", has!("bmi1")),
        ("bmi2", has!("bmi2")),
        ("f16c", has!("f16c")),
        ("fma", has!("fma")),
        ("lzcnt", has!("lzcnt")),
        ("movbe", has!("movbe")),
    ]
}

#[cfg(not(target_arch = "x86_64"))]
fn level_2() -> Vec<Feature> {
    vec![("x86-64", false)]
}

#[cfg(not(target_arch = "x86_64"))]
fn level_3() -> Vec<Feature> {
    Vec::new()
}

/// The file of that name beside this program.
fn beside(name: &str) -> std::io::Result<PathBuf> {
    Ok(std::env::current_exe()?.with_file_name(name))
}

/// Becomes the other program. Returns only when that fails.
#[cfg(unix)]
fn become_program(
    path: &std::path::Path,
    arguments: impl Iterator<Item = impl AsRef<OsStr>>,
) -> std::io::Error {
    use std::os::unix::process::CommandExt;
    // The same process goes on, so signals and the exit code reach the service and its parent as they are.
    std::process::Command::new(path).args(arguments).exec()
}

#[cfg(not(unix))]
fn become_program(_: &std::path::Path, _: impl Iterator<Item = impl AsRef<OsStr>>) -> std::io::Error {
    std::io::Error::from(std::io::ErrorKind::Unsupported)
}

/// Exit code when no build can be started: the "service unavailable" of the BSD convention, as `discern` uses it.
const UNAVAILABLE: u8 = 69;

fn main() -> ExitCode {
    let build = match choose(&level_2(), &level_3()) {
        Ok(build) => build,
        Err(missing) => {
            eprintln!(
                "discern: this CPU lacks {}; Discern needs x86-64-v2, which CPUs have had since about 2009 \
                 (a virtual machine may hide it: choose another CPU model there)",
                missing.join(", ")
            );
            return ExitCode::from(UNAVAILABLE);
        }
    };
    let error = match beside(build) {
        Ok(path) => become_program(&path, std::env::args_os().skip(1)),
        Err(error) => error,
    };
    eprintln!("discern: cannot start {build}: {error}");
    ExitCode::from(UNAVAILABLE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_build_that_runs_is_chosen() {
        assert_eq!(choose(&[("popcnt", true)], &[("avx2", true)]), Ok("discern.v3"));
        assert_eq!(choose(&[("popcnt", true)], &[("avx2", true), ("bmi2", false)]), Ok("discern.v2"));
    }

    #[test]
    fn a_cpu_below_the_oldest_build_is_refused_with_what_it_lacks() {
        let refused = choose(&[("popcnt", false), ("sse3", true), ("sse4.2", false)], &[("avx2", true)]);
        assert_eq!(refused, Err(vec!["popcnt", "sse4.2"]));
    }
}
