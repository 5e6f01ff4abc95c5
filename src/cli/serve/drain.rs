//! From the signal to the exit: nobody who was let in goes without an answer, and it all ends within the bound.

use std::io;
use std::process;
use std::time::Duration;

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout_at};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::cli::logging;
use crate::cli::settings::ListenerSettings;
use crate::http::State;

/// The signals that end the service.
pub struct Signals {
    terminate: Signal,
    interrupt: Signal,
    hangup: Signal,
}

/// A shell reports a process that a signal ended as 128 and the signal's number.
const SIGNAL_EXIT_BASE: i32 = 128;

impl Signals {
    /// Starts listening. Must run inside a runtime.
    ///
    /// # Errors
    /// What the system says.
    pub fn listen() -> io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            // The terminal was closed. There is no configuration to read again: settings are fixed at the start.
            hangup: signal(SignalKind::hangup())?,
        })
    }

    /// Waits for the next signal and gives it.
    async fn next(&mut self) -> SignalKind {
        tokio::select! {
            _ = self.terminate.recv() => SignalKind::terminate(),
            _ = self.interrupt.recv() => SignalKind::interrupt(),
            _ = self.hangup.recv() => SignalKind::hangup(),
        }
    }
}

/// Everything that must come to an end.
pub struct Drain {
    /// To be marked as draining; its pool is to be drained.
    pub state: State,
    /// The accept loop.
    pub accepting: JoinHandle<()>,
    /// Ends the accept loop, and each connection after its current request.
    pub closing: CancellationToken,
    /// The connections.
    pub open: TaskTracker,
    /// Delay and bound.
    pub settings: ListenerSettings,
}

/// Part of the drain time kept for writing answers out after the last search was told to stop.
const WRITE_SHARE: u32 = 8;

impl Drain {
    /// Waits for a signal, then drains, and gives the moment by which the process must have ended. A second signal ends it at
    /// once, with 128 and the signal's number.
    pub async fn on_signal(self, mut signals: Signals) -> std::time::Instant {
        let first = signals.next().await;
        tracing::info!(signal = first.as_raw_value(), bound_ms = self.settings.drain_ms, "draining");
        let end = Instant::now() + self.settings.drain();
        tokio::select! {
            () = self.drain(end) => end.into_std(),
            second = signals.next() => {
                tracing::warn!(signal = second.as_raw_value(), "forced to end before the drain was over");
                logging::flush();
                process::exit(SIGNAL_EXIT_BASE + second.as_raw_value());
            }
        }
    }

    async fn drain(self, end: Instant) {
        self.state.service().lifecycle().drain();
        sleep(self.settings.drain_delay()).await;

        self.closing.cancel();
        // It has nothing left to do but to take in who waits at the door.
        if let Err(error) = self.accepting.await {
            tracing::error!(%error, "the accept loop was broken");
        }
        self.open.close();
        let state = self.state.clone();
        let for_searches = end - self.settings.drain() / WRITE_SHARE;
        if timeout_at(for_searches, self.open.wait()).await.is_err() {
            // Searches that are still running answer now with the best they have.
            tracing::info!(connections = self.open.len(), "telling searches to end");
        }
        let drained = tokio::task::spawn_blocking(move || state.service().pool().drain(Duration::ZERO)).await;
        match drained {
            Ok(drained) if drained.stuck_threads > 0 => {
                tracing::error!(threads = drained.stuck_threads, "search threads did not end");
            }
            Ok(_) => {}
            Err(error) => tracing::error!(%error, "the pool could not be drained"),
        }
        if timeout_at(end, self.open.wait()).await.is_err() {
            tracing::warn!(connections = self.open.len(), "clients that do not read or send are cut off");
        }
    }
}
