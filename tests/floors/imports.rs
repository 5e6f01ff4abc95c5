//! Rooms of `src/` import rooms of lower floors only.

use std::path::Path;

use crate::source::{next_segments, words};
use crate::{ROOMS, assert_none, read, room_files, root, rust_files, shown};

fn floor(room: &str) -> Option<u8> {
    ROOMS.iter().find(|(name, _)| *name == room).map(|&(_, floor)| floor)
}

/// The rooms that a source text names by a path from the root of the package: after `crate::`, `discern::`, or as many
/// `super::` as lead there from a module `depth` levels below the root.
fn rooms_named(text: &str, depth: usize) -> Vec<String> {
    let words = words(text);
    let mut named = Vec::new();
    let mut supers = 0;
    for (at, word) in words.iter().enumerate() {
        match word.as_str() {
            "super" => supers += 1,
            "::" => continue,
            _ => supers = 0,
        }
        // Modules written inside a file need more steps up, never fewer.
        if matches!(word.as_str(), "crate" | "discern") || (word == "super" && supers >= depth) {
            named.extend(next_segments(&words[at + 1..]).into_iter().map(|(name, _)| name.to_owned()));
        }
    }
    named.retain(|name| floor(name).is_some());
    named
}

/// The rooms that a file of `room` names although they are not below it.
fn breaches(room: &str, text: &str, depth: usize) -> Vec<String> {
    let mut named = rooms_named(text, depth);
    named.retain(|other| other != room && floor(other) >= floor(room));
    named
}

/// How many modules lie between a file and the root: 1 for `src/pool.rs` and `src/pool/mod.rs`.
fn module_depth(file: &Path) -> usize {
    let inner = file.strip_prefix(root().join("src")).expect("the file lies in src");
    let parts = inner.components().count();
    if inner.file_name().is_some_and(|name| name == "mod.rs") { parts - 1 } else { parts }
}

#[test]
fn every_room_imports_only_lower_floors() {
    let mut found = Vec::new();
    for (room, _) in ROOMS {
        for file in room_files(room) {
            for other in breaches(room, &read(&file), module_depth(&file)) {
                found.push(format!("{} imports `{other}`, which is not below `{room}`", shown(&file)));
            }
        }
    }
    assert_none(&found);
}

/// A new room must be given a floor here, or it would go unchecked.
#[test]
fn every_module_of_the_package_has_a_floor() {
    let mut checked = 0;
    for file in rust_files(&root().join("src")) {
        let inner = file.strip_prefix(root().join("src")).expect("the file lies in src");
        let first = inner.components().next().expect("a file has a name").as_os_str();
        let room =
            Path::new(first).file_stem().and_then(|name| name.to_str()).expect("module names are text");
        assert!(matches!(room, "lib" | "main") || floor(room).is_some(), "`{room}` has no floor");
        checked += 1;
    }
    assert!(checked > 2, "only {checked} files were found");
}

#[test]
fn a_made_up_breach_is_caught() {
    for (room, text, caught) in [
        ("pool", "use crate::http::connections;", "http"),
        ("pool", "use crate::{wire::Position, pool::queue};", "wire"),
        ("wire", "fn f() { crate::pool::ticket(); }", "pool"),
        ("wire", "use discern::service;", "service"),
        ("service", "use crate::{pool, wire, jobs::{self}};", "jobs"),
        ("http", "pub(crate) fn f(x: crate::cli::Settings) {}", "cli"),
        ("service", "use super::http::routes;", "http"),
    ] {
        assert_eq!(breaches(room, text, 1), [caught], "{text}");
    }
    assert_eq!(breaches("service", "use super::super::http;", 2), ["http"]);
}

#[test]
fn what_is_allowed_is_not_called_a_breach() {
    for (room, text, depth) in [
        ("http", "use crate::{service, wire, pool, jobs};", 1),
        ("cli", "use crate::http; use crate::cli::exit;", 1),
        ("pool", "// crate::http\nconst A: &str = \"crate::http\"; pub(crate) struct Http;", 1),
        ("pool", "use super::http;", 2),
        ("pool", "use crate::pool::wire;", 1),
        ("wire", "use othello::position::Position;", 1),
    ] {
        assert_eq!(breaches(room, text, depth), [""; 0], "{text}");
    }
}
