//! A Gomoku answer for a person: the board, the verdict, and a table of the moves.

use crate::wire::analysis_reply::BoundReply;
use crate::wire::gomoku::analysis_reply::{
    GomokuAnalysisReply, GomokuMoveReply, GomokuScoreKind, GomokuScoreReply,
};
use crate::wire::gomoku::position_reply::{EndReason, GomokuPositionReply, GomokuResultReply, GomokuWinner};
use crate::wire::position_reply::SideReply;

/// Moves shown; the others are bounds that say little.
const MOST_MOVES: usize = 20;

/// The answer as lines of text.
pub fn lines(reply: &GomokuAnalysisReply) -> Vec<String> {
    let position = &reply.position;
    let mut lines = board(position);
    let side = match position.side_to_move {
        SideReply::Black => "black",
        SideReply::White => "white",
    };
    lines.push(format!("{} stones, {}; {side} to move", position.ply, position.rule));
    lines.extend(reply.assumed.iter().map(|assumption| format!("assumed: {}", assumption.message)));
    lines.push(String::new());
    lines.extend(reply.result.as_ref().map(verdict));
    if !reply.moves.is_empty() {
        lines.push(format!("{:>4}  {:>12}  {:>6}  {:>10}  line", "move", "value", "chance", "nodes"));
        lines.extend(reply.moves.iter().take(MOST_MOVES).map(row));
        if reply.moves.len() > MOST_MOVES {
            lines.push(format!("and {} more", reply.moves.len() - MOST_MOVES));
        }
        lines.push(String::new());
    }
    let search = &reply.search;
    lines.push(format!(
        "depth {}, {} nodes{}; values for {side}, 200 to a logit",
        search.depth,
        search.nodes,
        search.elapsed_ms.map_or(String::new(), |elapsed_ms| format!(" in {elapsed_ms} ms")),
    ));
    lines
}

/// The board with its coordinates, row 1 where the question has it.
fn board(position: &GomokuPositionReply) -> Vec<String> {
    let size = position.board.len();
    let letters: Vec<String> = ('a'..).take(size).map(String::from).collect();
    let head = format!("   {}", letters.join(" "));
    let rows = position.board.iter().enumerate().map(|(index, row)| {
        let number = if position.row_one == "top" { index + 1 } else { size - index };
        let cells: Vec<String> = row.chars().map(String::from).collect();
        format!("{number:>2} {}", cells.join(" "))
    });
    [head].into_iter().chain(rows).collect()
}

fn row(entry: &GomokuMoveReply) -> String {
    let value = entry.score.as_ref().map_or("?".to_owned(), value);
    let chance = entry.score.as_ref().and_then(|score| score.win_probability);
    let chance = chance.map_or(String::new(), |chance| format!("{:.1} %", 100.0 * chance));
    let line = entry.principal_variation.join(" ");
    format!("{:>4}  {value:>12}  {chance:>6}  {:>10}  {line}", entry.mv, entry.nodes)
}

/// A value in a few characters: `win in 3`, `~+41` about, `<=-7` at most.
fn value(score: &GomokuScoreReply) -> String {
    let bound = match score.bound {
        BoundReply::Exact => "~",
        BoundReply::Lower => ">=",
        BoundReply::Upper => "<=",
    };
    let moves = score.moves.unwrap_or_default();
    match score.kind {
        GomokuScoreKind::WinIn => format!("win in {moves}"),
        GomokuScoreKind::LossIn => format!("loss in {moves}"),
        GomokuScoreKind::Estimate => format!("{bound}{:+}", score.value.unwrap_or_default()),
        GomokuScoreKind::Exact => "over".to_owned(),
    }
}

fn verdict(result: &GomokuResultReply) -> String {
    let how = match result.reason {
        EndReason::Five => format!("five: {}", result.row.join(" ")),
        EndReason::BoardFull => "the board is full".to_owned(),
        EndReason::NoLegalMove => "black has no legal move left".to_owned(),
    };
    match result.winner {
        GomokuWinner::Black => format!("black has won ({how})"),
        GomokuWinner::White => format!("white has won ({how})"),
        GomokuWinner::Draw => format!("a draw ({how})"),
    }
}
