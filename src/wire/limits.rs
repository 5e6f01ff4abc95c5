//! Every default and cap of the service: one table that feeds the request parser, `/v1/limits`, the OpenAPI schema and
//! the operator's settings.

/// A number that has a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LimitName {
    /// `limits.time_ms`.
    TimeMs,
    /// `limits.depth`.
    Depth,
    /// `limits.nodes`.
    Nodes,
    /// `limits.nodes` of a deterministic request.
    DeterministicNodes,
    /// `limits.exact_from_empties`.
    ExactFromEmpties,
    /// `limits.selectivity_percent`.
    SelectivityPercent,
    /// `count`, with goal `top_n`.
    Count,
    /// `threads`.
    Threads,
    /// `level`.
    Level,
    /// `seed`, with a level.
    Seed,
    /// `clock.remaining_ms`.
    ClockRemainingMs,
    /// `clock.increment_ms`.
    ClockIncrementMs,
    /// `clock.moves_left`.
    ClockMovesLeft,
    /// Size of a request body.
    BodyBytes,
    /// Time for a body to arrive after its headers.
    BodyReadMs,
    /// Analyses waiting for a thread.
    Queue,
    /// Each of `depths` of a comparison.
    ComparisonDepth,
    /// How many `depths` a comparison may have.
    ComparisonDepths,
    /// How many `configurations` a comparison may have.
    ComparisonConfigurations,
}

/// What is fixed about a limit.
#[derive(Debug)]
pub struct LimitRow {
    /// The limit.
    pub limit: LimitName,
    /// The name on the wire and in `/v1/limits`.
    pub name: &'static str,
    /// What it bounds, with its unit; shown in the schema and the docs.
    pub what: &'static str,
    /// The range it has unless the operator sets another.
    pub range: Range,
    /// The widest range an operator may set: what engine and memory can bear.
    pub hard: (u64, u64),
}

/// Bounds and default of one limit, as they apply in this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    /// The value when a request gives none; `None` when there is no limit then.
    pub default: Option<u64>,
    /// Least value a request may give.
    pub min: u64,
    /// Greatest value a request may give.
    pub max: u64,
}

const fn range(default: Option<u64>, min: u64, max: u64) -> Range {
    Range { default, min, max }
}

/// From this many empties on a board smaller than 8x8 is solved unless a request says otherwise: lines are short there,
/// and the whole game tree is.
pub const SMALL_BOARDS_EXACT_FROM: u64 = 24;

/// The confidences that can be asked for with `selectivity_percent`.
pub const SELECTIVITIES: [u64; 6] = [73, 87, 95, 98, 99, 100];

/// How many limits there are.
const COUNT: usize = 19;

