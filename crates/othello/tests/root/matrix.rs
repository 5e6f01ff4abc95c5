//! The same exact value in every circumstance: size and warmth of the table, threads, orientation, colours, and each rule
//! for empty squares with itself.

use std::sync::Arc;

use othello::board::Size;
use othello::position::{EmptiesRule, Position};
use othello::query::{Goal, Value};
use othello::search::root::OthelloSearch;
use othello::search::table::Table;
use othello::symmetry::Symmetry;
use searchkit::clock::StoppedClock;
use searchkit::stop::StopFlag;

use crate::{Random, query};

/// Positions of random games: a few in debug builds, more in release ones.
const POSITIONS: u32 = if cfg!(debug_assertions) { 4 } else { 20 };
/// Bytes of tables: a single line, a few lines, half-way enough, more than enough.
const TABLES: [usize; 4] = [0, 1 << 10, 1 << 18, 1 << 24];

fn value(position: Position, rule: EmptiesRule, threads: usize, table: &Arc<Table>) -> Value {
    let mut asked = query(position, Goal::BestMove);
    (asked.empties_rule, asked.threads) = (rule, threads);
    let search = OthelloSearch::new(asked, Arc::clone(table));
    let found = searchkit::crew::run(&search, threads, &StoppedClock, None, &StopFlag::new(), &|_| ());
    crate::best_value(&found)
}

#[test]
fn a_proven_value_is_the_same_whatever_finds_it() {
    let mut random = Random(41);
    for round in 0..POSITIONS {
        let position = random.played(Size::Eight, 13 + round % 4);
        for rule in [EmptiesRule::Winner, EmptiesRule::Nobody] {
            let expected = value(position, rule, 1, &Arc::new(Table::new(1 << 23)));
            for bytes in TABLES {
                let table = Arc::new(Table::new(bytes));
                for threads in [1, 2, 2, 1] {
                    let found = value(position, rule, threads, &table);
                    assert_eq!(found, expected, "{position:?} {rule:?}, {threads} threads, {bytes} bytes");
                }
            }
            let turned = Symmetry::ALL[1 + round as usize % 7];
            let image = Position::new(
                position.size(),
                turned.set(position.discs(othello::position::Color::White), position.size()),
                turned.set(position.discs(othello::position::Color::Black), position.size()),
                position.side().other(),
            )
            .expect("an image of a position, in the other colours, is a position");
            assert_eq!(
                value(image, rule, 2, &Arc::new(Table::new(1 << 20))),
                expected,
                "{position:?} {turned:?}"
            );
        }
    }
}
