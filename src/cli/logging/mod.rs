//! The log of the process on standard error: JSON for collectors, lines for a person.

mod lines;
#[cfg(feature = "otlp")]
mod traces;

use std::io;
use std::sync::OnceLock;
use std::time::Duration;

use thiserror::Error;
use tracing::{Level, Metadata, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::{LevelFilter, Targets, filter_fn};
use tracing_subscriber::layer::{Filter, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

use super::output::Audience;
use super::settings::{LogFormat, LoggingSettings, Traces};
use crate::service::TRACES_ONLY;
use lines::Lines;

/// The way to standard error, once the log has been started.
static LINES: OnceLock<Lines> = OnceLock::new();

/// Longest wait for the last lines at the end of the process.
const LAST_LINES: Duration = Duration::from_millis(500);

/// Sends the traces that are left, if any are sent, for at most this long.
pub fn end_traces(at_most: Duration) {
    #[cfg(feature = "otlp")]
    traces::end(at_most);
    #[cfg(not(feature = "otlp"))]
    let _ = at_most;
}

/// Waits until everything logged so far is written, at most half a second. To be called before the process ends.
pub fn flush() {
    if let Some(lines) = LINES.get() {
        lines.flush(LAST_LINES);
    }
}

/// Why the log cannot be started.
#[derive(Debug, Error)]
pub enum StartError {
    /// The system gives no thread to write with.
    #[error("no thread to write the log with: {0}")]
    Thread(#[from] io::Error),
    /// A variable about traces cannot be followed.
    #[cfg(feature = "otlp")]
    #[error("traces cannot be sent: {0}")]
    Traces(#[from] opentelemetry_otlp::ExporterBuildError),
}

/// Starts logging for the whole process, and sending traces where they are wanted and this build can. Every line carries the
/// fields of the span it was written in, the request id among them. Writing never blocks the thread that logs.
///
/// # Errors
/// What hinders it.
pub fn start(settings: &LoggingSettings, traces: &Traces) -> Result<(), StartError> {
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
    let log = tracing_subscriber::registry().with(layer.with_filter(and_spans(levels)));
    #[cfg(feature = "otlp")]
    log.with(matches!(traces, Traces::To(_)).then(traces::layer).transpose()?).init();
    #[cfg(not(feature = "otlp"))]
    log.init();
    if let Traces::To(collector) = traces {
        tell_of_traces(collector);
    }
    Ok(())
}

/// Lines by their levels, and spans always: the one line of an error must name its request when there is no other.
fn and_spans<S: Subscriber>(levels: Targets) -> impl Filter<S> {
    let most =
        Filter::<S>::max_level_hint(&levels).map_or(LevelFilter::TRACE, |most| most.max(LevelFilter::INFO));
    let shown = move |metadata: &Metadata<'_>| {
        let by_level = levels.would_enable(metadata.target(), metadata.level());
        if metadata.is_span() {
            metadata.target() != TRACES_ONLY && (by_level || *metadata.level() <= Level::INFO)
        } else {
            by_level
        }
    };
    filter_fn(shown).with_max_level_hint(most)
}

#[cfg(feature = "otlp")]
fn tell_of_traces(collector: &str) {
    tracing::info!(collector, "traces are sent");
}

#[cfg(not(feature = "otlp"))]
fn tell_of_traces(collector: &str) {
    tracing::warn!(
        collector,
        "a collector is named, but this build sends no traces: it lacks the feature otlp"
    );
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::sync::{Arc, Mutex, PoisonError};

    use super::*;

    #[derive(Clone, Default)]
    struct Kept(Arc<Mutex<Vec<u8>>>);

    impl Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn an_error_names_its_request_at_every_level() {
        let kept = Kept::default();
        let sink = kept.clone();
        let lines = tracing_subscriber::fmt::layer().json().with_writer(move || sink.clone());
        let levels: Targets = "error".parse().expect("a level");
        let log = tracing_subscriber::registry().with(lines.with_filter(and_spans(levels)));
        tracing::subscriber::with_default(log, || {
            tracing::info_span!("request", request_id = "seven").in_scope(|| {
                tracing::info!("too much");
                tracing::error!("broken");
            });
        });
        let text = kept.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let text = String::from_utf8(text).expect("JSON is UTF-8");
        assert!(text.contains("broken") && text.contains(r#""request_id":"seven""#), "{text}");
        assert!(!text.contains("too much"), "{text}");
    }
}