/// The table.
pub static ROWS: [LimitRow; COUNT] = [
    LimitRow {
        limit: LimitName::TimeMs,
        name: "time_ms",
        what: "Milliseconds from the arrival of the whole request to the answer leaving, waiting included. The search gets \
               it less min(30, time_ms / 10) ms. The default applies when neither time, depth nor nodes are given; with depth \
               or nodes alone the time is the maximum.",
        range: range(Some(1_000), 1, 60_000),
        hard: (1, 3_600_000),
    },
    LimitRow {
        limit: LimitName::Depth,
        name: "depth",
        what: "Deepest iteration in plies; a pass is free.",
        range: range(None, 1, 60),
        hard: (1, 60),
    },
    LimitRow {
        limit: LimitName::Nodes,
        name: "nodes",
        what: "Most positions to visit.",
        range: range(None, 1, 100_000_000_000),
        // Counters stay below 2^53, so that JavaScript reads them without loss.
        hard: (1, 9_007_199_254_740_991),
    },
    LimitRow {
        limit: LimitName::DeterministicNodes,
        name: "deterministic_nodes",
        what: "`nodes` of a deterministic request: what applies when it gives none, and the most it may give. Time cannot bound \
               such a request, since its answer must not depend on the clock, so this does.",
        range: range(Some(20_000_000), 1, 200_000_000),
        hard: (1, 9_007_199_254_740_991),
    },
    LimitRow {
        limit: LimitName::ExactFromEmpties,
        name: "exact_from_empties",
        what: "With this many empty squares or fewer the search goes on to the exact score (within the other limits). On \
               6x6 and 4x4 boards the default is 24, or this one if it is greater.",
        range: range(Some(20), 0, 36),
        hard: (0, 60),
    },
    LimitRow {
        limit: LimitName::SelectivityPercent,
        name: "selectivity_percent",
        what: "Least confidence wanted of estimates, in percent: 73, 87, 95, 98, 99 or 100 (nothing is pruned on an estimate). \
               Exact scores are always proven at 100.",
        range: range(Some(73), 73, 100),
        hard: (73, 100),
    },
    LimitRow {
        limit: LimitName::Count,
        name: "count",
        what: "How many of the best moves to value; needed with goal `top_n`, refused with any other.",
        range: range(None, 1, 60),
        hard: (1, 60),
    },
    LimitRow {
        limit: LimitName::Threads,
        name: "threads",
        what: "Most threads to use for this request. The default and the maximum are the size of the thread pool.",
        range: range(Some(1), 1, 1),
        hard: (1, 1_024),
    },
    LimitRow {
        limit: LimitName::Level,
        name: "level",
        what: "A playing strength, 1 (for beginners) to 30, in the place of depth, nodes, exact_from_empties and \
               selectivity_percent. `best_move` is then the move that the level plays; weak levels slip now and then.",
        range: range(None, 1, 30),
        hard: (1, 30),
    },
    LimitRow {
        limit: LimitName::Seed,
        name: "seed",
        what: "Which slips a level makes: the same seed makes the same choice in the same position. Give every game \
               another one.",
        range: range(Some(0), 0, 9_007_199_254_740_991),
        hard: (0, 9_007_199_254_740_991),
    },
    LimitRow {
        limit: LimitName::ClockRemainingMs,
        name: "remaining_ms",
        what: "Milliseconds left on the clock of the side to move; needed in a `clock`.",
        range: range(None, 1, 86_400_000),
        hard: (1, 604_800_000),
    },
    LimitRow {
        limit: LimitName::ClockIncrementMs,
        name: "increment_ms",
        what: "Milliseconds added to the clock after each of its moves.",
        range: range(Some(0), 0, 3_600_000),
        hard: (0, 3_600_000),
    },
    LimitRow {
        limit: LimitName::ClockMovesLeft,
        name: "moves_left",
        what: "Own moves, this one included, that the time left must last for; the rest of the game when not given.",
        range: range(None, 1, 500),
        hard: (1, 1_000),
    },
    LimitRow {
        limit: LimitName::BodyBytes,
        name: "body_bytes",
        what: "Largest request body, in bytes.",
        range: range(None, 0, 65_536),
        hard: (1_024, 16_777_216),
    },
    LimitRow {
        limit: LimitName::BodyReadMs,
        name: "body_read_ms",
        what: "Milliseconds within which a body must arrive whole after its headers.",
        range: range(None, 0, 10_000),
        hard: (10, 600_000),
    },
    LimitRow {
        limit: LimitName::Queue,
        name: "queue",
        what: "Most analyses waiting for a thread; one more is answered with 503.",
        range: range(None, 0, 256),
        hard: (1, 1_000_000),
    },
    LimitRow {
        limit: LimitName::ComparisonDepth,
        name: "comparison_depth",
        what: "Depth of a comparison in plies; a pass is free. Depths beyond the end of the game search to its end.",
        range: range(None, 1, 20),
        hard: (1, 60),
    },
    LimitRow {
        limit: LimitName::ComparisonDepths,
        name: "comparison_depths",
        what: "How many depths one comparison may ask for.",
        range: range(None, 1, 12),
        hard: (1, 60),
    },
    LimitRow {
        limit: LimitName::ComparisonConfigurations,
        name: "comparison_configurations",
        what: "How many configurations one comparison may ask for.",
        range: range(None, 1, 16),
        hard: (1, 256),
    },
];

