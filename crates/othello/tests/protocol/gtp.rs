//! The Go Text Protocol.

use std::time::Duration;

use othello::protocol::gtp::{Gtp, Step};

use crate::{converse, first_move};

fn answer(gtp: &mut Gtp, line: &str) -> String {
    match gtp.line(line) {
        Step::Say(text) | Step::Quit(text) => text,
        Step::Think(question) => {
            let mv = first_move(question.position);
            gtp.answer(&question, mv, Duration::from_secs(3))
        }
    }
}

fn transcript(conversation: &str) {
    let mut gtp = Gtp::new("1.2.3");
    converse(conversation, |line| {
        answer(&mut gtp, line).lines().map(|line| line.trim_end().to_owned()).collect()
    });
}

/// The required commands of the protocol's specification, with and without numbers, comments and control characters.
#[test]
fn the_required_commands_are_answered() {
    transcript(
        "> protocol_version
         < = 2
         > 17 name
         < =17 Discern
         > version
         < = 1.2.3
         > 1 known_command play
         < =1 true
         > known_command dance
         < = false
         > 2 boardsize 8
         < =2
         > boardsize 19
         < ? unacceptable size
         > boardsize big
         < ? boardsize not an integer
         > komi 6.5
         < =
         > clear_board # a comment
         < =
         > # only a comment
         >
         > \u{7}5 na\u{1}me
         < =5 Discern
         > 9 quit
         < =9",
    );
}

#[test]
fn every_listed_command_is_known_and_no_other() {
    let mut gtp = Gtp::new("1");
    let listed = answer(&mut gtp, "list_commands");
    let listed: Vec<&str> = listed[2..].lines().collect();
    assert!(listed.len() > 12);
    for command in &listed {
        assert_eq!(answer(&mut gtp, &format!("known_command {command}")), "= true\n");
        if *command != "quit" {
            assert!(!answer(&mut gtp, command).contains("unknown command"), "{command}");
        }
    }
    for required in [
        "protocol_version",
        "name",
        "version",
        "known_command",
        "list_commands",
        "quit",
        "boardsize",
        "clear_board",
        "komi",
        "play",
        "genmove",
    ] {
        assert!(listed.contains(&required), "the specification requires {required}");
    }
}

#[test]
fn a_game_is_played_and_taken_back() {
    transcript(
        "> play black F5
         < =
         > play w d6
         < =
         > 3 genmove b
         < =3 C3
         > undo
         < =
         > reg_genmove B
         < = C3
         > genmove black
         < = C3
         > undo
         < =
         > undo
         < =
         > undo
         < =
         > undo
         < ? cannot undo
         > showboard
         < =
         < A B C D E F G H
         < 1 - - - - - - - -
         < 2 - - - - - - - -
         < 3 - - - - - - - -
         < 4 - - - O X - - -
         < 5 - - - X O - - -
         < 6 - - - - - - - -
         < 7 - - - - - - - -
         < 8 - - - - - - - -
         < black to move",
    );
}

#[test]
fn what_the_rules_or_the_syntax_forbid_is_refused() {
    transcript(
        "> play black a1
         < ? illegal move
         > play white f5
         < ? illegal move
         > play black pass
         < ? illegal move
         > play black z9
         < ? syntax error
         > play purple f5
         < ? syntax error
         > play
         < ? syntax error
         > genmove
         < ? syntax error
         > genmove white
         < ? wrong color
         > 4 dance
         < ?4 unknown command
         > 5
         < ?5 unknown command
         > level 0
         < ? a level is a number from 1 to 30
         > level 12
         < =
         > time_left b x 1
         < ? syntax error
         > time_settings 1 2
         < ? syntax error",
    );
}

