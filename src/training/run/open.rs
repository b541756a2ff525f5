//! How a run is opened: one that is there goes on, another begins.

use std::{marker::PhantomData, path::Path, sync::Arc};

use anyhow::Result;

use super::{
    change::Change,
    checkpoint::RunDir,
    config::RunConfig,
    disk::free_bytes,
    laps::Laps,
    machine::Machine,
    playing::Player,
    records::{LostRecords, Records},
    report::GenerationReport,
    settings::RunSettings,
    source::{GameSource, LocalGames},
    start::{Start, check_began_with, new_learner, open_figures, settings_of},
    tensorboard::TensorBoard,
    thread_split::ThreadSplit,
    trainer::{Evaluates, Trainer},
};
use crate::{
    base::store::{DirLock, JsonLog},
    games::encode::Encode,
    net::{ModelFile, Precision},
    training::{learner::Learner, replay::Window, selfplay::Cores},
};

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
        let (config, start) = begin_or_resume::<G>(&dir, config, machine, init, &mut learner)?;
        let settings = Arc::new(RunSettings::new(&start.state.past, config.clone())?);
        let records = Records { settings: &settings, dir: &dir, machine };
        let RunHistory { window, figures, reports } = RunHistory::read::<G>(&records, &config, &start, lost)?;
        let Start { state, clock, report, player: net, changes, is_outdated } = start;
        let published = reports.last().map_or(0, |report| report.generation);
        let later = reports.into_iter().filter(|report| report.generation > state.generation);
        let (lag, board) = (config.selfplay.lag, TensorBoard::new(dir.root()));
        let pool = Arc::clone(learner.pool());
        let games: Arc<dyn GameSource<G>> = Arc::new(LocalGames::new(machine, Arc::clone(&pool)));
        let player = Player::new(Arc::clone(&settings), dir.clone(), machine, pool, games);
        let mut trainer = Trainer {
            saved: state.generation,
            published,
            figures,
            made_before: later.collect(),
            config,
            settings,
            dir,
            machine,
            cores: Arc::new(Cores::new(machine.workers)),
            laps: Laps::start(),
            split: ThreadSplit::new(machine.workers),
            free: free_bytes(),
            net: net.filter(|_| lag > 0).map(Arc::new),
            ahead: None,
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
        self.dir.write_config(&self.config, self.state.generation)
    }
}

/// Where the run in `dir` begins or goes on, and its settings: those of `config`, and of what they leave open what the run has
/// or this machine does best. The learner takes over what it had learnt.
fn begin_or_resume<G: Encode>(
    dir: &RunDir,
    config: RunConfig,
    machine: Machine,
    init: Option<&ModelFile>,
    learner: &mut Learner,
) -> Result<(RunConfig, Start)> {
    let newest = dir.newest()?;
    let saved = newest.as_ref().map(|checkpoint| settings_of(dir, checkpoint)).transpose()?;
    let plays = machine.plays(&config.net);
    let measured = || plays.precision_of(&learner.model(), Precision::Auto);
    let config = config.settled(saved.as_ref(), measured);
    let Some((checkpoint, saved)) = newest.zip(saved) else { return Ok((config, Start::default())) };
    if init.is_some() {
        check_began_with(dir, &config, &saved, &learner.averaged())?;
    }
    let start = Start::resume::<G>(dir, checkpoint, &saved, &config, learner)?;
    Ok((config, start))
}

/// What a run has made before.
struct RunHistory {
    window: Window,
    /// The list of figures.
    figures: JsonLog,
    /// The figures in it.
    reports: Vec<GenerationReport>,
}

impl RunHistory {
    /// That of a run of `config` which goes on at `start`.
    ///
    /// # Errors
    /// Those of [`Records::refill`]; then nothing is put aside.
    fn read<G: Encode>(
        records: &Records,
        config: &RunConfig,
        start: &Start,
        lost: LostRecords,
    ) -> Result<Self> {
        let due = records.settings.due_before(&start.state.taught);
        let mut window = Window::changed(config.replay.clone(), config.net.inputs(), due);
        records.refill::<G>(&mut window, &start.state, lost)?;
        let (figures, reports) = open_figures(records, &start.state, &start.changes)?;
        Ok(RunHistory { window, figures, reports })
    }
}
