//! The root of a search: iterations over the root moves, worked on by any number of threads.
//!
//! All state lies behind one mutex that is held only to hand out or take in a unit of work (one root move searched in
//! one window) and to copy an answer out. A thread that is recalled gives its unit back; what it has learned stays in
//! the table. The decisions are pure and tested on their own: [`plan`] says which iterations follow one another,
//! [`iteration`] which unit comes next, [`answer`] what is told to the outside.

mod answer;
mod groups;
mod iteration;
mod plan;
mod unit;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use searchkit::control::{Control, Interrupt};
use searchkit::search::{Leave, Search};
use searchkit::stop::StopReason;

use crate::query::{Goal, Query, Snapshot, Statistics};
use crate::search::sharing::{self, Crew};
use crate::search::table::Table;
use crate::search::techniques::Techniques;
use crate::search::worker::{NodeBudget, Rules};
use answer::Standing;
use groups::Group;
use iteration::{Iteration, Next, Unit, Wanted};
use plan::{Plan, Stage};
use unit::{Memory, Outcome};

/// Longest time a thread that waits for others sleeps before it looks at its control again.
const NAP: Duration = Duration::from_millis(1);

/// A search for the answer to one [`Query`].
///
/// The position is searched in its canonical orientation, so that turned and mirrored questions get turned and
/// mirrored answers.
pub struct OthelloSearch {
    query: Query,
    rules: Rules,
    techniques: Techniques,
    table: Arc<Table>,
    budget: NodeBudget,
    groups: Vec<Group>,
    empties: u8,
    plan: Plan,
    state: Mutex<State>,
    /// The threads that work on the search, as far as they share nodes or wait.
    crew: Crew,
}

/// Everything that changes while the search runs.
#[derive(Debug)]
struct State {
    /// The iteration in progress; `None` when all are done.
    iteration: Option<Iteration>,
    /// Which stage of the plan the iteration is.
    stage: usize,
    /// What finished iterations have shown, and the iteration in progress where it is sound.
    standing: Standing,
    statistics: Statistics,
    /// Units that are out.
    units_out: usize,
    /// Why the search must end, from the moment this is known.
    stopping: Option<StopReason>,
    /// Why the search has ended: set when it is stopping (or all is done) and no unit is out any more.
    ended: Option<StopReason>,
}

impl OthelloSearch {
    /// A search that has not begun. It starts a new generation of the table, which it must have for itself until it is
    /// dropped.
    pub fn new(query: Query, table: Arc<Table>) -> Self {
        table.new_generation();
        let position = query.position;
        let rules = Rules { size: position.size(), empties: query.empties_rule };
        let groups = groups::groups(position, query.root_moves);
        let empties = position.empty().count_ones() as u8;
        let moves: usize = groups.iter().map(Group::len).sum();
        let plan = if groups.is_empty() {
            Plan { stages: Vec::new(), reason: StopReason::NoMove }
        } else {
            plan::plan(&query, empties, moves as u32)
        };
        let standing = Standing::new(&groups, rules, empties);
        let mut state = State {
            iteration: None,
            stage: 0,
            standing,
            statistics: Statistics::default(),
            units_out: 0,
            stopping: None,
            ended: None,
        };
        state.start_stage(&plan, &query, &groups, rules);
        if state.iteration.is_none() {
            state.ended = Some(plan.reason);
        }
        Self {
            budget: NodeBudget::new(query.nodes),
            query,
            rules,
            techniques: Techniques::USED,
            table,
            groups,
            empties,
            plan,
            state: Mutex::new(state),
            crew: Crew::default(),
        }
    }

    /// How many nodes below the root moves threads have shared so far; none while one thread works alone.
    pub fn shared_nodes(&self) -> u64 {
        self.crew.opened()
    }

    /// How long threads have waited for one another in this search, all added up, on the clock of their controls.
    pub fn idle(&self) -> Duration {
        self.crew.waited()
    }

    /// The same search with other techniques, for measuring what each is worth.
    #[must_use]
    pub fn with_techniques(mut self, techniques: Techniques) -> Self {
        self.techniques = techniques;
        self
    }

