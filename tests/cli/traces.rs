//! Traces of the real program, as a collector receives them. Only in builds with the feature `otlp`: .ci/run makes one.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::process::{Running, discern, post, read_all, status};

/// Far beyond what anything here takes: only a hang reaches it.
const PATIENCE: Duration = Duration::from_secs(60);

/// One field of a message in the binary form of Protocol Buffers.
enum Field<'a> {
    Number(u64),
    Bytes(&'a [u8]),
}

/// The fields of a message, by their numbers. Written from the description of the encoding, so that what is received is not read
/// by the library that sent it.
fn fields(mut message: &[u8]) -> Vec<(u64, Field<'_>)> {
    fn number(message: &mut &[u8]) -> u64 {
        let mut value = 0;
        for shift in (0..).step_by(7) {
            let (&byte, rest) = message.split_first().unwrap();
            *message = rest;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
        }
        value
    }
    let mut found = Vec::new();
    while !message.is_empty() {
        let key = number(&mut message);
        let length = match key & 7 {
            0 => {
                found.push((key >> 3, Field::Number(number(&mut message))));
                continue;
            }
            1 => 8,
            2 => usize::try_from(number(&mut message)).unwrap(),
            5 => 4,
            other => panic!("wire type {other}"),
        };
        let (bytes, rest) = message.split_at(length);
        found.push((key >> 3, Field::Bytes(bytes)));
        message = rest;
    }
    found
}

/// All parts of a message with this number.
fn parts(message: &[u8], wanted: u64) -> Vec<&[u8]> {
    let bytes = |(number, field)| match field {
        Field::Bytes(bytes) if number == wanted => Some(bytes),
        Field::Bytes(_) | Field::Number(_) => None,
    };
    fields(message).into_iter().filter_map(bytes).collect()
}

fn text(message: &[u8], wanted: u64) -> String {
    parts(message, wanted).first().map(|bytes| String::from_utf8(bytes.to_vec()).unwrap()).unwrap_or_default()
}

/// Keys and values of attributes; numbers as decimal texts.
fn attributes(message: &[u8], wanted: u64) -> HashMap<String, String> {
    let value = |attribute| match fields(parts(attribute, 2)[0]).first() {
        Some((_, Field::Bytes(bytes))) => String::from_utf8(bytes.to_vec()).unwrap(),
        Some((_, Field::Number(number))) => number.to_string(),
        None => String::new(),
    };
    parts(message, wanted).into_iter().map(|attribute| (text(attribute, 1), value(attribute))).collect()
}

/// A span as it was received (`opentelemetry.proto.trace.v1.Span`).
#[derive(Debug)]
struct Span {
    trace: Vec<u8>,
    id: Vec<u8>,
    parent: Vec<u8>,
    name: String,
    attributes: HashMap<String, String>,
    service: String,
}

/// The spans of an export (`ExportTraceServiceRequest`).
fn spans(export: &[u8]) -> Vec<Span> {
    let mut spans = Vec::new();
    for of_resource in parts(export, 1) {
        let resource = attributes(parts(of_resource, 1)[0], 1);
        for span in parts(of_resource, 2).into_iter().flat_map(|of_scope| parts(of_scope, 2)) {
            let bytes = |number| parts(span, number).first().map(|bytes| bytes.to_vec()).unwrap_or_default();
            spans.push(Span {
                trace: bytes(1),
                id: bytes(2),
                parent: bytes(4),
                name: text(span, 5),
                attributes: attributes(span, 9),
                service: resource["service.name"].clone(),
            });
        }
    }
    spans
}

/// A collector that takes what comes. Gives its address and the spans.
fn collector() -> (String, Receiver<Span>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let (sender, receiver) = channel();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = BufReader::new(stream.unwrap());
            loop {
                let head: Vec<String> = stream
                    .by_ref()
                    .lines()
                    .map_while(Result::ok)
                    .take_while(|line| !line.is_empty())
                    .collect();
                let Some(first) = head.first() else { break };
                assert_eq!(first, "POST /v1/traces HTTP/1.1");
                let length = head.iter().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
                let mut body = vec![0; length.parse().unwrap()];
                stream.read_exact(&mut body).unwrap();
                for span in spans(&body) {
                    // The test may have seen enough.
                    let _ = sender.send(span);
                }
                stream.get_mut().write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").unwrap();
            }
        }
    });
    (format!("http://{address}"), receiver)
}

/// The service with traces to this collector.
fn start(collector: &str, more: &[&str]) -> Running {
    let mut command = discern(&["serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"]);
    command.args(["--threads", "1", "--memory-mib", "256"]).args(more);
    command.env("OTEL_EXPORTER_OTLP_ENDPOINT", collector).env("OTEL_SERVICE_NAME", "under-test");
    Running::with(command)
}

fn ask(service: &Running, headers: &str) -> String {
    let body = r#"{"moves": "f5", "threads": 1, "limits": {"depth": 3}}"#;
    let head = format!("host: x\r\nconnection: close\r\n{headers}");
    read_all(service.sent(&post("/v1/othello/analysis", body).replace("host: x\r\n", &head)))
}

#[test]
fn a_request_and_its_search_arrive_at_the_collector_as_parts_of_the_callers_trace() {
    let (address, received) = collector();
    let service = start(&address, &[]);
    let caller = "traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\r\n";
    assert_eq!(status(&ask(&service, &format!("x-request-id: traced-by-a-test\r\n{caller}"))), Some(200));
    // What is left leaves before the process ends.
    service.terminate();
    assert_eq!(service.end().0, Some(0));
    let spans: Vec<Span> = received.try_iter().collect();
    let find = |name: &str| {
        spans.iter().find(|span| span.name == name).unwrap_or_else(|| panic!("{name} in {spans:?}"))
    };
    let (request, search) = (find("POST /v1/othello/analysis"), find("search"));
    assert_eq!(request.service, "under-test");
    for (key, value) in [
        ("request_id", "traced-by-a-test"),
        ("http.request.method", "POST"),
        ("http.route", "/v1/othello/analysis"),
        ("http.response.status_code", "200"),
    ] {
        assert_eq!(request.attributes.get(key).map(String::as_str), Some(value), "{request:?}");
    }
    assert_eq!(hex(&request.trace), "0af7651916cd43dd8448eb211c80319c");
    assert_eq!(hex(&request.parent), "b7ad6b7169203331");
    assert_eq!((&search.trace, &search.parent), (&request.trace, &request.id));
    assert_eq!(search.attributes["outcome"], "answered", "{search:?}");
    assert_eq!(search.attributes["source"], "searched", "{search:?}");
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn without_anybody_at_the_address_requests_are_answered_and_the_end_comes_in_time() {
    // A port that was free a moment ago, and one whose owner takes connections and never says a word.
    let gone = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    for address in [gone, silent.local_addr().unwrap()] {
        let service = start(&format!("http://{address}"), &["--drain-ms", "1000"]);
        for _ in 0..20 {
            assert_eq!(status(&ask(&service, "")), Some(200));
        }
        let told = Instant::now();
        service.terminate();
        let log = service.log();
        assert!(told.elapsed() < PATIENCE, "the drain of a second was held up");
        let delivered = log.contains("traces cannot be delivered")
            || log.contains("the last traces could not be delivered");
        assert!(delivered, "{log}");
    }
}
