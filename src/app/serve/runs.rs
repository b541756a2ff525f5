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

#[cfg(test)]
mod tests {
    use std::{collections::BTreeMap, path::Path};

    use super::*;
    use crate::{
        games::rules::{GameId, dobutsu::Dobutsu},
        net::Backend,
        training::run::{Machine, Trainer},
    };

    /// What is in a folder, but for the folders there: names and bytes.
    fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
        let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        paths.filter(|path| path.is_file()).map(|path| (path.clone(), fs::read(path).unwrap())).collect()
    }

    #[test]
    fn a_view_of_a_run_with_damaged_settings_changes_no_file() {
        let root = tempfile::tempdir().unwrap();
        let folders = Folders { runs: root.path().into(), matches: "m".into(), games: "g".into() };
        let name = FolderName::try_from("first".to_owned()).unwrap();
        let run = name.of(&folders.runs);
        let config = RunConfig::parse(GameId::Dobutsu.facts().config, &["net.hidden=32".to_owned()]).unwrap();
        let machine = Machine { workers: 1, backend: Backend::default() };
        drop(Trainer::<Dobutsu>::open(config, &run, machine, None).unwrap());

        let settings = RunDir::at(&run).config();
        let check = |what: &str| {
            let before = files(&run);
            let seen = Run::open(&folders, &name).expect("its checkpoint has the settings");
            assert_eq!(seen.config.game, GameId::Dobutsu, "{what}");
            assert_eq!(Run::all(&folders).len(), 1, "{what}");
            assert!(files(&run) == before, "{what}: {:?}", files(&run).keys());
        };
        fs::write(&settings, "game = ").unwrap();
        check("damaged");
        fs::remove_file(&settings).unwrap();
        check("missing");
    }
}
