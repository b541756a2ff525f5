//! One generation: play, learn, measure, save.

use std::{
    io,
    panic::resume_unwind,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use anyhow::Result;

use super::{
    evaluation::ProgressMatches,
    learning::{Detail, LearningJob, Learnt},
    playing::{Effort, Played, Wanted},
    records::{Records, games_wanted, resign_below},
    report::{DeviceFigures, GenerationReport},
    source::GenerationStats,
    state::{EloPoint, Idle, RunClock, State},
    stopwatch::Stopwatch,
    summary::GameSummary,
    trainer::Trainer,
    watch::{Observer, Watch},
};
use crate::{
    base::{
        maths::ln,
        rng::{self, Purpose},
    },
    games::encode::Encode,
    net::ModelFile,
    training::selfplay::SealTask,
};

/// How soon two halves of a generation hear of a stop.
const PASSED_ON: Duration = Duration::from_millis(10);

impl<G: Encode> Trainer<G> {
    /// Plays and learns one generation, and saves it when that is due; if the run is killed before, the generation is
    /// made again from its games, which are on disk. With a lag the next one is played while this one is learnt.
    /// `false` when it was asked to stop: what was played is in the journals, and the generation begins where it was.
    pub(super) fn generation(&mut self, stop: &AtomicBool, observer: &mut dyn Observer) -> Result<bool> {
        let stopwatch = Stopwatch::start();
        self.laps.begin();
        let watch = Watch::new(observer, self.progress());
        let Some(played) = self.play_games(stop, &watch)? else {
            self.save_if_unsaved()?;
            return Ok(false);
        };
        let summary = GameSummary::of(&played.games);
        self.laps.end("summary");
        // All that follows from the games is known before they are learnt: so is the plan of the next ones.
        let mut next = self.state.clone();
        next.generation += 1;
        next.positions += summary.positions as u64;
        next.games += summary.games as u64;
        let encoding = Instant::now();
        let Trainer { window, learner, .. } = self;
        next.taught.push(learner.pool().install(|| window.add::<G>(played.games)));
        let encoding = encoding.elapsed();
        self.laps.end("encode");
        next.mean_game_length = summary.positions as f64 / summary.games.max(1) as f64;
        next.resign = self.window.resignations().calibrate(&self.config.selfplay.resign);
        let learnt = self.learn(&next, &stopwatch, stop, &watch);
        self.laps.end("learn");
        played.sealing.map_or(Ok(()), SealTask::finish)?;
        self.laps.end("seal");
        let Some(mut learnt) = learnt? else { return Ok(false) };
        let device = self.device_figures(learnt.seconds / stopwatch.seconds());
        self.laps.absorb(&learnt.laps);
        learnt.seconds += encoding.as_secs_f64();
        next.samples += learnt.samples;
        self.state = next;
        let idle = self.add_time(&stopwatch);
        self.report = self.totals();
        add_summary(&mut self.report, &summary);
        add_learnt(&mut self.report, &learnt);
        self.report.idle_share = idle.share();
        self.report.device = device;
        if let Some(effort) = &played.effort {
            add_effort(&mut self.report, effort);
        }
        if self.config.checkpoints.is_due(self.state.generation) {
            self.save()?;
            self.laps.end("save");
        }
        Ok(true)
    }

    /// Adds the time of the generation just done to the clock, and says how much of it threads were idle.
    fn add_time(&mut self, stopwatch: &Stopwatch) -> Idle {
        let cpu_seconds = stopwatch.cpu_seconds();
        let idle = Idle::of(stopwatch.seconds(), cpu_seconds, self.machine.workers);
        match self.made_before.iter().find(|report| report.generation == self.state.generation) {
            // Made again after a kill it counts as much as it did at first.
            Some(report) => {
                self.clock.seconds = report.seconds;
                self.clock.cpu_seconds = report.cpu_seconds;
            }
            None => {
                self.clock.seconds += stopwatch.seconds();
                self.clock.cpu_seconds += cpu_seconds;
                self.clock.idle += idle;
            }
        }
        idle
    }

    /// What a report says of the device that learns, with its share of the time.
    fn device_figures(&self, load: f64) -> Option<DeviceFigures> {
        let name = self.learner.device_name()?.to_owned();
        Some(DeviceFigures { name, bytes: self.learner.device_bytes(), load: load.min(1.0) })
    }

    /// Games that the next generation plays; 0 when the budget is spent.
    pub(super) fn games_due(&self) -> u32 {
        self.games_after(&self.state)
    }

    /// Games that the generation after `state` plays; 0 when the budget is spent then.
    fn games_after(&self, state: &State) -> u32 {
        let progress = self.config.budget.progress(&state.spent(&self.clock));
        if progress >= 1.0 { 0 } else { games_wanted(&self.config, state) }
    }

    /// The next generation's games: those played ahead, or played now.
    fn play_games(&mut self, stop: &AtomicBool, watch: &Watch) -> Result<Option<Played>> {
        if let Some(played) = self.ahead.take() {
            return Ok(Some(played));
        }
        let games = self.games_due();
        let net = self.player.take().unwrap_or_else(|| self.model());
        self.laps.end("net");
        let wanted = Wanted {
            records: Records { settings: &self.settings, dir: &self.dir, machine: self.machine },
            pool: self.learner.pool(),
            generation: self.state.generation + 1,
            games,
            resign_below: resign_below(&self.config, &self.state),
            net: &net,
            progress: self.progress(),
        };
        let played = wanted.play::<G>(&mut *self.games, stop, watch);
        self.laps.end("play");
        self.player = (self.config.selfplay.lag > 0).then_some(net);
        played
    }

    /// Learns the generation that leads to `next` and that has taken the time of `stopwatch`; with a lag, and if any of
    /// the budget is left then, the games after it are played meanwhile, by the net as it is now. Where either fails
    /// the other ends too.
    fn learn(
        &mut self,
        next: &State,
        stopwatch: &Stopwatch,
        stop: &AtomicBool,
        watch: &Watch,
    ) -> Result<Option<Learnt>> {
        let progress = self.progress();
        let (games, resign_below) = (self.games_after(next), resign_below(&self.config, next));
        let player = (self.config.selfplay.lag > 0).then(|| self.model());
        let job = LearningJob {
            config: &self.config,
            window: &self.window,
            generation: next.generation,
            samples: self.state.samples,
            progress,
            may_stop: self.saved == self.state.generation,
            detail: Detail::Steps,
        };
        let pool = Arc::clone(self.learner.pool());
        let learner = &mut self.learner;
        let Some(net) = player.as_ref().filter(|_| games > 0) else {
            let learnt = job.learn::<G>(learner, stop, watch)?;
            self.player = player;
            return Ok(learnt);
        };
        let wanted = Wanted {
            records: Records { settings: &self.settings, dir: &self.dir, machine: self.machine },
            pool: &pool,
            generation: next.generation + 1,
            games,
            resign_below,
            net,
            progress,
        };
        let (source, config, clock) = (&mut *self.games, &self.config, self.clock);
        let is_over = || {
            let seconds = clock.seconds + stopwatch.seconds();
            let cpu_seconds = clock.cpu_seconds + stopwatch.cpu_seconds();
            config.budget.progress(&next.spent(&RunClock { seconds, cpu_seconds, ..clock })) >= 1.0
        };
        let both = Both::new(stop);
        let (learnt, ahead) = thread::scope(|scope| {
            let _end = both.end_on_drop();
            scope.spawn(|| both.pass_on());
            let playing = scope.spawn(|| {
                let played = wanted.play::<G>(source, &both.halt, watch);
                both.halt_if(played.is_err());
                played
            });
            let learnt = job.learn::<G>(learner, &both.halt, watch);
            both.halt_if(!matches!(learnt, Ok(Some(_))) || is_over());
            (learnt, playing.join().unwrap_or_else(|panic| resume_unwind(panic)))
        });
        let learnt = learnt?;
        (self.ahead, self.player) = (ahead?, player);
        Ok(learnt)
    }

    /// Whether this generation is to be evaluated and has not been.
    pub(super) fn evaluation_pending(&self) -> bool {
        let generation = self.state.generation;
        let due = generation.is_multiple_of(self.config.evaluation.every) || self.games_due() == 0;
        generation > 0 && due && self.state.elo.last().is_none_or(|point| point.generation != generation)
    }

    /// Plays the two short matches of an evaluation, against `uniform` and against the net of the point before
    /// (the untrained one at first), adds a point to the Elo curve and saves it; `false` when stopped.
    pub(super) fn evaluate(&mut self, stop: &AtomicBool, observer: &mut dyn Observer) -> Result<bool> {
        let State { generation, positions, .. } = self.state;
        observer.progress(self.progress(), &format!("generation {generation}: evaluation"));
        let (opponent, elo_before) = self.evaluated_before()?;
        let (this, opponent) = (self.load(&self.learner.averaged())?, self.load(&opponent.model)?);
        let matches = ProgressMatches {
            config: &self.config.evaluation,
            play: self.play(),
            rules: self.config.rules,
            max_plies: self.config.selfplay.max_plies,
            seed: rng::stream_seed(self.config.seed, Purpose::Evaluation, &[generation.into()]),
            workers: self.machine.workers,
        };
        let begin = Instant::now();
        let played = matches.play::<G>(&this, &opponent, stop)?;
        let seconds = begin.elapsed().as_secs_f64();
        self.clock.evaluation_seconds += seconds;
        let Some((uniform, opponent)) = played else {
            self.save_if_unsaved()?;
            return Ok(false);
        };
        let point =
            EloPoint { generation, positions, score_uniform: uniform.score, elo: elo_before + opponent.elo };
        self.report.score_uniform = Some(point.score_uniform);
        self.report.elo = Some(point.elo);
        self.report.evaluation_seconds = Some(seconds);
        self.state.elo.push(point);
        self.save()?;
        Ok(true)
    }

    /// The net of the last point of the Elo curve whose checkpoint is there and whole, the untrained one at first, and
    /// its Elo.
    ///
    /// # Errors
    /// When a checkpoint is there and the system cannot read it: later it may.
    fn evaluated_before(&self) -> Result<(ModelFile, f64)> {
        for point in self.state.elo.iter().rev() {
            match ModelFile::read(&self.dir.checkpoint(point.generation)) {
                Ok(net) => return Ok((net, point.elo)),
                Err(error) if error.chain().any(|cause| cause.is::<io::Error>()) => return Err(error),
                Err(error) => tracing::warn!("{error:#}: the net is measured against one from before"),
            }
        }
        Ok((ModelFile::read(&self.dir.checkpoint(0))?, 0.0))
    }

    /// A report of the run's totals, all else at zero.
    pub(super) fn totals(&self) -> GenerationReport {
        GenerationReport {
            generation: self.state.generation,
            positions: self.state.positions,
            games: self.state.games,
            samples: self.state.samples,
            seconds: self.clock.seconds,
            cpu_seconds: self.clock.cpu_seconds,
            window: self.window.positions(),
            reuse: self.state.samples as f64 / self.window.seen().max(1) as f64,
            resign_error: self.state.resign.map(|found| found.error.into()),
            resign_threshold: resign_below(&self.config, &self.state).map(f64::from),
            ..GenerationReport::default()
        }
    }
}

/// Two halves of a generation that go on at a time: what stops one stops both.
struct Both<'a> {
    stop: &'a AtomicBool,
    /// What the halves listen to.
    halt: AtomicBool,
    is_done: AtomicBool,
}

