//! A position and moves: the position after them.

use othello::notation::Read;

use super::Service;
use crate::wire::moves::PlayReply;

impl Service {
    /// `POST /v1/othello/play`.
    pub fn play(&self, read: &Read) -> PlayReply {
        PlayReply::from(read)
    }
}
