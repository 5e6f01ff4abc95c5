//! `discern nboard`: plays and analyses Othello for a board that speaks the NBoard protocol on standard input and
//! output.

use std::io;
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use clap::Args;
use othello::position::{EmptiesRule, Status};
use othello::protocol::nboard::{self, Nboard, Question, Step};
use othello::query::{Bound, Goal, Score, Selectivity, Snapshot, Value};
use searchkit::stop::{StopFlag, StopReason};

use super::exit::Outcome;
use super::lines::read_line;
use super::output::Output;
use super::thinking::{Strength, Thinker, ThinkingArgs};

/// How strong to play until the board sets a depth.
#[derive(Debug, Args)]
pub struct NboardArgs {
    #[command(flatten)]
    thinking: ThinkingArgs,
}

/// Lines that may wait while the engine thinks.
const LINES_AHEAD: usize = 1_024;

/// Answers commands until `quit` or the end of the input.
pub fn run(args: &NboardArgs) -> Outcome {
    let mut session = Session {
        usual: args.thinking.strength(),
        thinker: args.thinking.thinker()?,
        output: Mutex::new(Output::stdout()),
        heard: Arc::default(),
    };
    let lines = listen(&session.heard);
    let mut nboard = Nboard::default();
    for line in lines {
        match nboard.line(&line) {
            Step::Say(lines) => {
                session.answered(&line);
                session.say(lines);
            }
            Step::Go(first, question) => session.go(first, &question),
            Step::Hint(first, question, count) => session.hint(first, &question, count),
            Step::Analyze(first, questions) => session.analyze(first, &questions),
            Step::Quit => break,
        }
    }
    Ok(())
}

/// How long a search may go on after `quit`, which a script may have written long before its turn.
const QUIT_GRACE: Duration = Duration::from_secs(2);

/// What the listening thread has heard that concerns the search in progress.
#[derive(Debug, Default)]
struct Heard {
    /// The flag of that search.
    flag: Arc<StopFlag>,
    /// Pings that have been read and not yet answered. Those stand behind the command that is being answered.
    pings: usize,
    /// Whether it is time to leave.
    leaving: bool,
}

/// Reads the input on a thread of its own, because a `ping` must stop a search: its answer says that nothing more will
/// come about the position before. A `quit` stops a search too after a while, which then answers with what it has.
fn listen(heard: &Arc<Mutex<Heard>>) -> Receiver<String> {
    let (sender, receiver) = mpsc::sync_channel(LINES_AHEAD);
    let heard = Arc::clone(heard);
    thread::spawn(move || {
        let mut input = io::stdin().lock();
        // An input that cannot be read has ended.
        while let Ok(Some(line)) = read_line(&mut input) {
            let command = line.split_whitespace().next().unwrap_or_default().to_owned();
            if command == "ping" {
                let mut heard = heard.lock().unwrap_or_else(PoisonError::into_inner);
                heard.pings += 1;
                heard.flag.request(StopReason::Cancelled);
            }
            if sender.send(line).is_err() {
                return;
            }
            if command == "quit" {
                thread::sleep(QUIT_GRACE);
                let mut heard = heard.lock().unwrap_or_else(PoisonError::into_inner);
                heard.leaving = true;
                heard.flag.request(StopReason::Draining);
                return;
            }
        }
    });
    receiver
}

struct Session {
    usual: Strength,
    thinker: Thinker,
    output: Mutex<Output>,
    heard: Arc<Mutex<Heard>>,
}

impl Session {
    fn say(&self, lines: Vec<String>) {
        let mut output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        lines.iter().for_each(|line| output.line(line));
    }

    /// A fresh flag for the next search, set at once when what stops it has been heard already.
    fn begin(&self) -> Arc<StopFlag> {
        let flag = Arc::new(StopFlag::new());
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        heard.flag = Arc::clone(&flag);
        if heard.pings > 0 {
            flag.request(StopReason::Cancelled);
        }
        if heard.leaving {
            flag.request(StopReason::Draining);
        }
        flag
    }

