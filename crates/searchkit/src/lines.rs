//! Room for the lines of a transposition table.

use std::ops::Deref;

use crate::cells::Line;

/// A fixed number of lines, all zero at first.
///
/// A look-up goes to a random line, and on small pages nearly every one misses the processor's address cache as well
/// as its data caches. So where there are memory maps, large tables lie in one and ask for huge pages; the system may
/// refuse, and nothing but the speed changes. Pages that no search has touched take no memory.
#[derive(Debug)]
pub struct Lines {
    room: Room,
}

#[derive(Debug)]
enum Room {
    Owned(Box<[Line]>),
    #[cfg(unix)]
    Mapped(mapped::Mapped),
}

impl Lines {
    /// So many lines.
    pub fn new(count: usize) -> Self {
        #[cfg(unix)]
        if let Some(mapped) = mapped::Mapped::new(count) {
            return Self { room: Room::Mapped(mapped) };
        }
        Self { room: Room::Owned(std::iter::repeat_with(Line::default).take(count).collect()) }
    }
}

impl Deref for Lines {
    type Target = [Line];

    #[inline]
    fn deref(&self) -> &[Line] {
        match &self.room {
            Room::Owned(lines) => lines,
            #[cfg(unix)]
            Room::Mapped(mapped) => mapped.lines(),
        }
    }
}

#[cfg(unix)]
mod mapped {
    #![allow(unsafe_code)]

    use std::ptr::NonNull;

    use memmap2::MmapMut;

    use super::Line;

    /// The size of a huge page on common processors, in bytes. Smaller tables gain nothing from a map.
    const HUGE_PAGE: usize = 1 << 21;

    /// Lines in an anonymous memory map.
    #[derive(Debug)]
    pub(super) struct Mapped {
        /// The first line, at the start of a huge page inside `map`.
        first: NonNull<Line>,
        count: usize,
        /// Keeps the memory until the lines are dropped.
        _map: MmapMut,
    }

    // SAFETY: the lines belong to this value alone, and `Line` itself may be sent and shared.
    unsafe impl Send for Mapped {}
    // SAFETY: see above.
    unsafe impl Sync for Mapped {}

    impl Mapped {
        /// So many zeroed lines, if that is worth a map and the system grants one.
        pub(super) fn new(count: usize) -> Option<Self> {
            let bytes = count.checked_mul(size_of::<Line>()).filter(|&bytes| bytes >= HUGE_PAGE)?;
            let mut map = MmapMut::map_anon(bytes.checked_add(HUGE_PAGE)?).ok()?;
            #[cfg(target_os = "linux")]
            // A kernel without huge pages refuses, and then small ones do.
            let _ = map.advise(memmap2::Advice::HugePage);
            let skipped = map.as_ptr().align_offset(HUGE_PAGE);
            let room = map.get_mut(skipped..)?.get_mut(..bytes)?;
            let first = NonNull::new(room.as_mut_ptr().cast())?;
            Some(Self { first, count, _map: map })
        }

        #[inline]
        pub(super) fn lines(&self) -> &[Line] {
            // SAFETY: `first` is aligned to a huge page and `count` lines fit behind it into the map, which lives as long
            // as this value, never moves, and is reached through it alone. Anonymous maps are zeroed, and zeros are
            // a valid line: it consists of atomic integers.
            unsafe { std::slice::from_raw_parts(self.first.as_ptr(), self.count) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_zero_at_first_and_keep_what_is_written_whatever_their_number() {
        for count in [1, 1 << 10, 1 << 16] {
            let lines = Lines::new(count);
            assert_eq!(lines.len(), count);
            assert!(lines.iter().all(|line| line.read() == Some([0; crate::cells::WORDS])));
            for (index, line) in lines.iter().enumerate() {
                line.update(|words| words.fill(index as u64));
            }
            let kept = |(index, line): (usize, &Line)| line.read() == Some([index as u64; 7]);
            assert!(lines.iter().enumerate().all(kept));
        }
    }

    #[test]
    fn threads_share_lines_of_either_kind() {
        for count in [16, 1 << 16] {
            let lines = Lines::new(count);
            std::thread::scope(|scope| {
                scope.spawn(|| lines[count - 1].update(|words| words[0] = 1));
                scope.spawn(|| lines[0].update(|words| words[0] = 2));
            });
            assert_eq!(lines[0].read().map(|words| words[0]), Some(2));
            assert_eq!(lines[count - 1].read().map(|words| words[0]), Some(1));
        }
    }
}
