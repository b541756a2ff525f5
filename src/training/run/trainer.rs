//! The loop: self-play, learning, evaluation, checkpoint; again.
//!
//! Self-play and learning take turns, each on all cores, so that neither starves the other and a run depends
//! on its seed alone. With a lag of one generation they share the cores; the run still depends on its seed alone. What a
//! generation does is in `generation.rs`, how a run is opened in `open.rs`; here is what surrounds both.

use std::{
    collections::BTreeMap,
    marker::PhantomData,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use anyhow::{Context, Result};

use super::{
    checkpoint::{Checkpoint, RunDir},
    config::{Keep, RunConfig},
    disk::{DiskFull, DiskUse, FreeBytes, needed, positions_to_come, window_start},
    laps::{Lap, Laps},
    machine::Machine,
    playing::{Player, Playing},
    records::Records,
    report::GenerationReport,
    settings::RunSettings,
    source::GameSource,
    state::{RunClock, State},
    stopwatch::Stopwatch,
    tensorboard::TensorBoard,
    thread_split::ThreadSplit,
    watch::Observer,
};
use crate::training::learner::Learner;
use crate::{
    base::store::{DirLock, JsonLog},
    games::encode::Encode,
    net::{LoadedNet, Model, ModelFile, ModelMeta, PlayConfig, Precision, file::program},
    training::{replay::Window, selfplay::Cores},
};

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// The budget is spent.
    Done,
    /// It was asked to stop; the same run resumes.
    Interrupted,
}

/// When a run is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Evaluates {
    /// When its settings say so.
    AsSet,
    /// Never: where time is measured.
    Never,
}

/// A run of `G` in its folder.
pub struct Trainer<G: Encode> {
    pub(super) config: RunConfig,
    pub(super) settings: Arc<RunSettings>,
    pub(super) dir: RunDir,
    pub(super) machine: Machine,
    pub(super) cores: Arc<Cores>,
    pub(super) free: FreeBytes,
    /// The net that plays the next generation, where that is not the present one.
    pub(super) net: Option<Arc<ModelFile>>,
    /// With a lag: the next generation, while it is being played.
    pub(super) ahead: Option<Playing>,
    pub(super) player: Player<G>,
    pub(super) learner: Learner,
    pub(super) window: Window,
    pub(super) state: State,
    pub(super) clock: RunClock,
    /// The figures of the last generation done.
    pub(super) report: GenerationReport,
    /// The generation of the newest checkpoint.
    pub(super) saved: u32,
    /// The last generation in the list of figures.
    pub(super) published: u32,
    /// That list.
    pub(super) figures: JsonLog,
    /// The figures of those that are listed and come after the newest checkpoint: a kill undid them.
    pub(super) made_before: Vec<GenerationReport>,
    /// Where the time goes.
    pub(super) laps: Laps,
    /// Who learns and who plays.
    pub(super) split: ThreadSplit,
    pub(super) board: TensorBoard,
    pub(super) evaluates: Evaluates,
    pub(super) _lock: DirLock,
    pub(super) _game: PhantomData<G>,
}

impl<G: Encode> Trainer<G> {
    /// The same run with games from `source`, which are the games that this machine would play.
    #[must_use]
    pub fn with_games(mut self, source: impl GameSource<G> + 'static) -> Self {
        self.player.games = Arc::new(source);
        self
    }

    /// The same run without evaluations.
    #[must_use]
    pub(super) fn without_evaluations(mut self) -> Self {
        self.evaluates = Evaluates::Never;
        self
    }

    /// The same run, which learns from `free` how many bytes are free on its disk.
    #[must_use]
    pub fn with_free_bytes(mut self, free: FreeBytes) -> Self {
        self.free = free;
        self
    }

    /// Its settings: those that it was opened with, and what they left open as it was settled.
    pub fn config(&self) -> &RunConfig {
        &self.config
    }

    /// The bytes that are free on its disk, where the system says.
    pub fn free_bytes(&self) -> Option<u64> {
        (self.free)(self.dir.root()).ok()
    }

    /// What the run will have on its disk when its budget is spent, where that can be told. A budget of time is counted
    /// by the speed so far.
    pub fn disk_use(&self) -> Option<DiskUse> {
        let positions = positions_to_come(&self.config, &self.state.spent(&self.clock))?;
        Some(DiskUse::of(&self.config, positions))
    }

    /// Whether the disk has room for that, as far as can be told.
    pub fn has_room(&self) -> bool {
        self.disk_use().zip(self.free_bytes()).is_none_or(|(end, free)| end.fits(&self.dir, free))
    }

    /// # Errors
    /// [`DiskFull`] where the next generation may not fit.
    fn check_room(&self) -> Result<(), DiskFull> {
        let needed = needed(&self.config);
        match self.free_bytes() {
            Some(free) if free < needed => {
                Err(DiskFull { folder: self.dir.root().display().to_string(), free, needed })
            }
            _ => Ok(()),
        }
    }

