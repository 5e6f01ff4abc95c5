//! Which moves are legal, and what each does.

use othello::notation::{Read, print};
use othello::position::{EmptiesRule, Status};
use othello::square::{Move, Squares};

use super::Service;
use crate::wire::moves::{LegalMoveReply, LegalMovesReply};
use crate::wire::position_reply::{PositionReply, assumed, result};

impl Service {
    /// `POST /v1/othello/legal-moves`.
    pub fn legal_moves(&self, read: &Read) -> LegalMovesReply {
        let position = read.position;
        let moves = Squares(position.moves())
            .map(|square| {
                let after = position.play(Move::Place(square)).expect("the square is one of the legal moves");
                LegalMoveReply {
                    mv: square.to_string(),
                    index: square.index(),
                    row: square.row(),
                    col: square.column(),
                    flips: Squares(position.flips(square)).map(|flipped| flipped.to_string()).collect(),
                    board_after: print::board(after),
                    side_after: after.side().into(),
                }
            })
            .collect();
        let status: Status = position.status();
        LegalMovesReply {
            position: PositionReply::from(read),
            status: status.into(),
            moves,
            result: result(position, EmptiesRule::Winner),
            assumed: assumed(read),
        }
    }
}
