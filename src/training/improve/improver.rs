//! The loop of cycles in its folder.

use std::{
    fs, io,
    marker::PhantomData,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
    time::Instant,
};

use anyhow::{Context, Result, bail, ensure};

use super::{
    cycle::{CycleReport, Kept},
    judge::{Judge, is_better},
    plan::{ImproveConfig, Step},
};
use crate::{
    arena::{Match, MatchResult},
    base::{
        rng::{self, Purpose},
        store::{
            DirLock, JsonLog, LOCK, LogDamage, UNFINISHED, keep_replaced, read_text, retry_change,
            write_atomic,
        },
    },
    games::encode::Encode,
    net::ModelFile,
    training::run::{Budget, GenerationReport, Machine, Observer, RunConfig, RunDir, RunEnd, Trainer},
};

/// The settings of every cycle's run.
const CONFIG: &str = "config.toml";
/// The net that all began with, and the best one so far.
const START: &str = "start.sanki";
const BEST: &str = "best.sanki";
/// A line a cycle.
const CYCLES: &str = "cycles.jsonl";
/// The run of a cycle in its folder, until the cycle is done.
const RUN: &str = "run";
/// Bytes of the log at most: a hundred thousand cycles.
const MOST_LOG: u64 = 1 << 26;
/// A cycle begins only if so much of its time is left.
const LEAST_PART: f64 = 0.5;
/// The share of a cycle after which its learning rate falls, and what it falls to.
const DECAY_FROM: f32 = 0.5;
const LAST_FRACTION: f32 = 0.02;

/// What an [`Improver`] reports while it works.
pub trait ImproveObserver: Send {
    /// A cycle begins, or goes on after a stop.
    fn begin(&mut self, cycle: u32, step: &Step);
    /// How far the cycle's training is, in `0.0..=1.0`, and what it does.
    fn training(&mut self, done: f64, doing: &str);
    /// The match of a candidate, `trained` or `mean`, as far as it was played.
    fn game(&mut self, candidate: &str, played: &Match);
    /// A cycle is done, and all that it found is safe on the disk.
    fn cycle(&mut self, report: &CycleReport);
}

/// The improvement of a net of `G` in its folder.
pub struct Improver<G: Encode> {
    root: PathBuf,
    base: RunConfig,
    config: ImproveConfig,
    machine: Machine,
    start: ModelFile,
    best: ModelFile,
    log: JsonLog,
    cycles: Vec<CycleReport>,
    _lock: DirLock,
    _game: PhantomData<G>,
}

/// The settings with which the improvement in `root` began, as TOML; `None` where there is none.
///
/// # Errors
/// When the file cannot be read.
pub fn improved_config(root: &Path) -> Result<Option<String>> {
    let path = root.join(CONFIG);
    if !root.join(START).exists() {
        return Ok(None);
    }
    read_text(&path, RunConfig::MOST_BYTES)
        .map(Some)
        .with_context(|| format!("cannot read {}", path.display()))
}

impl<G: Encode> Improver<G> {
    /// Opens the improvement in `root`, or begins one of `start`; `base` has the settings of every cycle's run, of which
    /// the budget, the net and the learning rate are the cycle's own.
    ///
    /// # Errors
    /// When the folder has other files, is in use, cannot be written, or began with another net or game.
    pub fn open(
        root: &Path,
        start: Option<ModelFile>,
        base: RunConfig,
        config: ImproveConfig,
        machine: Machine,
    ) -> Result<Self> {
        let is_begun = root.join(START).exists();
        ensure!(
            is_begun || is_free(root),
            "{} is no folder of an improvement and has files in it",
            root.display()
        );
        let lock = DirLock::acquire(root)?;
        let start = match (start, is_begun) {
            (Some(start), false) => {
                start.check::<G>()?;
                write_atomic(&root.join(CONFIG), base.to_toml().as_bytes())?;
                write_atomic(&root.join(START), &start.to_container().to_bytes())?;
                start
            }
            (None, false) => bail!("{} holds no improvement yet: name the net to improve", root.display()),
            (given, true) => {
                let start = ModelFile::read(&root.join(START))?;
                start.check::<G>()?;
                let is_same = given.is_none_or(|given| given.model == start.model);
                ensure!(is_same, "{} began with another net", root.display());
                start
            }
        };
        let mut last = 0;
        let opened = JsonLog::open(&root.join(CYCLES), MOST_LOG, |report: &CycleReport| {
            ensure!(report.cycle == last + 1, "cycle {} after {last}", report.cycle);
            last += 1;
            Ok(())
        })?;
        let cycles = opened.values;
        if let Some(LogDamage { problem, kept, .. }) = &opened.damage {
            tracing::warn!("{CYCLES}: {problem}: kept as {}; later cycles are made again", kept.display());
        }
        let next = cycles.len() as u32 + 1;
        let goes_on = opened.damage.is_none() && folder_of(root, next).join(RUN).exists();
        keep_later(root, if goes_on { next } else { next - 1 })?;
        let best = match cycles.iter().rfind(|report| report.kept != Kept::Best) {
            Some(report) => ModelFile::read(&net_of(root, report.cycle))?,
            None => start.clone(),
        };
        let improver = Improver {
            root: root.to_owned(),
            base,
            config,
            machine,
            start,
            best,
            log: opened.log,
            cycles,
            _lock: lock,
            _game: PhantomData,
        };
        improver.write_best()?;
        Ok(improver)
    }

