//! Traces of requests and searches, sent to a collector by OTLP over HTTP. Built with the feature `otlp` only.
//!
//! A span that has ended goes into a bounded queue and leaves from a thread of its own: a collector that is slow or gone
//! costs spans and no requests. What the queue cannot hold is dropped.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use opentelemetry::KeyValue;
use opentelemetry::trace::TracerProvider;
use opentelemetry_otlp::{ExporterBuildError, SpanExporter as Otlp};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{SdkTracerProvider, SpanData, SpanExporter};
use tracing::Subscriber;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::registry::LookupSpan;

/// Sends the spans, once that has been started.
static PROVIDER: OnceLock<SdkTracerProvider> = OnceLock::new();

const SERVICE_NAME: &str = "service.name";

/// A layer that sends our spans to the collector that the standard variables name.
///
/// # Errors
/// When one of these variables cannot be followed.
pub fn layer<S>() -> Result<impl Layer<S>, ExporterBuildError>
where
    S: Subscriber + for<'span> LookupSpan<'span>,
{
    let exporter = Told { inner: Otlp::builder().with_http().build()?, failing: AtomicBool::new(false) };
    let provider =
        SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource()).build();
    let tracer = provider.tracer("discern");
    // The log is started once, and this with it.
    let _ = PROVIDER.set(provider);
    let ours = filter_fn(|metadata| metadata.is_span() && metadata.target().starts_with("discern"));
    Ok(tracing_opentelemetry::layer()
        .with_tracer(tracer)
        .with_location(false)
        .with_threads(false)
        .with_target(false)
        .with_tracked_inactivity(false)
        .with_context_activation(false)
        .with_filter(ours))
}

/// Sends what is left, for at most this long. Spans that end later are lost.
pub fn end(at_most: Duration) {
    if let Some(provider) = PROVIDER.get()
        && let Err(error) = provider.shutdown_with_timeout(at_most)
    {
        tracing::warn!(%error, "the last traces could not be delivered");
    }
}

/// Who sends: `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES`, and what they leave open.
fn resource() -> Resource {
    let version = KeyValue::new("service.version", env!("CARGO_PKG_VERSION"));
    let said = Resource::builder().build().get(&SERVICE_NAME.into());
    // Without a name the library makes one up that begins so.
    let named = said.is_some_and(|name| !name.as_str().starts_with("unknown_service"));
    let resource = Resource::builder().with_attribute(version);
    if named { resource.build() } else { resource.with_service_name("discern").build() }
}

/// Tells the log when the collector cannot be reached and when it can be again, once each.
#[derive(Debug)]
struct Told<E> {
    inner: E,
    failing: AtomicBool,
}

impl<E: SpanExporter> SpanExporter for Told<E> {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let spans = batch.len();
        let result = self.inner.export(batch).await;
        match (&result, self.failing.swap(result.is_err(), Ordering::Relaxed)) {
            (Err(error), false) => {
                tracing::warn!(%error, spans, "traces cannot be delivered; they are dropped until they can")
            }
            (Ok(()), true) => tracing::info!("traces are delivered again"),
            (Err(_), true) | (Ok(()), false) => {}
        }
        result
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.inner.shutdown_with_timeout(timeout)
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.inner.force_flush()
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.inner.set_resource(resource);
    }
}
