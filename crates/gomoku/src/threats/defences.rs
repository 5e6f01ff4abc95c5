//! Which replies can hold against an open-four threat.

use crate::board::Board;
use crate::color::Color;
use crate::grid::Cell;
use crate::lines::{self, Line};
use crate::point::{Point, STEPS};
use crate::threat::Threat;

/// The replies of the side to move that can hold when `attacker` threatens an open four (or two fours) somewhere: a
/// superset of those that do. Whoever plays elsewhere leaves one such point as it is and has no five to answer with.
///
/// A reply holds only when it touches the lines that make every one of the threatened points strong, or makes a four
/// of its own. Both sides must be without a five point. Most urgent first.
pub(crate) fn against_open_four(board: &Board, attacker: Color) -> Vec<Point> {
    let mut threatened = board.points(attacker, Threat::OpenFour);
    let Some(first) = threatened.next() else { return Vec::new() };
    let mut replies = spoilers(board, first, attacker);
    for point in threatened {
        let others = spoilers(board, point, attacker);
        replies.retain(|reply| others.contains(reply));
    }
    let defender = attacker.other();
    for kind in Threat::FOURS {
        for four in board.points(defender, kind) {
            if !replies.contains(&four) {
                replies.push(four);
            }
        }
    }
    replies.sort_by_key(|&point| std::cmp::Reverse(board.urgency(point)));
    replies
}

/// The empty points on the lines that make `point` an open four or a double four, the point itself among them.
fn spoilers(board: &Board, point: Point, attacker: Color) -> Vec<Point> {
    let mut found = vec![point];
    let reach = lines::reach(board.rule());
    for (line, step) in board.lines(point, attacker).into_iter().zip(STEPS) {
        if !matches!(line, Line::Four | Line::OpenFour) {
            continue;
        }
        for k in 1..=reach {
            for cell in [point.cell() + k * step, point.cell() - k * step] {
                if board.grid().at(cell) == Cell::Empty {
                    found.push(Point::from_cell(cell));
                }
            }
        }
    }
    found
}
