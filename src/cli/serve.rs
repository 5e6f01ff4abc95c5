//! `discern serve`: the life of the service, from its settings to its exit.
//!
//! Order matters. Settings are read and checked first, then the engine proves itself, then ports open: a service that
//! cannot answer never looks as if it could. At the end the order is reversed: /ready says no, the port closes,
//! requests get their answers, searches that take too long are told to answer with what they have, the admin
//! listener goes last.

mod drain;
mod files;
mod self_test;

use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::thread;
use std::time::{Duration, Instant};

use axum::http::HeaderValue;
use clap::{ArgMatches, Args, Command};
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::exit::{Exit, Failure, Outcome};
use super::logging::{self, StartError};
use super::output::Output;
use super::settings::{
    Checked, ListenerSettings, Settings, available_threads, check_environment, printed_lines,
};
use super::version;
use crate::http::connections::{self, ConnectionBounds};
use crate::http::{self, Options, State};
use crate::service::{Service, memory_plan};
use crate::wire::limits::Limits;
use drain::Signals;

/// Settings, and what to do with them.
#[derive(Debug, Args)]
pub struct ServeArgs {
    #[command(flatten)]
    settings: Settings,

    /// Check the settings and the environment, and exit: 0 when the service would start with them, 78 otherwise.
    #[arg(long)]
    check_config: bool,

    /// Print the settings in force as NAME=value lines, and exit.
    #[arg(long)]
    print_config: bool,
}

/// Runs the service until it is told to stop. `command` and `matches` are those of this subcommand, `whole` that of the
/// program.
pub fn run(args: &ServeArgs, whole: &Command, command: &Command, matches: &ArgMatches) -> Outcome {
    let refuse = |message: String| Failure::new(Exit::Config, message);
    let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    check_environment(whole, names).map_err(|unknown| {
        let sentences: Vec<_> = unknown.iter().map(ToString::to_string).collect();
        refuse(sentences.join("\ndiscern: "))
    })?;
    let checked = args.settings.check().map_err(|error| refuse(error.to_string()))?;
    let mut output = Output::stdout();
    if args.print_config {
        printed_lines(command, matches).iter().for_each(|line| output.line(line));
        return Ok(());
    }
    if args.check_config {
        output.line("the settings are fine");
        output.line(memory_line(&checked.limits, args.settings.pool.memory_mib));
        return Ok(());
    }
    serve(&args.settings, checked, &mut output)
}

/// What the memory budget is for, in a sentence.
fn memory_line(limits: &Limits, budget_mib: u64) -> String {
    let bytes = usize::try_from(budget_mib << 20).expect("the budget fits this machine's memory");
    let plan = memory_plan(limits, bytes);
    let parts = plan.reply(bytes);
    format!(
        "memory: {} MiB = {} for {} tables, {} for kept answers, {} for waiting requests, {} for the program",
        parts.budget_mib,
        parts.tables_mib,
        plan.tables,
        parts.answers_mib,
        parts.queues_mib,
        parts.program_mib
    )
}

fn serve(settings: &Settings, checked: Checked, output: &mut Output) -> Outcome {
    logging::start(&settings.logging, &checked.traces).map_err(|error| match error {
        StartError::Thread(error) => internal(format!("cannot start the log: {error}")),
        #[cfg(feature = "otlp")]
        StartError::Traces(_) => Failure::new(Exit::Config, error.to_string()),
    })?;
    let runtime = Builder::new_multi_thread()
        .worker_threads(runtime_threads(settings))
        .thread_name("http")
        .enable_all()
        .build()
        .map_err(|error| internal(format!("cannot start the runtime: {error}")))?;
    let most = files::connections(settings.listeners.max_connections)
        .map_err(|error| Failure::new(Exit::Config, error.to_string()))?;
    // Before anything else can take time: a signal during the start must be heard, above all as process 1 of a
    // container, where a signal that nobody listens for does nothing.
    let signals = runtime
        .block_on(async { Signals::listen() })
        .map_err(|error| internal(format!("cannot listen for signals: {error}")))?;
    self_test::run().map_err(|error| internal(format!("self-test failed: {error}")))?;
    let state = state(settings, checked)?;

    let _inside = runtime.enter();
    let ListenerSettings { listen, admin_listen, .. } = settings.listeners;
    let (admin_listener, admin_address) = bind(admin_listen, "the admin listener")?;
    let (listener, address) = bind(listen, "the API")?;
    let admin = AdminThread::start(admin_listener, state.clone())
        .map_err(|error| internal(format!("cannot start the admin thread: {error}")))?;

    let closing = CancellationToken::new();
    let open = TaskTracker::new();
    let bounds = ConnectionBounds {
        most,
        header_timeout: settings.listeners.header_timeout(),
        write_timeout: settings.listeners.write_timeout(),
        max_age: settings.listeners.connection_max_age(),
    };
    let accepting = runtime.spawn(connections::serve(
        listener,
        http::router(state.clone()),
        bounds,
        closing.clone(),
        open.clone(),
    ));
    state.listening().on(open.clone(), most);
    let watched = state.clone();
    runtime.spawn(async move { watched.listening().watch().await });
    state.service().lifecycle().ready();
    announce(settings, address, admin_address, output);

    let drain = drain::Drain { state, accepting, closing, open, settings: settings.listeners.clone() };
    let end = runtime.block_on(drain.on_signal(signals));
    admin.stop();
    // What is left on the runtime are connections whose clients do not read; they were given their time.
    runtime.shutdown_timeout(Duration::from_millis(50));
    tracing::info!("stopped");
    // The collector may be gone, and the bound holds for it too.
    logging::end_traces(end.saturating_duration_since(Instant::now()).min(LAST_TRACES));
    logging::flush();
    Ok(())
}

