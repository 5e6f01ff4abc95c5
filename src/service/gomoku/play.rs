//! A position and moves: the position after them.

use crate::service::Service;
use crate::wire::gomoku::moves::PlayReply;
use crate::wire::gomoku::position::GomokuRead;
use crate::wire::gomoku::position_reply::{GomokuPositionReply, result};

impl Service {
    /// `POST /v1/gomoku/play`.
    pub fn gomoku_play(&self, read: &GomokuRead) -> PlayReply {
        PlayReply {
            position: GomokuPositionReply::from(read),
            played: read.names(&read.read.moves),
            result: result(read),
            assumed: read.assumed.clone(),
        }
    }
}
