//! The house rules of `docs/ARCHITECTURE.md` that can be read off the source: what a floor may import, and what is absent
//! from it. Every check also proves on a made-up source that it would catch a breach.

mod absences;
mod crates;
mod imports;
mod source;
mod unsafety;

use std::fs;
use std::path::{Path, PathBuf};

/// The root of the repository.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The rooms of `src/` with their floors. A room may import rooms of lower floors only, so two on one floor do not know
/// each other.
const ROOMS: [(&str, u8); 7] =
    [("client", 2), ("wire", 2), ("pool", 2), ("service", 3), ("jobs", 4), ("http", 5), ("cli", 6)];

/// All Rust files below a folder, or the one file of that name; none when there is neither.
fn rust_files(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_owned()];
    }
    let Ok(entries) = fs::read_dir(path) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("the folder can be listed").path())
        .flat_map(|entry| if entry.is_dir() { rust_files(&entry) } else { vec![entry] })
        .filter(|file| file.extension().is_some_and(|extension| extension == "rs"))
        .collect();
    files.sort();
    files
}

/// The files of one room: `src/room.rs` and everything below `src/room/`.
fn room_files(room: &str) -> Vec<PathBuf> {
    let source = root().join("src");
    [rust_files(&source.join(format!("{room}.rs"))), rust_files(&source.join(room))].concat()
}

fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// A file's name as a person would write it.
fn shown(file: &Path) -> String {
    file.strip_prefix(root()).unwrap_or(file).display().to_string()
}

/// Fails with one line for each breach.
fn assert_none(breaches: &[String]) {
    assert!(breaches.is_empty(), "\n{}\n", breaches.join("\n"));
}
