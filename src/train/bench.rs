//! How fast a network learns.

use std::time::{Duration, Instant};

use anyhow::Result;
use serde::Serialize;

use super::{Learner, PreparedBatch, learning::feed};
use crate::replay::Sample;

/// What [`train_speed`] measured.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TrainSpeed {
    /// Samples a second of steps alone.
    pub samples_per_s: f64,
    /// The same where each batch is prepared from samples, ahead of its step.
    pub prepared_per_s: f64,
    /// Samples a step.
    pub batch: usize,
    /// Threads of the learner.
    pub threads: usize,
    /// Bytes of memory on a GPU, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device_bytes: Option<u64>,
}

/// Makes `learner` learn a batch of `samples` over and over, for about `seconds` with it prepared once, and for as long with it
/// prepared each time.
///
/// # Errors
/// When a step fails.
pub fn train_speed(learner: &mut Learner, samples: &[Sample], seconds: f64) -> Result<TrainSpeed> {
    let time = Duration::from_secs_f64(seconds);
    let batch = &learner.batch_of(samples);
    learner.step(batch, 0.0)?;
    let (start, mut steps) = (Instant::now(), 0);
    while start.elapsed() < time {
        learner.learn(batch, 0.0)?;
        steps += 1;
    }
    // A GPU is behind.
    learner.finish()?;
    let rate = |steps: usize, start: Instant| (steps * samples.len()) as f64 / start.elapsed().as_secs_f64();
    let samples_per_s = rate(steps, start);

    let prepare = |i: usize, batch: &mut PreparedBatch| {
        batch
            .prepare(samples.len(), |place, sample| sample.clone_from(&samples[(i + place) % samples.len()]));
    };
    let (start, mut steps) = (Instant::now(), 0);
    feed(learner, usize::MAX, prepare, &mut |learner, _, batch| {
        learner.learn(batch, 0.0)?;
        steps += 1;
        Ok(start.elapsed() < time)
    })?;
    learner.finish()?;
    Ok(TrainSpeed {
        samples_per_s,
        prepared_per_s: rate(steps, start),
        batch: samples.len(),
        threads: learner.threads(),
        device_bytes: learner.device_bytes(),
    })
}
