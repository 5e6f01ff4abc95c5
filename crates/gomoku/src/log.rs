//! A list that grows by whole bursts, written without a check for room at every entry.

/// A list with room for `BURST` more entries whenever they are asked for.
#[derive(Debug, Clone)]
pub(crate) struct Log<T, const BURST: usize> {
    /// Entries up to `end`, then room.
    entries: Vec<T>,
    end: usize,
    empty: T,
}

impl<T: Copy, const BURST: usize> Log<T, BURST> {
    /// A list without entries; `empty` fills the room.
    pub(crate) fn new(empty: T) -> Self {
        Self { entries: vec![empty; BURST], end: 0, empty }
    }

    pub(crate) const fn len(&self) -> usize {
        self.end
    }

    pub(crate) fn push(&mut self, entry: T) {
        let (room, end) = self.room();
        room[0] = entry;
        *end += 1;
    }

    /// The room behind the last entry, and the number of entries to add what was written there to.
    #[inline]
    pub(crate) fn room(&mut self) -> (&mut [T; BURST], &mut usize) {
        if self.entries.len() < self.end + BURST {
            self.entries.resize(2 * self.entries.len() + self.end + BURST, self.empty);
        }
        let room = self.entries[self.end..].first_chunk_mut().expect("there is room for a burst");
        (room, &mut self.end)
    }

    /// The entries from this one on.
    #[inline]
    pub(crate) fn since(&self, length: usize) -> &[T] {
        &self.entries[length..self.end]
    }

    pub(crate) fn truncate(&mut self, length: usize) {
        self.end = self.end.min(length);
    }

    pub(crate) fn clear(&mut self) {
        self.end = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_and_go_as_in_any_list() {
        let mut log: Log<u32, 4> = Log::new(0);
        for number in 0..100 {
            log.push(number);
            let (room, end) = log.room();
            room[..3].copy_from_slice(&[1_000; 3]);
            *end += 3;
        }
        assert_eq!((log.len(), log.since(396)), (400, &[99, 1_000, 1_000, 1_000][..]));
        log.truncate(5);
        assert_eq!(log.since(3), [1_000, 1]);
        log.clear();
        assert_eq!(log.len(), 0);
    }
}
