//! One iteration as a pure state machine: which root move to search next in which window, and what is known so far.
//!
//! Nothing here knows threads or positions. Every root move has bounds; a unit of work is one search of one move in one
//! window, and its result narrows them. Who asks next gets whatever still has to be shown for the goal. With one thread
//! this is plain principal variation search at the root; with several, the same questions are asked side by side.

use super::plan::Stage;

/// What an iteration has to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// The exact value of every move.
    All,
    /// The exact values of the best so many moves, and that no other is better.
    Best(usize),
    /// Only the value of the best move; every bound that shows it will do.
    Sign,
}

/// One search to be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unit {
    /// What kind of search.
    pub(super) stage: Stage,
    /// The index of the root move.
    pub(super) index: usize,
    /// Window for the side to move at the root, in the stage's unit: lower and upper end.
    pub(super) window: (i32, i32),
}

/// What an iteration can tell a thread that asks for work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// Search this.
    Search(Unit),
    /// Everything that could be of use is being searched by others.
    Wait,
    /// All is shown.
    Finished,
}

/// What is known of one root move in this iteration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Known {
    /// The value is at least this, in the stage's unit.
    pub(super) lower: i32,
    /// The value is at most this.
    pub(super) upper: i32,
    /// The window of this move's unit that is out, if any.
    out: Option<(i32, i32)>,
    /// Windows with both ends open that were tried.
    tries: u32,
    /// What the value was before, in this stage's unit: the middle of the first such window.
    expected: Option<i32>,
    /// How many moves this one stands for.
    weight: usize,
    /// The greatest value of the stage.
    limit: i32,
}

impl Known {
    /// The value, when the bounds leave only one.
    pub(super) fn exact(&self) -> Option<i32> {
        (self.lower == self.upper).then_some(self.lower)
    }

    /// Whether the lower bound says anything.
    pub(super) fn has_lower(&self) -> bool {
        self.lower > -self.limit
    }

    /// Whether the upper bound says anything.
    pub(super) fn has_upper(&self) -> bool {
        self.upper < self.limit
    }
}

/// One iteration over the root moves.
#[derive(Debug, Clone)]
pub(super) struct Iteration {
    stage: Stage,
    wanted: Wanted,
    /// The moves in the order in which they are to be searched.
    order: Vec<usize>,
    moves: Vec<Known>,
    /// The value that will probably be the one to beat, known before it is shown.
    guess: Option<i32>,
}

/// First half-width of the window around an expected value; it grows fourfold with every failure.
fn half_width(stage: Stage) -> i32 {
    match stage {
        Stage::Depth(_) => 250,
        Stage::End(_) => 3,
        Stage::Sign => 1,
    }
}

impl Iteration {
    /// An iteration before its first unit. `moves` gives each root move's weight (how many moves it stands for) and
    /// expected value; values lie within `-limit..=limit`; `order` names every index once.
    pub(super) fn new(
        stage: Stage,
        wanted: Wanted,
        limit: i32,
        order: Vec<usize>,
        moves: impl Iterator<Item = (usize, Option<i32>)>,
    ) -> Self {
        let moves: Vec<Known> = moves
            .map(|(weight, expected)| Known {
                lower: -limit,
                upper: limit,
                out: None,
                tries: 0,
                expected,
                weight,
                limit,
            })
            .collect();
        let mut iteration = Self { stage, wanted, order, moves, guess: None };
        if let Wanted::Best(count) = wanted {
            iteration.guess = iteration.nth_largest(count, |known| known.expected);
        }
        iteration
    }

    /// The kind of search.
    pub(super) fn stage(&self) -> Stage {
        self.stage
    }

    /// What is known of a root move.
    pub(super) fn known(&self, index: usize) -> &Known {
        &self.moves[index]
    }

    /// The unit to search next; it counts as out until it is recorded or given back.
    pub(super) fn next(&mut self) -> Next {
        let next = self.choose();
        if let Next::Search(unit) = next {
            self.moves[unit.index].out = Some(unit.window);
        }
        next
    }

    /// Whether all is shown and no unit is out.
    pub(super) fn is_finished(&self) -> bool {
        self.choose() == Next::Finished
    }

    fn choose(&self) -> Next {
        let mut finished = true;
        for &index in &self.order {
            if self.moves[index].out.is_some() {
                finished = false;
                continue;
            }
            match self.window(index) {
                Need::Nothing => {}
                Need::Later => finished = false,
                Need::Search(window) => return Next::Search(Unit { stage: self.stage, index, window }),
            }
        }
        if finished { Next::Finished } else { Next::Wait }
    }

    /// Takes a unit back that was not finished.
    pub(super) fn give_back(&mut self, unit: Unit) {
        self.moves[unit.index].out = None;
    }

