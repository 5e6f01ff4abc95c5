//! Games in the Generic Game Format of the GGS server, as far as a game of Othello on 8x8 is in them: the board that it
//! began from and its moves. Names, clocks, ratings, evaluations and whatever else has a tag are skipped.
//!
//! `(;GM[Othello]PB[a]PW[b]TY[8]BO[8 ---…--- *]B[F5//1.5]W[D6];)`

use crate::board::Size;
use crate::notation::transcript;
use crate::position::{Color, IllegalMove, Position, Status};
use crate::square::Move;

/// A game as read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    /// The position before the moves.
    pub start: Position,
    /// The moves, passes that had to be made but were not written included.
    pub moves: Vec<Move>,
    /// The position after them.
    pub position: Position,
}

/// Why a text is no game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GgfError {
    /// It does not begin with `(;`.
    #[error("a game begins with `(;`")]
    NoGame,
    /// A tag has no value in brackets, or the value does not end.
    #[error("tag `{0}` has no value in brackets")]
    Unclosed(String),
    /// `GM` names another game.
    #[error("`{0}` is not Othello")]
    OtherGame(String),
    /// There is no `BO`.
    #[error("there is no board: tag `BO` is missing")]
    NoBoard,
    /// The value of `BO` is not an 8x8 board with a side to move.
    #[error("`BO` is not `8`, 64 cells and the side to move")]
    BadBoard,
    /// A value of `B` or `W` is not a move.
    #[error("`{0}` is not a move")]
    NotAMove(String),
    /// A move of the side that is not to move.
    #[error("move {number}: it is not the turn of {color}")]
    WrongTurn {
        /// Number of the move in the text, from 1.
        number: usize,
        /// Whose move it was to be.
        color: Color,
    },
    /// A move that the rules do not allow.
    #[error("move {number}: {reason}")]
    Illegal {
        /// Number of the move in the text, from 1.
        number: usize,
        /// Why not.
        reason: IllegalMove,
    },
}

/// Reads the first game of a text.
///
/// # Errors
/// What keeps it from being a game of Othello on 8x8.
pub fn read(text: &str) -> Result<Game, GgfError> {
    let begin = text.find("(;").ok_or(GgfError::NoGame)?;
    let mut rest = &text[begin + 2..];
    let mut start = None;
    let mut moves = Vec::new();
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ';');
        if rest.is_empty() || rest.starts_with(')') {
            break;
        }
        let (tag, value, after) = next_tag(rest)?;
        rest = after;
        match tag.as_str() {
            "GM" if !value.trim().eq_ignore_ascii_case("othello") => {
                return Err(GgfError::OtherGame(value.to_owned()));
            }
            "BO" => start = Some(board(value)?),
            "B" => moves.push((Color::Black, value)),
            "W" => moves.push((Color::White, value)),
            _ => {}
        }
    }
    let start = start.ok_or(GgfError::NoBoard)?;
    let mut game = Game { start, moves: Vec::new(), position: start };
    for (index, (color, value)) in moves.into_iter().enumerate() {
        game.play(index + 1, color, value)?;
    }
    Ok(game)
}

/// A tag, its value, and the text after it.
fn next_tag(text: &str) -> Result<(String, &str, &str), GgfError> {
    let unclosed = |tag: &str| GgfError::Unclosed(tag.chars().take(16).collect());
    let open = text.find('[').ok_or_else(|| unclosed(text))?;
    let tag = text[..open].trim().to_uppercase();
    let length = text[open..].find(']').ok_or_else(|| unclosed(&tag))?;
    Ok((tag, &text[open + 1..open + length], &text[open + length + 1..]))
}

/// Reads `8 ---…--- *`. White space between cells does not matter.
fn board(value: &str) -> Result<Position, GgfError> {
    let value = value.trim_start();
    let cells: Vec<char> = match value.strip_prefix('8') {
        Some(cells) => cells.chars().filter(|c| !c.is_whitespace()).collect(),
        None => return Err(GgfError::BadBoard),
    };
    let (Some((&side, cells)), 65) = (cells.split_last(), cells.len()) else {
        return Err(GgfError::BadBoard);
    };
    let (mut black, mut white) = (0, 0);
    for (index, cell) in cells.iter().enumerate() {
        match cell {
            '*' => black |= 1 << index,
            'O' | 'o' => white |= 1 << index,
            '-' | '.' => {}
            _ => return Err(GgfError::BadBoard),
        }
    }
    let side = match side {
        '*' => Color::Black,
        'O' | 'o' => Color::White,
        _ => return Err(GgfError::BadBoard),
    };
    Position::new(Size::Eight, black, white, side).ok_or(GgfError::BadBoard)
}

