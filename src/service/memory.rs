//! The one memory budget of a process and what it is for.

use super::bank::DETERMINISTIC_BYTES;
use crate::wire::service_info::MemoryReply;

/// How the budget is split, all in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryPlan {
    /// The program, its weights, and the buffers of its connections.
    pub program: usize,
    /// Requests that wait.
    pub queues: usize,
    /// Finished answers.
    pub answers: usize,
    /// Each transposition table.
    pub table: usize,
    /// The most tables at once.
    pub tables: usize,
}

/// Resident memory of the service without tables: 31 MB at the start, 49 MB after the first answers and the documentation
/// page, the rest for the buffers of a few hundred connections.
const PROGRAM_BYTES: usize = 64 << 20;

/// A request that waits: the request as read, its search before it begins, its place in the queue.
const WAITING_BYTES: usize = 8 << 10;

/// Share of what is left that finished answers may take.
const ANSWERS_SHARE: usize = 16;

/// More answers than this do not make a cache better: at 4 KiB each that is 16,000 of them.
const MOST_ANSWERS_BYTES: usize = 64 << 20;

/// Below this a table is of no use; a budget that allows less is exceeded rather than served without one.
const LEAST_TABLE_BYTES: usize = 1 << 20;

impl MemoryPlan {
    /// The plan of this budget for a pool of so many workers with room for so many waiting requests.
    ///
    /// At most twice as many searches as workers hold a table at once: those that are worked on, and those of batch that
    /// were interrupted.
    pub fn new(budget: usize, workers: usize, waiting: usize) -> Self {
        let tables = 2 * workers.max(1);
        let queues = waiting.saturating_mul(WAITING_BYTES);
        let left = budget.saturating_sub(PROGRAM_BYTES).saturating_sub(queues);
        let answers = (left / ANSWERS_SHARE).min(MOST_ANSWERS_BYTES);
        let table = ((left - answers) / tables).max(LEAST_TABLE_BYTES);
        Self { program: PROGRAM_BYTES, queues, answers, table, tables }
    }

    /// The least budget for such a pool, in bytes: every search may be a deterministic one, whose table has a fixed size.
    pub fn least(workers: usize, waiting: usize) -> usize {
        let tables = 2 * workers.max(1) * DETERMINISTIC_BYTES;
        let answers = (tables / (ANSWERS_SHARE - 1)).min(MOST_ANSWERS_BYTES);
        PROGRAM_BYTES + waiting.saturating_mul(WAITING_BYTES) + tables + answers
    }

    /// The parts as they are told.
    pub fn reply(&self, budget: usize) -> MemoryReply {
        let mib = |bytes: usize| (bytes >> 20) as u64;
        MemoryReply {
            budget_mib: mib(budget),
            tables_mib: mib(self.table * self.tables),
            answers_mib: mib(self.answers),
            queues_mib: mib(self.queues),
            program_mib: mib(self.program),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_fill_the_budget_and_never_exceed_it() {
        for (mib, workers) in [(128, 1), (1_024, 2), (4_096, 16), (65_536, 64)] {
            let (budget, waiting) = (mib << 20, 1_280);
            let plan = MemoryPlan::new(budget, workers, waiting);
            let sum = plan.program + plan.queues + plan.answers + plan.table * plan.tables;
            assert!(sum <= budget && budget - sum < plan.tables, "{mib}: {plan:?}");
            assert!(
                plan.table >= DETERMINISTIC_BYTES || budget < MemoryPlan::least(workers, waiting),
                "{mib}"
            );
        }
    }

    #[test]
    fn the_least_budget_has_tables_for_deterministic_searches() {
        for workers in [1, 2, 7, 64] {
            let least = MemoryPlan::least(workers, 300);
            assert!(MemoryPlan::new(least + workers, workers, 300).table >= DETERMINISTIC_BYTES - 1);
            assert!(MemoryPlan::new(least - (1 << 20), workers, 300).table < DETERMINISTIC_BYTES);
        }
    }
}
