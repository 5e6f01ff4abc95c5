//! The settings of the service: every flag has a `DISCERN_*` variable, every value a checked range, and all of it is
//! read and checked before a port opens.

mod access;
mod environment;
mod limits;
mod memory;
mod print;
mod traces;

use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::time::Duration;

use clap::{Args, ValueEnum, value_parser};
use tracing_subscriber::filter::{LevelFilter, Targets};

use crate::http::access::Access;
use crate::service::least_memory;
use crate::wire::limits::{LimitError, Limits};

pub use access::{AccessError, AccessSettings};
pub use environment::check_environment;
pub use limits::LimitSettings;
pub use print::lines as printed_lines;
pub use traces::{Traces, TracesError};

/// Everything `discern serve` can be told.
#[derive(Debug, Clone, Args)]
pub struct Settings {
    /// Addresses, connections and how long they may take.
    #[command(flatten)]
    pub listeners: ListenerSettings,
    /// Search threads and memory.
    #[command(flatten)]
    pub pool: PoolSettings,
    /// Defaults and caps of requests.
    #[command(flatten)]
    pub limits: LimitSettings,
    /// Who may call, and how much.
    #[command(flatten)]
    pub access: AccessSettings,
    /// What other web pages may call.
    #[command(flatten)]
    pub web: WebSettings,
    /// What is logged, and how.
    #[command(flatten)]
    pub logging: LoggingSettings,
}

/// Addresses, connections and how long they may take.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Listeners")]
pub struct ListenerSettings {
    /// Address of the public API. The default is reachable from this machine only, because nothing asks who calls;
    /// containers set 0.0.0.0:8080. Port 0 takes a free port.
    #[arg(long, env = "DISCERN_LISTEN", value_name = "IP:PORT", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,

    /// Address of the admin listener: /live, /ready, /startup, /metrics. Never expose it to the world.
    #[arg(long, env = "DISCERN_ADMIN_LISTEN", value_name = "IP:PORT", default_value = "127.0.0.1:9090")]
    pub admin_listen: SocketAddr,

    /// Most connections held at once; more wait in the system's queue.
    #[arg(long, env = "DISCERN_MAX_CONNECTIONS", value_name = "COUNT", default_value_t = 1024,
          value_parser = value_parser!(u32).range(1..=65_536))]
    pub max_connections: u32,

    /// Longest wait for the whole header of a request, in ms. It also bounds how long an idle connection is kept.
    #[arg(long, env = "DISCERN_HEADER_TIMEOUT_MS", value_name = "MS", default_value_t = 10_000,
          value_parser = value_parser!(u64).range(10..=600_000))]
    pub header_timeout_ms: u64,

    /// Longest standstill, in ms, of an answer that the client does not read; then the connection is closed.
    #[arg(long, env = "DISCERN_WRITE_TIMEOUT_MS", value_name = "MS", default_value_t = 30_000,
          value_parser = value_parser!(u64).range(10..=600_000))]
    pub write_timeout_ms: u64,

    /// Oldest age of a connection, in s: after that its current request is answered and it is closed, so that load
    /// balancers can spread clients anew.
    #[arg(long, env = "DISCERN_CONNECTION_MAX_AGE_S", value_name = "S", default_value_t = 600,
          value_parser = value_parser!(u64).range(1..=86_400))]
    pub connection_max_age_s: u64,

    /// Longest time from SIGTERM to the exit, in ms. Keep it below the grace period of whatever stops the process
    /// (Kubernetes: 30 s unless set).
    #[arg(long, env = "DISCERN_DRAIN_MS", value_name = "MS", default_value_t = 20_000,
          value_parser = value_parser!(u64).range(100..=600_000))]
    pub drain_ms: u64,

    /// How long, in ms, the service goes on accepting after SIGTERM while /ready already says no, for load balancers
    /// that learn of it late. Part of the drain time.
    #[arg(long, env = "DISCERN_DRAIN_DELAY_MS", value_name = "MS", default_value_t = 0,
          value_parser = value_parser!(u64).range(0..=600_000))]
    pub drain_delay_ms: u64,
}