impl<'a> Both<'a> {
    fn new(stop: &'a AtomicBool) -> Self {
        Both { stop, halt: AtomicBool::new(false), is_done: AtomicBool::new(false) }
    }

    /// Passes on what is said from outside, until both are done.
    fn pass_on(&self) {
        while !self.is_done.load(Ordering::Relaxed) {
            self.halt_if(self.stop.load(Ordering::Relaxed));
            thread::sleep(PASSED_ON);
        }
    }

    fn halt_if(&self, is_to_halt: bool) {
        self.halt.fetch_or(is_to_halt, Ordering::Relaxed);
    }

    /// Ends all of it when this is dropped, also by a panic.
    fn end_on_drop(&self) -> EndOnDrop<'_> {
        EndOnDrop(self)
    }
}

struct EndOnDrop<'a>(&'a Both<'a>);

impl Drop for EndOnDrop<'_> {
    fn drop(&mut self) {
        self.0.halt_if(true);
        self.0.is_done.store(true, Ordering::Relaxed);
    }
}

fn add_effort(report: &mut GenerationReport, effort: &Effort) {
    report.selfplay_seconds = Some(effort.seconds);
    report.positions_per_s = Some(effort.positions as f64 / effort.seconds);
    let GenerationStats { stats, cache_hits, load_seconds, cpu_seconds, workers } = &effort.made;
    report.selfplay_cpu_seconds = *cpu_seconds;
    report.load_seconds = Some(*load_seconds);
    report.evaluations_per_s = Some(stats.evaluations as f64 / effort.seconds);
    report.cache_hits = *cache_hits;
    report.policy_kl = Some(stats.mean_policy_kl());
    report.target_entropy = Some(stats.mean_policy_entropy());
    report.breadth = Some(stats.mean_breadth());
    report.value_shift = Some(stats.mean_value_shift());
    report.workers.clone_from(workers);
}

