//! The whole pipeline in one command, which is how the weights in use came about.
//!
//! A round goes through the stages from the end of the game backwards. For each: the weights of the stage before stand in
//! until it has its own, positions are made and labelled with the weights so far, the stage is fitted, and the surplus
//! for being to move is taken out, so that the labels of the next stage are free of it. Another round makes as many new
//! positions again, with the better weights of the one before, and goes on from them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};
use othello::evaluation::network::stages::STAGES;

use crate::folder::{empties_of, store, stored_stages};

/// Fewest and most empties at which walks end: a labelled position needs a few moves to the end and from the start.
const WALKS_END: (u32, u32) = (9, 58);
/// From so many empties down walks are labelled exactly.
const EXACT_FROM_EMPTIES: &str = "14";
/// Plies and selectivity of the searches that label the others.
const LABEL_PLIES: [&str; 2] = ["6", "73"];

/// What a run does.
#[derive(clap::Args)]
pub struct Plan {
    /// Labelled positions of own noisy games for each stage and round.
    #[arg(long, default_value_t = 60_000)]
    samples: usize,
    /// Labelled walks from tournament games for each stage and round, where there is a folder of archives.
    #[arg(long, default_value_t = 350_000)]
    walks: usize,
    /// Passes over the samples when fitting.
    #[arg(long, default_value_t = 6)]
    epochs: u32,
    /// Rounds through all stages.
    #[arg(long, default_value_t = 2)]
    rounds: usize,
    /// Folder of tournament archives (WTHOR): beginnings of walks, samples with small weight, and what calibrates.
    #[arg(long)]
    wthor: Option<PathBuf>,
    /// File of exact endgames to use beside own positions in the late stages.
    #[arg(long)]
    exact_endgames: Option<PathBuf>,
    /// First stage, counted from the end of the game.
    #[arg(long, default_value_t = 0)]
    from: usize,
    /// Last stage.
    #[arg(long, default_value_t = STAGES - 1)]
    to: usize,
}

/// Carries out a plan; goes on where it was stopped.
///
/// # Errors
/// When a step fails or the folder cannot be written.
pub fn run(folder: &Path, plan: &Plan) -> anyhow::Result<()> {
    ensure!(plan.from <= plan.to && plan.to < STAGES, "stages are 0 to {}", STAGES - 1);
    let finished = folder.join("finished-steps");
    let mut done: usize = match fs::read_to_string(&finished) {
        Ok(text) => text.trim().parse().with_context(|| format!("reading {}", finished.display()))?,
        Err(_) => 0,
    };
    let steps = (1..=plan.rounds).flat_map(|round| (plan.from..=plan.to).map(move |stage| (round, stage)));
    for (round, stage) in steps.skip(done) {
        println!("round {round}, stage {stage}");
        run_stage(folder, plan, round, stage)?;
        done += 1;
        fs::write(&finished, done.to_string()).with_context(|| format!("writing {}", finished.display()))?;
    }
    Ok(())
}

/// One stage in one round, every step in a process of its own, because a process keeps the weights it started with.
fn run_stage(folder: &Path, plan: &Plan, round: usize, stage: usize) -> anyhow::Result<()> {
    let has_start = stand_in(folder, stage)?;
    let number = stage.to_string();
    step(folder, &["label", "--stage", &number, "--samples", &(plan.samples * round).to_string()], &[])?;
    if let Some(wthor) = &plan.wthor {
        let (low, high) = empties_of(stage);
        let (low, high) = (low.max(WALKS_END.0).to_string(), high.min(WALKS_END.1).to_string());
        let wanted = (plan.walks * round).to_string();
        let [plies, percent] = LABEL_PLIES;
        let walks = ["leaves", "--fewest-empties", &low, "--most-empties", &high, "--samples", &wanted];
        let labels = ["--exact-from-empties", EXACT_FROM_EMPTIES, "--plies", plies, "--percent", percent];
        step(folder, &[&walks[..], &labels[..]].concat(), &[("--wthor", wthor)])?;
    }
    let mut files: Vec<(&str, &Path)> = Vec::new();
    files.extend(plan.wthor.as_deref().map(|path| ("--wthor", path)));
    files.extend(plan.exact_endgames.as_deref().map(|path| ("--exact-endgames", path)));
    let epochs = plan.epochs.to_string();
    let mut fit = vec!["fit", "--stage", &number, "--epochs", &epochs];
    if has_start {
        fit.extend(["--start", &number]);
    }
    step(folder, &fit, &files)?;
    match &plan.wthor {
        Some(wthor) => step(folder, &["calibrate"], &[("--wthor", wthor)]),
        None => Ok(()),
    }
}

/// Lets the weights of the stage before stand in for a stage that has none yet. Returns whether the stage has weights
/// now.
fn stand_in(folder: &Path, stage: usize) -> anyhow::Result<bool> {
    let mut stages = stored_stages(folder)?;
    if stages[stage].is_none() && stage > 0 && stages[stage - 1].is_some() {
        stages[stage] = stages[stage - 1].clone();
        store(folder, &stages)?;
    }
    Ok(stages[stage].is_some())
}

/// Runs this program with other arguments on the same folder.
fn step(folder: &Path, arguments: &[&str], files: &[(&str, &Path)]) -> anyhow::Result<()> {
    let own = std::env::current_exe().context("finding this program")?;
    let mut command = Command::new(own);
    command.arg("--folder").arg(folder).args(arguments);
    for (name, path) in files {
        command.arg(name).arg(path);
    }
    let status = command.status().context("starting a step")?;
    ensure!(status.success(), "a step failed: {status}");
    Ok(())
}
