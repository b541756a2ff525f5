//! The processor cores that a run was ordered with, so that it goes on with as many.
//!
//! They are kept beside the folders of the runs, not within: `sanki train` begins in no folder that has files of others.

use std::{ffi::OsString, fs, path::PathBuf};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::folders::{FolderName, Folders};
use crate::base::store::{read_at_most, write_atomic};

/// The folder of what was ordered, among those of the runs.
const ORDERS: &str = ".orders";
/// Bytes of such a file at most.
const MOST_BYTES: u64 = 1 << 10;

#[derive(Serialize, Deserialize)]
struct RunCores {
    cores: usize,
}

fn path(folders: &Folders, run: &FolderName) -> PathBuf {
    folders.runs.join(ORDERS).join(format!("{run}.json"))
}

/// Keeps the cores of the run that is called `run`.
///
/// # Errors
/// When they cannot be written.
pub(super) fn keep(folders: &Folders, run: &FolderName, cores: usize) -> Result<()> {
    let path = path(folders, run);
    let folder = path.parent().expect("it is in a folder");
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    write_atomic(&path, &serde_json::to_vec(&RunCores { cores }).context("cores do not serialise")?)
}

/// Those of the run that is called `run`; `None` where it was not ordered here.
pub(super) fn of(folders: &Folders, run: &FolderName) -> Option<usize> {
    let bytes = read_at_most(&path(folders, run), MOST_BYTES).ok()?;
    let kept: RunCores = serde_json::from_slice(&bytes).ok()?;
    Some(kept.cores).filter(|&cores| cores > 0)
}

/// What `sanki train` is told of them.
pub(super) fn arguments(cores: usize) -> [OsString; 2] {
    ["--threads".into(), cores.to_string().into()]
}
