//! Trains the Othello evaluation: makes positions, labels them, fits the weights, packs them.
//!
//! Stages are groups of empties. They are trained from the end of the game backwards: the labels of one stage come
//! from searches that look into the stages trained before it, and in the last stages from the exact solver.

#![forbid(unsafe_code)]

mod calibrate;
mod fit;
mod games;
mod label;
mod leaves;
mod play;
mod random;
mod report;
mod sample;
mod search;
mod tournament;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};
use clap::{Parser, Subcommand};
use othello::evaluation::network::model::Stage;
use othello::evaluation::network::stages::{STAGE_LAST_EMPTIES, STAGES};
use othello::evaluation::network::{loaded, packed};
use othello::query::Selectivity;

use crate::fit::{Fit, Kind, Settings};
use crate::sample::{Sample, Source};

/// Empties beyond both ends of a stage whose samples are used too, so that neighbouring stages agree at the seam.
const OVERLAP_EMPTIES: u32 = 2;
/// Records at the end of a file of exact endgames that are never trained on.
const EXACT_HELD_OUT: usize = 50_000;

#[derive(Parser)]
#[command(version, about = "Trains the Othello evaluation")]
struct Arguments {
    /// Folder for samples and intermediate weights; everything in it can be resumed from.
    #[arg(long, default_value = "data-work")]
    folder: PathBuf,
    #[command(subcommand)]
    command: Action,
}

