//! A run's folder and its checkpoints.

use std::{
    ffi::{OsStr, OsString},
    fs, io,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};

use super::{
    config::{CheckpointConfig, RunConfig},
    state::{RunClock, State},
    tensorboard::EVENTS,
};
use crate::{
    base::store::{
        Container, LOCK, UNFINISHED, is_of_system, keep_damaged, read_at_most, read_text, retry_change,
        write_atomic,
    },
    net::file::{CHECKPOINTS, KIND, LATEST, MOST_NAME, ModelFile, generation_of, newest, says_nothing},
};

/// The section of the net that plays.
const PLAYER: &str = "player";

/// All that a run needs to go on: weights, averaged weights, optimizer, its place, its config.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// The averaged weights, which play in matches and, without a lag, the next generation; and what they are.
    pub model: ModelFile,
    /// The net that plays the next generation, where that is an older one.
    pub player: Option<ModelFile>,
    /// Weights, averaged weights and optimizer moments, as the learner wrote them.
    pub learner: Vec<u8>,
    /// Where the run stands.
    pub state: State,
    /// Time used, which alone differs between two runs of the same seed.
    pub clock: RunClock,
    /// The resolved config, as TOML.
    pub config: String,
    /// The last generation's figures, as JSON.
    pub metrics: String,
}

impl Checkpoint {
    fn to_container(&self) -> Container {
        let model = self.model.to_container();
        let model = match &self.player {
            Some(player) => model.with(PLAYER, player.to_container().to_bytes()),
            None => model,
        };
        model
            .with("learner", self.learner.clone())
            .with("state", to_json(&self.state))
            .with("clock", to_json(&self.clock))
            .with("config", self.config.clone().into_bytes())
            .with("metrics", self.metrics.clone().into_bytes())
    }

