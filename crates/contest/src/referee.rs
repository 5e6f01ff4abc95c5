//! One game between two players.

use std::time::{Duration, Instant};

use crate::game::{Game, Side};
use crate::player::{Fault, Player};

/// How a game went.
#[derive(Debug, Clone)]
pub struct Record<M> {
    /// All moves, those of the opening and forced ones included.
    pub moves: Vec<M>,
    /// What the first side has won by.
    pub margin: i32,
    /// Who lost the game by a fault, and which, when it did not end by the rules.
    pub fault: Option<(Side, Fault)>,
    /// Time that each side took for its own choices, first side first.
    pub used: [Duration; 2],
    /// How many moves each side chose itself.
    pub choices: [u32; 2],
}

/// Plays a game from `start` by way of the moves of an opening, which must be legal. `move_limit` is how long a player
/// may think about one move before the game is lost to it.
///
/// # Panics
/// When a move of the opening is illegal.
pub fn play<G: Game>(
    start: &G,
    opening: &[G::Move],
    players: [&mut dyn Player<G>; 2],
    move_limit: Option<Duration>,
) -> Record<G::Move> {
    let mut table = Table {
        position: start.clone(),
        players,
        record: Record {
            moves: Vec::new(),
            margin: 0,
            fault: None,
            used: [Duration::ZERO; 2],
            choices: [0; 2],
        },
    };
    match table.play(opening, move_limit) {
        Ok(margin) => table.record.margin = margin,
        Err((side, fault)) => {
            table.record.margin = -side.sees(table.position.forfeit());
            table.record.fault = Some((side, fault));
        }
    }
    table.record
}

struct Table<'p, G: Game> {
    position: G,
    players: [&'p mut dyn Player<G>; 2],
    record: Record<G::Move>,
}

impl<G: Game> Table<'_, G> {
    fn play(&mut self, opening: &[G::Move], move_limit: Option<Duration>) -> Result<i32, (Side, Fault)> {
        for side in [Side::First, Side::Second] {
            self.players[side as usize].begin().map_err(|fault| (side, fault))?;
        }
        for mv in opening {
            let next = self.position.play(mv).expect("openings are legal lines");
            self.make(mv.clone(), next)?;
        }
        loop {
            if let Some(margin) = self.position.outcome() {
                return Ok(margin);
            }
            let (mv, next) = match self.position.forced() {
                Some(mv) => {
                    let next = self.position.play(&mv).expect("a forced move is legal");
                    (mv, next)
                }
                None => self.choice(move_limit)?,
            };
            self.make(mv, next)?;
        }
    }

    /// The choice of the side to move, and where it leads.
    fn choice(&mut self, move_limit: Option<Duration>) -> Result<(G::Move, G), (Side, Fault)> {
        let side = self.position.turn();
        let begun = Instant::now();
        let deadline = move_limit.map(|limit| begun + limit);
        let choice = self.players[side as usize].choose(&self.position, deadline);
        let used = begun.elapsed();
        self.record.used[side as usize] += used;
        self.record.choices[side as usize] += 1;
        let mv = choice.map_err(|fault| (side, fault))?;
        if move_limit.is_some_and(|limit| used > limit) {
            return Err((side, Fault::TimedOut));
        }
        match self.position.play(&mv) {
            Ok(next) => Ok((mv, next)),
            Err(reason) => Err((side, Fault::IllegalMove(format!("{mv}: {reason}")))),
        }
    }

    fn make(&mut self, mv: G::Move, next: G) -> Result<(), (Side, Fault)> {
        for side in [Side::First, Side::Second] {
            self.players[side as usize].hear(&self.position, &mv).map_err(|fault| (side, fault))?;
        }
        self.position = next;
        self.record.moves.push(mv);
        Ok(())
    }
}
