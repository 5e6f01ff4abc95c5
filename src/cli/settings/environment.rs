//! A `DISCERN_*` variable that nobody reads is a mistake, and the start stops there: a typing error in a chart must
//! not turn into a setting that silently stays at its default.

use std::collections::BTreeSet;

use clap::Command;

use crate::wire::nearest::nearest;

/// A variable with our prefix that is no setting.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown variable {name}{}", .nearest.as_ref().map(|known| format!("; did you mean {known}?")).unwrap_or_default())]
pub struct UnknownVariable {
    /// Its name.
    pub name: String,
    /// The setting whose name is closest.
    pub nearest: Option<String>,
}

const PREFIX: &str = "DISCERN_";

/// Checks the names of variables against the settings of all commands.
///
/// # Errors
/// Every unknown name, in alphabetical order.
pub fn check_environment(
    command: &Command,
    names: impl IntoIterator<Item = String>,
) -> Result<(), Vec<UnknownVariable>> {
    let known = known_names(command);
    let names: BTreeSet<String> = names.into_iter().filter(|name| name.starts_with(PREFIX)).collect();
    let unknown: Vec<_> = names
        .into_iter()
        .filter(|name| !known.contains(name.as_str()) && !is_service_link(name))
        .map(|name| UnknownVariable {
            nearest: nearest(&name, known.iter().map(String::as_str)).map(str::to_owned),
            name,
        })
        .collect();
    if unknown.is_empty() { Ok(()) } else { Err(unknown) }
}

/// The variables that some command reads.
fn known_names(command: &Command) -> BTreeSet<String> {
    let own = command.get_arguments().filter_map(|argument| argument.get_env()?.to_str().map(str::to_owned));
    own.chain(command.get_subcommands().flat_map(known_names)).collect()
}

/// Whether Kubernetes made this variable: for a Service called `discern` (or `discern-…`) it hands `…_SERVICE_HOST`,
/// `…_SERVICE_PORT`, `…_PORT` and `…_PORT_8080_TCP…` to every pod of the namespace. None of our settings ends so.
fn is_service_link(name: &str) -> bool {
    let after_port = name.split_once("_PORT_").map(|(_, rest)| rest);
    let numbered = after_port.is_some_and(|rest| {
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(0);
        digits > 0 && ["_TCP", "_UDP", "_SCTP"].iter().any(|protocol| rest[digits..].starts_with(protocol))
    });
    numbered || name.ends_with("_SERVICE_HOST") || name.ends_with("_PORT") || name.contains("_SERVICE_PORT_")
}

#[cfg(test)]
mod tests {
    use clap::Arg;

    use super::*;

    fn command() -> Command {
        Command::new("test").subcommand(
            Command::new("serve")
                .arg(Arg::new("threads").long("threads").env("DISCERN_THREADS"))
                .arg(Arg::new("queue").long("queue").env("DISCERN_QUEUE")),
        )
    }

    fn checked(names: &[&str]) -> Result<(), Vec<UnknownVariable>> {
        check_environment(&command(), names.iter().map(|&name| name.to_owned()))
    }

    #[test]
    fn known_and_foreign_names_pass() {
        assert_eq!(checked(&["DISCERN_THREADS", "DISCERN_QUEUE", "PATH", "THREADS"]), Ok(()));
    }

    #[test]
    fn an_unknown_name_is_told_with_its_nearest_known_one() {
        let unknown = checked(&["DISCERN_THREAD"]).expect_err("nobody reads it");
        assert_eq!(unknown.len(), 1);
        assert_eq!(unknown[0].to_string(), "unknown variable DISCERN_THREAD; did you mean DISCERN_THREADS?");
    }

    #[test]
    fn every_unknown_name_is_told() {
        let unknown = checked(&["DISCERN_B", "DISCERN_A"]).expect_err("nobody reads them");
        let names: Vec<_> = unknown.iter().map(|unknown| unknown.name.as_str()).collect();
        assert_eq!(names, ["DISCERN_A", "DISCERN_B"]);
    }

    #[test]
    fn kubernetes_service_links_pass() {
        assert_eq!(
            checked(&[
                "DISCERN_SERVICE_HOST",
                "DISCERN_SERVICE_PORT",
                "DISCERN_SERVICE_PORT_HTTP",
                "DISCERN_PORT",
                "DISCERN_PORT_8080_TCP",
                "DISCERN_PORT_8080_TCP_ADDR",
                "DISCERN_ADMIN_PORT_9090_TCP_PROTO",
            ]),
            Ok(())
        );
        assert!(checked(&["DISCERN_PORT_X"]).is_err());
    }
}
