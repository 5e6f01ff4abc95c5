//! Trains the Othello evaluation: makes positions, labels them, fits the weights, packs them.
//!
//! Stages are groups of empties. They are trained from the end of the game backwards: the labels of one stage come
//! from searches that look into the stages trained before it, and in the last stages from the exact solver.

#![forbid(unsafe_code)]

mod calibrate;
mod fit;
mod folder;
mod games;
mod label;
mod labeller;
mod leaves;
mod pipeline;
mod play;
mod random;
mod relabel;
mod report;
mod sample;
mod search;
mod tournament;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Parser, Subcommand};
use othello::evaluation::network::model::Stage;

use crate::fit::{Fit, Kind, Settings};
use crate::folder::{
    EXACT_HELD_OUT, deep_held_out, fit_samples, own_samples, relabelled_file, samples_file, store,
    stored_stage, stored_stages, use_weights,
};
use crate::labeller::Labels;
use crate::sample::{Sample, Source};

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
    /// The whole pipeline: stage by stage from the end of the game label, fit and calibrate, and all over again.
    Run(pipeline::Plan),
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
        /// Empties beyond both ends of a stage whose samples are used too, so that neighbouring stages agree at the seam.
        #[arg(long, default_value_t = 4)]
        overlap: u32,
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
    /// Labels some held-out positions again by a deep search, for `report`; goes on where it was stopped.
    Relabel {
        /// Where the positions come from.
        #[arg(long, value_enum, default_value = "own")]
        source: Source,
        /// Positions of each stage.
        #[arg(long, default_value_t = 2000)]
        per_stage: usize,
        /// From so many empties down labels are exact.
        #[arg(long, default_value_t = 18)]
        exact_from_empties: u32,
        /// Plies of the searches that label the others.
        #[arg(long, default_value_t = 10)]
        plies: u8,
        /// Selectivity of those searches, percent.
        #[arg(long, default_value_t = 98)]
        percent: u8,
    },
    /// Labels the positions of a file anew with the weights of the folder; goes on where it was stopped.
    Renew {
        /// File of samples.
        #[arg(long)]
        from: PathBuf,
        /// File to write.
        #[arg(long)]
        to: PathBuf,
        /// From so many empties down labels are exact, and stay as they are.
        #[arg(long, default_value_t = 14)]
        exact_from_empties: u32,
        /// Plies of the searches that label the others.
        #[arg(long, default_value_t = 6)]
        plies: u8,
        /// Selectivity of those searches, percent.
        #[arg(long, default_value_t = 73)]
        percent: u8,
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
        Action::Run(plan) => pipeline::run(&folder, &plan),
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
            let labels = Labels::new(exact_from_empties, plies, percent)?;
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
            overlap,
            out,
        } => {
            let samples = fit_samples(&folder, stage, overlap, exact_endgames.as_deref(), wthor.as_deref())?;
            let settings = Settings { kind, epochs, seed: 1, linear_beyond, recorded_weight, half_weight_at };
            let start = match start {
                None => None,
                Some(start) => Some(stored_stage(&folder, start)?),
            };
            let out = out.as_deref().unwrap_or(&folder);
            fit_stage(out, stage, settings, start.as_ref(), samples, &deep_held_out(&folder, stage)?)
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
        Action::Relabel { source, per_stage, exact_from_empties, plies, percent } => {
            use_weights(&folder)?;
            let labels = Labels::new(exact_from_empties, plies, percent)?;
            let mut samples = sample::distinct(own_samples(&folder)?);
            samples.retain(|sample| sample.is_held_out() && sample.source() == source);
            let drawn = relabel::drawn(&samples, per_stage);
            relabel::relabel(&drawn, labels, &relabelled_file(&folder, source))
        }
        Action::Renew { from, to, exact_from_empties, plies, percent } => {
            use_weights(&folder)?;
            let labels = Labels::new(exact_from_empties, plies, percent)?;
            relabel::relabel(&sample::read(&from)?, labels, &to)
        }
        Action::Report { exact_endgames, plots } => {
            use_weights(&folder)?;
            let mut samples = sample::distinct(own_samples(&folder)?);
            println!("{} different positions of our own", samples.len());
            samples.retain(Sample::is_held_out);
            let mut sets = Vec::new();
            for (name, source) in [("held-out", Source::Own), ("walks", Source::Walk)] {
                let mut own = samples.clone();
                own.retain(|sample| sample.source() == source);
                sets.push((name.to_owned(), format!("held-out positions, {source}"), own));
                let path = relabelled_file(&folder, source);
                if path.exists() {
                    let title = format!("held-out positions, {source}, labelled deep");
                    sets.push((format!("{name}-deep"), title, sample::read(&path)?));
                }
            }
            if let Some(path) = exact_endgames {
                let all = sample::read_exact_endgames(&path)?;
                let last = all[all.len().saturating_sub(EXACT_HELD_OUT)..].to_vec();
                sets.push(("exact".to_owned(), "held-out exact endgames".to_owned(), last));
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

/// Fits one stage and puts it among the weights of `folder`.
fn fit_stage(
    folder: &Path,
    stage: usize,
    settings: Settings,
    start: Option<&Stage>,
    samples: Vec<Sample>,
    deep: &[Sample],
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
        let mut own = deep.to_vec();
        own.retain(|sample| sample.source() == source);
        if !own.is_empty() {
            println!(
                "  {source}, labelled deep: {:.3} discs on {}",
                fit.mean_absolute_error(&own),
                own.len()
            );
        }
    }
    let mut stages = stored_stages(folder)?;
    stages[stage] = Some(fit.quantised());
    store(folder, &stages)
}
