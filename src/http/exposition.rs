//! Everything that `/metrics` shows, in the Prometheus text format. Requests are counted by `metrics`; the rest is read from
//! its owner at the moment of the scrape. Labels come from closed sets; names keep to Prometheus' customs (base units,
//! `_total` for counters).

use std::fmt::{Display, Write};
use std::fs;

use rustix::process::{Resource, getrlimit};
use rustix::time::{ClockId, clock_gettime};

use super::access::{Book, Quota};
use super::metrics::head;
use super::{Listening, State};
use crate::pool::{Class, PerClass, Stats};
use crate::service::{AnswerCounts, Service};
use crate::wire::service_info::StateReply;

/// The whole page.
pub fn all(state: &State) -> String {
    let mut page = Page(String::new());
    build(&mut page, state.service());
    state.metrics().render(&mut page.0);
    pool(&mut page, &state.service().pool().stats());
    answers(&mut page, &state.service().answer_counts());
    memory(&mut page, state.service());
    clients(&mut page, state.book());
    listening(&mut page, state.listening());
    process(&mut page);
    page.0
}

/// The text that grows.
struct Page(String);

impl Page {
    /// One metric with one value for each of some labels, written `class="batch"`; an empty label stands alone.
    fn metric<L: Display, V: Display>(
        &mut self,
        kind: &str,
        name: &str,
        help: &str,
        samples: impl IntoIterator<Item = (L, V)>,
    ) {
        // Writing to a string cannot fail.
        let _ = head(&mut self.0, name, kind, help);
        for (label, value) in samples {
            let label = label.to_string();
            let _ = match label.as_str() {
                "" => writeln!(self.0, "{name} {value}"),
                label => writeln!(self.0, "{name}{{{label}}} {value}"),
            };
        }
    }

    fn gauge(&mut self, name: &str, help: &str, value: impl Display) {
        self.metric("gauge", name, help, [("", value)]);
    }

    fn counter(&mut self, name: &str, help: &str, value: impl Display) {
        self.metric("counter", name, help, [("", value)]);
    }
}

fn build(page: &mut Page, service: &Service) {
    let engine = service.engine();
    let label = format!(
        "version=\"{}\",evaluation=\"{}\",cpu=\"{}\"",
        engine.version,
        engine.evaluation,
        engine.cpu.level.unwrap_or(engine.cpu.architecture)
    );
    page.metric("gauge", "discern_build_info", "What runs: always 1.", [(label, 1)]);
    let status = service.status();
    page.gauge(
        "discern_ready",
        "1 while the process takes work, else 0.",
        u8::from(status.state == StateReply::Ready),
    );
    page.gauge("discern_uptime_seconds", "Whole seconds since the start.", status.uptime_s);
}

fn by_class<T: Copy>(values: &PerClass<T>) -> impl Iterator<Item = (&'static str, T)> {
    let label = |class| match class {
        Class::Interactive => "class=\"interactive\"",
        Class::Batch => "class=\"batch\"",
    };
    Class::ALL.map(|class| (label(class), *values.of(class))).into_iter()
}

/// The worker threads and what waits for them.
fn pool(page: &mut Page, stats: &Stats) {
    let counts = stats.counts;
    page.gauge("discern_pool_workers", "Worker threads.", stats.workers);
    page.gauge("discern_pool_busy", "Worker threads that work on a search now.", stats.busy);
    page.metric(
        "gauge",
        "discern_pool_waiting",
        "Searches that wait for a thread.",
        by_class(&stats.waiting),
    );
    let help = "The most searches that may wait for a first thread.";
    page.metric("gauge", "discern_pool_waiting_bound", help, by_class(&stats.waiting_bound));
    let oldest =
        by_class(&stats.oldest_wait).map(|(label, wait)| (label, wait.unwrap_or_default().as_secs_f64()));
    let help = "How long the search that waits longest has waited; 0 when none waits.";
    page.metric("gauge", "discern_pool_oldest_wait_seconds", help, oldest);
    page.metric(
        "gauge",
        "discern_pool_begun",
        "Searches that have begun and are not answered.",
        by_class(&stats.begun),
    );
    page.counter("discern_searches_admitted_total", "Searches taken in.", counts.admitted);
    page.counter(
        "discern_searches_refused_total",
        "Searches refused because the pool is full or closed.",
        counts.refused,
    );
    let outcomes = [
        ("outcome=\"completed\"", counts.completed),
        ("outcome=\"cancelled\"", counts.cancelled),
        ("outcome=\"expired\"", counts.expired),
        ("outcome=\"failed\"", counts.failed),
    ];
    let help = "Searches that ended: answered, left by their callers, out of time in the queue, broken.";
    page.metric("counter", "discern_searches_total", help, outcomes);
    page.counter("discern_search_panics_total", "Panics of searches: each is a bug.", counts.panics);
    let help = "Searches that were answered for their workers, which were late.";
    page.counter("discern_searches_overdue_total", help, counts.overdue);
    let help = "How often a batch search made room and waited to be resumed.";
    page.counter("discern_searches_interrupted_total", help, counts.interrupted);
    page.counter("discern_search_nodes_total", "Positions visited by analyses that are over.", stats.nodes);
}

