//! Which points are open to the side to move, and which renju forbids.

use crate::service::Service;
use crate::wire::gomoku::moves::{ForbiddenReply, LegalMovesReply, LegalPointReply};
use crate::wire::gomoku::position::GomokuRead;
use crate::wire::gomoku::position_reply::{GomokuPositionReply, result};

impl Service {
    /// `POST /v1/gomoku/legal-moves`.
    pub fn gomoku_legal_moves(&self, read: &GomokuRead) -> LegalMovesReply {
        let position = read.position();
        let legal = |point: gomoku::point::Point| LegalPointReply {
            mv: read.name(point),
            index: point.index(position.size()),
            row: point.y(),
            col: point.x(),
        };
        let forbidden = position.forbidden_points().into_iter();
        LegalMovesReply {
            position: GomokuPositionReply::from(read),
            status: position.status().into(),
            moves: position.legal_moves().into_iter().map(legal).collect(),
            forbidden: forbidden
                .map(|(point, reason)| ForbiddenReply { mv: read.name(point), reason: reason.into() })
                .collect(),
            result: result(read),
            assumed: read.assumed.clone(),
        }
    }
}
