//! Choosing moves for games on the command line: matches, and the protocols that programs play over.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, value_parser};
use othello::evaluation::network::model::Model;
use othello::evaluation::network::stages::STAGES;
use othello::evaluation::network::{loaded, packed};
use othello::level;
use othello::position::{EmptiesRule, Position};
use othello::query::{Goal, Query, Selectivity, Snapshot};
use othello::search::root::OthelloSearch;
use othello::search::table::Table;
use othello::search::techniques::Techniques;
use othello::square::Move;
use searchkit::clock::{Clock, MonotonicClock};
use searchkit::crew;
use searchkit::game_clock::GameClock;
use searchkit::level::Level;
use searchkit::stop::StopFlag;

use super::exit::{Exit, Failure};

/// How strong a player is. The first limit reached ends a search.
#[derive(Debug, Clone, PartialEq)]
pub struct Strength {
    /// A level instead of depth, nodes and the rest; time still bounds it.
    pub level: Option<Level>,
    /// Which slips a level makes.
    pub seed: u64,
    /// Time a move.
    pub time: Option<Duration>,
    /// Nodes a move.
    pub nodes: Option<u64>,
    /// Depth in plies.
    pub depth: Option<u8>,
    /// From this many empties on the exact score is sought, whatever the depth.
    pub exact_from_empties: u8,
    /// Least confidence of estimates.
    pub selectivity: Selectivity,
    /// Threads.
    pub threads: NonZeroUsize,
    /// Techniques of the midgame search.
    pub techniques: Techniques,
}

/// Time a move when nothing else limits it.
const USUAL_TIME: Duration = Duration::from_millis(1_000);

impl Default for Strength {
    fn default() -> Self {
        Self {
            level: None,
            seed: 0,
            time: None,
            nodes: None,
            depth: None,
            exact_from_empties: 20,
            selectivity: Selectivity::P73,
            threads: NonZeroUsize::MIN,
            techniques: Techniques::USED,
        }
    }
}

impl Strength {
    /// Whether anything bounds a search.
    pub const fn is_limited(&self) -> bool {
        self.level.is_some() || self.time.is_some() || self.nodes.is_some() || self.depth.is_some()
    }

    /// The same, with this time a move where nothing limits one.
    #[must_use]
    pub fn or_time(mut self, time: Duration) -> Self {
        if !self.is_limited() {
            self.time = Some(time);
        }
        self
    }

    fn query(&self, position: Position, goal: Goal) -> Query {
        if let Some(level) = self.level {
            return level::strength(level).query(position, goal, EmptiesRule::Winner);
        }
        Query {
            position,
            goal,
            root_moves: None,
            depth: self.depth,
            nodes: self.nodes,
            exact_from_empties: self.exact_from_empties,
            selectivity: self.selectivity,
            empties_rule: EmptiesRule::Winner,
            threads: self.threads.get(),
        }
    }
}

/// The strength of a player that a protocol speaks to.
#[derive(Debug, Args)]
pub struct ThinkingArgs {
    /// Playing strength, 1 (for beginners) to 30, instead of depth and nodes.
    #[arg(long, value_name = "1-30", conflicts_with_all = ["depth", "nodes"], value_parser = parse_level)]
    level: Option<Level>,

    /// Which slips a level below 14 makes: the same number makes the same ones.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// Longest time a move, in ms; 1,000 when neither level, depth nor nodes are given. A clock that the protocol sets
    /// takes its place.
    #[arg(long, value_name = "MS", value_parser = value_parser!(u64).range(1..=3_600_000))]
    time_ms: Option<u64>,

    /// Depth in plies.
    #[arg(long, value_name = "PLIES", value_parser = value_parser!(u8).range(1..=60))]
    depth: Option<u8>,

    /// Most positions to visit for a move.
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Search threads.
    #[arg(long, value_name = "COUNT", default_value = "1")]
    threads: NonZeroUsize,

    /// Judge positions with another evaluation than the built-in one, to compare them in matches: `terms` for the eight
    /// hand-made terms, or a file of packed weights.
    #[arg(long, value_name = "terms|FILE")]
    evaluation: Option<PathBuf>,

    /// Size of the transposition table, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = value_parser!(u32).range(1..=1_048_576))]
    table_mib: u32,
}

impl ThinkingArgs {
    /// The strength that the flags mean.
    pub fn strength(&self) -> Strength {
        let strength = Strength {
            level: self.level,
            seed: self.seed,
            time: self.time_ms.map(Duration::from_millis),
            nodes: self.nodes,
            depth: self.depth,
            threads: self.threads,
            ..Strength::default()
        };
        strength.or_time(USUAL_TIME)
    }

    /// Somebody to think with these means. The evaluation asked for holds for the whole process.
    ///
    /// # Errors
    /// When its file cannot be read or holds no weights.
    pub fn thinker(&self) -> Result<Thinker, Failure> {
        if let Some(name) = &self.evaluation {
            let model = if name.as_os_str() == "terms" { untrained() } else { packed_model(name)? };
            loaded::install(model).expect("no position has been judged yet");
        }
        Ok(Thinker::new(self.table_mib as usize))
    }
}

/// A model without weights: the eight terms stand in for what is not there.
fn untrained() -> Model {
    Model::new(vec![None; STAGES])
}

fn packed_model(path: &Path) -> Result<Model, Failure> {
    let unreadable = |error| Failure::new(Exit::NoInput, format!("{}: {error}", path.display()));
    let bytes = std::fs::read(path).map_err(unreadable)?;
    packed::unpack(&bytes).map_err(|error| Failure::new(Exit::Data, format!("{}: {error}", path.display())))
}

/// Reads a level.
pub fn parse_level(text: &str) -> Result<Level, String> {
    let level = text.parse().ok().and_then(Level::new);
    level.ok_or_else(|| format!("a level is a number from 1 to {}", Level::COUNT))
}

/// What thinking has brought.
#[derive(Debug, Clone)]
pub struct Thought {
    /// What the search found.
    pub snapshot: Snapshot,
    /// The move to play; `None` when the game is over.
    pub choice: Option<Move>,
    /// How long it took.
    pub used: Duration,
}

/// A table and a clock to search with.
pub struct Thinker {
    table: Arc<Table>,
    clock: MonotonicClock,
}

impl Thinker {
    /// With a table of so many MiB.
    pub fn new(table_mib: usize) -> Self {
        Self { table: Arc::new(Table::new(table_mib << 20)), clock: MonotonicClock::new() }
    }

    /// Searches within the strength's limits, or within what a game clock allots where there is one: then the clock
    /// takes the place of the time a move, and depth and nodes still hold. `on_progress` hears of every improvement.
    pub fn think(
        &self,
        position: Position,
        goal: Goal,
        strength: &Strength,
        clock: Option<GameClock>,
        stop: &StopFlag,
        on_progress: &(dyn Fn(&Snapshot) + Sync),
    ) -> Thought {
        let begun = self.clock.now();
        let time = clock.map(GameClock::allot).or(strength.time);
        let query = strength.query(position, goal);
        let threads = query.threads;
        let search = OthelloSearch::new(query, Arc::clone(&self.table)).with_techniques(strength.techniques);
        let deadline = time.map(|time| begun + time);
        let snapshot = crew::run(&search, threads, &self.clock, deadline, stop, on_progress);
        let choice = match strength.level {
            Some(level) => level::strength(level).choose(position, &snapshot.moves, strength.seed),
            None => snapshot.best_move(),
        };
        Thought { snapshot, choice, used: self.clock.now().saturating_sub(begun) }
    }
}
