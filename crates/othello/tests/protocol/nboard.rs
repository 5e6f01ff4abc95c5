//! The protocol of the NBoard board.

use std::time::Duration;

use othello::position::Position;
use othello::protocol::nboard::{self, Nboard, Question, Step};
use othello::query::{Bound, RootMove, Score, Selectivity, Value};
use othello::square::Move;

use crate::{converse, first_move};

fn estimate(centidiscs: i16) -> Score {
    Score {
        value: Value::Estimate { centidiscs },
        bound: Bound::Exact,
        depth: 6,
        selectivity: Selectivity::P73,
    }
}

/// Two moves with made-up values.
fn moves(position: Position) -> Vec<RootMove> {
    let first = first_move(position);
    let root = |mv, score| RootMove { mv, score, principal_variation: vec![mv], nodes: 1 };
    vec![root(first, Some(estimate(-100))), root(Move::Pass, None)]
}

fn answer(nboard: &mut Nboard, line: &str) -> Vec<String> {
    let used = Duration::from_millis(500);
    match nboard.line(line) {
        Step::Say(lines) => lines,
        Step::Go(mut lines, Question { position, .. }) => {
            lines.extend(nboard::go(first_move(position), Some(estimate(-100)), used));
            lines
        }
        Step::Hint(mut lines, Question { position, .. }, _) => {
            lines.extend(nboard::hints(moves(position).iter()));
            lines
        }
        Step::Analyze(mut lines, questions) => {
            lines.extend(questions.iter().map(|(moves, _)| nboard::analysis(*moves, estimate(25))));
            lines
        }
        Step::Quit => vec!["(quits)".to_owned()],
    }
}

fn transcript(conversation: &str) {
    let mut nboard = Nboard::default();
    converse(conversation, |line| answer(&mut nboard, line));
}

/// The example session in the description of protocol version 2, with this program's name and answers.
#[test]
fn the_published_session_is_answered() {
    transcript(
        "> nboard 2
         > set game (;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[./mEdax]PW[chris]RE[?]TI[15:00]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[F6]B[D3]W[C5]B[E6]W[F7]B[E7]W[F4];)
         > set depth 6
         < set myname Discern6
         > ping 1
         < pong 1
         > go
         < status Discern is thinking
         < === G3/-1.00/0.50
         < status Discern is waiting
         > quit
         < (quits)",
    );
}

#[test]
fn go_changes_nothing_and_moves_do() {
    transcript(
        "> nboard 1
         > go
         < status Discern is thinking
         < === D3/-1.00/0.50
         < status Discern is waiting
         > go
         < status Discern is thinking
         < === D3/-1.00/0.50
         < status Discern is waiting
         > move D3/0.00/1.2
         > go
         < status Discern is thinking
         < === C3/-1.00/0.50
         < status Discern is waiting
         > C3
         > hint 2
         < status Discern is thinking
         < search B3 -1.00 0 6
         > analyze
         < status Discern is thinking
         < analysis 2 0.25
         < analysis 1 0.25
         < analysis 0 0.25
         > learn
         < learned",
    );
}

#[test]
fn what_is_not_understood_changes_nothing() {
    transcript(
        "> set contempt 5
         > dance
         < status Discern does not know `dance`
         > move A1
         < status Discern cannot make this move: a1 turns no disc
         > move
         < status Discern cannot make this move: `` is not a move
         > set depth deep
         < status Discern wants a depth from 1 to 60
         > set depth 300
         < status Discern wants a depth from 1 to 60
         > set level 31
         < status Discern wants a level from 1 to 30
         > set level 5
         < set myname DiscernL5
         > set game nonsense
         < status Discern cannot read the game: a game begins with `(;`
         > set game (;GM[Othello]BO[8 ---------------------------O*------*O--------------------------- *]B[A1];)
         < status Discern cannot read the game: move 1: a1 turns no disc
         > set
         >
         > move PA
         < status Discern cannot make this move: a pass is only allowed when there is no legal move
         > ping 7
         < pong 7
         > go
         < status Discern is thinking
         < === D3/-1.00/0.50
         < status Discern is waiting",
    );
}

/// A1 black, B1 white; A3 black, B3 white: white must pass.
const WHITE_PASSES: &str =
    "set game (;GM[Othello]BO[8 *O--------------*O---------------------------------------------- O];)";

#[test]
fn passes_are_told_in_every_form_or_left_out() {
    for pass in ["move PA", "move pass", "move --/0.00/0.1", "PA", "move @@", "move ps"] {
        let mut nboard = Nboard::default();
        assert_eq!(answer(&mut nboard, WHITE_PASSES), [""; 0]);
        assert_eq!(answer(&mut nboard, "go")[1], "=== PA/-1.00/0.50");
        assert_eq!(answer(&mut nboard, pass), [""; 0], "{pass}");
        assert_eq!(answer(&mut nboard, "move C1"), [""; 0], "{pass}");
    }
    let mut nboard = Nboard::default();
    answer(&mut nboard, WHITE_PASSES);
    assert_eq!(answer(&mut nboard, "move C1"), [""; 0], "the pass before it is understood");
    assert_eq!(answer(&mut nboard, "analyze").len(), 1 + 3, "and counts as a move of the game");
}

#[test]
fn proven_values_and_forced_moves_are_told_as_such() {
    let proven = |value| Score { value, bound: Bound::Exact, depth: 20, selectivity: Selectivity::Full };
    let position = Nboard::default().position();
    let root = |value| RootMove {
        mv: first_move(position),
        score: Some(proven(value)),
        principal_variation: vec![first_move(position), Move::Pass],
        nodes: 1,
    };
    let said = nboard::hints([root(Value::Exact { discs: 12 }), root(Value::Sign { sign: -1 })].iter());
    assert_eq!(said, ["search D3PA 12.00 0 100%", "search D3PA -1.00 0 100%W"]);
    assert_eq!(nboard::go(Move::Pass, None, Duration::ZERO)[0], "=== PA//0.00");
    assert_eq!(nboard::no_move()[0], "=== PA");
}
