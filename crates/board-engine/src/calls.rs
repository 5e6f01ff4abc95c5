//! How the page calls the engine: texts in linear memory, plain numbers as arguments.
//!
//! 1. `reserve(length)` gives the address where the page writes path and body, one after the other, as UTF-8.
//! 2. `ask(path_length)` answers the question that lies there and returns the HTTP status.
//! 3. `answer_address()` and `answer_length()` say where the answer lies until the next question.
//!
//! The page lends two functions of the module `board`: `now()`, milliseconds from any fixed origin, and
//! `tell(address, length)`, which hears each step of an analysis.
#![allow(unsafe_code)]

use std::cell::RefCell;
use std::time::Duration;

use searchkit::clock::Clock;

use crate::answer::{Host, answer};

thread_local! {
    static QUESTION: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<String> = const { RefCell::new(String::new()) };
}

// SAFETY: the page lends functions of these names and types; neither touches the memory of this instance except to read
// the text that `tell` is handed.
#[link(wasm_import_module = "board")]
unsafe extern "C" {
    safe fn now() -> f64;
    safe fn tell(address: *const u8, length: usize);
}

/// The browser's monotonic clock.
struct PageClock;

impl Clock for PageClock {
    fn now(&self) -> Duration {
        // A page's clock is finite and not negative; anything else stands for its origin.
        Duration::try_from_secs_f64(now() / 1_000.0).unwrap_or_default()
    }
}

/// Room for a question of so many bytes; its address.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(length: usize) -> *mut u8 {
    QUESTION.with_borrow_mut(|question| {
        question.clear();
        question.resize(length, 0);
        question.as_mut_ptr()
    })
}

/// Answers the question in the reserved room, whose first bytes are its path.
#[unsafe(no_mangle)]
pub extern "C" fn ask(path_length: usize) -> u32 {
    let question = QUESTION.take();
    let (path, body) = question.split_at(path_length.min(question.len()));
    let host = Host { clock: &PageClock, tell: &|step| tell(step.as_ptr(), step.len()) };
    let answer = answer(&String::from_utf8_lossy(path), body, &host);
    ANSWER.set(answer.body);
    u32::from(answer.status)
}

/// Where the last answer lies.
#[unsafe(no_mangle)]
pub extern "C" fn answer_address() -> *const u8 {
    ANSWER.with_borrow(|answer| answer.as_ptr())
}

/// Its length in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn answer_length() -> usize {
    ANSWER.with_borrow(String::len)
}
