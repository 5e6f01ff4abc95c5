//! Series of a game small enough to know everything about: take one to three from a heap, who takes the last one wins.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use contest::game::{Game, Side};
use contest::player::{Fault, FaultKind, Player};
use contest::series::{self, Contestant, Maker, Plan};

#[derive(Debug, Clone, PartialEq)]
struct Nim {
    heap: u32,
    turn: Side,
}

impl Game for Nim {
    type Move = u32;

    fn turn(&self) -> Side {
        self.turn
    }

    fn play(&self, &taken: &u32) -> Result<Self, String> {
        if (1..=self.heap.min(3)).contains(&taken) {
            Ok(Self { heap: self.heap - taken, turn: self.turn.other() })
        } else {
            Err(format!("the heap has {}", self.heap))
        }
    }

    fn outcome(&self) -> Option<i32> {
        // The side that just moved took the last one.
        (self.heap == 0).then(|| self.turn.other().sees(1))
    }

    fn forced(&self) -> Option<u32> {
        (self.heap == 1).then_some(1)
    }

    fn forfeit(&self) -> i32 {
        5
    }
}

/// Chooses by a rule, and checks that it is told of everything.
struct Ruled {
    rule: fn(u32) -> Result<u32, Fault>,
    /// The position that it was led to; `None` before a game.
    seen: Option<Nim>,
}

const START: Nim = Nim { heap: 12, turn: Side::First };

impl Player<Nim> for Ruled {
    fn begin(&mut self) -> Result<(), Fault> {
        self.seen = Some(START);
        Ok(())
    }

    fn hear(&mut self, position: &Nim, mv: &u32) -> Result<(), Fault> {
        let seen = self.seen.take().unwrap();
        assert_eq!(&seen, position);
        self.seen = Some(seen.play(mv).unwrap());
        Ok(())
    }

    fn choose(&mut self, position: &Nim, _: Option<Instant>) -> Result<u32, Fault> {
        assert_eq!(self.seen.as_ref(), Some(position));
        (self.rule)(position.heap)
    }
}

fn maker(rule: fn(u32) -> Result<u32, Fault>) -> impl Fn() -> Result<Box<dyn Player<Nim>>, Fault> + Sync {
    move || Ok(Box::new(Ruled { rule, seen: None }))
}

/// Leaves a multiple of four where it can.
fn perfect(heap: u32) -> Result<u32, Fault> {
    Ok(if heap.is_multiple_of(4) { 1 } else { heap % 4 })
}

fn plan(openings: &[&[u32]], jobs: usize) -> Plan<Nim> {
    let openings = openings.iter().map(|opening| opening.to_vec()).collect();
    Plan { start: START, openings, move_limit: None, jobs }
}

fn results(plan: &Plan<Nim>, a: Maker<'_, Nim>, b: Maker<'_, Nim>) -> series::Results<u32> {
    series::play(plan, [a, b], |_| {}).unwrap()
}

#[test]
fn perfect_players_split_every_pair_whatever_the_opening() {
    for jobs in [1, 3] {
        let openings: [&[u32]; 4] = [&[], &[1], &[2, 3], &[3]];
        let results = results(&plan(&openings, jobs), &maker(perfect), &maker(perfect));
        assert_eq!(results.tally.pairs, [0, 0, 4, 0, 0]);
        assert_eq!(results.games.len(), 8);
        for game in &results.games {
            let heap = game.record.moves.iter().fold(START, |nim, mv| nim.play(mv).unwrap());
            assert_eq!(heap.heap, 0);
            assert!(game.record.moves.starts_with(openings[game.pair]));
        }
    }
}

#[test]
fn the_better_player_wins_with_both_sides() {
    // From a heap that is no multiple of four the side to move can win; taking one each time throws that away.
    let results = results(&plan(&[&[1, 1], &[2, 1, 1]], 1), &maker(perfect), &maker(|_| Ok(1)));
    assert!(results.tally.wins > results.tally.losses);
    assert_eq!(results.tally.games(), 4);
    assert_eq!(results.faults.len(), 0);
}

#[test]
fn illegal_moves_lose_the_game_and_are_counted() {
    let results = results(&plan(&[&[], &[1]], 1), &maker(perfect), &maker(|_| Ok(4)));
    assert_eq!((results.tally.wins, results.tally.margin), (4, 20));
    assert_eq!(results.faults[&(Contestant::B, FaultKind::IllegalMove)], 4);
}

#[test]
fn late_moves_lose_the_game() {
    let late = maker(|heap| {
        std::thread::sleep(Duration::from_millis(30));
        perfect(heap)
    });
    let plan = Plan { move_limit: Some(Duration::from_millis(10)), ..plan(&[&[]], 1) };
    let results = results(&plan, &maker(perfect), &late);
    assert_eq!(results.faults[&(Contestant::B, FaultKind::TimedOut)], 2);
    assert!(results.time_a_move(Contestant::B) >= Duration::from_millis(30));
}

#[test]
fn a_crashed_player_is_made_anew() {
    static MADE: AtomicUsize = AtomicUsize::new(0);
    let crashing = || -> Result<Box<dyn Player<Nim>>, Fault> {
        MADE.fetch_add(1, Ordering::Relaxed);
        Ok(Box::new(Ruled { rule: |_| Err(Fault::Crashed("by design".to_owned())), seen: None }))
    };
    let results = results(&plan(&[&[], &[1]], 1), &maker(perfect), &crashing);
    assert_eq!(results.faults[&(Contestant::B, FaultKind::Crashed)], 4);
    assert_eq!(MADE.load(Ordering::Relaxed), 4);
}

#[test]
fn a_player_that_never_starts_ends_the_series() {
    let absent = || -> Result<Box<dyn Player<Nim>>, Fault> { Err(Fault::Crashed("not there".to_owned())) };
    let openings: [&[u32]; 40] = [&[]; 40];
    let mut pairs = 0;
    let ended = series::play(&plan(&openings, 1), [&maker(perfect), &absent], |_| pairs += 1);
    assert_eq!(ended.unwrap_err(), Fault::Crashed("not there".to_owned()));
    assert!(pairs < 10, "{pairs}");
}
