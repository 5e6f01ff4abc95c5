//! Scores inside the search: estimates, and wins by distance beyond all of them.

use crate::evaluation::ESTIMATE_LIMIT;
use crate::query::Value;

/// A win on the spot; a win so many plies away scores so many less.
pub(crate) const WIN: i32 = 30_000;

/// Above every score.
pub(crate) const INFINITE: i32 = 32_000;

/// Beyond this, a score is a proven win (or below its negative, a loss).
pub(crate) const PROVEN: i32 = 28_000;

const _: () = assert!(ESTIMATE_LIMIT < PROVEN, "no estimate looks like a win");

/// The side to move places its five with its `moves`-th own move from here, `ply` plies below the root.
pub(crate) const fn win_in(moves: u16, ply: usize) -> i32 {
    WIN - ply as i32 - (2 * moves as i32 - 1)
}

/// The other side places its five with its `moves`-th own move from here.
pub(crate) const fn loss_in(moves: u16, ply: usize) -> i32 {
    -(WIN - ply as i32 - 2 * moves as i32)
}

/// What a root score means.
pub(crate) fn value(score: i32) -> Value {
    if score >= PROVEN {
        Value::WinIn { moves: ((WIN - score + 1) / 2) as u16 }
    } else if score <= -PROVEN {
        Value::LossIn { moves: ((WIN + score) / 2) as u16 }
    } else {
        Value::Estimate { units: score.clamp(-ESTIMATE_LIMIT, ESTIMATE_LIMIT) as i16 }
    }
}

/// A score for the table: distances counted from the position instead of from the root.
pub(crate) const fn to_table(score: i32, ply: usize) -> i32 {
    if score >= PROVEN {
        score + ply as i32
    } else if score <= -PROVEN {
        score - ply as i32
    } else {
        score
    }
}

/// The reverse of [`to_table`].
pub(crate) const fn from_table(score: i32, ply: usize) -> i32 {
    if score >= PROVEN {
        score - ply as i32
    } else if score <= -PROVEN {
        score + ply as i32
    } else {
        score
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_survive_the_way_to_the_root() {
        for moves in 1..=50 {
            assert_eq!(value(win_in(moves, 0)), Value::WinIn { moves });
            assert_eq!(value(loss_in(moves, 0)), Value::LossIn { moves });
            // Seen from the other side one ply up, a win is a loss by the same number of the winner's moves.
            assert_eq!(-win_in(moves, 1), loss_in(moves, 0));
            assert_eq!(from_table(to_table(win_in(moves, 7), 7), 3), win_in(moves, 3));
        }
        assert!(win_in(1, 0) > win_in(2, 0) && loss_in(2, 0) > loss_in(1, 0));
    }
}
