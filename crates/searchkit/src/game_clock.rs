//! A clock for a whole game, shared out among its moves.

use std::time::Duration;

/// What the clock of the side to move shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct GameClock {
    /// Time left before the flag falls.
    pub remaining: Duration,
    /// Time that is added after each of its moves.
    pub increment: Duration,
    /// Its own moves, this one included, that the time left must last for, at least 1. What it is for the rest of the
    /// game the engine knows best.
    pub moves_left: u32,
}

/// What a move may take between the engine's answer and the stopping of its clock: transport, a busy machine.
const LAG: Duration = Duration::from_millis(30);
/// No move takes more than this share of what is left, unless it is the last.
const GREATEST_SHARE: u32 = 3;
/// The least budget: a search that has only this still gives a legal move.
const LEAST: Duration = Duration::from_millis(1);

impl GameClock {
    /// The time for the next move, its way to whoever stops the clock not included. An even share of what is left
    /// together with the increments still to come, less the lag of all those moves, never more than a third of what
    /// is left while other moves follow, and at least a millisecond.
    pub fn allot(self) -> Duration {
        let moves = self.moves_left.max(1);
        let whole = self.remaining + self.increment.saturating_mul(moves - 1);
        let share = whole.saturating_sub(LAG.saturating_mul(moves)) / moves;
        let most = if moves == 1 { self.remaining } else { self.remaining / GREATEST_SHARE };
        share.min(most).min(self.remaining.saturating_sub(LAG)).max(LEAST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    /// Plays out a clock: every move takes its whole budget and `lag`, and the caller counts `moves` down.
    fn least_left(start: u64, increment: u64, moves: u32, lag: impl Fn(u32) -> u64) -> Option<Duration> {
        let mut remaining = ms(start);
        let mut least = remaining;
        for moves_left in (1..=moves).rev() {
            let clock = GameClock { remaining, increment: ms(increment), moves_left };
            remaining = remaining.checked_sub(clock.allot() + ms(lag(moves_left)))?;
            least = least.min(remaining);
            remaining += ms(increment);
        }
        Some(least)
    }

    #[test]
    fn no_game_is_lost_on_time_when_every_move_lags() {
        for start in [1_000, 5_000, 60_000, 300_000, 3_600_000] {
            for increment in [0, 100, 1_000, 30_000] {
                for moves in [1, 2, 10, 30] {
                    // Up to the lag that is planned for: none, all of it, and a mixture.
                    for lag in [|_| 0, |_| 30, |left: u32| u64::from(left * 7 % 31)] {
                        let left = least_left(start, increment, moves, lag);
                        assert!(left.is_some(), "{start} ms + {increment} ms, {moves} moves");
                    }
                }
            }
        }
    }

    #[test]
    fn most_of_the_time_is_used() {
        for moves in [10, 30] {
            let left = least_left(60_000, 0, moves, |_| 0).unwrap();
            assert!(left < ms(2_500), "{moves} moves left {left:?}");
        }
    }

    #[test]
    fn almost_nothing_left_gives_the_least_budget() {
        for remaining in [0, 1, 29, 31] {
            let clock = GameClock { remaining: ms(remaining), increment: Duration::ZERO, moves_left: 20 };
            assert_eq!(clock.allot(), LEAST);
        }
    }

    #[test]
    fn increments_are_spent_as_they_come() {
        let clock = |increment| GameClock { remaining: ms(10_000), increment: ms(increment), moves_left: 20 };
        assert!(clock(2_000).allot() > clock(0).allot() + ms(1_500));
        assert!(clock(60_000).allot() <= ms(3_334), "never more than a third of what is there");
    }

    #[test]
    fn a_clock_without_moves_is_taken_for_one_move() {
        let clock = GameClock { remaining: ms(1_000), increment: Duration::ZERO, moves_left: 0 };
        assert_eq!(clock.allot(), ms(970));
    }
}
