//! The span of a search as the one request sees it that waits for it: where its answer came from, how long it waited and
//! ran, and what became of it. Nothing is logged in it; it is for traces.

use tracing::Span;
use tracing::field::Empty;

use super::running::Source;
use crate::wire::problem::Problem;
use crate::wire::times::Times;

/// A search under way. One that is dropped before its end has been left by its caller.
#[derive(Debug)]
pub(super) struct SearchSpan {
    span: Span,
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
        let span = tracing::info_span!("search", source, queued_ms = Empty, ran_ms = Empty, outcome = Empty);
        Self { span, ended: Ended::NotYet }
    }

    /// The search is over, with this answer.
    pub(super) fn end<T>(&mut self, times: &Times, answer: &Result<T, Problem>) {
        self.span.record("queued_ms", times.queued_ms);
        self.span.record("ran_ms", times.ran_ms);
        self.outcome(answer.as_ref().map_or_else(|problem| problem.code.row().name, |_| "answered"));
    }

    fn outcome(&mut self, outcome: &str) {
        self.span.record("outcome", outcome);
        self.ended = Ended::Told;
    }
}

impl Drop for SearchSpan {
    fn drop(&mut self) {
        if self.ended == Ended::NotYet {
            self.outcome("left");
        }
    }
}
