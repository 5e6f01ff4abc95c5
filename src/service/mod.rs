//! One use case a file: from a request as read to the reply, by way of the rules and the pool. Floor 3.

mod analyze;
mod answers;
mod bank;
mod begin;
mod compare;
mod engine;
mod evaluate;
mod gomoku;
mod leased;
mod legal_moves;
mod lifecycle;
mod memory;
mod own;
mod play;
mod running;
mod traced;

pub use analyze::Arrival;
pub use answers::AnswerCounts;
pub use lifecycle::Lifecycle;
pub use memory::MemoryPlan;
pub use running::{Record, Running, Source, Telling};
pub use traced::TRACES_ONLY;

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Instant;

use crate::pool::{Pool, Settings};
use crate::wire::limits::{LimitName, Limits};
use crate::wire::service_info::{LimitsReply, MemoryReply, QueueReply, StatusReply, ThreadsReply};
use answers::Answers;
use bank::Bank;

/// Everything a request can be answered with, apart from HTTP.
pub struct Service {
    limits: Limits,
    lifecycle: Lifecycle,
    pool: Arc<Pool>,
    bank: Arc<Bank>,
    memory: MemoryReply,
    othello: Arc<Answers<othello::query::Query, othello::query::Snapshot>>,
    gomoku: Arc<Answers<::gomoku::query::Query, ::gomoku::query::Snapshot>>,
    started: Instant,
}

impl Service {
    /// A service with a pool of as many threads as the limits say, and this many bytes of memory, split as
    /// [`MemoryPlan`] says. It is starting until [`Lifecycle::ready`] is called.
    ///
    /// # Errors
    /// When the system gives no more threads.
    pub fn start(limits: Limits, budget_bytes: usize) -> std::io::Result<Self> {
        let number = |limit| usize::try_from(limits.get(limit).max).unwrap_or(usize::MAX);
        let workers = NonZeroUsize::new(number(LimitName::Threads)).unwrap_or(NonZeroUsize::MIN);
        let mut settings = Settings::new(workers);
        settings.queue.interactive = number(LimitName::Queue);
        let plan = memory_plan(&limits, budget_bytes);
        let pool = Pool::start(settings)?;
        let bank = Arc::new(Bank::new(plan.table, plan.tables));
        bank.prepare(workers.get());
        // Both games share the part of the budget that is for answers.
        let answers = plan.answers as u64 / 2;
        Ok(Self {
            limits,
            lifecycle: Lifecycle::default(),
            pool: Arc::new(pool),
            bank,
            memory: plan.reply(budget_bytes),
            othello: Answers::new(answers),
            gomoku: Answers::new(answers),
            started: Instant::now(),
        })
    }

    /// The limits of this process.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Where this process stands in its life.
    pub fn lifecycle(&self) -> &Lifecycle {
        &self.lifecycle
    }

    /// The worker threads, for the one who shuts the process down and for the counters.
    pub fn pool(&self) -> &Pool {
        &self.pool
    }

    /// Kept answers and shared searches in numbers.
    pub fn answer_counts(&self) -> AnswerCounts {
        self.othello.counts().and(self.gomoku.counts())
    }

    /// `GET /v1/limits`.
    pub fn limits_reply(&self) -> LimitsReply {
        LimitsReply::from(&self.limits)
    }

    /// `GET /v1/status`.
    pub fn status(&self) -> StatusReply {
        let stats = self.pool.stats();
        let oldest = stats.oldest_wait;
        let oldest = oldest.interactive.max(oldest.batch).unwrap_or_default();
        StatusReply {
            state: self.lifecycle.state(),
            uptime_s: self.started.elapsed().as_secs(),
            memory: self.memory,
            threads: ThreadsReply { total: stats.workers, busy: stats.busy },
            queue: QueueReply {
                interactive: stats.waiting.interactive,
                batch: stats.waiting.batch,
                oldest_ms: u64::try_from(oldest.as_millis()).unwrap_or(u64::MAX),
            },
        }
    }
}

/// How a process with these limits splits this many bytes.
pub fn memory_plan(limits: &Limits, budget_bytes: usize) -> MemoryPlan {
    let (workers, waiting) = workers_and_waiting(limits);
    MemoryPlan::new(budget_bytes, workers, waiting)
}

/// The least bytes that a process with these limits can work with.
pub fn least_memory(limits: &Limits) -> usize {
    let (workers, waiting) = workers_and_waiting(limits);
    MemoryPlan::least(workers, waiting)
}

fn workers_and_waiting(limits: &Limits) -> (usize, usize) {
    let number = |limit| usize::try_from(limits.get(limit).max).unwrap_or(usize::MAX);
    let batch = Settings::new(NonZeroUsize::MIN).queue.batch;
    (number(LimitName::Threads), number(LimitName::Queue).saturating_add(batch))
}

impl std::fmt::Debug for Service {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Service")
            .field("limits", &self.limits)
            .field("lifecycle", &self.lifecycle)
            .finish_non_exhaustive()
    }
}
