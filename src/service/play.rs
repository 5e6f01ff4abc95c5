//! A position and moves: the position after them.

use othello::notation::Read;
use othello::position::EmptiesRule;

use super::Service;
use crate::wire::moves::PlayReply;
use crate::wire::position_reply::{PositionReply, assumed, names, result};

impl Service {
    /// `POST /v1/othello/play`.
    pub fn play(&self, read: &Read) -> PlayReply {
        PlayReply {
            position: PositionReply::from(read),
            played: names(&read.moves),
            passes_added: read.passes_added.clone(),
            result: result(read.position, EmptiesRule::Winner),
            assumed: assumed(read),
        }
    }
}
