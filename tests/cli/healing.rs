//! A search that panics in the real program. Only in builds with the feature `failpoints`: .ci/run makes one.

use crate::process::{Running, discern, post, read_all, status};

fn ask(service: &Running, moves: &str) -> String {
    let body =
        format!(r#"{{"moves": "{moves}", "threads": 1, "limits": {{"depth": 4, "exact_from_empties": 0}}}}"#);
    read_all(service.sent(
        &post("/v1/othello/analysis", &body).replace("host: x\r\n", "host: x\r\nconnection: close\r\n"),
    ))
}

#[test]
fn a_search_that_panics_costs_its_own_request_a_500_and_nothing_else() {
    let mut command = discern(&["serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"]);
    command.args(["--threads", "1", "--memory-mib", "256"]).env("FAILPOINT_SEARCH", "1");
    let service = Running::with(command);
    assert_eq!(status(&ask(&service, "f5")), Some(200));
    let broken = ask(&service, "f5d6");
    assert_eq!(status(&broken), Some(500), "{broken}");
    assert!(broken.contains("\"code\":\"internal\"") && !broken.contains("that was to break"), "{broken}");
    // The only search thread goes on.
    assert_eq!(status(&ask(&service, "f5d6c3")), Some(200));
    assert_eq!(status(&ask(&service, "f5d6")), Some(200));
    assert!(service.admin_status("/ready").is_some_and(|status| status < 300));
    let metrics = service.admin_answer("/metrics").unwrap();
    for line in ["discern_search_panics_total 1", "discern_searches_total{outcome=\"failed\"} 1"] {
        assert!(metrics.lines().any(|found| found == line), "{line} in {metrics}");
    }
    service.terminate();
    assert_eq!(service.end().0, Some(0));
}
