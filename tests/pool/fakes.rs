//! Small searches for the pool's tests: each does one thing, and the test decides when it is done.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

use searchkit::control::{Control, Interrupt};
use searchkit::search::{Leave, Search};

/// No test waits longer than this for anything: far beyond what a loaded machine needs.
pub const PATIENCE: Duration = Duration::from_secs(30);

const UNBROKEN: &str = "no fake panics while it holds its lock";

/// What a test and its search tell each other.
#[derive(Default)]
pub struct Gate {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default, Clone, Copy, Debug)]
pub struct State {
    /// Threads that work on the search now.
    pub inside: usize,
    /// The most threads that ever worked on it at once.
    pub most_inside: usize,
    /// How often a thread entered.
    pub entered: usize,
    /// Whether the search may finish.
    pub open: bool,
    /// How often the search may still report progress.
    pub progress: usize,
}

impl Gate {
    pub fn new() -> Arc<Self> {
        Arc::default()
    }

    /// Lets the search finish.
    pub fn open(&self) {
        self.change(|state| state.open = true);
    }

    /// Lets the search report progress once.
    pub fn allow_progress(&self) {
        self.change(|state| state.progress += 1);
    }

    /// Waits until the search is in a state, and returns that state.
    pub fn wait_until(&self, reached: impl Fn(&State) -> bool) -> State {
        let state = self.lock();
        let (state, timeout) =
            self.changed.wait_timeout_while(state, PATIENCE, |state| !reached(state)).expect(UNBROKEN);
        assert!(!timeout.timed_out(), "the search never got there: {:?}", *state);
        *state
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect(UNBROKEN)
    }

    fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let result = change(&mut self.lock());
        self.changed.notify_all();
        result
    }
}

/// A search that runs until its gate opens. Its snapshot counts the progress it reported.
pub struct Gated {
    gate: Arc<Gate>,
    width: usize,
    progress: AtomicUsize,
    /// Shared by all threads of the search, as a real one knows by itself that it is over.
    over: AtomicBool,
}

impl Gated {
    pub fn new(gate: &Arc<Gate>, width: usize) -> Self {
        Self { gate: Arc::clone(gate), width, progress: AtomicUsize::new(0), over: AtomicBool::new(false) }
    }

    fn step(&self, control: &Control<'_>) -> Option<Leave> {
        match control.interrupt() {
            Some(Interrupt::Stop(_)) => self.over.store(true, Ordering::Relaxed),
            Some(Interrupt::Recall) => return Some(Leave::Recalled),
            None => {}
        }
        let (open, progress) = self.gate.change_quietly(|state| {
            let progress = state.progress > 0;
            state.progress -= usize::from(progress);
            (state.open, progress)
        });
        if progress {
            self.progress.fetch_add(1, Ordering::Relaxed);
            (control.on_progress)();
            self.gate.changed.notify_all();
        }
        if open {
            self.over.store(true, Ordering::Relaxed);
        }
        self.over.load(Ordering::Relaxed).then_some(Leave::Done)
    }
}

impl Gate {
    /// Looks or takes without waking anybody.
    fn change_quietly<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        change(&mut self.lock())
    }

    /// Rests for a moment, less when something changes: a search polls, but need not burn a processor to do so.
    fn rest(&self) {
        let state = self.lock();
        drop(self.changed.wait_timeout(state, Duration::from_millis(1)).expect(UNBROKEN));
    }
}

impl Search for Gated {
    type Snapshot = usize;

    fn width(&self) -> usize {
        self.width
    }

    fn work(&self, control: &Control<'_>) -> Leave {
        self.gate.change(|state| {
            state.inside += 1;
            state.entered += 1;
            state.most_inside = state.most_inside.max(state.inside);
        });
        let leave = loop {
            if let Some(leave) = self.step(control) {
                break leave;
            }
            self.gate.rest();
        };
        self.gate.change(|state| state.inside -= 1);
        leave
    }

    fn snapshot(&self) -> usize {
        self.progress.load(Ordering::Relaxed)
    }
}

/// A search that obeys nobody until its gate opens.
pub struct Deaf(pub Arc<Gate>);

impl Search for Deaf {
    type Snapshot = &'static str;

    fn width(&self) -> usize {
        1
    }

    fn work(&self, _: &Control<'_>) -> Leave {
        self.0.change(|state| state.entered += 1);
        self.0.wait_until(|state| state.open);
        Leave::Done
    }

    fn snapshot(&self) -> &'static str {
        "so far"
    }
}

/// A search whose first thread panics once `crew` threads are inside; the others wait for the stop flag.
pub struct Panicking {
    pub gate: Arc<Gate>,
    pub crew: usize,
}

impl Search for Panicking {
    type Snapshot = ();

    fn width(&self) -> usize {
        self.crew
    }

    fn work(&self, control: &Control<'_>) -> Leave {
        let place = self.gate.change(|state| {
            state.inside += 1;
            state.entered += 1;
            state.entered
        });
        if place == 1 {
            self.gate.wait_until(|state| state.entered == self.crew);
            panic!("this search is made to panic");
        }
        while !matches!(control.interrupt(), Some(Interrupt::Stop(_))) {
            self.gate.rest();
        }
        self.gate.change(|state| state.inside -= 1);
        Leave::Done
    }

    fn snapshot(&self) {}
}

/// A search that is done at once and writes its name into a log.
pub struct Logged {
    pub name: &'static str,
    pub log: Arc<Mutex<Vec<&'static str>>>,
}

impl Search for Logged {
    type Snapshot = &'static str;

    fn width(&self) -> usize {
        1
    }

    fn work(&self, _: &Control<'_>) -> Leave {
        self.log.lock().expect(UNBROKEN).push(self.name);
        Leave::Done
    }

    fn snapshot(&self) -> &'static str {
        self.name
    }
}
