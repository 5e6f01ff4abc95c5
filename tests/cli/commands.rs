//! The commands that run and end.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::Value;

use crate::process::{complaint, discern, printed, run};

/// A file of the test data.
fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

fn data_text(name: &str) -> String {
    data(name).to_str().unwrap().to_owned()
}

fn rows(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn the_version_names_the_processor_it_was_built_for() {
    let text = printed(&["--version"]);
    assert!(text.starts_with(concat!("discern ", env!("CARGO_PKG_VERSION"), " (")), "{text}");
}

#[test]
fn help_lists_the_exit_codes() {
    assert!(printed(&["--help"]).contains("78  a setting is refused"));
}

#[test]
fn perft_counts_as_published() {
    let published = std::fs::read_to_string(data("othello/perft.tsv")).unwrap();
    let mut checked = 0;
    for line in published.lines().filter(|line| !line.starts_with('#')).take(7) {
        let mut columns = line.split('\t');
        let (depth, lines) = (columns.next().unwrap(), columns.next().unwrap());
        assert!(printed(&["perft", depth]).starts_with(&format!("perft({depth}) = {lines} in ")));
        checked += 1;
    }
    assert_eq!(checked, 7);
}

#[test]
fn perft_divides_and_takes_any_position() {
    let text = printed(&["perft", "3", "--position", "f5", "--divide", "--json"]);
    let reply: Value = serde_json::from_str(&text).unwrap();
    let sum: u64 = reply["moves"].as_object().unwrap().values().map(|lines| lines.as_u64().unwrap()).sum();
    // A quarter of the 244 lines of four plies: the four first moves are one by symmetry.
    assert_eq!((reply["lines"].as_u64(), sum), (Some(61), 61));
    assert_eq!(run(&["perft", "3", "--position", "f6"]).status.code(), Some(65));
}

#[test]
fn the_printed_document_is_the_committed_one() {
    let committed =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("openapi/openapi.json"));
    assert_eq!(printed(&["openapi"]).trim_end(), committed.unwrap().trim_end(), "run `make openapi`");
}

#[test]
fn solving_agrees_with_the_published_values() {
    let text = printed(&["solve", &data_text("othello/ffo-1-19.obf"), "--range", "2-4", "--json"]);
    let rows = rows(&text);
    let values: Vec<_> =
        rows[..3].iter().map(|row| (row["number"].as_u64(), row["value"].as_i64())).collect();
    assert_eq!(values, [(Some(2), Some(10)), (Some(3), Some(2)), (Some(4), Some(0))]);
    assert!(rows[..3].iter().all(|row| row["matches"] == true && row["nodes"].as_u64() > Some(0)));
    assert_eq!(rows[3]["total"]["positions"], 3);
    assert_eq!(rows[3]["total"]["mismatches"], 0);
}

#[test]
fn a_table_for_people_has_a_row_a_position_and_a_sum() {
    let text = printed(&["solve", &data_text("othello/ffo-1-19.obf"), "--first", "1"]);
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), 3, "{text}");
    assert!(lines[1].contains("+18") && lines[1].contains("g8"), "{text}");
    assert!(lines[2].starts_with("1 positions, 0 differ from the file"), "{text}");
}

#[test]
fn a_value_that_differs_from_the_file_ends_with_1() {
    let first = std::fs::read_to_string(data("othello/ffo-1-19.obf")).unwrap();
    let wrong = first.lines().next().unwrap().replace("G8:+18", "G8:+20");
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("wrong.obf");
    std::fs::write(&path, wrong).unwrap();
    let output = run(&["solve", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("DIFFERS"), "{output:?}");
}

#[test]
fn files_that_cannot_be_used_are_told_apart() {
    let missing = run(&["solve", "nowhere.obf"]);
    assert_eq!(missing.status.code(), Some(66));
    assert!(complaint(&missing).contains("nowhere.obf"), "{missing:?}");
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("no-board.obf");
    std::fs::write(&path, "no board at all\n").unwrap();
    assert_eq!(run(&["solve", path.to_str().unwrap()]).status.code(), Some(65));
    let beyond = run(&["solve", &data_text("othello/ffo-1-19.obf"), "--range", "20-30"]);
    assert_eq!(beyond.status.code(), Some(65));
}

#[test]
fn a_reader_that_leaves_ends_the_program_quietly() {
    let mut command = discern(&["solve", &data_text("othello/ffo-1-19.obf"), "--json"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    assert!(first.starts_with('{'), "{first}");
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), complaint(&output).as_str()), (Some(0), ""));
}

#[test]
fn the_endgame_bench_knows_the_published_values() {
    let rows = rows(&printed(&["bench", "endgame", "--range", "20-21", "--json"]));
    assert_eq!((rows[0]["number"].as_u64(), rows[0]["value"].as_i64()), (Some(20), Some(6)));
    assert_eq!((rows[1]["number"].as_u64(), rows[1]["value"].as_i64()), (Some(21), Some(0)));
    assert_eq!(rows[2]["total"]["mismatches"], 0);
}

