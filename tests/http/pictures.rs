//! Pictures of positions: what is drawn, for how long it is kept, and what is refused.

use reqwest::Method;

use crate::client::{Server, problem};

fn svg(server: &Server, query: &str) -> String {
    let response = server.get(&format!("/v1/othello/board.svg?{query}"));
    assert_eq!(response.status(), 200, "{query}");
    assert_eq!(response.headers()["content-type"], "image/svg+xml");
    response.text().unwrap()
}

/// How often a part stands in a drawing.
fn count(svg: &str, part: &str) -> usize {
    svg.matches(part).count()
}

#[test]
fn discs_stand_where_the_moves_put_them() {
    let server = Server::start();
    let picture = svg(&server, "moves=f5&coordinates=false");
    // Edge 20 and cells of 100: f5 is column 5 and row 4, its middle at 570, 470.
    let black = "fill=\"#161c19\"";
    assert_eq!((count(&picture, black), count(&picture, "fill=\"#f8f7f2\"")), (4, 1), "{picture}");
    assert!(picture.contains(r##"cx="570" cy="470" r="41" fill="#161c19""##), "{picture}");
    assert!(
        picture.contains(r##"cx="570" cy="470" r="11" fill="#e5484d""##),
        "the last move is marked: {picture}"
    );
    assert!(picture.contains("black 4, white 1"), "{picture}");
}

#[test]
fn a_turned_board_shows_the_same_disc_at_the_other_end() {
    let picture = svg(&Server::start(), "moves=f5&coordinates=false&flip=true");
    assert!(picture.contains(r#"cx="270" cy="370" r="11""#), "{picture}");
}

#[test]
fn exact_values_and_estimates_differ_in_form_and_the_first_is_ringed() {
    let picture = svg(&Server::start(), "moves=f5&values=d6:%2B4,f4:-0.4,f6:~-2");
    assert_eq!(count(&picture, "font-weight=\"750\""), 1, "{picture}");
    assert_eq!(count(&picture, "stroke-dasharray"), 2, "{picture}");
    assert_eq!(count(&picture, "r=\"43\""), 1, "{picture}");
    assert!(picture.contains(">+4</text>") && picture.contains(">\u{2212}0.4</text>"), "{picture}");
}

#[test]
fn size_theme_coordinates_and_legal_moves_are_as_asked() {
    let server = Server::start();
    let plain = svg(&server, "moves=&coordinates=false");
    assert!(plain.contains("width=\"480\" height=\"480\" viewBox=\"0 0 840 840\""), "{plain}");
    assert_eq!(count(&plain, "<text"), 0);
    let dark = svg(&server, "moves=&width=96&theme=dark&legal=true");
    assert!(dark.contains("width=\"96\""), "{dark}");
    assert_eq!(count(&dark, "r=\"9\""), 4, "four first moves: {dark}");
    assert_eq!(count(&dark, "<text"), 16, "eight letters and eight figures: {dark}");
    assert_ne!(plain.contains("#2c7a5c"), dark.contains("#2c7a5c"), "the themes differ");
    let small = svg(&server, "moves=&size=4&coordinates=false");
    assert!(small.contains("viewBox=\"0 0 440 440\""), "{small}");
}

#[test]
fn a_picture_may_be_kept_and_is_not_sent_twice() {
    let server = Server::start();
    let path = "/v1/othello/board.svg?moves=f5d6";
    let first = server.get(path);
    assert_eq!(first.headers()["cache-control"], "public, max-age=86400");
    let tag = first.headers()["etag"].clone();
    let again = server.request(Method::GET, path).header("if-none-match", &tag).send().unwrap();
    assert_eq!(again.status(), 304);
    assert_ne!(server.get("/v1/othello/board.svg?moves=f5f6").headers()["etag"], tag);
}

#[test]
fn bad_input_is_a_problem_at_its_parameter() {
    let server = Server::start();
    for (query, code, pointer) in [
        ("moves=f5a1", "illegal_move", "/moves/2"),
        ("moves=f5&width=4000", "limit_out_of_range", "/width"),
        ("moves=f5&theme=pink", "invalid_request", "/theme"),
        ("moves=f5&last_move=a1", "invalid_position", "/last_move"),
        ("moves=f5&values=f5:%2B1", "invalid_position", "/values/0"),
        ("moves=f5&values=d6:%3Cb%3E", "invalid_request", "/values/0"),
        ("moves=f5&values=d6:1,d6:2", "invalid_request", "/values/1"),
        ("moves=f5&colour=red", "unknown_field", "/colour"),
    ] {
        let body = problem(server.get(&format!("/v1/othello/board.svg?{query}")), 422, code);
        assert_eq!(body["errors"][0]["pointer"], pointer, "{query}");
    }
    let refused = server.request(Method::GET, "/v1/othello/board.svg?moves=f5").header("accept", "image/png");
    problem(refused.send().unwrap(), 406, "not_acceptable");
}

#[test]
fn gomoku_stones_stand_on_crossings() {
    let server = Server::start();
    let response = server.get("/v1/gomoku/board.svg?moves=h8i9&coordinates=false&values=g9:~56%25");
    assert_eq!(response.headers()["content-type"], "image/svg+xml");
    let picture = response.text().unwrap();
    // Edge 20 and cells of 100: h8 is column 7 and row 7, its middle at 770, 770.
    assert!(picture.contains(r##"cx="770" cy="770" r="45" fill="#161c19""##), "{picture}");
    assert!(picture.contains(r#"cx="870" cy="870" r="11""#), "the last stone is marked: {picture}");
    assert!(picture.contains(">56%</text>"), "{picture}");
    let small = server.get("/v1/gomoku/board.svg?moves=&size=5&legal=true").text().unwrap();
    assert_eq!(count(&small, "r=\"9\""), 25, "{small}");
    let body = problem(server.get("/v1/gomoku/board.svg?moves=h8h8"), 422, "illegal_move");
    assert_eq!(body["errors"][0]["pointer"], "/moves/2");
}
