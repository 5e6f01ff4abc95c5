//! The transposition tables of all searches of all games, out of one memory budget.

use std::sync::{Arc, Mutex, PoisonError};

use searchkit::memory::{Memory, Recycled};

/// Table of a deterministic search: fixed, since the size of a table changes what a search visits, and the answer must
/// not depend on how much memory a replica has.
const DETERMINISTIC_BYTES: usize = 16 << 20;

/// Memory that is lent out as tables and comes back.
#[derive(Debug)]
pub struct Bank {
    table_bytes: usize,
    free: Mutex<Vec<Memory>>,
}

/// A table that one search has for itself; its memory goes back to the bank when this is dropped.
pub struct Lease<T: Recycled> {
    // Taken out only by the drop.
    table: Option<Arc<T>>,
    /// `None` for a table that does not belong to the bank.
    bank: Option<Arc<Bank>>,
}

impl Bank {
    /// A bank that lends tables out of this many bytes to a pool of so many workers. Memory is made when it is first
    /// needed and kept: handing it back and forth would cost more than it saves.
    ///
    /// At most twice as many searches as workers hold a table at once: those that are worked on, and those of batch that
    /// were interrupted. So each gets its share of the budget.
    pub fn new(bytes: usize, workers: usize) -> Self {
        Self { table_bytes: bytes / (2 * workers.max(1)), free: Mutex::default() }
    }

    /// Makes memory for this many tables now, so that the first searches need not wait for it: a table of hundreds of
    /// megabytes takes longer to make than a short search may last.
    pub fn prepare(&self, tables: usize) {
        let made: Vec<_> = (0..tables).map(|_| self.fresh()).collect();
        self.free.lock().unwrap_or_else(PoisonError::into_inner).extend(made);
    }

    fn fresh(&self) -> Memory {
        Memory::new(self.table_bytes, 1)
    }

    /// A table that nobody else has, and in which nothing is known.
    pub fn lend<T: Recycled>(self: &Arc<Self>) -> Lease<T> {
        let kept = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let memory = kept.unwrap_or_else(|| self.fresh());
        Lease { table: Some(Arc::new(T::from_memory(memory))), bank: Some(Arc::clone(self)) }
    }

    /// A table of the size that deterministic searches have everywhere.
    pub fn deterministic<T: Recycled>() -> Lease<T> {
        Lease { table: Some(Arc::new(T::from_memory(Memory::new(DETERMINISTIC_BYTES, 1)))), bank: None }
    }
}

impl<T: Recycled> Lease<T> {
    /// The table.
    pub fn table(&self) -> Arc<T> {
        Arc::clone(self.table.as_ref().expect("only the drop takes the table out"))
    }
}

impl<T: Recycled> Drop for Lease<T> {
    fn drop(&mut self) {
        let (Some(bank), Some(table)) = (&self.bank, self.table.take()) else { return };
        // A search that still held its table here would keep the memory to itself; the bank then makes some anew.
        if let Some(table) = Arc::into_inner(table) {
            bank.free.lock().unwrap_or_else(PoisonError::into_inner).push(table.into_memory());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Othello = othello::search::table::Table;
    type Gomoku = gomoku::search::table::Table;

    #[test]
    fn memory_is_never_with_two_searches_and_goes_from_game_to_game() {
        let bank = Arc::new(Bank::new(1 << 20, 2));
        let free = || bank.free.lock().unwrap().len();
        let (first, second) = (bank.lend::<Othello>(), bank.lend::<Gomoku>());
        assert_eq!(second.table().bytes(), 1 << 18);
        drop(first);
        assert_eq!(free(), 1);
        let third = bank.lend::<Gomoku>();
        assert_eq!((free(), third.table().bytes()), (0, 1 << 18));
        drop((second, third));
        assert_eq!(free(), 2);
    }

    #[test]
    fn a_table_that_somebody_still_holds_is_not_lent_again() {
        let bank = Arc::new(Bank::new(1 << 20, 1));
        let lease = bank.lend::<Gomoku>();
        let held = lease.table();
        drop(lease);
        assert!(bank.free.lock().unwrap().is_empty());
        drop(held);
    }
}