/// Search threads and memory.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Search")]
pub struct PoolSettings {
    /// Search threads. The default is the number of CPUs this process may use (affinity and quota honoured); in a
    /// cluster without CPU limits set it to the requested CPUs.
    #[arg(long, env = "DISCERN_THREADS", value_name = "COUNT", default_value_t = available_threads(),
          value_parser = parse_threads)]
    pub threads: NonZeroUsize,

    /// Memory of the process in MiB: tables, kept answers, waiting requests and the program itself (--check-config shows the
    /// parts). The default is 1024 (48 for each CPU where that is more), or half of what this process may use where that is less.
    #[arg(long, env = "DISCERN_MEMORY_MIB", value_name = "MIB", default_value_t = memory::default_budget_mib(available_threads()),
          value_parser = value_parser!(u64).range(16..=1_048_576))]
    pub memory_mib: u64,
}

/// What other web pages may call.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Web")]
pub struct WebSettings {
    /// Web origins whose pages may call the API (CORS), separated by commas: https://games.example. None by default.
    #[arg(long = "cors-origins", env = "DISCERN_CORS_ORIGINS", value_name = "ORIGINS", default_value = "",
          value_parser = parse_origins)]
    pub cors_origins: Origins,
}

/// Web origins in lower case, each `scheme://host` with perhaps a port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origins(pub Vec<String>);

/// What is logged, and how.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Logs")]
pub struct LoggingSettings {
    /// Form of the log on standard error; auto is human on a terminal and JSON elsewhere.
    #[arg(long, env = "DISCERN_LOG_FORMAT", value_enum, default_value_t = LogFormat::Auto)]
    pub log_format: LogFormat,

    /// What to log: a level (error, warn, info, debug, trace), or levels by module: info,discern::pool=debug.
    #[arg(long, env = "DISCERN_LOG_LEVEL", value_name = "LEVELS", default_value = "info",
          value_parser = parse_log_level)]
    pub log_level: String,
}

/// Form of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// Human on a terminal, JSON elsewhere.
    Auto,
    /// One JSON object a line.
    Json,
    /// Lines for a person.
    Human,
}

