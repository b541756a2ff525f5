//! One generation: play, learn, measure, save.

use std::{
    io,
    sync::{Arc, atomic::AtomicBool},
    time::Instant,
};

use anyhow::Result;

use super::{
    evaluation::ProgressMatches,
    learning::{Detail, LearningJob, Learnt},
    next_games::{NextGames, games_after_next, next_games},
    playing::{Effort, Played, Playing, Wanted},
    report::{DeviceFigures, GenerationReport},
    source::GenerationStats,
    state::{EloPoint, Idle, PlannedGames, RunClock, State},
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
    training::selfplay::{GameRecord, SealTask, Workers},
};

impl<G: Encode> Trainer<G> {
    /// Plays and learns one generation, and saves it when that is due; if the run is killed before, the generation is
    /// made again from its games, which are on disk. With a lag the next one is played while this one is learnt, and begins
    /// on the cores that the last games of this one leave.
    /// `false` when it was asked to stop: what was played is in the journals, and the generation begins where it was.
    pub(super) fn generation(&mut self, stop: &AtomicBool, observer: &mut dyn Observer) -> Result<bool> {
        let stopwatch = Stopwatch::start();
        self.laps.begin();
        let watch = Watch::new(observer, self.progress());
        let playing = self.begin_next()?;
        let lags = self.config.selfplay.lag > 0;
        // A checkpoint of the present state keeps the net that plays next.
        self.net = lags.then(|| Arc::clone(&playing.net));
        let successor = lags.then(|| Arc::new(self.model()));
        if let Some(net) = &successor {
            self.begin_one_after(&playing, net)?;
        }
        self.laps.end("net");
        watch.listen_to(playing.said());
        let played = playing.wait(stop, &watch)?;
        self.laps.end("play");
        let Some(played) = played else {
            self.save_if_unsaved()?;
            return Ok(false);
        };
        let Played { games, sealing, effort } = played;
        let summary = GameSummary::of(&games);
        self.laps.end("summary");
        // All that follows from the games is known before they are learnt: so is the plan of the next ones.
        let mut next = self.state_after(&summary);
        if self.progress_at(&next, Some(&stopwatch)) >= 1.0 {
            self.ahead = None;
        } else if let Some(net) = &successor {
            self.begin_after(&next, net)?;
        }
        self.net = successor;
        let learning = self.divide();
        let learnt = self.learn(&mut next, games, stop, &watch);
        self.laps.end("learn");
        self.cores.use_elsewhere(0);
        sealing.map_or(Ok(()), SealTask::finish)?;
        self.laps.end("seal");
        let Some(learnt) = learnt? else { return Ok(false) };
        if let Some(effort) = effort.as_ref().filter(|effort| effort.positions == summary.positions)
            && let Some(played) = effort.made.cpu_seconds
        {
            let device = self.learner.device_name().is_some();
            self.split.add(learnt.thread_seconds(device) * learning as f64, played);
        }
        next.samples += learnt.samples;
        self.state = next;
        self.report_of(&stopwatch, &summary, &learnt, effort.as_ref());
        if self.config.checkpoints.is_due(self.state.generation) {
            self.save()?;
            self.laps.end("save");
        }
        Ok(true)
    }

    /// The state after games of this `summary`, but for what is learnt from them.
    fn state_after(&self, summary: &GameSummary) -> State {
        let mut next = self.state.clone();
        next.generation += 1;
        next.positions += summary.positions as u64;
        next.games += summary.games as u64;
        next.mean_game_length = summary.positions as f64 / summary.games.max(1) as f64;
        next.planned = games_after_next(&self.config, &self.state);
        next
    }

    /// Adds the time of the generation just done to the clock, and makes its report.
    fn report_of(
        &mut self,
        stopwatch: &Stopwatch,
        summary: &GameSummary,
        learnt: &Learnt,
        effort: Option<&Effort>,
    ) {
        self.laps.absorb(&learnt.laps);
        let device = self.device_figures(learnt.seconds / stopwatch.seconds());
        let idle = self.add_time(stopwatch);
        self.report = self.totals();
        add_summary(&mut self.report, summary);
        add_learnt(&mut self.report, learnt);
        self.report.idle_share = idle.share();
        self.report.device = device;
        if let Some(effort) = effort {
            add_effort(&mut self.report, effort);
        }
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
        if self.progress_at(&self.state, None) >= 1.0 {
            0
        } else {
            next_games(&self.config, &self.state).games
        }
    }

