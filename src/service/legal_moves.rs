//! Which moves are legal, and what each does.

use othello::notation::Read;

use super::Service;
use crate::wire::moves::LegalMovesReply;

impl Service {
    /// `POST /v1/othello/legal-moves`.
    pub fn legal_moves(&self, read: &Read) -> LegalMovesReply {
        LegalMovesReply::from(read)
    }
}
