//! How much memory this process may use, as far as the system tells.

use std::fs;
use std::num::NonZeroUsize;

/// The most memory this process may use, and who says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bound {
    /// In MiB.
    pub mib: u64,
    /// What sets the bound, in words.
    pub source_name: &'static str,
}

/// Budget when none is set and the machine has at least twice as much.
const DEFAULT_MIB: u64 = 1024;

/// The same on a machine of many CPUs: two tables of 16 MiB for each search thread, and some for the rest.
const DEFAULT_MIB_PER_CPU: u64 = 48;

/// Least budget that is useful at all, as the setting's own range says.
const LEAST_MIB: u64 = 16;

const MIB: u64 = 1 << 20;

/// The memory budget when none is set: 1024 MiB (more on a machine of many CPUs), or half of what may be used where that is
/// less, to leave room for others.
pub fn default_budget_mib(cpus: NonZeroUsize) -> u64 {
    let wanted = DEFAULT_MIB.max(DEFAULT_MIB_PER_CPU.saturating_mul(cpus.get() as u64));
    bound().map_or(wanted, |bound| wanted.min(bound.mib / 2)).max(LEAST_MIB)
}

/// The tightest bound that the system tells of; `None` where it tells nothing.
pub fn bound() -> Option<Bound> {
    let control_group = |path| {
        let text = fs::read_to_string(path).ok()?;
        text.trim().parse().ok()
    };
    let candidates = [
        (control_group("/sys/fs/cgroup/memory.max"), "the control group's memory.max"),
        (
            control_group("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
            "the control group's memory.limit_in_bytes",
        ),
        (fs::read_to_string("/proc/meminfo").ok().and_then(|text| total(&text)), "the machine's memory"),
    ];
    candidates
        .into_iter()
        .filter_map(|(bytes, source_name)| Some(Bound { mib: bytes? / MIB, source_name }))
        .min_by_key(|bound| bound.mib)
}

/// The machine's memory in bytes, from the text of `/proc/meminfo`.
fn total(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meminfo_is_read_in_kib() {
        assert_eq!(total("MemFree: 1 kB\nMemTotal:       24576000 kB\n"), Some(24_576_000 * 1024));
        assert_eq!(total("MemTotal: lots"), None);
    }

    #[test]
    fn the_default_leaves_room_for_the_process() {
        let budget = default_budget_mib(NonZeroUsize::MIN);
        assert!((LEAST_MIB..=DEFAULT_MIB).contains(&budget));
        assert!(default_budget_mib(NonZeroUsize::MAX) >= budget);
        if let Some(bound) = bound() {
            assert!(budget <= LEAST_MIB.max(bound.mib / 2));
        }
    }
}
