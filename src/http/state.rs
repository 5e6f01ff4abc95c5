//! What every handler shares.

use std::sync::Arc;

use axum::http::HeaderValue;

use super::metrics::Metrics;
use crate::service::Service;

/// The shared state of all handlers. Cheap to clone.
#[derive(Clone, Debug)]
pub struct State(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    service: Service,
    metrics: Metrics,
    options: Options,
}

/// Settings of the HTTP floor alone.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Origins whose pages may call the service from a browser (`https://example.org`). Empty: none, and no answer
    /// carries a CORS header.
    pub allowed_origins: Vec<HeaderValue>,
}

impl State {
    /// The state of one server.
    pub fn new(service: Service, options: Options) -> Self {
        Self(Arc::new(Inner { service, metrics: Metrics::default(), options }))
    }

    /// The use cases.
    pub fn service(&self) -> &Service {
        &self.0.service
    }

    pub(super) fn metrics(&self) -> &Metrics {
        &self.0.metrics
    }

    pub(super) fn options(&self) -> &Options {
        &self.0.options
    }
}
