//! One node's moves shared among threads: "eldest brother first", as the parallel alpha-beta searches of the 1980s call
//! it. Who has searched a node's first move opens a [`Split`] for the rest when somebody is idle; idle threads lease
//! tasks from it, the owner takes its share, helps those who still hold a task, and closes it when all are back.
//!
//! Nothing here knows a game: `C` is what all tasks of a split have in common, `T` a task, `R` what becomes of them.
//!
//! Why nobody waits for ever: an owner waits only while a task of its own split is out, whoever holds that task works
//! strictly below the split, and every event that a waiting thread could wait for changes the crew's version under the
//! lock that the waiting thread looks at it with.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use crate::clock::Clock;
use crate::sync::{AtomicBool, AtomicUsize, Condvar, Mutex, MutexGuard, Ordering, PoisonError};

/// The threads that work on one search, as far as they share nodes.
#[derive(Debug)]
pub struct Crew<C, T, R> {
    state: Mutex<State<C, T, R>>,
    /// Told whenever the version changes.
    changed: Condvar,
    /// Threads that wait at this moment.
    idle: AtomicUsize,
    /// Time that threads have waited, all added up. Nobody decides by it.
    waited_nanoseconds: AtomicU64,
    /// Splits opened so far. Nobody decides by it.
    opened: AtomicU64,
}

#[derive(Debug)]
struct State<C, T, R> {
    /// Splits that may still have tasks, in the order in which they were opened.
    open: Vec<Arc<Split<C, T, R>>>,
    version: u64,
}

/// A node whose moves are shared.
#[derive(Debug)]
pub struct Split<C, T, R> {
    /// What all tasks have in common.
    pub common: C,
    /// The split below which the owner was working.
    parent: Option<Arc<Split<C, T, R>>>,
    /// Whether the rest is of no use any more.
    over: AtomicBool,
    tasks: Mutex<Tasks<T, R>>,
}

#[derive(Debug)]
struct Tasks<T, R> {
    /// In the order in which they are to be taken.
    pending: VecDeque<T>,
    /// How many are being worked on.
    out: usize,
    result: R,
}

/// What a result means for the tasks that are left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// They are still wanted.
    GoOn,
    /// They are not: whoever works on one should leave it.
    Over,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing below panics between two halves of a change.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<C, T, R> Default for Crew<C, T, R> {
    fn default() -> Self {
        Self {
            state: Mutex::new(State { open: Vec::new(), version: 0 }),
            changed: Condvar::new(),
            idle: AtomicUsize::new(0),
            waited_nanoseconds: AtomicU64::new(0),
            opened: AtomicU64::new(0),
        }
    }
}

impl<C, T: Copy, R> Crew<C, T, R> {
    /// Whether a split would find helpers now. Cheap: asked at every node that could be split.
    #[inline]
    pub fn is_anybody_idle(&self) -> bool {
        self.idle.load(Ordering::Relaxed) > 0
    }

