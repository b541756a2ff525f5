//! One generation: play, learn, measure, save.

use std::{
    io,
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::Instant,
};

use anyhow::{Context, Result};
use rayon::prelude::*;

use super::{
    config::RunConfig,
    evaluation::ProgressMatches,
    learner::StepReport,
    loss::Losses,
    records::{Records, games_wanted, resign_below, sound_games},
    report::GenerationReport,
    run::{Observer, Trainer},
    state::{EloPoint, State},
    stopwatch::Stopwatch,
    summary::GameSummary,
};
use crate::{
    encode::Encode,
    net::ModelFile,
    replay::{Place, Sample, Window, sample_at},
    rng::{self, Purpose},
    selfplay::{
        EvaluationCache, GameRecord, Journal, Plan, SearchStats, calibrate, evaluator, journal_path, play,
        seal, sealed_path,
    },
    store::remove_if_there,
};

/// A generation's games and how they were made.
struct Played {
    games: Vec<GameRecord>,
    /// `None` where a run that was stopped had played all of them before.
    effort: Option<Effort>,
}

/// What a generation's games cost.
struct Effort {
    stats: SearchStats,
    /// Positions played, without those found in the journal.
    positions: usize,
    /// The share of the evaluations that the cache answered, if there is one.
    cache_hits: Option<f64>,
    seconds: f64,
}

/// What a generation's learning did: sums over its steps.
#[derive(Default)]
struct Learnt {
    steps: u64,
    samples: u64,
    losses: Losses,
    gradient_norm: f64,
    learning_rate: f32,
    seconds: f64,
}

impl Learnt {
    fn add(&mut self, step: &StepReport, samples: usize) {
        self.steps += 1;
        self.samples += samples as u64;
        self.losses.add(&step.losses);
        self.gradient_norm += step.gradient_norm;
        self.learning_rate = step.learning_rate;
    }
}

impl<G: Encode> Trainer<G> {
    /// Plays and learns one generation, and saves it when that is due; if the run is killed before, the generation is
    /// made again from its games, which are on disk. `false` when it was asked to stop: what was played is in the
    /// journal, and the generation begins where it was.
    pub(super) fn generation(&mut self, stop: &AtomicBool, observer: &mut dyn Observer) -> Result<bool> {
        let watch = Stopwatch::start();
        let Some(played) = self.play_games(stop, observer)? else {
            self.save_if_unsaved()?;
            return Ok(false);
        };
        let summary = GameSummary::of(&played.games);
        let new = self.window.add(played.games);
        let Some(learnt) = self.learn(stop, observer)? else { return Ok(false) };

        self.state.generation += 1;
        self.state.positions += summary.positions as u64;
        self.state.games += summary.games as u64;
        self.state.samples += learnt.samples;
        self.state.taught.push(new);
        self.state.mean_game_length = summary.positions as f64 / summary.games.max(1) as f64;
        self.state.resign = calibrate(self.window.games(), &self.config.selfplay.resign);
        match self.made_before.iter().find(|report| report.generation == self.state.generation) {
            // Made again after a kill it counts as much as it did at first.
            Some(report) => {
                self.clock.seconds = report.seconds;
                self.clock.cpu_seconds = report.cpu_seconds;
            }
            None => {
                self.clock.seconds += watch.seconds();
                self.clock.cpu_seconds += watch.cpu_seconds();
            }
        }

        self.report = self.totals();
        add_summary(&mut self.report, &summary);
        add_learnt(&mut self.report, &learnt);
        if let Some(effort) = &played.effort {
            add_effort(&mut self.report, effort);
        }
        if self.config.checkpoints.is_due(self.state.generation) {
            self.save()?;
        }
        Ok(true)
    }

    /// Games that the next generation plays; 0 when the budget is spent.
    pub(super) fn games_due(&self) -> u32 {
        if self.progress() >= 1.0 { 0 } else { games_wanted(&self.config, &self.state) }
    }

    /// The threshold below which sides resign, if that is allowed yet.
    fn resign_below(&self) -> Option<f32> {
        resign_below(&self.config, &self.state)
    }

    fn play_games(&self, stop: &AtomicBool, observer: &mut dyn Observer) -> Result<Option<Played>> {
        let (config, generation) = (&self.config, self.state.generation + 1);
        let records = Records { settings: &self.settings, dir: &self.dir, machine: self.machine };
        let meta = records.meta::<G>(generation);
        let folder = self.dir.records();
        if let Some(games) = records.unlearnt::<G>(generation)? {
            // A run that ended before it saved: the games are whole.
            remove_if_there(&journal_path(&folder, generation))?;
            return Ok(Some(Played { games, effort: None }));
        }
        let (mut journal, mut games) = Journal::open(&folder, &meta)?;
        let sound = sound_games::<G>(&games);
        if sound.len() < games.len() {
            journal = journal.keep_only(&meta, &sound)?;
            games = sound;
        }
        let before: usize = games.iter().map(GameRecord::positions).sum();
        let plan = Plan {
            config: &config.selfplay,
            rules: config.rules,
            seed: config.seed,
            generation,
            games: self.games_due(),
            done: games.iter().map(|game| game.index).collect(),
            resign_below: self.resign_below(),
        };
        let net = self.player_net()?;
        let cache = EvaluationCache::new(config.selfplay.cache_positions);
        let begin = Instant::now();
        let done = self.progress();
        let searcher = || evaluator::<G>(cache.as_ref(), net.evaluator(G::SHAPE));
        let stats = play::<G, _>(&plan, self.machine.workers, searcher, stop, |game| {
            journal.append(&game)?;
            games.push(game);
            observer
                .progress(done, &format!("generation {generation}: game {} of {}", games.len(), plan.games));
            Ok(())
        })?;
        if games.len() < plan.games as usize {
            return Ok(None);
        }
        let seconds = begin.elapsed().as_secs_f64();
        seal(&sealed_path(&folder, generation), &meta, &mut games)?;
        journal.remove()?;
        let effort = Effort {
            stats,
            positions: games.iter().map(GameRecord::positions).sum::<usize>() - before,
            cache_hits: cache.as_ref().map(EvaluationCache::hit_rate),
            seconds,
        };
        Ok(Some(Played { games, effort: Some(effort) }))
    }

