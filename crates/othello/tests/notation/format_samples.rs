//! Every collected sample of a notation is read as the value that its collector expected, or refused with a reason.
//! Which is which is listed here by name, so that no sample is passed over.
//!
//! Where a sample and the API's rules differ, the rules win: F27, F33 and the game F50 on 4x4 say so below.

use crate::samples::{self, State};
use othello::board::Size;
use othello::notation::{
    Assumption, BitOrder, Coding, Format, NotationError, Place, Read, Reason, UnreadForm, bitboards, cells,
    text, transcript,
};
use othello::position::{Color, EmptiesRule, IllegalMove, Position, Status};
use othello::square::{Move, Squares};
use serde_json::Value;

const TRANSCRIPTS: [&str; 8] = ["F01", "F02", "F03", "F05", "F06", "F08", "F09", "F10"];
const BOARDS: [&str; 6] = ["F19", "F20", "F22", "F23", "F25", "F26"];
const NUMBER_ROWS: [&str; 3] = ["F31", "F32", "F33"];
const BITBOARDS: [&str; 1] = ["F39"];
const REFUSED: [&str; 8] = ["F12", "F13", "F15", "F16", "F17", "F27", "F29", "F30"];
const UNREAD: [(&str, UnreadForm); 12] = [
    ("F35", UnreadForm::Json),
    ("F36", UnreadForm::MoveNumbers),
    ("F37", UnreadForm::MoveNumbers),
    ("F40", UnreadForm::Fen),
    ("F42", UnreadForm::Sgf),
    ("F43", UnreadForm::Sgf),
    ("F45", UnreadForm::Ggf),
    ("F46", UnreadForm::Ggf),
    ("F48", UnreadForm::Ggf),
    // The sample asks for a refusal because of its 4x4 board. That size is played here; the form is what is not read.
    ("F50", UnreadForm::Ggf),
    ("F52", UnreadForm::Ggf),
    ("F56", UnreadForm::Ggf),
];

#[test]
fn every_sample_is_judged_by_exactly_one_list() {
    let mut judged: Vec<&str> = [&TRANSCRIPTS[..], &BOARDS, &NUMBER_ROWS, &BITBOARDS, &REFUSED].concat();
    judged.extend(UNREAD.iter().map(|(id, _)| *id));
    judged.sort_unstable();
    let all = samples::all();
    let ids: Vec<&str> = all.iter().map(|sample| sample.id.as_str()).collect();
    assert_eq!(judged, ids);
}

