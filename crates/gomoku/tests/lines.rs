//! Line classes against the golden windows.

mod support;

use gomoku::color::Color;
use gomoku::lines::{Line, Seen, classify};
use gomoku::rules::Rule;
use support::data;

fn label(line: Line) -> &'static str {
    match line {
        Line::Dead => "dead",
        Line::One | Line::OpenOne => "one",
        Line::Two => "two",
        Line::OpenTwo | Line::OpenTwoWide | Line::OpenTwoWidest => "open_two",
        Line::Three => "three",
        Line::OpenThree | Line::OpenThreeWide => "open_three",
        Line::Four => "four",
        Line::OpenFour => "open_four",
        Line::Five => "five",
        Line::Foul => "foul",
    }
}

#[test]
fn every_golden_window_has_the_class_of_its_meaning() {
    let golden: serde_json::Value = serde_json::from_str(&data("gomoku_lines.json")).unwrap();
    let windows = golden["windows"].as_array().unwrap();
    for window in windows {
        let seen: Vec<Seen> = window["cells"]
            .as_str()
            .unwrap()
            .chars()
            .map(|cell| match cell {
                '.' => Seen::Empty,
                'X' => Seen::Own,
                _ => Seen::Blocked,
            })
            .collect();
        let before: Vec<Seen> = seen[..4].iter().rev().copied().collect();
        let line = classify(Rule::Freestyle, Color::Black, &before, &seen[5..]);
        assert_eq!(label(line), window["class"].as_str().unwrap(), "{window}");
    }
    assert_eq!(windows.len(), 163);
}