    /// Learns what is due of `reuse` samples a position, drawn from the whole window; what does not fill a batch is
    /// due again in the next generation. While a step is made the next batches are prepared.
    fn learn(&mut self, stop: &AtomicBool, observer: &mut dyn Observer) -> Result<Option<Learnt>> {
        let begin = Instant::now();
        let generation = self.state.generation + 1;
        let progress = self.progress();
        let mut rng = rng::stream(self.config.seed, Purpose::Replay, &[generation.into()]);
        let places = self.window.draw(self.window.due(self.state.samples), &mut rng);
        let batches: Vec<&[Place]> = places.chunks_exact(self.config.learner.batch).collect();
        let mut learnt = Learnt::default();
        // To stop throws away what this generation has learnt, but not those before it.
        let may_stop = self.saved == self.state.generation;
        let Trainer { config, window, learner, .. } = self;
        let (config, window) = (&*config, &*window);
        let done = thread::scope(|scope| {
            let (sender, prepared) = mpsc::sync_channel(PREPARED);
            scope.spawn({
                let batches = &batches;
                move || {
                    for (i, batch) in (0..).zip(batches) {
                        // Nobody waits for it when a step has failed or the run is to stop.
                        if sender.send(prepare::<G>(config, window, generation, i, batch)).is_err() {
                            break;
                        }
                    }
                }
            });
            for (i, batch) in prepared.iter().enumerate() {
                if may_stop && stop.load(Ordering::Relaxed) {
                    return Ok(false);
                }
                let step = learner.step(&batch, progress as f32).with_context(|| {
                    format!(
                        "learning stopped in generation {generation}; the last checkpoint is intact, and from \
                         there a lower learner.schedule.peak goes on"
                    )
                })?;
                learnt.add(&step, batch.len());
                let doing = format!("generation {generation}: batch {} of {}", i + 1, batches.len());
                observer.progress(progress, &doing);
            }
            anyhow::Ok(true)
        })?;
        // Whether the generation is saved must not change what follows.
        learner.settle();
        learnt.seconds = begin.elapsed().as_secs_f64();
        Ok(done.then_some(learnt))
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
            resign_threshold: self.resign_below().map(f64::from),
            ..GenerationReport::default()
        }
    }
}

/// Batches that are ready beside the one that is being learnt: enough to bridge a step, and little memory.
const PREPARED: usize = 2;

/// The samples of batch `index` of a generation; they depend on nothing but that.
fn prepare<G: Encode>(
    config: &RunConfig,
    window: &Window,
    generation: u32,
    index: u64,
    batch: &[Place],
) -> Vec<Sample> {
    let seed = rng::stream_seed(config.seed, Purpose::Replay, &[generation.into(), index]);
    let sample = |(k, &place): (usize, &Place)| {
        let (record, ply) = window.at(place);
        let mut rng = rng::stream(seed, Purpose::Replay, &[k as u64]);
        sample_at::<G>(record, ply, &config.replay, config.net.inputs(), &mut rng)
    };
    batch.par_iter().enumerate().map(sample).collect()
}

fn add_effort(report: &mut GenerationReport, effort: &Effort) {
    report.selfplay_seconds = Some(effort.seconds);
    report.positions_per_s = Some(effort.positions as f64 / effort.seconds);
    report.evaluations_per_s = Some(effort.stats.evaluations as f64 / effort.seconds);
    report.cache_hits = effort.cache_hits;
    report.policy_kl = Some(effort.stats.mean_policy_kl());
    report.target_entropy = Some(effort.stats.mean_policy_entropy());
    report.breadth = Some(effort.stats.mean_breadth());
    report.value_shift = Some(effort.stats.mean_value_shift());
}

fn add_summary(report: &mut GenerationReport, summary: &GameSummary) {
    report.game_length = summary.mean_plies;
    report.first_score = summary.first_score;
    report.draws = summary.draws;
    report.calibration_error = summary.calibration_error;
    report.reasons = summary.reasons.iter().map(|(reason, share)| (reason.to_string(), *share)).collect();
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
    report.value_bias = mean(learnt.losses.value_bias);
    report.reply_loss = mean(learnt.losses.reply);
    report.moves_left_loss = mean(learnt.losses.moves_left);
    report.gradient_norm = mean(learnt.gradient_norm);
    report.learning_rate = Some(learnt.learning_rate.into());
    report.samples_per_s = Some(learnt.samples as f64 / learnt.seconds);
}
