//! A fixed amount of search whose node count names a version of the engine.
//!
//! The count depends on nothing but the code: one thread, fresh tables, no clock. Every CPU and every build counts the
//! same, so a change that alters it has changed the search, and one that was not meant to has gone wrong.

use std::sync::Arc;

use searchkit::clock::StoppedClock;
use searchkit::stop::StopFlag;

use crate::notation::obf;
use crate::position::{EmptiesRule, Position};
use crate::query::{Goal, Query, Selectivity, Snapshot};
use crate::search::root::OthelloSearch;
use crate::search::table::Table;

/// Table that the searches share, one after another, in bytes.
const TABLE_BYTES: usize = 1 << 24;

/// One search of the bench.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BenchSearch {
    /// Position in OBF: the board and the side to move.
    pub position: &'static str,
    /// Depth in plies; a depth that reaches the end of the game is a proof.
    pub depth: u8,
    /// Selectivity of estimates.
    pub selectivity: Selectivity,
    /// What is asked.
    pub goal: Goal,
    /// The answer, its node count among the statistics.
    pub answer: Snapshot,
}

/// Depth at which every position of the list is solved.
const TO_THE_END: u8 = 60;

/// Positions after 20 plies of tournament games (every 500th of WTHOR 2023), problems of the French Othello
/// Federation, a small board and a wipe-out.
const SEARCHES: [(&str, u8, Selectivity, Goal); 14] = [
    (
        "---------------------------OX------XO--------------------------- X",
        9,
        Selectivity::Full,
        Goal::AllMoves,
    ),
    (
        "------------XX---OOXXXO---OOOOOO--OXXX----XXXX----X-O----------- X",
        8,
        Selectivity::Full,
        Goal::BestMove,
    ),
    (
        "------------XX---OOXXXO---OOOOOO--OXXX----XXXX----X-O----------- X",
        13,
        Selectivity::P73,
        Goal::BestMove,
    ),
    (
        "--OOO-----O-X-----OXOX----OOOOOO-OOOOXO----OXX------------------ X",
        12,
        Selectivity::P73,
        Goal::BestMove,
    ),
    (
        "--OOO-----O-X-----OXOX----OOOOOO-OOOOXO----OXX------------------ X",
        9,
        Selectivity::P95,
        Goal::AllMoves,
    ),
    (
        "-------------------XXOX---OOOXOO-OOOXXO---OOXXXX----XX---------- X",
        7,
        Selectivity::Full,
        Goal::TopN(3),
    ),
    (
        "----------XXO---XXXOO---XOOOOO--XOOXXX--XOOO-------------------- X",
        12,
        Selectivity::P87,
        Goal::BestMove,
    ),
    (
        "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X",
        TO_THE_END,
        Selectivity::Full,
        Goal::AllMoves,
    ),
    (
        "-OOOOO----OXXO-XXXOXOXX-XXOXOXXOXXOOXOOOXXXXOO-OX-XOOO---XXXXX-- X",
        TO_THE_END,
        Selectivity::Full,
        Goal::BestMove,
    ),
    (
        "--XXXXX---OOOX---XOOXXXX-OOOOOOOOOOXXXOOOOOXXOOX--XXOO----XXXXX- X",
        TO_THE_END,
        Selectivity::Full,
        Goal::WinLossDraw,
    ),
    (
        "--OXXO--XOXXXX--XOOOOXXXXOOOXXXXX-OOOXXX--OOOOXX--XXOOO----XXOO- X",
        TO_THE_END,
        Selectivity::Full,
        Goal::BestMove,
    ),
    (
        "--XOXX--O-OOXXXX-OOOXXXX-XOXXXOXXXOXOOOXOXXOXOXX--OXOO----OOOO-- O",
        TO_THE_END,
        Selectivity::Full,
        Goal::AllMoves,
    ),
    ("--------------OX----XO-------------- X", 10, Selectivity::Full, Goal::AllMoves),
    (
        "XXXXXXX-XXXXXXX-XXXXXXX-XXXXXXX-XXXXXXX-XXXXXXX-XXXXXXXOXXXXXXXX X",
        TO_THE_END,
        Selectivity::Full,
        Goal::BestMove,
    ),
];

/// Runs the bench. The sum of all node counts is the signature.
pub fn run() -> Vec<BenchSearch> {
    let table = Arc::new(Table::new(TABLE_BYTES));
    SEARCHES
        .into_iter()
        .map(|(position, depth, selectivity, goal)| {
            let read = obf::read_line(position).expect("the positions of the bench are well formed");
            let answer = answer(read.position, depth, selectivity, goal, &table);
            BenchSearch { position, depth, selectivity, goal, answer }
        })
        .collect()
}

/// The node count that names this version of the engine.
pub fn signature(searches: &[BenchSearch]) -> u64 {
    searches.iter().map(|search| search.answer.statistics.nodes).sum()
}

fn answer(
    position: Position,
    depth: u8,
    selectivity: Selectivity,
    goal: Goal,
    table: &Arc<Table>,
) -> Snapshot {
    let query = Query {
        position,
        goal,
        root_moves: None,
        depth: Some(depth),
        nodes: None,
        exact_from_empties: 0,
        selectivity,
        empties_rule: EmptiesRule::Winner,
        threads: 1,
    };
    let search = OthelloSearch::new(query, Arc::clone(table));
    searchkit::crew::run(&search, 1, &StoppedClock, None, &StopFlag::new(), &|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bench_counts_the_same_nodes_every_time_and_answers_every_position() {
        let searches = run();
        assert_eq!(searches, run());
        for search in &searches {
            assert!(search.answer.complete && search.answer.best_move().is_some(), "{}", search.position);
        }
        assert!(signature(&searches) > 100_000);
    }
}
