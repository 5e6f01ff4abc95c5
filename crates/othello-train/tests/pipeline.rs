//! A small run of the whole pipeline: label, fit and pack two stages, stop, go on, repeat.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use othello::evaluation::network::packed;

/// A folder of its own for one test, empty at the start.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    folder
}

fn train(folder: &Path, arguments: &[&str]) -> String {
    let program = env!("CARGO_BIN_EXE_othello-train");
    let output = Command::new(program).arg("--folder").arg(folder).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_small_run_labels_fits_and_packs_and_can_be_repeated_to_the_byte() {
    let run = ["run", "--samples", "120", "--epochs", "2", "--from", "0", "--to", "1"];
    let (first, second) = (folder("first"), folder("second"));
    train(&first, &run);
    train(&second, &run);
    for file in ["samples-0.bin", "samples-1.bin", "evaluation.bin"] {
        assert_eq!(fs::read(first.join(file)).unwrap(), fs::read(second.join(file)).unwrap(), "{file}");
    }
    let stages = packed::unpack(&fs::read(first.join("evaluation.bin")).unwrap()).unwrap().into_stages();
    let trained: Vec<bool> = stages.iter().map(Option::is_some).collect();
    assert_eq!(trained, [true, true, false, false, false, false, false, false, false, false]);
    let report = train(&first, &["report"]);
    assert!(report.contains("own held-out positions"), "{report}");
}

#[test]
fn a_stopped_labelling_run_goes_on_where_it_was_cut() {
    let folder = folder("stopped");
    train(&folder, &["label", "--stage", "0", "--samples", "50"]);
    let path = folder.join("samples-0.bin");
    let whole = fs::read(&path).unwrap();
    // A process killed in the middle of a write leaves part of a record behind.
    fs::write(&path, &whole[..whole.len() - 5]).unwrap();
    train(&folder, &["label", "--stage", "0", "--samples", &(whole.len() / 22 + 10).to_string()]);
    let longer = fs::read(&path).unwrap();
    assert!(longer.len() > whole.len());
    assert_eq!(longer.len() % 22, 0);
    assert_eq!(longer[..whole.len() - 22], whole[..whole.len() - 22], "whole records are kept");
}

#[test]
fn games_from_tournament_beginnings_go_on_where_they_were_stopped_and_can_be_fitted_to() {
    let archives = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/othello");
    let archives = archives.to_str().unwrap();
    let games = |folder: &Path, samples: &str| {
        let empties = ["--fewest-empties", "16", "--most-empties", "20"];
        train(folder, &[&["games", "--wthor", archives, "--samples", samples], &empties[..]].concat());
        fs::read(folder.join("games-20-0-of-1.bin")).unwrap()
    };
    let (stopped, whole) = (folder("games-stopped"), folder("games-whole"));
    let first = games(&stopped, "1");
    let second = games(&stopped, &(first.len() / 22 + 1).to_string());
    assert_eq!(second[..first.len()], first);
    assert_eq!(games(&whole, &(second.len() / 22).to_string()), second);
    let fitted = train(&whole, &["fit", "--stage", "4", "--epochs", "1", "--wthor", archives]);
    assert!(fitted.contains("stage 4: held-out mean absolute error"), "{fitted}");
}

#[test]
fn walks_from_tournament_games_are_labelled_and_another_stage_can_be_the_start_of_a_fit() {
    let archives = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/othello");
    let archives = archives.to_str().unwrap();
    let leaves = |folder: &Path, samples: &str| {
        let labels =
            ["--fewest-empties", "10", "--most-empties", "19", "--exact-from-empties", "11", "--plies", "2"];
        train(folder, &[&["leaves", "--wthor", archives, "--samples", samples], &labels[..]].concat());
        fs::read(folder.join("leaves-10-19.bin")).unwrap()
    };
    let (stopped, whole) = (folder("leaves-stopped"), folder("leaves-whole"));
    let first = leaves(&stopped, "1");
    assert!(!first.is_empty());
    let second = leaves(&stopped, &(first.len() / 22 + 1).to_string());
    assert_eq!(second[..first.len()], first);
    assert_eq!(leaves(&whole, &(second.len() / 22).to_string()), second);
    for record in second.chunks_exact(22) {
        let word = |at: usize| u64::from_le_bytes(record[at..at + 8].try_into().unwrap());
        let empties = (word(0) | word(8)).count_zeros();
        let centidiscs = i16::from_le_bytes(record[16..18].try_into().unwrap());
        assert!((10..=19).contains(&empties));
        // Whole even scores of finished games, where every square counts for somebody.
        assert!(empties > 11 || centidiscs % 200 == 0, "{centidiscs} at {empties} empties");
    }
    train(&whole, &["fit", "--stage", "1", "--epochs", "1"]);
    let fitted = train(&whole, &["fit", "--stage", "0", "--start", "1", "--epochs", "1"]);
    assert!(fitted.contains("walks: "), "{fitted}");
}
