//! The log of the process on standard error: JSON for collectors, lines for a person.

mod lines;

use std::io;
use std::sync::OnceLock;
use std::time::Duration;

use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use super::output::Audience;
use super::settings::{LogFormat, LoggingSettings};
use lines::Lines;

/// The way to standard error, once the log has been started.
static LINES: OnceLock<Lines> = OnceLock::new();

/// Longest wait for the last lines at the end of the process.
const LAST_LINES: Duration = Duration::from_millis(500);

/// Waits until everything logged so far is written, at most half a second. To be called before the process ends.
pub fn flush() {
    if let Some(lines) = LINES.get() {
        lines.flush(LAST_LINES);
    }
}

/// Starts logging for the whole process. Every line carries the fields of the span it was written in, the request id
/// among them. Writing never blocks the thread that logs.
///
/// # Errors
/// When the system gives no thread to write with.
pub fn start(settings: &LoggingSettings) -> io::Result<()> {
    let levels: Targets =
        settings.log_level.parse().expect("the level was checked when the setting was read");
    let json = match settings.log_format {
        LogFormat::Json => true,
        LogFormat::Human => false,
        LogFormat::Auto => Audience::of_stderr() == Audience::Program,
    };
    let writer = Lines::start(io::stderr())?;
    // The log is started once; a second start would be refused by the registry below.
    let _ = LINES.set(writer.clone());
    let lines = tracing_subscriber::fmt::layer().with_writer(move || writer.clone());
    let layer = if json {
        lines.json().flatten_event(true).with_span_list(false).boxed()
    } else {
        lines.with_ansi(Audience::of_stderr() == Audience::Person).with_target(false).boxed()
    };
    tracing_subscriber::registry().with(layer.with_filter(levels)).init();
    Ok(())
}