    /// Goes on until the budget is spent or `stop` is set. A run that was interrupted goes on when it is opened
    /// again, not by another call.
    ///
    /// # Errors
    /// A file that cannot be written, or a loss that is no number; the last checkpoint is then intact. [`DiskFull`], once
    /// all is saved, before the disk is full.
    pub fn run(&mut self, stop: &AtomicBool, observer: &mut dyn Observer) -> Result<RunEnd> {
        let end = self.generations(stop, observer);
        // What is being played will not be learnt now.
        let stopped = self.stop_playing();
        let end = end?;
        stopped.map(|()| end)
    }

    fn stop_playing(&mut self) -> Result<()> {
        self.ahead.take().map_or(Ok(()), Playing::stop)
    }

    fn generations(&mut self, stop: &AtomicBool, observer: &mut dyn Observer) -> Result<RunEnd> {
        // A run that ended between saving and publishing, or in an evaluation, begins with that.
        loop {
            if self.evaluates == Evaluates::AsSet
                && self.evaluation_pending()
                && !self.evaluate(stop, observer)?
            {
                return Ok(RunEnd::Interrupted);
            }
            if self.published < self.state.generation {
                self.publish()?;
                observer.generation(&self.report);
                self.laps.end("publish");
            }
            if self.games_due() == 0 {
                self.stop_playing()?;
                self.player.games.finish();
                return Ok(RunEnd::Done);
            }
            if stop.load(Ordering::Relaxed) {
                self.save_if_unsaved()?;
                return Ok(RunEnd::Interrupted);
            }
            if let Err(full) = self.check_room() {
                self.save_if_unsaved()?;
                return Err(full.into());
            }
            if !self.generation(stop, observer)? {
                return Ok(RunEnd::Interrupted);
            }
        }
    }

    /// The part of the budget that is spent, in `0.0..=1.0`.
    pub fn progress(&self) -> f64 {
        self.config.budget.progress(&self.state.spent(&self.clock)).min(1.0)
    }

    /// The keys of the budget's limits that are reached.
    pub fn spent_limits(&self) -> Vec<&'static str> {
        self.config.budget.reached(&self.state.spent(&self.clock))
    }

    /// Where the run stands.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The time used so far.
    pub fn clock(&self) -> &RunClock {
        &self.clock
    }

    /// What the parts of its generations took since it was opened. A name with a dot is of a part of a part.
    pub fn parts(&self) -> &BTreeMap<&'static str, Lap> {
        self.laps.parts()
    }

    /// The folder.
    pub fn dir(&self) -> &RunDir {
        &self.dir
    }

    /// Saves a checkpoint of the present state with the figures that led to it. The time that this takes is in the
    /// next one's.
    pub(super) fn save(&mut self) -> Result<()> {
        let watch = Stopwatch::start();
        let keeps = self.config.keeps();
        if keeps == Keep::Window {
            let State { taught, window_from, .. } = &mut self.state;
            *window_from = window_start(&self.config.replay, taught, *window_from);
        }
        let checkpoint = Checkpoint {
            model: self.model(),
            player: self.net.as_deref().cloned(),
            learner: self.learner.state_bytes(),
            state: self.state.clone(),
            clock: self.clock,
            config: self.config.to_toml(),
            metrics: serde_json::to_string(&self.report).context("figures do not serialise")?,
        };
        self.dir.keep(&checkpoint, &self.config.checkpoints)?;
        if keeps == Keep::Window {
            // Only now is there a checkpoint that does without them.
            let records = Records { settings: &self.settings, dir: &self.dir, machine: self.machine };
            records.remove_unneeded(&self.state)?;
        }
        self.saved = self.state.generation;
        self.clock.seconds += watch.seconds();
        self.clock.cpu_seconds += watch.cpu_seconds();
        Ok(())
    }

    /// Saves a checkpoint unless the newest is of this generation.
    pub(super) fn save_if_unsaved(&mut self) -> Result<()> {
        if self.saved < self.state.generation { self.save() } else { Ok(()) }
    }

    /// The averaged weights as a model.
    pub fn model(&self) -> ModelFile {
        let meta = ModelMeta {
            game: G::ID,
            rules: self.config.rules,
            encoding_version: G::ENCODING_VERSION,
            shape: G::SHAPE,
            net: self.config.net.to_string(),
            generation: self.state.generation,
            positions: self.state.positions,
            program: program(),
            play: self.config.play.clone(),
        };
        ModelFile { meta, model: self.learner.averaged() }
    }

    /// How the run's nets are played.
    pub fn play(&self) -> PlayConfig {
        self.config.play.complete(G::ID, &self.config.net)
    }

    /// Makes a net of the run ready to be played.
    ///
    /// # Errors
    /// When the backend does not have the precision.
    pub fn load(&self, model: &Model) -> Result<LoadedNet> {
        // What is measured is measured once a run.
        let precision = match self.play().precision {
            Precision::Auto => self.config.selfplay.precision,
            forced => forced,
        };
        self.machine.load(model, precision).context("play.precision")
    }

    /// Adds the last generation's figures to the curves and to the list.
    fn publish(&mut self) -> Result<()> {
        self.board.write(self.report.positions, &self.report.scalars());
        self.figures.append(&self.report)?;
        self.published = self.state.generation;
        Ok(())
    }
}
