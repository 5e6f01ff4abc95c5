//! A small run of the whole pipeline: games, a stop in the middle, a fit.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn train(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_gomoku-train")).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_stopped_run_goes_on_where_it_was_cut_and_its_games_can_be_fitted() {
    let folder = folder("pipeline");
    let (whole, cut, weights) =
        (folder.join("whole.txt"), folder.join("cut.txt"), folder.join("weights.bin"));
    let [whole_name, cut_name, weights_name] = [&whole, &cut, &weights].map(|path| path.to_str().unwrap());
    let play = |file: &str, games: &str| train(&["play", file, "--games", games, "--nodes", "60"]);
    play(whole_name, "4");
    play(cut_name, "2");
    // A process killed in the middle of a write leaves part of a line behind.
    let text = fs::read_to_string(&cut).unwrap();
    fs::write(&cut, &text[..text.len() - 5]).unwrap();
    play(cut_name, "4");
    assert_eq!(fs::read_to_string(&whole).unwrap(), fs::read_to_string(&cut).unwrap());
    let report = train(&["fit", whole_name, "--out", weights_name]);
    assert!(report.contains("4 games"), "{report}");
    let size = 2 * (4 * gomoku::evaluation::COMBINATIONS + 1 + 2 * gomoku::board::NEARNESS);
    assert_eq!(fs::read(&weights).unwrap().len(), size);
}
