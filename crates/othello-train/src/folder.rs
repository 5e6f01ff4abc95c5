//! What lies in the folder of a run: samples, weights, and truer labels of held-out positions.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use othello::evaluation::network::model::{Model, Stage};
use othello::evaluation::network::stages::{STAGE_LAST_EMPTIES, STAGES};
use othello::evaluation::network::{loaded, packed};

use crate::sample::{self, Sample, Source};
use crate::tournament;

/// Records at the end of a file of exact endgames that are never trained on.
pub const EXACT_HELD_OUT: usize = 50_000;

/// The samples a stage is fitted to, each position once.
pub fn fit_samples(
    folder: &Path,
    stage: usize,
    overlap: u32,
    exact: Option<&Path>,
    wthor: Option<&Path>,
) -> anyhow::Result<Vec<Sample>> {
    let (low, high) = empties_of(stage);
    let wanted = low.saturating_sub(overlap)..=high + overlap;
    let mut samples = own_samples(folder)?;
    if let Some(path) = exact {
        let all = sample::read_exact_endgames(path)?;
        samples.extend_from_slice(&all[..all.len().saturating_sub(EXACT_HELD_OUT)]);
    }
    if let Some(path) = wthor {
        samples.extend(tournament::samples(path)?);
    }
    samples.retain(|sample| wanted.contains(&sample.empties()));
    Ok(sample::distinct(samples))
}

/// Writes all weights.
pub fn store(folder: &Path, stages: &[Option<Stage>]) -> anyhow::Result<()> {
    let path = weights_file(folder);
    fs::write(&path, packed::pack(stages)).with_context(|| format!("writing {}", path.display()))
}

/// Fewest and most empties of a stage.
pub fn empties_of(stage: usize) -> (u32, u32) {
    let low = if stage == 0 { 0 } else { u32::from(STAGE_LAST_EMPTIES[stage - 1]) + 1 };
    (low, u32::from(STAGE_LAST_EMPTIES[stage]))
}

/// Where the weights are.
pub fn weights_file(folder: &Path) -> PathBuf {
    folder.join("evaluation.bin")
}

/// Held-out positions of one source with deep labels; its name keeps it from being trained on.
pub fn relabelled_file(folder: &Path, source: Source) -> PathBuf {
    folder.join(format!("held-out-{source:?}.bin").to_lowercase())
}

/// The held-out positions of a stage that have deep labels.
pub fn deep_held_out(folder: &Path, stage: usize) -> anyhow::Result<Vec<Sample>> {
    let (low, high) = empties_of(stage);
    let mut samples = Vec::new();
    for source in Source::ALL {
        let path = relabelled_file(folder, source);
        if path.exists() {
            samples.extend(sample::read(&path)?);
        }
    }
    samples.retain(|sample| (low..=high).contains(&sample.empties()));
    Ok(samples)
}

/// Where the positions of own noisy games of a stage are.
pub fn samples_file(folder: &Path, stage: usize) -> PathBuf {
    folder.join(format!("samples-{stage}.bin"))
}

/// All samples labelled so far: by stage, and of whole games.
pub fn own_samples(folder: &Path) -> anyhow::Result<Vec<Sample>> {
    let entries = fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    let holds_samples = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        ["samples-", "games-", "leaves-"].iter().any(|kind| name.starts_with(kind)) && name.ends_with(".bin")
    };
    paths.retain(holds_samples);
    paths.sort();
    let mut samples = Vec::new();
    for path in paths {
        samples.extend(sample::read(&path)?);
    }
    Ok(samples)
}

/// The weights of the folder, late to early; `None` for each stage that has not been fitted.
pub fn stored_stages(folder: &Path) -> anyhow::Result<Vec<Option<Stage>>> {
    let path = weights_file(folder);
    if !path.exists() {
        return Ok(vec![None; STAGES]);
    }
    let bytes = fs::read(&path).with_context(|| format!("reading {}", path.display()))?;
    Ok(packed::unpack(&bytes).with_context(|| path.display().to_string())?.into_stages())
}

/// The weights of one stage.
pub fn stored_stage(folder: &Path, stage: usize) -> anyhow::Result<Stage> {
    ensure!(stage < STAGES, "stages are 0 to {}", STAGES - 1);
    stored_stages(folder)?.swap_remove(stage).with_context(|| format!("stage {stage} has no weights"))
}

/// Makes the whole process evaluate with the weights of the folder.
pub fn use_weights(folder: &Path) -> anyhow::Result<()> {
    let model = Model::new(stored_stages(folder)?);
    loaded::install(model).context("the weights of a process are chosen before anything is evaluated")
}
