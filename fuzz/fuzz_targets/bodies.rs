//! Any bytes as the body of a request, and any text as its query string: read into a request that keeps to the limits, or
//! refused with faults that name places in the document.
#![no_main]

use board_engine::wire::analysis::AnalysisRequest;
use board_engine::wire::comparison::ComparisonRequest;
use board_engine::wire::gomoku::analysis::GomokuRequest;
use board_engine::wire::gomoku::moves as gomoku_moves;
use board_engine::wire::gomoku::swap2::Swap2Request;
use board_engine::wire::gomoku::threats::ThreatRequest;
use board_engine::wire::json::Json;
use board_engine::wire::limits::{LimitName, Limits};
use board_engine::wire::moves;
use board_engine::wire::problem::{FieldCode, FieldError};
use board_engine::wire::query_string;
use libfuzzer_sys::fuzz_target;
use othello::notation::Read;

/// The most faults that one answer lists.
const MOST_FAULTS: usize = 20;

fn within(limits: &Limits, name: LimitName, value: u64) {
    let range = limits.get(name);
    assert!((range.min..=range.max).contains(&value), "{name:?} is {value}");
}

fn analysis(request: &AnalysisRequest, limits: &Limits) {
    within(limits, LimitName::TimeMs, request.time_ms);
    within(limits, LimitName::Threads, request.threads as u64);
    within(limits, LimitName::ExactFromEmpties, request.exact_from_empties.into());
    let depth = request.depth.filter(|_| request.level.is_none());
    depth.inspect(|&depth| within(limits, LimitName::Depth, depth.into()));
    request.nodes.inspect(|&nodes| within(limits, LimitName::Nodes, nodes));
    position(&request.read);
    let legal = request.read.position.moves();
    assert!(request.root_moves.is_none_or(|moves| moves & !legal == 0 && moves != 0), "{request:?}");
}

fn position(read: &Read) {
    let replayed = read.moves.iter().try_fold(read.start, |position, &mv| position.play(mv));
    assert_eq!(replayed, Ok(read.position), "the moves lead from the start to the position");
}

/// Whether a pointer leads to something in the document; the last step of a fault that something is missing does not.
fn leads_somewhere(document: &Json, error: &FieldError) -> bool {
    let mut steps: Vec<String> =
        error.pointer.split('/').skip(1).map(|step| step.replace("~1", "/").replace("~0", "~")).collect();
    if error.code == FieldCode::MissingField {
        steps.pop();
    }
    let mut here = document;
    for step in steps {
        let next = match here {
            Json::Object(members) => members.iter().find(|(name, _)| *name == step).map(|(_, value)| value),
            Json::Array(elements) => step.parse().ok().and_then(|index: usize| elements.get(index)),
            // A place inside of a text, by character, or the line of one.
            Json::String(_) => return true,
            Json::Null | Json::Bool(_) | Json::Number(_) => None,
        };
        match next {
            Some(next) => here = next,
            None => return false,
        }
    }
    true
}

fn told(errors: &[FieldError]) {
    assert!((1..=MOST_FAULTS).contains(&errors.len()), "{errors:?}");
    for error in errors {
        assert!(!error.message.is_empty() && !error.message.contains(char::is_control), "{error:?}");
        assert!(error.pointer.is_empty() || error.pointer.starts_with('/'), "{error:?}");
    }
}

fuzz_target!(|input: &[u8]| {
    let Some((&which, rest)) = input.split_first() else { return };
    let limits = Limits::for_threads(2);
    if which % 10 >= 8 {
        let Ok(query) = std::str::from_utf8(rest) else { return };
        let errors = if which % 10 == 8 {
            AnalysisRequest::parse_query(query, &limits).map(|request| analysis(&request, &limits)).err()
        } else {
            let json = query_string::POSITION.read(query);
            json.and_then(|json| moves::read_position(&json)).map(|read| position(&read)).err()
        };
        return errors.iter().for_each(|errors| told(errors));
    }
    let Ok(json) = Json::parse(rest) else { return };
    let errors = match which % 10 {
        0 => AnalysisRequest::parse(&json, &limits).map(|request| analysis(&request, &limits)).err(),
        1 => moves::read_position(&json).map(|read| position(&read)).err(),
        2 => moves::read_play(&json).map(|read| position(&read)).err(),
        3 => ComparisonRequest::parse(&json, &limits)
            .map(|request| within(&limits, LimitName::TimeMs, request.time_ms))
            .err(),
        4 => GomokuRequest::parse(&json, &limits)
            .map(|request| within(&limits, LimitName::TimeMs, request.time_ms))
            .err(),
        5 => gomoku_moves::read_play(&json).err(),
        6 => ThreatRequest::parse(&json, &limits).map(|request| within(&limits, LimitName::TimeMs, request.time_ms)).err(),
        _ => Swap2Request::parse(&json, &limits).map(|request| within(&limits, LimitName::TimeMs, request.time_ms)).err(),
    };
    for errors in errors.iter() {
        told(errors);
        for error in errors {
            assert!(leads_somewhere(&json, error), "{error:?} in {json:?}");
        }
    }
});