    /// Narrows a move's bounds by the fail-soft value of its unit.
    pub(super) fn record(&mut self, unit: Unit, value: i32) {
        let known = &mut self.moves[unit.index];
        known.out = None;
        if is_open(unit.window) {
            known.tries += 1;
        }
        // Searches that prune on estimates may contradict an earlier one: then the newer one counts.
        if value > unit.window.0 {
            known.lower = known.lower.max(value);
            known.upper = known.upper.max(known.lower);
        }
        if value < unit.window.1 {
            known.upper = value;
            known.lower = known.lower.min(value);
        }
    }

    /// What a move still has to be asked.
    fn window(&self, index: usize) -> Need {
        let known = &self.moves[index];
        if known.exact().is_some() {
            return Need::Nothing;
        }
        match self.wanted {
            Wanted::All => Need::Search(open_window(self.stage, known)),
            Wanted::Sign => {
                let best = self.moves.iter().map(|known| known.lower).max().unwrap_or(known.lower);
                if known.upper <= best {
                    Need::Nothing
                } else {
                    Need::Search((best.max(known.lower), known.upper))
                }
            }
            Wanted::Best(count) => self.window_against_best(index, count),
        }
    }

    fn window_against_best(&self, index: usize, count: usize) -> Need {
        let known = &self.moves[index];
        let others =
            || (0..self.moves.len()).filter(move |&other| other != index).map(|other| &self.moves[other]);
        let valued: usize = others().filter(|other| other.exact().is_some()).map(|other| other.weight).sum();
        if valued >= count {
            let to_beat = nth_largest(others().map(|other| (other.lower, other.weight)), count)
                .expect("so many other moves have a value");
            return if known.upper <= to_beat {
                Need::Nothing
            } else if known.lower > to_beat {
                Need::Search(open_window(self.stage, known))
            } else {
                Need::Search((to_beat, to_beat + 1))
            };
        }
        let pending: usize = others()
            .filter(|other| other.exact().is_some() || other.out.is_some_and(is_open))
            .map(|other| other.weight)
            .sum();
        if pending < count {
            return Need::Search(open_window(self.stage, known));
        }
        // The values to beat are being searched by others. Ask meanwhile whether this move beats the expected one.
        match self.guess {
            Some(guess) if known.lower <= guess && guess < known.upper => Need::Search((guess, guess + 1)),
            _ => Need::Later,
        }
    }

    fn nth_largest(&self, count: usize, value: impl Fn(&Known) -> Option<i32>) -> Option<i32> {
        nth_largest(self.moves.iter().filter_map(|known| Some((value(known)?, known.weight))), count)
    }
}

enum Need {
    /// Nothing that would help the goal.
    Nothing,
    /// Perhaps something, when others have finished.
    Later,
    /// A search of this window.
    Search((i32, i32)),
}

/// Whether a search of this window can show an exact value.
fn is_open(window: (i32, i32)) -> bool {
    window.1 - window.0 > 1
}

/// A window that can show the exact value: around the expected one, wider with every try.
fn open_window(stage: Stage, known: &Known) -> (i32, i32) {
    let Some(expected) = known.expected else { return (known.lower - 1, known.upper + 1) };
    let middle = expected.clamp(known.lower, known.upper);
    let half = half_width(stage).saturating_mul(4_i32.saturating_pow(known.tries));
    let low = middle.saturating_sub(half).max(known.lower - 1);
    let high = middle.saturating_add(half).min(known.upper + 1);
    (low, high)
}

