//! What a load measured.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};

/// One call and what came of it.
#[derive(Debug, Clone, Default)]
pub struct Called {
    /// HTTP status, or that of the problem at the end of a stream; 0 when the connection broke.
    pub status: u16,
    /// From the first byte sent to the last one received.
    pub took: Duration,
    /// How long after its deadline the answer was there, in ms; negative before it.
    pub over_ms: Option<f64>,
    /// Whether the best move is legal.
    pub legal: Option<bool>,
    /// When to come back.
    pub retry_after_ms: Option<u64>,
    /// Whether a 503 said so in its body and, the same, in its header.
    pub truthful: Option<bool>,
    /// Whether the question was taken in when it came back as told.
    pub taken_in_later: Option<bool>,
    /// Where the answer came from.
    pub cache_status: Option<String>,
}

impl Called {
    /// A call that ended so after this time.
    pub fn new(status: u16, took: Duration) -> Self {
        Self { status, took, ..Self::default() }
    }
}

/// All calls of a load.
#[derive(Debug, Default)]
pub struct Report {
    took: Duration,
    statuses: BTreeMap<u16, u64>,
    answered_ms: Vec<f64>,
    refused_ms: Vec<f64>,
    over_ms: Vec<f64>,
    legal: u64,
    illegal: u64,
    truthful: u64,
    untruthful: u64,
    taken_in_later: u64,
    refused_later: u64,
    kept: u64,
    shared: u64,
}

impl Report {
    /// Adds a call.
    pub fn add(&mut self, called: Called) {
        *self.statuses.entry(called.status).or_default() += 1;
        let ms = called.took.as_secs_f64() * 1e3;
        if called.status == 200 {
            self.answered_ms.push(ms)
        } else {
            self.refused_ms.push(ms)
        }
        self.over_ms.extend(called.over_ms);
        let count = |truth: Option<bool>, yes: &mut u64, no: &mut u64| match truth {
            Some(true) => *yes += 1,
            Some(false) => *no += 1,
            None => {}
        };
        count(called.legal, &mut self.legal, &mut self.illegal);
        count(called.truthful, &mut self.truthful, &mut self.untruthful);
        count(called.taken_in_later, &mut self.taken_in_later, &mut self.refused_later);
        match called.cache_status.as_deref() {
            Some("discern; hit") => self.kept += 1,
            Some(status) if status.ends_with("collapsed") => self.shared += 1,
            _ => {}
        }
    }

    /// How long it all took.
    pub fn took(&mut self, took: Duration) {
        self.took = took;
    }

    /// Whether every answer had a legal move, every refusal said when to come back, and nothing broke.
    pub fn kept_its_word(&self) -> bool {
        let broken = self.statuses.iter().any(|(&status, _)| !matches!(status, 200 | 429 | 503));
        self.illegal == 0 && self.untruthful == 0 && !broken
    }

    fn requests(&self) -> u64 {
        self.statuses.values().sum()
    }

    /// For people.
    pub fn lines(&self) -> Vec<String> {
        let seconds = self.took.as_secs_f64();
        let statuses: Vec<String> =
            self.statuses.iter().map(|(status, count)| format!("{}: {count}", name(*status))).collect();
        let shown = |what: &str, values: &[f64]| {
            let Spread { count, p50, p90, p99, max } = Spread::of(values);
            format!("{what}: p50 {p50:.1}, p90 {p90:.1}, p99 {p99:.1}, max {max:.1} ({count})")
        };
        vec![
            format!(
                "{} requests in {seconds:.1} s ({:.1} a second); {}",
                self.requests(),
                self.requests() as f64 / seconds,
                statuses.join(", ")
            ),
            shown("time to an answer, ms", &self.answered_ms),
            shown("time to a refusal, ms", &self.refused_ms),
            shown("answer after its deadline, ms", &self.over_ms),
            format!("best move: legal in {}, illegal in {}", self.legal, self.illegal),
            format!(
                "503: {} say when to come back, {} do not; came back as told: {} taken in, {} refused",
                self.truthful, self.untruthful, self.taken_in_later, self.refused_later
            ),
            format!("answers that needed no search of their own: {} kept, {} shared", self.kept, self.shared),
        ]
    }

    /// For programs.
    pub fn to_json(&self) -> String {
        let statuses: serde_json::Map<String, Value> =
            self.statuses.iter().map(|(status, count)| (name(*status), json!(count))).collect();
        json!({
            "requests": self.requests(),
            "seconds": self.took.as_secs_f64(),
            "statuses": statuses,
            "answered_ms": Spread::of(&self.answered_ms).to_json(),
            "refused_ms": Spread::of(&self.refused_ms).to_json(),
            "after_deadline_ms": Spread::of(&self.over_ms).to_json(),
            "best_move": {"legal": self.legal, "illegal": self.illegal},
            "overloaded": {"truthful": self.truthful, "untruthful": self.untruthful,
                           "taken_in_later": self.taken_in_later, "refused_later": self.refused_later},
            "without_search": {"kept": self.kept, "shared": self.shared},
        })
        .to_string()
    }
}

fn name(status: u16) -> String {
    if status == 0 { "broken".to_owned() } else { status.to_string() }
}

/// Some numbers, sorted out. All zero without any.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Spread {
    count: usize,
    p50: f64,
    p90: f64,
    p99: f64,
    max: f64,
}

impl Spread {
    /// Percentiles by nearest rank.
    fn of(values: &[f64]) -> Self {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let at = |share: f64| {
            let rank = (share * sorted.len() as f64).ceil() as usize;
            sorted.get(rank.saturating_sub(1)).copied().unwrap_or_default()
        };
        Self { count: sorted.len(), p50: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1.0) }
    }

    fn to_json(self) -> Value {
        json!({"count": self.count, "p50": self.p50, "p90": self.p90, "p99": self.p99, "max": self.max})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_by_nearest_rank() {
        let hundred: Vec<f64> = (1..=100).rev().map(f64::from).collect();
        assert_eq!(Spread::of(&hundred), Spread { count: 100, p50: 50.0, p90: 90.0, p99: 99.0, max: 100.0 });
        assert_eq!(Spread::of(&[]), Spread::default());
    }

    #[test]
    fn a_word_is_broken_by_an_illegal_move_a_silent_503_or_another_failure() {
        let report = |called: Called| {
            let mut report = Report::default();
            report.add(called);
            report.kept_its_word()
        };
        let ms = Duration::from_millis(1);
        assert!(report(Called { legal: Some(true), ..Called::new(200, ms) }));
        assert!(report(Called { truthful: Some(true), ..Called::new(503, ms) }));
        assert!(!report(Called { legal: Some(false), ..Called::new(200, ms) }));
        assert!(!report(Called { truthful: Some(false), ..Called::new(503, ms) }));
        for broken in [0, 422, 500] {
            assert!(!report(Called::new(broken, ms)), "{broken}");
        }
    }
}
