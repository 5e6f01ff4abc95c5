//! The static evaluation of a position, explained.

use othello::board::Size;
use othello::evaluation::network::loaded;
use othello::evaluation::terms::{self, Counts, Term};
use othello::evaluation::weights::weights;
use othello::evaluation::{Evaluator, LIMIT, explain};
use othello::notation::Read;
use othello::position::{Color, EmptiesRule, Position};
use othello::regions::{quadrants, regions, touching};
use othello::square::Squares;
use othello::stability;

use super::analysis_reply::{Discs, EngineNameReply};
use super::evaluation_reply::{
    BoundsReply, CountsReply, EstimateReply, EvaluationReply, EvaluationScoringReply, ParityReply,
    QuadrantReply, RegionReply, SquaresReply, StableReply, TermPartReply, TermReply,
};
use super::position_reply::{PositionReply, assumed, result};

/// Names the estimate on boards that the trained evaluation does not know: the sum of the explained terms.
const SMALL_BOARDS: &str = "eight-terms";

/// Names of the quarters of a board, in the order of [`quadrants`].
const QUADRANTS: [&str; 4] = ["top_left", "top_right", "bottom_left", "bottom_right"];

impl From<&Read> for EvaluationReply {
    fn from(read: &Read) -> Self {
        let position = read.position;
        let (board, size) = (position.board(), position.size());
        let total: i32 = explain(board, size).iter().map(|term| term.difference()).sum();
        let stable = |color: Color| {
            stability::stable_discs_on(size, position.discs(color), position.discs(color.other()))
        };
        let (side, other) = (position.side(), position.side().other());
        Self {
            position: PositionReply::from(read),
            terms: term_replies(position),
            terms_total: hundredths(total.clamp(-LIMIT, LIMIT)),
            estimate: EstimateReply {
                discs: hundredths(Evaluator::new(board, size).value(board)),
                evaluation: if size == Size::Eight { loaded::id() } else { SMALL_BOARDS }.to_owned(),
            },
            legal_moves: counts(|color| moves(position, color)),
            frontier: counts(|color| position.discs(color) & touching(position.empty())),
            stable: StableReply {
                black: squares(stable(Color::Black)),
                white: squares(stable(Color::White)),
            },
            bounds: BoundsReply {
                lower: stability::lower_bound(size, stable(side)),
                upper: stability::upper_bound(size, stable(other)),
            },
            regions: regions(size, position.empty())
                .into_iter()
                .map(|region| region_reply(position, region))
                .collect(),
            quadrants: quadrant_replies(position),
            result: result(position, EmptiesRule::Winner),
            scoring: EvaluationScoringReply { unit: "discs", point_of_view: "side_to_move" },
            assumed: assumed(read),
            engine: EngineNameReply::with(loaded::id()),
        }
    }
}

fn term_replies(position: Position) -> Vec<TermReply> {
    let (board, size) = (position.board(), position.size());
    let (player, opponent) = terms::counts_of_both(board, size);
    let weights = weights(position.empty().count_ones());
    // The side to move comes first in the evaluation, black in the reply.
    let by_color = |player, opponent| match position.side() {
        Color::Black => (player, opponent),
        Color::White => (opponent, player),
    };
    let (black, white): (&Counts, &Counts) = by_color(&player, &opponent);
    let entry = |value: othello::evaluation::TermValue| {
        let term: Term = value.term;
        let part = |(place, &part): (usize, &&'static str)| TermPartReply {
            part,
            weight: Discs::Hundredths(weights[place]),
            black: black[place],
            white: white[place],
        };
        let (of_black, of_white) = match position.side() {
            Color::Black => (value.player, value.opponent),
            Color::White => (value.opponent, value.player),
        };
        TermReply {
            term: term.name(),
            parts: term.places().zip(term.parts()).map(part).collect(),
            black: hundredths(of_black),
            white: hundredths(of_white),
            value: hundredths(value.difference()),
        }
    };
    explain(board, size).into_iter().map(entry).collect()
}

fn region_reply(position: Position, region: u64) -> RegionReply {
    let size = region.count_ones();
    RegionReply {
        size,
        parity: ParityReply::of(size),
        squares: names(region),
        black_moves: (region & moves(position, Color::Black)).count_ones(),
        white_moves: (region & moves(position, Color::White)).count_ones(),
    }
}

fn quadrant_replies(position: Position) -> Vec<QuadrantReply> {
    let quarters = QUADRANTS.into_iter().zip(quadrants(position.size()));
    quarters
        .map(|(quadrant, cells)| {
            let empties = (cells & position.empty()).count_ones();
            QuadrantReply { quadrant, empties, parity: ParityReply::of(empties) }
        })
        .collect()
}

/// The squares where a colour could place a disc, were it to move.
fn moves(position: Position, color: Color) -> u64 {
    let board = position.board();
    let board = if color == position.side() { board } else { board.pass() };
    board.moves(position.size())
}

fn counts(set: impl Fn(Color) -> u64) -> CountsReply {
    CountsReply { black: set(Color::Black).count_ones(), white: set(Color::White).count_ones() }
}

fn squares(set: u64) -> SquaresReply {
    SquaresReply { count: set.count_ones(), mask: format!("{set:#018x}"), squares: names(set) }
}

fn names(set: u64) -> Vec<String> {
    Squares(set).map(|square| square.to_string()).collect()
}

/// Terms and estimates are small; one that is not is shown at the end of the range rather than wrapped around.
fn hundredths(value: i32) -> Discs {
    let limit = i32::from(i16::MAX);
    Discs::Hundredths(value.clamp(-limit, limit) as i16)
}
