//! The yardstick of `scripts/bench-http`: an axum route that takes a body and answers with the constant text of a file.
//!
//! Usage: `constant_route FILE`. Prints `listening http://ADDRESS` and runs until it is killed.

use std::error::Error;

use axum::Router;
use axum::body::Bytes;
use axum::http::header::CONTENT_TYPE;
use axum::routing::post;
use tokio::net::TcpListener;
use tokio::runtime::Builder;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: constant_route FILE")?;
    let constant = Bytes::from(std::fs::read(path)?);
    let answer = move |_body: Bytes| {
        let constant = constant.clone();
        async move { ([(CONTENT_TYPE, "application/json")], constant) }
    };
    let router = Router::new().route("/v1/othello/legal-moves", post(answer));
    // As many threads as the service gives to sockets on a machine of two processors.
    let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(async move {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        println!("listening http://{}", listener.local_addr()?);
        axum::serve(listener, router).await
    })?;
    Ok(())
}