    /// Offers tasks, the most important first. `parent` is the split that the caller works below.
    pub fn open(
        &self,
        parent: Option<Arc<Split<C, T, R>>>,
        common: C,
        tasks: impl IntoIterator<Item = T>,
        result: R,
    ) -> Opened<'_, C, T, R> {
        let tasks = Tasks { pending: tasks.into_iter().collect(), out: 0, result };
        let split =
            Arc::new(Split { common, parent, over: AtomicBool::new(false), tasks: Mutex::new(tasks) });
        self.opened.fetch_add(1, Ordering::Relaxed);
        lock(&self.state).open.push(Arc::clone(&split));
        self.announce();
        Opened { crew: self, split }
    }

    /// The number of events so far. Read it before looking for work, and [`wait`](Self::wait) with it when there was none.
    pub fn version(&self) -> u64 {
        lock(&self.state).version
    }

    /// Tells all waiting threads to look again.
    pub fn announce(&self) {
        lock(&self.state).version += 1;
        self.changed.notify_all();
    }

    /// Waits until something has happened since `seen`, or for this long. Comes back early now and then. The clock only
    /// measures.
    pub fn wait(&self, seen: u64, at_most: Duration, clock: &dyn Clock) {
        let begun = clock.now();
        self.idle.fetch_add(1, Ordering::Relaxed);
        let state = lock(&self.state);
        if state.version == seen {
            drop(self.changed.wait_timeout(state, at_most).unwrap_or_else(PoisonError::into_inner));
        } else {
            drop(state);
        }
        self.idle.fetch_sub(1, Ordering::Relaxed);
        let waited = clock.now().saturating_sub(begun).as_nanos() as u64;
        self.waited_nanoseconds.fetch_add(waited, Ordering::Relaxed);
    }

    /// How many splits were opened so far.
    pub fn opened(&self) -> u64 {
        self.opened.load(Ordering::Relaxed)
    }

    /// How long threads have waited, all added up.
    pub fn waited(&self) -> Duration {
        Duration::from_nanos(self.waited_nanoseconds.load(Ordering::Relaxed))
    }

    /// A task of the split that was opened first: of any, or only of those below a given one.
    pub fn lease(&self, below: Option<&Arc<Split<C, T, R>>>) -> Option<Lease<'_, C, T, R>> {
        let state = lock(&self.state);
        let wanted = |split: &&Arc<Split<C, T, R>>| below.is_none_or(|above| split.is_below(above));
        let found = state
            .open
            .iter()
            .filter(wanted)
            .find_map(|split| split.take().map(|task| (Arc::clone(split), task)));
        found.map(|(split, task)| Lease { crew: self, split, task: Some(task) })
    }
}

impl<C, T: Copy, R> Split<C, T, R> {
    /// Whether this split, or one that it lies below, is of no use any more.
    pub fn is_over(&self) -> bool {
        let mut split = Some(self);
        while let Some(here) = split {
            if here.over.load(Ordering::Relaxed) {
                return true;
            }
            split = here.parent.as_deref();
        }
        false
    }

    fn is_below(&self, above: &Arc<Self>) -> bool {
        let mut split = self.parent.as_ref();
        while let Some(here) = split {
            if Arc::ptr_eq(here, above) {
                return true;
            }
            split = here.parent.as_ref();
        }
        false
    }

    fn take(&self) -> Option<T> {
        if self.is_over() {
            return None;
        }
        let mut tasks = lock(&self.tasks);
        let task = tasks.pending.pop_front()?;
        tasks.out += 1;
        Some(task)
    }
}

/// The owner's hold on a split. Dropping it calls the split off.
#[derive(Debug)]
pub struct Opened<'c, C, T: Copy, R> {
    crew: &'c Crew<C, T, R>,
    split: Arc<Split<C, T, R>>,
}

impl<'c, C, T: Copy, R> Opened<'c, C, T, R> {
    /// The split itself.
    pub fn split(&self) -> &Arc<Split<C, T, R>> {
        &self.split
    }

    /// The next task, for the owner.
    pub fn lease(&self) -> Option<Lease<'c, C, T, R>> {
        let task = self.split.take()?;
        Some(Lease { crew: self.crew, split: Arc::clone(&self.split), task: Some(task) })
    }

    /// Whether nobody works on a task and nobody would take one.
    pub fn is_done(&self) -> bool {
        let tasks = lock(&self.split.tasks);
        tasks.out == 0 && (tasks.pending.is_empty() || self.split.is_over())
    }

    /// Calls the split off. Who works on a task of it leaves soon.
    pub fn call_off(&self) {
        self.split.over.store(true, Ordering::Relaxed);
        self.crew.announce();
    }

    /// What became of the tasks, and those without a result, once the split [`is_done`](Self::is_done).
    pub fn close(self) -> (R, Vec<T>)
    where
        R: Clone,
    {
        let tasks = lock(&self.split.tasks);
        debug_assert_eq!(tasks.out, 0, "a split is closed when everybody has left it");
        (tasks.result.clone(), tasks.pending.iter().copied().collect())
    }
}

