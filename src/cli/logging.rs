//! The log of the process on standard error: JSON for collectors, lines for a person.

use std::io;

use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use super::output::Audience;
use super::settings::{LogFormat, LoggingSettings};

/// Starts logging for the whole process. Every line carries the fields of the span it was written in, the request id
/// among them.
pub fn start(settings: &LoggingSettings) {
    let levels: Targets =
        settings.log_level.parse().expect("the level was checked when the setting was read");
    let json = match settings.log_format {
        LogFormat::Json => true,
        LogFormat::Human => false,
        LogFormat::Auto => Audience::of_stderr() == Audience::Program,
    };
    let lines = tracing_subscriber::fmt::layer().with_writer(io::stderr);
    let layer = if json {
        lines.json().flatten_event(true).with_span_list(false).boxed()
    } else {
        lines.with_ansi(Audience::of_stderr() == Audience::Person).with_target(false).boxed()
    };
    tracing_subscriber::registry().with(layer.with_filter(levels)).init();
}
