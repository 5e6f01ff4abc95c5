//! Replays every game of the WTHOR archive and compares the totals with published ones, or writes the sample of games
//! that the tests carry.
//!
//! The folder with the `.wtb` files comes from `DISCERN_WTHOR`, else it is `../shared/data/othello/wthor` beside the
//! repository. Without that folder the check says that it was skipped and ends well.
//!
//! ```text
//! cargo run --release -p othello --example replay_wthor
//! cargo run --release -p othello --example replay_wthor -- --sample tests/data/othello/wthor-sample.wtb
//! ```

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use othello::position::{Color, EmptiesRule, Status};
use othello::wthor::{Archive, GAME_BYTES, Game, HEADER_BYTES, Replay};

/// Finished games in the sample.
const SAMPLE_FINISHED: usize = 1_980;
/// Games in the sample that stop before their end.
const SAMPLE_STOPPED: usize = 20;

/// What a full replay adds up to.
#[derive(Debug, Default, PartialEq, Eq)]
struct Totals {
    games: usize,
    discs: usize,
    finished: usize,
    stopped: usize,
    passes: u64,
    wipe_outs: usize,
    draws: usize,
}

/// Counted by an independent program, stated in the description that comes with the archive (1977 to 2025).
const PUBLISHED: Totals = Totals {
    games: 137_548,
    discs: 8_231_199,
    finished: 137_135,
    stopped: 413,
    passes: 156_887,
    wipe_outs: 1_155,
    draws: 7_731,
};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = archive_folder();
    if !folder.is_dir() {
        println!("SKIPPED: the replay of all WTHOR games, because there is no folder {}", folder.display());
        println!("Set DISCERN_WTHOR to the folder that holds WTH_1977.wtb to WTH_2025.wtb.");
        return Ok(());
    }
    let records = read_all(&folder)?;
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => check(&records),
        ["--sample", file] => write_sample(&records, Path::new(file)),
        _ => Err("usage: replay_wthor [--sample FILE]".into()),
    }
}

fn archive_folder() -> PathBuf {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/othello/wthor");
    env::var_os("DISCERN_WTHOR").map_or_else(beside, PathBuf::from)
}

/// A game with its bytes as they stand in the file, replayed.
struct Record {
    bytes: Vec<u8>,
    game: Game,
    replay: Replay,
}

/// All games of all files, in the order of the years.
fn read_all(folder: &Path) -> Result<Vec<Record>, Box<dyn Error>> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<_, std::io::Error>>()?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "wtb"));
    files.sort();
    let mut records = Vec::new();
    for file in files {
        let bytes = fs::read(&file)?;
        let archive = Archive::read(&bytes).map_err(|error| format!("{}: {error}", file.display()))?;
        for (index, game) in archive.games.into_iter().enumerate() {
            let start = HEADER_BYTES + index * GAME_BYTES;
            let replay =
                game.replay().map_err(|error| format!("{}, game {index}: {error}", file.display()))?;
            records.push(Record { bytes: bytes[start..start + GAME_BYTES].to_vec(), game, replay });
        }
    }
    Ok(records)
}

fn check(records: &[Record]) -> Result<(), Box<dyn Error>> {
    let mut totals = Totals::default();
    for (index, Record { game, replay, .. }) in records.iter().enumerate() {
        totals.games += 1;
        totals.discs += game.squares.len();
        totals.passes += u64::from(replay.passes);
        if replay.position.status() != Status::Finished {
            totals.stopped += 1;
            continue;
        }
        totals.finished += 1;
        let score = black_score(replay);
        if score != 2 * i32::from(game.black_discs) - 64 {
            return Err(
                format!("game {index} of all ends {score}, recorded {} discs", game.black_discs).into()
            );
        }
        totals.draws += usize::from(score == 0);
        let gone = |color| replay.position.discs(color) == 0;
        totals.wipe_outs += usize::from(gone(Color::Black) || gone(Color::White));
    }
    println!("{totals:?}");
    if totals == PUBLISHED {
        println!("All WTHOR games replay with their recorded score.");
        return Ok(());
    }
    Err(format!("the published totals are {PUBLISHED:?}").into())
}

/// Final disc difference for black, empty squares to the winner.
fn black_score(replay: &Replay) -> i32 {
    let score = replay.position.final_score(EmptiesRule::Winner);
    if replay.position.side() == Color::Black { score } else { -score }
}

/// Writes games spread evenly over all years: of the finished games in order, every n-th, and of those that stop early
/// too. Players and tournaments are set to 0.
fn write_sample(records: &[Record], file: &Path) -> Result<(), Box<dyn Error>> {
    let (finished, stopped): (Vec<_>, Vec<_>) =
        records.iter().partition(|record| record.replay.position.status() == Status::Finished);
    let evenly = |games: &[&Record], wanted: usize| -> Vec<Vec<u8>> {
        (0..wanted).map(|index| games[index * games.len() / wanted].bytes.clone()).collect()
    };
    let chosen = [evenly(&finished, SAMPLE_FINISHED), evenly(&stopped, SAMPLE_STOPPED)].concat();
    let mut bytes = vec![0; HEADER_BYTES];
    bytes[4..8].copy_from_slice(&u32::try_from(chosen.len())?.to_le_bytes());
    bytes[12] = 8;
    bytes[14] = 24;
    for mut record in chosen {
        record[..6].fill(0);
        bytes.append(&mut record);
    }
    fs::write(file, &bytes)?;
    println!("{} bytes written to {}", bytes.len(), file.display());
    Ok(())
}
