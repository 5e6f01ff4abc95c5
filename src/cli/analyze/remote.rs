//! The question put to a running service instead of to the engine in this process.

use serde_json::Value;
use tokio::runtime::Builder;

use super::board;
use crate::cli::exit::{Exit, Failure, Outcome};
use crate::cli::output::Output;
use crate::client::{Analysis, Client, Error};

const PATH: &str = "/v1/othello/analysis";

/// Asks the service at this URL and prints its answer: its JSON as it came, or lines for a person.
pub fn ask(server: &str, key: Option<String>, question: &Value, json: bool) -> Outcome {
    let internal = |message: String| Failure::new(Exit::Internal, message);
    let runtime = Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| internal(format!("cannot start a runtime: {error}")))?;
    let client = Client::new(server, key).map_err(|error| internal(error.to_string()))?;
    let answer =
        runtime.block_on(client.post_for_text(PATH, question)).map_err(|error| failed(server, &error))?;
    let mut output = Output::stdout();
    if json {
        output.line(answer.body);
        return Ok(());
    }
    let read: Analysis = serde_json::from_str(&answer.body).map_err(|error| {
        Failure::new(Exit::Unavailable, format!("{server} answered something else: {error}"))
    })?;
    board::lines(&read).iter().for_each(|line| output.line(line));
    Ok(())
}

fn failed(server: &str, error: &Error) -> Failure {
    let exit = match error {
        Error::Problem(refused) if (400..500).contains(&refused.problem.status) => Exit::Data,
        Error::Problem(refused) if refused.problem.status == 500 => Exit::Internal,
        Error::Problem(_) | Error::Broken(_) | Error::Strange(_) => Exit::Unavailable,
    };
    Failure::new(exit, format!("{server}: {error}"))
}
