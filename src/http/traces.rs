//! What a request's span tells a collector of traces besides what it tells the log: the names of OpenTelemetry's conventions
//! for HTTP, and whose trace it is a part of. Built with the feature `otlp` only.

use axum::http::{HeaderMap, Method, StatusCode};
use opentelemetry::propagation::{Extractor, TextMapPropagator};
use opentelemetry::trace::{Status, TraceContextExt};
use opentelemetry_sdk::propagation::TraceContextPropagator;
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt;

/// The headers that a caller's trace context (W3C) comes in.
struct Headers<'a>(&'a HeaderMap);

impl Extractor for Headers<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key)?.to_str().ok()
    }

    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(axum::http::HeaderName::as_str).collect()
    }
}

/// To be called before the span is entered. With a `traceparent` it becomes a part of the caller's trace.
pub(super) fn begun(span: &Span, headers: &HeaderMap, method: &Method, route: &str) {
    let caller = TraceContextPropagator::new().extract(&Headers(headers));
    if caller.span().span_context().is_valid() {
        // Without a layer that traces there is nothing to be part of.
        let _ = span.set_parent(caller);
    }
    span.set_attribute("http.request.method", method.as_str().to_owned());
    span.set_attribute("http.route", route.to_owned());
}

/// Notes how the request was answered. What callers do wrong is no error of this service.
pub(super) fn answered(span: &Span, status: StatusCode) {
    span.set_attribute("http.response.status_code", i64::from(status.as_u16()));
    if status.is_server_error() {
        span.set_status(Status::error(status.as_str().to_owned()));
    }
}
