//! Open files: every connection is one, and a process that has none left cannot even answer its probes.

use std::io;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Files for what is no connection of the API: listeners, the runtimes' own, the log, probes and scrapes, a collector.
const OTHERS: u64 = 48;

/// The least connections that a service is worth starting for.
const LEAST: u64 = 8;

/// How many connections can be held at once when this many are wanted. Raises the soft limit of open files where it is lower and
/// the hard one allows it; what is left short is told in the log.
///
/// # Errors
/// When too few are left to serve anybody.
pub fn connections(wanted: u32) -> io::Result<usize> {
    let needed = u64::from(wanted) + OTHERS;
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    // No limit is `None`.
    if current.is_some_and(|current| current < needed) {
        let raised = maximum.map_or(needed, |maximum| maximum.min(needed));
        // Where it is not allowed the lower one holds.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(raised), maximum });
    }
    let files = getrlimit(Resource::Nofile).current;
    let seats = seats(files, wanted);
    if u64::from(seats) < LEAST.min(u64::from(wanted)) {
        return Err(io::Error::other(format!(
            "{} open files are too few: at least {} are needed (ulimit -n)",
            files.unwrap_or_default(),
            OTHERS + LEAST
        )));
    }
    if seats < wanted {
        tracing::warn!(
            connections = seats,
            wanted,
            files,
            "fewer connections at once than asked for: the limit of open files"
        );
    }
    Ok(seats as usize)
}

/// The connections that so many files are enough for, at most as many as wanted.
fn seats(files: Option<u64>, wanted: u32) -> u32 {
    files.map_or(wanted, |files| u32::try_from(files.saturating_sub(OTHERS)).unwrap_or(u32::MAX).min(wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probes_keep_files_of_their_own() {
        assert_eq!(seats(None, 1_024), 1_024);
        assert_eq!(seats(Some(2_000), 1_024), 1_024);
        assert_eq!(seats(Some(64), 1_024), 16);
        assert_eq!(seats(Some(20), 1_024), 0);
    }
}
