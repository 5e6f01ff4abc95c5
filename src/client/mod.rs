//! A typed client of the service, for the command line, the load tool and the tests. It knows the contract, not the service:
//! it reads what it needs of an answer and leaves the rest.

mod alone;
mod answer;

pub use alone::Begun;
pub use answer::{
    AnalysedMove, Analysis, Bound, GameResult, Kind, Position, Problem, Score, Side, Status, Winner,
};

use std::time::Duration;

use reqwest::header::{ACCEPT, AUTHORIZATION, RETRY_AFTER};
use reqwest::{Method, Response};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// A service somewhere. Cheap to clone; clones share their connections.
#[derive(Debug, Clone)]
pub struct Client {
    http: reqwest::Client,
    base: String,
    key: Option<String>,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The service answered with a problem.
    #[error("{}", .0.detail)]
    Problem(Box<Refused>),
    /// It could not be reached, or the connection broke.
    #[error("the service does not answer: {}", causes(.0))]
    Broken(#[from] reqwest::Error),
    /// It answered something that is not in the contract.
    #[error("the service answered something else: {0}")]
    Strange(String),
}

/// A problem, with what its headers said.
#[derive(Debug, Clone, PartialEq)]
pub struct Refused {
    /// The body.
    pub problem: Problem,
    /// The `detail` of the body.
    pub detail: String,
    /// The seconds of `Retry-After`.
    pub retry_after_s: Option<u64>,
}

/// An answer, with where it came from.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer<T> {
    /// The body.
    pub body: T,
    /// `Cache-Status`, if there was one.
    pub cache_status: Option<String>,
}

/// The records of a stream.
#[derive(Debug)]
pub struct Records {
    response: Response,
    pending: Vec<u8>,
}

/// How long an unused connection is kept: less than the 10 s after which a service closes it, so that no question is put to a
/// connection in the moment it is closed.
const IDLE: Duration = Duration::from_secs(5);

/// A stream may be silent for so long before it is taken for dead: far more than the service's own keep-alive.
const SILENCE: Duration = Duration::from_secs(120);

impl Client {
    /// A client of the service at this URL (`http://127.0.0.1:8080`), with an API key if it asks for one.
    ///
    /// # Errors
    /// When the HTTP library cannot be set up.
    pub fn new(base: &str, key: Option<String>) -> Result<Self, Error> {
        // A proxy that the environment names must not stand between a measurement and the service.
        let builder = reqwest::Client::builder().no_proxy().read_timeout(SILENCE);
        let http = builder.pool_idle_timeout(IDLE).build()?;
        Ok(Self { http, base: base.trim_end_matches('/').to_owned(), key })
    }

    /// Asks for an analysis of Othello.
    ///
    /// # Errors
    /// When there is none.
    pub async fn analyze(&self, question: &Value) -> Result<Answer<Analysis>, Error> {
        self.post("/v1/othello/analysis", question).await
    }

    /// Posts a question to a path and reads the answer as JSON.
    ///
    /// # Errors
    /// When there is no answer of that type.
    pub async fn post<T: DeserializeOwned>(&self, path: &str, question: &Value) -> Result<Answer<T>, Error> {
        let Answer { body, cache_status } = self.post_for_text(path, question).await?;
        Ok(Answer { body: read(body.as_bytes())?, cache_status })
    }

    /// Posts a question to a path and hands on the JSON of the answer as it came.
    ///
    /// # Errors
    /// When there is no answer.
    pub async fn post_for_text(&self, path: &str, question: &Value) -> Result<Answer<String>, Error> {
        let response = self.send(Method::POST, path, "application/json", Some(question)).await?;
        let header = response.headers().get("cache-status").and_then(|value| value.to_str().ok());
        let cache_status = header.map(str::to_owned);
        Ok(Answer { body: response.text().await?, cache_status })
    }

    /// Gets a path as JSON.
    ///
    /// # Errors
    /// When there is no answer of that type.
    pub async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, Error> {
        let response = self.send(Method::GET, path, "application/json", None).await?;
        read(&response.bytes().await?)
    }

    /// Asks for an analysis of Othello as a stream.
    ///
    /// # Errors
    /// When it does not begin.
    pub async fn stream(&self, question: &Value) -> Result<Records, Error> {
        let path = "/v1/othello/analysis";
        let response = self.send(Method::POST, path, "application/x-ndjson", Some(question)).await?;
        Ok(Records { response, pending: Vec::new() })
    }

    async fn send(
        &self,
        method: Method,
        path: &str,
        accept: &str,
        question: Option<&Value>,
    ) -> Result<Response, Error> {
        let mut request = self.http.request(method, format!("{}{path}", self.base)).header(ACCEPT, accept);
        if let Some(key) = &self.key {
            request = request.header(AUTHORIZATION, format!("Bearer {key}"));
        }
        if let Some(question) = question {
            request = request.json(question);
        }
        let response = request.send().await?;
        if response.status().is_success() {
            return Ok(response);
        }
        let status = response.status();
        let header = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok());
        let retry_after_s = header.and_then(|value| value.parse().ok());
        let body = response.bytes().await?;
        let problem: Problem = serde_json::from_slice(&body)
            .map_err(|_| Error::Strange(format!("{status} without a problem body")))?;
        let detail = problem.detail.clone();
        Err(Error::Problem(Box::new(Refused { problem, detail, retry_after_s })))
    }
}

impl Records {
    /// The next record; `None` at the end of the stream.
    ///
    /// # Errors
    /// A problem as the last record, a broken connection, or a line that is neither answer nor problem.
    pub async fn next(&mut self) -> Result<Option<Analysis>, Error> {
        loop {
            while let Some(end) = self.pending.iter().position(|&byte| byte == b'\n') {
                let line: Vec<u8> = self.pending.drain(..=end).collect();
                // Empty lines only keep the connection alive.
                if line.len() > 1 {
                    return record(&line).map(Some);
                }
            }
            match self.response.chunk().await? {
                Some(chunk) => self.pending.extend_from_slice(&chunk),
                None if self.pending.is_empty() => return Ok(None),
                None => return Err(Error::Strange("the stream broke off inside a record".to_owned())),
            }
        }
    }
}

fn record(line: &[u8]) -> Result<Analysis, Error> {
    let value: Value = read(line)?;
    if value.get("code").is_none() {
        return serde_json::from_value(value).map_err(|error| Error::Strange(error.to_string()));
    }
    let problem: Problem =
        serde_json::from_value(value).map_err(|error| Error::Strange(error.to_string()))?;
    let detail = problem.detail.clone();
    Err(Error::Problem(Box::new(Refused { problem, detail, retry_after_s: None })))
}

fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Error> {
    serde_json::from_slice(body).map_err(|error| Error::Strange(error.to_string()))
}

/// The error with what caused it: the outermost sentence alone rarely says why.
fn causes(error: &dyn std::error::Error) -> String {
    let chain = std::iter::successors(Some(error), |error| error.source());
    chain.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
