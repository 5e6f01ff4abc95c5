//! One use case a file: from a request as read to the reply, by way of the rules and the pool. Floor 3.

mod engine;
mod lifecycle;

pub use lifecycle::Lifecycle;

use std::time::Instant;

use crate::wire::limits::Limits;
use crate::wire::service_info::{LimitsReply, StatusReply};

/// Everything a request can be answered with, apart from HTTP.
#[derive(Debug)]
pub struct Service {
    limits: Limits,
    lifecycle: Lifecycle,
    started: Instant,
}

impl Service {
    /// A service with these limits. It is starting until [`Lifecycle::ready`] is called.
    pub fn new(limits: Limits) -> Self {
        Self { limits, lifecycle: Lifecycle::default(), started: Instant::now() }
    }

    /// The limits of this process.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Where this process stands in its life.
    pub fn lifecycle(&self) -> &Lifecycle {
        &self.lifecycle
    }

    /// `GET /v1/limits`.
    pub fn limits_reply(&self) -> LimitsReply {
        LimitsReply::from(&self.limits)
    }

    /// `GET /v1/status`.
    pub fn status(&self) -> StatusReply {
        StatusReply { state: self.lifecycle.state(), uptime_s: self.started.elapsed().as_secs() }
    }
}
