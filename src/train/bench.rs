//! How fast a network learns.

use std::time::Instant;

use serde::Serialize;

use super::{Learner, NonFinite};
use crate::replay::Sample;

/// What [`train_speed`] measured.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TrainSpeed {
    /// Samples a second.
    pub samples_per_s: f64,
    /// Samples a step.
    pub batch: usize,
    /// Threads of the learner.
    pub threads: usize,
}

/// Makes `learner` learn a batch of `samples` over and over for about `seconds`.
///
/// # Errors
/// When a step fails.
pub fn train_speed(learner: &mut Learner, samples: &[Sample], seconds: f64) -> Result<TrainSpeed, NonFinite> {
    let batch = &learner.batch_of(samples);
    learner.step(batch, 0.0)?;
    let start = Instant::now();
    let mut learnt = 0;
    loop {
        learner.step(batch, 0.0)?;
        learnt += samples.len();
        let elapsed = start.elapsed().as_secs_f64();
        if elapsed >= seconds {
            let samples_per_s = learnt as f64 / elapsed;
            return Ok(TrainSpeed { samples_per_s, batch: samples.len(), threads: learner.threads() });
        }
    }
}
