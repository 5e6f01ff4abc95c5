//! One greedy client among others: each gets its share of the work, not of the requests.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use discern::http::Options;
use discern::http::access::{Access, Anonymous, ApiKey, KeyEntry, KeyRing};
use discern::wire::limits::Limits;
use reqwest::Method;
use serde_json::json;

use crate::client::Server;

/// Search time of this key since the start, in seconds.
fn used(server: &Server, key: &str) -> f64 {
    let metrics = server.admin_get("/metrics").text().unwrap();
    let start = format!("discern_client_search_seconds_total{{key=\"{key}\"}} ");
    metrics.lines().find_map(|line| line.strip_prefix(&start)).unwrap().parse().unwrap()
}

/// One of the two clients.
struct Side {
    name: &'static str,
    key: ApiKey,
    /// What each of its searches takes.
    nodes: usize,
    /// How many ask at once: so many that some of its questions always wait, however slowly answers travel.
    callers: usize,
}

#[test]
fn a_client_with_long_searches_gets_no_more_work_than_one_with_short_ones() {
    /// Long searches to watch for: one more or less is then within the margin.
    const LONG_SEARCHES: usize = 24;
    let side = |name, nodes, callers| Side { name, key: ApiKey::random().unwrap(), nodes, callers };
    let sides = [side("long", 24_000, 4), side("short", 6_000, 24)];
    let entry = |side: &Side| KeyEntry { name: side.name.to_owned(), hash: side.key.hash() };
    let access = Access {
        keys: KeyRing::new(sides.iter().map(entry).collect()).unwrap(),
        anonymous: Anonymous::Refused,
        ..Access::default()
    };
    let server = Server::with(Limits::for_threads(1), Options { access, ..Options::default() });
    // Until it has seen some, the service expects every search to need its whole minute, and lets nobody wait behind one.
    for round in 0..60 {
        let body =
            json!({"moves": "", "limits": {"depth": 1, "exact_from_empties": 0, "nodes": 1_000 + round}});
        let request = server.request(Method::POST, "/v1/othello/analysis").bearer_auth(sides[1].key.reveal());
        assert_eq!(request.json(&body).send().unwrap().status(), 200);
    }
    let before = used(&server, "short");
    let (answered, enough) = (AtomicUsize::new(0), AtomicBool::new(false));
    std::thread::scope(|scope| {
        for side in &sides {
            for caller in 0..side.callers {
                let (server, answered, enough) = (&server, &answered, &enough);
                scope.spawn(move || {
                    for round in 0.. {
                        if enough.load(Ordering::Relaxed) {
                            return;
                        }
                        // Each question differs, so that none is answered from what is kept or shared.
                        let nodes = side.nodes + side.callers * round + caller;
                        let body =
                            json!({"moves": "f5d6c3", "limits": {"nodes": nodes, "exact_from_empties": 0}});
                        let request = server.request(Method::POST, "/v1/othello/analysis");
                        let response = request.bearer_auth(side.key.reveal()).json(&body).send().unwrap();
                        assert_eq!(response.status(), 200, "{}", response.text().unwrap());
                        answered.fetch_add(usize::from(side.name == "long"), Ordering::Relaxed);
                    }
                });
            }
        }
        while answered.load(Ordering::Relaxed) < LONG_SEARCHES {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let (long, short) = (used(&server, "long"), used(&server, "short") - before);
        enough.store(true, Ordering::Relaxed);
        assert!((0.8..=1.25).contains(&(long / short)), "long {long} s, short {short} s");
    });
}
