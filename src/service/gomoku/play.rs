//! A position and moves: the position after them.

use crate::service::Service;
use crate::wire::gomoku::moves::PlayReply;
use crate::wire::gomoku::position::GomokuRead;

impl Service {
    /// `POST /v1/gomoku/play`.
    pub fn gomoku_play(&self, read: &GomokuRead) -> PlayReply {
        PlayReply::from(read)
    }
}
