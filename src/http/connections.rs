//! The accept loop. axum's own sets neither a header timeout nor a bound on connections, so a handful of slow clients
//! could hold every file descriptor; this one bounds the count, the wait for a header and the age of a connection, and
//! closes without losing a client that was already in the door.

use std::convert::Infallible;
use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use hyper::body::{Body as _, Incoming};
use hyper::header::{CONNECTION, HeaderValue};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt;

use super::lingering::{Lingering, Noted, Unread};
use super::patience::Patient;
use super::refusals::Worded;

/// Bounds on the connections of one listener.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConnectionBounds {
    /// Most connections held at once, at least 1; more wait in the system's queue.
    pub most: usize,
    /// Longest wait for the whole header of a request, idle time between two requests included.
    pub header_timeout: Duration,
    /// Longest standstill of an answer that the client does not read.
    pub write_timeout: Duration,
    /// Age after which a connection is closed once its current request is answered.
    pub max_age: Duration,
}

/// Connections that the system queues before they are accepted. More than any burst that one process can serve.
const BACKLOG: u32 = 1024;

/// Pause after the system refused a connection for want of resources (file descriptors, memory): they come back only
/// when other connections end, so asking again at once would only burn the CPU.
const EXHAUSTED_PAUSE: Duration = Duration::from_millis(50);

/// How long a connection that is to end still takes a request, so that one already on its way is answered (with
/// `connection: close`) and not reset. Only idle connections wait this long.
const FAREWELL: Duration = Duration::from_millis(100);

/// A body of this many bytes that nobody read is passed over, so that the connection can go on; a longer one ends it.
const PASSED_OVER_BYTES: u64 = 8 * 1024;

/// Largest request head, in bytes: a position in a URL takes under 1 KiB, cookies and tracing headers some more. A longer one
/// is answered with 431 (see `refusals`).
pub(super) const HEAD_BYTES: usize = 32 * 1024;

/// Most headers of a request; browsers behind several proxies send some forty.
pub(super) const HEADERS: usize = 100;

/// A socket that listens on this address; with port 0 the system picks one.
///
/// # Errors
/// What the system says, above all that the address is in use.
pub fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    // A restarted service takes its port back at once, though old connections still linger in TIME_WAIT.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Accepts connections and answers them with `app` until `closing` is cancelled; then takes in those that the system
/// has already accepted, and closes the socket. Connections go on until their current request is answered: `open`
/// tracks them.
pub async fn serve(
    listener: TcpListener,
    app: Router,
    bounds: ConnectionBounds,
    closing: CancellationToken,
    open: TaskTracker,
) {
    let seats = Arc::new(Semaphore::new(bounds.most));
    let shell = Shell { app, bounds, closing: closing.clone(), open };
    loop {
        let seat = tokio::select! {
            biased;
            () = closing.cancelled() => break,
            seat = Arc::clone(&seats).acquire_owned() => seat.expect("nobody closes the semaphore"),
        };
        let accepted = tokio::select! {
            biased;
            () = closing.cancelled() => break,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, peer)) => shell.spawn(stream, peer, Some(seat)),
            Err(error) if concerns_one_client(&error) => {}
            Err(error) => {
                tracing::warn!(%error, "cannot accept connections for now");
                tokio::time::sleep(EXHAUSTED_PAUSE).await;
            }
        }
    }
    shell.take_in_waiting(listener);
}

/// What every connection of one listener shares.
struct Shell {
    app: Router,
    bounds: ConnectionBounds,
    closing: CancellationToken,
    open: TaskTracker,
}

impl Shell {
    /// Takes in the clients whose connection the system has completed already: closing the socket under them would
    /// reset them, though they may have sent a whole request. They are at most [`BACKLOG`], so no seat is asked for.
    fn take_in_waiting(&self, listener: TcpListener) {
        let Ok(listener) = listener.into_std() else { return };
        // The socket does not block: the first error (usually WouldBlock) says that nobody waits any more.
        while let Ok((stream, peer)) = listener.accept() {
            if stream.set_nonblocking(true).is_ok()
                && let Ok(stream) = TcpStream::from_std(stream)
            {
                self.spawn(stream, peer, None);
            }
        }
    }

    fn spawn(&self, stream: TcpStream, peer: SocketAddr, seat: Option<OwnedSemaphorePermit>) {
        // Answers are written whole; waiting to fill a packet would only delay them. Failing to set it costs speed only.
        let _ = stream.set_nodelay(true);
        let connection = converse(stream, peer, self.app.clone(), self.bounds, self.closing.clone());
        self.open.spawn(async move {
            connection.await;
            drop(seat);
        });
    }
}

