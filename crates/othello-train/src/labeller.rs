//! Labels from the engine's own searches, without the service's query around them: most labels take less than a
//! millisecond.

use std::sync::atomic::AtomicBool;

use anyhow::Context;
use othello::board::{Board, Size};
use othello::evaluation::Evaluator;
use othello::position::EmptiesRule;
use othello::query::Selectivity;
use othello::search::endgame;
use othello::search::heuristics::Heuristics;
use othello::search::midgame;
use othello::search::table::Table;
use othello::search::worker::{NodeBudget, Rules, Worker};
use searchkit::clock::StoppedClock;
use searchkit::control::Control;
use searchkit::stop::StopFlag;

/// Table of the labelling searches: small, so that it stays in the processor's cache.
const TABLE_BYTES: usize = 4 << 20;
/// Half of the first window of a search, hundredths of a disc.
const HALF_WINDOW: i32 = 800;
/// Beyond every value, hundredths of a disc.
const WHOLE_WINDOW: (i32, i32) = (-6401, 6401);

/// How positions are labelled.
#[derive(Debug, Clone, Copy)]
pub struct Labels {
    /// From so many empties down labels are exact.
    pub exact_from_empties: u32,
    /// Plies of the searches that label the others.
    pub plies: u8,
    /// Selectivity of those searches.
    pub selectivity: Selectivity,
}

impl Labels {
    /// Labels by searches of this selectivity in percent.
    ///
    /// # Errors
    /// When there is no such selectivity.
    pub fn new(exact_from_empties: u32, plies: u8, percent: u8) -> anyhow::Result<Self> {
        let selectivity = Selectivity::from_percent(percent).context("no such selectivity")?;
        Ok(Self { exact_from_empties, plies, selectivity })
    }
}

/// Hands a labeller with an empty table to `work`.
pub fn with_labeller<R>(labels: Labels, work: impl FnOnce(&mut Labeller) -> R) -> R {
    let table = Table::new(TABLE_BYTES);
    let (stop, recall, budget) = (StopFlag::new(), AtomicBool::new(false), NodeBudget::new(None));
    let control =
        Control { stop: &stop, recall: &recall, clock: &StoppedClock, deadline: None, on_progress: &|| () };
    let rules = Rules { size: Size::Eight, empties: EmptiesRule::Winner };
    work(&mut Labeller {
        labels,
        table: &table,
        worker: Worker::new(&table, rules, &control, &budget),
        heuristics: Heuristics::default(),
    })
}

/// Labels one position after another.
pub struct Labeller<'a> {
    labels: Labels,
    table: &'a Table,
    worker: Worker<'a>,
    heuristics: Heuristics,
}

impl Labeller<'_> {
    /// The value of a position for its side to move, hundredths of a disc.
    pub fn label(&mut self, board: Board) -> i16 {
        self.table.new_generation();
        let guess = Evaluator::new(board, Size::Eight).value(board);
        let (alpha, beta) = (guess - HALF_WINDOW, guess + HALF_WINDOW);
        let mut value = self.value(board, (alpha.max(WHOLE_WINDOW.0), beta.min(WHOLE_WINDOW.1)));
        if value <= alpha {
            value = self.value(board, (WHOLE_WINDOW.0, value + 1));
        } else if value >= beta {
            value = self.value(board, (value - 1, WHOLE_WINDOW.1));
        }
        value as i16
    }

    fn value(&mut self, board: Board, window: (i32, i32)) -> i32 {
        const DISC: i32 = 100;
        let empties = (!board.occupied()).count_ones();
        let value = if empties <= self.labels.exact_from_empties {
            let (alpha, beta) = (window.0.div_euclid(DISC), (window.1 + DISC - 1).div_euclid(DISC));
            endgame::solve(&mut self.worker, board, alpha, beta, Selectivity::Full).map(|discs| discs * DISC)
        } else {
            let Labels { plies, selectivity, .. } = self.labels;
            midgame::search(&mut self.worker, &mut self.heuristics, board, plies, window, selectivity)
                .map(|found| found.value)
        };
        value.expect("nobody interrupts a labelling search")
    }
}