    /// The net that plays the next generation.
    pub fn plays_next(&self) -> &ModelFile {
        self.player.as_ref().unwrap_or(&self.model)
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
            let player = match container.section(PLAYER) {
                Ok(bytes) => {
                    let player = Container::from_bytes(bytes)?.of_kind(KIND)?;
                    Some(ModelFile::from_container(&player).context("its player")?)
                }
                // A run without a lag has none.
                Err(_) => None,
            };
            Ok(Checkpoint {
                model: ModelFile::from_container(&container)?,
                player,
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

/// What there is of a run's `config.toml`.
enum FoundConfig {
    Missing,
    /// It does not read, for this reason.
    Damaged(anyhow::Error),
    /// Its text.
    Good(String),
}

/// The folder of a run.
#[derive(Clone, Debug)]
pub struct RunDir {
    root: PathBuf,
}

impl RunDir {
    /// The folder of a run that is only read.
    pub fn at(root: &Path) -> Self {
        RunDir { root: root.to_owned() }
    }

    /// Makes the folder and those in it, where they are missing, and removes files that a kill left half written.
    /// The caller holds the folder's lock.
    ///
    /// # Errors
    /// Names the folder that cannot be made or read.
    pub fn create(root: &Path) -> Result<Self> {
        let run = RunDir::at(root);
        for folder in [run.records(), run.root.join(CHECKPOINTS), run.root.clone()] {
            fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
            remove_unfinished(&folder).with_context(|| format!("cannot use {}", folder.display()))?;
        }
        Ok(run)
    }

    /// Whether a run is there, or can begin there: no folder with files of other programs is touched.
    ///
    /// # Errors
    /// Names a file that is not a run's, in a folder without a checkpoint or records.
    pub fn check_ours(&self) -> Result<()> {
        let names = |folder: &Path| -> Vec<OsString> {
            let entries = fs::read_dir(folder).into_iter().flatten().flatten();
            entries.map(|entry| entry.file_name()).filter(|name| !is_of_system(name)).collect()
        };
        let starts = |name: &OsString, start: &str| name.to_string_lossy().starts_with(start);
        let (checkpoints, records) = (names(&self.root.join(CHECKPOINTS)), names(&self.records()));
        if checkpoints.iter().chain(&records).any(|name| is_of_generation(name)) {
            return Ok(());
        }
        // What a run leaves that was killed at its beginning, or a config that awaits one.
        let is_config = || {
            let text = read_text(&self.config(), RunConfig::MOST_BYTES).unwrap_or_default();
            RunConfig::parse(&text, &[]).is_ok()
        };
        let begins = |name: &OsString| match name.to_str() {
            Some(LOCK | LATEST) => true,
            Some("records") => records.is_empty(),
            Some(CHECKPOINTS) => checkpoints.iter().all(|name| starts(name, UNFINISHED)),
            Some("config.toml") => is_config(),
            _ => starts(name, EVENTS) || starts(name, UNFINISHED),
        };
        match names(&self.root).into_iter().find(|name| !begins(name)) {
            None => Ok(()),
            Some(name) => bail!(
                "{} is no run and holds '{}': a run wants a folder of its own",
                self.root.display(),
                name.display()
            ),
        }
    }

    /// The folder itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The folder of game records.
    pub fn records(&self) -> PathBuf {
        self.root.join("records")
    }

    /// The folder of the ladders of its checkpoints.
    pub fn ladders(&self) -> PathBuf {
        self.root.join("ladders")
    }

    /// The resolved config.
    pub fn config(&self) -> PathBuf {
        self.root.join("config.toml")
    }

    fn found_config(&self) -> Result<FoundConfig> {
        let path = self.config();
        let bytes = match read_at_most(&path, RunConfig::MOST_BYTES) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(FoundConfig::Missing),
            bytes => bytes.with_context(|| format!("cannot read {}", path.display()))?,
        };
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Ok(match RunConfig::parse(&text, &[]) {
            Ok(_) => FoundConfig::Good(text),
            Err(problem) => FoundConfig::Damaged(problem),
        })
    }

    /// Writes the settings of the run, which stands at `generation`. A file that does not read is kept under another
    /// name, with a warning. The caller holds the folder's lock.
    ///
    /// # Errors
    /// Names the path. What was there is unchanged then.
    pub fn write_config(&self, config: &RunConfig, generation: u32) -> Result<()> {
        let path = self.config();
        let lost = match self.found_config()? {
            FoundConfig::Damaged(problem) => {
                Some(format!("kept as {}: {problem:#}", keep_damaged(&path)?.display()))
            }
            // A run that was killed at its beginning may have none yet.
            FoundConfig::Missing if generation > 0 => Some("it was missing".to_owned()),
            FoundConfig::Missing | FoundConfig::Good(_) => None,
        };
        write_atomic(&path, config.to_toml().as_bytes())?;
        if let Some(lost) = lost {
            tracing::warn!("{} is made again, {lost}", path.display());
        }
        Ok(())
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

    /// The newest checkpoint, if the run has one. Where nothing says which it is, or what says so is damaged, it is the
    /// newest of those that are there, and `latest` is made again, with a warning.
    ///
    /// # Errors
    /// When there is one and it does not read: nothing is begun anew over a damaged run.
    pub fn newest(&self) -> Result<Option<Checkpoint>> {
        let latest = self.root.join(LATEST);
        let is_there = latest.try_exists().with_context(|| format!("cannot read {}", latest.display()))?;
        if !is_there && !self.has_begun()? {
            return Ok(None);
        }
        let path = newest(&self.root)?;
        let checkpoint = Checkpoint::read(&path)?;
        let name = file_name(checkpoint.state.generation);
        let named = match read_text(&latest, MOST_NAME) {
            Err(error) if !says_nothing(&error) => {
                return Err(error).with_context(|| format!("cannot read {}", latest.display()));
            }
            named => named.ok(),
        };
        if named.is_none_or(|text| text.trim() != name) {
            let kept = match is_there {
                true => format!("kept as {}", keep_damaged(&latest)?.display()),
                false => "it was missing".to_owned(),
            };
            self.set_latest(checkpoint.state.generation)?;
            tracing::warn!(
                "{} is made again, {kept}: it names {name}, the newest checkpoint",
                latest.display()
            );
        }
        Ok(Some(checkpoint))
    }

    /// Whether the checkpoints and games are those of a run that has begun: one that was killed before has a checkpoint at
    /// most, the first, and no games.
    fn has_begun(&self) -> Result<bool> {
        Ok(match self.generations()?.last() {
            None => false,
            Some(0) => names_in(&self.records())?.iter().any(|name| is_of_generation(name)),
            Some(_) => true,
        })
    }

    /// Makes the checkpoint of `generation` the newest.
    ///
    /// # Errors
    /// Names the path.
    pub fn set_latest(&self, generation: u32) -> Result<()> {
        write_atomic(&self.root.join(LATEST), format!("{}\n", file_name(generation)).as_bytes())
    }

    /// Writes a checkpoint, makes it the newest and thins out the old ones.
    ///
    /// # Errors
    /// Names the path. The newest checkpoint before stays the newest then.
    pub fn keep(&self, checkpoint: &Checkpoint, config: &CheckpointConfig) -> Result<()> {
        let generation = checkpoint.state.generation;
        checkpoint.to_container().write(&self.checkpoint(generation))?;
        self.set_latest(generation)?;
        self.thin(&checkpoint.state, config)
    }

    /// Removes checkpoints that are neither among the newest, nor milestones, nor needed by one of those.
    fn thin(&self, state: &State, config: &CheckpointConfig) -> Result<()> {
        let mut all = self.generations()?;
        all.retain(|&generation| generation <= state.generation);
        let old = all.len().saturating_sub(config.keep);
        let kept = |(i, &generation): (usize, &u32)| {
            (i >= old || config.is_milestone(generation)).then_some(generation)
        };
        let kept: Vec<u32> = all.iter().enumerate().filter_map(kept).collect();
        // The next evaluation after each plays against the generation evaluated last.
        let needed: Vec<u32> = kept.iter().map(|&generation| state.evaluated_by(generation)).collect();
        for generation in all {
            if !kept.contains(&generation) && !needed.contains(&generation) {
                let path = self.checkpoint(generation);
                retry_change(|| fs::remove_file(&path))
                    .with_context(|| format!("cannot remove {}", path.display()))?;
            }
        }
        Ok(())
    }

    /// The generations whose checkpoints are there, the oldest first.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn generations(&self) -> Result<Vec<u32>> {
        let names = names_in(&self.root.join(CHECKPOINTS))?;
        let mut generations: Vec<u32> =
            names.iter().filter_map(|name| name.to_str().and_then(generation_of)).collect();
        generations.sort_unstable();
        Ok(generations)
    }
}

/// The settings of the run in `root`, as TOML: its `config.toml` or, where that is missing or does not read, what its
/// newest checkpoint says. `None` where there is no run. Nothing is changed.
///
/// # Errors
/// When `config.toml` cannot be read, or there is nothing in its place.
pub fn saved_config(root: &Path) -> Result<Option<String>> {
    let dir = RunDir::at(root);
    let found = dir.found_config()?;
    if let FoundConfig::Good(text) = found {
        return Ok(Some(text));
    }
    let checkpoint = newest(root).and_then(|path| Checkpoint::read(&path));
    match (checkpoint, found) {
        (Ok(checkpoint), _) => Ok(Some(checkpoint.config)),
        (Err(_), FoundConfig::Damaged(problem)) => {
            Err(problem.context(format!("cannot use {}", dir.config().display())))
        }
        (Err(_), _) => Ok(None),
    }
}

/// The names of all that is in a folder.
fn names_in(folder: &Path) -> Result<Vec<OsString>> {
    let names = || fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name())).collect::<io::Result<_>>();
    names().with_context(|| format!("cannot read {}", folder.display()))
}

/// Whether a file of this name is a checkpoint or has games, of any generation.
fn is_of_generation(name: &OsStr) -> bool {
    name.to_string_lossy().starts_with("gen-")
}

fn remove_unfinished(folder: &Path) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(UNFINISHED) {
            retry_change(|| fs::remove_file(entry.path()))?;
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
