//! `unsafe` is forbidden where there is none, and explained where there is.

use std::path::{Path, PathBuf};

use crate::source::words;
use crate::{assert_none, read, root, rust_files, shown};

/// Lines above an `unsafe` block in which its SAFETY sentence may begin.
const REACH: usize = 6;

/// The folders of source of every package of the workspace.
fn packages() -> Vec<PathBuf> {
    let crates = std::fs::read_dir(root().join("crates")).expect("there are crates");
    let mut folders: Vec<_> =
        crates.map(|entry| entry.expect("the folder can be listed").path().join("src")).collect();
    folders.push(root().join("src"));
    folders.retain(|folder| folder.is_dir());
    folders.sort();
    folders
}

fn is_unsafe(text: &str) -> bool {
    words(text).iter().any(|word| word == "unsafe")
}

/// Whether the text has an attribute such as `#![forbid(unsafe_code)]`, for the file or for an item in it.
fn has_attribute(text: &str, level: &str) -> bool {
    words(text).windows(5).any(|found| found == ["[", level, "(", "unsafe_code", ")"])
}

/// Lines (from 1) where an `unsafe` block or implementation has no SAFETY sentence shortly above it.
fn unexplained(text: &str) -> Vec<usize> {
    let lines: Vec<&str> = text.lines().collect();
    let begins = |line: &str| {
        let words = words(line);
        words.windows(2).any(|pair| pair[0] == "unsafe" && matches!(pair[1].as_str(), "{" | "impl"))
    };
    (0..lines.len())
        .filter(|&at| begins(lines[at]))
        .filter(|&at| !lines[at.saturating_sub(REACH)..at].iter().any(|line| line.contains("// SAFETY: ")))
        .map(|at| at + 1)
        .collect()
}

fn roots(source: &Path) -> Vec<PathBuf> {
    ["lib.rs", "main.rs"].map(|name| source.join(name)).into_iter().filter(|file| file.is_file()).collect()
}

#[test]
fn packages_without_unsafe_code_forbid_it() {
    let mut found = Vec::new();
    for source in packages() {
        if rust_files(&source).iter().any(|file| is_unsafe(&read(file))) {
            continue;
        }
        let open = roots(&source).into_iter().filter(|file| !has_attribute(&read(file), "forbid"));
        found.extend(open.map(|file| format!("{} has no #![forbid(unsafe_code)]", shown(&file))));
    }
    assert_none(&found);
}

#[test]
fn unsafe_code_is_allowed_by_name_and_explained() {
    let mut found = Vec::new();
    for file in packages().iter().flat_map(|source| rust_files(source)) {
        let text = read(&file);
        if is_unsafe(&text) && !has_attribute(&text, "allow") {
            found.push(format!("{} uses unsafe without an allow(unsafe_code) of its own", shown(&file)));
        }
        found.extend(
            unexplained(&text).iter().map(|line| format!("{}:{line} has no SAFETY sentence", shown(&file))),
        );
    }
    assert_none(&found);
}

#[test]
fn made_up_breaches_are_caught() {
    assert!(is_unsafe("fn f() { unsafe { g() } }"));
    assert!(!is_unsafe("// unsafe\n#![forbid(unsafe_code)]\nconst A: &str = \"unsafe\";"));
    assert!(has_attribute("//! Words.\n#![forbid(unsafe_code)]", "forbid"));
    assert!(!has_attribute("//! #![forbid(unsafe_code)]", "forbid"));
    assert_eq!(unexplained("fn f() {\n    unsafe { g() }\n}"), [2]);
    assert_eq!(unexplained("// SAFETY: it is so.\nunsafe { g() }"), [0; 0]);
    assert_eq!(unexplained("unsafe impl Send for A {}"), [1]);
    assert_eq!(unexplained("unsafe fn f() {}"), [0; 0]);
}
