//! The analysis board at `/`: served with or without its built files, by a policy that keeps it to this origin.

use reqwest::Method;

use crate::client::{Server, problem};

/// Files of the built page that its text names; none in a binary that was built without the board.
fn named_files(page: &str) -> Vec<String> {
    let parts = page.split('"').filter(|part| part.starts_with("/assets/"));
    parts.map(str::to_owned).collect()
}

#[test]
fn the_page_is_html_and_may_load_nothing_from_elsewhere() {
    let server = Server::start();
    let response = server.get("/?moves=f5d6&ply=1");
    assert_eq!(response.status(), 200);
    assert_eq!(response.headers()["content-type"], "text/html; charset=utf-8");
    assert_eq!(response.headers()["cache-control"], "no-cache");
    let policy = response.headers()["content-security-policy"].to_str().unwrap().to_owned();
    assert!(policy.starts_with("default-src 'none'; script-src 'self'"), "{policy}");
    assert!(!policy.contains("unsafe") && !policy.contains("http"), "{policy}");
    let page = response.text().unwrap();
    assert!(page.contains("<title>Discern</title>"), "{page}");
    assert!(!page.contains("://"), "the page names an address elsewhere: {page}");
    assert!(!page.contains("<style") && !page.contains("style=\"") && !page.contains("<script>"), "{page}");
}

#[test]
fn the_page_names_only_files_that_are_served_and_kept_for_ever() {
    let server = Server::start();
    let page = server.get("/").text().unwrap();
    for path in named_files(&page) {
        let response = server.get(&path);
        assert_eq!(response.status(), 200, "{path}");
        assert_eq!(response.headers()["cache-control"], "public, max-age=31536000, immutable", "{path}");
        // A script may be a worker's, which has the policy of its own: the engine for the browser is compiled there.
        let policy = response.headers().get("content-security-policy").map(|policy| policy.to_str().unwrap());
        assert_eq!(policy.is_some(), path.ends_with(".js"), "{path}");
        assert!(
            policy.is_none_or(|policy| policy.starts_with("default-src 'none'; script-src 'self'")),
            "{path}"
        );
        let plain = response.bytes().unwrap();
        let compressed = server.request(Method::GET, &path).header("accept-encoding", "gzip").send().unwrap();
        assert_eq!(compressed.headers()["content-encoding"], "gzip", "{path}");
        assert!(compressed.bytes().unwrap().len() < plain.len(), "{path}");
    }
}

#[test]
fn a_page_that_is_known_is_not_sent_again() {
    let server = Server::start();
    let first = server.get("/");
    let Some(tag) = first.headers().get("etag").cloned() else {
        assert!(first.text().unwrap().contains("make run"), "without the board the page says how to get it");
        return;
    };
    let again = server.request(Method::GET, "/").header("if-none-match", tag).send().unwrap();
    assert_eq!(again.status(), 304);
    let other = server.request(Method::GET, "/").header("if-none-match", "\"0\"").send().unwrap();
    assert_eq!(other.status(), 200);
}

#[test]
fn a_file_that_is_none_of_the_board_is_a_problem() {
    problem(Server::start().get("/assets/nothing.js"), 404, "not_found");
}
