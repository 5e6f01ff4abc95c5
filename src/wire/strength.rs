//! How strongly to play, where a request says it by a level or by the clock of a game: the same for every game.

use searchkit::game_clock::GameClock;
use searchkit::level::Level;
use std::time::Duration;

use super::limits::{LimitName, Limits};
use super::problem::FieldCode;
use super::reader::Members;

/// A playing strength asked for, with the seed of its slips.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LevelRequest {
    /// The level.
    pub level: Level,
    /// Which slips it makes.
    pub seed: u64,
}

/// The clock of a game, as the caller's side to move sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockRequest {
    /// Milliseconds left.
    pub remaining_ms: u64,
    /// Milliseconds added after each move.
    pub increment_ms: u64,
    /// Own moves that the time must last for, this one included; the rest of the game when `None`.
    pub moves_left: Option<u32>,
}

/// The fields of `clock`.
pub const CLOCK_FIELDS: [LimitName; 3] =
    [LimitName::ClockRemainingMs, LimitName::ClockIncrementMs, LimitName::ClockMovesLeft];

/// Members of `limits` that a level decides itself.
const DECIDED_BY_LEVEL: [LimitName; 4] =
    [LimitName::Depth, LimitName::Nodes, LimitName::ExactFromEmpties, LimitName::SelectivityPercent];

/// Reads `level` and `seed`. The inner `None` says that none is asked for, the outer one that a fault was noted.
pub fn read_level(members: &Members<'_>, limits: &Limits) -> Option<Option<LevelRequest>> {
    let number = |limit: LimitName| {
        members.get(limit.row().name).map(|place| (place.integer(limits.get(limit)), place))
    };
    let seed = number(LimitName::Seed);
    let Some((level, place)) = number(LimitName::Level) else {
        if let Some((_, seed)) = seed {
            seed.refuse(FieldCode::Conflict, "only goes with `level`");
            return None;
        }
        return Some(None);
    };
    for limit in DECIDED_BY_LEVEL {
        let name = limit.row().name;
        if members.get("limits").is_some_and(|limits| limits.has_member(name)) {
            let message = "a level decides this itself; beside it only `time_ms` can be limited";
            place.refuse_at(&format!("/limits/{name}"), FieldCode::Conflict, message);
            return None;
        }
    }
    let level = level.and_then(|level| u8::try_from(level).ok()).and_then(Level::new)?;
    let default_seed = limits.get(LimitName::Seed).default.unwrap_or_default();
    let seed = seed.map_or(Some(default_seed), |(seed, _)| seed)?;
    Some(Some(LevelRequest { level, seed }))
}

/// Reads `clock`, with the same two meanings of `None`.
pub fn read_clock(members: &Members<'_>, limits: &Limits) -> Option<Option<ClockRequest>> {
    let Some(place) = members.get("clock") else { return Some(None) };
    if members.get("limits").is_some_and(|limits| limits.has_member("time_ms")) {
        place.refuse_at("/limits/time_ms", FieldCode::Conflict, "a clock takes the place of `time_ms`");
        return None;
    }
    let clock = place.object(&CLOCK_FIELDS.map(|limit| limit.row().name))?;
    let number = |limit: LimitName| -> Option<Option<u64>> {
        clock
            .get(limit.row().name)
            .map_or(Some(limits.get(limit).default), |place| place.integer(limits.get(limit)).map(Some))
    };
    let (remaining, increment, moves) = (
        number(LimitName::ClockRemainingMs),
        number(LimitName::ClockIncrementMs),
        number(LimitName::ClockMovesLeft),
    );
    if !clock.has(LimitName::ClockRemainingMs.row().name) {
        clock.missing(
            LimitName::ClockRemainingMs.row().name,
            "needed in a clock: how much time is left, in ms",
        );
        return None;
    }
    Some(Some(ClockRequest {
        remaining_ms: remaining??,
        increment_ms: increment?.unwrap_or_default(),
        moves_left: moves?.map(|moves| u32::try_from(moves).unwrap_or(u32::MAX)),
    }))
}

impl ClockRequest {
    /// The milliseconds for this move, from the arrival of the request to the answer. `moves_worth_time` is how many own
    /// moves the game has yet that are worth thinking about.
    pub fn allotted_ms(self, moves_worth_time: u32) -> u64 {
        let moves_left = self.moves_left.map_or(moves_worth_time, |given| given.min(moves_worth_time));
        let clock = GameClock {
            remaining: Duration::from_millis(self.remaining_ms),
            increment: Duration::from_millis(self.increment_ms),
            moves_left,
        };
        u64::try_from(clock.allot().as_millis()).unwrap_or(u64::MAX).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_gives_an_even_share_of_what_is_left() {
        let clock = ClockRequest { remaining_ms: 60_000, increment_ms: 0, moves_left: None };
        assert_eq!(clock.allotted_ms(20), 2_970);
        assert_eq!(ClockRequest { moves_left: Some(10), ..clock }.allotted_ms(20), 5_970);
        assert_eq!(ClockRequest { moves_left: Some(40), ..clock }.allotted_ms(20), 2_970);
        assert_eq!(ClockRequest { remaining_ms: 1, ..clock }.allotted_ms(20), 1);
    }
}
