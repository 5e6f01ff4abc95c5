//! A client that asks and does not read: an answer that makes no way to it for too long ends the connection, so that nobody
//! holds a seat for ever by not reading.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::rt::{Read, ReadBufCursor, Write};
use tokio::time::{Instant, Sleep};

/// A connection whose writes fail when the other side takes nothing for some time.
#[derive(Debug)]
pub struct Patient<I> {
    inner: I,
    patience: Duration,
    /// When it is over; `None` while nothing waits to be written.
    end: Option<Pin<Box<Sleep>>>,
}

impl<I> Patient<I> {
    /// This connection, which may stand still for so long while an answer waits to be written.
    pub fn new(inner: I, patience: Duration) -> Self {
        Self { inner, patience, end: None }
    }
}

impl<I: Write + Unpin> Patient<I> {
    /// What a write came to: progress begins the wait anew, standstill ends in an error.
    fn judge<T>(&mut self, context: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.end = None;
            return written;
        }
        let patience = self.patience;
        let end =
            self.end.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(Instant::now() + patience)));
        match end.as_mut().poll(context) {
            Poll::Ready(()) => {
                Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the client does not read")))
            }
            Poll::Pending => Poll::Pending,
        }
    }
}

impl<I: Write + Unpin> Write for Patient<I> {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.inner).poll_write(context, bytes);
        this.judge(context, written)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let flushed = Pin::new(&mut this.inner).poll_flush(context);
        this.judge(context, flushed)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().inner).poll_shutdown(context)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.inner).poll_write_vectored(context, pieces);
        this.judge(context, written)
    }
}

impl<I: Read + Unpin> Read for Patient<I> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().inner).poll_read(context, buffer)
    }
}
