//! The swap2 opening: one player lays three stones (black, white, black); the other takes a colour, or adds a white and a
//! black stone and lets the first take one.
//!
//! Whoever chooses a colour gets the better one, so an opening is worth to the one who lays it what the worse colour is
//! worth: stones are laid so that both are worth the same.

use std::sync::{Arc, Mutex, PoisonError};

use searchkit::control::{Control, Interrupt};
use searchkit::search::{Leave, Search};
use searchkit::stop::{StopFlag, StopReason};

use crate::board::Board;
use crate::evaluation::win_probability;
use crate::plane::Neighborhood;
use crate::point::{Point, Size};
use crate::position::{Position, Status};
use crate::query::{Goal, Query, Snapshot, Value};
use crate::search::GomokuSearch;
use crate::search::table::Table;
use crate::search::techniques::Techniques;

/// Depth of the first look at all balancing stones, in plies.
const LOOK_DEPTH: u8 = 2;

/// White stones that are tried before a black one, most urgent first.
const WHITE_TRIED: usize = 5;

/// Openings that are looked at more closely, most even first.
const CLOSER: usize = 3;

/// The first two stones of an opening of three, from the centre of a 15x15 board; smaller boards move them inwards.
const FIRST_TWO: [(i8, i8); 2] = [(4, -2), (5, -2)];

/// What is asked: the player to decide faces no stones, three or five.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Swap2Query {
    /// The stones so far.
    pub position: Position,
    /// Most nodes, at least 1. Half of them go to the value of the colours.
    pub nodes: u64,
}

/// Stones to lay, and the value of the position after them for white, who is to move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Laid {
    /// The stones in order.
    pub stones: Vec<Point>,
    /// The value for white.
    pub white: Value,
}

/// What is known so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Swap2Snapshot {
    /// The value of the position for white, who is to move; with three or five stones.
    pub white: Option<Value>,
    /// The most even stones to lay: three on the empty board, two after three.
    pub laid: Option<Laid>,
    /// Moves made on the board while searching.
    pub nodes: u64,
    /// Why the search ended; `None` while it runs.
    pub stop_reason: Option<StopReason>,
}

/// The chance of winning that a value stands for.
pub fn chance(value: Value) -> f64 {
    match value {
        Value::WinIn { .. } => 1.0,
        Value::LossIn { .. } => 0.0,
        Value::Estimate { units } => win_probability(i32::from(units)),
    }
}

/// What an opening is worth to the one who lays it, because the other takes the better colour: at most 0.5.
pub fn worth_to_layer(white: Value) -> f64 {
    chance(white).min(1.0 - chance(white))
}

/// A search for the answer to one [`Swap2Query`], by one thread.
pub struct Swap2Search {
    query: Swap2Query,
    table: Arc<Table>,
    published: Mutex<Swap2Snapshot>,
}

/// The search must end or pause.
struct Interrupted;

impl Swap2Search {
    /// A search that has not begun. On the empty board three stones are in its snapshot from now on.
    pub fn new(query: Swap2Query, table: Arc<Table>) -> Self {
        let laid = (query.position.stones() == 0).then(|| Laid {
            stones: usual_three(query.position.size()).to_vec(),
            white: Value::Estimate { units: 0 },
        });
        let published = Swap2Snapshot { white: None, laid, nodes: 0, stop_reason: None };
        Self { query, table, published: Mutex::new(published) }
    }

    fn change(&self, change: impl FnOnce(&mut Swap2Snapshot)) {
        change(&mut self.published.lock().unwrap_or_else(PoisonError::into_inner));
    }

