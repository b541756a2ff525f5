//! The loop: self-play, learning, evaluation, checkpoint; again.
//!
//! Self-play and learning take turns, each on all cores, so that neither starves the other and a run depends
//! on its seed alone. With a lag of one generation they share the cores; the run still depends on its seed alone. What a
//! generation does is in `generation.rs`; here is what surrounds it.

use std::{
    collections::{BTreeMap, VecDeque},
    marker::PhantomData,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use anyhow::{Context, Result};

use super::{
    change::Change,
    checkpoint::{Checkpoint, RunDir},
    config::{Keep, RunConfig},
    disk::{DiskFull, DiskUse, FreeBytes, free_bytes, needed, positions_to_come, window_start},
    laps::{Lap, Laps},
    machine::Machine,
    playing::{Player, Playing},
    records::{LostRecords, Records},
    report::GenerationReport,
    settings::RunSettings,
    source::{GameSource, LocalGames},
    start::{Start, check_began_with, new_learner, open_figures, settings_of},
    state::{RunClock, State},
    stopwatch::Stopwatch,
    tensorboard::TensorBoard,
    thread_split::ThreadSplit,
    watch::Observer,
};
use crate::training::learner::Learner;
use crate::{
    base::store::{DirLock, JsonLog, write_atomic},
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
enum Evaluates {
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
    free: FreeBytes,
    /// The net that plays the next generation, where that is not the present one.
    pub(super) net: Option<Arc<ModelFile>>,
    /// The next generations, as far as they are being played: one without a lag, two with it.
    pub(super) ahead: VecDeque<Playing>,
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
    published: u32,
    /// That list.
    figures: JsonLog,
    /// The figures of those that are listed and come after the newest checkpoint: a kill undid them.
    pub(super) made_before: Vec<GenerationReport>,
    /// Where the time goes.
    pub(super) laps: Laps,
    /// Who learns and who plays.
    pub(super) split: ThreadSplit,
    board: TensorBoard,
    evaluates: Evaluates,
    _lock: DirLock,
    _game: PhantomData<G>,
}

impl<G: Encode> Trainer<G> {
    /// Opens the run in `root`: resumes it where it has a checkpoint, begins it otherwise, from the weights of
    /// `init` if given: a run that is there must have begun with them. What is damaged and can be made again is, with a
    /// warning, and is kept under another name.
    ///
    /// # Errors
    /// When the backend lacks a precision of the settings (nothing is made then), another process uses the folder, it cannot
    /// be written, the config is not the run's, a checkpoint is damaged, or records are
    /// ([`RecordsLost`](super::RecordsLost)) that cannot be made again. All of that is left as it is then.
    pub fn open(config: RunConfig, root: &Path, machine: Machine, init: Option<&ModelFile>) -> Result<Self> {
        Self::open_with(config, root, machine, init, LostRecords::Refuse)
    }

    /// As [`Trainer::open`]; `lost` says whether a run goes on of which records are lost.
    ///
    /// # Errors
    /// Those of [`Trainer::open`].
    pub fn open_with(
        config: RunConfig,
        root: &Path,
        machine: Machine,
        init: Option<&ModelFile>,
        lost: LostRecords,
    ) -> Result<Self> {
        config.check_precisions(machine.backend)?;
        RunDir::at(root).check_ours()?;
        let lock = DirLock::acquire(root)?;
        let dir = RunDir::create(root)?;
        let mut learner = new_learner::<G>(&config, init, machine)?;
        let newest = dir.newest()?;
        let saved = newest.as_ref().map(|checkpoint| settings_of(&dir, checkpoint)).transpose()?;
        let plays = machine.plays(&config.net);
        let measured = || plays.precision_of(&learner.model(), Precision::Auto);
        let config = config.settled(saved.as_ref(), measured);
        let Start { state, clock, report, player: net, changes, is_outdated } = match newest.zip(saved) {
            Some((checkpoint, saved)) => {
                if init.is_some() {
                    check_began_with(&dir, &config, &saved, &learner.averaged())?;
                }
                Start::resume::<G>(&dir, checkpoint, &saved, &config, &mut learner)?
            }
            None => Start::default(),
        };
        let settings = Arc::new(RunSettings::new(&state.past, config.clone())?);
        let mut window =
            Window::changed(config.replay.clone(), config.net.inputs(), settings.due_before(&state.taught));
        let records = Records { settings: &settings, dir: &dir, machine };
        let (figures, mut made_before) = open_figures(&records, &state, &changes)?;
        records.refill::<G>(&mut window, &state, lost)?;
        let published = made_before.last().map_or(0, |report| report.generation);
        made_before.retain(|report| report.generation > state.generation);
        let (lag, board) = (config.selfplay.lag, TensorBoard::new(dir.root()));
        let pool = Arc::clone(learner.pool());
        let games: Arc<dyn GameSource<G>> = Arc::new(LocalGames::new(machine, Arc::clone(&pool)));
        let player = Player::new(Arc::clone(&settings), dir.clone(), machine, pool, games);
        let mut trainer = Trainer {
            saved: state.generation,
            published,
            figures,
            made_before,
            config,
            settings,
            dir,
            machine,
            cores: Arc::new(Cores::new(machine.workers)),
            laps: Laps::start(),
            split: ThreadSplit::new(machine.workers),
            free: free_bytes(),
            net: net.filter(|_| lag > 0).map(Arc::new),
            ahead: VecDeque::new(),
            player,
            learner,
            window,
            state,
            clock,
            report,
            board,
            evaluates: Evaluates::AsSet,
            _lock: lock,
            _game: PhantomData,
        };
        // Settings that change what is kept on the disk make room before the next generation needs it.
        if trainer.state.generation == 0 || is_outdated {
            trainer.save()?;
        }
        trainer.begin(&changes)?;
        Ok(trainer)
    }

    /// Tells what has changed, and writes the settings.
    fn begin(&self, changes: &[Change]) -> Result<()> {
        for change in changes {
            tracing::warn!("{change}, from generation {} on", self.state.generation + 1);
        }
        // The checkpoint holds it too: a run that has one is known by it.
        write_atomic(&self.dir.config(), self.config.to_toml().as_bytes())
    }

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
        let speed = self.state.positions as f64 / self.clock.seconds;
        let speed = Some(speed).filter(|speed| speed.is_finite() && *speed > 0.0);
        Some(DiskUse::of(&self.config, positions_to_come(&self.config, speed)?))
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
        self.ahead.drain(..).try_for_each(Playing::stop)
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
