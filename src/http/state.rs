//! What every handler shares.

use std::sync::Arc;
use std::time::Duration;

use axum::http::HeaderValue;

use super::access::{Access, Book};
use super::listening::Listening;
use super::metrics::Metrics;
use crate::pool::Ledger;
use crate::service::Service;

/// The shared state of all handlers. Cheap to clone.
#[derive(Clone, Debug)]
pub struct State(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    service: Service,
    metrics: Metrics,
    listening: Listening,
    options: Options,
    book: Arc<Book>,
}

/// Settings of the HTTP floor alone.
#[derive(Debug, Clone)]
pub struct Options {
    /// Origins whose pages may call the service from a browser (`https://example.org`). Empty: none, and no answer
    /// carries a CORS header.
    pub allowed_origins: Vec<HeaderValue>,
    /// Longest silence of a stream: then an empty record goes out, so that nothing on the way takes it for dead.
    pub keep_alive: Duration,
    /// Who may call, and how much.
    pub access: Access,
}

/// Proxies commonly give up on a connection that is silent for a minute, some after ten seconds.
const KEEP_ALIVE: Duration = Duration::from_secs(5);

impl Default for Options {
    fn default() -> Self {
        Self { allowed_origins: Vec::new(), keep_alive: KEEP_ALIVE, access: Access::default() }
    }
}

impl State {
    /// The state of one server.
    pub fn new(service: Service, options: Options) -> Self {
        let book = Arc::new(Book::new(&options.access));
        service.pool().charge_to(Arc::clone(&book) as Arc<dyn Ledger>);
        let (metrics, listening) = (Metrics::default(), Listening::default());
        Self(Arc::new(Inner { service, metrics, listening, options, book }))
    }

    /// The use cases.
    pub fn service(&self) -> &Service {
        &self.0.service
    }

    /// What the metrics tell of the public listener.
    pub fn listening(&self) -> &Listening {
        &self.0.listening
    }

    pub(super) fn metrics(&self) -> &Metrics {
        &self.0.metrics
    }

    /// What every client has used.
    pub(super) fn book(&self) -> &Book {
        &self.0.book
    }

    pub(super) fn options(&self) -> &Options {
        &self.0.options
    }
}
