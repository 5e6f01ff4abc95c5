//! Real questions with the answers they got. They are part of the OpenAPI document, and a test asks each one again.

use serde::Deserialize;
use serde_json::Value;
use utoipa::openapi::content::Content;
use utoipa::openapi::example::{Example as Shown, ExampleBuilder};
use utoipa::openapi::{OpenApi, RefOr};

const FILES: [&str; 23] = [
    include_str!("../../openapi/examples/analysis.json"),
    include_str!("../../openapi/examples/analysis-by-query.json"),
    include_str!("../../openapi/examples/analysis-events.json"),
    include_str!("../../openapi/examples/analysis-finished.json"),
    include_str!("../../openapi/examples/analysis-four-by-four.json"),
    include_str!("../../openapi/examples/analysis-level.json"),
    include_str!("../../openapi/examples/analysis-lines.json"),
    include_str!("../../openapi/examples/analysis-pass.json"),
    include_str!("../../openapi/examples/analysis-sign.json"),
    include_str!("../../openapi/examples/analysis-table.json"),
    include_str!("../../openapi/examples/comparison.json"),
    include_str!("../../openapi/examples/evaluation.json"),
    include_str!("../../openapi/examples/gomoku-analysis.json"),
    include_str!("../../openapi/examples/gomoku-analysis-level.json"),
    include_str!("../../openapi/examples/gomoku-analysis-table.json"),
    include_str!("../../openapi/examples/gomoku-analysis-win.json"),
    include_str!("../../openapi/examples/gomoku-legal-moves.json"),
    include_str!("../../openapi/examples/gomoku-play.json"),
    include_str!("../../openapi/examples/gomoku-swap2.json"),
    include_str!("../../openapi/examples/gomoku-threats.json"),
    include_str!("../../openapi/examples/legal-moves.json"),
    include_str!("../../openapi/examples/legal-moves-by-query.json"),
    include_str!("../../openapi/examples/play.json"),
];

/// One question and its answer.
#[derive(Debug, Deserialize)]
struct Example {
    path: String,
    name: String,
    summary: String,
    /// The body, where the question is none in a URL.
    #[serde(default)]
    request: Option<Value>,
    /// The media type of the answer.
    #[serde(default = "json")]
    accept: String,
    response: Value,
}

fn json() -> String {
    "application/json".to_owned()
}

/// Adds the examples to their operations.
pub(super) fn add(document: &mut OpenApi) {
    for file in FILES {
        let example: Example = serde_json::from_str(file).expect("a test reads every example");
        let item = document.paths.paths.get_mut(&example.path);
        let operation = item.and_then(|item| match example.request {
            Some(_) => item.post.as_mut(),
            None => item.get.as_mut(),
        });
        let operation = operation.expect("a test asks every example at its path");
        if let Some(request) = &example.request
            && let Some(RefOr::T(body)) = operation.request_body.as_mut()
            && let Some(RefOr::T(content)) = body.content.get_mut("application/json")
        {
            show(content, &example, request.clone());
        }
        if let Some(RefOr::T(answer)) = operation.responses.responses.get_mut("200")
            && let Some(RefOr::T(content)) = answer.content.get_mut(&example.accept)
        {
            show(content, &example, example.response.clone());
        }
    }
}

fn show(content: &mut Content, example: &Example, value: Value) {
    let shown: Shown = ExampleBuilder::new().summary(&example.summary).value(Some(value)).build();
    content.examples.insert(example.name.clone(), RefOr::T(shown));
}
