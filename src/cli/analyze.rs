//! `discern analyze`: one question from the command line, or many from standard input, answered as the service would.
//!
//! Flags are put together into the JSON of a request and take the same way as a request over HTTP, so that both can
//! never differ.

mod board;
mod gomoku_board;
mod remote;

use std::io::{self, BufRead, Read};
use std::num::NonZeroUsize;

use clap::{Args, ValueEnum, value_parser};
use serde::Serialize;
use serde_json::{Map, Value, json};
use tokio::runtime::{Builder, Runtime};

use super::exit::{Exit, Failure, Outcome};
use super::output::Output;
use crate::client::Analysis;
use crate::pool::ClientId;
use crate::service::{Arrival, Service};
use crate::wire::analysis::AnalysisRequest;
use crate::wire::analysis_reply::AnalysisReply;
use crate::wire::gomoku::analysis::GomokuRequest;
use crate::wire::gomoku::analysis_reply::GomokuAnalysisReply;
use crate::wire::json::Json;
use crate::wire::limits::{LimitName, Limits};
use crate::wire::problem::{Problem, ProblemCode};

/// The question, and how to answer.
#[derive(Debug, Args)]
pub struct AnalyzeArgs {
    /// A position as text: moves (f5d6c3), a board of 64 characters with or without the side to move, an OBF line.
    /// The start position when left out. With --game gomoku: moves (h8i9g7) or a board of X, O and dots.
    // A board may begin with an empty square, `-`.
    #[arg(conflicts_with = "stdin", allow_hyphen_values = true)]
    position: Option<String>,

    /// The game; with --stdin that of all questions.
    #[arg(long, value_enum, default_value_t = Played::Othello, conflicts_with = "server")]
    game: Played,

    /// With --game gomoku: freestyle, standard or renju.
    #[arg(long, value_name = "RULE", conflicts_with = "stdin")]
    rule: Option<String>,

    /// With --game gomoku: points along one side, 5 to 20.
    #[arg(long, value_name = "POINTS", conflicts_with = "stdin")]
    size: Option<u64>,

    /// With --game gomoku: which end row 1 is at, top or bottom.
    #[arg(long, value_name = "END", conflicts_with = "stdin")]
    row_one: Option<String>,

    /// What to find: best_move, all_moves, top_n (with --count), win_loss_draw.
    #[arg(long, value_name = "GOAL", conflicts_with = "stdin")]
    goal: Option<String>,

    /// How many moves to value, with --goal top_n.
    #[arg(long, value_name = "N", conflicts_with = "stdin")]
    count: Option<u64>,

    /// Longest time, in ms.
    #[arg(long, value_name = "MS", conflicts_with = "stdin")]
    time_ms: Option<u64>,

    /// Deepest iteration, in plies.
    #[arg(long, value_name = "PLIES", conflicts_with = "stdin")]
    depth: Option<u64>,

    /// Most positions to visit.
    #[arg(long, value_name = "N", conflicts_with = "stdin")]
    nodes: Option<u64>,

    /// From this many empties on, go for the exact score.
    #[arg(long, value_name = "EMPTIES", conflicts_with = "stdin")]
    exact_from_empties: Option<u64>,

    /// Least confidence of estimates, in percent: 73, 87, 95, 98, 99 or 100.
    #[arg(long, value_name = "PERCENT", conflicts_with = "stdin")]
    selectivity_percent: Option<u64>,

    /// Playing strength, 1 (for beginners) to 30, instead of depth and the like.
    #[arg(long, value_name = "1-30", conflicts_with = "stdin")]
    level: Option<u64>,

    /// Which slips a level makes.
    #[arg(long, value_name = "N", requires = "level", conflicts_with = "stdin")]
    seed: Option<u64>,

    /// What is left on the clock of a game, in ms, instead of --time-ms.
    #[arg(long, value_name = "MS", conflicts_with = "stdin")]
    remaining_ms: Option<u64>,

    /// What the clock gains after each move, in ms.
    #[arg(long, value_name = "MS", requires = "remaining_ms", conflicts_with = "stdin")]
    increment_ms: Option<u64>,

