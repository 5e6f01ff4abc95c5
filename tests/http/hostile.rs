//! Bodies that must be refused, by families: `tests/data/hostile/README.md` says where they come from.

use reqwest::Method;
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

#[test]
fn every_bad_body_is_refused_with_its_status_code_and_place() {
    let server = Server::start();
    let mut wrong = Vec::new();
    let mut asked = 0;
    for line in BODIES.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let content_type = case["content_type"].as_str().unwrap_or("application/json");
        let request = server.request(Method::POST, case["path"].as_str().unwrap());
        let response = request.header("content-type", content_type).body(body(&case)).send().unwrap();
        let status = response.status().as_u16();
        let kind = response.headers()["content-type"].to_str().unwrap().to_owned();
        let answer: Value = serde_json::from_str(&response.text().unwrap()).unwrap_or_default();
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