    /// The part of the budget that is spent at `state`, which has taken the time of `stopwatch` beside that of the clock.
    fn progress_at(&self, state: &State, stopwatch: Option<&Stopwatch>) -> f64 {
        let (more, more_cpu) = stopwatch.map_or((0.0, 0.0), |watch| (watch.seconds(), watch.cpu_seconds()));
        let seconds = self.clock.seconds + more;
        let cpu_seconds = self.clock.cpu_seconds + more_cpu;
        self.config.budget.progress(&state.spent(&RunClock { seconds, cpu_seconds, ..self.clock }))
    }

    /// The next generation, which is being played or begins now.
    fn begin_next(&mut self) -> Result<Playing> {
        if let Some(playing) = self.ahead.take() {
            return Ok(playing);
        }
        let net = self.net.take().unwrap_or_else(|| Arc::new(self.model()));
        let planned = next_games(&self.config, &self.state);
        self.begin_games(self.state.generation + 1, planned, net, Workers::on(&self.cores))
    }

    /// Begins the generation after the one that is `playing`, with `net`, on the cores that this one leaves: where it can be
    /// planned by now, and plays here.
    fn begin_one_after(&mut self, playing: &Playing, net: &Arc<ModelFile>) -> Result<()> {
        let planned = games_after_next(&self.config, &self.state);
        if let Some(PlannedGames { games: Some(games), resign_below }) = planned
            && self.player.games.plays_here()
        {
            let (generation, planned) = (self.state.generation + 2, NextGames { games, resign_below });
            let next = self.begin_games(generation, planned, Arc::clone(net), playing.workers.next())?;
            self.ahead = Some(next);
        }
        Ok(())
    }

    /// Begins the generation after `next`, with `net`, unless it is being played by now.
    fn begin_after(&mut self, next: &State, net: &Arc<ModelFile>) -> Result<()> {
        if self.ahead.is_none() {
            let planned = next_games(&self.config, next);
            let workers = Workers::on(&self.cores);
            let playing = self.begin_games(next.generation + 1, planned, Arc::clone(net), workers)?;
            self.ahead = Some(playing);
        }
        Ok(())
    }

    fn begin_games(
        &self,
        generation: u32,
        planned: NextGames,
        net: Arc<ModelFile>,
        workers: Workers,
    ) -> Result<Playing> {
        self.player.begin(Wanted { generation, planned, net, workers, progress: self.progress() })
    }

    /// Divides the cores between the generation that is to be learnt and the next one, where that is being played here. How
    /// many learn.
    fn divide(&mut self) -> usize {
        let plays = self.player.games.plays_here() && self.ahead.as_ref().is_some_and(|next| !next.is_over());
        let learning = if plays { self.split.learning() } else { self.machine.workers };
        self.learner.learn_on(learning);
        // Beside a device one of them mostly waits.
        let waiting = usize::from(plays && self.learner.device_name().is_some());
        self.cores.use_elsewhere(learning - waiting);
        learning
    }

    /// Learns the generation with these `games`, which leads to `next`. `None` when it was asked to stop.
    fn learn(
        &mut self,
        next: &mut State,
        games: Vec<GameRecord>,
        stop: &AtomicBool,
        watch: &Watch,
    ) -> Result<Option<Learnt>> {
        let encoding = Instant::now();
        let Trainer { window, learner, .. } = &mut *self;
        next.taught.push(learner.learning_pool().install(|| window.add::<G>(games)));
        let encoding = encoding.elapsed();
        self.laps.end("encode");
        next.resign = self.window.resignations().calibrate(&self.config.selfplay.resign);
        if let Some(playing) = &self.ahead {
            watch.listen_to(playing.said());
        }
        let job = LearningJob {
            config: &self.config,
            window: &self.window,
            generation: next.generation,
            samples: self.state.samples,
            progress: self.progress(),
            may_stop: self.saved == self.state.generation,
            detail: Detail::Steps,
        };
        let mut learnt = job.learn::<G>(&mut self.learner, stop, watch)?;
        if let Some(learnt) = &mut learnt {
            learnt.seconds += encoding.as_secs_f64();
        }
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
        // Games of the next generation wait, where they are played here.
        self.cores.use_elsewhere(self.machine.workers);
        let played = matches.play::<G>(&this, &opponent, stop);
        self.cores.use_elsewhere(0);
        let played = played?;
        let seconds = begin.elapsed().as_secs_f64();
        self.clock.evaluation_seconds += seconds;
        self.player.paused(begin.elapsed());
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
            resign_threshold: next_games(&self.config, &self.state).resign_below.map(f64::from),
            ..GenerationReport::default()
        }
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
