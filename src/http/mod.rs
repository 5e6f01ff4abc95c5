//! HTTP: routes, middleware, problem bodies, documentation. Floor 5: the only floor that knows the web framework.

pub mod access;
pub mod connections;

mod admin;
mod analysis;
mod answer;
mod board;
mod conditional;
mod docs;
mod examples;
mod exposition;
mod extract;
mod finish;
mod gomoku;
mod info;
mod lab;
mod lingering;
mod listening;
mod metrics;
mod negotiate;
mod observe;
mod openapi;
mod othello;
mod patience;
mod pictures;
mod problem;
mod problem_pages;
mod refusals;
mod request_id;
mod routes;
mod state;
mod stream;
#[cfg(feature = "otlp")]
mod traces;

pub use admin::admin_router;
pub use listening::Listening;
pub use openapi::openapi_json;
pub use request_id::RequestId;
pub use routes::router;
pub use state::{Options, State};
