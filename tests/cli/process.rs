//! The program as a child process.

use std::borrow::BorrowMut;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::thread::JoinHandle;

use rustix::process::{Pid, Signal, kill_process};

/// The program with an environment free of settings.
pub fn discern(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_discern"));
    let ours = std::env::vars_os().map(|(name, _)| name);
    let is_ours = |name: &str| name.starts_with("DISCERN_") || name.starts_with("OTEL_");
    for name in ours.filter(|name| is_ours(&name.to_string_lossy())) {
        command.env_remove(name);
    }
    command.args(arguments).stdin(Stdio::null());
    command
}

/// Runs it to its end.
pub fn run(arguments: &[&str]) -> Output {
    discern(arguments).output().unwrap()
}

/// Standard output of an end with code 0.
pub fn printed(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// What was written to standard error.
pub fn complaint(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A running service on free ports. It is killed with this value, unless it has ended before.
pub struct Running {
    child: Child,
    stdout: BufReader<ChildStdout>,
    log: Option<JoinHandle<String>>,
    /// `127.0.0.1:PORT` of the API.
    pub address: String,
    /// `127.0.0.1:PORT` of the admin listener.
    pub admin: String,
}

impl Running {
    /// Starts the service with these flags and waits until its ports are open.
    pub fn start(flags: &[&str]) -> Self {
        let free = ["serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--threads", "2"];
        let mut command = discern(&free);
        command.args(["--memory-mib", "160"]).args(flags);
        Self::with(command)
    }

    /// Starts this command, which must be a service on free ports, and waits until its ports are open.
    pub fn with(mut command: impl BorrowMut<Command>) -> Self {
        let command = command.borrow_mut();
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut stderr = child.stderr.take().unwrap();
        // Read all the time, so that a long log never blocks the service.
        let log = std::thread::spawn(move || {
            let mut log = String::new();
            stderr.read_to_string(&mut log).unwrap();
            log
        });
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        let words: Vec<_> = line.split_whitespace().collect();
        let ["listening", address, "admin", admin] = words[..] else {
            panic!("unexpected first line {line:?}; the log: {}", log.join().unwrap())
        };
        let plain = |url: &str| url.strip_prefix("http://").unwrap().to_owned();
        Self { address: plain(address), admin: plain(admin), child, stdout, log: Some(log) }
    }

    /// Sends SIGTERM.
    pub fn terminate(&self) {
        let id = i32::try_from(self.child.id()).unwrap();
        kill_process(Pid::from_raw(id).unwrap(), Signal::TERM).unwrap();
    }

    /// Waits for the end and gives the exit code, with what was printed after the first line.
    pub fn end(mut self) -> (Option<i32>, String) {
        let mut rest = String::new();
        self.stdout.read_to_string(&mut rest).unwrap();
        (self.child.wait().unwrap().code(), rest)
    }

    /// A connection to the API on which this text has been sent.
    pub fn sent(&self, text: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.write_all(text.as_bytes()).unwrap();
        stream
    }

    /// The status that the admin listener answers, or `None` when nobody answers.
    pub fn admin_status(&self, path: &str) -> Option<u16> {
        status(&self.admin_answer(path)?)
    }

    /// The whole answer of the admin listener, header included.
    pub fn admin_answer(&self, path: &str) -> Option<String> {
        let mut stream = TcpStream::connect(&self.admin).ok()?;
        write!(stream, "GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").ok()?;
        Some(read_all(stream))
    }

    /// Waits for the end, which must be with code 0, and gives the log.
    pub fn log(mut self) -> String {
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
        self.log.take().unwrap().join().unwrap()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Everything until the other side closes.
pub fn read_all(mut stream: TcpStream) -> String {
    let mut answer = String::new();
    // A connection that breaks leaves what was read, and the test sees what is missing.
    let _ = stream.read_to_string(&mut answer);
    answer
}

/// The status of an HTTP answer.
pub fn status(answer: &str) -> Option<u16> {
    answer.strip_prefix("HTTP/1.1 ")?.get(..3)?.parse().ok()
}

/// A `POST` with a JSON body, as it goes over the wire.
pub fn post(path: &str, body: &str) -> String {
    format!(
        "POST {path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
}