    /// The net that all began with.
    pub fn start(&self) -> &ModelFile {
        &self.start
    }

    /// The cycles so far.
    pub fn cycles(&self) -> &[CycleReport] {
        &self.cycles
    }

    /// Where the best net so far is.
    pub fn best_path(&self) -> PathBuf {
        self.root.join(BEST)
    }

    /// Improves until `hours` are spent, those of earlier calls counted, or `stop` is set: then the same folder goes on.
    ///
    /// # Errors
    /// Those of [`Trainer::run`] and a file that cannot be written. The best net is safe in any case.
    pub fn run(
        &mut self,
        hours: f64,
        stop: &AtomicBool,
        observer: &mut dyn ImproveObserver,
    ) -> Result<RunEnd> {
        loop {
            let spent: f64 = self.cycles.iter().map(|cycle| cycle.seconds).sum();
            let left = (3600.0 * hours - spent) / 60.0;
            let mut step = Step::next(&self.config, &self.cycles, self.best.model.net());
            if left < LEAST_PART * step.minutes {
                return Ok(RunEnd::Done);
            }
            step.minutes = step.minutes.min(left);
            match self.cycle(&step, stop, observer)? {
                None => return Ok(RunEnd::Interrupted),
                Some(report) => observer.cycle(&report),
            }
        }
    }

    /// One cycle; `None` when stopped.
    fn cycle(
        &mut self,
        step: &Step,
        stop: &AtomicBool,
        observer: &mut dyn ImproveObserver,
    ) -> Result<Option<CycleReport>> {
        let cycle = self.cycles.len() as u32 + 1;
        observer.begin(cycle, step);
        let folder = folder_of(&self.root, cycle);
        let config = self.run_config(step, cycle);
        let Some((trained, seconds)) = self.train(&config, &folder.join(RUN), stop, observer)? else {
            return Ok(None);
        };
        let watch = Instant::now();
        let widened = trained.model.net() != self.best.model.net();
        let mean = (!widened).then(|| ModelFile::mean(&[trained.clone(), self.best.clone()])).transpose()?;
        let judge = Judge {
            config: &self.config,
            rules: config.rules,
            max_plies: config.selfplay.max_plies,
            seed: rng::stream_seed(config.seed, Purpose::Evaluation, &[u64::from(cycle)]),
            machine: self.machine,
            best: &self.best,
        };
        let mut results: Vec<(Kept, ModelFile, MatchResult)> = Vec::new();
        for (kept, candidate) in [(Kept::Trained, Some(trained)), (Kept::Mean, mean)] {
            let Some(candidate) = candidate else { continue };
            let name = kept.to_string();
            let result = judge.play::<G>(&candidate, &folder.join(&name), stop, &mut |played| {
                observer.game(&name, played);
            })?;
            let Some(result) = result else { return Ok(None) };
            results.push((kept, candidate, result));
        }
        let positions = results[0].1.meta.positions;
        let played = |wanted: Kept| {
            results.iter().find(|(kept, ..)| *kept == wanted).map(|(.., result)| result.into())
        };
        let mut report = CycleReport {
            cycle,
            net: config.net.to_string(),
            widened,
            rate: config.learner.schedule.peak.into(),
            positions,
            seconds: seconds + watch.elapsed().as_secs_f64(),
            trained: played(Kept::Trained).expect("it was played"),
            mean: played(Kept::Mean),
            kept: Kept::Best,
            elo: self.cycles.last().map_or(0.0, |cycle| cycle.elo),
        };
        let better = results.into_iter().filter(|(.., result)| is_better(result));
        let winner = better.max_by(|(.., a), (.., b)| a.elo.total_cmp(&b.elo));
        if let Some((kept, net, result)) = winner {
            report.kept = kept;
            report.elo += result.elo;
            write_atomic(&net_of(&self.root, cycle), &net.to_container().to_bytes())?;
            self.best = net;
        }
        self.log.append(&report)?;
        self.cycles.push(report.clone());
        self.write_best()?;
        // What it learnt from is of no further use.
        let run = folder.join(RUN);
        retry_change(|| fs::remove_dir_all(&run))
            .with_context(|| format!("cannot remove {}", run.display()))?;
        Ok(Some(report))
    }

