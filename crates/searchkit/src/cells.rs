//! The memory that transposition tables are made of: cache lines that many threads read and write without locks,
//! and from which nobody ever uses a half-written value.

use std::sync::atomic::{AtomicU64, Ordering, fence};

/// Payload words in one [`Line`].
pub const WORDS: usize = 7;

/// One 64-byte cache line: a sequence word that is odd while somebody writes, and seven payload words.
///
/// Readers and writers follow the sequence lock protocol (H.-J. Boehm, "Can seqlocks get along with programming
/// language memory models?", 2012), with one deviation: neither ever waits. A reader that meets a writer is told so,
/// and a writer that meets another writer drops its own update. Both are harmless to a table.
#[derive(Debug, Default)]
#[repr(C, align(64))]
pub struct Line {
    sequence: AtomicU64,
    words: [AtomicU64; WORDS],
}

const _: () = assert!(size_of::<Line>() == 64, "a line is exactly one cache line");

impl Line {
    /// The payload, or `None` when it was being written at this moment.
    #[inline]
    pub fn read(&self) -> Option<[u64; WORDS]> {
        let before = self.sequence.load(Ordering::Acquire);
        let words = self.copy();
        // Keeps the second look at the sequence from moving before the copy.
        fence(Ordering::Acquire);
        (before & 1 == 0 && self.sequence.load(Ordering::Relaxed) == before).then_some(words)
    }

    /// Lets `change` edit the payload. Does nothing when another thread is writing this line at this moment.
    #[inline]
    pub fn update(&self, change: impl FnOnce(&mut [u64; WORDS])) {
        let before = self.sequence.load(Ordering::Relaxed);
        let claimed = before & 1 == 0
            && self
                .sequence
                .compare_exchange(before, before.wrapping_add(1), Ordering::Acquire, Ordering::Relaxed)
                .is_ok();
        if !claimed {
            return;
        }
        // A reader that sees any word written below also sees that the sequence has become odd.
        fence(Ordering::Release);
        let mut words = self.copy();
        change(&mut words);
        for (cell, word) in self.words.iter().zip(words) {
            cell.store(word, Ordering::Relaxed);
        }
        self.sequence.store(before.wrapping_add(2), Ordering::Release);
    }

    /// Asks the processor to fetch the line, which will be read soon.
    #[inline]
    pub fn prefetch(&self) {
        prefetch(self);
    }

    fn copy(&self) -> [u64; WORDS] {
        std::array::from_fn(|index| self.words[index].load(Ordering::Relaxed))
    }
}

/// Asks the processor to fetch the cache line at the start of `place`, which will be read soon.
#[inline]
#[allow(unsafe_code)]
fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: SSE is part of every x86-64 processor, and a prefetch has no effect but on the cache.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_update_is_read_back() {
        let line = Line::default();
        assert_eq!(line.read(), Some([0; WORDS]));
        line.update(|words| words[3] = 7);
        line.update(|words| words[6] = words[3] + 1);
        assert_eq!(line.read(), Some([0, 0, 0, 7, 0, 0, 8]));
    }

    #[test]
    fn readers_never_see_a_mixture_of_two_writers() {
        let line = Line::default();
        std::thread::scope(|scope| {
            for writer in 1..=2_u64 {
                let line = &line;
                scope.spawn(move || {
                    for round in 0..50_000 {
                        line.update(|words| words.fill(writer << 32 | round));
                    }
                });
            }
            for _ in 0..50_000 {
                if let Some(words) = line.read() {
                    assert!(words.iter().all(|&word| word == words[0]), "{words:?}");
                }
            }
        });
        assert!(line.read().is_some_and(|words| words[0] != 0), "the writers got through");
    }
}
