//! Refusals that the HTTP library writes by itself, before there is a request: bytes that are not HTTP/1.1, and heads over the
//! limit. It sends a bare status line; on the way to the socket that becomes a problem body, like every other failure.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use super::request_id;
use crate::wire::problem::{Problem, ProblemCode};
use hyper::rt::{Read, ReadBufCursor, Write};

/// A connection on which refusals without words are given some.
#[derive(Debug)]
pub struct Worded<I> {
    inner: I,
    peer: SocketAddr,
    replacing: Option<Replacement>,
}

/// What is written instead of a refusal.
#[derive(Debug)]
struct Replacement {
    bytes: Vec<u8>,
    written: usize,
    /// How many bytes of the library's it stands for.
    replaced: usize,
}

impl<I> Worded<I> {
    /// This connection, whose other end is `peer`.
    pub fn new(inner: I, peer: SocketAddr) -> Self {
        Self { inner, peer, replacing: None }
    }
}

/// Our own answers all carry this header, so a head without it is the library's.
const OURS: &[u8] = b"\r\nx-request-id: ";

/// The status of a refusal that the library made: one whole head, and nothing behind it.
fn bare_refusal(bytes: &[u8]) -> Option<u16> {
    let status = bytes.strip_prefix(b"HTTP/1.1 ").or_else(|| bytes.strip_prefix(b"HTTP/1.0 "))?.get(..3)?;
    let is_ours = || bytes.windows(OURS.len()).any(|window| window == OURS);
    if ![&b"400"[..], b"431"].contains(&status) || !bytes.ends_with(b"\r\n\r\n") || is_ours() {
        return None;
    }
    std::str::from_utf8(status).ok()?.parse().ok()
}

/// The problem for a refusal with this status, as it goes over the wire.
fn problem(status: u16, request_id: &str) -> Vec<u8> {
    let (code, detail) = match ProblemCode::from_status(status) {
        code @ ProblemCode::HeadTooLarge => (
            code,
            format!(
                "the request line and the headers hold more than {} bytes, or are more than {} headers",
                super::connections::HEAD_BYTES,
                super::connections::HEADERS
            ),
        ),
        code => (code, "the bytes are not an HTTP/1.1 request".to_owned()),
    };
    let problem = Problem::new(code, detail).into_body(String::new(), request_id.to_owned());
    let body = serde_json::to_string(&problem).expect("a problem holds only texts and numbers");
    let reason = if problem.status == 431 { "Request Header Fields Too Large" } else { "Bad Request" };
    let head = format!(
        "HTTP/1.1 {} {reason}\r\ncontent-type: application/problem+json\r\ncontent-length: {}\r\n\
         x-request-id: {request_id}\r\nx-content-type-options: nosniff\r\ncache-control: no-store\r\nconnection: close\r\n\r\n",
        problem.status,
        body.len()
    );
    (head + &body).into_bytes()
}

impl<I: Write + Unpin> Worded<I> {
    fn replacement(&self, bytes: &[u8]) -> Option<Replacement> {
        let status = bare_refusal(bytes)?;
        let request_id = request_id::fresh().to_string();
        tracing::info!(peer = %self.peer, request_id, status, "what came was no request");
        Some(Replacement { bytes: problem(status, &request_id), written: 0, replaced: bytes.len() })
    }
}

impl<I: Write + Unpin> Write for Worded<I> {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        if this.replacing.is_none() {
            this.replacing = this.replacement(bytes);
        }
        let Some(replacing) = &mut this.replacing else {
            return Pin::new(&mut this.inner).poll_write(context, bytes);
        };
        while replacing.written < replacing.bytes.len() {
            let rest = &replacing.bytes[replacing.written..];
            let written = ready!(Pin::new(&mut this.inner).poll_write(context, rest))?;
            if written == 0 {
                return Poll::Ready(Ok(0));
            }
            replacing.written += written;
        }
        let replaced = replacing.replaced;
        this.replacing = None;
        Poll::Ready(Ok(replaced))
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().inner).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().inner).poll_shutdown(context)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    /// Refusals of the library are one piece; answers in several pieces are ours.
    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        match pieces {
            [piece] => self.poll_write(context, piece),
            _ => Pin::new(&mut self.get_mut().inner).poll_write_vectored(context, pieces),
        }
    }
}

impl<I: Read + Unpin> Read for Worded<I> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().inner).poll_read(context, buffer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_bare_head_of_the_library_is_a_refusal_without_words() {
        assert_eq!(
            bare_refusal(b"HTTP/1.1 431 X\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"),
            Some(431)
        );
        for other in [
            &b"HTTP/1.1 400 Bad Request\r\nx-request-id: 1\r\ncontent-length: 0\r\n\r\n"[..],
            b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n",
            b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n",
            b"HTTP/1.1 400 Bad Request\r\ncontent-length: 2\r\n\r\n{}",
            b"{\"HTTP/1.1 400 \": 1}\r\n\r\n",
            b"HTTP/1.1 4",
            b"",
        ] {
            assert_eq!(bare_refusal(other), None, "{}", String::from_utf8_lossy(other));
        }
    }
}
