//! Compares the committed tables of line counts in full, to depth 11, which is too much for the test suite, and shows
//! the speed of counting.
//!
//! ```text
//! cargo run --release -p othello --example deep_perft
//! ```

use std::error::Error;
use std::path::Path;
use std::time::Instant;
use std::{fs, process};

use othello::board::Size;
use othello::perft::{Counting, EarlyEnd, PassCost, perft};
use othello::position::Position;
use serde::Deserialize;

/// The deepest row of the published table that is counted here; the rows beyond take minutes and more.
const DEEPEST: u8 = 11;

const WITHOUT_EARLY_ENDS: Counting = Counting { pass: PassCost::Ply, early_end: EarlyEnd::Nothing };
const FREE_PASSES: Counting = Counting { pass: PassCost::Free, early_end: EarlyEnd::Leaf };
const DISCS: Counting = Counting { pass: PassCost::Free, early_end: EarlyEnd::Nothing };

#[derive(Deserialize)]
struct Tables {
    initial: Vec<Initial>,
}

#[derive(Deserialize)]
struct Initial {
    size: usize,
    plies_game_over_counts_one: Vec<u64>,
    plies_game_over_counts_zero: Vec<u64>,
    discs: Vec<u64>,
}

/// One count that somebody else published or computed.
struct Row {
    size: Size,
    depth: u8,
    counting: Counting,
    leaves: u64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data");
    let mut rows = published(&fs::read_to_string(data.join("othello/perft.tsv"))?)?;
    rows.extend(golden(serde_json::from_slice(&fs::read(data.join("seeds/othello_perft.json"))?)?)?);
    let mut wrong = 0;
    for row in &rows {
        let began = Instant::now();
        let found = perft(Position::start(row.size), row.depth, row.counting);
        let seconds = began.elapsed().as_secs_f64();
        if found != row.leaves {
            wrong += 1;
            println!("{:?} depth {} {:?}: {found}, not {}", row.size, row.depth, row.counting, row.leaves);
        } else if (row.size, row.depth) == (Size::Eight, DEEPEST) {
            let speed = found as f64 / seconds / 1e9;
            println!(
                "{:?} depth {}: {found} leaves, {speed:.2} G a second of wall time",
                row.size, row.depth
            );
        }
    }
    println!("{} of {} counts are right", rows.len() - wrong, rows.len());
    process::exit(i32::from(wrong > 0))
}

/// Depth, leaves when a pass is a ply, leaves when it is free; an early end is a leaf in both.
fn published(table: &str) -> Result<Vec<Row>, Box<dyn Error>> {
    let mut rows = Vec::new();
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let fields = line.split_whitespace().map(str::parse).collect::<Result<Vec<u64>, _>>()?;
        let depth = u8::try_from(fields[0])?;
        for (&leaves, counting) in fields[1..].iter().zip([Counting::PUBLISHED, FREE_PASSES]) {
            if depth <= DEEPEST {
                rows.push(Row { size: Size::Eight, depth, counting, leaves });
            }
        }
    }
    Ok(rows)
}

fn golden(tables: Tables) -> Result<Vec<Row>, Box<dyn Error>> {
    let mut rows = Vec::new();
    for table in tables.initial {
        let size = Size::from_side(table.size).ok_or("a board of a size that cannot be played")?;
        for (counting, counts) in [
            (Counting::PUBLISHED, table.plies_game_over_counts_one),
            (WITHOUT_EARLY_ENDS, table.plies_game_over_counts_zero),
            (DISCS, table.discs),
        ] {
            let count = |(depth, leaves)| Row { size, depth, counting, leaves };
            rows.extend((0..).zip(counts).map(count));
        }
    }
    Ok(rows)
}
