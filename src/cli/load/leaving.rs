//! Callers who leave: how long their searches go on without them.

use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::json;

use super::questions::{Mix, Questions};
use crate::client::{Begun, Client, Error};

/// What was measured.
#[derive(Debug, Clone, Copy)]
pub struct Left {
    begun: usize,
    refused: u32,
    idle_after: Duration,
}

impl Left {
    /// For people, or as JSON for programs.
    pub fn told(&self, json: bool) -> String {
        let ms = self.idle_after.as_secs_f64() * 1e3;
        if json {
            return json!({"begun": self.begun, "refused": self.refused, "idle_after_ms": ms}).to_string();
        }
        format!(
            "{} searches begun, {} refused; pool idle {ms:.1} ms after the last one was left",
            self.begun, self.refused
        )
    }
}

/// What the status says of the pool.
#[derive(Debug, Deserialize)]
struct Load {
    threads: Threads,
    queue: Queue,
}

#[derive(Debug, Deserialize)]
struct Threads {
    busy: usize,
}

#[derive(Debug, Deserialize)]
struct Queue {
    interactive: usize,
    batch: usize,
}

/// Pause between two looks at the status; part of what is measured.
const PAUSE: Duration = Duration::from_micros(500);

/// Begins searches of a minute, leaves them all, and waits until no thread is busy and nothing waits.
pub async fn measure(client: &Client, count: u32, seed: u64) -> Result<Left, Error> {
    let mix: Mix = "leave=1".parse().expect("it is a mix");
    let mut questions = Questions::new(seed, &mix, (1, 1), 1);
    let (mut streams, mut refused) = (Vec::new(), 0);
    for _ in 0..count {
        match client.begin_alone(&questions.next().body).await? {
            Begun::Answer(stream) => streams.push(stream),
            Begun::Refused(_) => refused += 1,
        }
    }
    let begun = streams.len();
    // Each connection is closed when this is over.
    drop(streams);
    let left = Instant::now();
    loop {
        let Load { threads, queue } = client.get("/v1/status").await?;
        if threads.busy == 0 && queue.interactive == 0 && queue.batch == 0 {
            return Ok(Left { begun, refused, idle_after: left.elapsed() });
        }
        tokio::time::sleep(PAUSE).await;
    }
}
