//! The replay of a claimed win against every legal reply.

use crate::board::Board;
use crate::point::Point;
use crate::threat::Threat;

use super::threes::{FOURS_NODES_REPLAY, Proof, ThreeSearch};

/// Attacker moves up to and including the five, and the line of a longest defence, last move first.
type Won = (u16, Vec<Point>);

/// Replays a win found by a search, the attacker playing the proven moves and the defender every legal move of the
/// board. `None` when some reply holds.
pub(super) fn against_everything(board: &mut Board, search: &mut ThreeSearch<'_, '_>) -> Option<Won> {
    let (moves, mut line) = attacker(board, search)?;
    line.reverse();
    Some((moves, line))
}

fn attacker(board: &mut Board, search: &mut ThreeSearch<'_, '_>) -> Option<Won> {
    let us = board.side();
    match search.proofs.get(&board.hash()).copied() {
        Some(Proof::Move(point)) => {
            if board.is_forbidden(point, us) {
                return None;
            }
            search.budget.nodes += 1;
            board.play(point);
            let won = defender(board, search);
            board.undo();
            let (moves, mut line) = won?;
            line.push(point);
            Some((moves + 1, line))
        }
        // Replies that the search never looked at lose to fours, or the claim is not accepted.
        Some(Proof::Fours) | None => {
            let moves = search.win_by_fours(board, FOURS_NODES_REPLAY)?;
            let mut line = search.fours.take_line();
            line.reverse();
            Some((moves, line))
        }
    }
}

fn defender(board: &mut Board, search: &mut ThreeSearch<'_, '_>) -> Option<Won> {
    let us = board.side();
    if board.count(us, Threat::Five) > 0 {
        return None;
    }
    let replies: Vec<Point> = board.grid().empty().collect();
    let mut longest: Won = (0, Vec::new());
    for reply in replies {
        if board.is_forbidden(reply, us) {
            continue;
        }
        search.budget.nodes += 1;
        board.play(reply);
        let won = attacker(board, search);
        board.undo();
        let (moves, mut line) = won?;
        // The defence that the line shows is a sensible one: of equally long ones the most urgent reply.
        let better = moves > longest.0
            || (moves == longest.0
                && longest.1.last().is_some_and(|&shown| board.urgency(reply) > board.urgency(shown)));
        if better {
            line.push(reply);
            longest = (moves, line);
        }
    }
    (longest.0 > 0).then_some(longest)
}