/// Serves one connection to its end.
async fn converse(
    stream: TcpStream,
    peer: SocketAddr,
    app: Router,
    bounds: ConnectionBounds,
    closing: CancellationToken,
) {
    let leaving = closing.child_token();
    let told = leaving.clone();
    let unread = Unread::default();
    let stream = Patient::new(TokioIo::new(stream), bounds.write_timeout);
    let stream = Lingering::new(stream, unread.clone());
    let service = hyper::service::service_fn(move |mut request: hyper::Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(peer));
        let (app, told, unread) = (app.clone(), told.clone(), unread.clone());
        async move {
            let much = request.body().size_hint().upper().is_none_or(|bytes| bytes > PASSED_OVER_BYTES);
            let request = request.map(|body| Body::new(Noted::new(body, unread.clone())));
            let answer = app.oneshot(request).await;
            let mut response = answer.unwrap_or_else(|never| match never {});
            if told.is_cancelled() || (much && unread.get()) {
                response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
            }
            Ok::<_, Infallible>(response)
        }
    });
    let mut connection = pin!(
        http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(bounds.header_timeout)
            .max_buf_size(HEAD_BYTES)
            .max_headers(HEADERS)
            .serve_connection(Worded::new(stream, peer), service)
    );
    let farewell = async {
        tokio::select! {
            () = leaving.cancelled() => {}
            () = tokio::time::sleep(bounds.max_age) => leaving.cancel(),
        }
        tokio::time::sleep(FAREWELL).await;
    };
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = farewell => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        // A client that leaves or never finishes its header is no fault of ours, and there may be many of them.
        tracing::debug!(%peer, %error, "connection ended early");
    }
}

/// Whether accepting failed because of the one client that was being accepted.
fn concerns_one_client(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset | ErrorKind::ConnectionRefused
    )
}

#[cfg(test)]
mod tests {
    use axum::routing::get;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::task::JoinHandle;

    use super::*;

    const BOUNDS: ConnectionBounds = ConnectionBounds {
        most: 8,
        header_timeout: Duration::from_secs(30),
        write_timeout: Duration::from_secs(30),
        max_age: Duration::from_secs(30),
    };

    const QUESTION: &[u8] = b"GET / HTTP/1.1\r\nhost: x\r\n\r\n";

    /// A listener on a free port that answers `GET /` with "here".
    struct Running {
        address: SocketAddr,
        closing: CancellationToken,
        open: TaskTracker,
        accepting: JoinHandle<()>,
    }

    fn start(bounds: ConnectionBounds) -> Running {
        let listener = bind(SocketAddr::from(([127, 0, 0, 1], 0))).expect("a free port");
        let address = listener.local_addr().expect("it is bound");
        let (closing, open) = (CancellationToken::new(), TaskTracker::new());
        let app = Router::new().route("/", get(|| async { "here" }));
        let accepting = tokio::spawn(serve(listener, app, bounds, closing.clone(), open.clone()));
        Running { address, closing, open, accepting }
    }

    async fn connect(running: &Running) -> TcpStream {
        TcpStream::connect(running.address).await.expect("it listens")
    }

    async fn all_of(mut stream: TcpStream) -> String {
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.expect("closed in order");
        answer
    }

    #[tokio::test]
    async fn a_header_that_never_ends_is_cut_off_without_a_408() {
        let running = start(ConnectionBounds { header_timeout: Duration::from_millis(30), ..BOUNDS });
        let mut stream = connect(&running).await;
        stream.write_all(b"GET / HTTP/1.1\r\nhost:").await.expect("open");
        let answer = all_of(stream).await;
        assert!(!answer.contains("408"), "{answer}");
    }