/// Settings that do not go together.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// Two listeners on one port.
    #[error(
        "the API and the admin listener cannot share {0}: set --listen or --admin-listen to another port"
    )]
    SameAddress(SocketAddr),
    /// The memory budget does not fit.
    #[error(
        "the memory budget of {asked} MiB does not fit: this process may use {available} MiB \
         ({source_name}); set --memory-mib to at most that"
    )]
    Memory {
        /// MiB asked for.
        asked: u64,
        /// MiB that may be used.
        available: u64,
        /// Where that bound comes from.
        source_name: &'static str,
    },
    /// The memory budget is too small for the threads and queues.
    #[error(
        "the memory budget of {asked} MiB is too small for {threads} search threads: set --memory-mib to at least {least}, \
         or --threads or --queue-max to less"
    )]
    MemoryTooSmall {
        /// MiB asked for.
        asked: u64,
        /// MiB needed.
        least: u64,
        /// Search threads.
        threads: NonZeroUsize,
    },
    /// The delay eats up the drain.
    #[error("the drain delay of {delay_ms} ms must be shorter than the drain of {drain_ms} ms")]
    DrainDelay {
        /// Delay in ms.
        delay_ms: u64,
        /// Drain bound in ms.
        drain_ms: u64,
    },
    /// A default or cap of requests is out of range.
    #[error(transparent)]
    Limit(#[from] LimitError),
    /// Keys cannot be read, or nobody could call.
    #[error(transparent)]
    Access(#[from] AccessError),
    /// A collector of traces that cannot be spoken to.
    #[error(transparent)]
    Traces(#[from] TracesError),
}

/// What the settings mean together.
#[derive(Debug, Clone)]
pub struct Checked {
    /// The limits that requests get.
    pub limits: Limits,
    /// Who may call.
    pub access: Access,
    /// Where traces are sent.
    pub traces: Traces,
}

impl Settings {
    /// Checks what no single value shows, and gives what the settings mean together.
    ///
    /// # Errors
    /// The first combination that cannot work.
    pub fn check(&self) -> Result<Checked, SettingsError> {
        let ListenerSettings { listen, admin_listen, drain_ms, drain_delay_ms, .. } = self.listeners;
        if listen == admin_listen && listen.port() != 0 {
            return Err(SettingsError::SameAddress(listen));
        }
        if drain_delay_ms >= drain_ms {
            return Err(SettingsError::DrainDelay { delay_ms: drain_delay_ms, drain_ms });
        }
        let bound = memory::bound();
        if let Some(bound) = bound.filter(|bound| self.pool.memory_mib > bound.mib) {
            return Err(SettingsError::Memory {
                asked: self.pool.memory_mib,
                available: bound.mib,
                source_name: bound.source_name,
            });
        }
        let limits = self.limits.applied(self.pool.threads)?;
        let least = (least_memory(&limits) as u64).div_ceil(1 << 20);
        if self.pool.memory_mib < least {
            let (asked, threads) = (self.pool.memory_mib, self.pool.threads);
            return Err(SettingsError::MemoryTooSmall { asked, least, threads });
        }
        let traces = Traces::from_variables(|name| std::env::var(name).ok())?;
        Ok(Checked { limits, access: self.access.check()?, traces })
    }
}

impl ListenerSettings {
    /// Longest wait for a request's header.
    pub const fn header_timeout(&self) -> Duration {
        Duration::from_millis(self.header_timeout_ms)
    }

    /// Longest standstill of an answer that is not read.
    pub const fn write_timeout(&self) -> Duration {
        Duration::from_millis(self.write_timeout_ms)
    }

    /// Oldest age of a connection.
    pub const fn connection_max_age(&self) -> Duration {
        Duration::from_secs(self.connection_max_age_s)
    }

    /// Longest time from the signal to the exit.
    pub const fn drain(&self) -> Duration {
        Duration::from_millis(self.drain_ms)
    }

    /// How long to go on accepting after the signal.
    pub const fn drain_delay(&self) -> Duration {
        Duration::from_millis(self.drain_delay_ms)
    }
}

/// The CPUs this process may use: the standard library honours affinity and the quota of the control group.
pub fn available_threads() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// More threads than any machine has cores is a typing error, and thread stacks are not free.
const MAX_THREADS: usize = 1024;

fn parse_threads(text: &str) -> Result<NonZeroUsize, String> {
    let threads: NonZeroUsize =
        text.parse().map_err(|_| format!("a whole number from 1 to {MAX_THREADS}"))?;
    if threads.get() > MAX_THREADS {
        return Err(format!("at most {MAX_THREADS}"));
    }
    Ok(threads)
}

/// An origin is a scheme, a host and perhaps a port: browsers send nothing else, so anything more never matches.
fn parse_origin(text: &str) -> Result<String, String> {
    let origin = text.trim();
    let host = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
    let plain = |host: &str| {
        !host.is_empty() && host.bytes().all(|byte| byte.is_ascii_graphic() && !b"/?#@,*".contains(&byte))
    };
    match host {
        Some(host) if plain(host) => Ok(origin.to_ascii_lowercase()),
        _ => Err("an origin is http:// or https://, a host and perhaps a port, without a path".to_owned()),
    }
}

/// Origins separated by commas; an empty text is an empty list, as charts write it.
fn parse_origins(text: &str) -> Result<Origins, String> {
    if text.trim().is_empty() {
        return Ok(Origins(Vec::new()));
    }
    text.split(',').map(parse_origin).collect::<Result<_, _>>().map(Origins)
}

/// Levels as the log reads them. That parser takes any word for a module, so a mistyped level would silence everything:
/// here a module needs its level. It also reads nothing as `error`, where a level was probably forgotten.
fn parse_log_level(text: &str) -> Result<String, String> {
    let level = |part: &str| {
        let level = part.rsplit('=').next().unwrap_or_default();
        !level.is_empty() && level.parse::<LevelFilter>().is_ok()
    };
    if text.split(',').all(level) && text.parse::<Targets>().is_ok() {
        return Ok(text.to_owned());
    }
    Err("a level (error, warn, info, debug, trace) or levels by module: info,discern::pool=debug".to_owned())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::wire::limits::LimitName;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        settings: Settings,
    }

    fn parsed(flags: &[&str]) -> Result<Settings, clap::Error> {
        Line::try_parse_from(["test"].iter().chain(flags)).map(|line| line.settings)
    }

    #[test]
    fn origins_are_hosts_without_paths() {
        assert_eq!(parse_origin("https://Games.example:8443"), Ok("https://games.example:8443".to_owned()));
        for bad in ["games.example", "https://", "https://games.example/", "https://*", "*", "ftp://x"] {
            assert!(parse_origin(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn an_empty_text_is_no_origin_and_an_empty_part_is_a_mistake() {
        assert_eq!(parse_origins(""), Ok(Origins(Vec::new())));
        assert_eq!(parse_origins("http://a, http://b").map(|origins| origins.0.len()), Ok(2));
        assert!(parse_origins("http://a,").is_err());
    }

    #[test]
    fn levels_stand_alone_or_behind_a_module() {
        for good in ["info", "WARN", "info,discern::pool=debug", "off"] {
            assert!(parse_log_level(good).is_ok(), "{good}");
        }
        for bad in ["", "loud", "discern=loud", "info,", "discern"] {
            assert!(parse_log_level(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn values_out_of_range_are_refused() {
        for flags in [
            ["--threads", "0"],
            ["--threads", "100000"],
            ["--depth-max", "0"],
            ["--queue-max", "many"],
            ["--listen", "localhost"],
            ["--log-level", "loud"],
            ["--memory-mib", "1"],
        ] {
            assert!(parsed(&flags).is_err(), "{flags:?}");
        }
    }

    #[test]
    fn listeners_must_differ_unless_the_port_is_free() {
        let same = parsed(&["--listen", "127.0.0.1:9090"]).expect("each value is fine alone");
        assert!(matches!(same.check(), Err(SettingsError::SameAddress(_))));
        let free = parsed(&["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"]).expect("fine");
        assert!(free.check().is_ok());
    }

    #[test]
    fn a_budget_beyond_the_machine_is_refused() {
        let settings = parsed(&["--memory-mib", "1048576"]).expect("in range");
        assert!(matches!(settings.check(), Err(SettingsError::Memory { asked: 1_048_576, .. })));
    }

    #[test]
    fn a_budget_without_room_for_the_tables_is_refused() {
        let settings = parsed(&["--threads", "8", "--memory-mib", "64"]).expect("in range");
        let refused = settings.check().expect_err("16 tables do not fit").to_string();
        assert!(
            refused.contains("too small for 8 search threads: set --memory-mib to at least 3"),
            "{refused}"
        );
    }

    #[test]
    fn limits_of_requests_are_set_by_name() {
        let settings =
            parsed(&["--threads", "3", "--time-ms-max", "5000", "--time-ms-default", "200"]).expect("fine");
        let limits = settings.check().expect("fine together").limits;
        let time = limits.get(LimitName::TimeMs);
        assert_eq!((time.default, time.max), (Some(200), 5_000));
        assert_eq!(limits.get(LimitName::Threads).max, 3);
        let above =
            parsed(&["--time-ms-max", "500", "--time-ms-default", "501"]).expect("each is fine alone");
        assert!(matches!(above.check(), Err(SettingsError::Limit(_))));
    }

    #[test]
    fn the_delay_must_leave_time_to_drain() {
        let settings = parsed(&["--drain-ms", "500", "--drain-delay-ms", "500"]).expect("in range");
        assert!(matches!(settings.check(), Err(SettingsError::DrainDelay { .. })));
    }
}
