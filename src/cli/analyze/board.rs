//! An answer for a person: the board, the verdict, and a table of the moves.

use crate::client::{AnalysedMove, Analysis, Bound, GameResult, Kind, Score, Side, Status, Winner};

/// The answer as lines of text.
pub fn lines(reply: &Analysis) -> Vec<String> {
    let mut lines = board(&reply.position.board);
    let position = &reply.position;
    let side = match position.side_to_move {
        Side::Black => "black",
        Side::White => "white",
    };
    let discs =
        format!("{} black, {} white, {} empty", position.discs.black, position.discs.white, position.empties);
    let opening = position.opening.as_ref().map_or(String::new(), |opening| format!("; {}", opening.name));
    lines.push(format!("{discs}; {side} to move{opening}"));
    lines.extend(reply.assumed.iter().map(|assumption| format!("assumed: {}", assumption.message)));
    lines.push(String::new());
    match position.status {
        Status::Finished => lines.push(reply.result.as_ref().map_or("the game is over".to_owned(), verdict)),
        Status::MustPass => lines.push("no legal move: a pass".to_owned()),
        Status::InProgress => {}
    }
    if !reply.moves.is_empty() {
        lines.push(format!("{:>4}  {:>9}  {:>5}  {:>12}  line", "move", "value", "loss", "nodes"));
        lines.extend(reply.moves.iter().map(row));
        lines.push(String::new());
    }
    let search = &reply.search;
    lines.push(format!(
        "depth {} at {} %, {} nodes{}; values for {side}, empty squares to {}",
        search.depth,
        search.selectivity_percent,
        search.nodes,
        search.elapsed_ms.map_or(String::new(), |elapsed_ms| format!(" in {elapsed_ms} ms")),
        if reply.scoring.empties == "winner" { "the winner" } else { "nobody" },
    ));
    lines
}

/// The board with its coordinates.
fn board(cells: &str) -> Vec<String> {
    let cells: Vec<char> = cells.chars().collect();
    let side = cells.len().isqrt();
    let letters: Vec<String> = ('a'..).take(side).map(String::from).collect();
    let head = format!("  {}", letters.join(" "));
    let rows = cells.chunks(side.max(1)).enumerate().map(|(index, row)| {
        let row: Vec<String> =
            row.iter().map(|&cell| if cell == '-' { '.' } else { cell }.to_string()).collect();
        format!("{} {}", index + 1, row.join(" "))
    });
    [head].into_iter().chain(rows).collect()
}

fn row(entry: &AnalysedMove) -> String {
    let value = entry.score.as_ref().map_or("?".to_owned(), value);
    let loss = entry.loss.map_or(String::new(), |loss| format!("{loss:.2}"));
    let line = entry.principal_variation.join(" ");
    format!("{:>4}  {value:>9}  {loss:>5}  {:>12}  {line}", entry.mv, entry.nodes)
}

/// A value in a few characters: `=+4` exactly, `>=+4` at least, `~-0.41` about, `win`.
fn value(score: &Score) -> String {
    let bound = match score.bound {
        Bound::Exact => "",
        Bound::Lower => ">=",
        Bound::Upper => "<=",
    };
    let discs = score.discs.unwrap_or_default();
    match score.kind {
        Kind::Exact => format!("{}{discs:+}", if bound.is_empty() { "=" } else { bound }),
        Kind::Estimate => format!("{bound}~{discs:+.2}"),
        Kind::Sign => match score.sign {
            Some(1) => "win",
            Some(-1) => "loss",
            _ => "draw",
        }
        .to_owned(),
    }
}

fn verdict(result: &GameResult) -> String {
    let discs = format!("{} to {}", result.discs.black, result.discs.white);
    match result.winner {
        Winner::Black => format!("black has won by {} ({discs})", result.margin),
        Winner::White => format!("white has won by {} ({discs})", result.margin),
        Winner::Draw => format!("a draw ({discs})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_of_any_size_has_its_coordinates() {
        assert_eq!(
            board("----".repeat(4).as_str()),
            ["  a b c d", "1 . . . .", "2 . . . .", "3 . . . .", "4 . . . ."]
        );
    }
}
