//! Groups of empties that share weights.

/// Most empties of each group, late to early.
pub const STAGE_LAST_EMPTIES: [u8; 10] = [13, 17, 21, 25, 29, 33, 37, 42, 48, 60];

/// Number of groups.
pub const STAGES: usize = STAGE_LAST_EMPTIES.len();

/// The group that a position with so many empties belongs to, 0 for the last moves of the game.
pub const fn stage_of(empties: u32) -> usize {
    STAGE_OF_EMPTIES[if empties < 61 { empties as usize } else { 60 }] as usize
}

const STAGE_OF_EMPTIES: [u8; 61] = {
    let mut table = [0; 61];
    let mut stage = 0;
    let mut empties = 0;
    while empties < 61 {
        if empties > STAGE_LAST_EMPTIES[stage] as usize {
            stage += 1;
        }
        table[empties] = stage as u8;
        empties += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_cover_all_empties_in_order() {
        assert_eq!(stage_of(0), 0);
        for (stage, &last) in STAGE_LAST_EMPTIES.iter().enumerate() {
            assert_eq!(stage_of(u32::from(last)), stage);
            assert_eq!(stage_of(u32::from(last) + 1), (stage + 1).min(STAGES - 1));
        }
    }
}