    fn answer(&self, control: &Control<'_>) -> Result<(), Interrupted> {
        let position = &self.query.position;
        let stones = position.stones();
        if stones > 0 {
            let value = self.value(position, self.query.nodes / 2, control)?;
            self.change(|snapshot| snapshot.white = value);
        }
        let even = match stones {
            0 => self.even_three(control)?,
            3 => self.even_two(control)?,
            _ => return Ok(()),
        };
        let mut best: Option<Laid> = None;
        for (stones, _) in even.iter().take(CLOSER) {
            let Some(after) = laid(position, stones) else { continue };
            let value = self.value(&after, self.query.nodes / 2 / CLOSER as u64, control)?;
            let Some(white) = value else { continue };
            let found = Laid { stones: stones.clone(), white };
            if best.as_ref().is_none_or(|best| worth_to_layer(white) > worth_to_layer(best.white)) {
                self.change(|snapshot| snapshot.laid = Some(found.clone()));
                best = Some(found);
            }
        }
        Ok(())
    }

    /// The value of a position for the side to move.
    fn value(
        &self,
        position: &Position,
        nodes: u64,
        control: &Control<'_>,
    ) -> Result<Option<Value>, Interrupted> {
        let snapshot = self.search(position, Goal::BestMove, None, (None, nodes.max(1)), control)?;
        Ok(snapshot.moves.first().and_then(|best| best.score).map(|score| score.value))
    }

    /// Third stones beside two usual ones, most even first.
    fn even_three(&self, control: &Control<'_>) -> Result<Vec<(Vec<Point>, f64)>, Interrupted> {
        let empty = &self.query.position;
        let [first, second, _] = usual_three(empty.size());
        let Some(two) = laid(empty, &[first, second]) else { return Ok(Vec::new()) };
        let mut found = self.even_last(&two, &[first, second], Some(two.legal_moves()), control)?;
        sort(&mut found);
        Ok(found)
    }

    /// Pairs of a white and a black stone, most even first.
    fn even_two(&self, control: &Control<'_>) -> Result<Vec<(Vec<Point>, f64)>, Interrupted> {
        let position = &self.query.position;
        let board = Board::new(position, Neighborhood::Square(2));
        let mut white = board.candidates();
        white.sort_by_key(|&point| std::cmp::Reverse(board.urgency(point)));
        let mut found = Vec::new();
        for point in white.into_iter().take(WHITE_TRIED) {
            let Some(after) = laid(position, &[point]) else { continue };
            found.extend(self.even_last(&after, &[point], None, control)?);
        }
        sort(&mut found);
        Ok(found)
    }

    /// Every last black stone with how far black's chance is from even after it.
    fn even_last(
        &self,
        position: &Position,
        before: &[Point],
        points: Option<Vec<Point>>,
        control: &Control<'_>,
    ) -> Result<Vec<(Vec<Point>, f64)>, Interrupted> {
        let limits = (Some(LOOK_DEPTH), self.query.nodes.max(1));
        let snapshot = self.search(position, Goal::AllMoves, points, limits, control)?;
        let even = snapshot.moves.iter().filter_map(|root| {
            let off = (chance(root.score?.value) - 0.5).abs();
            Some((before.iter().copied().chain([root.point]).collect(), off))
        });
        Ok(even.collect())
    }

    fn search(
        &self,
        position: &Position,
        goal: Goal,
        root_moves: Option<Vec<Point>>,
        (depth, nodes): (Option<u8>, u64),
        control: &Control<'_>,
    ) -> Result<Snapshot, Interrupted> {
        self.table.new_generation();
        let query = Query {
            position: position.clone(),
            goal,
            root_moves,
            depth,
            nodes: Some(nodes),
            techniques: Techniques::ALL,
            threads: 1,
        };
        let search = GomokuSearch::new(&query, Arc::clone(&self.table));
        // The node limit of a part ends that part alone, so it raises a flag of its own.
        let part = StopFlag::new();
        let inner = Control {
            stop: &part,
            recall: control.recall,
            clock: control.clock,
            deadline: control.deadline,
            on_progress: &|| {},
        };
        search.work(&inner);
        let snapshot = search.snapshot();
        self.change(|whole| whole.nodes += snapshot.statistics.nodes);
        if control.interrupt().is_some() { Err(Interrupted) } else { Ok(snapshot) }
    }
}

