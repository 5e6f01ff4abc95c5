//! From a problem to a response. Handlers and middleware answer with a [`Problem`]; the outer layer in `finish` writes
//! the body, since only it knows path and request id of every failure.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use crate::wire::problem::Problem;

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status =
            StatusCode::from_u16(self.code.row().status).expect("the table holds valid statuses only");
        let mut response = status.into_response();
        response.extensions_mut().insert(self);
        response
    }
}
