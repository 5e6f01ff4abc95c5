//! `discern compare`: pruning techniques side by side on one position, as the service would compare them.
//!
//! Flags are put together into the JSON of a request and take the same way as a request over HTTP, so that both can
//! never differ.

use std::io;
use std::num::NonZeroUsize;

use clap::Args;
use serde_json::{Value, json};
use tokio::runtime::Builder;

use super::exit::{Exit, Failure, Outcome};
use super::output::Output;
use crate::pool::ClientId;
use crate::service::{Arrival, Service};
use crate::wire::comparison::ComparisonRequest;
use crate::wire::comparison_reply::{ComparisonReply, ComparisonRowReply};
use crate::wire::json::Json;
use crate::wire::limits::Limits;
use crate::wire::problem::Problem;

/// The lab keeps what it remembers in its own searches; no table of the service is used.
const TABLE_BYTES: usize = 0;

/// What to compare, and for whom to print it.
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// A position as text: moves (f5d6c3), a board of 64, 36 or 16 characters with or without the side to move.
    /// The start position when left out.
    // A board may begin with an empty square, `-`.
    #[arg(allow_hyphen_values = true)]
    position: Option<String>,

    /// Depths in plies.
    #[arg(long, value_name = "PLIES,…", value_delimiter = ',', default_values_t = [5, 6])]
    depths: Vec<u64>,

    /// A configuration: plain, null_move, verified_null_move, verified_null_move_lmr, or the JSON of a free one. May
    /// be given more than once; all four by name when left out.
    #[arg(long = "configuration", value_name = "NAME|JSON")]
    configurations: Vec<String>,

    /// Longest time, in ms. Rows that are not finished then are shown without values.
    #[arg(long, value_name = "MS", default_value_t = 60_000)]
    time_ms: u64,

    /// Threads; each searches one row at a time.
    #[arg(long, value_name = "COUNT", default_value = "1")]
    threads: NonZeroUsize,

    /// Print the JSON of the HTTP answer.
    #[arg(long, conflicts_with = "csv")]
    json: bool,

    /// Print CSV, one line a row.
    #[arg(long)]
    csv: bool,
}

/// Compares and prints.
pub fn run(args: &CompareArgs) -> Outcome {
    let reply = compare(args).map_err(|problem| {
        let exit = match problem.code.row().status {
            400..=499 => Exit::Data,
            _ => Exit::Internal,
        };
        Failure::new(exit, problem.detail)
    })?;
    let mut output = Output::stdout();
    if args.json {
        output.line(serde_json::to_string(&reply).expect("a reply has text keys only"));
    } else if args.csv {
        output.line(reply.to_csv().trim_end());
    } else {
        table(&reply).iter().for_each(|line| output.line(line));
    }
    Ok(())
}

fn compare(args: &CompareArgs) -> Result<ComparisonReply, Problem> {
    let internal =
        |error: io::Error| Problem::new(crate::wire::problem::ProblemCode::Internal, error.to_string());
    let service = Service::start(Limits::for_threads(args.threads.get()), TABLE_BYTES).map_err(internal)?;
    let arrival = Arrival { at: service.pool().now(), client: ClientId(0) };
    let question = Json::parse(question(args).to_string().as_bytes()).expect("it was printed as JSON");
    let request = ComparisonRequest::parse(&question, service.limits()).map_err(Problem::from_errors)?;
    let runtime = Builder::new_current_thread().build().map_err(internal)?;
    runtime.block_on(service.compare(request, arrival))
}

/// The request that the flags mean. What is not given stays out, so that the service's defaults apply.
fn question(args: &CompareArgs) -> Value {
    let mut question = json!({"depths": args.depths, "limits": {"time_ms": args.time_ms}});
    match &args.position {
        Some(text) => question["text"] = json!(text),
        None => question["moves"] = json!(""),
    }
    if !args.configurations.is_empty() {
        // What is no JSON object is a name, right or wrong.
        let configuration = |text: &String| match serde_json::from_str(text) {
            Ok(Value::Object(free)) => Value::Object(free),
            _ => json!(text),
        };
        question["configurations"] = args.configurations.iter().map(configuration).collect();
    }
    question
}

fn table(reply: &ComparisonReply) -> Vec<String> {
    let width =
        reply.rows.iter().map(|row| row.configuration.len()).max().unwrap_or(0).max("configuration".len());
    let position = &reply.position;
    let side = serde_json::to_value(position.side_to_move).expect("a colour is a word");
    let mut lines = vec![
        format!(
            "{} {} to move, {} empties",
            position.board,
            side.as_str().unwrap_or_default(),
            position.empties
        ),
        format!(
            "{:>5} {:width$} {:>8} {:>4} {:>10} {:>8} {:>8} {:>8} {:>8} {:>7} {:>7} {:>6} {:>6}",
            "depth",
            "configuration",
            "score",
            "move",
            "nodes",
            "null",
            "verify",
            "lmr",
            "again",
            "first %",
            "ms",
            "score",
            "move"
        ),
    ];
    lines.extend(reply.rows.iter().map(|row| line(row, width)));
    lines.push(format!(
        "{} of {} rows finished, {} nodes, {} ms; null, lmr: cuts by them; again: re-searches; last two: as plain",
        reply.search.rows_finished,
        reply.rows.len(),
        reply.search.nodes,
        reply.search.elapsed_ms
    ));
    lines
}

fn line(row: &ComparisonRowReply, width: usize) -> String {
    let agreement = row.agrees_with_plain;
    let word = |same: bool| if same { "same" } else { "other" };
    format!(
        "{:>5} {:width$} {:>8} {:>4} {:>10} {:>8} {:>8} {:>8} {:>8} {:>7} {:>7} {:>6} {:>6}",
        row.depth,
        row.configuration,
        shown(row.score),
        row.best_move.as_deref().unwrap_or("-"),
        shown(row.nodes),
        shown(row.null_cuts),
        shown(row.verifications),
        shown(row.lmr_cuts),
        shown(row.re_searches),
        shown(first_move_percent(row)),
        shown(row.elapsed_ms),
        shown(agreement.map(|agreement| word(agreement.score))),
        shown(agreement.map(|agreement| word(agreement.best_move))),
    )
}

/// Share of beta cuts that the first move made, in percent.
fn first_move_percent(row: &ComparisonRowReply) -> Option<String> {
    let (cuts, first) = (row.beta_cuts?, row.first_move_cuts?);
    (cuts > 0).then(|| format!("{:.1}", 100.0 * first as f64 / cuts as f64))
}

fn shown(value: Option<impl ToString>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| value.to_string())
}
