//! The processor cores that a run was ordered with, so that it goes on with as many.
//!
//! They are kept beside the folders of the runs, not within: `sanki train` begins in no folder that has files of others.

use std::{
    ffi::OsString,
    fs,
    path::PathBuf,
    time::{Duration, SystemTime},
};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::folders::{FolderName, Folders};
use crate::base::store::{read_at_most, write_atomic};

/// The folder of what was ordered, among those of the runs.
const ORDERS: &str = ".orders";
/// Bytes of such a file at most.
const MOST_BYTES: u64 = 1 << 10;

/// The folder of a run is made so long after its order at most: one that is younger is of another run.
const PATIENCE: Duration = Duration::from_secs(60);

#[derive(Serialize, Deserialize)]
struct RunCores {
    cores: usize,
    /// When the run was ordered; a file of an earlier version does not say.
    #[serde(default)]
    ordered: Option<SystemTime>,
}

fn path(folders: &Folders, run: &FolderName) -> PathBuf {
    folders.runs.join(ORDERS).join(format!("{run}.json"))
}

/// Keeps the cores of the run that is called `run` and begins now. Where they cannot be written, the log says so: the run
/// does without.
pub(super) fn keep(folders: &Folders, run: &FolderName, cores: usize) {
    let kept = RunCores { cores, ordered: Some(SystemTime::now()) };
    if let Err(error) = write(folders, run, &kept) {
        tracing::warn!("{run} would not go on with as many cores: {error:#}");
    }
}

fn write(folders: &Folders, run: &FolderName, kept: &RunCores) -> Result<()> {
    let path = path(folders, run);
    let folder = path.parent().expect("it is in a folder");
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    write_atomic(&path, &serde_json::to_vec(kept).context("cores do not serialise")?)
}

/// Those of the run that is called `run`; `None` where it was not ordered here, as one that was begun in a terminal after
/// one of this name was deleted.
pub(super) fn of(folders: &Folders, run: &FolderName) -> Option<usize> {
    let bytes = read_at_most(&path(folders, run), MOST_BYTES).ok()?;
    let kept: RunCores = serde_json::from_slice(&bytes).ok()?;
    // Not every file system knows when a folder was made. A copy of one is made later, and has no cores either.
    let made = fs::metadata(run.of(&folders.runs)).and_then(|found| found.created()).ok();
    let late = made.zip(kept.ordered).and_then(|(made, ordered)| made.duration_since(ordered).ok());
    let is_another = late.is_some_and(|late| late > PATIENCE);
    Some(kept.cores).filter(|&cores| cores > 0 && !is_another)
}

/// What `sanki train` is told of them.
pub(super) fn arguments(cores: usize) -> [OsString; 2] {
    ["--threads".into(), cores.to_string().into()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> FolderName {
        FolderName::try_from(text.to_owned()).unwrap()
    }

    #[test]
    fn the_cores_are_of_the_run_that_was_ordered() {
        let root = tempfile::tempdir().unwrap();
        let folders = Folders { runs: root.path().into(), matches: "m".into(), games: "g".into() };
        let run = name("first");
        fs::create_dir(run.of(&folders.runs)).unwrap();
        keep(&folders, &run, 3);
        assert_eq!(of(&folders, &run), Some(3));
        if fs::metadata(run.of(&folders.runs)).unwrap().created().is_err() {
            return;
        }
        // The folder is made an hour after the order.
        let ordered = SystemTime::now() - Duration::from_secs(3600);
        write(&folders, &run, &RunCores { cores: 3, ordered: Some(ordered) }).unwrap();
        assert_eq!(of(&folders, &run), None);
    }
}
