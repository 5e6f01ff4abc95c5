//! `discern load`: puts a bounded load on a running service and says how it held: times, answers after their deadline,
//! refusals and whether they tell the truth, what became of searches whose callers left.

mod leaving;
mod questions;
mod report;

use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::{Args, value_parser};
use tokio::runtime::Builder;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use super::exit::{Exit, Failure, Outcome};
use super::output::Output;
use crate::client::{Client, Error};
use questions::{Kind, Mix, Question, Questions};
use report::{Called, Report};

/// Where to, how much, and of what.
#[derive(Debug, Args)]
pub struct LoadArgs {
    /// URL of the service.
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8080")]
    server: String,

    /// An API key, if the service asks for one.
    #[arg(long, value_name = "KEY")]
    key: Option<String>,

    /// Requests that are under way at once: a new one begins when one ends.
    #[arg(long, value_name = "COUNT", default_value_t = 4, value_parser = value_parser!(u32).range(1..=4_096))]
    concurrency: u32,

    /// Requests a second, begun whether or not earlier ones have ended. At most 4096 are under way.
    #[arg(long, value_name = "PER_SECOND", conflicts_with = "concurrency", value_parser = parse_rate)]
    rate: Option<f64>,

    /// For how long requests are begun, in s.
    #[arg(long, value_name = "S", default_value_t = 10, value_parser = value_parser!(u64).range(1..=86_400))]
    duration_s: u64,

    /// Most requests; the duration ends the load all the same.
    #[arg(long, value_name = "COUNT")]
    requests: Option<u64>,

    /// Kinds of requests with their weights: deadline, endgame, stream, leave, repeat, moves.
    #[arg(long, value_name = "KIND=WEIGHT,...", default_value = "deadline=1")]
    mix: Mix,

    /// Least and greatest time of a request with a deadline, in ms.
    #[arg(long, value_name = "LEAST..MOST", default_value = "1..200", value_parser = questions::parse_range)]
    time_ms: (u64, u64),

    /// Search threads that each request asks for.
    #[arg(long, value_name = "COUNT", default_value_t = 1, value_parser = value_parser!(u64).range(1..=1_024))]
    threads: u64,

    /// Names the sequence of questions.
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,

    /// Ask a refused question once more when its answer says to.
    #[arg(long)]
    come_back: bool,