    #[tokio::test]
    async fn a_header_that_is_too_long_is_refused_and_the_connection_closed() {
        let running = start(BOUNDS);
        let mut stream = connect(&running).await;
        let mut head = b"GET / HTTP/1.1\r\nhost: x\r\ncookie: ".to_vec();
        // Exactly full: whatever were left unread would make the system reset the connection and lose the answer.
        head.resize(HEAD_BYTES, b'x');
        stream.write_all(&head).await.expect("open");
        let answer = all_of(stream).await;
        assert!(answer.starts_with("HTTP/1.1 431 "), "{answer}");
        assert!(answer.contains("content-type: application/problem+json\r\n"), "{answer}");
        assert!(
            answer.contains(r#""code":"head_too_large""#) && answer.contains("x-request-id: "),
            "{answer}"
        );
    }

    #[tokio::test]
    async fn more_headers_than_are_read_are_refused_with_their_number() {
        let running = start(BOUNDS);
        let mut stream = connect(&running).await;
        let many = "x: y\r\n".repeat(HEADERS + 1);
        stream.write_all(format!("GET / HTTP/1.1\r\n{many}\r\n").as_bytes()).await.expect("open");
        let answer = all_of(stream).await;
        assert!(answer.starts_with("HTTP/1.1 431 ") && answer.contains("or are more than 100"), "{answer}");
    }

    #[tokio::test]
    async fn bytes_that_are_no_request_are_refused_in_words() {
        for bytes in [
            &b"GET\r\n\r\n"[..],
            b"GET / HTTP/1.1\r\nno colon\r\n\r\n",
            b"GET / HTTP/1.1\r\nhost: x\r\nna me: x\r\n\r\n",
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 hello over TLS\r\n\r\n",
            b"G\0T / HTTP/1.1\r\nhost: x\r\n\r\n",
            b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab",
        ] {
            let running = start(BOUNDS);
            let mut stream = connect(&running).await;
            stream.write_all(bytes).await.expect("open");
            let answer = all_of(stream).await;
            let shown = String::from_utf8_lossy(bytes);
            assert!(answer.starts_with("HTTP/1.1 400 "), "{shown}: {answer}");
            assert!(answer.contains(r#""code":"bad_request""#), "{shown}: {answer}");
        }
    }

    #[tokio::test]
    async fn requests_in_one_piece_are_answered_in_their_order() {
        let running = start(BOUNDS);
        let mut stream = connect(&running).await;
        let questions = "GET / HTTP/1.1\r\nhost: x\r\n\r\nGET /missing HTTP/1.1\r\nhost: x\r\n\r\n\
                         GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
        stream.write_all(questions.as_bytes()).await.expect("open");
        let answer = all_of(stream).await;
        let statuses: Vec<&str> =
            answer.split("HTTP/1.1 ").skip(1).filter_map(|answer| answer.get(..3)).collect();
        assert_eq!(statuses, ["200", "404", "200"], "{answer}");
    }

    #[tokio::test]
    async fn who_does_not_read_an_answer_is_cut_off() {
        let listener = bind(SocketAddr::from(([127, 0, 0, 1], 0))).expect("a free port");
        let address = listener.local_addr().expect("it is bound");
        let (closing, open) = (CancellationToken::new(), TaskTracker::new());
        // More than the system takes in on both sides for a client that sleeps.
        let app = Router::new().route("/", get(|| async { vec![b'x'; 64 << 20] }));
        let bounds = ConnectionBounds { write_timeout: Duration::from_millis(50), ..BOUNDS };
        let accepting = tokio::spawn(serve(listener, app, bounds, closing.clone(), open.clone()));
        let mut stream = TcpStream::connect(address).await.expect("it listens");
        stream.write_all(QUESTION).await.expect("open");
        let mut start_of_answer = [0; 12];
        stream.read_exact(&mut start_of_answer).await.expect("it begins");
        open.close();
        // Without a bound this would wait for ever.
        open.wait().await;
        closing.cancel();
        accepting.await.expect("ended");
    }

    #[tokio::test]
    async fn an_old_connection_is_closed_after_its_answer() {
        let running = start(ConnectionBounds { max_age: Duration::from_millis(30), ..BOUNDS });
        let mut stream = connect(&running).await;
        stream.write_all(QUESTION).await.expect("open");
        // The client asks to keep the connection; only its age ends this read.
        assert!(all_of(stream).await.ends_with("here"));
    }

    #[tokio::test]
    async fn one_more_than_the_bound_waits_for_a_seat() {
        let running = start(ConnectionBounds { most: 1, ..BOUNDS });
        let mut first = connect(&running).await;
        first.write_all(QUESTION).await.expect("open");
        let mut start_of_answer = [0; 12];
        first.read_exact(&mut start_of_answer).await.expect("answered");
        let mut second = connect(&running).await;
        second.write_all(QUESTION).await.expect("the system queues it");
        assert_eq!(running.open.len(), 1, "the second has no seat");
        drop(first);
        let mut byte = [0];
        second.read_exact(&mut byte).await.expect("answered once the first has left");
    }

    #[tokio::test]
    async fn closing_answers_those_already_in_the_door() {
        let running = start(ConnectionBounds { most: 1, ..BOUNDS });
        let holder = connect(&running).await;
        let mut waiting = Vec::new();
        for _ in 0..20 {
            let mut stream = connect(&running).await;
            stream.write_all(QUESTION).await.expect("the system queues it");
            waiting.push(stream);
        }
        running.closing.cancel();
        running.accepting.await.expect("the loop ends");
        for stream in waiting {
            assert!(all_of(stream).await.ends_with("here"));
        }
        drop(holder);
        running.open.close();
        running.open.wait().await;
        assert!(TcpStream::connect(running.address).await.is_err(), "the socket is closed");
    }
}
