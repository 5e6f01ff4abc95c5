//! A series of games: every opening once with each colour, on several threads.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::game::{Game, Side};
use crate::player::{Fault, FaultKind, Player};
use crate::referee::{self, Record};
use crate::statistics::Tally;

/// Makes a player, anew after each crash.
pub type Maker<'m, G> = &'m (dyn Fn() -> Result<Box<dyn Player<G>>, Fault> + Sync);

/// So many pairs in a row in which a player could not even be started end the series.
const GIVE_UP_AFTER: usize = 3;

/// What is played.
#[derive(Debug, Clone)]
pub struct Plan<G: Game> {
    /// Where every game begins.
    pub start: G,
    /// The opening of each pair of games.
    pub openings: Vec<Vec<G::Move>>,
    /// How long a player may think about one move before the game is lost to it.
    pub move_limit: Option<Duration>,
    /// Games at once, at least 1; each has players of its own.
    pub jobs: usize,
}

/// One of the two contestants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Contestant {
    /// The one whose results the tally counts.
    A,
    /// The other.
    B,
}

/// One finished game of a series.
#[derive(Debug, Clone)]
pub struct Played<M> {
    /// Which pair it belongs to, from 0.
    pub pair: usize,
    /// Who had the first side.
    pub first: Contestant,
    /// How it went.
    pub record: Record<M>,
}

impl<M> Played<M> {
    /// What A won by.
    pub fn margin_of_a(&self) -> i32 {
        side_of(Contestant::A, self.first).sees(self.record.margin)
    }

    /// The contestant who lost by a fault, and which.
    pub fn fault(&self) -> Option<(Contestant, &Fault)> {
        let (side, fault) = self.record.fault.as_ref()?;
        let a = side_of(Contestant::A, self.first);
        Some((if *side == a { Contestant::A } else { Contestant::B }, fault))
    }
}

fn side_of(contestant: Contestant, first: Contestant) -> Side {
    if contestant == first { Side::First } else { Side::Second }
}

/// The results of a series so far.
#[derive(Debug, Clone)]
pub struct Results<M> {
    /// A's results.
    pub tally: Tally,
    /// All games of finished pairs, in the order in which pairs were finished.
    pub games: Vec<Played<M>>,
    /// How often each contestant lost a game by each kind of fault.
    pub faults: HashMap<(Contestant, FaultKind), u64>,
    /// Time that each contestant took for its choices, A first.
    pub used: [Duration; 2],
    /// How many moves each contestant chose, A first.
    pub choices: [u64; 2],
}

impl<M> Default for Results<M> {
    fn default() -> Self {
        Self {
            tally: Tally::default(),
            games: Vec::new(),
            faults: HashMap::new(),
            used: [Duration::ZERO; 2],
            choices: [0; 2],
        }
    }
}

impl<M> Results<M> {
    fn add_pair(&mut self, games: [Played<M>; 2]) {
        self.tally.add_pair([games[0].margin_of_a(), games[1].margin_of_a()]);
        for game in games {
            if let Some((loser, fault)) = game.fault() {
                *self.faults.entry((loser, fault.kind())).or_default() += 1;
            }
            for contestant in [Contestant::A, Contestant::B] {
                let side = side_of(contestant, game.first) as usize;
                self.used[contestant as usize] += game.record.used[side];
                self.choices[contestant as usize] += u64::from(game.record.choices[side]);
            }
            self.games.push(game);
        }
    }

    /// Mean time that a contestant took for a move.
    pub fn time_a_move(&self, contestant: Contestant) -> Duration {
        let choices = u32::try_from(self.choices[contestant as usize]).unwrap_or(u32::MAX);
        self.used[contestant as usize].checked_div(choices).unwrap_or_default()
    }
}

/// Plays a series. `heard` is called on the calling thread after each finished pair.
///
/// # Errors
/// When one of the players cannot be started again and again.
pub fn play<G: Game>(
    plan: &Plan<G>,
    makers: [Maker<'_, G>; 2],
    mut heard: impl FnMut(&Results<G::Move>),
) -> Result<Results<G::Move>, Fault> {
    let next = AtomicUsize::new(0);
    let ended = AtomicBool::new(false);
    let (sender, receiver) = mpsc::channel();
    let mut results = Results::default();
    let mut hopeless = None;
    thread::scope(|scope| {
        for _ in 0..plan.jobs.clamp(1, plan.openings.len().max(1)) {
            let sender = sender.clone();
            let (next, ended) = (&next, &ended);
            scope.spawn(move || {
                let mut seats = Seats { makers, players: [None, None], failed_starts: 0 };
                while !ended.load(Ordering::Relaxed) {
                    let pair = next.fetch_add(1, Ordering::Relaxed);
                    let Some(opening) = plan.openings.get(pair) else { return };
                    let games =
                        [Contestant::A, Contestant::B].map(|first| seats.play(plan, opening, pair, first));
                    let failed = seats.gave_up(&games);
                    if failed.is_some() {
                        ended.store(true, Ordering::Relaxed);
                    }
                    // The receiver only goes away when the series is over.
                    if sender.send((games, failed)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for (games, failed) in receiver {
            results.add_pair(games);
            heard(&results);
            if hopeless.is_none() {
                hopeless = failed;
            }
        }
    });
    match hopeless {
        Some(fault) => Err(fault),
        None => Ok(results),
    }
}

/// The players of one thread.
struct Seats<'m, G: Game> {
    makers: [Maker<'m, G>; 2],
    players: [Option<Box<dyn Player<G>>>; 2],
    /// Pairs in a row in which a player could not be started.
    failed_starts: usize,
}

impl<G: Game> Seats<'_, G> {
    fn play(
        &mut self,
        plan: &Plan<G>,
        opening: &[G::Move],
        pair: usize,
        first: Contestant,
    ) -> Played<G::Move> {
        for contestant in [Contestant::A, Contestant::B] {
            if let Err(fault) = self.seat(contestant) {
                let side = side_of(contestant, first);
                let record = Record {
                    moves: Vec::new(),
                    margin: -side.sees(plan.start.forfeit()),
                    fault: Some((side, fault)),
                    used: [Duration::ZERO; 2],
                    choices: [0; 2],
                };
                return Played { pair, first, record };
            }
        }
        let [Some(a), Some(b)] = &mut self.players else { unreachable!("both have just been seated") };
        let players: [&mut dyn Player<G>; 2] = match first {
            Contestant::A => [a.as_mut(), b.as_mut()],
            Contestant::B => [b.as_mut(), a.as_mut()],
        };
        let record = referee::play(&plan.start, opening, players, plan.move_limit);
        let played = Played { pair, first, record };
        if let Some((loser, fault)) = played.fault()
            && !fault.is_recoverable()
        {
            self.players[loser as usize] = None;
        }
        played
    }

    fn seat(&mut self, contestant: Contestant) -> Result<(), Fault> {
        let seat = &mut self.players[contestant as usize];
        if seat.is_none() {
            *seat = Some(self.makers[contestant as usize]()?);
        }
        Ok(())
    }

    /// The fault to end the series with, once a player has failed to start in too many pairs in a row.
    fn gave_up(&mut self, games: &[Played<G::Move>; 2]) -> Option<Fault> {
        let unplayed = games.iter().all(|game| game.record.moves.is_empty() && game.record.fault.is_some());
        self.failed_starts = if unplayed { self.failed_starts + 1 } else { 0 };
        let fault = games[1].record.fault.as_ref().map(|(_, fault)| fault.clone());
        fault.filter(|_| self.failed_starts >= GIVE_UP_AFTER)
    }
}
