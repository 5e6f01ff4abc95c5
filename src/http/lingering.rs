//! Ends a connection so that the last answer arrives. A socket that is closed while bytes of its peer wait to be read is
//! reset, and the reset can overtake the answer; so where a request was answered before its body had come to its end, what
//! is still coming is read and thrown away after the answer (RFC 9112, section 9.6).

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Bytes, HttpBody};
use hyper::body::{Frame, SizeHint};
use hyper::rt::{Read, ReadBuf, ReadBufCursor, Write};
use tokio::time::Sleep;

/// The most bytes that are thrown away: the largest body that any instance can be set to take.
const DISCARDED_MOST: usize = 16 << 20;
/// The longest that a peer is listened to: a client on a busy machine sends its body before it looks for an answer.
const DISCARDED_FOR: Duration = Duration::from_secs(5);

/// Whether the body of a connection's present request has not come to its end.
#[derive(Debug, Clone, Default)]
pub struct Unread(Arc<AtomicBool>);

impl Unread {
    /// Whether it has not.
    pub fn get(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    fn set(&self, unread: bool) {
        self.0.store(unread, Ordering::Relaxed);
    }
}

/// A body whose end is noted.
#[derive(Debug)]
pub struct Noted<B> {
    inner: B,
    unread: Unread,
}

impl<B: HttpBody> Noted<B> {
    /// The body of a request that begins now.
    pub fn new(inner: B, unread: Unread) -> Self {
        unread.set(!inner.is_end_stream());
        Self { inner, unread }
    }
}

impl<B: HttpBody<Data = Bytes> + Unpin> HttpBody for Noted<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        let this = self.get_mut();
        let frame = ready!(Pin::new(&mut this.inner).poll_frame(context));
        if frame.is_none() || this.inner.is_end_stream() {
            this.unread.set(false);
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

/// A connection that lingers after an answer to a request whose body was not read.
#[derive(Debug)]
pub struct Lingering<I> {
    inner: I,
    unread: Unread,
    /// When it stops to linger; `None` until it begins.
    end: Option<Pin<Box<Sleep>>>,
    discarded: usize,
}

impl<I> Lingering<I> {
    /// This connection, whose requests note in `unread` how far their bodies have come.
    pub fn new(inner: I, unread: Unread) -> Self {
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
        // Once it has begun to linger our own end is shut, and asking for that again might fail.
        if this.end.is_none() {
            ready!(Pin::new(&mut this.inner).poll_shutdown(context))?;
        }
        if this.unread.get() {
            ready!(this.poll_discard(context));
        }
        Poll::Ready(Ok(()))
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