    /// The state. A thread that panicked elsewhere never leaves it half changed: nothing in the state's own
    /// methods is left out by an early return.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next thing for a thread to do.
    fn next_step(&self, control: &Control<'_>) -> Step<'_> {
        let interrupt = control.interrupt();
        let seen = self.crew.version();
        let mut state = self.lock();
        if let Some(Interrupt::Stop(reason)) = interrupt {
            state.stopping = state.stopping.or(Some(reason));
        }
        state.end_when_idle();
        if state.ended.is_some() {
            drop(state);
            self.crew.announce();
            return Step::Leave(Leave::Done);
        }
        if interrupt == Some(Interrupt::Recall) {
            return Step::Leave(Leave::Recalled);
        }
        if state.stopping.is_none()
            && let Some(Next::Search(unit)) = state.iteration.as_mut().map(Iteration::next)
        {
            state.units_out += 1;
            return Step::Work(Lease { search: self, unit, outcome: None });
        }
        drop(state);
        if let Some(lease) = self.crew.lease(None) {
            return Step::Help(lease);
        }
        // Nothing to do until a unit comes back or a node is shared.
        self.crew.wait(seen, NAP, control.clock);
        Step::Again
    }

    /// Takes a unit back, finished or not. Returns whether the answer has become better.
    fn take_in(&self, unit: Unit, outcome: Option<Outcome>) -> bool {
        let mut state = self.lock();
        state.units_out -= 1;
        let improved = state.take_in(self, unit, outcome);
        state.end_when_idle();
        drop(state);
        self.crew.announce();
        improved
    }
}

/// What a thread does next.
enum Step<'s> {
    Work(Lease<'s>),
    Help(sharing::Lease<'s>),
    Again,
    Leave(Leave),
}

/// A unit that is out. It goes back to the search when it is dropped, also when the thread that holds it panics.
struct Lease<'s> {
    search: &'s OthelloSearch,
    unit: Unit,
    outcome: Option<Outcome>,
}

impl Lease<'_> {
    /// Searches the unit and takes it in. Returns whether the answer has become better.
    fn work(mut self, control: &Control<'_>, memory: &mut Memory) -> bool {
        let outcome = self.search.search_unit(self.unit, control, memory);
        self.outcome = Some(outcome);
        let improved = self.search.take_in(self.unit, self.outcome.take());
        std::mem::forget(self);
        improved
    }
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        self.search.take_in(self.unit, self.outcome.take());
    }
}

impl Search for OthelloSearch {
    type Snapshot = Snapshot;

    fn width(&self) -> usize {
        // Estimates are shared by root moves alone, proofs of large positions down to their nodes.
        let is_proof = |stage: &Stage| !matches!(stage, Stage::Depth(_));
        let shares_nodes =
            u32::from(self.empties) > sharing::FEWEST_EMPTIES && self.plan.stages.iter().any(is_proof);
        let most = if shares_nodes { usize::MAX } else { self.groups.len() };
        self.query.threads.min(most).max(1)
    }

    fn work(&self, control: &Control<'_>) -> Leave {
        let mut memory = Memory::default();
        loop {
            match self.next_step(control) {
                Step::Leave(leave) => return leave,
                Step::Again => {}
                Step::Help(lease) => self.help(lease, control, &mut memory),
                Step::Work(lease) => {
                    if lease.work(control, &mut memory) {
                        (control.on_progress)();
                    }
                }
            }
        }
    }

    fn snapshot(&self) -> Snapshot {
        let table_fill_permille = self.table.fill_permille();
        let state = self.lock();
        Snapshot {
            moves: state.standing.moves(&self.groups, self.rules.size, self.query.goal),
            depth: state.standing.depth(),
            selectivity: state.standing.selectivity(),
            complete: state.iteration.is_none(),
            statistics: state.statistics,
            table_fill_permille,
            stop_reason: state.ended,
        }
    }

    fn nodes(&self) -> u64 {
        self.lock().statistics.nodes
    }
}

impl State {
    /// Begins the stage that `self.stage` names, if the plan has one.
    fn start_stage(&mut self, plan: &Plan, query: &Query, groups: &[Group], rules: Rules) {
        self.iteration = plan.stages.get(self.stage).map(|&stage| {
            let wanted = match (query.goal, stage) {
                (Goal::AllMoves, _) => Wanted::All,
                (Goal::WinLossDraw, Stage::Sign) => Wanted::Sign,
                (Goal::BestMove | Goal::WinLossDraw, _) => Wanted::Best(1),
                (Goal::TopN(count), _) => Wanted::Best(usize::from(count.max(1))),
            };
            let moves = groups
                .iter()
                .enumerate()
                .map(|(index, group)| (group.len(), self.standing.expected(index, stage)));
            let order = self.standing.ranking().to_vec();
            Iteration::new(stage, wanted, stage.limit(rules.size.cells().count_ones()), order, moves)
        });
    }

    /// Takes in a unit's outcome, and goes on to the next stage when it was the last of its iteration.
    fn take_in(&mut self, search: &OthelloSearch, unit: Unit, outcome: Option<Outcome>) -> bool {
        let iteration =
            self.iteration.as_mut().expect("an iteration does not end while one of its units is out");
        let Some(Outcome { value, line, statistics }) = outcome else {
            iteration.give_back(unit);
            return false;
        };
        self.statistics += statistics;
        self.standing.spend(unit.index, statistics.nodes);
        let Some(value) = value else {
            iteration.give_back(unit);
            return false;
        };
        iteration.record(unit, value);
        self.standing.keep_line(unit.index, line);
        if !iteration.is_finished() {
            return self.standing.adopt(iteration, &search.query, search.empties);
        }
        self.standing.settle(iteration, &search.query, search.empties);
        self.stage += 1;
        self.start_stage(&search.plan, &search.query, &search.groups, search.rules);
        if self.iteration.is_none() {
            // Everything asked is there, even if somebody wanted to stop at this very moment.
            self.stopping = Some(search.plan.reason);
        }
        true
    }

    /// Ends the search if it must end and no unit is out.
    fn end_when_idle(&mut self) {
        if self.units_out == 0 && self.ended.is_none() {
            self.ended = self.stopping;
        }
    }
}
