//! The loop: self-play, learning, evaluation, checkpoint; again.
//!
//! Self-play and learning take turns, each on all cores, so that neither starves the other and a run depends
//! on its seed alone. What a generation does is in `generation.rs`; here is what surrounds it.

use std::{
    fs::File,
    io::Write,
    marker::PhantomData,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

use anyhow::{Context, Result, ensure};

use super::{
    checkpoint::{Checkpoint, RunDir},
    config::RunConfig,
    learner::Learner,
    report::GenerationReport,
    state::{Clock, State},
    tensorboard::TensorBoard,
};
use crate::{
    encode::Encode,
    net::{Backend, LoadedNet, Model, ModelFile, ModelMeta, file::program},
    replay::Window,
    rng::{self, Purpose},
    selfplay::{RecordMeta, read_sealed, sealed_path},
    store::{DirLock, write_atomic},
};

/// What a run tells whoever watches it.
pub trait Observer {
    /// How far the run is, in `0.0..=1.0`, and what it is doing.
    fn progress(&mut self, done: f64, doing: &str);
    /// A generation is done and safe on disk.
    fn generation(&mut self, report: &GenerationReport);
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The budget is spent.
    Done,
    /// It was asked to stop; the same run resumes.
    Interrupted,
}

/// What a run runs on. On one processor the number of workers does not change what it computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machine {
    /// Threads.
    pub workers: usize,
    /// What computes the network's answers, and where it learns.
    pub backend: Backend,
}

/// A run of `G` in its folder.
pub struct Trainer<G: Encode> {
    pub(super) config: RunConfig,
    pub(super) dir: RunDir,
    pub(super) machine: Machine,
    pub(super) learner: Learner,
    pub(super) window: Window,
    pub(super) state: State,
    pub(super) clock: Clock,
    board: TensorBoard,
    _lock: DirLock,
    _game: PhantomData<G>,
}

impl<G: Encode> Trainer<G> {
    /// Opens the run in `root`: resumes it where it has a checkpoint, begins it otherwise, from the weights of
    /// `init` if given.
    ///
    /// # Errors
    /// When another process uses the folder, it cannot be written, the config is not the run's, or a checkpoint
    /// or record is damaged. Nothing that was there is changed then.
    pub fn open(config: RunConfig, root: &Path, machine: Machine, init: Option<&ModelFile>) -> Result<Self> {
        let lock = DirLock::acquire(root)?;
        let dir = RunDir::create(root)?;
        let mut learner = new_learner::<G>(&config, init, machine)?;
        let mut window = Window::new(config.replay.clone());
        let (state, clock) = match dir.newest()? {
            Some(checkpoint) => {
                config.check_resumes(&RunConfig::parse(&checkpoint.config, &[])?)?;
                checkpoint.model.check::<G>()?;
                learner.restore(&checkpoint.learner).context("cannot restore the learner")?;
                refill::<G>(&mut window, &config, &dir, checkpoint.state.generation)?;
                (checkpoint.state, checkpoint.clock)
            }
            None => (State::default(), Clock::default()),
        };
        write_atomic(&dir.config(), config.to_toml().as_bytes())?;
        let board = TensorBoard::new(dir.root());
        let mut trainer = Trainer {
            config,
            dir,
            machine,
            learner,
            window,
            state,
            clock,
            board,
            _lock: lock,
            _game: PhantomData,
        };
        if trainer.state.generation == 0 {
            trainer.save(&GenerationReport::default())?;
        }
        Ok(trainer)
    }

    /// Goes on until the budget is spent or `stop` is set.
    ///
    /// # Errors
    /// A file that cannot be written, or a loss that is no number; the last checkpoint is then intact.
    pub fn run(&mut self, stop: &AtomicBool, observer: &mut dyn Observer) -> Result<Ending> {
        loop {
            if stop.load(Ordering::Relaxed) {
                return Ok(Ending::Interrupted);
            }
            // A run that ended between saving and evaluating begins with the evaluation.
            let mut report = if self.evaluation_pending() {
                self.totals()
            } else if self.games_due() == 0 {
                return Ok(Ending::Done);
            } else {
                let Some(report) = self.generation(stop, observer)? else { return Ok(Ending::Interrupted) };
                report
            };
            if self.evaluation_pending() {
                let Some(point) = self.evaluate(stop, observer)? else { return Ok(Ending::Interrupted) };
                report.score_uniform = Some(point.score_uniform);
                report.elo = Some(point.elo);
                self.save(&report)?;
            }
            self.publish(&report)?;
            observer.generation(&report);
        }
    }

    /// The part of the budget that is spent.
    pub fn progress(&self) -> f64 {
        self.config.budget.progress(&self.state.spent(&self.clock))
    }

    /// Where the run stands.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The folder.
    pub fn dir(&self) -> &RunDir {
        &self.dir
    }

    /// Saves a checkpoint of the present state with the figures that led to it.
    pub(super) fn save(&mut self, report: &GenerationReport) -> Result<()> {
        let checkpoint = Checkpoint {
            model: self.model(),
            learner: self.learner.state_bytes(),
            state: self.state.clone(),
            clock: self.clock,
            config: self.config.to_toml(),
            metrics: serde_json::to_string(report).context("figures do not serialise")?,
        };
        self.dir.keep(&checkpoint, &self.config.checkpoints)
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
        };
        ModelFile { meta, model: self.learner.averaged() }
    }

    /// The network that plays: the averaged weights.
    pub fn player_net(&self) -> LoadedNet {
        self.machine.backend.load(&self.learner.averaged())
    }

    /// Adds a generation's figures to the curves and to the list; both are conveniences, made again from
    /// nothing but the checkpoints if need be.
    fn publish(&mut self, report: &GenerationReport) -> Result<()> {
        self.board.write(report.positions, &report.scalars());
        let line = serde_json::to_string(report).context("figures do not serialise")?;
        let path = self.dir.metrics();
        let append = || -> std::io::Result<()> {
            writeln!(File::options().create(true).append(true).open(&path)?, "{line}")
        };
        append().with_context(|| format!("cannot write {}", path.display()))
    }
}

/// A learner of the config's net, with the weights of `init` if given and random ones otherwise.
fn new_learner<G: Encode>(config: &RunConfig, init: Option<&ModelFile>, machine: Machine) -> Result<Learner> {
    let model = match init {
        None => Model::init(&config.net, G::SHAPE, rng::stream_seed(config.seed, Purpose::Weights, &[])),
        Some(file) => {
            file.check_family::<G>()?;
            ensure!(
                *file.model.net() == config.net,
                "the weights to begin with are of a {} net, the config has net {}",
                file.model.net(),
                config.net
            );
            file.model.clone()
        }
    };
    Ok(Learner::new(config.learner.clone(), &model, G::SHAPE, &machine.backend.device(), machine.workers))
}

/// Fills the window with the records of all generations done, as if it had never been emptied.
fn refill<G: Encode>(window: &mut Window, config: &RunConfig, dir: &RunDir, done: u32) -> Result<()> {
    for generation in 1..=done {
        let meta = RecordMeta::new(G::ID, config.rules, generation, config.seed);
        window.add(read_sealed(&sealed_path(&dir.records(), generation), &meta)?);
    }
    Ok(())
}
