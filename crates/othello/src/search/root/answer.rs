//! What is told to the outside: the values of the last finished iteration, and when something newer may join them.
//!
//! An iteration that is cut short leaves its values out, with one exception. When only the best move is asked, a better
//! move found in the unfinished iteration becomes the answer if
//! - its value is exact at the new depth,
//! - the best move so far was searched to the same depth and is shown to be worse there, and
//! - no other move has a greater value from the last finished iteration,
//!
//! so that the answer never rests on a comparison of different depths in its favour. Both moves are then shown with
//! their new depth, every other with its old one; the depth of the whole answer stays that of the last finished
//! iteration.

use super::groups::Group;
use super::iteration::{Iteration, Known};
use super::plan::Stage;
use crate::board::Size;
use crate::evaluation::Evaluator;
use crate::query::{Bound, Goal, Query, RootMove, Score, Selectivity, Value};
use crate::search::worker::Rules;
use crate::square::Move;

/// Hundredths in one disc.
const DISC: i32 = 100;

/// What stands as of now. Root moves are named by the index of their group.
#[derive(Debug)]
pub(super) struct Standing {
    entries: Vec<Entry>,
    /// The moves best first.
    ranking: Vec<usize>,
    depth: u8,
    selectivity: Selectivity,
    /// A best move of the unfinished iteration, and the best move so far with its new score, when both count.
    adopted: Option<[(usize, Score); 2]>,
}

#[derive(Debug)]
struct Entry {
    score: Option<Score>,
    /// What the position after the move looks like: all that there is to tell before the first iteration is finished.
    look: Score,
    line: Vec<Move>,
    /// The line behind the newest value of the iteration in progress.
    new_line: Vec<Move>,
    nodes: u64,
}

impl Standing {
    /// Before any search: the moves as they look, in that order. `empties` are those of the root.
    pub(super) fn new(groups: &[Group], rules: Rules, empties: u8) -> Self {
        let entry = |group: &Group| Entry {
            score: None,
            look: look(group, rules, empties),
            line: Vec::new(),
            new_line: Vec::new(),
            nodes: 0,
        };
        let entries: Vec<Entry> = groups.iter().map(entry).collect();
        let mut ranking: Vec<usize> = (0..groups.len()).collect();
        ranking.sort_by_key(|&index| rank(Some(entries[index].look)));
        Self { entries, ranking, depth: 0, selectivity: Selectivity::Full, adopted: None }
    }

    /// Depth of the last finished iteration, plies.
    pub(super) fn depth(&self) -> u8 {
        self.depth
    }

    /// Selectivity of the last finished iteration.
    pub(super) fn selectivity(&self) -> Selectivity {
        self.selectivity
    }

    /// The moves best first, by the last finished iteration.
    pub(super) fn ranking(&self) -> &[usize] {
        &self.ranking
    }

    /// The value a move had so far, in the unit of a stage.
    pub(super) fn expected(&self, index: usize, stage: Stage) -> Option<i32> {
        let hundredths = self.entries[index].score.and_then(hundredths)?;
        match stage {
            Stage::Depth(_) => Some(hundredths),
            Stage::End(_) => Some((hundredths + DISC / 2).div_euclid(DISC)),
            Stage::Sign => None,
        }
    }

    /// Adds to the nodes spent on a move.
    pub(super) fn spend(&mut self, index: usize, nodes: u64) {
        self.entries[index].nodes += nodes;
    }

    /// Keeps the line behind a move's newest value.
    pub(super) fn keep_line(&mut self, index: usize, line: Vec<Move>) {
        self.entries[index].new_line = line;
    }

    /// Looks whether the unfinished iteration has a better move that counts already. Returns whether the answer has
    /// changed.
    pub(super) fn adopt(&mut self, iteration: &Iteration, query: &Query, empties: u8) -> bool {
        let before = self.adopted;
        if matches!(query.goal, Goal::BestMove | Goal::WinLossDraw) {
            self.adopted = self.better(iteration, query, empties).or(self.adopted);
        }
        self.adopted != before
    }

    fn better(&self, iteration: &Iteration, query: &Query, empties: u8) -> Option<[(usize, Score); 2]> {
        let stage = iteration.stage();
        let &old_best = self.ranking.first()?;
        let new_best = (0..self.entries.len())
            .filter(|&index| iteration.known(index).exact().is_some())
            .max_by_key(|&index| iteration.known(index).lower)?;
        let (new, old) = (iteration.known(new_best), iteration.known(old_best));
        if stage == Stage::Sign || old.upper >= new.lower {
            return None;
        }
        let new_score = score(stage, new, empties, query.selectivity)?;
        let old_score = score(stage, old, empties, query.selectivity)?;
        let others = (0..self.entries.len()).filter(|&index| index != new_best && index != old_best);
        let greatest = others.filter_map(|index| self.entries[index].score.and_then(hundredths)).max();
        let stays_first = greatest.is_none_or(|greatest| hundredths(new_score) >= Some(greatest));
        stays_first.then_some([(new_best, new_score), (old_best, old_score)])
    }

    /// Takes over everything that a finished iteration has shown.
    pub(super) fn settle(&mut self, iteration: &Iteration, query: &Query, empties: u8) {
        let stage = iteration.stage();
        let mut is_new = vec![false; self.entries.len()];
        for (index, entry) in self.entries.iter_mut().enumerate() {
            let line = std::mem::take(&mut entry.new_line);
            if let Some(score) = score(stage, iteration.known(index), empties, query.selectivity) {
                // A move that ends the game is worth what it is worth, however short a search came to it.
                let ends = matches!(entry.look.value, Value::Exact { .. }) && stage != Stage::Sign;
                entry.score = Some(if ends { entry.look } else { score });
                entry.line = line;
                is_new[index] = true;
            }
        }
        // A stable sort: moves that are equal in everything keep the order they were searched in.
        let entries = &self.entries;
        self.ranking.sort_by_key(|&index| (!is_new[index], rank(entries[index].score)));
        (self.depth, self.selectivity) = reach(stage, empties, query.selectivity);
        self.adopted = None;
    }

