//! Counters of the HTTP floor, and their rendering as Prometheus text. A few counters with closed label sets need no
//! registry of their own; everything else is read from its owner at the moment of the scrape.

use std::collections::HashMap;
use std::fmt::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::http::{Method, StatusCode};

/// Upper ends of the buckets of answer times, in seconds: from a legal-moves answer to the longest analysis.
const BUCKETS_S: [f64; 12] = [0.000_5, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 2.0, 5.0, 15.0, 60.0];

/// All counters of one server.
#[derive(Debug, Default)]
pub struct Metrics {
    in_flight: AtomicU64,
    // Routes are few and known, so this is held for well under a microsecond.
    routes: Mutex<HashMap<String, Route>>,
}

/// The answers of one route.
#[derive(Debug, Default)]
struct Route {
    answers: HashMap<(&'static str, u16), u64>,
    buckets: [u64; BUCKETS_S.len()],
    sum_s: f64,
    count: u64,
}

/// A request that has begun; it is no longer in flight when this is dropped.
#[derive(Debug)]
pub struct InFlight<'a>(&'a Metrics);

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        self.0.in_flight.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Metrics {
    /// Counts a request as in flight until the guard is dropped, also when its caller leaves early.
    pub fn begin(&self) -> InFlight<'_> {
        self.in_flight.fetch_add(1, Ordering::Relaxed);
        InFlight(self)
    }

    /// Counts one answer. `route` must come from a closed set.
    pub fn answered(&self, route: &str, method: &Method, status: StatusCode, elapsed: Duration) {
        let elapsed_s = elapsed.as_secs_f64();
        let mut routes = self.routes.lock().expect("no code under this lock can panic");
        let route = match routes.get_mut(route) {
            Some(route) => route,
            None => routes.entry(route.to_owned()).or_default(),
        };
        *route.answers.entry((method_label(method), status.as_u16())).or_default() += 1;
        for (bucket, end) in route.buckets.iter_mut().zip(BUCKETS_S) {
            *bucket += u64::from(elapsed_s <= end);
        }
        route.sum_s += elapsed_s;
        route.count += 1;
    }

    /// Writes all counters in the Prometheus text format, routes in the order of their names.
    pub fn render(&self, out: &mut String) {
        let routes = self.routes.lock().expect("no code under this lock can panic");
        let mut names: Vec<&String> = routes.keys().collect();
        names.sort_unstable();
        // Writing to a string cannot fail.
        let _ = self.render_into(out, &routes, &names);
    }

    fn render_into(
        &self,
        out: &mut String,
        routes: &HashMap<String, Route>,
        names: &[&String],
    ) -> std::fmt::Result {
        head(out, "discern_http_requests_in_flight", "gauge", "Requests being answered now.")?;
        writeln!(out, "discern_http_requests_in_flight {}", self.in_flight.load(Ordering::Relaxed))?;
        head(out, "discern_http_requests_total", "counter", "Answered requests.")?;
        for &name in names {
            let mut answers: Vec<_> = routes[name].answers.iter().collect();
            answers.sort_unstable();
            for ((method, status), count) in answers {
                writeln!(
                    out,
                    "discern_http_requests_total{{route=\"{name}\",method=\"{method}\",status=\"{status}\"}} {count}"
                )?;
            }
        }
        const SECONDS: &str = "discern_http_request_duration_seconds";
        head(out, SECONDS, "histogram", "Time from the head of a request to the head of its answer.")?;
        for &name in names {
            let route = &routes[name];
            for (end, count) in BUCKETS_S.iter().zip(route.buckets) {
                writeln!(out, "{SECONDS}_bucket{{route=\"{name}\",le=\"{end}\"}} {count}")?;
            }
            writeln!(out, "{SECONDS}_bucket{{route=\"{name}\",le=\"+Inf\"}} {}", route.count)?;
            writeln!(out, "{SECONDS}_sum{{route=\"{name}\"}} {}", route.sum_s)?;
            writeln!(out, "{SECONDS}_count{{route=\"{name}\"}} {}", route.count)?;
        }
        Ok(())
    }
}

/// Writes the two comment lines in front of a metric.
pub fn head(out: &mut String, name: &str, kind: &str, help: &str) -> std::fmt::Result {
    writeln!(out, "# HELP {name} {help}\n# TYPE {name} {kind}")
}

/// Methods as a closed set: a caller may invent as many as it likes.
fn method_label(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::POST => "POST",
        Method::HEAD => "HEAD",
        Method::OPTIONS => "OPTIONS",
        Method::PUT => "PUT",
        Method::DELETE => "DELETE",
        Method::PATCH => "PATCH",
        _ => "other",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_counted_by_route_method_and_status() {
        let metrics = Metrics::default();
        let guard = metrics.begin();
        for (method, status, ms) in [("GET", 200, 3), ("GET", 200, 30), ("BREW", 404, 1)] {
            let method = Method::from_bytes(method.as_bytes()).unwrap();
            metrics.answered("/a", &method, StatusCode::from_u16(status).unwrap(), Duration::from_millis(ms));
        }
        let mut text = String::new();
        metrics.render(&mut text);
        for line in [
            "discern_http_requests_in_flight 1",
            "discern_http_requests_total{route=\"/a\",method=\"GET\",status=\"200\"} 2",
            "discern_http_requests_total{route=\"/a\",method=\"other\",status=\"404\"} 1",
            "discern_http_request_duration_seconds_bucket{route=\"/a\",le=\"0.005\"} 2",
            "discern_http_request_duration_seconds_bucket{route=\"/a\",le=\"+Inf\"} 3",
            "discern_http_request_duration_seconds_count{route=\"/a\"} 3",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} in {text}");
        }
        drop(guard);
        text.clear();
        metrics.render(&mut text);
        assert!(text.contains("discern_http_requests_in_flight 0"));
    }
}
