//! The static evaluation of a position, explained.

use othello::notation::Read;

use super::Service;
use crate::wire::evaluation_reply::EvaluationReply;

impl Service {
    /// `POST /v1/othello/evaluation`.
    pub fn evaluate(&self, read: &Read) -> EvaluationReply {
        EvaluationReply::from(read)
    }
}
