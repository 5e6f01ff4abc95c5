//! The OpenAPI document: committed, complete, and true.

use std::collections::BTreeSet;

use discern::http::openapi_json;
use reqwest::Method;
use serde_json::{Value, json};

use crate::client::Server;

fn document() -> Value {
    serde_json::from_str(&openapi_json()).unwrap()
}

#[test]
fn the_committed_document_is_the_one_the_routes_make() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/openapi/openapi.json");
    if std::env::var_os("UPDATE_OPENAPI").is_some() {
        std::fs::write(path, openapi_json()).unwrap();
    }
    let committed = std::fs::read_to_string(path).unwrap();
    assert!(
        committed == openapi_json(),
        "the routes have changed: run `UPDATE_OPENAPI=1 cargo test --test http openapi` and read the difference"
    );
}

#[test]
fn every_reference_points_to_something() {
    fn references<'v>(value: &'v Value, found: &mut Vec<&'v str>) {
        match value {
            Value::Object(members) => {
                found.extend(members.get("$ref").and_then(Value::as_str));
                members.values().for_each(|member| references(member, found));
            }
            Value::Array(elements) => elements.iter().for_each(|element| references(element, found)),
            _ => {}
        }
    }
    let document = document();
    let mut found = Vec::new();
    references(&document, &mut found);
    assert!(found.len() > 20, "only {} references were found", found.len());
    for reference in found {
        assert!(document.pointer(reference.trim_start_matches('#')).is_some(), "{reference}");
    }
}

#[test]
fn the_document_is_ours_and_says_which_version_it_is_in() {
    let document = document();
    assert_eq!(document["openapi"], "3.1.0");
    assert_eq!(document["info"]["title"], "Discern");
    assert_eq!(document["info"]["version"], env!("CARGO_PKG_VERSION"));
    assert!(document["info"]["contact"].is_null(), "no person's address belongs there");
}

#[test]
fn every_operation_tells_of_its_problems_and_answers_where_it_says() {
    let server = Server::start();
    let document = document();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let responses = operation["responses"].as_object().unwrap();
            assert!(responses.contains_key("200") && responses.contains_key("500"), "{method} {path}");
            let failed = |status: &str| status.starts_with(['4', '5']);
            for (status, response) in responses.iter().filter(|(status, _)| failed(status)) {
                let schema = &response["content"]["application/problem+json"]["schema"]["$ref"];
                assert_eq!(schema, "#/components/schemas/Problem", "{method} {path} {status}");
            }
            if method == "get" && !path.contains('{') {
                let status = server.get(path).status().as_u16().to_string();
                assert!(responses.contains_key(&status), "{path} answers with {status}");
            }
        }
    }
}

#[test]
fn the_served_document_has_the_limits_of_this_instance() {
    let served: Value = Server::start().get("/openapi.json").json().unwrap();
    let field = |document: &Value| {
        document["components"]["schemas"]["AnalysisRequest"]["oneOf"][0]["properties"]["threads"].clone()
    };
    assert_eq!(field(&served)["maximum"], 2);
    assert_eq!(field(&document())["maximum"], 1);
}

/// Generated clients send every default of the document with every request. A default that depends on other fields (`seed`
/// is refused without a level, `time_ms` has none beside a depth) or on the instance would make them ask for what nobody asked.
#[test]
fn no_number_that_depends_on_the_instance_is_a_default() {
    // The same in every instance and beside every other field: parts of a technique, and the width of a picture.
    const FIXED: [&str; 4] = ["first_index", "min_ply", "reduction", "width"];
    fn numbers<'v>(value: &'v Value, found: &mut Vec<(&'v str, &'v Value)>) {
        match value {
            Value::Object(members) => {
                // A query parameter holds its name beside its schema; a property stands under its name.
                if let (Some(name), Some(default)) = (value["name"].as_str(), value["schema"].get("default"))
                {
                    found.push((name, default));
                }
                for (name, member) in members {
                    found.extend(
                        member.get("default").filter(|_| name != "schema").map(|it| (name.as_str(), it)),
                    );
                    numbers(member, found);
                }
            }
            Value::Array(elements) => elements.iter().for_each(|element| numbers(element, found)),
            _ => {}
        }
    }
    let document = document();
    let mut found = Vec::new();
    numbers(&document["components"], &mut found);
    numbers(&document["paths"], &mut found);
    found.retain(|(name, default)| default.is_number() && !FIXED.contains(name));
    assert_eq!(found, []);
}

/// The types of a value and of its members; lists by their first element.
fn shape(value: &Value) -> Value {
    match value {
        Value::Null => Value::Null,
        Value::Bool(_) => "boolean".into(),
        Value::Number(_) => "number".into(),
        Value::String(_) => "string".into(),
        Value::Array(elements) => elements.iter().take(1).map(shape).collect(),
        Value::Object(members) => {
            members.iter().map(|(name, member)| (name.clone(), shape(member))).collect()
        }
    }
}

