//! A run's folder and its checkpoints.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};

use super::{
    config::CheckpointConfig,
    state::{Clock, State},
};
use crate::{
    net::file::{CHECKPOINTS, KIND, LATEST, ModelFile},
    store::{Container, UNFINISHED, write_atomic},
};

/// All that a run needs to go on: weights, averaged weights, optimizer, its place, its config.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// What plays: the averaged weights and what they are.
    pub model: ModelFile,
    /// Weights, averaged weights and optimizer moments, as the learner wrote them.
    pub learner: Vec<u8>,
    /// Where the run stands.
    pub state: State,
    /// Time used, which alone differs between two runs of the same seed.
    pub clock: Clock,
    /// The resolved config, as TOML.
    pub config: String,
    /// The last generation's figures, as JSON.
    pub metrics: String,
}

impl Checkpoint {
    fn to_container(&self) -> Container {
        self.model
            .to_container()
            .with("learner", self.learner.clone())
            .with("state", to_json(&self.state))
            .with("clock", to_json(&self.clock))
            .with("config", self.config.clone().into_bytes())
            .with("metrics", self.metrics.clone().into_bytes())
    }

    /// Reads a checkpoint.
    ///
    /// # Errors
    /// Names the path and what is wrong: missing, foreign, truncated, damaged.
    pub fn read(path: &Path) -> Result<Self> {
        let container = Container::read(path, KIND)?;
        let parse = || -> Result<Checkpoint> {
            let text =
                |name: &str| Ok::<_, anyhow::Error>(String::from_utf8(container.section(name)?.to_vec())?);
            Ok(Checkpoint {
                model: ModelFile::from_container(&container)?,
                learner: container.section("learner")?.to_vec(),
                state: serde_json::from_slice(container.section("state")?)?,
                clock: serde_json::from_slice(container.section("clock")?)?,
                config: text("config")?,
                metrics: text("metrics")?,
            })
        };
        parse().with_context(|| format!("cannot resume from {}", path.display()))
    }
}

/// The folder of a run.
#[derive(Clone, Debug)]
pub struct RunDir {
    root: PathBuf,
}

impl RunDir {
    /// Makes the folder and those in it, where they are missing, and removes files that a kill left half written.
    /// The caller holds the folder's lock.
    ///
    /// # Errors
    /// Names the folder that cannot be made or read.
    pub fn create(root: &Path) -> Result<Self> {
        let run = RunDir { root: root.to_owned() };
        for folder in [run.records(), run.root.join(CHECKPOINTS), run.root.clone()] {
            fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
            remove_unfinished(&folder).with_context(|| format!("cannot use {}", folder.display()))?;
        }
        Ok(run)
    }

    /// The folder itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The folder of game records.
    pub fn records(&self) -> PathBuf {
        self.root.join("records")
    }

    /// The resolved config.
    pub fn config(&self) -> PathBuf {
        self.root.join("config.toml")
    }

    /// The figures of every generation, a JSON object a line.
    pub fn metrics(&self) -> PathBuf {
        self.root.join("metrics.jsonl")
    }

    /// The log.
    pub fn log(&self) -> PathBuf {
        self.root.join("train.log")
    }

    /// The checkpoint of a generation.
    pub fn checkpoint(&self, generation: u32) -> PathBuf {
        self.root.join(CHECKPOINTS).join(file_name(generation))
    }

    /// The newest checkpoint, if the run has one.
    ///
    /// # Errors
    /// When there is one and it does not read, or others are there and nothing says which is the newest: nothing
    /// is begun anew over a damaged run.
    pub fn newest(&self) -> Result<Option<Checkpoint>> {
        let latest = self.root.join(LATEST);
        if latest.try_exists().with_context(|| format!("cannot read {}", latest.display()))? {
            return Checkpoint::read(&crate::net::file::newest(&self.root)?).map(Some);
        }
        match self.generations()?.last() {
            // A run that was killed before it had begun.
            None | Some(0) => Ok(None),
            Some(&newest) => bail!(
                "{} is missing: write {} into it to resume this run",
                latest.display(),
                file_name(newest)
            ),
        }
    }

    /// Writes a checkpoint, makes it the newest and thins out the old ones.
    ///
    /// # Errors
    /// Names the path. The newest checkpoint before stays the newest then.
    pub fn keep(&self, checkpoint: &Checkpoint, config: &CheckpointConfig) -> Result<()> {
        let generation = checkpoint.state.generation;
        checkpoint.to_container().write(&self.checkpoint(generation))?;
        write_atomic(&self.root.join(LATEST), format!("{}\n", file_name(generation)).as_bytes())?;
        // The next evaluation plays against the generation evaluated last.
        let evaluated = checkpoint.state.elo.last().map_or(0, |point| point.generation);
        self.thin(generation, evaluated, config)
    }

    /// Removes checkpoints that are neither among the newest, nor milestones, nor evaluated last.
    fn thin(&self, newest: u32, evaluated: u32, config: &CheckpointConfig) -> Result<()> {
        let mut old = self.generations()?;
        old.retain(|&generation| generation <= newest);
        old.truncate(old.len().saturating_sub(config.keep));
        for generation in old {
            if !config.is_milestone(generation) && generation != evaluated {
                let path = self.checkpoint(generation);
                fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
            }
        }
        Ok(())
    }

    /// The generations whose checkpoints are there, the oldest first.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn generations(&self) -> Result<Vec<u32>> {
        let folder = self.root.join(CHECKPOINTS);
        let entries = fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
        let mut generations = Vec::new();
        for entry in entries {
            let name = entry.with_context(|| format!("cannot read {}", folder.display()))?.file_name();
            generations.extend(name.to_str().and_then(generation_of));
        }
        generations.sort_unstable();
        Ok(generations)
    }
}

fn remove_unfinished(folder: &Path) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(UNFINISHED) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

fn to_json(value: &impl serde::Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("a run's state is plain JSON")
}

fn file_name(generation: u32) -> String {
    format!("gen-{generation:06}.sanki")
}

fn generation_of(name: &str) -> Option<u32> {
    name.strip_prefix("gen-")?.strip_suffix(".sanki")?.parse().ok()
}
