//! What every handler shares.

use std::sync::Arc;
use std::time::Duration;

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
#[derive(Debug, Clone)]
pub struct Options {
    /// Origins whose pages may call the service from a browser (`https://example.org`). Empty: none, and no answer
    /// carries a CORS header.
    pub allowed_origins: Vec<HeaderValue>,
    /// Longest silence of a stream: then an empty record goes out, so that nothing on the way takes it for dead.
    pub keep_alive: Duration,
}

/// Proxies commonly give up on a connection that is silent for a minute, some after ten seconds.
const KEEP_ALIVE: Duration = Duration::from_secs(5);

impl Default for Options {
    fn default() -> Self {
        Self { allowed_origins: Vec::new(), keep_alive: KEEP_ALIVE }
    }
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