    /// Own moves that the clock must last for.
    #[arg(long, value_name = "N", requires = "remaining_ms", conflicts_with = "stdin")]
    moves_left: Option<u64>,

    /// Who owns empty squares at the end: winner or nobody.
    #[arg(long, value_name = "WHO", conflicts_with = "stdin")]
    empties: Option<String>,

    /// One thread, and the same answer on every machine; needs --depth or --nodes.
    #[arg(long, conflicts_with = "stdin")]
    deterministic: bool,

    /// Ask a running service at this URL instead of searching here.
    #[arg(long, value_name = "URL", conflicts_with_all = ["threads", "memory_mib", "stdin"])]
    server: Option<String>,

    /// An API key, if that service asks for one.
    #[arg(long, value_name = "KEY", requires = "server")]
    key: Option<String>,

    /// Search threads.
    #[arg(long, value_name = "COUNT", default_value = "1")]
    threads: NonZeroUsize,

    /// Memory for tables and kept answers, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = value_parser!(u32).range(1..=1_048_576))]
    memory_mib: u32,

    /// Print the JSON of the HTTP answer.
    #[arg(long)]
    json: bool,

    /// Read questions from standard input, one JSON request a line, and answer each with one line of JSON: a reply
    /// or a problem, as over HTTP.
    #[arg(long)]
    stdin: bool,
}

/// The games that can be analysed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Played {
    /// Othello.
    Othello,
    /// Gomoku.
    Gomoku,
}

/// An answer of either game.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Reply {
    Othello(Box<AnalysisReply>),
    Gomoku(Box<GomokuAnalysisReply>),
}

impl Reply {
    fn lines(&self) -> Vec<String> {
        match self {
            Self::Othello(reply) => board::lines(&as_read(reply)),
            Self::Gomoku(reply) => gomoku_board::lines(reply),
        }
    }
}

/// Answers.
pub fn run(args: &AnalyzeArgs) -> Outcome {
    if let Some(server) = &args.server {
        return remote::ask(server, args.key.clone(), &question(args), args.json);
    }
    let desk = Desk::open(args)?;
    let mut output = Output::stdout();
    if args.stdin {
        return desk.answer_lines(io::stdin().lock(), &mut output);
    }
    let question = question(args).to_string();
    match desk.answer(question.as_bytes()) {
        Ok(reply) if args.json => output.line(to_json(&reply)),
        Ok(reply) => reply.lines().iter().for_each(|line| output.line(line)),
        Err(problem) => {
            let exit = match problem.code.row().status {
                400..=499 => Exit::Data,
                _ => Exit::Internal,
            };
            let message = problem.detail.clone();
            if args.json {
                output.line(to_json(&problem.into_body(String::new(), String::new())));
            }
            return Err(Failure::new(exit, message));
        }
    }
    Ok(())
}

/// An answer as a client of the service reads it, so that both ways of asking print the same.
fn as_read(reply: &AnalysisReply) -> Analysis {
    let json = serde_json::to_value(reply).expect("replies have text keys only");
    serde_json::from_value(json).expect("the client reads what the service writes, as a test of both shows")
}

/// The request that the flags mean. What is not given stays out, so that the service's defaults apply.
fn question(args: &AnalyzeArgs) -> Value {
    let limits = given([
        ("time_ms", args.time_ms.map(Value::from)),
        ("depth", args.depth.map(Value::from)),
        ("nodes", args.nodes.map(Value::from)),
        ("exact_from_empties", args.exact_from_empties.map(Value::from)),
        ("selectivity_percent", args.selectivity_percent.map(Value::from)),
    ]);
    let clock = given([
        ("remaining_ms", args.remaining_ms.map(Value::from)),
        ("increment_ms", args.increment_ms.map(Value::from)),
        ("moves_left", args.moves_left.map(Value::from)),
    ]);
    let position = match &args.position {
        Some(text) => ("text", json!(text)),
        None => ("moves", json!("")),
    };
    let mut question = given([
        (position.0, Some(position.1)),
        ("rule", args.rule.clone().map(Value::from)),
        ("size", args.size.map(Value::from)),
        ("row_one", args.row_one.clone().map(Value::from)),
        ("goal", args.goal.clone().map(Value::from)),
        ("count", args.count.map(Value::from)),
        ("level", args.level.map(Value::from)),
        ("seed", args.seed.map(Value::from)),
        ("clock", (!clock.is_empty()).then(|| clock.into())),
        ("empties", args.empties.clone().map(Value::from)),
        ("deterministic", args.deterministic.then_some(Value::Bool(true))),
    ]);
    question.insert("limits".to_owned(), limits.into());
    question.into()
}

