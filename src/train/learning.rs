//! The learning of one generation: batches are drawn from the window, prepared and learnt.

use std::{
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
    learner::{Learner, StepReport},
    loss::Losses,
    watch::Watch,
};
use crate::{
    encode::Encode,
    replay::{Place, Sample, Window},
    rng::{self, Purpose},
};

/// Batches that are ready beside the one that is being learnt: enough to bridge a step, and little memory.
const PREPARED: usize = 2;

/// Samples that a thread makes at least: less is not worth a turn.
const SAMPLED_TOGETHER: usize = 64;

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
        let mut learnt = Learnt::default();
        let done = thread::scope(|scope| {
            let (sender, prepared) = mpsc::sync_channel(PREPARED);
            scope.spawn({
                let batches = &batches;
                move || {
                    for (i, batch) in (0..).zip(batches) {
                        // Nobody waits for it when a step has failed or the run is to stop.
                        if sender.send(prepare::<G>(config.seed, window, generation, i, batch)).is_err() {
                            break;
                        }
                    }
                }
            });
            for (i, batch) in prepared.iter().enumerate() {
                if self.may_stop && stop.load(Ordering::Relaxed) {
                    return Ok(false);
                }
                let step = learner.step(&batch, self.progress as f32).with_context(|| {
                    format!(
                        "learning stopped in generation {generation}; the last checkpoint is intact, and from \
                         there a lower learner.schedule.peak goes on"
                    )
                })?;
                learnt.add(&step, batch.len());
                watch.learning(format!("generation {generation}: batch {} of {}", i + 1, batches.len()));
            }
            anyhow::Ok(true)
        })?;
        // Whether the generation is saved must not change what follows.
        learner.settle();
        watch.learning(String::new());
        learnt.seconds = begin.elapsed().as_secs_f64();
        Ok(done.then_some(learnt))
    }
}

/// The samples of batch `index` of a generation; they depend on nothing but that.
fn prepare<G: Encode>(
    seed: u64,
    window: &Window,
    generation: u32,
    index: u64,
    batch: &[Place],
) -> Vec<Sample> {
    let seed = rng::stream_seed(seed, Purpose::Replay, &[generation.into(), index]);
    let sample = |(k, &place): (usize, &Place)| {
        let mut rng = rng::stream(seed, Purpose::Replay, &[k as u64]);
        window.sample::<G>(place, &mut rng)
    };
    batch.par_iter().enumerate().with_min_len(SAMPLED_TOGETHER).map(sample).collect()
}
