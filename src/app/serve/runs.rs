//! Runs as their folders tell them.

use std::{
    cmp::Reverse,
    fs,
    path::PathBuf,
    thread,
    time::{Duration, Instant, SystemTime},
};

use anyhow::{Result, bail, ensure};

use super::{
    folders::{FolderName, Folders},
    processes::{Activity, Processes},
};
use crate::training::run::{GenerationReport, RunConfig, RunDir, Spent, peek_figures, saved_config};

/// How long a run may take to begin, and how often it is looked for.
const PATIENCE: Duration = Duration::from_secs(20);
const LOOK: Duration = Duration::from_millis(20);

/// A run.
#[derive(Clone, Debug)]
pub(super) struct Run {
    /// The name of its folder.
    pub(super) name: FolderName,
    /// Its folder.
    pub(super) root: PathBuf,
    /// Its settings.
    pub(super) config: RunConfig,
}

impl Run {
    /// The run that is called `name`, if there is one whose settings can be read.
    pub(super) fn open(folders: &Folders, name: &FolderName) -> Option<Self> {
        let root = name.of(&folders.runs);
        let config = RunConfig::parse(&saved_config(&root).ok()??, &[]).ok()?;
        Some(Run { name: name.clone(), root, config })
    }

    /// Waits until the run that was just started as `name` is there.
    ///
    /// # Errors
    /// When it is not: with what it said, if it did.
    pub(super) fn wait_for(folders: &Folders, processes: &Processes, name: &FolderName) -> Result<()> {
        let begin = Instant::now();
        while Self::open(folders, name).is_none() {
            if let Activity::Failed(words) = processes.activity(&name.of(&folders.runs)) {
                bail!(words);
            }
            ensure!(begin.elapsed() < PATIENCE, "{name} does not begin");
            thread::sleep(LOOK);
        }
        Ok(())
    }

    /// All runs, those that were at work last first.
    pub(super) fn all(folders: &Folders) -> Vec<Self> {
        let names = FolderName::all_in(&folders.runs);
        let mut runs: Vec<Self> = names.iter().filter_map(|name| Self::open(folders, name)).collect();
        runs.sort_by_cached_key(|run| (Reverse(run.last_change()), run.name.clone()));
        runs
    }

    /// When its figures were written last.
    fn last_change(&self) -> Option<SystemTime> {
        fs::metadata(self.dir().metrics())
            .or_else(|_| fs::metadata(&self.root))
            .and_then(|found| found.modified())
            .ok()
    }

    /// Its folder, to be read.
    pub(super) fn dir(&self) -> RunDir {
        RunDir::at(&self.root)
    }

    /// What goes on in it.
    pub(super) fn activity(&self, processes: &Processes) -> Activity {
        processes.activity(&self.root)
    }

    /// The generations whose checkpoints it keeps.
    pub(super) fn generations(&self) -> Vec<u32> {
        self.dir().generations().unwrap_or_default()
    }

    /// Whether it has a net yet.
    pub(super) fn has_net(&self) -> bool {
        !self.generations().is_empty()
    }

    /// The figures of its generations.
    pub(super) fn reports(&self) -> Vec<GenerationReport> {
        peek_figures(&self.dir().metrics())
    }

    /// The figures of the newest generation.
    pub(super) fn newest_report(&self) -> Option<GenerationReport> {
        self.reports().pop()
    }

    /// The part of its budget that is spent after `report`, in `0.0..=1.0`.
    pub(super) fn progress(&self, report: Option<&GenerationReport>) -> f64 {
        let spent = report.map_or_else(Spent::default, |report| Spent {
            positions: report.positions,
            generations: report.generation,
            seconds: report.seconds,
            cpu_seconds: report.cpu_seconds,
        });
        self.config.budget.progress(&spent).min(1.0)
    }
}
