//! What is printed reads back as the same thing, on every size of board, for positions of games and for boards that no
//! game reaches.

use othello::board::Size;
use othello::notation::{
    Assumption, BitOrder, Coding, Format, bitboards, board_text, cells, obf, pasted_board, print, text,
    transcript,
};
use othello::position::{Color, Position, Status};
use othello::square::{Move, Square, Squares};
use proptest::prelude::*;

fn sizes() -> impl Strategy<Value = Size> {
    proptest::sample::select(&Size::ALL[..])
}

fn colors() -> impl Strategy<Value = Color> {
    proptest::sample::select(&[Color::Black, Color::White][..])
}

/// Any discs at all, full and empty boards included.
fn positions() -> impl Strategy<Value = Position> {
    let masks = proptest::sample::select(&[u64::MAX, 0, 0x0000_3C3C_3C3C_0000, 0xAAAA_AAAA_AAAA_AAAA][..]);
    (sizes(), any::<u64>(), any::<u64>(), masks, colors()).prop_map(|(size, black, second, mask, side)| {
        let black = black & mask & size.cells();
        Position::new(size, black, second & !black & mask & size.cells(), side)
            .expect("disjoint and on the board")
    })
}

/// The moves of a game from the standard start, forced passes included, and the position they lead to. Each number
/// picks one of the legal moves.
fn game(size: Size, picks: &[u8]) -> (Vec<Move>, Position) {
    let mut position = Position::start(size);
    let mut moves = Vec::new();
    for &pick in picks {
        let mv = match position.status() {
            Status::Finished => break,
            Status::MustPass => Move::Pass,
            Status::InProgress => {
                let legal: Vec<Square> = Squares(position.moves()).collect();
                Move::Place(legal[usize::from(pick) % legal.len()])
            }
        };
        position = position.play(mv).expect("the move is legal");
        moves.push(mv);
    }
    (moves, position)
}

fn games() -> impl Strategy<Value = (Size, Vec<Move>, Position)> {
    let picks = proptest::collection::vec(any::<u8>(), 0..80);
    (sizes(), picks).prop_map(|(size, picks)| {
        let (moves, position) = game(size, &picks);
        (size, moves, position)
    })
}