    /// Trains from the best net in `folder`; the net and the seconds that it took. `None` when stopped.
    fn train(
        &self,
        config: &RunConfig,
        folder: &Path,
        stop: &AtomicBool,
        observer: &mut dyn ImproveObserver,
    ) -> Result<Option<(ModelFile, f64)>> {
        let is_begun = RunDir::create(folder)?.newest()?.is_some();
        let init = (!is_begun).then_some(&self.best);
        let mut trainer = Trainer::<G>::open(config.clone(), folder, self.machine, init)?;
        let end = trainer.run(stop, &mut Training { observer })?;
        Ok((end == RunEnd::Done).then(|| (trainer.model(), trainer.clock().seconds)))
    }

    /// The settings of a cycle's run.
    fn run_config(&self, step: &Step, cycle: u32) -> RunConfig {
        let mut config = self.base.clone();
        config.net = step.net.clone();
        config.seed = self.base.seed.wrapping_add(u64::from(cycle));
        config.budget = Budget { minutes: Some(step.minutes), ..Budget::default() };
        let schedule = &mut config.learner.schedule;
        schedule.peak *= step.rate as f32;
        schedule.decay_from = DECAY_FROM;
        schedule.last_fraction = LAST_FRACTION;
        // Its own matches judge the net.
        (config.evaluation.every, config.evaluation.games) = (u32::MAX, 2);
        config
    }

    fn write_best(&self) -> Result<()> {
        write_atomic(&self.best_path(), &self.best.to_container().to_bytes())
    }
}

/// The net that a cycle made the best one.
fn net_of(root: &Path, cycle: u32) -> PathBuf {
    root.join(format!("best-{cycle:03}.sanki"))
}

/// The folder of a cycle: its run and its matches.
fn folder_of(root: &Path, cycle: u32) -> PathBuf {
    root.join(format!("cycle-{cycle:03}"))
}

/// Keeps the nets and folders of cycles after `last`, which are made again, under other names, with a warning.
fn keep_later(root: &Path, last: u32) -> Result<()> {
    let names = || -> io::Result<Vec<String>> {
        let names = fs::read_dir(root)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
        names.collect()
    };
    let mut names = names().with_context(|| format!("cannot read {}", root.display()))?;
    names.sort_unstable();
    let number_of = |name: &str| -> Option<u32> {
        let net = || name.strip_prefix("best-")?.strip_suffix(".sanki");
        net().or_else(|| name.strip_prefix("cycle-"))?.parse().ok()
    };
    for name in names.iter().filter(|name| number_of(name).is_some_and(|number| number > last)) {
        let kept = keep_replaced(&root.join(name))?;
        tracing::warn!("{name} is of a cycle that is made again: kept as {}", kept.display());
    }
    Ok(())
}

/// Whether a folder is not there, or has nothing in it but what is left of an attempt to begin.
fn is_free(root: &Path) -> bool {
    let is_ours = |name: &str| [LOCK, CONFIG].contains(&name) || name.starts_with(UNFINISHED);
    match fs::read_dir(root) {
        Err(_) => !root.exists(),
        Ok(entries) => entries.flatten().all(|entry| entry.file_name().to_str().is_some_and(is_ours)),
    }
}

/// Passes on what a cycle's run tells.
struct Training<'a> {
    observer: &'a mut dyn ImproveObserver,
}

impl Observer for Training<'_> {
    fn progress(&mut self, done: f64, doing: &str) {
        self.observer.training(done, doing);
    }

    fn generation(&mut self, report: &GenerationReport) {
        tracing::info!("{report}");
    }
}