#[test]
fn every_example_gets_the_answer_it_shows() {
    let server = Server::start();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/openapi/examples");
    let mut asked = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let mut example: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let answer = answer(&server, &example);
        // Node counts and estimates change with every better search; rules do not.
        let path_asked = example["path"].as_str().unwrap();
        let analysis = path_asked.ends_with("/analysis")
            || path_asked.ends_with("/threats")
            || path_asked.ends_with("/swap2");
        let seen = |value: &Value| match (value.as_str(), analysis) {
            (Some(text), _) => records(text),
            (None, true) => shape(value),
            (None, false) => lasting(value),
        };
        if std::env::var_os("UPDATE_OPENAPI").is_some() && seen(&example["response"]) != seen(&answer) {
            example["response"] = answer.clone();
            std::fs::write(&path, format!("{example:#}\n")).unwrap();
        }
        assert!(
            seen(&example["response"]) == seen(&answer),
            "{} got another answer: {answer:#}",
            path.display()
        );
        asked += 1;
    }
    assert_eq!(asked, 23);
}

/// The answer to an example's question: a document, or the text of what is none.
fn answer(server: &Server, example: &Value) -> Value {
    let path = example["path"].as_str().unwrap();
    let accept = example["accept"].as_str().unwrap_or("application/json");
    let request = match example["query"].as_str() {
        Some(query) => server.request(Method::GET, &format!("{path}?{query}")),
        None => server.request(Method::POST, path).json(&example["request"]),
    };
    let response = request.header("accept", accept).send().unwrap();
    assert_eq!(response.status(), 200, "{example}");
    assert!(response.headers()["content-type"].to_str().unwrap().starts_with(accept), "{example}");
    let text = response.text().unwrap();
    if accept == "application/json" { serde_json::from_str(&text).unwrap() } else { text.into() }
}

/// What lasts of a table (its columns, and how many lines there are) or a stream (its last record: how many came before is a
/// matter of who reads how fast).
fn records(text: &str) -> Value {
    let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
    let last = lines.last().copied().unwrap_or_default();
    match serde_json::from_str::<Value>(last.trim_start_matches("data: ")) {
        Ok(record) => {
            let event = lines.iter().rfind(|line| line.starts_with("event: "));
            serde_json::json!([event, shape(&record)])
        }
        Err(_) => serde_json::json!([lines.first(), lines.len()]),
    }
}

/// An answer without what differs from run to run (times) and from one evaluation or version to the next.
fn lasting(value: &Value) -> Value {
    const PASSING: [&str; 4] = ["elapsed_ms", "queued_ms", "estimate", "engine"];
    match value {
        Value::Object(members) => {
            let members = members.iter().map(|(name, member)| {
                let member = if PASSING.contains(&name.as_str()) { shape(member) } else { lasting(member) };
                (name.clone(), member)
            });
            Value::Object(members.collect())
        }
        Value::Array(elements) => elements.iter().map(lasting).collect(),
        other => other.clone(),
    }
}

/// The members that a body may have by its schema, as JSON pointers, those of objects inside of it too.
fn members(document: &Value, schema: &Value, at: &str, found: &mut BTreeSet<String>) {
    if let Some(reference) = schema["$ref"].as_str() {
        return members(document, document.pointer(reference.trim_start_matches('#')).unwrap(), at, found);
    }
    for several in ["oneOf", "anyOf", "allOf"] {
        for one in schema[several].as_array().into_iter().flatten() {
            members(document, one, at, found);
        }
    }
    for (name, inner) in schema["properties"].as_object().into_iter().flatten() {
        let pointer = format!("{at}/{name}");
        if found.insert(pointer.clone()) {
            members(document, inner, &pointer, found);
        }
    }
}

/// This value at this place of a body, objects on the way there made where they are absent.
fn with(mut body: Value, pointer: &str, value: Value) -> Value {
    let mut place = &mut body;
    for name in pointer.split('/').skip(1) {
        place = &mut place[name];
    }
    *place = value;
    body
}

/// What is described is read: nonsense in any member of any body is refused, and at that place.
#[test]
fn no_member_of_a_body_that_the_document_describes_is_ignored() {
    let (server, document) = (Server::start(), document());
    let mut checked = 0;
    for (path, item) in document["paths"].as_object().unwrap() {
        let schema = &item["post"]["requestBody"]["content"]["application/json"]["schema"];
        let mut pointers = BTreeSet::new();
        members(&document, schema, "", &mut pointers);
        for pointer in pointers {
            let nonsense = json!({"no such member": [[]]});
            // A pasted text is the whole position.
            let position = if pointer == "/text" { json!({}) } else { json!({"moves": ""}) };
            let body = with(position, &pointer, nonsense);
            let refused: Value = server.post(path, &body).json().unwrap();
            assert_eq!(refused["status"], 422, "{path} {body}: {refused}");
            let places: Vec<&str> = refused["errors"]
                .as_array()
                .unwrap()
                .iter()
                .filter_map(|error| error["pointer"].as_str())
                .collect();
            // A member inside of one that does not belong here is refused with that one.
            let meant =
                |place: &&str| place.starts_with(&pointer) || pointer.starts_with(&format!("{place}/"));
            assert!(
                places.iter().any(|place| !place.is_empty() && meant(place)),
                "{path} {pointer}: {refused}"
            );
            checked += 1;
        }
    }
    assert!(checked > 100, "only {checked} members were found");
}