#[test]
fn transcripts_lead_to_the_expected_positions() {
    for id in TRANSCRIPTS {
        let sample = samples::named(id);
        let read = text::read(sample.text()).unwrap_or_else(|error| panic!("{id}: {error}"));
        assert_eq!(read.format, Format::Transcript, "{id}");
        assert_eq!(read.start, Position::start(Size::Eight), "{id}");
        let expected = sample.expected;
        assert_eq!(Some(squares_placed(&read)), expected.plies, "{id}: discs placed");
        assert_eq!(Some(passes_written(&read)), expected.passes_written, "{id}: passes written");
        assert_eq!(
            Some(passes_implied(&read)),
            expected.passes_implied_before_move_index,
            "{id}: passes left out"
        );
        assert_eq!(read.assumed.len(), read.passes_added.len(), "{id}: each added pass is listed as assumed");
        assert_state(id, read.position, &expected.r#final.unwrap());
        if let Some(score) = expected.final_score_black {
            assert_eq!(black_score(read.position), score, "{id}: result");
        }
    }
}

#[test]
fn boards_are_the_expected_positions() {
    for id in BOARDS {
        let sample = samples::named(id);
        let read = text::read(sample.text()).unwrap_or_else(|error| panic!("{id}: {error}"));
        let obf = sample.text().contains(';');
        assert_eq!(read.format, if obf { Format::Obf } else { Format::Board }, "{id}");
        assert!(read.moves.is_empty() && read.start == read.position, "{id}: a board has no history");
        assert_state(id, read.position, &sample.state());
        let expected = sample.expected.exact_scores.unwrap_or_default();
        assert_eq!(read.values.len(), expected.len(), "{id}: one value for each move in the sample");
        for (mv, value) in read.values {
            assert_eq!(expected.get(&mv.to_string()), Some(&value), "{id}: value of {mv}");
        }
    }
}

#[test]
fn what_a_board_leaves_open_is_listed() {
    let no_side = samples::named("F22");
    let remark = Assumption::RemarkSkipped { offset: no_side.text().find('(').unwrap() };
    assert_eq!(text::read(no_side.text()).unwrap().assumed, [remark, Assumption::BlackToMove]);
    for id in ["F19", "F20", "F23", "F25"] {
        assert_eq!(text::read(samples::named(id).text()).unwrap().assumed, [], "{id}");
    }
}

#[test]
fn boards_of_numbers_are_the_expected_positions() {
    let start = Position::start(Size::Eight);
    let read = read_numbers("F31", "board", Color::White).unwrap();
    assert_eq!(read.assumed, [Assumption::Coding(Coding { black: -1, white: 1, empty: 0 })]);
    assert_eq!(
        samples::board(read.position),
        samples::board(start),
        "1 stands on d4 and e5, where white starts"
    );
    assert_eq!(read.position.side(), Color::White);

    let read = read_numbers("F32", "board", Color::Black).unwrap();
    assert_state("F32", read.position, &samples::named("F32").state());
    assert_eq!(read.assumed, [Assumption::Coding(Coding { black: 1, white: 2, empty: 0 })]);
    assert_eq!(read.format, Format::NumberRows);
}

/// That server writes 3 on empty squares where the side to move may play. No coding of three numbers says that, so the
/// number is refused where it stands instead of guessed at.
#[test]
fn a_fourth_number_is_refused_at_its_cell() {
    let place = Place::Within { item: 2, index: 2 };
    let error = read_numbers("F33", "Board", Color::White).unwrap_err();
    assert_eq!((error.place, error.reason), (place, Reason::UnknownCoding(3)));
    let coding = Some(Coding { black: 1, white: 2, empty: 0 });
    let error = cells::read_rows(&rows("F33", "Board"), coding, Color::White).unwrap_err();
    assert_eq!((error.place, error.reason), (place, Reason::UnknownValue(3)));
}

#[test]
fn bitboards_are_the_expected_positions() {
    let sample = samples::named("F39");
    let read = text::read(sample.text()).unwrap();
    assert_eq!(read.format, Format::Bitboards);
    assert_eq!(read.assumed, [Assumption::BitOrder(BitOrder::A1Lsb), Assumption::BlackBitboardFirst]);
    assert_state("F39", read.position, &sample.state());

    let words: Vec<&str> = sample.text().split(' ').collect();
    let words = bitboards::Words { black: words[0], white: words[1] };
    let named = bitboards::read(words, Some(BitOrder::A1Lsb), Size::Eight, Color::White).unwrap();
    assert_eq!((named.position, named.assumed), (read.position, vec![]));
}

#[test]
fn malformed_samples_are_refused_with_place_and_reason() {
    let not_a_move = |token: &str| Reason::NotAMove(token.to_owned());
    let illegal = |index, token: &str, reason| Reason::IllegalMove { index, token: token.to_owned(), reason };
    let turns_nothing = IllegalMove::TurnsNothing("a1".parse().unwrap());
    let expected = [
        ("F12", Place::Character(3), not_a_move("abcdt")),
        ("F13", Place::Character(6), illegal(2, "a1", turns_nothing)),
        ("F15", Place::Character(6), not_a_move("d")),
        ("F16", Place::Character(4), not_a_move("c9")),
        ("F17", Place::Character(4), illegal(2, "--", IllegalMove::PassWithMoves)),
        // In that table 0 is black, or the side to move; by our symbols it would be an empty cell. Neither is guessed.
        ("F27", Place::Character(28), Reason::AmbiguousDigits),
        ("F29", Place::Whole, Reason::CellCount { count: 63 }),
        ("F30", Place::Whole, Reason::CellCount { count: 65 }),
    ];
    assert_eq!(expected.each_ref().map(|(id, ..)| *id), REFUSED);
    for (id, place, reason) in expected {
        assert_eq!(text::read(samples::named(id).text()), Err(NotationError { place, reason }), "{id}");
    }
}

#[test]
fn forms_that_are_not_read_are_refused_by_name() {
    for (id, form) in UNREAD {
        let as_text = match samples::named(id).input {
            Value::String(text) => text,
            number => number.to_string(),
        };
        let error = text::read(&as_text).unwrap_err();
        assert_eq!(error.reason, Reason::UnreadForm(form), "{id}");
        assert!(error.to_string().contains(&form.to_string()), "{id}: the message names the form");
    }
}

/// The SGF game is not read, but its moves are: letters for both axes, turned into square names here.
#[test]
fn the_moves_of_the_sgf_game_lead_to_its_end() {
    let sample = samples::named("F42");
    let nodes =
        sample.text().split([';', '\n']).filter(|node| node.starts_with("B[") || node.starts_with("W["));
    let moves: Vec<String> =
        nodes.map(|node| format!("{}{}", &node[2..3], node.as_bytes()[3] - b'a' + 1)).collect();
    let read = transcript::read_list(&moves, Position::start(Size::Eight)).unwrap();
    assert_eq!(read.format, Format::MoveList);
    assert_eq!(Some(squares_placed(&read)), sample.expected.plies);
    assert_eq!(Some(passes_implied(&read)), sample.expected.passes_implied_before_move_index);
    assert_eq!(Some(black_score(read.position)), sample.expected.final_score_black);
    assert_state("F42", read.position, &sample.expected.r#final.unwrap());
}

fn rows(id: &str, field: &str) -> Vec<Vec<i64>> {
    serde_json::from_value(samples::named(id).json()[field].clone()).expect("the field holds rows of numbers")
}

fn read_numbers(id: &str, field: &str, side: Color) -> Result<Read, NotationError> {
    cells::read_rows(&rows(id, field), None, side)
}

fn squares_placed(read: &Read) -> usize {
    read.moves.iter().filter(|&&mv| mv != Move::Pass).count()
}

/// Indices of the written passes among the moves as written.
fn passes_written(read: &Read) -> Vec<usize> {
    let written = (0..read.moves.len()).filter(|index| !read.passes_added.contains(index));
    written
        .enumerate()
        .filter(|&(_, index)| read.moves[index] == Move::Pass)
        .map(|(token, _)| token)
        .collect()
}

/// Indices, among the moves as written, of the moves before which a pass was added.
fn passes_implied(read: &Read) -> Vec<usize> {
    read.passes_added.iter().enumerate().map(|(added_before, index)| index - added_before).collect()
}

fn black_score(position: Position) -> i32 {
    let score = position.final_score(EmptiesRule::Winner);
    if position.side() == Color::Black { score } else { -score }
}

fn assert_state(id: &str, position: Position, expected: &State) {
    assert_eq!(samples::board(position), expected.board, "{id}: board");
    assert_eq!(position.side().to_string(), expected.to_move, "{id}: side to move");
    if let Some(expected) = &expected.legal {
        let legal: Vec<String> = Squares(position.moves()).map(|square| square.to_string()).collect();
        assert_eq!(legal, *expected, "{id}: legal moves");
    }
    if let Some(over) = expected.over {
        assert_eq!(position.status() == Status::Finished, over, "{id}: over");
    }
    for (what, bits, expected) in [
        ("black", position.discs(Color::Black), expected.black),
        ("white", position.discs(Color::White), expected.white),
        ("empties", position.empty(), expected.empties),
    ] {
        assert!(
            expected.is_none_or(|count| count == bits.count_ones()),
            "{id}: {what} {}",
            bits.count_ones()
        );
    }
}
