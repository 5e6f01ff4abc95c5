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

/// The folder of a few tournament games that is kept with the tests.
fn archives() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/othello");
    path.to_str().unwrap().to_owned()
}

#[test]
fn a_small_run_makes_weights_from_nothing_and_can_be_stopped_and_repeated_to_the_byte() {
    let archives = archives();
    let plan = ["--samples", "60", "--walks", "60", "--epochs", "2", "--to", "1", "--wthor", &archives];
    let run =
        |folder: &Path, rounds: &str| train(folder, &[&["run", "--rounds", rounds], &plan[..]].concat());
    let (stopped, whole) = (folder("run-stopped"), folder("run-whole"));
    run(&stopped, "1");
    let first_round = fs::read(stopped.join("evaluation.bin")).unwrap();
    let output = run(&stopped, "2");
    assert!(!output.contains("round 1, stage 0") && output.contains("round 2, stage 1"), "{output}");
    run(&whole, "2");
    for file in ["samples-0.bin", "samples-1.bin", "leaves-9-13.bin", "leaves-14-17.bin", "evaluation.bin"] {
        assert_eq!(fs::read(stopped.join(file)).unwrap(), fs::read(whole.join(file)).unwrap(), "{file}");
    }
    let weights = fs::read(whole.join("evaluation.bin")).unwrap();
    assert_ne!(weights, first_round, "the second round goes on from the first");
    let stages = packed::unpack(&weights).unwrap().into_stages();
    let trained: Vec<bool> = stages.iter().map(Option::is_some).collect();
    assert_eq!(trained, [true, true, false, false, false, false, false, false, false, false]);
}

#[test]
fn held_out_positions_are_labelled_deep_for_the_report_and_labels_can_be_renewed() {
    let folder = folder("relabelled");
    train(&folder, &["label", "--stage", "0", "--samples", "600"]);
    let deep = ["--per-stage", "5", "--exact-from-empties", "60"];
    train(&folder, &[&["relabel"], &deep[..]].concat());
    let report = train(&folder, &["report"]);
    assert!(report.contains("held-out positions, own games, labelled deep"), "{report}");
    let read = |name: &str| fs::read(folder.join(name)).unwrap();
    let samples = read("samples-0.bin");
    let held_out = read("held-out-own.bin");
    assert_eq!(held_out.len(), 5 * 22);
    // All of these labels are exact, so a deeper search changes none.
    for record in held_out.chunks_exact(22) {
        assert!(samples.chunks_exact(22).any(|sample| sample == record));
    }
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (from, shallow, exact) = (path("samples-0.bin"), path("shallow.bin"), path("exact.bin"));
    train(&folder, &["renew", "--from", &from, "--to", &exact]);
    assert_eq!(read("exact.bin"), samples);
    let labels = ["--exact-from-empties", "4", "--plies", "1"];
    train(&folder, &[&["renew", "--from", &from, "--to", &shallow], &labels[..]].concat());
    let shallow = read("shallow.bin");
    assert_eq!(shallow.len(), samples.len());
    assert_ne!(shallow, samples);
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
    let archives = archives();
    let games = |folder: &Path, samples: &str| {
        let empties = ["--fewest-empties", "16", "--most-empties", "20"];
        train(folder, &[&["games", "--wthor", &archives, "--samples", samples], &empties[..]].concat());
        fs::read(folder.join("games-20-0-of-1.bin")).unwrap()
    };
    let (stopped, whole) = (folder("games-stopped"), folder("games-whole"));
    let first = games(&stopped, "1");
    let second = games(&stopped, &(first.len() / 22 + 1).to_string());
    assert_eq!(second[..first.len()], first);
    assert_eq!(games(&whole, &(second.len() / 22).to_string()), second);
    let fitted = train(&whole, &["fit", "--stage", "4", "--epochs", "1", "--wthor", &archives]);
    assert!(fitted.contains("stage 4: held-out mean absolute error"), "{fitted}");
}

#[test]
fn walks_from_tournament_games_are_labelled_and_another_stage_can_be_the_start_of_a_fit() {
    let archives = archives();
    let leaves = |folder: &Path, samples: &str| {
        let labels =
            ["--fewest-empties", "10", "--most-empties", "19", "--exact-from-empties", "11", "--plies", "2"];
        train(folder, &[&["leaves", "--wthor", &archives, "--samples", samples], &labels[..]].concat());
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
