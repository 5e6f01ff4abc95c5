//! What machines and people do to a service: kill it, fill its disk, give it next to no files, leave, never read.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::process::{Running, complaint, discern, post, read_all, run, status};

/// Far beyond what anything here takes: only a hang reaches it.
const PATIENCE: Duration = Duration::from_secs(60);

const FREE: [&str; 9] = [
    "serve",
    "--listen",
    "127.0.0.1:0",
    "--admin-listen",
    "127.0.0.1:0",
    "--threads",
    "2",
    "--memory-mib",
    "160",
];

/// An analysis of at least a minute, unlike any other with another number.
fn long(service: &Running, accept: &str, number: u64) -> TcpStream {
    let body =
        format!(r#"{{"moves": "f5d6c3", "threads": 1, "limits": {{"nodes": {}}}}}"#, 10_000_000_000 + number);
    let accept = format!("host: x\r\naccept: {accept}\r\n");
    let stream = service.sent(&post("/v1/othello/analysis", &body).replace("host: x\r\n", &accept));
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream
}

fn get(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    std::io::Write::write_all(
        &mut stream,
        format!("GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").as_bytes(),
    )
    .unwrap();
    read_all(stream)
}

/// What the pool has done and does, by the names of its metrics without labels, and the searches by outcome.
fn counts(service: &Running) -> HashMap<String, f64> {
    let page = service.admin_answer("/metrics").unwrap();
    let line =
        |line: &str| Some((line.rsplit_once(' ')?.0.to_owned(), line.rsplit_once(' ')?.1.parse().ok()?));
    page.lines().filter(|line| line.starts_with("discern_")).filter_map(line).collect()
}

fn wait_until(service: &Running, reached: impl Fn(&HashMap<String, f64>) -> bool) {
    while !reached(&counts(service)) {
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// An empty folder of this test's own.
fn empty_folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
    // It is there only after a run that was cut off.
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn killed_under_load_it_is_back_at_once_on_the_same_ports_and_nothing_is_left_behind() {
    let folder = empty_folder("killed");
    let (mut ports, mut answers, mut clients) = (None, Vec::new(), Vec::new());
    for _ in 0..3 {
        let (listen, admin) = ports.clone().unwrap_or(("127.0.0.1:0".to_owned(), "127.0.0.1:0".to_owned()));
        let mut command = discern(&["serve", "--listen", &listen, "--admin-listen", &admin]);
        command.args(["--threads", "2", "--memory-mib", "160"]);
        command.current_dir(&folder).env("HOME", &folder).env("TMPDIR", &folder);
        let service = Running::with(command);
        ports = Some((service.address.clone(), service.admin.clone()));
        let question = "/v1/othello/analysis?moves=f5d6c3d3c4&deterministic=true&depth=8&goal=all_moves";
        let answer = get(&service.address, question);
        assert_eq!(status(&answer), Some(200), "{answer}");
        answers.push(answer.split_once("\r\n\r\n").unwrap().1.to_owned());
        let load: Vec<TcpStream> = (0..20)
            .map(|number| {
                long(&service, ["application/json", "text/event-stream"][number as usize % 2], number)
            })
            .collect();
        wait_until(&service, |counts| counts["discern_searches_admitted_total"] >= 21.0);
        // The clients stay on their ends while the next one starts.
        clients.push(load);
        // Dropping it kills it: no drain, no farewell.
        drop(service);
    }
    assert_eq!((&answers[1], &answers[2]), (&answers[0], &answers[0]));
    let left: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(left.is_empty(), "{left:?}");
    std::fs::remove_dir(&folder).unwrap();
}

/// The service with this limit of open files.
fn with_files(files: u32) -> Command {
    let mut command = discern(&[]);
    let program = command.get_program().to_owned();
    let mut shell = Command::new("sh");
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    shell
        .args(["-c", &format!("ulimit -n {files}; exec \"$0\" \"$@\"")])
        .arg(program)
        .args(FREE)
        .stdin(Stdio::null());
    command = shell;
    command
}

#[test]
fn with_few_open_files_it_says_so_and_its_probes_are_answered() {
    let service = Running::with(with_files(64));
    // 64 files less 48 for everything else.
    let mut idle: Vec<TcpStream> =
        (0..40).map(|_| service.sent("GET /v1/limits HTTP/1.1\r\nhost: x\r\n\r\n")).collect();
    for held in &mut idle[..16] {
        held.read_exact(&mut [0; 12]).unwrap();
    }
    for path in ["/live", "/ready", "/metrics"] {
        assert_eq!(service.admin_status(path).map(|status| status / 100), Some(2), "{path}");
    }
    drop(idle);
    assert_eq!(status(&get(&service.address, "/v1/limits")), Some(200));
    service.terminate();
    let log = service.log();
    assert!(log.contains("\"connections\":16,\"wanted\":1024"), "{log}");
    assert!(!log.contains("cannot accept"), "{log}");

    let hopeless = with_files(50).output().unwrap();
    assert_eq!(hopeless.status.code(), Some(78), "{hopeless:?}");
    assert!(complaint(&hopeless).contains("50 open files are too few"), "{hopeless:?}");
}

/// A service that is killed with this value.
struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn it_serves_whatever_becomes_of_its_output() {
    let full = || Stdio::from(File::options().write(true).open("/dev/full").unwrap());
    // A disk that is full for the log.
    let mut command = discern(&FREE);
    let mut child = Killed(command.stdout(Stdio::piped()).stderr(full()).spawn().unwrap());
    let mut line = String::new();
    BufReader::new(child.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.split_whitespace().nth(1).unwrap().strip_prefix("http://").unwrap();
    for _ in 0..50 {
        assert_eq!(status(&get(address, "/v1/limits")), Some(200));
    }
    // One that is full for the first line, and nobody who reads it.
    for full_disk in [Some(full()), None] {
        let mut command = discern(&FREE);
        let mut child = Killed(
            command.stdout(full_disk.unwrap_or_else(Stdio::piped)).stderr(Stdio::piped()).spawn().unwrap(),
        );
        drop(child.0.stdout.take());
        let log = BufReader::new(child.0.stderr.take().unwrap());
        let lines = log.lines().map(|line| serde_json::from_str::<Value>(&line.unwrap()).unwrap());
        let ready = lines.into_iter().find(|line| line["message"] == "ready").unwrap();
        assert_eq!(status(&get(ready["address"].as_str().unwrap(), "/v1/limits")), Some(200));
    }
}

#[test]
fn sigterm_ends_streams_with_one_last_record_each() {
    let service = Running::start(&["--drain-ms", "1500"]);
    let streams: Vec<TcpStream> = (0..12)
        .map(|number| {
            long(&service, ["application/x-ndjson", "text/event-stream"][number as usize % 2], number)
        })
        .collect();
    wait_until(&service, |counts| counts["discern_searches_admitted_total"] >= 12.0);
    service.terminate();
    let mut results = 0;
    for (number, stream) in streams.into_iter().enumerate() {
        let text = read_all(stream);
        assert_eq!(status(&text), Some(200), "{text}");
        assert!(text.ends_with("0\r\n\r\n"), "stream {number} broke off: {text}");
        let finals = text.matches("\"final\":true").count();
        let problems = text.matches("\"code\":\"draining\"").count();
        assert_eq!(finals + problems, 1, "{text}");
        assert_eq!(text.matches("\"stop_reason\":\"draining\"").count(), finals, "{text}");
        results += finals;
    }
    assert!(results >= 2, "both threads had begun a search");
    assert_eq!(service.end().0, Some(0));
}

/// Clients who wait for a short answer, who watch a stream, and who ask and leave: three kinds at once, of each more than there
/// is room for.
#[test]
fn under_three_kinds_of_clients_at_once_every_request_is_accounted_for() {
    let service = Running::start(&["--queue-max", "8"]);
    let (wait, watch, leave) = std::thread::scope(|scope| {
        let service = &service;
        let spawn = |client: fn(&Running, u64) -> [u32; 2]| {
            let threads: Vec<_> = (0..8)
                .map(|at| {
                    scope.spawn(move || {
                        (0..6)
                            .map(|round| client(service, at * 100 + round))
                            .fold([0, 0], |sum, next| [sum[0] + next[0], sum[1] + next[1]])
                    })
                })
                .collect();
            move || {
                threads
                    .into_iter()
                    .map(|thread| thread.join().unwrap())
                    .fold([0, 0], |sum, next| [sum[0] + next[0], sum[1] + next[1]])
            }
        };
        let waiting = spawn(|service, number| {
            let body = format!(
                r#"{{"moves": "f5d6", "threads": 1, "limits": {{"time_ms": {}}}}}"#,
                40 + number % 100
            );
            let head = "host: x\r\nconnection: close\r\n";
            let answer =
                read_all(service.sent(&post("/v1/othello/analysis", &body).replace("host: x\r\n", head)));
            sorted(&answer, "\"final\":true")
        });
        let watching = spawn(|service, number| {
            let body = format!(
                r#"{{"moves": "f5f6", "threads": 1, "limits": {{"time_ms": {}}}}}"#,
                60 + number % 100
            );
            let head = "host: x\r\nconnection: close\r\naccept: text/event-stream\r\n";
            let answer =
                read_all(service.sent(&post("/v1/othello/analysis", &body).replace("host: x\r\n", head)));
            if answer.contains("event: problem") {
                assert!(answer.contains("\"code\":\"overloaded\""), "{answer}");
                return [0, 1];
            }
            sorted(&answer, "event: result")
        });
        let leaving = spawn(|service, number| {
            drop(long(service, "application/json", number));
            [0, 0]
        });
        (waiting(), watching(), leaving())
    });
    assert_eq!(wait[0] + wait[1], 48, "every one who waited was answered");
    assert_eq!(watch[0] + watch[1], 48, "and every one who watched");
    assert_eq!(leave, [0, 0]);
    assert!(wait[0] + watch[0] >= 1, "{wait:?} {watch:?}");
    // Nothing is left of those who left, and every search that was taken in ended in one way.
    wait_until(&service, |counts| counts["discern_pool_busy"] == 0.0);
    let counts = counts(&service);
    let outcome = |name: &str| counts[&format!("discern_searches_total{{outcome=\"{name}\"}}")];
    let ended: f64 = ["completed", "cancelled", "expired", "failed"].map(outcome).iter().sum();
    assert!((ended - counts["discern_searches_admitted_total"]).abs() < 0.5, "{counts:?}");
    assert!(service.admin_status("/ready").is_some_and(|status| status < 300));
}

/// Whether a request was answered or refused for the load, once each.
fn sorted(answer: &str, mark: &str) -> [u32; 2] {
    match status(answer) {
        Some(200) => {
            assert_eq!(answer.matches(mark).count(), 1, "{answer}");
            [1, 0]
        }
        Some(503) => {
            assert!(
                answer.contains("\"code\":\"overloaded\"") && answer.contains("\"retry_after_ms\":"),
                "{answer}"
            );
            [0, 1]
        }
        _ => panic!("neither an answer nor a refusal: {answer:?}"),
    }
}

#[test]
fn neither_of_two_ports_is_shared_with_another_service() {
    let first = Running::start(&[]);
    for flags in [
        ["--listen", &first.admin, "--admin-listen", "127.0.0.1:0"],
        ["--listen", "127.0.0.1:0", "--admin-listen", &first.address],
    ] {
        let second = run(&[&["serve", "--threads", "1", "--memory-mib", "256"], &flags[..]].concat());
        assert_eq!(second.status.code(), Some(69), "{second:?}");
    }
    assert_eq!(status(&get(&first.address, "/v1/status")), Some(200));
    assert!(first.admin_status("/ready").is_some_and(|status| status < 300));
}

#[test]
fn a_client_who_never_reads_is_cut_off() {
    let service = Running::start(&["--write-timeout-ms", "100", "--max-connections", "1"]);
    // The document, asked for so often that neither side's buffers hold the answers.
    let one = "GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n";
    let deaf = service.sent(&one.repeat(400));
    // The only seat is free again once the first client is gone.
    assert_eq!(status(&get(&service.address, "/v1/limits")), Some(200));
    drop(deaf);
}