#[derive(Subcommand)]
enum Action {
    /// The whole pipeline, last stage first: label, fit, next stage.
    Run {
        /// Labelled positions for each stage.
        #[arg(long, default_value_t = 300_000)]
        samples: usize,
        /// Passes over the samples when fitting.
        #[arg(long, default_value_t = 8)]
        epochs: u32,
        /// File of exact endgames to use beside own positions in the late stages.
        #[arg(long)]
        exact_endgames: Option<PathBuf>,
        /// First and last stage, counted from the end of the game.
        #[arg(long, default_value = "0")]
        from: usize,
        /// Last stage to train.
        #[arg(long, default_value_t = STAGES - 1)]
        to: usize,
    },
    /// Makes and labels positions of one stage; goes on where it was stopped.
    Label {
        /// The stage, counted from the end of the game.
        #[arg(long)]
        stage: usize,
        /// Labelled positions wanted in all.
        #[arg(long)]
        samples: usize,
    },
    /// Plays games by search from tournament beginnings and labels all their positions; goes on where it was stopped.
    Games {
        /// Folder of tournament archives (WTHOR).
        #[arg(long)]
        wthor: PathBuf,
        /// Fewest empties at which a tournament game is left.
        #[arg(long, default_value_t = 20)]
        fewest_empties: u32,
        /// Most empties at which a tournament game is left.
        #[arg(long, default_value_t = 60)]
        most_empties: u32,
        /// Labelled positions wanted in this process's file.
        #[arg(long)]
        samples: usize,
        /// Number of this process among those that share the work, from 0.
        #[arg(long, default_value_t = 0)]
        share: u32,
        /// Processes that share the work.
        #[arg(long, default_value_t = 1)]
        of: u32,
    },
    /// Labels positions a few noisy moves away from tournament games; goes on where it was stopped.
    Leaves {
        /// Folder of tournament archives (WTHOR).
        #[arg(long)]
        wthor: PathBuf,
        /// Fewest empties of the labelled positions.
        #[arg(long)]
        fewest_empties: u32,
        /// Most empties of the labelled positions.
        #[arg(long)]
        most_empties: u32,
        /// From so many empties down labels are exact.
        #[arg(long, default_value_t = 17)]
        exact_from_empties: u32,
        /// Plies of the searches that label the others.
        #[arg(long, default_value_t = 4)]
        plies: u8,
        /// Selectivity of those searches, percent.
        #[arg(long, default_value_t = 100)]
        percent: u8,
        /// Labelled positions wanted in all.
        #[arg(long)]
        samples: usize,
    },
    /// Fits the weights of one stage and packs them with the others.
    Fit {
        /// The stage.
        #[arg(long)]
        stage: usize,
        /// Passes over the samples.
        #[arg(long, default_value_t = 8)]
        epochs: u32,
        /// Linear table alone, or with hidden units.
        #[arg(long, value_enum, default_value = "network")]
        kind: Kind,
        /// File of exact endgames.
        #[arg(long)]
        exact_endgames: Option<PathBuf>,
        /// Folder of tournament archives (WTHOR), whose games then count as samples with their results.
        #[arg(long)]
        wthor: Option<PathBuf>,
        /// Stage whose weights are the start instead of small random ones.
        #[arg(long)]
        start: Option<usize>,
        /// Error from which on the loss grows only in proportion, discs.
        #[arg(long, default_value_t = 6.0)]
        linear_beyond: f32,
        /// Weight of the noisy labels of recorded games.
        #[arg(long, default_value_t = 0.1)]
        recorded_weight: f32,
        /// A sample that is judged this many discs from even counts half.
        #[arg(long, default_value_t = 16.0)]
        half_weight_at: f32,
        /// Folder whose weights get the new ones beside theirs, instead of those that are started from.
        #[arg(long)]
        out: Option<PathBuf>,
    },
    /// Takes out what the weights add for merely being to move, by the results of tournament games.
    Calibrate {
        /// Folder of tournament archives (WTHOR).
        #[arg(long)]
        wthor: PathBuf,
    },
    /// Prints the error on held-out samples by number of empties.
    Report {
        /// Also measures on the part of a file of exact endgames that is never trained on.
        #[arg(long)]
        exact_endgames: Option<PathBuf>,
        /// Folder to write plots to.
        #[arg(long)]
        plots: Option<PathBuf>,
    },
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let folder = arguments.folder;
    fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
    match arguments.command {
        Action::Run { samples, epochs, exact_endgames, from, to } => {
            ensure!(from <= to && to < STAGES, "stages are 0 to {}", STAGES - 1);
            (from..=to)
                .try_for_each(|stage| run_stage(&folder, stage, samples, epochs, exact_endgames.as_deref()))
        }
        Action::Label { stage, samples } => {
            use_weights(&folder)?;
            label::label_stage(stage, samples, &samples_file(&folder, stage))
        }
        Action::Games { wthor, fewest_empties, most_empties, samples, share, of } => {
            use_weights(&folder)?;
            let leave = fewest_empties..=most_empties;
            let path = folder.join(format!("games-{most_empties}-{share}-of-{of}.bin"));
            games::play_games(&wthor, &leave, games::Share { share, of }, samples, &path)
        }
        Action::Leaves {
            wthor,
            fewest_empties,
            most_empties,
            exact_from_empties,
            plies,
            percent,
            samples,
        } => {
            use_weights(&folder)?;
            let selectivity = Selectivity::from_percent(percent).context("no such selectivity")?;
            let labels = leaves::Labels { exact_from_empties, plies, selectivity };
            let path = folder.join(format!("leaves-{fewest_empties}-{most_empties}.bin"));
            leaves::label_leaves(&wthor, fewest_empties..=most_empties, labels, samples, &path)
        }
        Action::Fit {
            stage,
            epochs,
            kind,
            exact_endgames,
            wthor,
            start,
            linear_beyond,
            recorded_weight,
            half_weight_at,
            out,
        } => {
            let samples = fit_samples(&folder, stage, exact_endgames.as_deref(), wthor.as_deref())?;
            let settings = Settings { kind, epochs, seed: 1, linear_beyond, recorded_weight, half_weight_at };
            let start = match start {
                None => None,
                Some(start) => Some(stored_stage(&folder, start)?),
            };
            fit_stage(out.as_deref().unwrap_or(&folder), stage, settings, start.as_ref(), samples)
        }
        Action::Calibrate { wthor } => {
            use_weights(&folder)?;
            let surplus = calibrate::surplus(&wthor)?;
            for (stage, [even, odd]) in surplus.iter().enumerate() {
                println!("stage {stage}: {even:+.2} discs too much at even empties, {odd:+.2} at odd");
            }
            let mut stages = stored_stages(&folder)?;
            calibrate::take_out(&mut stages, &surplus);
            store(&folder, &stages)
        }
        Action::Report { exact_endgames, plots } => {
            use_weights(&folder)?;
            let mut samples = own_samples(&folder)?;
            samples.retain(Sample::is_held_out);
            let mut sets = vec![("held-out", "own held-out positions", samples)];
            if let Some(path) = exact_endgames {
                let all = sample::read_exact_endgames(&path)?;
                let last = all[all.len().saturating_sub(EXACT_HELD_OUT)..].to_vec();
                sets.push(("exact", "held-out exact endgames", last));
            }
            sets.iter()
                .try_for_each(|(name, title, samples)| report_on(name, title, samples, plots.as_deref()))
        }
    }
}

/// Prints the table of one set of samples, and writes its plot where a folder for plots is given.
fn report_on(name: &str, title: &str, samples: &[Sample], plots: Option<&Path>) -> anyhow::Result<()> {
    let groups = report::by_empties(samples);
    println!("{}", report::table(title, &groups));
    let Some(folder) = plots else { return Ok(()) };
    fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))?;
    let path = folder.join(format!("error-{name}.svg"));
    fs::write(&path, report::plot(title, &groups)).with_context(|| format!("writing {}", path.display()))
}