/// Longest wait at the end of the process for a collector of traces to take the last ones.
const LAST_TRACES: Duration = Duration::from_secs(2);

/// Threads for sockets and JSON. They never search, so a few are enough, and on a small machine they must not crowd
/// the search threads.
fn runtime_threads(settings: &Settings) -> usize {
    const MOST: usize = 4;
    settings.pool.threads.get().clamp(1, MOST)
}

/// The service and what HTTP adds to it.
fn state(settings: &Settings, checked: Checked) -> Result<State, Failure> {
    let origins = settings.web.cors_origins.0.iter();
    let allowed_origins =
        origins.map(|origin| HeaderValue::from_str(origin).expect("origins are visible ASCII")).collect();
    let budget_bytes =
        usize::try_from(settings.pool.memory_mib << 20).expect("the budget fits this machine's memory");
    let service = Service::start(checked.limits, budget_bytes)
        .map_err(|error| internal(format!("cannot start the search threads: {error}")))?;
    Ok(State::new(service, Options { allowed_origins, access: checked.access, ..Options::default() }))
}

fn internal(message: String) -> Failure {
    Failure::new(Exit::Internal, message)
}

/// Opens a port. Must run inside a runtime.
fn bind(address: SocketAddr, whose: &str) -> Result<(TcpListener, SocketAddr), Failure> {
    let bound = connections::bind(address).and_then(|listener| {
        let address = listener.local_addr()?;
        Ok((listener, address))
    });
    bound.map_err(|error| {
        let hint = match error.kind() {
            ErrorKind::AddrInUse => ": another process listens there already",
            ErrorKind::PermissionDenied => ": ports below 1024 need a privilege",
            ErrorKind::AddrNotAvailable => ": this machine has no such address",
            _ => "",
        };
        Failure::new(Exit::Unavailable, format!("cannot open {address} for {whose}{hint} ({error})"))
    })
}

/// Tells the addresses, one fixed line for people and scripts on standard output, and the log.
fn announce(settings: &Settings, address: SocketAddr, admin_address: SocketAddr, output: &mut Output) {
    let line = format!("listening http://{address} admin http://{admin_address}");
    if let Err(error) = output.try_line(line) {
        // Nobody has to read it, and a full disk or a closed pipe is no reason not to serve.
        tracing::warn!(%error, "standard output cannot be written");
    }
    tracing::info!(
        %address,
        %admin_address,
        version = version::VERSION,
        built_for = version::CPU_LEVEL,
        threads = settings.pool.threads,
        cpus = available_threads(),
        memory_mib = settings.pool.memory_mib,
        "ready"
    );
}

/// The admin listener on a thread and runtime of its own: it answers however busy the others are.
struct AdminThread {
    closing: CancellationToken,
    thread: thread::JoinHandle<()>,
}

/// Bounds of the admin listener: a few probes and scrapers.
const ADMIN_BOUNDS: ConnectionBounds = ConnectionBounds {
    most: 16,
    header_timeout: Duration::from_secs(5),
    write_timeout: Duration::from_secs(5),
    max_age: Duration::from_secs(600),
};

impl AdminThread {
    fn start(listener: TcpListener, state: State) -> io::Result<Self> {
        let runtime: Runtime = Builder::new_current_thread().enable_all().build()?;
        let listener = listener.into_std()?;
        let closing = CancellationToken::new();
        let told = closing.clone();
        let serve = async move {
            let listener = match TcpListener::from_std(listener) {
                Ok(listener) => listener,
                Err(error) => return tracing::error!(%error, "the admin listener is lost"),
            };
            connections::serve(listener, http::admin_router(state), ADMIN_BOUNDS, told, TaskTracker::new())
                .await;
        };
        let thread =
            thread::Builder::new().name("admin".to_owned()).spawn(move || runtime.block_on(serve))?;
        Ok(Self { closing, thread })
    }

    fn stop(self) {
        self.closing.cancel();
        // A panic there was reported when it happened, and the process ends now.
        let _ = self.thread.join();
    }
}
