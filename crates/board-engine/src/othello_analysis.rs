//! An Othello analysis and a comparison of techniques.

use std::sync::Arc;

use othello::position::Status;
use othello::search::root::OthelloSearch;
use othello::search::table::Table;
use searchkit::memory::{Memory, Recycled};
use searchkit::search::Search;
use searchkit::stop::StopReason;

use crate::answer::{Host, json};
use crate::searching::{Pace, TABLE_BYTES, Timing};
use crate::wire::analysis::AnalysisRequest;
use crate::wire::comparison::ComparisonRequest;
use crate::wire::comparison_reply::ComparisonReply;
use crate::wire::telling::OthelloTelling;

/// Answers an analysis request; its steps are told on the way.
pub fn answer(request: AnalysisRequest, host: &Host<'_>) -> String {
    let timing = Timing::begin(host, request.time_ms);
    let (query, telling) = OthelloTelling::new(request);
    if telling.request.read.position.status() == Status::Finished {
        return json(&telling.finished_game(&timing.so_far()));
    }
    let table = Arc::new(Table::from_memory(Memory::new(TABLE_BYTES, 1)));
    let search = OthelloSearch::new(query, table);
    let pace = Pace::default();
    timing.drive(&search, &|| {
        let snapshot = search.snapshot();
        if pace.is_due(snapshot.depth, host.clock.now())
            && let Some(reply) = telling.so_far(&snapshot, &timing.so_far())
        {
            (host.tell)(&json(&reply));
        }
    });
    let snapshot = search.snapshot();
    let reason = snapshot.stop_reason.unwrap_or(StopReason::Time);
    json(&telling.at_last(&snapshot, reason, &timing.so_far()))
}

/// Answers a comparison request.
pub fn comparison(request: &ComparisonRequest, host: &Host<'_>) -> String {
    let timing = Timing::begin(host, request.time_ms);
    let comparison = request.comparison();
    timing.drive(&comparison, &|| ());
    let snapshot = comparison.snapshot();
    let reason = snapshot.stop_reason.unwrap_or(StopReason::Time);
    json(&ComparisonReply::new(request, &snapshot, reason, &timing.so_far()))
}