/// Labels and fits one stage, each in a process of its own, because a process keeps the weights it started with.
fn run_stage(
    folder: &Path,
    stage: usize,
    samples: usize,
    epochs: u32,
    exact: Option<&Path>,
) -> anyhow::Result<()> {
    let own = std::env::current_exe().context("finding this program")?;
    let mut label = Command::new(&own);
    label.arg("--folder").arg(folder).args(["label", "--stage", &stage.to_string()]);
    label.args(["--samples", &samples.to_string()]);
    let mut fit = Command::new(&own);
    fit.arg("--folder").arg(folder).args(["fit", "--stage", &stage.to_string()]);
    fit.args(["--epochs", &epochs.to_string()]);
    if let Some(path) = exact {
        fit.arg("--exact-endgames").arg(path);
    }
    for mut step in [label, fit] {
        let status = step.status().context("starting a step")?;
        ensure!(status.success(), "a step failed: {status}");
    }
    Ok(())
}

/// The samples a stage is fitted to, each position once.
fn fit_samples(
    folder: &Path,
    stage: usize,
    exact: Option<&Path>,
    wthor: Option<&Path>,
) -> anyhow::Result<Vec<Sample>> {
    let (low, high) = empties_of(stage);
    let wanted = low.saturating_sub(OVERLAP_EMPTIES)..=high + OVERLAP_EMPTIES;
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

/// Fits one stage and puts it among the weights of `folder`.
fn fit_stage(
    folder: &Path,
    stage: usize,
    settings: Settings,
    start: Option<&Stage>,
    samples: Vec<Sample>,
) -> anyhow::Result<()> {
    let (held_out, training): (Vec<Sample>, Vec<Sample>) = samples.into_iter().partition(Sample::is_held_out);
    println!("stage {stage}: {} samples, {} held out", training.len(), held_out.len());
    let mut fit = start.map_or_else(|| Fit::new(settings), |start| Fit::from_stage(settings, start));
    fit.train(&training, settings, &mut |epoch, error| {
        println!("epoch {epoch}: {error:.3} discs in training")
    });
    println!("stage {stage}: held-out mean absolute error {:.3} discs", fit.mean_absolute_error(&held_out));
    for source in Source::ALL {
        let mut own = held_out.clone();
        own.retain(|sample| sample.source() == source);
        if !own.is_empty() {
            println!("  {source}: {:.3} discs on {}", fit.mean_absolute_error(&own), own.len());
        }
    }
    let mut stages = stored_stages(folder)?;
    stages[stage] = Some(fit.quantised());
    store(folder, &stages)
}

fn store(folder: &Path, stages: &[Option<Stage>]) -> anyhow::Result<()> {
    let path = weights_file(folder);
    fs::write(&path, packed::pack(stages)).with_context(|| format!("writing {}", path.display()))
}

/// Fewest and most empties of a stage.
fn empties_of(stage: usize) -> (u32, u32) {
    let low = if stage == 0 { 0 } else { u32::from(STAGE_LAST_EMPTIES[stage - 1]) + 1 };
    (low, u32::from(STAGE_LAST_EMPTIES[stage]))
}

fn weights_file(folder: &Path) -> PathBuf {
    folder.join("evaluation.bin")
}

fn samples_file(folder: &Path, stage: usize) -> PathBuf {
    folder.join(format!("samples-{stage}.bin"))
}

/// All samples labelled so far: by stage, and of whole games.
fn own_samples(folder: &Path) -> anyhow::Result<Vec<Sample>> {
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

fn stored_stages(folder: &Path) -> anyhow::Result<Vec<Option<Stage>>> {
    let path = weights_file(folder);
    if !path.exists() {
        return Ok(vec![None; STAGES]);
    }
    let bytes = fs::read(&path).with_context(|| format!("reading {}", path.display()))?;
    Ok(packed::unpack(&bytes).with_context(|| path.display().to_string())?.into_stages())
}

fn stored_stage(folder: &Path, stage: usize) -> anyhow::Result<Stage> {
    ensure!(stage < STAGES, "stages are 0 to {}", STAGES - 1);
    stored_stages(folder)?.swap_remove(stage).with_context(|| format!("stage {stage} has no weights"))
}

/// Makes the whole process evaluate with the weights of the folder.
fn use_weights(folder: &Path) -> anyhow::Result<()> {
    let model = othello::evaluation::network::model::Model::new(stored_stages(folder)?);
    loaded::install(model).context("the weights of a process are chosen before anything is evaluated")
}
