//! Defaults and caps of requests as settings: two flags and two variables for every row of the table of limits, made
//! from that table, so that a new row is settable at once.

use std::num::NonZeroUsize;

use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, value_parser};

use crate::wire::limits::{LimitError, LimitName, LimitRow, Limits, ROWS};

/// What the operator set; rows that are not set keep the table's range.
#[derive(Debug, Clone, Default)]
pub struct LimitSettings {
    maxima: Vec<(LimitName, u64)>,
    defaults: Vec<(LimitName, u64)>,
}

impl LimitSettings {
    /// The limits of a process with this many search threads.
    ///
    /// # Errors
    /// When a cap is more than engine and memory can bear, or a default lies outside its own range: also one that was not
    /// set, when a lowered cap leaves it behind. What requests get by default is never changed in silence.
    pub fn applied(&self, threads: NonZeroUsize) -> Result<Limits, LimitError> {
        let mut limits = Limits::for_threads(threads.get());
        // Caps first: a default is measured against the cap that is in force.
        for &(limit, value) in &self.maxima {
            limits.set_max(limit, value)?;
            let usual = limit.row().range.default.filter(|&usual| usual > value);
            let is_set = self.defaults.iter().any(|&(set, _)| set == limit);
            if let Some(default) = usual.filter(|_| !is_set) {
                return Err(LimitError::CapBelowDefault { name: limit.row().name, default, max: value });
            }
        }
        for &(limit, value) in &self.defaults {
            limits.set_default(limit, value)?;
        }
        Ok(limits)
    }
}

/// Which end of a row a flag sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Default,
    Max,
}

impl End {
    const fn suffix(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Max => "max",
        }
    }
}

/// The flags that exist, in the order of the table. The cap on threads is the size of the pool, `--threads`.
fn flags() -> impl Iterator<Item = (&'static LimitRow, End)> {
    ROWS.iter().filter(|row| row.limit != LimitName::Threads).flat_map(|row| {
        let default = row.range.default.is_some().then_some((row, End::Default));
        default.into_iter().chain([(row, End::Max)])
    })
}

/// `time_ms_max`, the name of the flag's value and, in its two spellings, of flag and variable.
fn id(row: &LimitRow, end: End) -> String {
    format!("{}_{}", row.name, end.suffix())
}

fn argument(row: &'static LimitRow, end: End) -> Arg {
    let id = id(row, end);
    let (value, words) = match end {
        End::Default => (row.range.default, "Value when a request gives none"),
        End::Max => (Some(row.range.max), "Greatest value a request may give"),
    };
    let value = value.expect("only rows with a default have a flag for it");
    let what = row.what.split_once(['.', ';']).map_or(row.what, |(first, _)| first);
    Arg::new(id.clone())
        .long(id.replace('_', "-"))
        .env(format!("DISCERN_{}", id.to_ascii_uppercase()))
        .value_name("N")
        .default_value(value.to_string())
        .value_parser(value_parser!(u64).range(row.hard.0.min(value)..=row.hard.1))
        .help(format!("{what}. {words}"))
        .help_heading("Limits of requests")
}

impl Args for LimitSettings {
    fn augment_args(command: Command) -> Command {
        flags().fold(command, |command, (row, end)| command.arg(argument(row, end)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for LimitSettings {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut settings = Self::default();
        settings.update_from_arg_matches(matches)?;
        Ok(settings)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        for (row, end) in flags() {
            let id = id(row, end);
            // What nobody set is told apart from what was set to the table's own value: see `applied`.
            if matches.value_source(&id) == Some(clap::parser::ValueSource::DefaultValue) {
                continue;
            }
            if let Some(&value) = matches.get_one::<u64>(&id) {
                let list = if end == End::Max { &mut self.maxima } else { &mut self.defaults };
                list.push((row.limit, value));
            }
        }
        Ok(())
    }
}
