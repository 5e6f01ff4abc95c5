//! The span of a search as the one request sees it that waits for it: where its answer came from, how long it waited and
//! ran, and what became of it. For traces; the log gets the same as one line at the level `debug`, within the request.

use tracing::Span;
use tracing::field::Empty;

use super::running::Source;
use crate::wire::problem::Problem;
use crate::wire::times::Times;

/// The target of spans that no line of the log is written in: the log would only spend time on them.
pub const TRACES_ONLY: &str = "discern::traces";

/// A search under way. One that is dropped before its end has been left by its caller.
#[derive(Debug)]
pub(super) struct SearchSpan {
    request: Span,
    span: Span,
    source: &'static str,
    ended: Ended,
}

#[derive(Debug, PartialEq, Eq)]
enum Ended {
    NotYet,
    Told,
}

impl SearchSpan {
    /// A search that this request waits for from now on, within the span of the request.
    pub(super) fn begin(source: Source) -> Self {
        let source = match source {
            Source::Rules => "rules",
            Source::Kept => "kept",
            Source::Shared => "shared",
            Source::Searched => "searched",
        };
        let span = tracing::info_span!(target: TRACES_ONLY, "search", source, queued_ms = Empty, ran_ms = Empty, outcome = Empty);
        Self { request: Span::current(), span, source, ended: Ended::NotYet }
    }

    /// The search is over, with this answer.
    pub(super) fn end<T>(&mut self, times: &Times, answer: &Result<T, Problem>) {
        self.span.record("queued_ms", times.queued_ms);
        self.span.record("ran_ms", times.ran_ms);
        let outcome = answer.as_ref().map_or_else(|problem| problem.code.row().name, |_| "answered");
        let Times { elapsed_ms, queued_ms, ran_ms } = *times;
        let (request, source) = (&self.request, self.source);
        tracing::debug!(parent: request, source, outcome, elapsed_ms, queued_ms, ran_ms, "search over");
        self.outcome(outcome);
    }

    fn outcome(&mut self, outcome: &str) {
        self.span.record("outcome", outcome);
        self.ended = Ended::Told;
    }
}

impl Drop for SearchSpan {
    fn drop(&mut self) {
        if self.ended == Ended::NotYet {
            tracing::debug!(parent: &self.request, source = self.source, outcome = "left", "search over");
            self.outcome("left");
        }
    }
}