    /// Instead of a load: begin so many searches of a minute, leave them all at once, and measure until the pool is idle.
    #[arg(long, value_name = "COUNT", value_parser = value_parser!(u32).range(1..=4_096))]
    disconnects: Option<u32>,

    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

/// Most requests under way at once, so that a service that hangs does not exhaust this machine.
const MOST_UNDER_WAY: u32 = 4_096;

fn parse_rate(text: &str) -> Result<f64, String> {
    let rate: f64 = text.parse().map_err(|_| "a number".to_owned())?;
    if (0.01..=100_000.0).contains(&rate) { Ok(rate) } else { Err("0.01 to 100000 a second".to_owned()) }
}

/// Runs the load and prints what it measured. Ends with code 1 when the service broke its word.
pub fn run(args: &LoadArgs) -> Outcome {
    let internal = |error: std::io::Error| Failure::new(Exit::Internal, format!("cannot start: {error}"));
    let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().map_err(internal)?;
    let client = Client::new(&args.server, args.key.clone())
        .map_err(|error| Failure::new(Exit::Internal, error.to_string()))?;
    let unreachable = |error: Error| Failure::new(Exit::Unavailable, format!("{}: {error}", args.server));
    runtime.block_on(client.get::<serde_json::Value>("/v1/status")).map_err(unreachable)?;
    let mut output = Output::stdout();
    if let Some(count) = args.disconnects {
        let left = runtime.block_on(leaving::measure(&client, count, args.seed)).map_err(unreachable)?;
        output.line(left.told(args.json));
        return Ok(());
    }
    let report = runtime.block_on(load(args, client));
    if args.json {
        output.line(report.to_json());
    } else {
        report.lines().iter().for_each(|line| output.line(line));
    }
    if report.kept_its_word() { Ok(()) } else { Err(Failure::silent(Exit::Negative)) }
}

async fn load(args: &LoadArgs, client: Client) -> Report {
    let most = if args.rate.is_some() { MOST_UNDER_WAY } else { args.concurrency };
    let seats = Arc::new(Semaphore::new(most as usize));
    let mut questions = Questions::new(args.seed, &args.mix, args.time_ms, args.threads);
    let begun = Instant::now();
    let end = begun + Duration::from_secs(args.duration_s);
    let mut report = Report::default();
    let mut calls = JoinSet::new();
    let mut count = 0_u64;
    while Instant::now() < end && args.requests.is_none_or(|requests| count < requests) {
        if let Some(rate) = args.rate {
            // From the start, not from the last one: a late one is caught up with.
            let due = begun + Duration::from_secs_f64(count as f64 / rate);
            tokio::time::sleep_until(due.into()).await;
        }
        let seat = Arc::clone(&seats).acquire_owned().await.expect("nobody closes the semaphore");
        let (question, client, come_back) = (questions.next(), client.clone(), args.come_back);
        calls.spawn(async move {
            let called = call(&client, &question, come_back).await;
            drop(seat);
            called
        });
        count += 1;
        while let Some(done) = calls.try_join_next() {
            report.add(done.expect("a call does not panic"));
        }
    }
    while let Some(done) = calls.join_next().await {
        report.add(done.expect("a call does not panic"));
    }
    report.took(begun.elapsed());
    report
}

/// Asks one question, and a refused one perhaps once more.
async fn call(client: &Client, question: &Question, come_back: bool) -> Called {
    let mut called = once(client, question).await;
    if come_back && let Some(retry_after_ms) = called.retry_after_ms {
        tokio::time::sleep(Duration::from_millis(retry_after_ms)).await;
        called.taken_in_later = Some(once(client, question).await.status == 200);
    }
    called
}

async fn once(client: &Client, question: &Question) -> Called {
    let begun = Instant::now();
    let outcome = match question.kind {
        Kind::Moves => {
            let path = "/v1/othello/legal-moves";
            client.post::<serde_json::Value>(path, &question.body).await.map(|_| None)
        }
        Kind::Stream => streamed(client, question).await,
        Kind::Leave => left(client, question).await,
        Kind::Deadline | Kind::Endgame | Kind::Repeat => {
            client.analyze(&question.body).await.map(|answer| Some((answer.body, answer.cache_status)))
        }
    };
    let took = begun.elapsed();
    match outcome {
        Ok(answer) => {
            let (analysis, cache_status) = answer.unzip();
            Called {
                over_ms: question.time_ms.map(|time_ms| took.as_secs_f64() * 1e3 - time_ms as f64),
                legal: analysis.map(|analysis| question.allows(analysis.best_move.as_deref())),
                cache_status: cache_status.flatten(),
                ..Called::new(200, took)
            }
        }
        Err(Error::Problem(refused)) => {
            let status = refused.problem.status;
            let told = refused.problem.retry_after_ms;
            let agrees = told.is_some_and(|ms| refused.retry_after_s == Some(ms.div_ceil(1_000).max(1)));
            // What comes at the end of a stream has no header of its own.
            let in_stream = matches!(question.kind, Kind::Stream | Kind::Leave);
            let truthful = (status == 503).then_some(agrees || (in_stream && told.is_some()));
            let retry_after_ms = told.filter(|_| status == 503);
            Called { retry_after_ms, truthful, ..Called::new(status, took) }
        }
        Err(Error::Broken(_) | Error::Strange(_)) => Called::new(0, took),
    }
}

/// What came back: the answer and where it came from, or nothing to look at.
type Came = Option<(crate::client::Analysis, Option<String>)>;

/// Reads a stream to its end.
async fn streamed(client: &Client, question: &Question) -> Result<Came, Error> {
    let mut records = client.stream(&question.body).await?;
    let mut last = None;
    while let Some(record) = records.next().await? {
        last = Some(record);
    }
    let last = last.filter(|last| last.is_final);
    last.map(|last| Some((last, None)))
        .ok_or_else(|| Error::Strange("a stream without a last word".to_owned()))
}

/// Leaves a stream after its first record.
async fn left(client: &Client, question: &Question) -> Result<Came, Error> {
    client.stream(&question.body).await?.next().await.map(|_| None)
}