/// Reads a move with what may follow it: `F5/2.00/0.5`, `PA//3`, `d6`.
///
/// # Errors
/// When it begins with no move.
pub fn read_move(text: &str) -> Result<Move, GgfError> {
    let word = text.split('/').next().unwrap_or_default();
    transcript::read_move(word).map_err(|_| GgfError::NotAMove(text.trim().chars().take(16).collect()))
}

impl Game {
    fn play(&mut self, number: usize, color: Color, value: &str) -> Result<(), GgfError> {
        let mv = read_move(value)?;
        if color != self.position.side() && self.position.status() == Status::MustPass {
            self.advance(number, Move::Pass)?;
        }
        if color != self.position.side() {
            return Err(GgfError::WrongTurn { number, color });
        }
        self.advance(number, mv)
    }

    fn advance(&mut self, number: usize, mv: Move) -> Result<(), GgfError> {
        self.position = self.position.play(mv).map_err(|reason| GgfError::Illegal { number, reason })?;
        self.moves.push(mv);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The game of the example session in the description of NBoard's protocol, version 2.
    const PUBLISHED: &str = "(;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[./mEdax]PW[chris]RE[?]TI[15:00]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[F6]B[D3]W[C5]B[E6]W[F7]B[E7]W[F4];)";

    #[test]
    fn the_published_game_is_read() {
        let game = read(PUBLISHED).unwrap();
        let expected = transcript::read("f5f6d3c5e6f7e7f4", Position::start(Size::Eight)).unwrap();
        assert_eq!((game.start, game.position), (expected.start, expected.position));
        assert_eq!(game.moves, expected.moves);
        assert_eq!(game.position.side(), Color::Black);
    }

    #[test]
    fn evaluations_times_rows_and_numbers_of_games_are_skipped() {
        let text = "1 (;GM[Othello]TY[8]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]\n\
                    B[f5/0.01/1.2]W[F6//3];)(;GM[Go];)";
        assert_eq!(read(text).unwrap().moves.len(), 2);
    }

    /// Black a1, white b1 to h1 but for the gap at c1: after d1... a position in which white must pass at once.
    fn with_pass(moves: &str) -> Result<Game, GgfError> {
        let mut cells = ['-'; 64];
        cells[0] = '*';
        cells[1] = 'O';
        cells[16] = '*';
        cells[17] = 'O';
        let cells: String = cells.iter().collect();
        read(&format!("(;GM[Othello]BO[8 {cells} O]{moves};)"))
    }

    #[test]
    fn passes_may_be_written_in_every_form_or_left_out() {
        for pass in ["W[PA]", "W[pass]", "W[PS//0.1]", "W[--]", "W[@@]", ""] {
            let game = with_pass(&format!("{pass}B[C1]")).unwrap();
            assert_eq!(game.moves[0], Move::Pass, "{pass}");
            assert_eq!(game.moves.len(), 2);
        }
        assert!(matches!(
            read(
                "(;GM[Othello]BO[8 ---------------------------O*------*O--------------------------- *]B[PA];)"
            ),
            Err(GgfError::Illegal { number: 1, reason: IllegalMove::PassWithMoves })
        ));
    }

    #[test]
    fn what_is_no_game_is_refused_in_words() {
        let start = "BO[8 ---------------------------O*------*O--------------------------- *]";
        for (text, part) in [
            ("", "begins with"),
            ("(;GM[Othello];)", "no board"),
            ("(;GM[Go]BO[9 x];)", "not Othello"),
            ("(;BO[10 ---];)", "`BO` is not"),
            ("(;BO[8 ---- *];)", "`BO` is not"),
            ("(;BO[8 ---", "no value"),
            ("(;PB", "no value"),
            (&format!("(;{start}B[Z9];)"), "not a move"),
            (&format!("(;{start}W[F5];)"), "not the turn of white"),
            (&format!("(;{start}B[F5]W[A1];)"), "move 2"),
            (&format!("(;{start}B[é];)"), "not a move"),
        ] {
            let message = read(text).unwrap_err().to_string();
            assert!(message.contains(part), "{text}: {message}");
        }
    }
}
