//! Bodies that must be refused, by families: `tests/data/hostile/README.md` says where they come from.

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::Value;

use crate::client::Server;

const BODIES: &str = include_str!("../data/hostile/bodies.jsonl");

/// Fewer would mean that the file was cut.
const LEAST: usize = 300;

/// The bytes of a case's body.
fn body(case: &Value) -> Vec<u8> {
    let mut bytes = match case["hex"].as_str() {
        Some(hex) => {
            (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
        }
        None => case["body"].as_str().unwrap().as_bytes().to_vec(),
    };
    if let Some(size) = case["padded_to"].as_u64() {
        bytes.resize(usize::try_from(size).unwrap(), b' ');
    }
    bytes
}

/// Sends a case over a connection of its own and gives status, content type and body of the answer. The whole body is
/// sent before anything is read, as simple clients do: the answer must arrive even where the body was refused unread.
fn ask(server: &Server, case: &Value) -> (u16, String, Value) {
    let body = body(case);
    let head = format!(
        "POST {} HTTP/1.1\r\nhost: x\r\ncontent-type: {}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        case["path"].as_str().unwrap(),
        case["content_type"].as_str().unwrap_or("application/json"),
        body.len()
    );
    let mut stream = TcpStream::connect(server.address).unwrap();
    stream.write_all(&[head.as_bytes(), &body].concat()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap_or_else(|error| panic!("{case}: {error}"));
    let answer = String::from_utf8(answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{case}: {answer:?}"));
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    let kind = head.lines().find_map(|line| line.strip_prefix("content-type: ")).unwrap_or_default();
    (status, kind.to_owned(), serde_json::from_str(body).unwrap_or_default())
}

#[test]
fn every_bad_body_is_refused_with_its_status_code_and_place() {
    let server = Server::start();
    let mut wrong = Vec::new();
    let mut asked = 0;
    for line in BODIES.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let (status, kind, answer) = ask(&server, &case);
        let pointer =
            answer["errors"].as_array().and_then(|errors| errors.first()).map(|error| &error["pointer"]);
        let place = case.get("pointer").is_none_or(|expected| pointer == Some(expected));
        if case["status"] != status
            || kind != "application/problem+json"
            || case["code"] != answer["code"]
            || !place
        {
            wrong.push(format!("{line}\n  got {status} {} {pointer:?} {}", answer["code"], answer["detail"]));
        }
        asked += 1;
    }
    assert!(asked >= LEAST, "only {asked} bodies");
    assert!(wrong.is_empty(), "{} of {asked} bodies:\n{}", wrong.len(), wrong.join("\n"));
}

/// Far more than is read of it, whoever refuses it: for its size, its path, its type, or its method.
#[test]
fn the_answer_to_a_large_body_that_nobody_reads_arrives() {
    let server = Server::start();
    let body = vec![b' '; 4 << 20];
    for (target, kind, expected) in [
        ("POST /v1/othello/play", "application/json", 413),
        ("POST /v1/othello/paly", "application/json", 404),
        ("POST /v1/othello/play", "text/plain", 415),
        ("PUT /v1/othello/play", "application/json", 405),
    ] {
        let head = format!(
            "{target} HTTP/1.1\r\nhost: x\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        let mut stream = TcpStream::connect(server.address).unwrap();
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(&body).unwrap_or_else(|error| panic!("{target}: {error}"));
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap_or_else(|error| panic!("{target}: {error}"));
        assert!(answer.starts_with(&format!("HTTP/1.1 {expected} ")), "{target}: {answer}");
        assert!(answer.contains("connection: close\r\n"), "{target}: {answer}");
    }
}
