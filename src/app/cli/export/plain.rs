//! The positions of a run as text, for other trainers.

use std::{
    fs,
    io::{BufWriter, ErrorKind, Write},
    path::{Path, PathBuf},
    sync::atomic::Ordering,
};

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};

use super::super::{CliError, interrupt, output::Force};
use crate::{
    base::{
        rng::{Purpose, stream},
        store::{Shuffle, folder_of},
    },
    games::rules::GameId,
    training::{
        run::RunDir,
        selfplay::{GameRecord, PlainFilter, plain_positions, read_sealed_of_any},
    },
    with_game,
};

/// What was written.
#[derive(Debug)]
pub(super) struct Report {
    /// The game; `None` where there was no record.
    pub(super) game: Option<GameId>,
    /// Games read.
    pub(super) games: u64,
    /// Positions written.
    pub(super) positions: u64,
}

/// Writes the positions of all records of the run in `root` to `output`, in random order.
///
/// # Errors
/// When there are no records, when one cannot be read, and when nothing can be written; also when the user stopped it.
pub(super) fn export(
    root: &Path,
    output: &Path,
    force: Force,
    filter: PlainFilter,
    seed: u64,
) -> Result<Report> {
    let files = record_files(root)?;
    let bar = ProgressBar::new(files.len() as u64);
    bar.set_style(
        ProgressStyle::with_template("{wide_bar} {pos}/{len} generations, {eta} left").expect("a template"),
    );
    let folder = folder_of(output);
    let mut report = Report { game: None, games: 0, positions: 0 };
    force.write_with(output, |out| {
        let mut shuffle = Shuffle::new(folder, stream(seed, Purpose::Replay, &[]))?;
        for file in &files {
            if interrupt::flag().load(Ordering::Relaxed) {
                return Err(CliError::interrupted("stopped: nothing was written").into());
            }
            for record in read_sealed_of_any(file)? {
                report.game = Some(record.game);
                report.games += 1;
                report.positions += deal(&record, filter, &mut shuffle)
                    .with_context(|| format!("cannot use {}", file.display()))?;
            }
            bar.inc(1);
        }
        let mut out = BufWriter::new(out);
        shuffle.write_to(&mut out)?;
        Ok(out.flush()?)
    })?;
    bar.finish_and_clear();
    Ok(report)
}

/// Gives the positions of `record` to `shuffle`; how many there were.
fn deal(record: &GameRecord, filter: PlainFilter, shuffle: &mut Shuffle) -> Result<u64> {
    let (mut positions, mut failed) = (0, None);
    let mut push = |block: &str| {
        positions += 1;
        if let Err(error) = shuffle.push(block.as_bytes()) {
            failed.get_or_insert(error);
        }
    };
    with_game!(record.game, G => plain_positions::<G>(record, filter, &mut push))?;
    failed.map_or(Ok(positions), |error| Err(error.into()))
}

/// The sealed records of a run, oldest first.
fn record_files(root: &Path) -> Result<Vec<PathBuf>> {
    let folder = RunDir::at(root).records();
    let none = || {
        CliError::failed(format!("there are no records in {}", folder.display())).help(
        "name the folder of a run; it keeps the games that it learns from, and all with --set records.keep=all",
    )
    };
    let entries = match fs::read_dir(&folder) {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Err(none().into());
        }
        read => read.with_context(|| format!("cannot read {}", folder.display()))?,
    };
    let paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    let is_sealed = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "records");
    let mut files: Vec<PathBuf> = paths.into_iter().filter(is_sealed).collect();
    files.sort_unstable();
    if files.is_empty() { Err(none().into()) } else { Ok(files) }
}