fn add_summary(report: &mut GenerationReport, summary: &GameSummary) {
    report.game_length = summary.mean_plies;
    report.first_score = summary.first_score;
    report.draws = summary.draws;
    report.calibration_error = summary.calibration_error;
    report.reasons = summary.reasons.iter().map(|(reason, share)| (reason.to_string(), *share)).collect();
}

/// Entropy in nats of probabilities that sum to one.
fn entropy(probabilities: [f64; 3]) -> f64 {
    probabilities.into_iter().filter(|&p| p > 0.0).map(|p| -p * ln(p)).sum()
}

fn add_learnt(report: &mut GenerationReport, learnt: &Learnt) {
    report.learn_seconds = learnt.seconds;
    if learnt.steps == 0 {
        return;
    }
    let mean = |sum: f64| Some(sum / learnt.steps as f64);
    report.policy_loss = mean(learnt.losses.policy);
    report.policy_entropy = mean(learnt.losses.policy_entropy);
    report.value_loss = mean(learnt.losses.value);
    report.value_baseline = Some(entropy(learnt.losses.value_target.map(|sum| sum / learnt.steps as f64)));
    report.value_bias = mean(learnt.losses.value_bias);
    report.reply_loss = mean(learnt.losses.reply);
    report.moves_left_loss = mean(learnt.losses.moves_left);
    report.gradient_norm = mean(learnt.gradient_norm);
    report.learning_rate = Some(learnt.learning_rate.into());
    report.samples_per_s = Some(learnt.samples as f64 / learnt.seconds);
}