proptest! {
    #[test]
    fn boards_of_characters(position in positions()) {
        let read = board_text::read(&print::board(position), position.side()).unwrap();
        prop_assert_eq!((read.position, read.format, read.assumed), (position, Format::Board, vec![]));
        let read = board_text::read_rows(&print::board_rows(position), position.side()).unwrap();
        prop_assert_eq!((read.position, read.format, read.assumed), (position, Format::BoardRows, vec![]));
        let lines = print::board_rows(position).join("\n");
        prop_assert_eq!(board_text::read(&lines, position.side()).unwrap().position, position);
    }

    #[test]
    fn boards_with_their_side(position in positions()) {
        let printed = print::board_with_side(position);
        for read in [pasted_board::read(&printed).unwrap(), text::read(&printed).unwrap()] {
            prop_assert_eq!((read.position, read.format, read.assumed), (position, Format::Board, vec![]));
        }
        let read = text::read(&print::board(position)).unwrap();
        prop_assert_eq!(print::board(read.position), print::board(position));
        prop_assert_eq!((read.position.side(), read.assumed), (Color::Black, vec![Assumption::BlackToMove]));
    }

    /// Every symbol of the API stands for its cell, whatever stands beside it, as long as the digits are clear.
    #[test]
    fn boards_in_mixed_symbols(position in positions(), picks in proptest::collection::vec(any::<usize>(), 64)) {
        let symbols = |symbol| match symbol {
            'X' => ['X', 'x', '*', 'B', 'b', '#', '●', '@', '1'].as_slice(),
            'O' => ['O', 'o', 'W', 'w', '○', '2'].as_slice(),
            _ => ['-', '.', '_'].as_slice(),
        };
        let pick = |(symbol, pick): (char, &usize)| symbols(symbol)[pick % symbols(symbol).len()];
        let mixed: String = print::board(position).chars().zip(&picks).map(pick).collect();
        prop_assert_eq!(board_text::read(&mixed, position.side()).unwrap().position, position);
        let digits = print::board(position).replace('X', "1").replace('O', "2").replace('-', "0");
        prop_assert_eq!(board_text::read(&digits, position.side()).unwrap().position, position);
    }

    /// White space between cells changes nothing, wherever it stands, unless it makes a square of lines.
    #[test]
    fn boards_with_blanks_between_cells(position in positions(), gaps in proptest::collection::vec(0..8_usize, 64)) {
        let gap = |size: usize| ["", "", "", "", " ", "  ", "\t", "\n "][size];
        let spaced: String =
            print::board(position).chars().zip(&gaps).flat_map(|(cell, &size)| [cell.to_string(), gap(size).into()]).collect();
        let lines: Vec<&str> = spaced.lines().collect();
        prop_assume!(lines.iter().any(|line| line.chars().count() != lines.len()));
        let read = board_text::read(&spaced, position.side()).unwrap();
        prop_assert_eq!((read.position, read.assumed), (position, vec![]));
    }

    /// A board whose empty cells are blanks fits no other way than with them, unless it has none or no disc.
    #[test]
    fn boards_with_blanks_for_empty_cells(position in positions()) {
        if position.empty() == 0 || position.empty() == position.size().cells() {
            return Ok(());
        }
        let rows: Vec<String> = print::board_rows(position).iter().map(|row| row.replace('-', " ")).collect();
        let blanks = vec![Assumption::BlanksAreEmpty];
        let read = board_text::read_rows(&rows, position.side()).unwrap();
        prop_assert_eq!((read.position, &read.assumed), (position, &blanks));
        let read = board_text::read(&rows.join("\r\n"), position.side()).unwrap();
        prop_assert_eq!((read.position, &read.assumed), (position, &blanks));
        let side = if position.side() == Color::Black { "black" } else { "white" };
        let read = text::read(&format!("{}\n{side}", rows.join("\n"))).unwrap();
        prop_assert_eq!((read.position, &read.assumed), (position, &blanks));
    }

    #[test]
    fn boards_of_numbers(position in positions(), numbers in any::<[i64; 3]>()) {
        let [black, white, empty] = numbers;
        prop_assume!(black != white && white != empty && black != empty);
        let coding = Coding { black, white, empty };
        let printed = print::cells(position, coding);
        let read = cells::read(&printed, Some(coding), position.side()).unwrap();
        prop_assert_eq!((read.position, read.format, read.assumed), (position, Format::Numbers, vec![]));
        let rows: Vec<&[i64]> = printed.chunks(usize::from(position.size().side())).collect();
        let read = cells::read_rows(&rows, Some(coding), position.side()).unwrap();
        prop_assert_eq!((read.position, read.format, read.assumed), (position, Format::NumberRows, vec![]));
    }

    /// Without a coding, -1 is black and 1 white; when there is a 2 instead of a -1, 1 is black and 2 white.
    #[test]
    fn boards_of_numbers_without_a_coding(position in positions()) {
        let seeds = Coding { black: -1, white: 1, empty: 0 };
        let read = cells::read(&print::cells(position, seeds), None, position.side()).unwrap();
        prop_assert_eq!((read.position, read.assumed), (position, vec![Assumption::Coding(seeds)]));
        let tutorial = Coding { black: 1, white: 2, empty: 0 };
        let read = cells::read(&print::cells(position, tutorial), None, position.side()).unwrap();
        if position.discs(Color::White) != 0 {
            prop_assert_eq!((read.position, read.assumed), (position, vec![Assumption::Coding(tutorial)]));
        } else {
            prop_assert_eq!(read.assumed, vec![Assumption::Coding(seeds)], "0 and 1 alone fit the first coding");
        }
    }

    #[test]
    fn bitboards_in_both_orders(position in positions()) {
        for order in BitOrder::ALL {
            let [black, white] = [Color::Black, Color::White].map(|color| print::bitboard(position, color, order));
            let words = bitboards::Words { black: &black, white: &white };
            let read = bitboards::read(words, Some(order), position.size(), position.side()).unwrap();
            prop_assert_eq!((read.position, read.format, read.assumed), (position, Format::Bitboards, vec![]));
        }
    }

    #[test]
    fn lines_with_values((_, _, position) in games(), values in proptest::collection::vec(-64..=64_i8, 64)) {
        let moves: Vec<Move> = match position.status() {
            Status::InProgress => Squares(position.moves()).map(Move::Place).collect(),
            Status::MustPass => vec![Move::Pass],
            Status::Finished => vec![],
        };
        let values: Vec<(Move, i8)> = moves.into_iter().zip(values).collect();
        let printed = print::obf(position, &values);
        for read in [obf::read_line(&printed).unwrap(), text::read(&printed).unwrap()] {
            prop_assert_eq!((read.position, read.format), (position, Format::Obf));
            prop_assert_eq!((&read.values, read.assumed), (&values, vec![]));
        }
        let file = format!("% a remark\n{printed} % another\n\n{printed}\n");
        let entries = obf::read_file(&file).unwrap();
        prop_assert_eq!(entries.iter().map(|entry| entry.line).collect::<Vec<_>>(), vec![1, 3]);
        prop_assert!(entries.iter().all(|entry| entry.read.position == position && entry.read.values == values));
    }

    #[test]
    fn games_with_every_pass_written((size, moves, position) in games()) {
        let start = Position::start(size);
        let read = transcript::read(&print::transcript(&moves), start).unwrap();
        prop_assert_eq!((&read.moves, read.position, read.format), (&moves, position, Format::Transcript));
        prop_assert!(read.passes_added.is_empty() && read.assumed.is_empty());
        let list: Vec<String> = moves.iter().map(ToString::to_string).collect();
        let read = transcript::read_list(&list, start).unwrap();
        prop_assert_eq!((&read.moves, read.position, read.format), (&moves, position, Format::MoveList));
        if size == Size::Eight && !moves.is_empty() {
            prop_assert_eq!(&text::read(&print::transcript(&moves)).unwrap().moves, &moves);
        }
    }

    /// Case, white space, numbers and the way to write a pass mean nothing, and a pass may be left out unless it is the
    /// last move.
    #[test]
    fn games_as_people_write_them((size, moves, position) in games(), styles in proptest::collection::vec(any::<u32>(), 80)) {
        let mut written = String::new();
        let mut left_out = Vec::new();
        for (index, (&mv, &style)) in moves.iter().zip(&styles).enumerate() {
            if style & 1 != 0 {
                written.push_str(&format!("{}.", index + 1));
            }
            if style & 2 != 0 {
                written.push_str([" ", "\n", "\t "][style as usize / 16 % 3]);
            }
            let token = match mv {
                Move::Pass if style & 4 != 0 && index + 1 < moves.len() => {
                    left_out.push(index);
                    String::new()
                }
                Move::Pass => ["pass", "pa", "ps", "--", "@@"][style as usize / 16 % 5].to_owned(),
                Move::Place(square) => square.to_string(),
            };
            written.push_str(&if style & 8 != 0 { token.to_uppercase() } else { token });
        }
        let read = transcript::read(&written, Position::start(size)).unwrap();
        prop_assert_eq!((&read.moves, read.position, &read.passes_added), (&moves, position, &left_out));
        let listed: Vec<Assumption> = left_out.into_iter().map(|index| Assumption::PassAdded { index }).collect();
        prop_assert_eq!(read.assumed, listed);
    }

    /// A game cut in two anywhere and put together again is the same game.
    #[test]
    fn games_go_on_from_where_they_were((size, moves, position) in games(), cut in any::<proptest::sample::Index>()) {
        let (first, second) = moves.split_at(cut.index(moves.len() + 1));
        let first = transcript::read(&print::transcript(first), Position::start(size)).unwrap();
        let second = transcript::read(&print::transcript(second), first.position).unwrap();
        let whole = first.followed_by(second);
        prop_assert_eq!((&whole.moves, whole.start, whole.position), (&moves, Position::start(size), position));
    }
}

#[test]
fn passes_added_after_earlier_moves_keep_their_place() {
    // Black must pass after this game.
    let first = transcript::read("e6f6c4c5c6d6g7f4g4g6e7h8h6g5g8f8", Position::start(Size::Eight)).unwrap();
    let second = transcript::read("c3", first.position).unwrap();
    assert_eq!(second.passes_added, [0]);
    let whole = first.followed_by(second);
    assert_eq!((whole.passes_added, whole.assumed), (vec![16], vec![Assumption::PassAdded { index: 16 }]));
}