#[test]
fn passes_are_told_in_every_form_or_left_out() {
    // First moves lead to a position in which the side to move must pass.
    let mut gtp = Gtp::new("1");
    let mut colors = ["b", "w"].into_iter().cycle();
    let mut color = colors.next().unwrap();
    while gtp.position().status() != othello::position::Status::MustPass {
        let said = answer(&mut gtp, &format!("genmove {color}"));
        assert!(said.starts_with("= ") && said != "= PASS\n", "{said}");
        color = colors.next().unwrap();
    }
    let other = if color == "b" { "w" } else { "b" };
    for pass in ["pass", "PASS", "pa", "ps", "--", "@@"] {
        let mut told = gtp.clone();
        assert_eq!(answer(&mut told, &format!("play {color} {pass}")), "= \n");
        assert!(answer(&mut told, &format!("genmove {other}")).starts_with("= "));
    }
    let mut asked = gtp.clone();
    assert_eq!(answer(&mut asked, &format!("genmove {color}")), "= PASS\n");
    assert!(answer(&mut asked, &format!("genmove {other}")).len() == 5);
    // The other side moves on without a word about the pass; taking that back takes both back.
    let mut left_out = gtp.clone();
    let before = left_out.position();
    assert!(answer(&mut left_out, &format!("genmove {other}")).len() == 5);
    assert_eq!(answer(&mut left_out, "undo"), "= \n");
    assert_eq!(left_out.position(), before);
}

#[test]
fn a_finished_game_has_only_passes_left() {
    let mut gtp = Gtp::new("1");
    // Black wipes white out in nine moves.
    for (index, mv) in ["f5", "d6", "c5", "f6", "e7", "f4", "g5", "e6", "e3"].iter().enumerate() {
        let color = if index % 2 == 0 { "b" } else { "w" };
        assert_eq!(answer(&mut gtp, &format!("play {color} {mv}")), "= \n", "{mv}");
    }
    for color in ["b", "w"] {
        assert_eq!(answer(&mut gtp, &format!("genmove {color}")), "= PASS\n");
        assert_eq!(answer(&mut gtp, &format!("play {color} pass")), "? illegal move\n");
    }
}

fn clock_of(lines: &[&str]) -> Option<searchkit::game_clock::GameClock> {
    let mut gtp = Gtp::new("1");
    for line in lines {
        assert!(answer(&mut gtp, line).starts_with('='), "{line}");
    }
    match gtp.line("genmove b") {
        Step::Think(question) => question.clock,
        other => panic!("{other:?}"),
    }
}

#[test]
fn clocks_are_kept_as_they_are_told() {
    let seconds = Duration::from_secs;
    assert_eq!(clock_of(&[]), None);
    assert_eq!(clock_of(&["time_settings 0 1 0"]), None, "the protocol's way to say that there is no limit");
    let main = clock_of(&["time_settings 300 0 0"]).unwrap();
    assert_eq!(main.remaining, seconds(300));
    assert!((20..=30).contains(&main.moves_left), "{main:?}");
    // Three seconds were used for the first move.
    let later = clock_of(&["time_settings 300 0 0", "genmove b", "genmove w"]).unwrap();
    assert_eq!(later.remaining, seconds(297));
    let told = clock_of(&["time_settings 300 0 0", "time_left black 12 0"]).unwrap();
    assert_eq!(told.remaining, seconds(12));
    let period = clock_of(&["time_settings 0 10 1"]).unwrap();
    assert_eq!((period.remaining, period.moves_left), (seconds(10), 1));
    let again = clock_of(&["time_settings 0 10 1", "genmove b", "genmove w"]).unwrap();
    assert_eq!((again.remaining, again.moves_left), (seconds(10), 1), "every period begins anew");
    let stones = clock_of(&["time_settings 60 30 5", "time_left b 25 4"]).unwrap();
    assert_eq!((stones.remaining, stones.moves_left), (seconds(25), 4));
}

/// Whatever comes in, an answer in the protocol's form comes out, and the conversation goes on.
#[test]
fn bad_lines_never_end_the_conversation() {
    let mut gtp = Gtp::new("1");
    for line in [
        "\0\0\0",
        "999999999999999999999999 name",
        "play",
        "play b",
        "play b é",
        "genmove 🙂",
        "time_left b -1 0",
        "time_settings 1e300 0 0",
        "time_left b NaN 1",
        "undo undo",
        "boardsize",
        "komi x",
        "level x",
        "=",
        "?",
        "\u{FFFD}",
    ] {
        let said = answer(&mut gtp, line);
        assert!(said.is_empty() || said.starts_with(['=', '?']), "{line:?}: {said:?}");
    }
    assert_eq!(answer(&mut gtp, "1 protocol_version"), "=1 2\n");
}