/// A setting that no limit can have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LimitError {
    /// The maximum lies outside what engine and memory can bear.
    #[error("the maximum of {name} must be within {min}..={max}, not {value}")]
    Maximum {
        /// The limit.
        name: &'static str,
        /// The value refused.
        value: u64,
        /// Least maximum.
        min: u64,
        /// Greatest maximum.
        max: u64,
    },
    /// The maximum was lowered below a default that was not set with it.
    #[error("the default of {name} is {default}, above its maximum of {max}: set {name}_default too")]
    CapBelowDefault {
        /// The limit.
        name: &'static str,
        /// Its usual default.
        default: u64,
        /// The maximum that was set.
        max: u64,
    },
    /// The default lies outside the limit's own range, or is none of the allowed steps.
    #[error("the default of {name} must be within {min}..={max}{note}, not {value}")]
    Default {
        /// The limit.
        name: &'static str,
        /// The value refused.
        value: u64,
        /// Least value.
        min: u64,
        /// Greatest value.
        max: u64,
        /// What else is required of it.
        note: &'static str,
    },
}

/// The limits of this process: the table, with the operator's settings applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits([Range; COUNT]);

impl Limits {
    /// The table as it is, for a pool of this many threads (at least one).
    pub fn for_threads(threads: usize) -> Self {
        let mut limits = Self(std::array::from_fn(|index| ROWS[index].range));
        let threads = threads.max(1) as u64;
        limits.0[position(LimitName::Threads)] = range(Some(threads), 1, threads);
        limits
    }

    /// The range of one limit.
    pub fn get(&self, limit: LimitName) -> Range {
        self.0[position(limit)]
    }

    /// Sets the greatest value a request may give. A default above it is lowered to it.
    ///
    /// # Errors
    /// When engine or memory cannot bear that maximum.
    pub fn set_max(&mut self, limit: LimitName, value: u64) -> Result<(), LimitError> {
        let row = &ROWS[position(limit)];
        let (least, max) = row.hard;
        let range = &mut self.0[position(limit)];
        let min = least.max(range.min);
        if !(min..=max).contains(&value) {
            return Err(LimitError::Maximum { name: row.name, value, min, max });
        }
        range.max = value;
        range.default = range.default.map(|default| default.min(value));
        Ok(())
    }

    /// Sets the value that applies when a request gives none.
    ///
    /// # Errors
    /// When the value lies outside the range of the limit.
    pub fn set_default(&mut self, limit: LimitName, value: u64) -> Result<(), LimitError> {
        let name = ROWS[position(limit)].name;
        let range = &mut self.0[position(limit)];
        let steps = limit == LimitName::SelectivityPercent;
        if !(range.min..=range.max).contains(&value) || (steps && !SELECTIVITIES.contains(&value)) {
            let note = if steps { " and one of 73, 87, 95, 98, 99, 100" } else { "" };
            return Err(LimitError::Default { name, value, min: range.min, max: range.max, note });
        }
        range.default = Some(value);
        Ok(())
    }
}

impl LimitName {
    /// What is fixed about this limit.
    pub fn row(self) -> &'static LimitRow {
        &ROWS[position(self)]
    }
}

/// Where a limit stands in the table.
const fn position(limit: LimitName) -> usize {
    limit as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_stands_at_its_own_place_with_a_range_that_holds_its_default() {
        for (index, row) in ROWS.iter().enumerate() {
            assert_eq!(position(row.limit), index, "{}", row.name);
            let Range { default, min, max } = row.range;
            assert!(min <= max && max <= row.hard.1, "{}", row.name);
            assert!(default.is_none_or(|default| (min..=max).contains(&default)), "{}", row.name);
        }
    }

    #[test]
    fn the_pool_size_is_default_and_cap_of_threads() {
        let limits = Limits::for_threads(12);
        assert_eq!(limits.get(LimitName::Threads), range(Some(12), 1, 12));
    }

    #[test]
    fn settings_out_of_range_are_refused_by_name() {
        let mut limits = Limits::for_threads(1);
        assert!(limits.set_max(LimitName::Depth, 61).is_err());
        assert!(limits.set_default(LimitName::SelectivityPercent, 90).is_err());
        limits.set_max(LimitName::TimeMs, 500).unwrap();
        assert_eq!(
            limits.get(LimitName::TimeMs),
            range(Some(500), 1, 500),
            "the default is lowered with the cap"
        );
        assert_eq!(
            limits.set_default(LimitName::TimeMs, 501).unwrap_err().to_string(),
            "the default of time_ms must be within 1..=500, not 501"
        );
    }
}
