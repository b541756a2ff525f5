//! The learning of one generation: batches are drawn from the window, prepared and learnt.

use std::{
    panic::resume_unwind,
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver, Sender, SyncSender},
    },
    thread,
    time::Instant,
};

use anyhow::{Context, Result};

use super::{
    config::RunConfig, learner::Learner, loss::Losses, prepared::PreparedBatch, step::StepReport,
    watch::Watch,
};
use crate::{
    encode::Encode,
    replay::{Place, Window},
    rng::{self, Purpose},
};

/// Batches of each preparing thread: the one that is being learnt, the next, and one that is being prepared.
const BATCHES_EACH: usize = 3;

/// What a generation's learning did: sums over its steps.
#[derive(Default)]
pub(super) struct Learnt {
    pub steps: u64,
    pub samples: u64,
    pub losses: Losses,
    pub gradient_norm: f64,
    pub learning_rate: f32,
    pub seconds: f64,
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

/// A generation that is to be learnt.
pub(super) struct Lesson<'a> {
    pub config: &'a RunConfig,
    /// The newest games are in it.
    pub window: &'a Window,
    pub generation: u32,
    /// Samples learnt so far.
    pub samples: u64,
    /// How far the run is, in `0.0..=1.0`.
    pub progress: f64,
    /// Whether it may end early: that throws away what it has learnt.
    pub may_stop: bool,
}

impl Lesson<'_> {
    /// Learns what is due of `reuse` samples a position, drawn from the whole window; what does not fill a batch is
    /// due again in the next generation. While a step is made the next batches are prepared. `None` when it was
    /// stopped.
    ///
    /// # Errors
    /// When a loss or a weight is no number.
    pub fn learn<G: Encode>(
        &self,
        learner: &mut Learner,
        stop: &AtomicBool,
        watch: &Watch,
    ) -> Result<Option<Learnt>> {
        let begin = Instant::now();
        let Lesson { config, window, generation, .. } = *self;
        let mut rng = rng::stream(config.seed, Purpose::Replay, &[generation.into()]);
        let places = window.draw(window.due(self.samples), &mut rng);
        let batches: Vec<&[Place]> = places.chunks_exact(config.learner.batch).collect();
        let prepare = |i: usize, batch: &mut PreparedBatch| {
            prepare::<G>(config.seed, window, generation, i as u64, batches[i], batch);
        };
        let stopped = || {
            format!(
                "learning stopped in generation {generation}; the last checkpoint is intact, and from there a lower \
                 learner.schedule.peak goes on"
            )
        };
        let mut learnt = Learnt::default();
        let mut step = |learner: &mut Learner, i: usize, batch: &PreparedBatch| {
            if self.may_stop && stop.load(Ordering::Relaxed) {
                return Ok(false);
            }
            let steps = learner.learn(batch, self.progress as f32).with_context(stopped)?;
            steps.iter().for_each(|step| learnt.add(step, config.learner.batch));
            watch.learning(format!("generation {generation}: batch {} of {}", i + 1, batches.len()));
            anyhow::Ok(true)
        };
        let done = feed(learner, batches.len(), prepare, &mut step)?;
        // Whether the generation is saved must not change what follows.
        let steps = learner.settle().with_context(stopped)?;
        steps.iter().for_each(|step| learnt.add(step, config.learner.batch));
        watch.learning(String::new());
        learnt.seconds = begin.elapsed().as_secs_f64();
        Ok(done.then_some(learnt))
    }
}

/// Makes `batch` the batch with this index of a generation; it depends on nothing but that.
fn prepare<G: Encode>(
    seed: u64,
    window: &Window,
    generation: u32,
    index: u64,
    places: &[Place],
    batch: &mut PreparedBatch,
) {
    let seed = rng::stream_seed(seed, Purpose::Replay, &[generation.into(), index]);
    batch.prepare(places.len(), |k, sample| {
        let mut rng = rng::stream(seed, Purpose::Replay, &[k as u64]);
        window.sample_into::<G>(places[k], &mut rng, sample);
    });
}

/// Prepares and learns `count` batches. Whether all of them were learnt.
///
/// # Errors
/// Those of `step`.
pub(super) fn feed(
    learner: &mut Learner,
    count: usize,
    prepare: impl Fn(usize, &mut PreparedBatch) + Sync,
    step: &mut Step,
) -> Result<bool> {
    match learner.threads() {
        1 => one_by_one(learner, count, prepare, step),
        _ => prepared_ahead(learner, count, prepare, step),
    }
}

/// A step with a batch. `false` when the learning is to stop.
pub(super) type Step<'a> = dyn FnMut(&mut Learner, usize, &PreparedBatch) -> Result<bool> + 'a;

/// Prepares and learns one batch after the other, for a learner with one thread.
fn one_by_one(
    learner: &mut Learner,
    count: usize,
    prepare: impl Fn(usize, &mut PreparedBatch),
    step: &mut Step,
) -> Result<bool> {
    let mut batch = learner.take_batch();
    for i in 0..count {
        prepare(i, &mut batch);
        if !step(learner, i, &batch)? {
            return Ok(false);
        }
    }
    learner.give_back(batch);
    Ok(true)
}

/// Learns the batches in their order, while other threads prepare the next ones, each a whole batch. Batches go round:
/// from the learner to the thread that prepares them, and back.
fn prepared_ahead(
    learner: &mut Learner,
    count: usize,
    prepare: impl Fn(usize, &mut PreparedBatch) + Sync,
    step: &mut Step,
) -> Result<bool> {
    let threads = learner.preparing().min(count.max(1));
    let prepare = &prepare;
    thread::scope(|scope| {
        let (ways, preparing): (Vec<Way>, Vec<_>) = (0..threads)
            .map(|first| {
                let (way, other_end) = Way::new(learner);
                let preparing = scope.spawn(move || {
                    let OtherEnd { prepared, used } = other_end;
                    for i in (first..count).step_by(threads) {
                        // When a step has failed or the run is to stop the learner is gone.
                        let Ok(mut batch) = used.recv() else { break };
                        prepare(i, &mut batch);
                        if prepared.send(batch).is_err() {
                            break;
                        }
                    }
                    used
                });
                (way, preparing)
            })
            .unzip();
        for i in 0..count {
            let way = &ways[i % threads];
            let batch = way.prepared.recv().expect("a batch for each step");
            if !step(learner, i, &batch)? {
                return Ok(false);
            }
            way.used.send(batch).expect("the other end is kept to the end");
        }
        // Their buffers serve the next generation.
        for preparing in preparing {
            let used = preparing.join().unwrap_or_else(|panic| resume_unwind(panic));
            used.try_iter().for_each(|batch| learner.give_back(batch));
        }
        Ok(true)
    })
}

/// The learner's end of the way that batches take.
struct Way {
    prepared: Receiver<PreparedBatch>,
    used: Sender<PreparedBatch>,
}

/// The end of a thread that prepares them.
struct OtherEnd {
    prepared: SyncSender<PreparedBatch>,
    used: Receiver<PreparedBatch>,
}

impl Way {
    /// With batches of `learner` on it.
    fn new(learner: &mut Learner) -> (Way, OtherEnd) {
        let (to_learner, prepared) = mpsc::sync_channel(BATCHES_EACH);
        let (used, to_preparer) = mpsc::channel();
        for _ in 0..BATCHES_EACH {
            used.send(learner.take_batch()).expect("its other end is there");
        }
        (Way { prepared, used }, OtherEnd { prepared: to_learner, used: to_preparer })
    }
}
