//! The use cases of Gomoku, one a file.

mod analyze;
mod legal_moves;
mod play;
mod swap2;
mod threats;

use crate::wire::analysis_reply::EngineNameReply;

/// What answers a question about Gomoku.
fn engine() -> EngineNameReply {
    EngineNameReply {
        name: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        evaluation: gomoku::evaluation::id().to_owned(),
    }
}
