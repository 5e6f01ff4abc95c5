//! Which points are open to the side to move, and which renju forbids.

use crate::service::Service;
use crate::wire::gomoku::moves::LegalMovesReply;
use crate::wire::gomoku::position::GomokuRead;

impl Service {
    /// `POST /v1/gomoku/legal-moves`.
    pub fn gomoku_legal_moves(&self, read: &GomokuRead) -> LegalMovesReply {
        LegalMovesReply::from(read)
    }
}
