//! Ends a connection so that the last answer arrives. A socket that is closed while bytes of its peer wait to be read is
//! reset, and the reset can overtake the answer; so where a body was refused unread, what is still coming is read and thrown
//! away for a moment after the answer (RFC 9112, section 9.6).

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use hyper::rt::{Read, ReadBuf, ReadBufCursor, Write};
use tokio::time::Sleep;

/// The most bytes that are thrown away.
const DISCARDED_MOST: usize = 1 << 20;
/// The longest that a peer is listened to.
const DISCARDED_FOR: Duration = Duration::from_millis(500);

/// A connection that lingers where its flag asks for it.
#[derive(Debug)]
pub struct Lingering<I> {
    inner: I,
    unread: Arc<AtomicBool>,
    end: Option<Pin<Box<Sleep>>>,
    discarded: usize,
}

impl<I> Lingering<I> {
    /// This connection; `unread` is set once a body was refused unread.
    pub fn new(inner: I, unread: Arc<AtomicBool>) -> Self {
        Self { inner, unread, end: None, discarded: 0 }
    }
}

impl<I: Read + Unpin> Lingering<I> {
    /// Ready when the peer has stopped sending or has been listened to for long enough.
    fn poll_discard(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let end = self.end.get_or_insert_with(|| Box::pin(tokio::time::sleep(DISCARDED_FOR)));
        if end.as_mut().poll(context).is_ready() {
            return Poll::Ready(());
        }
        let mut scratch = [0; 8 << 10];
        while self.discarded < DISCARDED_MOST {
            let mut buffer = ReadBuf::new(&mut scratch);
            let read = ready!(Pin::new(&mut self.inner).poll_read(context, buffer.unfilled()));
            let count = buffer.filled().len();
            if read.is_err() || count == 0 {
                break;
            }
            self.discarded += count;
        }
        Poll::Ready(())
    }
}

impl<I: Read + Write + Unpin> Write for Lingering<I> {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().inner).poll_write(context, bytes)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().inner).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let ended = ready!(Pin::new(&mut this.inner).poll_shutdown(context));
        if ended.is_ok() && this.unread.load(Ordering::Relaxed) {
            ready!(this.poll_discard(context));
        }
        Poll::Ready(ended)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().inner).poll_write_vectored(context, pieces)
    }
}

impl<I: Read + Unpin> Read for Lingering<I> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().inner).poll_read(context, buffer)
    }
}
