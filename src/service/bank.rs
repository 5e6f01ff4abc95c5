//! The transposition tables of all searches of all games, out of one memory budget.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use searchkit::memory::{Memory, Recycled};

use crate::wire::analysis::Repeatability;

/// Table of a deterministic search: fixed, since the size of a table changes what a search visits, and the answer must
/// not depend on how much memory a replica has.
pub const DETERMINISTIC_BYTES: usize = 16 << 20;

/// Memory that is lent out as tables and comes back.
#[derive(Debug)]
pub struct Bank {
    table_bytes: usize,
    /// The most tables that may exist at once, the fixed ones of deterministic searches included: each of those is at most
    /// as large as a usual one.
    most: usize,
    stock: Mutex<Stock>,
}

#[derive(Debug, Default)]
struct Stock {
    free: Vec<Memory>,
    /// Usual tables that exist, lent or free.
    usual: usize,
    /// Tables of deterministic searches.
    fixed: usize,
}

/// A table that one search has for itself; its memory goes back to the bank when this is dropped.
pub struct Lease<T: Recycled> {
    // Taken out only by the drop.
    table: Option<Arc<T>>,
    bank: Arc<Bank>,
    repeatability: Repeatability,
}

impl Bank {
    /// A bank that lends out at most so many tables of this size. Memory is made when it is first needed and kept: handing
    /// it back and forth would cost more than it saves.
    pub fn new(table_bytes: usize, most: usize) -> Self {
        Self { table_bytes, most: most.max(1), stock: Mutex::default() }
    }

    /// Makes memory for this many tables now, so that the first searches need not wait for it: a table of hundreds of
    /// megabytes takes longer to make than a short search may last.
    pub fn prepare(&self, tables: usize) {
        let made: Vec<_> = (0..tables).map(|_| Memory::new(self.table_bytes, 1)).collect();
        let mut stock = self.stock();
        stock.usual += made.len();
        stock.free.extend(made);
    }

    /// A table that nobody else has, and in which nothing is known: for a deterministic search one of the size that these
    /// have everywhere.
    pub fn lend<T: Recycled>(self: &Arc<Self>, repeatability: Repeatability) -> Lease<T> {
        let memory = match repeatability {
            Repeatability::Usual => self.usual(),
            Repeatability::Deterministic => self.fixed(),
        };
        Lease { table: Some(Arc::new(T::from_memory(memory))), bank: Arc::clone(self), repeatability }
    }

    fn usual(&self) -> Memory {
        let mut stock = self.stock();
        let kept = stock.free.pop();
        stock.usual += usize::from(kept.is_none());
        drop(stock);
        // Fresh memory is asked for without holding up the others.
        kept.unwrap_or_else(|| Memory::new(self.table_bytes, 1))
    }

    fn fixed(&self) -> Memory {
        let mut stock = self.stock();
        stock.fixed += 1;
        // A free table makes room when there would be one too many.
        let given_up = if stock.usual + stock.fixed > self.most { stock.free.pop() } else { None };
        stock.usual -= usize::from(given_up.is_some());
        drop((stock, given_up));
        Memory::new(DETERMINISTIC_BYTES, 1)
    }

    fn stock(&self) -> MutexGuard<'_, Stock> {
        self.stock.lock().unwrap_or_else(PoisonError::into_inner)
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
        // A search that still held its table here would keep the memory to itself; the bank then makes some anew.
        let memory = self.table.take().and_then(Arc::into_inner).map(T::into_memory);
        let mut stock = self.bank.stock();
        match (self.repeatability, memory) {
            (Repeatability::Deterministic, _) => stock.fixed -= 1,
            (Repeatability::Usual, Some(memory)) if stock.usual + stock.fixed <= self.bank.most => {
                stock.free.push(memory);
            }
            (Repeatability::Usual, _) => stock.usual -= 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use Repeatability::{Deterministic, Usual};

    use super::*;

    type Othello = othello::search::table::Table;
    type Gomoku = gomoku::search::table::Table;

    fn count(bank: &Bank) -> (usize, usize, usize) {
        let stock = bank.stock();
        (stock.free.len(), stock.usual, stock.fixed)
    }

    #[test]
    fn memory_is_never_with_two_searches_and_goes_from_game_to_game() {
        let bank = Arc::new(Bank::new(1 << 18, 4));
        let (first, second) = (bank.lend::<Othello>(Usual), bank.lend::<Gomoku>(Usual));
        assert_eq!(second.table().bytes(), 1 << 18);
        drop(first);
        assert_eq!(count(&bank), (1, 2, 0));
        let third = bank.lend::<Gomoku>(Usual);
        assert_eq!((count(&bank), third.table().bytes()), ((0, 2, 0), 1 << 18));
        drop((second, third));
        assert_eq!(count(&bank), (2, 2, 0));
    }

    #[test]
    fn a_table_that_somebody_still_holds_is_not_lent_again() {
        let bank = Arc::new(Bank::new(1 << 18, 2));
        let lease = bank.lend::<Gomoku>(Usual);
        let held = lease.table();
        drop(lease);
        assert_eq!(count(&bank), (0, 0, 0));
        drop(held);
    }

    #[test]
    fn tables_of_deterministic_searches_take_the_place_of_others() {
        let bank = Arc::new(Bank::new(1 << 18, 2));
        bank.prepare(2);
        let fixed = [bank.lend::<Othello>(Deterministic), bank.lend::<Othello>(Deterministic)];
        assert_eq!(fixed[0].table().bytes(), DETERMINISTIC_BYTES);
        assert_eq!(count(&bank), (0, 0, 2));
        let usual = bank.lend::<Gomoku>(Usual);
        // One too many, for as long as all three are needed.
        assert_eq!(count(&bank), (0, 1, 2));
        drop(usual);
        assert_eq!(count(&bank), (0, 0, 2));
        drop(fixed);
        drop(bank.lend::<Gomoku>(Usual));
        assert_eq!(count(&bank), (1, 1, 0));
    }
}
