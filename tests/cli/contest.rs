//! Matches, and the protocols that they are played over.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use serde_json::Value;

use crate::process::{complaint, discern, printed, run};

fn reply(arguments: &[&str]) -> Value {
    serde_json::from_str(&printed(arguments)).unwrap()
}

#[test]
fn a_match_of_fixed_depths_is_the_same_every_time() {
    let play = || {
        let mut reply =
            reply(&["match", "discern,depth=3", "discern,depth=1", "--games", "6", "--seed", "7", "--json"]);
        reply["ms_a_move"] = Value::Null;
        reply
    };
    let first = play();
    assert_eq!(first, play());
    assert_eq!(first["games_played"], 6);
    let games = first["games"].as_array().unwrap();
    // Each opening twice, with both colours.
    for pair in games.chunks(2) {
        assert_eq!(pair[0]["moves"].as_array().unwrap()[..8], pair[1]["moves"].as_array().unwrap()[..8]);
        assert_eq!((pair[0]["black"].as_str(), pair[1]["black"].as_str()), (Some("a"), Some("b")));
    }
    assert!(first["discs_a_game"].as_f64().unwrap() > 0.0, "two plies more are worth discs: {first}");
}

#[test]
fn a_player_that_is_no_player_is_refused_by_name() {
    for (player, part, code) in [
        ("edax", "none of discern", 2),
        ("discern,deep=3", "no option `deep`", 2),
        ("gtp:/there/is/no/such/program", "crashed", 69),
    ] {
        let output = run(&["match", player, "discern,depth=1", "--games", "8"]);
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        assert!(complaint(&output).contains(part), "{output:?}");
    }
}

#[test]
fn programs_that_answer_nonsense_lose_and_are_counted() {
    // A program in the shell that agrees to everything and moves to a square that no board has.
    let reply = reply(&[
        "match",
        "discern,depth=1",
        "gtp:sh -c 'while read line; do case $line in gen*) echo = z9;; *) echo =;; esac; echo; done'",
        "--games",
        "2",
        "--json",
    ]);
    assert_eq!(reply["wins"], 2);
    assert_eq!(reply["faults"]["b"]["garbled"], 2);
}

/// The program itself as both kinds of other program: the same settings over either protocol play the same games as in
/// this process, so the pairs split.
#[test]
fn the_protocols_play_the_same_games_as_this_process() {
    let ours = env!("CARGO_BIN_EXE_discern");
    for protocol in ["gtp", "nboard"] {
        let other = format!("{protocol}:{ours} {protocol} --level 8 --seed 3 --table-mib 1");
        let reply = reply(&["match", "discern,level=8,seed=3,table_mib=1", &other, "--games", "4", "--json"]);
        assert_eq!(reply["games_played"], 4, "{reply}");
        for games in reply["games"].as_array().unwrap().chunks(2) {
            assert_eq!(games[0]["moves"], games[1]["moves"], "{protocol}");
            assert_eq!(games[0]["fault"], Value::Null);
        }
    }
}

/// What a program prints when these lines are its whole input.
fn said(arguments: &[&str], lines: &str) -> String {
    let mut child = discern(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn gtp_answers_every_line_and_ends_with_its_input() {
    let text =
        said(&["gtp", "--depth", "1"], "1 name\nnonsense\n\n2 genmove b\n3 genmove b\n4 quit\n5 name\n");
    let answers: Vec<&str> = text.split("\n\n").filter(|answer| !answer.is_empty()).collect();
    assert_eq!(answers.len(), 5, "{text}");
    assert_eq!(answers[0], "=1 Discern");
    assert_eq!(answers[1], "? unknown command");
    assert!(answers[2].starts_with("=2 ") && answers[2].len() == 5, "{text}");
    assert_eq!((answers[3], answers[4].trim_end()), ("?3 wrong color", "=4"));
    assert_eq!(said(&["gtp"], "name\n"), "= Discern\n\n");
}

#[test]
fn nboard_hints_and_answers_go_until_a_ping_stops_it() {
    let text = said(&["nboard", "--depth", "4"], "nboard 2\nset depth 5\nhint 3\ngo\nset game rubbish\n");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "set myname Discern5");
    assert!(lines.iter().filter(|line| line.starts_with("search ")).count() >= 4, "{text}");
    assert_eq!(lines.iter().filter(|line| line.starts_with("=== ")).count(), 1, "{text}");
    assert!(text.contains("cannot read the game"), "{text}");

    // Sixty plies from the start would take years.
    let mut child = discern(&["nboard"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    input.write_all(b"set depth 60\ngo\n").unwrap();
    assert_eq!(lines.next().unwrap().unwrap(), "set myname Discern60");
    assert_eq!(lines.next().unwrap().unwrap(), "status Discern is thinking");
    input.write_all(b"ping 5\nquit\n").unwrap();
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    assert_eq!(rest, ["status Discern is waiting", "pong 5"]);
    assert!(child.wait().unwrap().success());
}
