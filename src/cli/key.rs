//! `discern key`: makes an API key. The key is for its owner; the service is told its hash alone.

use clap::Args;

use super::exit::{Exit, Failure, Outcome};
use super::output::Output;
use crate::http::access::{ApiKey, KeyEntry};

/// Whose key it will be.
#[derive(Debug, Args)]
pub struct KeyArgs {
    /// Who gets the key: 1 to 32 of the characters a-z, 0-9, - and _. It stands in logs and metrics. Keys of one name are
    /// one client, so a new one can be handed out before the old one is withdrawn.
    name: String,
}

/// Prints a new key, which is shown this once, and the entry that makes it valid.
pub fn run(args: &KeyArgs) -> Outcome {
    let key = ApiKey::random()
        .map_err(|error| Failure::new(Exit::Internal, format!("no random numbers: {error}")))?;
    let entry = format!("{}:{}", args.name, key.hash());
    entry.parse::<KeyEntry>().map_err(|error| Failure::new(Exit::Data, error.to_string()))?;
    let mut output = Output::stdout();
    output.line(format!("key    {}", key.reveal()));
    output.line(format!("entry  {entry}"));
    Ok(())
}
