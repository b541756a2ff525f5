//! The learning of one generation: batches are drawn from the window, prepared and learnt.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

use anyhow::{Context, Result};
use rayon::prelude::*;

use super::{config::RunConfig, laps::Laps, watch::Watch};
use crate::training::learner::{Learner, Losses, PreparedBatch, StepReport};
use crate::{
    base::rng::{self, Purpose},
    games::encode::Encode,
    training::replay::{Sample, Window, WindowIndex},
};

/// What a generation's learning did: sums over its steps.
pub(super) struct Learnt {
    pub steps: u64,
    pub samples: u64,
    pub losses: Losses,
    pub gradient_norm: f64,
    pub learning_rate: f32,
    pub seconds: f64,
    /// Where the time went.
    pub laps: Laps,
}

impl Learnt {
    fn new() -> Self {
        Learnt {
            steps: 0,
            samples: 0,
            losses: Losses::default(),
            gradient_norm: 0.0,
            learning_rate: 0.0,
            seconds: 0.0,
            laps: Laps::start(),
        }
    }

    /// Seconds that each thread of the learner's took. A device that makes the steps needs threads for the rest alone.
    pub fn thread_seconds(&self, on_device: bool) -> f64 {
        let prepared = ["learn.draw", "learn.fill", "learn.number"];
        let seconds = |name| self.laps.parts().get(name).map_or(0.0, |lap| lap.seconds);
        if on_device { prepared.into_iter().map(seconds).sum() } else { self.seconds }
    }

    fn add(&mut self, step: &StepReport, samples: usize) {
        self.steps += 1;
        self.samples += samples as u64;
        self.losses.add(&step.losses);
        self.gradient_norm += step.gradient_norm;
        self.learning_rate = step.learning_rate;
    }
}

/// A generation that is to be learnt.
pub(super) struct LearningJob<'a> {
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
    /// What the laps tell apart.
    pub detail: Detail,
}

/// What the laps of a [`LearningJob`] tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Detail {
    /// A step is one part.
    Steps,
    /// The parts of each step, too. To read the clocks so often costs a hundredth of the time.
    PartsOfSteps,
}

impl LearningJob<'_> {
    /// Learns what is due of `reuse` samples a position, drawn from the whole window; what does not fill a batch is
    /// due again in the next generation. Batches are prepared some at a time, on all threads, and then learnt. `None` when it
    /// was stopped.
    ///
    /// # Errors
    /// When a loss or a weight is no number.
    pub fn learn<G: Encode>(
        &self,
        learner: &mut Learner,
        stop: &AtomicBool,
        watch: &Watch,
    ) -> Result<Option<Learnt>> {
        // All of it, since to hand each part to other threads and to wait for them would take longer than some parts do.
        let pool = Arc::clone(learner.learning_pool());
        pool.install(|| self.learn_here::<G>(learner, stop, watch))
    }

    /// [`LearningJob::learn`] on a thread of the learner's pool.
    fn learn_here<G: Encode>(
        &self,
        learner: &mut Learner,
        stop: &AtomicBool,
        watch: &Watch,
    ) -> Result<Option<Learnt>> {
        let begin = Instant::now();
        let LearningJob { config, generation, .. } = *self;
        let mut learnt = Learnt::new();
        let stopped = || {
            format!(
                "learning stopped in generation {generation}; the last checkpoint is intact, and from there a lower \
                 learner.schedule.peak goes on"
            )
        };
        let places = self.draw();
        let batches: Vec<&[WindowIndex]> = places.chunks_exact(config.learner.batch).collect();
        learnt.laps.end("learn.draw");
        let together = prepared_together(batches.len(), learner.threads());
        let mut ready: Vec<PreparedBatch> = (0..together).map(|_| learner.take_batch()).collect();
        for (group, places) in batches.chunks(together.max(1)).enumerate() {
            let (first, ready) = (group * together, &mut ready[..places.len()]);
            self.fill::<G>(first, places, ready);
            learnt.laps.end("learn.fill");
            ready.par_iter_mut().for_each(PreparedBatch::number);
            learnt.laps.end("learn.number");
            for (i, batch) in (first..).zip(ready.iter()) {
                if self.may_stop && stop.load(Ordering::Relaxed) {
                    return Ok(None);
                }
                let laps = &mut learnt.laps;
                let mut lap = |name| match self.detail {
                    Detail::Steps => {}
                    Detail::PartsOfSteps => laps.end(name),
                };
                let steps =
                    learner.learn_in_parts(batch, self.progress as f32, &mut lap).with_context(stopped)?;
                steps.iter().for_each(|step| learnt.add(step, config.learner.batch));
                watch.learning(format!("generation {generation}: batch {} of {}", i + 1, batches.len()));
            }
            learnt.laps.end("learn.steps");
        }
        // Their buffers serve the next generation.
        ready.into_iter().for_each(|batch| learner.give_back(batch));
        // Whether the generation is saved must not change what follows.
        let steps = learner.settle().with_context(stopped)?;
        steps.iter().for_each(|step| learnt.add(step, config.learner.batch));
        learnt.laps.end("learn.settle");
        watch.learning(String::new());
        learnt.seconds = begin.elapsed().as_secs_f64();
        Ok(Some(learnt))
    }

    /// The positions to learn, in their order.
    fn draw(&self) -> Vec<WindowIndex> {
        let LearningJob { config, window, generation, .. } = *self;
        let mut rng = rng::stream(config.seed, Purpose::Replay, &[generation.into()]);
        window.draw(window.due(self.samples), &mut rng)
    }

    /// Makes the samples of the batches from `first` on, those at `places`, on all threads of the pool. What a batch becomes
    /// depends on its number and its places alone.
    fn fill<G: Encode>(&self, first: usize, places: &[&[WindowIndex]], batches: &mut [PreparedBatch]) {
        let LearningJob { config, window, generation, .. } = *self;
        batches.par_iter_mut().zip(places).enumerate().for_each(|(i, (batch, places))| {
            let purpose = &[generation.into(), (first + i) as u64];
            let seed = rng::stream_seed(config.seed, Purpose::Replay, purpose);
            batch.fill(places.len(), |k, sample: &mut Sample| {
                let mut rng = rng::stream(seed, Purpose::Replay, &[k as u64]);
                window.sample_into::<G>(places[k], &mut rng, sample);
            });
        });
    }
}

/// How many of `count` batches are prepared at a time: enough for all threads to share the work evenly, and no more, since
/// they are in memory at once.
fn prepared_together(count: usize, threads: usize) -> usize {
    let most = if threads == 1 { 1 } else { threads.div_ceil(2).max(2) };
    count.div_ceil(count.div_ceil(most).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_are_prepared_in_even_groups() {
        let cases = [(0, 4, 0), (1, 16, 1), (12, 16, 6), (23, 16, 8), (9, 16, 5), (5, 2, 2), (5, 1, 1)];
        for (count, threads, together) in cases {
            assert_eq!(prepared_together(count, threads), together, "{count} batches on {threads} threads");
        }
    }
}
