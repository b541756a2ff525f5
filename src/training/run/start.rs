//! What a run begins with, or goes on from.

use anyhow::{Context, Result, ensure};

use super::{
    change::Change,
    checkpoint::{Checkpoint, RunDir},
    config::RunConfig,
    figures,
    machine::Machine,
    records::Records,
    report::GenerationReport,
    settings::PastSettings,
    state::{RunClock, State},
    trusted,
};
use crate::{
    base::{
        rng::{self, Purpose},
        store::JsonLog,
    },
    games::encode::Encode,
    net::{Model, ModelFile, Sizes},
    training::{learner::Learner, selfplay::sealed_path},
};

/// Where a run begins or goes on.
#[derive(Default)]
pub(super) struct Start {
    pub state: State,
    pub clock: RunClock,
    pub report: GenerationReport,
    pub player: Option<ModelFile>,
    /// What is other than the checkpoint has it.
    pub changes: Vec<Change>,
    /// Whether the checkpoint lacks settings of now: those changes, or others that its games and weights do not depend on.
    pub is_outdated: bool,
}

impl Start {
    /// At `checkpoint` of a run in `dir`, whose settings were `saved` then and are `config` now. The learner takes over
    /// what it had learnt.
    ///
    /// # Errors
    /// When it is no checkpoint of such a run.
    pub fn resume<G: Encode>(
        dir: &RunDir,
        checkpoint: Checkpoint,
        saved: &RunConfig,
        config: &RunConfig,
        learner: &mut Learner,
    ) -> Result<Self> {
        let name = dir.checkpoint(checkpoint.state.generation);
        let resume = || format!("cannot resume from {}", name.display());
        config.check_resumes(saved)?;
        checkpoint.model.check::<G>().with_context(resume)?;
        check_player::<G>(config, checkpoint.plays_next()).with_context(resume)?;
        learner.restore(&checkpoint.learner).with_context(resume)?;
        let mut checkpoint = checkpoint;
        if let Some(planned) = &mut checkpoint.state.planned
            && config.budget != saved.budget
        {
            // How many games it leaves is another number now.
            planned.games = None;
        }
        Start::at(checkpoint, saved, config).with_context(resume)
    }

    /// At a checkpoint whose settings were `saved`, with those of `config` from now on.
    fn at(checkpoint: Checkpoint, saved: &RunConfig, config: &RunConfig) -> Result<Self> {
        let changes = config.changes(saved);
        let mut state = checkpoint.state;
        let until = state.generation;
        if !changes.is_empty() {
            // It is by the settings of before.
            state.planned = None;
        }
        // The first of several changes tells of the generations before; without any there is nothing to tell.
        if !changes.is_empty() && state.past.last().map_or(0, |past| past.until) < until {
            state.past.push(PastSettings { until, config: checkpoint.config });
        }
        let report = serde_json::from_str(&checkpoint.metrics)?;
        let is_outdated = !config.is_saved_in(saved);
        Ok(Start { state, clock: checkpoint.clock, report, player: checkpoint.player, changes, is_outdated })
    }
}

/// Whether the run in `dir`, whose settings were `saved`, may have begun with `net`, as one of `config` does. Where its first
/// checkpoint does not read, nothing speaks against it.
///
/// # Errors
/// When it is another run, or began with another net.
pub(super) fn check_began_with(
    dir: &RunDir,
    config: &RunConfig,
    saved: &RunConfig,
    net: &Model,
) -> Result<()> {
    config.check_resumes(saved)?;
    let first = ModelFile::read(&dir.checkpoint(0)).ok();
    ensure!(
        first.is_none_or(|first| first.model == *net),
        "{} holds a run already, which began with another net: it cannot begin anew",
        dir.root().display()
    );
    Ok(())
}

/// The settings of a run in `dir` at a checkpoint.
pub(super) fn settings_of(dir: &RunDir, checkpoint: &Checkpoint) -> Result<RunConfig> {
    let name = dir.checkpoint(checkpoint.state.generation);
    RunConfig::parse(&checkpoint.config, &[])
        .with_context(|| format!("cannot resume from {}", name.display()))
}

/// The list of figures of a run that stands at `state`, and the figures in it. Where settings have changed, what was made
/// after `state` is put aside, games too, and is made anew.
pub(super) fn open_figures(
    records: &Records,
    state: &State,
    changes: &[Change],
) -> Result<(JsonLog, Vec<GenerationReport>)> {
    let path = records.dir.metrics();
    let (list, mut reports) = figures::open(&path, newest_played(records.dir, state.generation)?)?;
    if changes.is_empty() {
        return Ok((list, reports));
    }
    records.put_aside_after(state.generation)?;
    reports.retain(|report| report.generation <= state.generation);
    JsonLog::write(&path, &reports)?;
    Ok((figures::open(&path, state.generation)?.0, reports))
}

/// The newest generation whose games are there, or `saved`, that of the newest checkpoint.
fn newest_played(dir: &RunDir, saved: u32) -> Result<u32> {
    let mut newest = saved;
    loop {
        let next = sealed_path(&dir.records(), newest + 1);
        if !next.try_exists().with_context(|| format!("cannot read {}", next.display()))? {
            return Ok(newest);
        }
        newest += 1;
    }
}

/// Whether `player`, which plays the next generation, can play for a run of `config`.
fn check_player<G: Encode>(config: &RunConfig, player: &ModelFile) -> Result<()> {
    player.check::<G>()?;
    ensure!(*player.model.net() == config.net, "the net that plays next is another kind of net");
    Ok(())
}

/// A learner of the config's net, with the weights of `init` if given, widened where the config's net is wider, and
/// random ones otherwise.
pub(super) fn new_learner<G: Encode>(
    config: &RunConfig,
    init: Option<&ModelFile>,
    machine: Machine,
) -> Result<Learner> {
    config.net.check_for(&Sizes::of(&config.net, &G::SHAPE)).context("net")?;
    let seed = rng::stream_seed(config.seed, Purpose::Weights, &[]);
    let model = match init {
        None => Model::init(&config.net, G::SHAPE, seed),
        Some(file) => {
            file.check_family::<G>()?;
            let same = (*file.model.net() == config.net).then(|| file.model.clone());
            same.or_else(|| file.model.widened(&config.net, seed)).with_context(|| {
                format!(
                    "the weights to begin with are of a {} net, the config has net {}",
                    file.model.net(),
                    config.net
                )
            })?
        }
    };
    let backend = machine.learns(&config.learner)?;
    if let Some(distance) = trusted::learning::<G>(&model, backend)? {
        tracing::info!("{backend} learns; it differs from the processor by {distance}");
    }
    let (plays, precision) = (machine.plays(&config.net), config.selfplay.precision);
    if plays != machine.backend {
        tracing::info!("the processor plays: it is faster with a sparse net than {}", machine.backend);
    }
    if let Some(distance) = trusted::judging::<G>(&model, plays, precision)? {
        tracing::info!("{plays} plays; it differs from the processor by {distance}");
    }
    Ok(Learner::new(config.learner.clone(), &model, G::SHAPE, backend, machine.workers))
}
