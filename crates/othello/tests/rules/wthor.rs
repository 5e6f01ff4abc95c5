//! A sample of real tournament games. All of the archive is replayed by `examples/replay_wthor.rs`.

use othello::position::{Color, EmptiesRule, Status};
use othello::wthor::{Archive, Game};

use crate::data::bytes;

/// The sample: finished games first, then those that stop early.
fn sample() -> (Vec<Game>, Vec<Game>) {
    let mut games =
        Archive::read(&bytes("othello/wthor-sample.wtb")).expect("the sample is an archive").games;
    assert_eq!(games.len(), 2_000);
    let stopped = games.split_off(1_980);
    (games, stopped)
}

#[test]
fn finished_games_replay_to_their_recorded_score() {
    let (mut passes, mut draws, mut with_empties) = (0, 0, 0);
    for (index, game) in sample().0.iter().enumerate() {
        let replay = game.replay().unwrap();
        let end = replay.position;
        assert_eq!(end.status(), Status::Finished, "game {index}");
        let score = end.final_score(EmptiesRule::Winner);
        let for_black = if end.side() == Color::Black { score } else { -score };
        assert_eq!(for_black, 2 * i32::from(game.black_discs) - 64, "game {index}");
        passes += replay.passes;
        draws += u32::from(score == 0);
        with_empties += u32::from(end.empty() != 0);
    }
    // The whole archive has 1.14 passes a game, 5.6 % draws, and 4.7 % of its games end with empty squares.
    assert!((1_800..2_800).contains(&passes), "{passes} passes");
    assert!((60..170).contains(&draws), "{draws} draws");
    assert!((50..140).contains(&with_empties), "{with_empties} games end with empty squares");
}

#[test]
fn games_that_stop_early_are_legal_and_not_over() {
    for (index, game) in sample().1.iter().enumerate() {
        let end = game.replay().unwrap().position;
        assert_ne!(end.status(), Status::Finished, "game {index}");
        assert_eq!(end.empty().count_ones() as usize, 60 - game.squares.len(), "game {index}");
    }
}
