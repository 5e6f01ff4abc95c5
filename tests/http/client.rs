//! A server on a port of its own, and a client that speaks to it.

use std::net::SocketAddr;
use std::time::Duration;

use discern::http::connections::{self, ConnectionBounds};
use discern::http::{Options, State, admin_router, router};
use discern::service::Service;
use discern::wire::limits::Limits;
use reqwest::Method;
use reqwest::blocking::{Client, RequestBuilder, Response};
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// As the service has them, but for connections of callers who stay away for long on a busy machine.
const BOUNDS: ConnectionBounds = ConnectionBounds {
    most: 1_024,
    header_timeout: Duration::from_secs(60),
    write_timeout: Duration::from_secs(60),
    max_age: Duration::from_secs(600),
};

/// Memory for the tables of a test server: small, as many servers run at once.
const TABLE_BYTES: usize = 144 << 20;

/// A running service. It ends with this value.
pub struct Server {
    pub state: State,
    pub address: SocketAddr,
    pub admin: SocketAddr,
    client: Client,
    // Kept for its drop, which ends the server.
    _runtime: Runtime,
}

impl Server {
    /// A service with the limits of the table on two threads.
    pub fn start() -> Self {
        Self::with(Limits::for_threads(2), Options::default())
    }

    /// A service with these settings, ready for work.
    pub fn with(limits: Limits, options: Options) -> Self {
        let state = State::new(Service::start(limits, TABLE_BYTES).unwrap(), options);
        state.service().lifecycle().ready();
        let runtime = Runtime::new().unwrap();
        let serve = |router: axum::Router| {
            let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
            let address = listener.local_addr().unwrap();
            let (closing, open) = (CancellationToken::new(), TaskTracker::new());
            runtime.spawn(connections::serve(listener, router, BOUNDS, closing, open));
            address
        };
        let address = serve(router(state.clone()));
        let admin = serve(admin_router(state.clone()));
        // Nothing is retried or followed in silence: what the server says is what the test sees.
        let client = Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
        Self { state, address, admin, client, _runtime: runtime }
    }

    /// A request to the public port.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("http://{}{path}", self.address))
    }

    /// The answer to a `GET` on the public port.
    pub fn get(&self, path: &str) -> Response {
        self.request(Method::GET, path).send().unwrap()
    }

    /// The answer to a `POST` of a JSON body on the public port.
    pub fn post(&self, path: &str, body: &Value) -> Response {
        self.request(Method::POST, path).json(body).send().unwrap()
    }

    /// The answer to a `GET` on the admin port.
    pub fn admin_get(&self, path: &str) -> Response {
        self.client.get(format!("http://{}{path}", self.admin)).send().unwrap()
    }
}

/// The body of an answer that must be a problem with this status and code.
pub fn problem(response: Response, status: u16, code: &str) -> Value {
    assert_eq!(response.headers()["content-type"], "application/problem+json");
    let request_id = response.headers()["x-request-id"].to_str().unwrap().to_owned();
    let got = response.status().as_u16();
    let path = response.url().path().to_owned();
    let body: Value = response.json().unwrap();
    assert_eq!((got, body["code"].as_str().unwrap()), (status, code), "{body}");
    assert_eq!(body["status"], status);
    assert_eq!(body["type"], format!("/problems/{code}"));
    assert_eq!(body["request_id"], request_id);
    assert_eq!(body["instance"], path);
    assert!(
        !body["title"].as_str().unwrap().is_empty() && !body["detail"].as_str().unwrap().is_empty(),
        "{body}"
    );
    body
}

/// The JSON body of an answer that must be 200.
pub fn ok(response: Response) -> Value {
    let status = response.status();
    let text = response.text().unwrap();
    assert_eq!(status, 200, "{text}");
    serde_json::from_str(&text).unwrap()
}