impl<C, T: Copy, R> Drop for Opened<'_, C, T, R> {
    fn drop(&mut self) {
        self.split.over.store(true, Ordering::Relaxed);
        lock(&self.crew.state).open.retain(|split| !Arc::ptr_eq(split, &self.split));
        self.crew.announce();
    }
}

/// A task that is being worked on. Dropped without a result, also by a panic, it goes back to its split.
#[derive(Debug)]
pub struct Lease<'c, C, T: Copy, R> {
    crew: &'c Crew<C, T, R>,
    split: Arc<Split<C, T, R>>,
    /// Nothing once its result is known.
    task: Option<T>,
}

impl<C, T: Copy, R> Lease<'_, C, T, R> {
    /// The split that the task belongs to.
    pub fn split(&self) -> &Arc<Split<C, T, R>> {
        &self.split
    }

    /// The task itself.
    pub fn task(&self) -> T {
        self.task.expect("a lease has its task until its result is known, and then it is gone")
    }

    /// Adds the task's result.
    pub fn finish(mut self, record: impl FnOnce(&mut R) -> Verdict) {
        if record(&mut lock(&self.split.tasks).result) == Verdict::Over {
            self.split.over.store(true, Ordering::Relaxed);
        }
        self.task = None;
    }

    /// Gives the task back, and adds what was spent on it.
    pub fn give_back(self, record: impl FnOnce(&mut R)) {
        record(&mut lock(&self.split.tasks).result);
    }
}

impl<C, T: Copy, R> Drop for Lease<'_, C, T, R> {
    fn drop(&mut self) {
        let mut tasks = lock(&self.split.tasks);
        if let Some(task) = self.task {
            tasks.pending.push_front(task);
        }
        tasks.out -= 1;
        drop(tasks);
        self.crew.announce();
    }
}

#[cfg(test)]
#[cfg(not(feature = "schedules"))]
mod tests {
    use super::*;

    type Sum = Crew<(), u64, u64>;

    #[test]
    fn every_task_is_leased_once_and_one_given_back_comes_again() {
        let crew = Sum::default();
        let opened = crew.open(None, (), [1, 2, 3], 0);
        let first = crew.lease(None).unwrap();
        let second = opened.lease().unwrap();
        assert_eq!((first.task(), second.task()), (1, 2));
        drop(first);
        second.finish(|sum| {
            *sum += 2;
            Verdict::GoOn
        });
        assert!(!opened.is_done());
        let again = crew.lease(None).unwrap();
        assert_eq!(again.task(), 1);
        again.finish(|sum| {
            *sum += 1;
            Verdict::Over
        });
        assert!(crew.lease(None).is_none(), "what is over has no tasks");
        assert!(opened.is_done());
        assert_eq!(opened.close(), (3, vec![3]));
    }

    #[test]
    fn an_owner_helps_only_below_its_own_split_and_what_is_above_ends_what_is_below() {
        let crew = Sum::default();
        let other = crew.open(None, (), [7], 0);
        let upper = crew.open(None, (), [1], 0);
        assert!(crew.lease(Some(upper.split())).is_none());
        let lower = crew.open(Some(Arc::clone(upper.split())), (), [2], 0);
        assert_eq!(crew.lease(Some(upper.split())).unwrap().task(), 2);
        assert!(!lower.split().is_over());
        upper.call_off();
        assert!(lower.split().is_over() && lower.is_done() && !other.split().is_over());
        drop(upper);
        assert!(lower.split().is_over());
        assert_eq!(crew.lease(None).unwrap().task(), 7);
    }

    #[test]
    fn who_waits_for_something_that_has_happened_already_does_not_sleep() {
        let crew = Sum::default();
        let seen = crew.version();
        let opened = crew.open(None, (), [1], 0);
        // An hour would show.
        crew.wait(seen, Duration::from_secs(3600), &crate::clock::StoppedClock);
        assert!(!crew.is_anybody_idle());
        drop(opened);
        assert!(crew.lease(None).is_none());
    }
}

#[cfg(test)]
#[cfg(feature = "schedules")]
mod schedules;
