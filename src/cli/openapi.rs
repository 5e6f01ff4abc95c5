//! `discern openapi`: prints the OpenAPI document that the service serves.

use super::exit::Outcome;
use super::output::Output;
use crate::http::openapi_json;

/// Prints it; it ends with a line feed.
pub fn run() -> Outcome {
    Output::stdout().line(openapi_json().trim_end());
    Ok(())
}
