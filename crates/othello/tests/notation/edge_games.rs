//! Tournament games at the edges of the rules: wipe-outs, long runs of passes, early ends, draws with empty squares,
//! records that stop early. All end as their records say.

use crate::samples::lines;
use othello::board::Size;
use othello::notation::{Read, print, transcript};
use othello::position::{Color, EmptiesRule, Position, Status};
use othello::square::Move;
use serde::Deserialize;

#[derive(Deserialize)]
struct Game {
    id: String,
    moves: String,
    plies: usize,
    implied_pass_before_move: Vec<usize>,
    longest_same_side_pass_run: usize,
    black_discs: u32,
    white_discs: u32,
    empties: u32,
    game_over: bool,
    /// Black's discs with the empties to the winner, as the record has them; of a game that was broken off, whatever
    /// was agreed.
    stored_black_score: i32,
    final_score_black_empties_to_winner: Option<i32>,
}

fn games() -> Vec<Game> {
    let games: Vec<Game> = lines("wthor-edge-games.jsonl");
    assert_eq!(games.len(), 37);
    games
}

fn replay(game: &Game) -> Read {
    transcript::read(&game.moves, Position::start(Size::Eight))
        .unwrap_or_else(|error| panic!("{}: {error}", game.id))
}

fn black_score(position: Position, rule: EmptiesRule) -> i32 {
    let score = position.final_score(rule);
    if position.side() == Color::Black { score } else { -score }
}

#[test]
fn passes_that_the_records_leave_out_are_added_where_they_happened() {
    for game in games() {
        let read = replay(&game);
        assert_eq!(read.moves.len(), game.plies + game.implied_pass_before_move.len(), "{}", game.id);
        let before_written: Vec<usize> =
            read.passes_added.iter().enumerate().map(|(earlier, index)| index - earlier).collect();
        assert_eq!(before_written, game.implied_pass_before_move, "{}", game.id);
        assert!(read.passes_added.iter().all(|&index| read.moves[index] == Move::Pass), "{}", game.id);
        assert_eq!(longest_pass_run(&read), game.longest_same_side_pass_run, "{}", game.id);
    }
}

/// The most passes of one side without a move of its own between them.
fn longest_pass_run(read: &Read) -> usize {
    let mut longest = 0;
    for parity in 0..2 {
        let mut run = 0;
        for mv in read.moves.iter().skip(parity).step_by(2) {
            run = if *mv == Move::Pass { run + 1 } else { 0 };
            longest = longest.max(run);
        }
    }
    longest
}

#[test]
fn final_positions_have_the_recorded_discs_and_status() {
    for game in games() {
        let position = replay(&game).position;
        let counts = [position.discs(Color::Black), position.discs(Color::White), position.empty()];
        let recorded = [game.black_discs, game.white_discs, game.empties];
        assert_eq!(counts.map(u64::count_ones), recorded, "{}", game.id);
        assert_eq!(position.status() == Status::Finished, game.game_over, "{}", game.id);
        assert_eq!(game.game_over, game.final_score_black_empties_to_winner.is_some(), "{}", game.id);
    }
}

#[test]
fn finished_games_have_the_recorded_result() {
    for game in games() {
        let Some(score) = game.final_score_black_empties_to_winner else { continue };
        let position = replay(&game).position;
        assert_eq!(black_score(position, EmptiesRule::Winner), score, "{}", game.id);
        assert_eq!(score, 2 * game.stored_black_score - 64, "{}: the record counts black's discs", game.id);
        let margin = game.black_discs.cast_signed() - game.white_discs.cast_signed();
        assert_eq!(black_score(position, EmptiesRule::Nobody), margin, "{}", game.id);
    }
}

#[test]
fn nothing_can_be_played_after_the_end() {
    for game in games().into_iter().filter(|game| game.game_over) {
        for token in ["a1", "d4", "pass"] {
            let longer = format!("{}{token}", game.moves);
            let error = transcript::read(&longer, Position::start(Size::Eight)).unwrap_err();
            assert_eq!(error.reason.code(), "illegal_move", "{}", game.id);
            let message = error.to_string();
            assert!(
                message.contains("the game is over") && message.contains(token),
                "{}: {message}",
                game.id
            );
        }
    }
}

#[test]
fn games_read_back_from_their_print() {
    for game in games() {
        let read = replay(&game);
        let again =
            transcript::read(&print::transcript(&read.moves), read.start).expect("printed moves are legal");
        assert_eq!((&again.moves, again.position), (&read.moves, read.position), "{}", game.id);
        assert!(again.passes_added.is_empty(), "{}: the print writes every pass", game.id);
    }
}