/// An object of the members that are given.
fn given<const N: usize>(members: [(&str, Option<Value>); N]) -> Map<String, Value> {
    members.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
}

/// A service without HTTP, for one caller.
struct Desk {
    game: Played,
    service: Service,
    runtime: Runtime,
}

impl Desk {
    fn open(args: &AnalyzeArgs) -> Result<Self, Failure> {
        let internal = |error: io::Error| Failure::new(Exit::Internal, format!("cannot start: {error}"));
        let limits = Limits::for_threads(args.threads.get());
        let service = Service::start(limits, (args.memory_mib as usize) << 20).map_err(internal)?;
        let runtime = Builder::new_current_thread().build().map_err(internal)?;
        Ok(Self { game: args.game, service, runtime })
    }

    /// Answers one request.
    fn answer(&self, body: &[u8]) -> Result<Reply, Problem> {
        let arrival = Arrival { at: self.service.pool().now(), client: ClientId(0) };
        let json =
            Json::parse(body).map_err(|error| Problem::new(ProblemCode::InvalidJson, error.to_string()))?;
        let limits = self.service.limits();
        match self.game {
            Played::Othello => {
                let request = AnalysisRequest::parse(&json, limits).map_err(Problem::from_errors)?;
                let reply = self.runtime.block_on(self.service.analyze(request, arrival))?;
                Ok(Reply::Othello(Box::new(reply)))
            }
            Played::Gomoku => {
                let request = GomokuRequest::parse(&json, limits).map_err(Problem::from_errors)?;
                let reply = self.runtime.block_on(self.service.gomoku_analyze(request, arrival))?;
                Ok(Reply::Gomoku(Box::new(reply)))
            }
        }
    }

    /// Answers one line after the other until the input ends; empty lines are skipped.
    fn answer_lines(&self, mut input: impl BufRead, output: &mut Output) -> Outcome {
        let longest = self.service.limits().get(LimitName::BodyBytes).max;
        loop {
            let mut line = Vec::new();
            // One byte more than a line may have, its line feed not counted, to tell a long line from a full one.
            let read = input.by_ref().take(longest + 2).read_until(b'\n', &mut line);
            let read = read.map_err(|error| {
                Failure::new(Exit::NoInput, format!("cannot read the questions: {error}"))
            })?;
            if read == 0 {
                return Ok(());
            }
            let whole = line.last() == Some(&b'\n');
            if whole {
                line.pop();
            }
            if line.len() as u64 > longest {
                if !whole {
                    skip_line(&mut input)?;
                }
                let problem = Problem::new(
                    ProblemCode::BodyTooLarge,
                    format!("a question has at most {longest} bytes"),
                );
                output.line(to_json(&problem.into_body(String::new(), String::new())));
            } else if !line.iter().all(u8::is_ascii_whitespace) {
                output.line(match self.answer(&line) {
                    Ok(reply) => to_json(&reply),
                    Err(problem) => to_json(&problem.into_body(String::new(), String::new())),
                });
            }
        }
    }
}

/// Reads on to the end of the line without keeping it.
fn skip_line(input: &mut impl BufRead) -> Result<(), Failure> {
    loop {
        let failed = |error| Failure::new(Exit::NoInput, format!("cannot read the questions: {error}"));
        let buffer = input.fill_buf().map_err(failed)?;
        let (used, ended) = match buffer.iter().position(|&byte| byte == b'\n') {
            Some(at) => (at + 1, true),
            None => (buffer.len(), buffer.is_empty()),
        };
        input.consume(used);
        if ended {
            return Ok(());
        }
    }
}

fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("replies and problems have text keys only")
}
