//! A new run that begins where another stood.

use std::{
    fs, io,
    num::NonZero,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, anyhow, ensure};

use super::{
    checkpoint::{Checkpoint, RunDir},
    config::RunConfig,
    figures,
    report::GenerationReport,
};
use crate::{
    base::store::{JsonLog, UNFINISHED, folder_of, retry_change, write_atomic},
    net::file::newest,
    training::{learner::Learner, selfplay::sealed_path},
};

/// A kept checkpoint of a run, to be gone on from in a folder of its own.
#[derive(Clone, Debug)]
pub struct Branch {
    from: PathBuf,
    checkpoint: Checkpoint,
}

impl Branch {
    /// The checkpoint of `generation` of the run in `from`, its newest without.
    ///
    /// # Errors
    /// When it is not kept, and then which are; when it is damaged.
    pub fn read(from: &Path, generation: Option<u32>) -> Result<Self> {
        let path = match generation {
            None => newest(from)?,
            Some(generation) => {
                let run = RunDir::at(from);
                let kept = run.generations()?;
                let list: Vec<String> = kept.iter().map(u32::to_string).collect();
                ensure!(
                    kept.contains(&generation),
                    "{} has no checkpoint of generation {generation}, but of {}",
                    from.display(),
                    list.join(", ")
                );
                run.checkpoint(generation)
            }
        };
        Ok(Branch { from: from.to_owned(), checkpoint: Checkpoint::read(&path)? })
    }

    /// The folder of the run that is gone on from.
    pub fn source(&self) -> &Path {
        &self.from
    }

    /// The settings of the run by then, as TOML.
    pub fn config(&self) -> &str {
        &self.checkpoint.config
    }

    /// What to change of the settings, each `key=value`, so that the learning rate falls within `generations` generations
    /// from where it stands towards a hundredth of that, which ends the run. A generation learns at the rate of its
    /// beginning: the last of 20 at 1.6 hundredths, the last of 4 at 15.
    ///
    /// # Errors
    /// When nothing has been learnt yet, so that there is no rate; when one generation is to do.
    pub fn cool_down(&self, generations: NonZero<u32>) -> Result<Vec<String>> {
        let now = self.checkpoint.state.generation;
        // The report has no rate if its generation had too few samples for a step.
        let rate = Learner::last_rate(&self.checkpoint.learner)?
            .map(f64::from)
            .or(serde_json::from_str::<GenerationReport>(&self.checkpoint.metrics)?.learning_rate)
            .context("the checkpoint has learnt nothing yet: there is no rate that could fall")?;
        ensure!(
            generations.get() > 1,
            "--cool-down 1: a generation learns at the rate of its beginning, so the rate would not fall; \
             2 are the fewest"
        );
        let end = now.checked_add(generations.get()).context("that many generations cannot be counted")?;
        let limits = ["positions", "minutes", "cpu_minutes"].map(|limit| format!("budget.{limit}=none"));
        let mut changes = limits.to_vec();
        changes.extend([
            format!("budget.generations={end}"),
            format!("learner.schedule.peak={rate:?}"),
            format!("learner.schedule.decay_from={:?}", f64::from(now) / f64::from(end)),
            "learner.schedule.last_fraction=0.01".to_owned(),
        ]);
        Ok(changes)
    }

    /// Makes `to` a run of `config` that stands where the other one stood, with its checkpoints and records up to then. The
    /// other run is only read. `to` is whole or not there, also after a kill.
    ///
    /// # Errors
    /// When `config` is not the run's, `to` is there and not empty, or a file cannot be copied.
    pub fn make(&self, config: &RunConfig, to: &Path) -> Result<()> {
        config.check_resumes(&RunConfig::parse(&self.checkpoint.config, &[])?)?;
        match fs::remove_dir(to) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                let problem =
                    format!("{} is there already: a branch wants a folder of its own", to.display());
                return match error.kind() {
                    io::ErrorKind::DirectoryNotEmpty => Err(anyhow!(problem)),
                    _ => Err(error).context(problem),
                };
            }
            _ => {}
        }
        let parent = folder_of(to);
        let make = || -> Result<()> {
            fs::create_dir_all(parent)?;
            let folder = tempfile::Builder::new().prefix(UNFINISHED).tempdir_in(parent)?;
            let run = folder.path().join("run");
            let made = RunDir::create(&run)?;
            self.copy(&made)?;
            // Should it not begin now, it begins with these later.
            write_atomic(&made.config(), config.to_toml().as_bytes())?;
            Ok(retry_change(|| fs::rename(&run, to))?)
        };
        make().with_context(|| format!("cannot make {}", to.display()))
    }

    /// Shares what a run needs to go on from the checkpoint: the nets of its past, its games and its figures.
    fn copy(&self, to: &RunDir) -> Result<()> {
        let (from, now) = (RunDir::at(&self.from), self.checkpoint.state.generation);
        for generation in from.generations()?.into_iter().filter(|&generation| generation <= now) {
            share_if_there(&from.checkpoint(generation), &to.checkpoint(generation))?;
        }
        for generation in 1..=now {
            let [from, to] = [&from, to].map(|run| sealed_path(&run.records(), generation));
            share_if_there(&from, &to)?;
        }
        let mut reports = figures::peek(&from.metrics());
        reports.retain(|report| report.generation <= now);
        JsonLog::write(&to.metrics(), &reports)?;
        to.set_latest(now)
    }
}

/// Gives a finished file a second name, so that it takes no more room on the disk: it does not change any more. Copies
/// it where the file system has no second names. What the other run lacks, or removes meanwhile, may not be needed.
fn share_if_there(from: &Path, to: &Path) -> Result<()> {
    match fs::hard_link(from, to).or_else(|_| fs::copy(from, to).map(drop)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot copy {}", from.display()))
        }
        _ => Ok(()),
    }
}