/// The value at place `count` (from 1) when all are sorted downwards, each standing for its weight.
fn nth_largest(values: impl Iterator<Item = (i32, usize)>, count: usize) -> Option<i32> {
    let mut values: Vec<(i32, usize)> = values.collect();
    values.sort_by_key(|&(value, _)| std::cmp::Reverse(value));
    let mut place = 0;
    values
        .into_iter()
        .find(|&(_, weight)| {
            place += weight;
            place >= count
        })
        .map(|(value, _)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: i32 = 64;

    fn iteration(wanted: Wanted, expected: &[Option<i32>]) -> Iteration {
        let moves = expected.iter().map(|&expected| (1, expected));
        Iteration::new(
            Stage::End(crate::query::Selectivity::Full),
            wanted,
            LIMIT,
            (0..expected.len()).collect(),
            moves,
        )
    }

    /// What a fail-soft search that knows the value may return for a window.
    fn answer(unit: Unit, value: i32) -> i32 {
        // The loosest bound that is still true.
        if value <= unit.window.0 {
            unit.window.0
        } else if value >= unit.window.1 {
            unit.window.1
        } else {
            value
        }
    }

    /// Runs an iteration on so many make-believe threads: units end in a scrambled order.
    fn run(iteration: &mut Iteration, values: &[i32], threads: usize) -> usize {
        let mut out = Vec::new();
        let mut units = 0;
        loop {
            while out.len() < threads
                && let Next::Search(unit) = iteration.next()
            {
                units += 1;
                assert!(units < 1000, "the iteration must come to an end");
                out.push(unit);
            }
            if out.is_empty() {
                assert_eq!(iteration.next(), Next::Finished);
                return units;
            }
            let unit = out.remove(units * 7 % out.len());
            if units % 5 == 3 {
                iteration.give_back(unit);
                units += 1;
            } else {
                iteration.record(unit, answer(unit, values[unit.index]));
            }
        }
    }

    /// Lists of values to try, with ties, extremes and wrong expectations.
    fn cases() -> Vec<(Vec<i32>, Vec<Option<i32>>)> {
        let mut state = 7_u64;
        let mut random = move |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let mut cases = vec![(vec![-64], vec![None]), (vec![64, 64, -64], vec![Some(-64), None, Some(64)])];
        for _ in 0..300 {
            let count = 1 + random(9) as usize;
            let values: Vec<i32> = (0..count).map(|_| random(21) as i32 - 10).collect();
            let expected =
                values.iter().map(|value| (random(3) > 0).then(|| value + random(11) as i32 - 5)).collect();
            cases.push((values, expected));
        }
        cases
    }

    #[test]
    fn all_moves_get_their_exact_values() {
        for threads in [1, 2, 4] {
            for (values, expected) in cases() {
                let mut iteration = iteration(Wanted::All, &expected);
                run(&mut iteration, &values, threads);
                let found: Vec<_> = iteration.moves.iter().map(Known::exact).collect();
                assert_eq!(found, values.iter().map(|&value| Some(value)).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn the_best_moves_are_valued_and_the_rest_shown_to_be_no_better() {
        for (count, threads) in [(1, 1), (1, 2), (1, 4), (2, 1), (3, 4)] {
            for (values, expected) in cases() {
                let mut iteration = iteration(Wanted::Best(count), &expected);
                run(&mut iteration, &values, threads);
                let mut sorted = values.clone();
                sorted.sort_by_key(|value| std::cmp::Reverse(*value));
                let last = sorted[count.min(sorted.len()) - 1];
                let exact: Vec<i32> = iteration.moves.iter().filter_map(Known::exact).collect();
                for value in sorted.iter().take(count) {
                    let among = |list: &[i32]| list.iter().filter(|&other| other == value).count();
                    assert!(among(&exact) >= among(&sorted[..count.min(sorted.len())]));
                }
                for (known, value) in iteration.moves.iter().zip(values) {
                    assert!(known.lower <= value && value <= known.upper);
                    assert!(known.exact().is_some() || known.upper <= last);
                }
            }
        }
    }

    #[test]
    fn the_sign_of_the_best_move_is_shown() {
        for threads in [1, 2, 4] {
            for (values, _) in cases() {
                let signs: Vec<i32> = values.iter().map(|value| value.signum()).collect();
                let moves = signs.iter().map(|_| (1, None));
                let mut iteration =
                    Iteration::new(Stage::Sign, Wanted::Sign, 1, (0..signs.len()).collect(), moves);
                run(&mut iteration, &signs, threads);
                let best = iteration.moves.iter().map(|known| known.lower).max();
                assert_eq!(best, signs.iter().copied().max());
                assert!(iteration.moves.iter().all(|known| Some(known.upper) <= best));
            }
        }
    }

    #[test]
    fn one_thread_tests_every_later_move_against_the_best_so_far() {
        let mut iteration = iteration(Wanted::Best(1), &[Some(4), None, None]);
        let Next::Search(first) = iteration.next() else { panic!("there is work") };
        assert_eq!((first.index, first.window), (0, (1, 7)));
        iteration.record(first, 5);
        let Next::Search(second) = iteration.next() else { panic!("there is work") };
        assert_eq!((second.index, second.window), (1, (5, 6)));
        iteration.record(second, 3);
        let Next::Search(third) = iteration.next() else { panic!("there is work") };
        assert_eq!((third.index, third.window), (2, (5, 6)));
        iteration.record(third, 4);
        assert_eq!(iteration.next(), Next::Finished);
    }

    #[test]
    fn a_move_that_stands_for_four_fills_four_places() {
        let mut iteration = Iteration::new(
            Stage::Depth(3),
            Wanted::Best(4),
            6400,
            vec![0, 1],
            [(4, None), (1, None)].into_iter(),
        );
        let Next::Search(first) = iteration.next() else { panic!("there is work") };
        iteration.record(first, 100);
        let Next::Search(second) = iteration.next() else { panic!("there is work") };
        assert_eq!(second.window, (100, 101));
    }

    #[test]
    fn searches_that_contradict_each_other_still_come_to_an_end() {
        let mut iteration = iteration(Wanted::All, &[Some(0), None]);
        let mut units = 0;
        while let Next::Search(unit) = iteration.next() {
            units += 1;
            // High when asked low, low when asked high.
            let value = if units % 2 == 0 { unit.window.0 } else { unit.window.1 };
            iteration.record(unit, value.clamp(-LIMIT, LIMIT));
            assert!(units < 100);
        }
    }
}
