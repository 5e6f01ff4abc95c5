//! The transposition tables of all searches, out of one memory budget.

use std::sync::{Arc, Mutex, PoisonError};

use othello::search::table::Table;

/// Table of a deterministic search: fixed, since the size of a table changes what a search visits, and the answer must
/// not depend on how much memory a replica has.
const DETERMINISTIC_BYTES: usize = 16 << 20;

/// Tables that are lent out and come back.
#[derive(Debug)]
pub struct Bank {
    table_bytes: usize,
    free: Mutex<Vec<Arc<Table>>>,
}

/// A table that one search has for itself; it goes back to the bank when this is dropped.
pub struct Lease {
    table: Arc<Table>,
    /// `None` for a table that does not belong to the bank.
    bank: Option<Arc<Bank>>,
}

impl Bank {
    /// A bank that lends tables out of this many bytes to a pool of so many workers. Tables are made when they are first
    /// needed and kept: handing memory back and forth would cost more than it saves.
    ///
    /// At most twice as many searches as workers hold a table at once: those that are worked on, and those of batch that
    /// were interrupted. So each gets its share of the budget.
    pub fn new(bytes: usize, workers: usize) -> Self {
        Self { table_bytes: bytes / (2 * workers.max(1)), free: Mutex::default() }
    }

    /// Makes this many tables now, so that the first searches need not wait for fresh memory: a table of hundreds of
    /// megabytes takes longer to make than a short search may last.
    pub fn prepare(&self, tables: usize) {
        let made: Vec<_> = (0..tables).map(|_| Arc::new(Table::new(self.table_bytes))).collect();
        self.free.lock().unwrap_or_else(PoisonError::into_inner).extend(made);
    }

    /// A table that nobody else has.
    pub fn lend(self: &Arc<Self>) -> Lease {
        let kept = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let table = kept.unwrap_or_else(|| Arc::new(Table::new(self.table_bytes)));
        Lease { table, bank: Some(Arc::clone(self)) }
    }

    /// A table of the size that deterministic searches have everywhere.
    pub fn deterministic() -> Lease {
        Lease { table: Arc::new(Table::new(DETERMINISTIC_BYTES)), bank: None }
    }
}

impl Lease {
    /// The table.
    pub fn table(&self) -> Arc<Table> {
        Arc::clone(&self.table)
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        if let Some(bank) = &self.bank {
            bank.free.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::clone(&self.table));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_never_with_two_searches_and_comes_back() {
        let bank = Arc::new(Bank::new(1 << 20, 2));
        let (first, second) = (bank.lend(), bank.lend());
        assert!(!Arc::ptr_eq(&first.table, &second.table));
        let address = Arc::as_ptr(&first.table);
        drop(first);
        assert_eq!(Arc::as_ptr(&bank.lend().table), address);
        assert!(second.table.bytes() <= 1 << 18);
    }
}
