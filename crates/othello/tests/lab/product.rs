//! The product engine against the lab, which shares no search code with it.

use std::sync::Arc;

use othello::board::Size;
use othello::lab::Technique;
use othello::lab::{EndScore, Leaf, Ordering};
use othello::position::{EmptiesRule, Position, Status};
use othello::query::{Goal, Query, Selectivity, Snapshot, Value};
use othello::search::root::OthelloSearch;
use othello::search::table::Table;
use othello::square::{Move, Squares};
use searchkit::clock::StoppedClock;
use searchkit::stop::StopFlag;

use crate::run;

const TABLE_BYTES: usize = 1 << 22;

/// The lab's own way to the end of the game: everything that saves work and changes no value.
const TO_THE_END: Technique = Technique {
    leaf: Leaf::DiscDifference,
    end_score: EndScore::Discs,
    ordering: Ordering::Mobility,
    killers: true,
    table: true,
    stability: true,
    ..Technique::PLAIN
};

/// Positions in which so many squares are empty and the side to move has a choice, by pseudo-random play.
fn positions(size: Size, empties: u32, count: usize) -> Vec<Position> {
    let mut state = 0x0DDB_1A5E_5BAD_5EED_u64;
    let mut found = Vec::new();
    while found.len() < count {
        let mut position = Position::start(size);
        while position.empty().count_ones() > empties && position.status() != Status::Finished {
            let moves: Vec<Move> = if position.status() == Status::MustPass {
                vec![Move::Pass]
            } else {
                Squares(position.moves()).map(Move::Place).collect()
            };
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            position = position.play(moves[(state >> 33) as usize % moves.len()]).unwrap();
        }
        if position.moves().count_ones() > 1 && position.empty().count_ones() == empties {
            found.push(position);
        }
    }
    found
}

fn analyse(position: Position, goal: Goal, empties_rule: EmptiesRule) -> Snapshot {
    let query = Query {
        position,
        goal,
        root_moves: None,
        depth: None,
        nodes: None,
        exact_from_empties: 24,
        selectivity: Selectivity::P73,
        empties_rule,
        threads: 1,
    };
    let search = OthelloSearch::new(query, Arc::new(Table::new(TABLE_BYTES)));
    searchkit::crew::run(&search, 1, &StoppedClock, None, &StopFlag::new(), &|_| {})
}

fn exact(snapshot: &Snapshot, index: usize) -> i32 {
    match snapshot.moves[index].score.unwrap().value {
        Value::Exact { discs } => i32::from(discs),
        other => panic!("not proven: {other:?}"),
    }
}

#[test]
fn every_move_of_an_endgame_has_the_value_that_the_lab_finds() {
    for (size, empties, count) in
        [(Size::Four, 12, 1), (Size::Four, 9, 6), (Size::Six, 12, 5), (Size::Eight, 9, 6)]
    {
        for position in positions(size, empties, count) {
            let snapshot = analyse(position, Goal::AllMoves, EmptiesRule::Nobody);
            assert_eq!(snapshot.moves.len(), position.moves().count_ones() as usize);
            for (index, root) in snapshot.moves.iter().enumerate() {
                let child = position.play(root.mv).unwrap();
                assert_eq!(
                    exact(&snapshot, index),
                    -run(&TO_THE_END, child, 64).score,
                    "{} in {position:?}",
                    root.mv
                );
            }
        }
    }
}

#[test]
fn a_six_by_six_value_is_that_of_the_best_move_turned_around() {
    for position in positions(Size::Six, 18, 2) {
        let snapshot = analyse(position, Goal::BestMove, EmptiesRule::Nobody);
        let child = position.play(snapshot.moves[0].mv).unwrap();
        let replies = analyse(child, Goal::BestMove, EmptiesRule::Nobody);
        assert_eq!(exact(&replies, 0), -exact(&snapshot, 0), "{position:?}");
    }
}
