//! Engine, limits, status, problem pages, documentation and the admin listener.

use discern::http::Options;
use discern::wire::limits::{LimitName, Limits};
use discern::wire::problem::ProblemCode;
use serde_json::json;

use crate::client::{Server, ok, problem};

#[test]
fn the_engine_names_itself_and_this_machine() {
    let engine = ok(Server::start().get("/v1/engine"));
    assert_eq!(engine["name"], "discern");
    assert_eq!(engine["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(engine["threads"], 2);
    let games = [
        ("othello", json!([4, 6, 8]), json!([])),
        ("gomoku", json!((5..=20).collect::<Vec<u8>>()), json!(["freestyle", "standard", "renju"])),
    ];
    for (game, (name, sizes, rules)) in engine["games"].as_array().unwrap().iter().zip(games) {
        assert_eq!((&game["name"], &game["sizes"], &game["rules"]), (&json!(name), &sizes, &rules));
        assert_eq!(game["evaluation"].as_str().unwrap().len(), 16, "{game}");
    }
}

#[test]
fn limits_are_those_of_this_instance() {
    let mut limits = Limits::for_threads(3);
    limits.set_max(LimitName::TimeMs, 2_000).unwrap();
    let limits = ok(Server::with(limits, Options::default()).get("/v1/limits"));
    let time = &limits["analysis"]["time_ms"];
    assert_eq!((&time["default"], &time["min"], &time["max"]), (&json!(1_000), &json!(1), &json!(2_000)));
    assert_eq!(limits["analysis"]["threads"]["max"], 3);
    assert_eq!(limits["analysis"]["depth"]["default"], json!(null));
    assert_eq!(limits["analysis"]["selectivity_percent"]["values"], json!([73, 87, 95, 98, 99, 100]));
    assert_eq!(limits["body_bytes"], 65_536);
    assert_eq!(limits["not_available"], json!({}));
    assert_eq!(limits["analysis"]["level"]["max"], 30);
    assert_eq!(limits["clock"]["increment_ms"]["default"], 0);
}

#[test]
fn every_problem_code_has_a_page() {
    let server = Server::start();
    for code in ProblemCode::ALL {
        let page = server.get(&format!("/problems/{}", code.row().name));
        assert_eq!(page.status(), 200);
        assert!(
            page.headers()["content-security-policy"].to_str().unwrap().starts_with("default-src 'none'")
        );
        let text = page.text().unwrap();
        assert!(text.contains(code.row().title) && !text.contains('`'), "{text}");
    }
    let body = problem(server.get("/problems/overloded"), 404, "not_found");
    assert_eq!(body["detail"], "there is no such problem code; did you mean overloaded?");
}

#[test]
fn the_documentation_needs_nothing_from_elsewhere() {
    let server = Server::start();
    assert_eq!(server.get("/docs").headers()["location"], "/docs/");
    let index = server.get("/docs/");
    assert!(index.headers()["content-security-policy"].to_str().unwrap().contains("script-src 'self';"));
    let html = index.text().unwrap();
    assert!(!html.contains("http://") && !html.contains("https://"), "{html}");
    for part in html.split(['"', '\'']).filter(|part| part.starts_with("./")) {
        assert_eq!(server.get(&format!("/docs/{}", &part[2..])).status(), 200, "{part}");
    }
    assert!(server.get("/docs/swagger-initializer.js").text().unwrap().contains("/openapi.json"));
    problem(server.get("/docs/nothing.js"), 404, "not_found");
}

#[test]
fn the_admin_listener_follows_the_life_of_the_process() {
    let server = Server::start();
    assert_eq!(server.admin_get("/live").status(), 204);
    assert_eq!(server.admin_get("/ready").status(), 204);
    assert_eq!(server.admin_get("/startup").status(), 204);
    server.state.service().lifecycle().drain();
    assert_eq!(server.admin_get("/live").status(), 204);
    problem(server.admin_get("/ready"), 503, "draining");
    assert_eq!(server.admin_get("/startup").status(), 204);
    assert_eq!(ok(server.get("/v1/status"))["state"], "draining");
}

#[test]
fn metrics_count_by_route_and_never_by_the_callers_own_paths() {
    let server = Server::start();
    server.get("/v1/engine");
    server.get("/wp-login.php");
    server.get("/.env");
    let text = server.admin_get("/metrics").text().unwrap();
    assert!(
        text.contains("discern_http_requests_total{route=\"/v1/engine\",method=\"GET\",status=\"200\"} 1"),
        "{text}"
    );
    assert!(
        text.contains("discern_http_requests_total{route=\"unmatched\",method=\"GET\",status=\"404\"} 2"),
        "{text}"
    );
    assert!(!text.contains("wp-login"), "{text}");
    assert!(
        text.contains("discern_pool_workers 2\n") && text.contains("discern_searches_refused_total 0\n"),
        "{text}"
    );
}

/// The names of our metrics in a text of queries.
fn metrics_named(text: &str) -> std::collections::BTreeSet<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let ours = words.filter(|word| word.starts_with("discern_") || word.starts_with("process_"));
    ours.map(str::to_owned).collect()
}

#[test]
fn every_metric_of_the_dashboard_and_the_alerts_is_there() {
    let server = Server::start();
    server.get("/v1/engine");
    let page = server.admin_get("/metrics").text().unwrap();
    let shown = metrics_named(&page);
    for (file, least) in [("docker/grafana/discern.json", 15), ("docker/alerts.yaml", 6)] {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        let named = metrics_named(&std::fs::read_to_string(path).unwrap());
        assert!(named.len() >= least, "{file} names only {named:?}");
        let missing: Vec<_> = named.difference(&shown).collect();
        assert!(missing.is_empty(), "{file} asks for {missing:?}, which nobody counts");
    }
}

#[test]
fn the_metrics_page_keeps_to_the_text_format() {
    let server = Server::start();
    ok(server.post(
        "/v1/othello/analysis",
        &json!({"moves": "f5", "limits": {"depth": 4, "exact_from_empties": 0}}),
    ));
    // Its positions are counted when its last worker has left it, which may be after the answer.
    while server.state.service().pool().stats().nodes == 0 {
        std::thread::yield_now();
    }
    let page = server.admin_get("/metrics").text().unwrap();
    let (mut kind, mut seen) = (("", ""), std::collections::BTreeSet::new());
    for line in page.lines() {
        if let Some(rest) = line.strip_prefix("# TYPE ") {
            kind = rest.split_once(' ').unwrap();
            assert!(seen.insert(kind.0.to_owned()), "{line} twice");
            continue;
        }
        if line.starts_with("# HELP ") {
            continue;
        }
        let (series, value) = line.rsplit_once(' ').unwrap();
        assert!(series.starts_with(kind.0), "{line} stands below {kind:?}");
        assert!(value.parse::<f64>().is_ok_and(f64::is_finite), "{line}");
        assert_eq!(kind.1 == "counter", kind.0.ends_with("_total"), "{kind:?}");
        for label in series.split(['{', ',']).skip(1) {
            assert!(label.contains("=\"") && label.trim_end_matches('}').ends_with('"'), "{line}");
        }
    }
    let value = |name: &str| -> f64 {
        page.lines().find_map(|line| line.strip_prefix(name)).unwrap().trim().parse().unwrap()
    };
    assert!(value("discern_search_nodes_total ") > 0.0, "{page}");
    assert!(value("discern_searches_total{outcome=\"completed\"}") == 1.0, "{page}");
    assert!(
        value("process_cpu_seconds_total ") > 0.0 && value("process_resident_memory_bytes ") > 1e6,
        "{page}"
    );
}