const EDGE: &str = "othello/ffo-1-19.obf";

#[test]
fn an_analysis_for_people_shows_board_and_values() {
    let position = std::fs::read_to_string(data(EDGE)).unwrap();
    let board = position.lines().next().unwrap().split_once(';').unwrap().0;
    let text = printed(&["analyze", board, "--goal", "best_move", "--time-ms", "20000"]);
    assert!(text.starts_with("  a b c d e f g h\n1 . . X X X X X .\n"), "{text}");
    // The columns are as wide as the other moves' bounds need, which are the search's own affair.
    let best = text.lines().find(|line| line.starts_with("  g8 ")).unwrap();
    assert!(best.split_whitespace().nth(1) == Some("=+18"), "{text}");
}

#[test]
fn an_analysis_for_programs_is_the_http_answer() {
    let text =
        printed(&["analyze", "f5", "--depth", "4", "--deterministic", "--json", "--goal", "all_moves"]);
    let reply: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(reply["position"]["side_to_move"], "white");
    assert_eq!(reply["moves"].as_array().unwrap().len(), 3);
    assert_eq!(reply["search"]["stop_reason"], "depth");
    let again =
        printed(&["analyze", "f5", "--depth", "4", "--deterministic", "--json", "--goal", "all_moves"]);
    assert_eq!(text, again);
}

#[test]
fn a_question_that_means_nothing_is_told_and_ends_with_65() {
    let output = run(&["analyze", "f6"]);
    assert_eq!(output.status.code(), Some(65));
    assert!(complaint(&output).contains("f6"), "{output:?}");
    assert_eq!(run(&["analyze", "--depth", "61"]).status.code(), Some(65));
}

#[test]
fn every_line_of_input_gets_one_line_of_answer() {
    let mut command = discern(&["analyze", "--stdin"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let long = format!("{{\"moves\": \"{}\"}}", " ".repeat(70_000));
    let questions = [
        "{\"moves\": \"f5\", \"limits\": {\"depth\": 3}}",
        "",
        "not json",
        "{\"moves\": \"f5\", \"limts\": {}}",
        &long,
    ];
    for question in questions {
        writeln!(input, "{question}").unwrap();
    }
    write!(input, "{{\"moves\": \"f5d6\", \"limits\": {{\"depth\": 2}}}}").unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let answers = rows(&String::from_utf8(output.stdout).unwrap());
    let codes: Vec<_> = answers.iter().map(|answer| answer["code"].as_str()).collect();
    let expected = [None, Some("invalid_json"), Some("unknown_field"), Some("body_too_large"), None];
    assert_eq!(codes, expected);
    assert_eq!(answers[4]["position"]["side_to_move"], "black");
}

/// The demo of the first founding text.
const DEMO: &str = "...................OOO.....OXX...O.OXX..XOOX.XX..O.O....OOXXXX.. X";

#[test]
fn compare_prints_the_golden_rows_for_people_and_programs() {
    let arguments = ["compare", DEMO, "--depths", "6"];
    let table = printed(&arguments);
    let line = |name: &str| table.lines().find(|line| line.contains(name)).unwrap().to_owned();
    let columns: Vec<String> = line(" null_move ").split_whitespace().map(str::to_owned).collect();
    // Depth 6: the unverified null move leaves -35 e6 of the plain search.
    assert_eq!(columns[..5], ["6", "null_move", "-16", "c5", "18945"]);
    assert_eq!(columns[11..], ["other", "other"]);
    assert!(table.contains("4 of 4 rows finished"), "{table}");

    let json: Value = serde_json::from_str(&printed(&[&arguments[..], &["--json"]].concat())).unwrap();
    assert_eq!(
        (json["rows"][0]["score"].as_i64(), json["rows"][0]["nodes"].as_u64()),
        (Some(-35), Some(51_596))
    );
    let csv = printed(&[&arguments[..], &["--csv"]].concat());
    assert!(csv.lines().nth(2).unwrap().starts_with("null_move,6,-16,c5,18945,83,"), "{csv}");
}

#[test]
fn compare_takes_free_configurations_and_refuses_what_it_does_not_know() {
    let free = r#"{"name": "by mobility", "ordering": "mobility", "table": true}"#;
    let table =
        printed(&["compare", DEMO, "--depths", "5", "--configuration", "plain", "--configuration", free]);
    let line = table.lines().find(|line| line.contains("by mobility")).unwrap();
    assert!(line.contains(" -4 "), "an ordering changes no value: {table}");
    let slip = run(&["compare", DEMO, "--configuration", "plian"]);
    assert_eq!(slip.status.code(), Some(65));
    assert!(complaint(&slip).contains("did you mean `plain`?"), "{slip:?}");
    assert_eq!(run(&["compare", DEMO, "--depths", "99"]).status.code(), Some(65));
}