/// Most even first; equal ones by their points, so that the order is the same everywhere.
fn sort(found: &mut [(Vec<Point>, f64)]) {
    found.sort_by(|a, b| a.1.total_cmp(&b.1).then_with(|| a.0.cmp(&b.0)));
}

/// The position after these stones, colours in turn; `None` when the game is over after them.
fn laid(position: &Position, stones: &[Point]) -> Option<Position> {
    let mut after = position.clone();
    for &stone in stones {
        after = after.play(stone).ok()?;
    }
    (after.status() == Status::InProgress).then_some(after)
}

/// The first two stones of an opening and a third beside them, on any board.
fn usual_three(size: Size) -> [Point; 3] {
    let side = i16::from(size.get());
    let place = |offset: i8| (side / 2 + i16::from(offset) * side / 15).clamp(0, side - 1) as u8;
    let [(ax, ay), (bx, by)] = FIRST_TWO;
    let (x, y) = (place(ax), place(ay));
    // On small boards two offsets may fall together.
    let next = place(bx).max(x + 1).min(size.get() - 1);
    let points = [(x, y), (next, place(by)), (next, y - 1)];
    points.map(|(x, y)| Point::new(x, y).expect("the offsets stay on the smallest board"))
}

impl Search for Swap2Search {
    type Snapshot = Swap2Snapshot;

    fn width(&self) -> usize {
        1
    }

    /// A thread that is recalled leaves nothing behind: the search begins anew with the next one.
    fn work(&self, control: &Control<'_>) -> Leave {
        if self.snapshot().stop_reason.is_some() {
            return Leave::Done;
        }
        let whole = self.answer(control).is_ok();
        let reason = match control.interrupt() {
            Some(Interrupt::Recall) if !whole => return Leave::Recalled,
            Some(Interrupt::Stop(reason)) if !whole => reason,
            _ => StopReason::Nodes,
        };
        self.change(|snapshot| snapshot.stop_reason = Some(reason));
        (control.on_progress)();
        Leave::Done
    }

    fn snapshot(&self) -> Swap2Snapshot {
        self.published.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use searchkit::clock::StoppedClock;

    use super::*;
    use crate::color::Color;
    use crate::rules::Rule;

    fn answer(position: Position) -> Swap2Snapshot {
        let query = Swap2Query { position, nodes: 6_000 };
        let search = Swap2Search::new(query, Arc::new(Table::new(1 << 20)));
        let (stop, recall) = (StopFlag::new(), AtomicBool::new(false));
        let control = Control {
            stop: &stop,
            recall: &recall,
            clock: &StoppedClock,
            deadline: None,
            on_progress: &|| {},
        };
        assert_eq!(search.work(&control), Leave::Done);
        search.snapshot()
    }

    #[test]
    fn three_stones_of_any_board_lie_apart_and_are_about_even() {
        for side in [5, 6, 9, 15, 20] {
            let size = Size::new(side).unwrap();
            let three = usual_three(size);
            assert!(laid(&Position::empty(size, Rule::Renju), &three).is_some(), "{side}");
        }
        let snapshot = answer(Position::empty(Size::DEFAULT, Rule::Freestyle));
        let opening = snapshot.laid.unwrap();
        assert_eq!((opening.stones.len(), snapshot.white), (3, None));
        assert!(worth_to_layer(opening.white) > 0.35, "{:?}", opening.white);
    }

    #[test]
    fn after_three_stones_the_colours_and_two_more_stones_are_valued() {
        let points = [(7, 7), (8, 7), (7, 8)].map(|(x, y)| Point::new(x, y).unwrap());
        let position = Position::from_moves(Size::DEFAULT, Rule::Freestyle, &points).unwrap();
        let snapshot = answer(position.clone());
        assert!(snapshot.white.is_some() && snapshot.nodes > 1_000);
        let more = snapshot.laid.unwrap();
        let after = laid(&position, &more.stones).unwrap();
        assert_eq!((after.stones(), after.side()), (5, Color::White));
        assert!(worth_to_layer(more.white) <= 0.5);
    }
}
