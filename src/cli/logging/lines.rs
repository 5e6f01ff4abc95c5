//! The way of log lines to standard error: a thread of their own writes them, so that a reader that stalls (a full pipe, a
//! stopped terminal) never holds up a request. What does not fit the queue meanwhile is dropped and counted.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread;
use std::time::Duration;

/// Lines that may wait for the reader, some 300 bytes each.
const MOST_WAITING: usize = 8_192;

/// The sending end, as the log's layer writes to it. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Lines {
    sender: SyncSender<Message>,
    dropped: Arc<AtomicU64>,
}

#[derive(Debug)]
enum Message {
    Line(Vec<u8>),
    /// Everything before this is to be written before it is answered.
    Flush(SyncSender<()>),
}

impl Lines {
    /// Starts the thread that writes to `sink`. It lives as long as some clone of the sending end.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(sink: impl Write + Send + 'static) -> io::Result<Self> {
        let (sender, receiver) = sync_channel(MOST_WAITING);
        let dropped = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&dropped);
        thread::Builder::new().name("log".to_owned()).spawn(move || write_all(&receiver, sink, &counted))?;
        Ok(Self { sender, dropped })
    }

    /// Waits until everything logged so far is written, but no longer than this.
    pub fn flush(&self, at_most: Duration) {
        let (done, written) = sync_channel(1);
        if self.sender.try_send(Message::Flush(done)).is_ok() {
            // Too late is too late: the process is about to end.
            let _ = written.recv_timeout(at_most);
        }
    }
}

/// One whole line is written at a time.
impl Write for Lines {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        match self.sender.try_send(Message::Line(line.to_vec())) {
            Ok(()) => {}
            Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => {
                self.dropped.fetch_add(1, Ordering::Relaxed);
            }
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn write_all(receiver: &Receiver<Message>, mut sink: impl Write, dropped: &AtomicU64) {
    for message in receiver {
        match message {
            // Nobody is left to be told that the log cannot be written.
            Message::Line(line) => drop(sink.write_all(&line)),
            Message::Flush(done) => {
                drop(sink.flush());
                // Whoever asked may have stopped waiting.
                let _ = done.try_send(());
            }
        }
        let lines = dropped.swap(0, Ordering::Relaxed);
        if lines > 0 {
            tracing::warn!(lines, "log lines were dropped, because nobody read them in time");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    /// A reader that takes nothing until it is let go, and then keeps all.
    #[derive(Clone)]
    struct Stalled(Arc<Mutex<Vec<u8>>>);

    impl Write for Stalled {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("nobody panics with it").extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_reader_that_stalls_holds_nobody_up_and_what_fits_the_queue_comes_later() {
        let sink = Stalled(Arc::default());
        let mut lines = Lines::start(sink.clone()).expect("a thread");
        let held = sink.0.lock().expect("nobody panics with it");
        for number in 0..2 * MOST_WAITING {
            lines.write_all(format!("{number}\n").as_bytes()).expect("never fails");
        }
        assert!(lines.dropped.load(Ordering::Relaxed) as usize >= MOST_WAITING - 1);
        drop(held);
        // The queue may be full still, and then a flush is not taken in either.
        while sink.0.lock().expect("nobody panics with it").is_empty() {
            thread::yield_now();
        }
        lines.flush(Duration::from_secs(60));
        let text = String::from_utf8(sink.0.lock().expect("nobody panics with it").clone()).expect("digits");
        assert!(text.starts_with("0\n1\n2\n"), "{}", &text[..20]);
    }
}
