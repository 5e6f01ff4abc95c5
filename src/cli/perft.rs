//! `discern perft`: counts lines of play, the usual proof that the rules are right and a measure of their speed.

use std::time::Instant;

use clap::{Args, ValueEnum, value_parser};
use othello::board::Size;
use othello::notation::text;
use othello::perft::{Counting, divide, perft};
use othello::position::Position;

use super::exit::{Exit, Failure, Outcome};
use super::output::Output;

/// What to count.
#[derive(Debug, Args)]
pub struct PerftArgs {
    /// Length of the lines in plies; a pass is one ply, a game that ends earlier counts as one line.
    #[arg(value_parser = value_parser!(u8).range(0..=20))]
    depth: u8,

    /// Width and height of the board to start on.
    #[arg(long, value_enum, default_value_t = BoardSize::Eight, conflicts_with = "position")]
    size: BoardSize,

    /// Count from this position instead: moves, a board, an OBF line.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    position: Option<String>,

    /// Count every first move by itself.
    #[arg(long)]
    divide: bool,

    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// The boards that there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum BoardSize {
    #[value(name = "4")]
    Four,
    #[value(name = "6")]
    Six,
    #[value(name = "8")]
    Eight,
}

impl From<BoardSize> for Size {
    fn from(size: BoardSize) -> Self {
        match size {
            BoardSize::Four => Self::Four,
            BoardSize::Six => Self::Six,
            BoardSize::Eight => Self::Eight,
        }
    }
}

/// Counts and prints.
pub fn run(args: &PerftArgs) -> Outcome {
    let position = match &args.position {
        None => Position::start(args.size.into()),
        Some(text) => text::read(text).map_err(|error| Failure::new(Exit::Data, error.to_string()))?.position,
    };
    let mut output = Output::stdout();
    let begun = Instant::now();
    let moves = if args.divide { divide(position, args.depth, Counting::PUBLISHED) } else { Vec::new() };
    let lines = match moves.as_slice() {
        [] => perft(position, args.depth, Counting::PUBLISHED),
        moves => moves.iter().map(|&(_, lines)| lines).sum(),
    };
    let elapsed_ms = begun.elapsed().as_millis();
    if args.json {
        let divided: serde_json::Map<_, _> =
            moves.iter().map(|&(mv, lines)| (mv.to_string(), lines.into())).collect();
        let mut reply =
            serde_json::json!({ "depth": args.depth, "lines": lines, "elapsed_ms": elapsed_ms as u64 });
        if args.divide {
            reply["moves"] = divided.into();
        }
        output.line(reply.to_string());
        return Ok(());
    }
    for (mv, lines) in &moves {
        output.line(format!("{mv} {lines}"));
    }
    output.line(format!("perft({}) = {lines} in {elapsed_ms} ms", args.depth));
    Ok(())
}
