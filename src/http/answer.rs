//! An answer in JSON.

use axum::body::Body;
use axum::http::HeaderValue;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// Room for most answers: writing into a list that grows from nothing moves what is written several times.
const USUAL_BYTES: usize = 4 << 10;

/// This value as a JSON document.
#[derive(Debug)]
pub(super) struct JsonAnswer<T>(pub(super) T);

impl<T: Serialize> IntoResponse for JsonAnswer<T> {
    fn into_response(self) -> Response {
        let mut bytes = Vec::with_capacity(USUAL_BYTES);
        serde_json::to_writer(&mut bytes, &self.0).expect("answers hold nothing that JSON cannot");
        let mut response = Response::new(Body::from(bytes));
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        response
    }
}
