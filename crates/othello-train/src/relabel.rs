//! Newer labels for positions that have some.
//!
//! The labels that positions are trained with come from quick searches and are some discs off themselves, so the error
//! against them says less the better the weights are. A few thousand held-out positions of each group get the value
//! of a search that is many times as deep, and measure the weights instead.

use std::path::Path;

use crate::folder::empties_of;
use crate::label;
use crate::labeller::{Labels, with_labeller};
use crate::random::Random;
use crate::sample::{Growing, Sample};
use othello::evaluation::network::stages::STAGES;

/// Positions between two writes.
const POSITIONS_PER_WRITE: usize = 100;

/// Labels these positions anew, in order, and writes them to a file; goes on where it was stopped.
///
/// # Errors
/// When the file cannot be read or written.
pub fn relabel(samples: &[Sample], labels: Labels, path: &Path) -> anyhow::Result<()> {
    let mut file = Growing::open(path)?;
    let bar = label::progress("labelling anew", samples.len());
    let left = samples.get(file.count..).unwrap_or_default();
    with_labeller(labels, |labeller| {
        for some in left.chunks(POSITIONS_PER_WRITE) {
            let relabelled =
                some.iter().map(|sample| Sample { centidiscs: labeller.label(sample.board), ..*sample });
            file.append(&relabelled.collect::<Vec<_>>())?;
            bar.set_position(file.count as u64);
        }
        anyhow::Ok(())
    })?;
    bar.finish();
    Ok(())
}

/// Up to `per_stage` of these positions in every stage, drawn without choice, the same in every run.
pub fn drawn(held_out: &[Sample], per_stage: usize) -> Vec<Sample> {
    (0..STAGES)
        .flat_map(|stage| {
            let (low, high) = empties_of(stage);
            let mut own = held_out.to_vec();
            own.retain(|sample| (low..=high).contains(&sample.empties()));
            Random::new(stage as u64).shuffle(&mut own);
            own.truncate(per_stage);
            own
        })
        .collect()
}