/// Where answers came from.
fn answers(page: &mut Page, counts: &AnswerCounts) {
    let sources = [
        ("source=\"kept\"", counts.kept),
        ("source=\"shared\"", counts.shared),
        ("source=\"searched\"", counts.searched),
    ];
    let help =
        "Analyses by where their answers come from: kept ones, a search that ran already, one of their own.";
    page.metric("counter", "discern_answers_total", help, sources);
    page.gauge("discern_answers_entries", "Answers kept now.", counts.entries);
    page.gauge("discern_answers_bytes", "About how many bytes the kept answers take.", counts.bytes);
}

/// The parts of the memory budget.
fn memory(page: &mut Page, service: &Service) {
    let memory = service.status().memory;
    let parts = [
        ("part=\"tables\"", memory.tables_mib),
        ("part=\"answers\"", memory.answers_mib),
        ("part=\"queues\"", memory.queues_mib),
        ("part=\"program\"", memory.program_mib),
    ];
    let parts = parts.map(|(label, mib)| (label, mib << 20));
    page.metric(
        "gauge",
        "discern_memory_budget_bytes",
        "What each part of the memory budget may take.",
        parts,
    );
}

/// Who has used how much.
fn clients(page: &mut Page, book: &Book) {
    let used = book.used().map(|(key, used)| (format!("key=\"{key}\""), used.as_secs_f64()));
    let help = "Time of search threads by the name of the API key; empty: without a key.";
    page.metric("counter", "discern_client_search_seconds_total", help, used);
    let clients = book.quota().map_or(0, Quota::clients);
    page.gauge("discern_quota_clients", "Clients whose balance is remembered.", clients);
}

/// The connections, and the threads that serve them.
fn listening(page: &mut Page, listening: &Listening) {
    let (open, most) = listening.connections().unwrap_or_default();
    page.gauge("discern_http_connections", "Connections held now.", open);
    page.gauge("discern_http_connections_bound", "The most connections that are held at once.", most);
    let help = "The latest that the threads of the sockets came to a timer lately.";
    page.gauge("discern_http_lag_seconds", help, listening.lag().as_secs_f64());
}

/// The process as the system sees it, under the names that every client library of Prometheus uses. What the system does
/// not tell is left out.
fn process(page: &mut Page) {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    let seconds = time.tv_sec as f64 + time.tv_nsec as f64 / 1e9;
    page.counter("process_cpu_seconds_total", "Processor time of all threads.", seconds);
    if let Some(bytes) = fs::read_to_string("/proc/self/status").ok().and_then(|text| resident(&text)) {
        page.gauge("process_resident_memory_bytes", "Memory in use.", bytes);
    }
    if let Ok(open) = fs::read_dir("/proc/self/fd") {
        page.gauge("process_open_fds", "Open file descriptors.", open.count());
    }
    if let Some(most) = getrlimit(Resource::Nofile).current {
        page.gauge("process_max_fds", "The most file descriptors that may be open.", most);
    }
}

/// Resident memory in bytes, from the text of `/proc/self/status`.
fn resident(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_stand_in_braces_and_only_where_there_are_some() {
        let mut page = Page(String::new());
        page.metric("gauge", "a", "What.", [("x=\"y\"", 1), ("", 2)]);
        assert_eq!(page.0, "# HELP a What.\n# TYPE a gauge\na{x=\"y\"} 1\na 2\n");
    }

    #[test]
    fn resident_memory_is_read_in_kib() {
        assert_eq!(resident("VmPeak: 1 kB\nVmRSS:\t   2048 kB\n"), Some(2048 * 1024));
        assert_eq!(resident("VmRSS: lots"), None);
    }
}
