//! The settings in force, as `NAME=value` lines that an environment file or a chart can take as they are.

use clap::parser::ValueSource;
use clap::{ArgMatches, Command};

/// One line for every setting of `command` that has a variable, in the order of `--help`; a remark line before it says
/// where a value that is not the default came from.
pub fn lines(command: &Command, matches: &ArgMatches) -> Vec<String> {
    command
        .get_arguments()
        .filter_map(|argument| {
            let name = argument.get_env()?.to_str()?;
            let id = argument.get_id().as_str();
            // A setting that has no value and no default either has no line: an empty one would be a value.
            matches.get_raw(id)?;
            let values: Vec<_> = matches
                .get_raw(id)
                .into_iter()
                .flatten()
                .map(|value| value.to_string_lossy().into_owned())
                .collect();
            let remark = match matches.value_source(id) {
                Some(ValueSource::CommandLine) => "# from the command line\n",
                Some(ValueSource::EnvVariable) => "# from the environment\n",
                _ => "",
            };
            Some(format!("{remark}{name}={}", values.join(",")))
        })
        .collect()
}