    /// The root moves best first, as the question sees them.
    pub(super) fn moves(&self, groups: &[Group], size: Size, goal: Goal) -> Vec<RootMove> {
        let mut moves: Vec<RootMove> = Vec::new();
        for (index, score, line) in self.shown() {
            let group = &groups[index];
            let (share, rest) = (
                self.entries[index].nodes / group.len() as u64,
                self.entries[index].nodes % group.len() as u64,
            );
            for (place, (mv, principal_variation)) in group.lines(line, size).enumerate() {
                let nodes = share + u64::from((place as u64) < rest);
                moves.push(RootMove { mv, score, principal_variation, nodes });
            }
        }
        if goal == Goal::AllMoves {
            moves.sort_by_key(|entry| {
                (rank(entry.score), if entry.score.is_some() { Some(entry.mv) } else { None })
            });
        } else if let Some((_, rest)) = moves.split_first_mut() {
            // A move that is only known to be worth at most so much may be worth less than any other.
            rest.sort_by_key(|entry| certainty(entry.score));
        }
        moves
    }

    /// Groups with the score and line to show, best first.
    fn shown(&self) -> Vec<(usize, Option<Score>, &[Move])> {
        let mut shown: Vec<(usize, Option<Score>, &[Move])> = self
            .ranking
            .iter()
            .map(|&index| {
                let entry = &self.entries[index];
                let score = if self.depth == 0 { Some(entry.look) } else { entry.score };
                (index, score, entry.line.as_slice())
            })
            .collect();
        if let Some(adopted) = self.adopted {
            for entry in &mut shown {
                if let Some((index, score)) = adopted.iter().find(|(index, _)| *index == entry.0) {
                    *entry = (*index, Some(*score), self.entries[*index].new_line.as_slice());
                }
            }
            shown.sort_by_key(|&(index, score, _)| (index != adopted[0].0, rank(score)));
        }
        shown
    }
}

/// What a move looks like without a search: the estimate of the position after it, or its worth where the game is over.
fn look(group: &Group, rules: Rules, empties: u8) -> Score {
    let (child, size) = (group.child, rules.size);
    if child.moves(size) == 0 && child.pass().moves(size) == 0 {
        let discs = -rules.final_score(child) as i8;
        let value = Value::Exact { discs };
        return Score { value, bound: Bound::Exact, depth: empties, selectivity: Selectivity::Full };
    }
    let centidiscs = -Evaluator::new(child, size).value(child) as i16;
    let depth = u8::from(!group.is_pass);
    Score {
        value: Value::Estimate { centidiscs },
        bound: Bound::Exact,
        depth,
        selectivity: Selectivity::Full,
    }
}

/// The score that a stage's knowledge of a move amounts to; `None` when it says nothing.
fn score(stage: Stage, known: &Known, empties: u8, selectivity: Selectivity) -> Option<Score> {
    let (value, bound) = match known.exact() {
        Some(value) => (value, Bound::Exact),
        None if known.has_upper() => (known.upper, Bound::Upper),
        None if known.has_lower() => (known.lower, Bound::Lower),
        None => return None,
    };
    let (depth, selectivity) = reach(stage, empties, selectivity);
    let value = match stage {
        Stage::Depth(_) => Value::Estimate { centidiscs: value as i16 },
        Stage::End(Selectivity::Full) => Value::Exact { discs: value as i8 },
        Stage::End(_) => Value::Estimate { centidiscs: (value * DISC) as i16 },
        Stage::Sign => Value::Sign { sign: value as i8 },
    };
    Some(Score { value, bound, depth, selectivity })
}

/// How far and how surely a stage looks.
fn reach(stage: Stage, empties: u8, selectivity: Selectivity) -> (u8, Selectivity) {
    match stage {
        Stage::Depth(plies) => (plies, selectivity),
        Stage::End(selectivity) => (empties, selectivity),
        Stage::Sign => (empties, Selectivity::Full),
    }
}

/// The value in hundredths of a disc; `None` when only its sign is known.
fn hundredths(score: Score) -> Option<i32> {
    match score.value {
        Value::Exact { discs } => Some(i32::from(discs) * DISC),
        Value::Estimate { centidiscs } => Some(i32::from(centidiscs)),
        Value::Sign { .. } => None,
    }
}

/// Sorts what is known to be worth something before what is only known not to be worth more; no score last.
fn certainty(score: Option<Score>) -> u8 {
    match score.map(|score| score.bound) {
        Some(Bound::Exact | Bound::Lower) => 0,
        Some(Bound::Upper) => 1,
        None => 2,
    }
}

/// Sorts scores best first: greater values, then lower bounds and exact values before upper bounds; no score last.
fn rank(score: Option<Score>) -> (bool, i32, u8) {
    let Some(score) = score else { return (true, 0, 0) };
    let value = match score.value {
        Value::Sign { sign } => i32::from(sign),
        Value::Exact { .. } | Value::Estimate { .. } => hundredths(score).unwrap_or_default(),
    };
    let bound = match score.bound {
        Bound::Lower => 0,
        Bound::Exact => 1,
        Bound::Upper => 2,
    };
    (false, -value, bound)
}