    /// A ping has had its turn.
    fn answered(&self, line: &str) {
        if line.split_whitespace().next() == Some("ping") {
            self.heard.lock().unwrap_or_else(PoisonError::into_inner).pings -= 1;
        }
    }

    /// What the board has set comes before the flags. A depth is a depth, and the end of the game is solved from 20
    /// empties on all the same.
    fn strength(&self, question: &Question) -> Strength {
        match (question.level, question.depth) {
            (Some(level), _) => Strength { level: Some(level), ..self.usual.clone() },
            (None, Some(depth)) => {
                let empties = question.position.empty().count_ones();
                let solves = empties <= u32::from(self.usual.exact_from_empties.min(depth.saturating_mul(2)));
                let usual = self.usual.clone();
                Strength { level: None, time: None, depth: (!solves).then_some(depth), ..usual }
            }
            (None, None) => self.usual.clone(),
        }
    }

    fn think(
        &self,
        question: &Question,
        goal: Goal,
        report: &(dyn Fn(&Snapshot) + Sync),
        flag: &StopFlag,
    ) -> super::thinking::Thought {
        self.thinker.think(question.position, goal, &self.strength(question), None, flag, report)
    }

    fn go(&mut self, first: Vec<String>, question: &Question) {
        if question.position.status() == Status::Finished {
            return self.say(nboard::no_move());
        }
        self.say(first);
        let flag = self.begin();
        let thought = self.think(question, Goal::BestMove, &|_| {}, &flag);
        if flag.reason() == Some(StopReason::Cancelled) {
            return self.say(nboard::waiting());
        }
        self.say(vec![nboard::node_stats(thought.snapshot.statistics.nodes, thought.used)]);
        let Some(mv) = thought.choice else { return self.say(nboard::no_move()) };
        let score = thought.snapshot.moves.iter().find(|root| root.mv == mv).and_then(|root| root.score);
        self.say(nboard::go(mv, score, thought.used));
    }

    fn hint(&mut self, first: Vec<String>, question: &Question, count: u8) {
        self.say(first);
        let flag = self.begin();
        let goal = if count == 1 { Goal::BestMove } else { Goal::TopN(count) };
        let wanted = |snapshot: &Snapshot| nboard::hints(snapshot.moves.iter().take(usize::from(count)));
        let told = Mutex::new(0);
        // After a ping nothing may be said about this position.
        let report = |snapshot: &Snapshot| {
            let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
            if snapshot.depth > *told && flag.reason().is_none() {
                *told = snapshot.depth;
                self.say(wanted(snapshot));
            }
        };
        let thought = self.think(question, goal, &report, &flag);
        if flag.reason() != Some(StopReason::Cancelled) {
            self.say(wanted(&thought.snapshot));
            self.say(vec![nboard::node_stats(thought.snapshot.statistics.nodes, thought.used)]);
        }
        self.say(nboard::waiting());
    }

    fn analyze(&mut self, first: Vec<String>, questions: &[(usize, Question)]) {
        self.say(first);
        let flag = self.begin();
        for (moves, question) in questions {
            let score = match question.position.status() {
                Status::Finished => Some(final_score(question)),
                _ => {
                    let thought = self.think(question, Goal::BestMove, &|_| {}, &flag);
                    thought.snapshot.moves.first().and_then(|root| root.score)
                }
            };
            if flag.reason().is_some() {
                break;
            }
            self.say(score.map(|score| nboard::analysis(*moves, score)).into_iter().collect());
        }
        self.say(nboard::waiting());
    }
}

fn final_score(question: &Question) -> Score {
    let discs = question.position.final_score(EmptiesRule::Winner);
    Score {
        value: Value::Exact { discs: i8::try_from(discs).expect("a board has 64 squares") },
        bound: Bound::Exact,
        depth: 0,
        selectivity: Selectivity::Full,
    }
}
