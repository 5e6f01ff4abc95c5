//! A Gomoku analysis, a search for threats, and the decision of an opening.

use std::sync::Arc;

use gomoku::position::Status;
use gomoku::search::GomokuSearch;
use gomoku::search::table::Table;
use gomoku::swap2::Swap2Search;
use gomoku::threats::search::ThreatSearch;
use searchkit::memory::{Memory, Recycled};
use searchkit::search::Search;
use searchkit::stop::StopReason;

use crate::answer::{Host, json};
use crate::searching::{Pace, TABLE_BYTES, Timing};
use crate::wire::gomoku::analysis::GomokuRequest;
use crate::wire::gomoku::swap2::{Swap2Reply, Swap2Request};
use crate::wire::gomoku::telling::GomokuTelling;
use crate::wire::gomoku::threats::{ThreatRequest, ThreatsReply};

/// Answers an analysis request; its steps are told on the way.
pub fn answer(request: GomokuRequest, host: &Host<'_>) -> String {
    let timing = Timing::begin(host, request.time_ms);
    let (query, telling) = GomokuTelling::new(request);
    if telling.request.read.position().status() != Status::InProgress {
        return json(&telling.finished_game(&timing.so_far()));
    }
    let table = Arc::new(Table::from_memory(Memory::new(TABLE_BYTES, 1)));
    let search = GomokuSearch::new(&query, table);
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

/// Answers a request for threats.
pub fn threats(request: &ThreatRequest, host: &Host<'_>) -> String {
    let timing = Timing::begin(host, request.time_ms);
    let search = ThreatSearch::new(request.query());
    timing.drive(&search, &|| ());
    let snapshot = search.snapshot();
    let reason = snapshot.stop_reason.unwrap_or(StopReason::Time);
    json(&ThreatsReply::new(request, &snapshot, reason, &timing.so_far()))
}

/// Answers a swap2 request.
pub fn swap2(request: &Swap2Request, host: &Host<'_>) -> String {
    let timing = Timing::begin(host, request.time_ms);
    let table = Arc::new(Table::from_memory(Memory::new(TABLE_BYTES, 1)));
    let search = Swap2Search::new(request.query(), table);
    timing.drive(&search, &|| ());
    let snapshot = search.snapshot();
    let reason = snapshot.stop_reason.unwrap_or(StopReason::Time);
    json(&Swap2Reply::new(request, &snapshot, reason, &timing.so_far()))
}
