//! What the manifests of the crates may depend on.

use std::fs;

use crate::{assert_none, read, root};

/// Every crate of the workspace with those of the workspace that it may use.
const CRATES: [(&str, &[&str]); 8] = [
    ("searchkit", &[]),
    ("othello", &["searchkit"]),
    ("gomoku", &["searchkit"]),
    ("othello-train", &["searchkit", "othello"]),
    ("gomoku-train", &["searchkit", "gomoku"]),
    ("board-engine", &["searchkit", "othello", "gomoku"]),
    ("launcher", &[]),
    ("contest", &[]),
];

/// Crates below the service, which do without serialisation, runtimes, the web, files and the environment.
const ENGINES: [&str; 3] = ["searchkit", "othello", "gomoku"];

/// What engines may not depend on, apart from development.
const FOREIGN: [&str; 16] = [
    "anyhow",
    "axum",
    "clap",
    "discern",
    "getrandom",
    "hyper",
    "rand",
    "reqwest",
    "serde",
    "serde_json",
    "tokio",
    "toml",
    "tower",
    "tracing",
    "utoipa",
    "rayon",
];

/// The names that a manifest depends on when the crate is built for use: all dependency tables but those for
/// development.
fn dependencies(manifest: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut in_table = false;
    for line in manifest.lines().map(str::trim) {
        if let Some(header) = line.strip_prefix('[') {
            let header = header.split(']').next().unwrap_or_default();
            let wanted = |table: &str| table == "dependencies" || table == "build-dependencies";
            // `[dependencies]`, `[target.'cfg(unix)'.dependencies]` or `[dependencies.serde]`.
            let (outer, last) = header.rsplit_once('.').unwrap_or(("", header));
            in_table = wanted(last) && outer != "workspace";
            if wanted(outer.rsplit('.').next().unwrap_or_default()) && !outer.starts_with("workspace") {
                names.push(last.to_owned());
            }
        } else if in_table
            && !line.starts_with('#')
            && let Some((name, _)) = line.split_once(['=', '.']).filter(|_| line.contains('='))
        {
            names.push(name.trim().to_owned());
        }
    }
    names
}

fn breaches(name: &str, manifest: &str) -> Vec<String> {
    let used = dependencies(manifest);
    let Some((_, allowed)) = CRATES.iter().find(|(known, _)| *known == name) else {
        return vec![format!("`{name}` has no floor in this test")];
    };
    let not_below = |used: &&String| {
        let ours = used.as_str() == "discern" || CRATES.iter().any(|(known, _)| known == used);
        let foreign = ENGINES.contains(&name) && FOREIGN.contains(&used.as_str());
        foreign || (ours && !allowed.contains(&used.as_str()))
    };
    used.iter().filter(not_below).map(|used| format!("`{name}` depends on `{used}`")).collect()
}

#[test]
fn every_crate_depends_only_on_lower_floors() {
    let mut found = Vec::new();
    let mut checked = 0;
    for entry in fs::read_dir(root().join("crates")).expect("there are crates") {
        let folder = entry.expect("the folder can be listed").path();
        let manifest = folder.join("Cargo.toml");
        if manifest.is_file() {
            let name = folder.file_name().and_then(|name| name.to_str()).expect("crate names are text");
            found.extend(breaches(name, &read(&manifest)));
            checked += 1;
        }
    }
    assert_none(&found);
    assert!(checked >= ENGINES.len(), "only {checked} crates were found");
}

#[test]
fn a_made_up_breach_is_caught() {
    for (name, manifest) in [
        ("othello", "[dependencies]\nserde.workspace = true"),
        ("othello", "[dependencies]\ngomoku = { path = \"../gomoku\" }"),
        ("gomoku", "[dependencies.tokio]\nversion = \"1\""),
        ("gomoku", "[target.'cfg(unix)'.dependencies]\naxum = \"0.8\""),
        ("searchkit", "[dependencies]\nothello.workspace = true"),
        ("searchkit", "[build-dependencies]\nserde_json = \"1\""),
        ("launcher", "[dependencies]\ndiscern = { path = \"../..\" }"),
        ("othello-train", "[dependencies]\ngomoku.workspace = true"),
        ("a-new-crate", ""),
    ] {
        assert_eq!(breaches(name, manifest).len(), 1, "{name}: {manifest}");
    }
}

#[test]
fn what_is_allowed_is_not_called_a_breach() {
    let manifest = "[package]\nname = \"othello\"\n[dependencies]\n# serde = \"1\"\nsearchkit.workspace = true\n\
                    thiserror = \"2\"\n[dev-dependencies]\nserde_json.workspace = true\n[lints]\nworkspace = true";
    assert_eq!(breaches("othello", manifest), [""; 0]);
    assert_eq!(dependencies(manifest), ["searchkit", "thiserror"]);
}
