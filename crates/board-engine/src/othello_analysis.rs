//! An Othello analysis on the calling thread.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use othello::position::Status;
use othello::search::root::OthelloSearch;
use othello::search::table::Table;
use searchkit::control::Control;
use searchkit::memory::{Memory, Recycled};
use searchkit::search::Search;
use searchkit::stop::{StopFlag, StopReason};

use crate::answer::{Host, json};
use crate::wire::analysis::AnalysisRequest;
use crate::wire::json::Json;
use crate::wire::limits::Limits;
use crate::wire::problem::Problem;
use crate::wire::telling::OthelloTelling;
use crate::wire::times::{Times, millis, search_ms};

/// The transposition table of a search: as large as the service's deterministic answers have theirs, so that the same
/// search visits the same positions.
pub const TABLE_BYTES: usize = 16 << 20;

/// Steps of the same depth are told no more often than this: each is a JSON text that the page draws.
const LEAST_BETWEEN: Duration = Duration::from_millis(100);

/// Answers an analysis request; its steps are told on the way.
///
/// # Errors
/// When the request has faults.
pub fn answer(json_request: &Json, limits: &Limits, host: &Host<'_>) -> Result<String, Problem> {
    let request = AnalysisRequest::parse(json_request, limits).map_err(Problem::from_errors)?;
    let began = host.clock.now();
    let times = || {
        let elapsed = millis(host.clock.now().saturating_sub(began));
        Times { elapsed_ms: elapsed, queued_ms: 0, ran_ms: elapsed }
    };
    let deadline = began + Duration::from_millis(search_ms(request.time_ms));
    let (query, telling) = OthelloTelling::new(request);
    if telling.request.read.position.status() == Status::Finished {
        return Ok(json(&telling.finished_game(&times())));
    }
    let table = Arc::new(Table::from_memory(Memory::new(TABLE_BYTES, 1)));
    let search = OthelloSearch::new(query, table);
    let pace = Pace::default();
    drive(&search, host, deadline, &|| {
        let snapshot = search.snapshot();
        if pace.is_due(snapshot.depth, host.clock.now())
            && let Some(reply) = telling.so_far(&snapshot, &times())
        {
            (host.tell)(&json(&reply));
        }
    });
    let snapshot = search.snapshot();
    let reason = snapshot.stop_reason.unwrap_or(StopReason::Time);
    Ok(json(&telling.at_last(&snapshot, reason, &times())))
}

/// Works on a search with the calling thread until it ends. Who wants it to end sooner takes the whole instance away.
pub fn drive(search: &impl Search, host: &Host<'_>, deadline: Duration, on_progress: &(dyn Fn() + Sync)) {
    let (stop, recall) = (StopFlag::new(), AtomicBool::new(false));
    let control =
        Control { stop: &stop, recall: &recall, clock: host.clock, deadline: Some(deadline), on_progress };
    search.work(&control);
}

/// How often steps are told.
#[derive(Debug, Default)]
pub struct Pace(Mutex<Option<(u8, Duration)>>);

impl Pace {
    /// Whether a step to this depth is to be told at this reading of the clock: every new depth is, another step now and
    /// then.
    pub fn is_due(&self, depth: u8, now: Duration) -> bool {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let due = last.is_none_or(|(told, at)| told != depth || now.saturating_sub(at) >= LEAST_BETWEEN);
        if due {
            *last = Some((depth, now));
        }
        due
    }
}
